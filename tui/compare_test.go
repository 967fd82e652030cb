package tui

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
	"fullbore/views"
)

// settings waits for n settings at the contest and returns the last.
func settings(t *testing.T, c *fakeContest, n int) experiment.Settings {
	t.Helper()
	eventually(t, "settings at the comparison", func() bool { return len(c.got()) >= n })
	sets := c.got()
	if len(sets) != n {
		t.Fatalf("%d settings applied, want %d: %+v", len(sets), n, sets)
	}
	return sets[n-1]
}

// compared is the screen as a value.
func (d *desk) compared() views.Compare { return d.m.compare.contrast().compare() }

// told is the newest line of a comparison's notes.
func (d *desk) told() string {
	notes := d.compared().Notes
	if len(notes) == 0 {
		return ""
	}
	return notes[len(notes)-1].Text
}

func (d *desk) sideLoads() (loads []string) {
	for _, s := range d.compared().Sides {
		loads = append(loads, s.Name+" "+s.Load)
	}
	return loads
}

// TestKeysOfAComparison holds what each key asks of a comparison of P=1 and P=16,
// whose second side has the focus.
func TestKeysOfAComparison(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want func(s *experiment.Settings)
	}{
		{"l: more clients of B", []string{"l"}, func(s *experiment.Settings) { s.Plans[1].Clients = 100 }},
		{"right is l", []string{"right"}, func(s *experiment.Settings) { s.Plans[1].Clients = 100 }},
		{"h", []string{"h"}, func(s *experiment.Settings) { s.Plans[1].Clients = 20 }},
		{"left is h", []string{"left"}, func(s *experiment.Settings) { s.Plans[1].Clients = 20 }},
		{"L", []string{"L"}, func(s *experiment.Settings) { s.Plans[1].Clients = 500 }},
		{"H", []string{"H"}, func(s *experiment.Settings) { s.Plans[1].Clients = 5 }},
		{"1: those of A", []string{"1", "l"}, func(s *experiment.Settings) { s.Plans[0].Clients = 100 }},
		{"1, 2: those of B", []string{"1", "2", "l"}, func(s *experiment.Settings) { s.Plans[1].Clients = 100 }},
		{"3: there is no such side", []string{"3", "l"}, func(s *experiment.Settings) { s.Plans[1].Clients = 100 }},
		{"tab: pipeline", []string{"tab", "l"}, func(s *experiment.Settings) { s.Plans[1].Pipeline = 32 }},
		{"j is tab", []string{"j", "h"}, func(s *experiment.Settings) { s.Plans[1].Pipeline = 8 }},
		{"k: rtt, the last", []string{"k", "l"}, func(s *experiment.Settings) { s.Plans[1].RTT = 100 * time.Microsecond }},
		{"the focus stays at a knob", []string{"tab", "1", "l"}, func(s *experiment.Settings) { s.Plans[0].Pipeline = 2 }},
		{"enter: an exact value", []string{"enter", "7", "enter"}, func(s *experiment.Settings) { s.Plans[1].Clients = 7 }},
		{"s: A as B", []string{"s"}, func(s *experiment.Settings) { s.Plans[0].Pipeline = 16 }},
		{"1, s: B as A", []string{"1", "s"}, func(s *experiment.Settings) { s.Plans[1].Pipeline = 1 }},
		{"x", []string{"x"}, func(s *experiment.Settings) { s.Reference = 1 }},
		{"1, x: the same of two", []string{"1", "x"}, func(s *experiment.Settings) { s.Reference = 1 }},
		{"i", []string{"i"}, func(s *experiment.Settings) { s.Competing = true }},
		{"space", []string{" "}, func(s *experiment.Settings) { s.Paused = true }},
		{"r", []string{"r"}, func(s *experiment.Settings) { s.Fresh = 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, contest := newBout(t, armsOf(1, 16))
			d.press(c.keys...)
			want := settingsOf(armsOf(1, 16))
			c.want(&want)
			if got := settings(t, contest, 1); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v applied, want %+v", got, want)
			}
			if !reflect.DeepEqual(d.m.compare.set, want) {
				t.Errorf("the screen has %+v, want %+v", d.m.compare.set, want)
			}
		})
	}
}

