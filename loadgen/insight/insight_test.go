package insight_test

import (
	"maps"
	"math"
	"testing"
	"time"

	"fullbore/loadgen/insight"
)

func TestBetween(t *testing.T) {
	type calls = map[string]insight.Call
	base := insight.Reading{RunID: "a", Commands: 100, Main: time.Second, Calls: calls{"get": {Calls: 10, Time: 10 * us}, "set": {Calls: 5, Time: 5 * us}}}
	later := func(change func(*insight.Reading)) insight.Reading {
		r := insight.Reading{RunID: "a", Commands: 130, Main: 3 * time.Second, Calls: calls{"get": {Calls: 30, Time: 50 * us}, "set": {Calls: 5, Time: 5 * us}, "incr": {Calls: 1, Time: us}}}
		if change != nil {
			change(&r)
		}
		return r
	}
	all := insight.Delta{Commands: 30, Main: 2 * time.Second, Calls: calls{"get": {Calls: 20, Time: 40 * us}, "incr": {Calls: 1, Time: us}}}
	for _, c := range []struct {
		name string
		b    insight.Reading
		want insight.Delta
		ok   bool
	}{
		{"all told", later(nil), all, true},
		{"no id", later(func(r *insight.Reading) { r.RunID = "" }), all, true},
		{"restarted", later(func(r *insight.Reading) { r.RunID = "b" }), insight.Delta{}, false},
		{"commands fell", later(func(r *insight.Reading) { r.Commands = 99 }), insight.Delta{}, false},
		{"CPU fell", later(func(r *insight.Reading) { r.Main = time.Millisecond }), insight.Delta{}, false},
		{"calls fell", later(func(r *insight.Reading) { r.Calls["get"] = insight.Call{Calls: 9, Time: 50 * us} }), insight.Delta{}, false},
		{"time fell", later(func(r *insight.Reading) { r.Calls["get"] = insight.Call{Calls: 30, Time: 9 * us} }), insight.Delta{}, false},
		{"statistics were reset", later(func(r *insight.Reading) { r.Calls = calls{} }), insight.Delta{}, false},
		{"commands not told", later(func(r *insight.Reading) { r.Commands = -1 }), insight.Delta{Main: all.Main, Calls: all.Calls}, true},
		{"CPU not told", later(func(r *insight.Reading) { r.Main = -1 }), insight.Delta{Commands: 30, Calls: all.Calls}, true},
		{"CPU of something else", later(func(r *insight.Reading) { r.Whole = true }), insight.Delta{Commands: 30, Calls: all.Calls}, true},
		{"calls not told", later(func(r *insight.Reading) { r.Calls = nil }), insight.Delta{Commands: 30, Main: all.Main}, true},
	} {
		got, ok := insight.Between(base, c.b)
		if ok != c.ok || !equal(got, c.want) {
			t.Errorf("%s: %+v %v, want %+v %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func equal(a, b insight.Delta) bool {
	return a.Commands == b.Commands && a.Main == b.Main && a.Whole == b.Whole &&
		maps.Equal(a.Calls, b.Calls) && (a.Calls == nil) == (b.Calls == nil)
}

func TestAdd(t *testing.T) {
	type calls = map[string]insight.Call
	one := insight.Delta{Commands: 10, Main: time.Second, Calls: calls{"get": {Calls: 10, Time: 20 * us}}}
	two := insight.Delta{Commands: 5, Main: 2 * time.Second, Whole: true, Calls: calls{"get": {Calls: 2, Time: 3 * us}, "set": {Calls: 3, Time: us}}}
	for _, c := range []struct {
		name       string
		a, b, want insight.Delta
	}{
		{"both", one, two, insight.Delta{Commands: 15, Main: 3 * time.Second, Whole: true, Calls: calls{"get": {Calls: 12, Time: 23 * us}, "set": {Calls: 3, Time: us}}}},
		{"to nothing", insight.Delta{}, one, one},
		{"nothing", one, insight.Delta{}, one},
		{"nothing at all", insight.Delta{}, insight.Delta{}, insight.Delta{}},
		{"what one does not know", one, insight.Delta{Commands: 1}, insight.Delta{Commands: 11}},
		{"what the other does not know", insight.Delta{Main: time.Second, Calls: calls{}}, one, insight.Delta{Main: 2 * time.Second, Calls: one.Calls}},
	} {
		if got := c.a.Add(c.b); !equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if len(one.Calls) != 1 || one.Calls["get"].Calls != 10 || len(two.Calls) != 2 {
		t.Errorf("a sum changed its parts: %+v %+v", one, two)
	}
	sum := insight.Delta{}.Add(one)
	sum.Calls["get"] = insight.Call{}
	if one.Calls["get"].Calls != 10 {
		t.Error("a sum shares its calls")
	}
}

// TestRecordedLoads works out by hand what the recorded servers did.
func TestRecordedLoads(t *testing.T) {
	for _, c := range []struct {
		name, command       string
		commands, calls     int64
		perCommand, perCall time.Duration
		share               float64
	}{
		{"set-p1", "SET", 150_006, 150_000, 7034, 195, 0.0278},
		{"get-p1", "get", 150_006, 150_000, 6837, 121, 0.0177},
		{"set-p16", "set", 1_500_006, 1_500_000, 730, 136, 0.1863},
		{"get-p16", "get", 1_500_006, 1_500_000, 704, 114, 0.1629},
	} {
		d, ok := insight.Between(recorded(t, c.name))
		if !ok || d.Commands != c.commands || d.Calls["get"].Calls+d.Calls["set"].Calls != c.calls || d.Whole {
			t.Errorf("%s: %+v %v", c.name, d, ok)
		}
		if got, ok := d.PerCommand(); !ok || got != c.perCommand {
			t.Errorf("%s: %d ns for each command, want %d", c.name, got, c.perCommand)
		}
		if got, ok := d.PerCall(c.command); !ok || got != c.perCall {
			t.Errorf("%s: %d ns for each call, want %d", c.name, got, c.perCall)
		}
		if got, ok := d.Share(c.command); !ok || math.Abs(got-c.share) > 1e-4 {
			t.Errorf("%s: share %.4f, want %.4f", c.name, got, c.share)
		}
	}
}

func TestUnknown(t *testing.T) {
	type calls = map[string]insight.Call
	for _, d := range []insight.Delta{
		{},
		{Commands: 5, Calls: calls{"get": {Calls: 3}}},
		{Main: time.Second, Calls: calls{"get": {Time: us}}},
		{Commands: -1, Main: -1, Calls: calls{"get": {Calls: -1, Time: -1}}},
	} {
		per, one := d.PerCommand()
		call, two := d.PerCall("get")
		share, three := d.Share("get")
		if one || two || three || per != 0 || call != 0 || share != 0 {
			t.Errorf("%+v: %v %v, %v %v, %v %v", d, per, one, call, two, share, three)
		}
	}
	busy := insight.Delta{Main: time.Second, Calls: calls{"get": {Calls: 1, Time: 2 * time.Second}}}
	if share, ok := busy.Share("get"); !ok || share != 1 {
		t.Errorf("share %v, want 1: a wall clock runs on", share)
	}
}
