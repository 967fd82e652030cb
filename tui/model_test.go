package tui

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/workload"
)

// desk is a model under test: messages go in, commands come out.
type desk struct {
	t   *testing.T
	e   *fakeEngine
	run *supervisor
	m   model
}

// newDesk is a running screen of 80x24 that has seen fixedSnapshot.
func newDesk(t *testing.T, change ...func(*Options)) *desk {
	t.Helper()
	e := &fakeEngine{}
	e.snap.Store(fixedSnapshot())
	o := options(e).withDefaults()
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	run := newSupervisor(ctx, o)
	d := &desk{t: t, e: e, run: run, m: newModel(o, run, nil)}
	t.Cleanup(func() {
		cancel()
		run.mu.Lock()
		defer run.mu.Unlock()
		for _, j := range run.joins {
			<-j
		}
	})
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	if d.m.started {
		eventually(t, "an engine", func() bool { return run.snapshot() != nil || run.state() != nil })
		d.tick()
	}
	return d
}

// send gives the model messages and returns the last command.
func (d *desk) send(msgs ...tea.Msg) tea.Cmd {
	d.t.Helper()
	var cmd tea.Cmd
	for _, msg := range msgs {
		var next tea.Model
		next, cmd = d.m.Update(msg)
		d.m = next.(model)
	}
	return cmd
}

func (d *desk) tick() tea.Cmd { return d.send(tickMsg{d.m.ticks}) }

// press types keys by their names.
func (d *desk) press(names ...string) tea.Cmd {
	d.t.Helper()
	var cmd tea.Cmd
	for _, n := range names {
		cmd = d.send(keyMsg(n))
	}
	return cmd
}

// keyMsg is the message of a key by its name.
func keyMsg(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "shift+left": tea.KeyShiftLeft, "shift+right": tea.KeyShiftRight, "f1": tea.KeyF1,
		"ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "ctrl+l": tea.KeyCtrlL, "backspace": tea.KeyBackspace,
		"ctrl+n": tea.KeyCtrlN, "ctrl+p": tea.KeyCtrlP,
	}
	if k, ok := named[name]; ok {
		return tea.KeyMsg{Type: k}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// applied waits for n plans at the engine and returns the last.
func (d *desk) applied(n int) loadgen.Plan {
	d.t.Helper()
	eventually(d.t, "plans at the engine", func() bool { return len(d.e.got()) >= n })
	plans := d.e.got()
	if len(plans) != n {
		d.t.Fatalf("%d plans applied, want %d: %v", len(plans), n, plans)
	}
	return plans[n-1]
}

// lastNote is the newest line of the notes.
func (d *desk) lastNote() string {
	notes := d.m.live.scene().live().Notes
	if len(notes) == 0 {
		return ""
	}
	return notes[len(notes)-1].Text
}

func (d *desk) state() string {
	return d.m.live.scene().live().Header.State
}

// quits tells whether cmd, or a part of it, ends the program.
func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		for _, c := range msg {
			if quits(c) {
				return true
			}
		}
	}
	return false
}

func TestKnobKeys(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want func(p *loadgen.Plan)
	}{
		{"right: more clients", []string{"right"}, func(p *loadgen.Plan) { p.Clients = 100 }},
		{"l is right", []string{"l"}, func(p *loadgen.Plan) { p.Clients = 100 }},
		{"left: fewer clients", []string{"left"}, func(p *loadgen.Plan) { p.Clients = 20 }},
		{"h is left", []string{"h"}, func(p *loadgen.Plan) { p.Clients = 20 }},
		{"L: a decade of clients", []string{"L"}, func(p *loadgen.Plan) { p.Clients = 500 }},
		{"shift+right is L", []string{"shift+right"}, func(p *loadgen.Plan) { p.Clients = 500 }},
		{"H", []string{"H"}, func(p *loadgen.Plan) { p.Clients = 5 }},
		{"shift+left is H", []string{"shift+left"}, func(p *loadgen.Plan) { p.Clients = 5 }},
		{"tab: pipeline", []string{"tab", "l"}, func(p *loadgen.Plan) { p.Pipeline = 2 }},
		{"j is tab", []string{"j", "l"}, func(p *loadgen.Plan) { p.Pipeline = 2 }},
		{"down is tab", []string{"down", "L"}, func(p *loadgen.Plan) { p.Pipeline = 16 }},
		{"size", []string{"tab", "tab", "l"}, func(p *loadgen.Plan) { p.Workload.Payload = 128 }},
		{"shift+tab: window", []string{"shift+tab", "l"}, func(p *loadgen.Plan) { p.Window = 10 * time.Second }},
		{"rate, from max to 1M", []string{"k", "k", "k", "k", "k", "h"}, func(p *loadgen.Plan) { p.Rate = 1e6 }},
		{"k is shift+tab", []string{"k", "k", "k", "k", "shift+tab", "H"}, func(p *loadgen.Plan) { p.Rate = 2e5 }},
		{"up is shift+tab: keys", []string{"up", "up", "up", "up", "up", "up", "l"}, func(p *loadgen.Plan) { p.Workload.Keys.Size = 200_000 }},
		{"distribution", []string{"k", "k", "k", "k", "l"}, func(p *loadgen.Plan) { p.Workload.Keys.Dist.Name = "sequential" }},
		{"distribution, round", []string{"k", "k", "k", "k", "h"}, func(p *loadgen.Plan) { p.Workload.Keys.Dist = workload.Dist{Name: "gaussian", Shape: 1. / 6} }},
		{"batch", []string{"k", "k", "k", "l"}, func(p *loadgen.Plan) { p.Batch = workload.Multi }},
		{"batch, round", []string{"k", "k", "k", "H"}, func(p *loadgen.Plan) { p.Batch = workload.Unbatched }},
		{"rtt", []string{"k", "k", "l"}, func(p *loadgen.Plan) { p.RTT = 100 * time.Microsecond }},
		{"rtt, large step", []string{"k", "k", "L"}, func(p *loadgen.Plan) { p.RTT = 500 * time.Microsecond }},
		{"space", []string{" "}, func(p *loadgen.Plan) { p.Paused = true }},
		{"r: the same plan again", []string{"r"}, func(*loadgen.Plan) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			d.press(c.keys...)
			want := firstPlan()
			c.want(&want)
			if got := d.applied(1); !reflect.DeepEqual(got, want) {
				t.Errorf("%v applied, want %v", got, want)
			}
			if !reflect.DeepEqual(d.m.live.plan, want) {
				t.Errorf("the screen shows %v, want %v", d.m.live.plan, want)
			}
		})
	}
}