func TestTwiceIsBack(t *testing.T) {
	for _, k := range []string{"i", " "} {
		d, contest := newBout(t, armsOf(1, 16))
		d.press(k, k)
		if got, want := settings(t, contest, 2), settingsOf(armsOf(1, 16)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s twice: %+v", k, got)
		}
	}
}

// TestEveryKeyOfAComparisonDoesSomething holds that the help of a comparison tells
// nothing that does not work, and that no key is bound twice.
func TestEveryKeyOfAComparisonDoesSomething(t *testing.T) {
	d, _ := newBout(t, armsOf(1, 16))
	bound := map[string]int{"w": 1} // has a command of its own
	for _, p := range d.m.compare.presses() {
		for _, k := range p.key.Keys() {
			bound[k]++
		}
	}
	for _, g := range newKeyMap().groups(true)[:3] {
		for _, b := range g.bindings {
			for _, name := range b.Keys() {
				if bound[name] != 1 && name != "ctrl+l" {
					t.Errorf("key %q is bound %d times", name, bound[name])
				}
			}
		}
	}
	if bound["c"] != 1 {
		t.Error("c does not go back")
	}
}

// TestKeyLineOfAComparison holds that it names what works now.
func TestKeyLineOfAComparison(t *testing.T) {
	d, _ := newBout(t, armsOf(1, 4, 16))
	line := func() (words []string) {
		for _, k := range d.m.keys.compareLine(d.m.compare) {
			words = append(words, k.Keys+" "+k.Does)
		}
		return words
	}
	has := func(what string) bool { return strings.Contains(strings.Join(line(), ", ")+",", what+",") }
	if l := line(); l[0] != "? help" || l[1] != "q quit" || l[2] != "1/3 side" {
		t.Errorf("the line begins with %q", l[:3])
	}
	for _, what := range []string{"tab next", "<-/-> adjust", "enter type", "c back", "s same", "x swap", "i at once", "space pause", "w save", "r anew", "f freeze"} {
		if !has(what) {
			t.Errorf("no %q in %q", what, line())
		}
	}
	if has("n/p test") {
		t.Error("there is one test only")
	}
	d.press("i", " ", "f")
	for _, what := range []string{"i in turn", "space resume", "f unfreeze"} {
		if !has(what) {
			t.Errorf("no %q in %q", what, line())
		}
	}
	d.m.compare = d.m.compare.finish(nil)
	for _, what := range []string{"tab next", "i in turn", "r anew", "1/3 side"} {
		if has(what) {
			t.Errorf("after the end: %q in %q", what, line())
		}
	}
	if !has("c back") || !has("w save") {
		t.Errorf("after the end: %q", line())
	}
}

// TestSwappingKeepsThePairs holds that letters follow the reference, and the focus its
// arm.
func TestSwappingKeepsThePairs(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 4, 16))
	contest.onApply = func(c *fakeContest, set experiment.Settings) {
		s := *c.snap.Load()
		s.Reference = set.Reference
		c.snap.Store(&s)
	}
	d.press("3", "x")
	settings(t, contest, 1)
	d.tick()
	if got := strings.Join(d.sideLoads(), ", "); got != "A C=50 P=16, B C=50 P=1, C C=50 P=4" {
		t.Errorf("after x on C: %s", got)
	}
	if s := d.compared().Sides[0]; !s.Focused || len(s.Rounds) != 12 {
		t.Errorf("A has %d rounds, focus %v", len(s.Rounds), s.Focused)
	}
	d.press("x") // A has the focus: B becomes the reference
	settings(t, contest, 2)
	d.tick()
	if got := strings.Join(d.sideLoads(), ", "); got != "A C=50 P=1, B C=50 P=4, C C=50 P=16" {
		t.Errorf("after x on A: %s", got)
	}
	// Digits are letters' places, wherever the arm stood first.
	d.press("3", "l")
	if got := settings(t, contest, 3); got.Plans[2].Clients != 100 {
		t.Errorf("3 l turned %+v", got.Plans)
	}
}

func TestSameToTheReference(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 4, 16))
	d.press("3", "s")
	if got := settings(t, contest, 1); got.Plans[0].Pipeline != 16 || got.Plans[1].Pipeline != 4 {
		t.Errorf("s on C: %+v", got.Plans)
	}
	if d.press("s"); d.told() != "both are the same already" || len(contest.got()) != 1 {
		t.Errorf("s again: %q", d.told())
	}
}

func TestCasesAreLeafedThrough(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 16), func(o *Options) { o.Comparison.Cases = cases(t) })
	if len(contest.cases) != 3 {
		t.Fatalf("%d cases", len(contest.cases))
	}
	shown := func() int { return d.compared().Case }
	follow := func(k int) {
		s := *contest.snap.Load()
		s.Case = k
		contest.snap.Store(&s)
		d.tick()
	}
	if follow(1); shown() != 1 {
		t.Errorf("the screen does not follow: case %d", shown())
	}
	if d.press("p"); shown() != 0 {
		t.Errorf("p: case %d", shown())
	}
	if follow(2); shown() != 0 {
		t.Errorf("a case that was chosen does not stay: %d", shown())
	}
	if d.press("n", "n"); shown() != 2 {
		t.Errorf("n n: case %d", shown())
	}
	if follow(1); shown() != 1 {
		t.Error("back at the case under way, the screen does not follow again")
	}
	if d.press("n", "n"); shown() != 0 {
		t.Errorf("n does not come round: %d", shown())
	}
	if len(contest.got()) != 0 {
		t.Error("leafing reached the comparison")
	}
	for _, k := range d.m.compare.table {
		if k.picks {
			t.Error("a command can be picked, and the cases say what is sent")
		}
	}
}

func TestRefusedSettingsAreTakenBack(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 16))
	contest.applied = func(experiment.Settings) error { return errRefused }
	d.press("l")
	if d.m.compare.plan.Clients != 100 {
		t.Fatalf("the knob shows %d clients, want 100 at once", d.m.compare.plan.Clients)
	}
	eventually(t, "the refusal", func() bool { d.tick(); return d.m.compare.plan.Clients == 50 })
	if !strings.Contains(d.told(), errRefused.Error()) {
		t.Errorf("note %q does not say why", d.told())
	}
}

func TestFrozenComparison(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 16))
	d.press("f")
	frame := d.m.View()
	next := *fixedState(armsOf(1, 16), 13)
	next.Elapsed += 5 * time.Second
	contest.snap.Store(&next)
	if d.tick(); d.m.View() != frame {
		t.Error("a frozen display moved")
	}
	if d.press("f"); d.m.compare.fast != &next {
		t.Error("unfreezing does not show the latest at once")
	}
}

// TestAComparisonAtRestLeavesTheFrameAlone holds that it sends not one byte.
func TestAComparisonAtRestLeavesTheFrameAlone(t *testing.T) {
	for _, phase := range []experiment.Phase{experiment.Paused, experiment.Decided, experiment.Ended} {
		d, contest := newBout(t, armsOf(1, 16))
		rest := *contest.snap.Load()
		rest.Phase, rest.Active = phase, -1
		for i := range 10 {
			next := rest
			next.Elapsed += time.Duration(i) * time.Second
			contest.snap.Store(&next)
			frame := d.m.View()
			if d.tick(); i > 0 && d.m.View() != frame {
				t.Fatalf("%s: the frame changed", phase)
			}
		}
		rest.Notes = append(rest.Notes, stats.Note{Text: "news"})
		contest.snap.Store(&rest)
		if d.tick(); d.told() != "news" {
			d.tick() // tables follow at 2 Hz
		}
		if d.told() != "news" {
			t.Errorf("%s: news are not shown", phase)
		}
	}
}

func TestSavingAComparison(t *testing.T) {
	var saved *experiment.State
	d, contest := newBout(t, armsOf(1, 16), func(o *Options) {
		o.Comparison.Save = func(s *experiment.State) (string, error) {
			if saved = s; len(s.Notes) == 0 {
				return "out/compare.json", nil
			}
			return "", errors.New("disk full")
		}
	})
	d.send(d.press("w")())
	if d.told() != "saved to out/compare.json" || len(saved.Results) != 1 {
		t.Errorf("note %q", d.told())
	}
	s := *contest.snap.Load()
	s.Notes = []stats.Note{{Text: "x"}}
	s.Arms = append([]experiment.Side(nil), s.Arms...)
	s.Arms[1].Arm.Plan.Pipeline = 64
	contest.snap.Store(&s)
	d.send(d.press("w")())
	if d.told() != "not saved: disk full" {
		t.Errorf("note %q", d.told())
	}
	if saved.Arms[1].Arm.Label != "P=64" || saved.Arms[0].Arm.Label != "P=1" {
		t.Errorf("saved with the label %q of an arm that was turned to P=64", saved.Arms[1].Arm.Label)
	}
}