func TestCommandKnobWalksTheCatalogue(t *testing.T) {
	d := newDesk(t)
	d.press("tab", "tab", "tab", "l")
	if got := d.applied(1).Workload.Mix.String(); got != "get" {
		t.Errorf("after set comes %s, want get", got)
	}
	d.press("h", "h")
	if got := d.applied(3).Workload.Mix.String(); got != "ping_mbulk" {
		t.Errorf("before set comes %s, want ping_mbulk", got)
	}
	d.press("h", "h")
	if got := d.applied(5).Workload.Mix.String(); got != "xadd" {
		t.Errorf("before the first comes %s, want the last, xadd", got)
	}
}

func TestPressesAddUpBeforeTheEngineHasAnswered(t *testing.T) {
	block := make(chan struct{})
	d := newDesk(t)
	d.e.applied = func(loadgen.Plan) error { <-block; return nil }
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.press("l", "l", "l") // 50 > 100 > 200 > 500 clients
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("Update waited for Engine.Apply")
	}
	if d.m.live.plan.Clients != 500 {
		t.Errorf("the knob shows %d clients, want 500", d.m.live.plan.Clients)
	}
	close(block)
	if got := d.applied(3).Clients; got != 500 {
		t.Errorf("%d clients applied, want 500", got)
	}
}

func TestRefusedPlanIsNotedAndTakenBack(t *testing.T) {
	d := newDesk(t)
	d.e.applied = func(loadgen.Plan) error { return errRefused }
	d.press("l")
	if d.m.live.plan.Clients != 100 {
		t.Fatalf("the knob shows %d clients, want 100 at once", d.m.live.plan.Clients)
	}
	eventually(t, "the refusal", func() bool { d.tick(); return d.m.live.plan.Clients == 50 })
	if got := d.lastNote(); !strings.Contains(got, errRefused.Error()) {
		t.Errorf("note %q does not say why", got)
	}
}

func TestNoChangeAtTheEndOfALadder(t *testing.T) {
	d := newDesk(t)
	d.press("tab", "h", "r") // pipeline is 1 already: only r reaches the engine
	if got := d.applied(1); got.Pipeline != 1 {
		t.Errorf("pipeline %d", got.Pipeline)
	}
}

func TestKeysOfOneReadAreSplit(t *testing.T) {
	d := newDesk(t)
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("llll")})
	if got := d.applied(4).Clients; got != 1000 {
		t.Errorf("llll gives %d clients, want 1000", got)
	}
}

func TestPasteIsNotKeys(t *testing.T) {
	d := newDesk(t)
	cmd := d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("qlw"), Paste: true}, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q"), Paste: true})
	if quits(cmd) || len(d.e.got()) != 0 || d.m.live.plan.Clients != 50 {
		t.Error("a paste was taken for keys")
	}
}

func TestArrowSplitAcrossReads(t *testing.T) {
	d := newDesk(t)
	before := d.m.live.hertz
	d.press("esc", "[C") // right
	if got := d.applied(1).Clients; got != 100 {
		t.Errorf("esc [C gives %d clients, want 100", got)
	}
	d.press("esc", "[Cl")
	if got := d.applied(3).Clients; got != 500 {
		t.Errorf("esc [Cl gives %d clients, want 500", got)
	}
	if d.m.live.hertz != before || d.m.exit != staying {
		t.Error("the pieces of an arrow key did something else")
	}
}