// TestTheComparisonEndsByItself holds that what was measured stays, and that keys say
// why they do nothing.
func TestTheComparisonEndsByItself(t *testing.T) {
	for _, c := range []struct {
		err          error
		state, notes string
	}{{nil, "DONE", "has ended"}, {errRefused, "FAILED", errRefused.Error()}} {
		end := make(chan error)
		d, contest := newBout(t, armsOf(1, 16), func(o *Options) {
			start := o.Comparison.Start
			o.Comparison.Start = func(a []experiment.Arm, k []experiment.Case, r experiment.Rules) Contest {
				f := start(a, k, r).(*fakeContest)
				f.running = func(context.Context) (*experiment.State, error) { return f.snap.Load(), <-end }
				return f
			}
		})
		end <- c.err
		eventually(t, "the end on the screen", func() bool { d.tick(); return d.m.compare.over })
		if v := d.compared(); v.Header.State != c.state || !strings.Contains(d.told(), c.notes) {
			t.Errorf("state %s, note %q", v.Header.State, d.told())
		}
		d.press("l", " ", "i", "x", "r", "s", "enter")
		if len(contest.got()) != 0 || d.m.compare.open() {
			t.Error("knobs still turn after the end")
		}
		d.press("q")
		out, err := d.run.wait(nil)
		if !errors.Is(err, c.err) || out.Live || len(out.Comparisons) != 1 {
			t.Errorf("outcome %+v, %v", out, err)
		}
	}
}

func TestAPanicOfTheComparisonEndsTheProgram(t *testing.T) {
	d, _ := newBout(t, armsOf(1, 16), func(o *Options) {
		start := o.Comparison.Start
		o.Comparison.Start = func(a []experiment.Arm, k []experiment.Case, r experiment.Rules) Contest {
			f := start(a, k, r).(*fakeContest)
			f.running = func(context.Context) (*experiment.State, error) { panic("an arm broke") }
			return f
		}
	})
	eventually(t, "the end", func() bool { return d.m.exit != staying || quits(d.tick()) })
	out, err := d.run.wait(nil)
	if p := (*PanicError)(nil); !errors.As(err, &p) || !strings.Contains(p.Error(), "an arm broke") {
		t.Errorf("error %v", err)
	}
	if len(out.Comparisons) != 1 || len(out.Comparisons[0].Results) != 1 {
		t.Error("what was measured is lost")
	}
}

func TestTheRunOfAnArmBreaks(t *testing.T) {
	d, _ := newBout(t, armsOf(1, 16), func(o *Options) {
		start := o.Comparison.Start
		o.Comparison.Start = func(a []experiment.Arm, k []experiment.Case, r experiment.Rules) Contest {
			f := start(a, k, r).(*fakeContest)
			f.running = func(context.Context) (*experiment.State, error) {
				return f.snap.Load(), &loadgen.PanicError{Where: "run of arm P=16", Value: "x"}
			}
			return f
		}
	})
	eventually(t, "the way out", func() bool { d.tick(); return d.m.exit == quitting })
}

func TestIntrusionsAreAskedInAComparison(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 16), func(o *Options) {
		o.Intrudes = func(m workload.Mix) []string { return []string{"writes to visits"} }
	})
	d.press("tab", "tab", "tab", "enter", ":", "SET visits 1", "enter")
	if len(contest.got()) != 0 || !strings.Contains(d.m.View(), "writes to visits") {
		t.Fatalf("sent without a question:\n%s", d.m.View())
	}
	d.press("enter")
	if got := settings(t, contest, 1).Plans[1].Workload.Mix.Line(); !strings.Contains(got, "visits") {
		t.Errorf("B sends %s", got)
	}
}

func TestBelowTheMinimumAComparisonKeepsQAndSpace(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 16))
	d.press("enter")
	d.send(tea.WindowSizeMsg{Width: 52, Height: 14})
	d.press("l", "tab", "?", "enter", "r", "c")
	if !d.m.comparing || len(contest.got()) != 0 || d.m.compare.open() {
		t.Error("something was done unseen")
	}
	if d.press(" "); !settings(t, contest, 1).Paused {
		t.Error("space does not pause")
	}
	if !quits(d.press("q")) {
		t.Error("q does not quit")
	}
}