// The same arrow while a value is typed or the help is open was never meant for a
// knob: esc has closed what it was for, and the rest of it does nothing.
func TestArrowSplitAcrossReadsWhileSomethingIsOpen(t *testing.T) {
	for _, opens := range []string{"enter", "?"} {
		d := newDesk(t)
		before := d.m.live.hertz
		d.press(opens, "esc", "[C")
		if len(d.e.got()) != 0 || d.m.live.plan.Clients != 50 || d.m.live.hertz != before {
			t.Errorf("after %s, the rest of an arrow key turned a knob", opens)
		}
		d.press("l")
		if got := d.applied(1).Clients; got != 100 {
			t.Errorf("after %s, keys no longer work: %d clients", opens, got)
		}
	}
}

func TestBareEscNeverQuitsOrStops(t *testing.T) {
	d := newDesk(t)
	for range 3 {
		if quits(d.press("esc")) || d.run.ctx.Err() != nil || d.m.live.plan.Paused {
			t.Fatal("esc quit or stopped")
		}
	}
	d.press("?", "esc")
	if d.m.helping {
		t.Error("esc did not close the help")
	}
	d.press("enter", "7", "esc")
	if d.m.live.edit != nil || d.m.live.plan.Clients != 50 {
		t.Error("esc did not cancel the text field")
	}
}

func TestTypingAValue(t *testing.T) {
	for _, c := range []struct {
		knob int
		text string
		ok   bool
		want string // value shown afterwards, or a part of the reason
	}{
		{0, "37", true, "37"}, {0, "1k", true, "1k"}, {0, "0", false, "1 to 100000"}, {0, "abc", false, "not a number"}, {0, "-5", false, "not a number"}, {0, "", false, "not a number"},
		{1, "48", true, "48"}, {1, "200k", false, "out of range"}, {1, "1.5", false, "not a whole number"},
		{2, "4k", true, "4 KB"}, {2, "1MB", true, "1 MB"}, {2, "100", true, "100 B"}, {2, "1G", false, "out of range"}, {2, "0", false, "out of range"},
		{2, "10-4k", true, "10-4k"}, {2, "64:80, 1k:15", true, "64:80,1k:15"}, {2, "4k-10", false, "the smaller one comes first"}, {2, "64:x", false, "a weight is a whole number"}, {2, "-5", false, "not a number"},
		{4, "5M", true, "5M"}, {4, "1", true, "1"}, {4, "2T", false, "not a number"},
		{6, "zipf:0.99", true, "zipf:0.99"}, {6, "ZIPF", true, "zipf"}, {6, "zip", false, "did you mean zipf"}, {6, "zipf:9", false, "0 to 5"}, {6, "", false, "it takes uniform"},
		{7, "multi", true, "multi"}, {7, "exec", false, "pipeline, multi, none"}, {9, "20s", true, "20 s"}, {9, "99", false, "out of range"},
		{8, "1ms", true, "1 ms sim"}, {8, "0.5", true, "0.5 ms sim"}, {8, "200us", true, "0.2 ms sim"}, {8, "real", true, "real"}, {8, "0", true, "real"}, {8, "11s", false, "out of range"}, {8, "-1", false, "out of range"}, {8, "slow", false, "not a time"},
		{5, "20k", true, "20k"}, {5, "max", true, "max"}, {5, "123456", true, "123456"}, {5, "NaN", false, "not a number"}, {5, "1e5", false, "not a number"},
	} {
		t.Run(knobs()[c.knob].name+" "+c.text, func(t *testing.T) {
			d := newDesk(t)
			for range c.knob {
				d.press("tab")
			}
			old := d.m.live.focused().value(d.m.live.plan)
			d.press("enter")
			if c.text != "" {
				d.send(keyMsg(c.text)) // in one read, as a paste would be
			}
			d.press("enter")
			shows := d.m.live.focused().value(d.m.live.plan)
			if c.ok {
				if d.m.live.edit != nil || shows != c.want {
					t.Errorf("%q shows %q, want %q", c.text, shows, c.want)
				}
				return
			}
			if d.m.live.edit == nil || shows != old {
				t.Fatalf("%q was accepted as %q", c.text, shows)
			}
			if why := d.m.live.edit.view().Error; !strings.Contains(why, c.want) {
				t.Errorf("%q refused with %q, want %q in it", c.text, why, c.want)
			}
			d.press("9")
			if why := d.m.live.edit.view().Error; why != "" {
				t.Errorf("the reason %q stays while typing goes on", why)
			}
		})
	}
}

func TestOnlyEnterEscAndCtrlCAreSpecialWhileTyping(t *testing.T) {
	d := newDesk(t)
	d.press("enter")
	if cmd := d.press("q", "?", " ", "f", "tab", "ctrl+z", "ctrl+l"); quits(cmd) || d.m.helping || d.m.live.frozen || d.m.leaving {
		t.Fatal("text was taken for commands")
	}
	if got := d.m.live.edit.view().Text; got != "q? f" {
		t.Errorf("typed text is %q, want %q", got, "q? f")
	}
	if got := d.m.live.edit.view().Cursor; got != 4 {
		t.Errorf("cursor at %d, want 4", got)
	}
	if !quits(d.press("ctrl+c")) {
		t.Error("ctrl+c does not work while typing")
	}
}
