package tui

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

func TestDisplayKeys(t *testing.T) {
	d := newDesk(t)
	spans := []time.Duration{}
	for range 5 {
		d.press("+")
		spans = append(spans, d.m.live.span)
	}
	if want := []time.Duration{time.Minute, 30 * time.Second, 10 * time.Second, 10 * time.Second, 10 * time.Second}; !reflect.DeepEqual(spans, want) {
		t.Errorf("zooming in: %v, want %v", spans, want)
	}
	for range 12 {
		d.press("-")
	}
	if d.m.live.span != time.Hour {
		t.Errorf("zooming out ends at %v, want 1h", d.m.live.span)
	}
	d.press("=")
	if d.m.live.span != 30*time.Minute {
		t.Errorf("= is not +: %v", d.m.live.span)
	}
	if d.m.live.scale != views.ScaleZero {
		t.Error("the first axis does not begin at zero")
	}
	d.press("y")
	if d.m.live.scale != views.ScaleAuto {
		t.Error("y does not look closer")
	}
	d.press("y")
	if d.m.live.scale != views.ScaleZero {
		t.Error("y does not come round")
	}
	column := func() string { return d.m.live.scene().live().Table.Columns[0] }
	if column() != "last 5s" {
		t.Errorf("first column %q", column())
	}
	if d.press("t"); column() != "whole run" {
		t.Errorf("after t: %q", column())
	}
	if d.press("t"); column() != "last 5s" {
		t.Errorf("after tt: %q", column())
	}
	if len(d.e.got()) != 0 {
		t.Error("a display key reached the engine")
	}
}

func TestDataRate(t *testing.T) {
	d := newDesk(t)
	var got []int
	for _, k := range []string{"]", "]", "[", "[", "[", "["} {
		late := tickMsg{d.m.ticks}
		was := d.m.live.hertz
		d.press(k)
		got = append(got, d.m.live.hertz)
		if cmd := d.send(late); d.m.live.hertz != was && cmd != nil {
			t.Errorf("a tick of the old rate went on")
		}
	}
	if want := []int{10, 10, 4, 2, 1, 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("rates %v, want %v", got, want)
	}
	if d.m.interval() != time.Second {
		t.Errorf("interval %v at 1 Hz", d.m.interval())
	}
}

func TestFocusLossMeansOneTickASecond(t *testing.T) {
	d := newDesk(t)
	old := tickMsg{d.m.ticks}
	if cmd := d.send(tea.BlurMsg{}); cmd == nil || d.m.interval() != time.Second {
		t.Fatalf("interval %v without focus, want 1s", d.m.interval())
	}
	if cmd := d.send(old); cmd != nil {
		t.Error("a late tick of the old rate started another")
	}
	if d.send(tea.BlurMsg{}) != nil {
		t.Error("the same news twice started a second run of ticks")
	}
	d.send(tea.FocusMsg{})
	if d.m.interval() != 250*time.Millisecond {
		t.Errorf("interval %v with focus, want 250ms", d.m.interval())
	}
}

func TestPausedAndFrozenAreSaid(t *testing.T) {
	d := newDesk(t)
	if d.state() != "RUN" {
		t.Errorf("state %s, want RUN", d.state())
	}
	if d.press(" "); d.state() != "PAUSED" {
		t.Errorf("state %s after space, want PAUSED at once", d.state())
	}
	if d.press(" "); d.state() != "RUN" || d.applied(2).Paused {
		t.Errorf("state %s after a second space, want RUN", d.state())
	}
	d.press("f")
	if d.state() != "FROZEN" {
		t.Errorf("state %s after f, want FROZEN", d.state())
	}
	frame := d.m.View()
	later := *fixedSnapshot()
	later.Elapsed += 9 * time.Second
	d.e.snap.Store(&later)
	if d.tick(); d.m.View() != frame {
		t.Error("a frozen display moved")
	}
	d.press("f")
	if d.state() != "RUN" || d.m.live.fast.Elapsed != later.Elapsed {
		t.Error("unfreezing does not show the latest at once")
	}
	if len(d.e.got()) != 2 {
		t.Error("freezing the display reached the load")
	}
}

func TestPausedLoadLeavesTheFrameAlone(t *testing.T) {
	d := newDesk(t)
	paused := *fixedSnapshot()
	paused.State = stats.Paused
	d.e.snap.Store(&paused)
	d.press(" ")
	d.tick()
	frame := d.m.View()
	for i := range 20 {
		next := paused
		next.Elapsed += time.Duration(i) * time.Second
		next.Points = append(next.Points[:len(next.Points):len(next.Points)], stats.Point{At: next.Elapsed, Span: time.Second, Paused: true})
		d.e.snap.Store(&next)
		if d.tick(); d.m.View() != frame {
			t.Fatalf("the frame changed while the load was paused")
		}
	}
	next := paused
	next.Notes = append(next.Notes, stats.Note{Text: "news"})
	d.e.snap.Store(&next)
	d.tick()
	d.tick() // tables follow at 2 Hz
	if len(d.m.live.slow.Notes) == 0 {
		t.Error("news during the pause are not shown")
	}
	next.Epoch++ // a knob was turned meanwhile
	d.e.snap.Store(&next)
	d.tick()
	if d.m.live.fast != &next {
		t.Error("a change during the pause is not shown")
	}
}

func TestTablesFollowAtTwoHertz(t *testing.T) {
	for _, c := range []struct{ hertz, every int }{{1, 1}, {2, 1}, {4, 2}, {10, 5}} {
		d := newDesk(t, func(o *Options) { o.Hertz = c.hertz })
		var changes int
		for i := range 20 {
			next := *fixedSnapshot()
			next.Elapsed += time.Duration(i+1) * 100 * time.Millisecond
			d.e.snap.Store(&next)
			before := d.m.live.slow
			d.tick()
			if d.m.live.fast != &next {
				t.Fatalf("%d Hz: the chart missed a tick", c.hertz)
			}
			if d.m.live.slow != before {
				changes++
			}
		}
		if changes != 20/c.every {
			t.Errorf("%d Hz: tables changed on %d of 20 ticks, want %d", c.hertz, changes, 20/c.every)
		}
	}
}

func TestBaseline(t *testing.T) {
	d := newDesk(t)
	table := func() views.Table { return d.m.live.scene().live().Table }
	d.press("s")
	if got := table(); got.Columns[2] != "baseline" || got.Rows[0].Times[2] != got.Rows[0].Times[1] {
		t.Errorf("with a baseline the last column is %q, %v", got.Columns[2], got.Rows[0])
	}
	if !strings.HasPrefix(d.lastNote(), "baseline: SET") && !strings.HasPrefix(d.lastNote(), "baseline: set") {
		t.Errorf("note %q", d.lastNote())
	}
	d.press("s")
	if got := table().Columns[2]; got != "before change" {
		t.Errorf("after a second s the last column is %q", got)
	}
}

func TestResetStartsTheChartAnew(t *testing.T) {
	d := newDesk(t)
	chart := func() int { return len(d.m.live.scene().live().Throughput.Samples) }
	if chart() == 0 {
		t.Fatal("no samples to begin with")
	}
	if d.press("r"); chart() != 0 {
		t.Errorf("%d samples are older than the reset", chart())
	}
}

func TestSaving(t *testing.T) {
	var saved *stats.Snapshot
	d := newDesk(t, func(o *Options) {
		o.Save = func(s *stats.Snapshot, p loadgen.Plan) (string, error) {
			if saved = s; p.Clients == 50 {
				return "out/run.json", nil
			}
			return "", errors.New("disk full")
		}
	})
	d.send(d.press("w")())
	if saved != d.run.snapshot() || d.lastNote() != "saved to out/run.json" {
		t.Errorf("note %q", d.lastNote())
	}
	d.press("l")
	d.send(d.press("w")())
	if d.lastNote() != "not saved: disk full" {
		t.Errorf("note %q", d.lastNote())
	}
}

func TestSavingIsFinishedOnTheWayOut(t *testing.T) {
	begun, finish, saved := make(chan struct{}), make(chan struct{}), make(chan struct{})
	d := newDesk(t, func(o *Options) {
		o.Save = func(*stats.Snapshot, loadgen.Plan) (string, error) {
			close(begun)
			<-finish
			return "x", nil
		}
	})
	cmd := d.press("w")
	go func() { cmd(); close(saved) }()
	<-begun
	d.press("q")
	d.run.finishSaving(time.Millisecond) // gives up on a slow disk
	close(finish)
	<-saved
	d.run.finishSaving(time.Minute)
	if msg := cmd().(savedMsg); msg.err == nil {
		t.Error("a save begins after the end")
	}
}

func TestPanicWhileSavingIsCaught(t *testing.T) {
	d := newDesk(t, func(o *Options) {
		o.Save = func(*stats.Snapshot, loadgen.Plan) (string, error) { panic("saving went wrong") }
	})
	if msg := d.press("w")(); msg != tea.Quit() {
		t.Errorf("message %v, want the end of the program", msg)
	}
	if p := d.run.panicked(); p == nil || p.Value != "saving went wrong" || !strings.Contains(string(p.Stack), "screen_test.go") {
		t.Errorf("panic kept as %v", p)
	}
}

func TestLeaving(t *testing.T) {
	for _, c := range []struct {
		key  string
		how  exit
		keep bool
	}{{"q", quitting, false}, {"Q", quitting, true}, {"ctrl+c", interrupted, false}} {
		d := newDesk(t)
		cmd := d.press(c.key)
		if !quits(cmd) || d.m.exit != c.how || d.m.keep != c.keep {
			t.Errorf("%s: exit %v, keep %v", c.key, d.m.exit, d.m.keep)
		}
		if d.run.ctx.Err() == nil {
			t.Errorf("%s does not stop the load at once", c.key)
		}
		frame := d.m.View()
		if d.send(tickMsg{d.m.ticks}, keyMsg("l")) != nil || d.m.View() != frame || d.m.live.plan.Clients != 50 {
			t.Errorf("%s: messages after the end still do something", c.key)
		}
	}
}

func TestCtrlCWorksInEveryMode(t *testing.T) {
	modes := map[string]func(*desk){
		"live": func(*desk) {}, "help": func(d *desk) { d.press("?") }, "typing": func(d *desk) { d.press("enter") },
		"too small": func(d *desk) { d.send(tea.WindowSizeMsg{Width: 10, Height: 3}) },
		"paused":    func(d *desk) { d.press(" ") }, "frozen": func(d *desk) { d.press("f") },
	}
	for name, enter := range modes {
		d := newDesk(t)
		enter(d)
		if !quits(d.press("ctrl+c")) || d.m.exit != interrupted {
			t.Errorf("%s: ctrl+c does not quit", name)
		}
	}
	d := newDesk(t, func(o *Options) { o.NeedsConsent = true })
	if !quits(d.press("ctrl+c")) {
		t.Error("card: ctrl+c does not quit")
	}
}

func TestConsent(t *testing.T) {
	ask := func(o *Options) { o.NeedsConsent = true }
	for _, k := range []string{"enter", "g"} {
		d := newDesk(t, ask)
		for _, other := range []string{"l", " ", "r", "w", "esc", "tab"} {
			d.press(other)
		}
		if d.m.started || d.run.snapshot() != nil {
			t.Fatal("a load was started without consent")
		}
		d.send(d.press(k)())
		if !d.m.started {
			t.Errorf("%s does not start the load", k)
		}
		eventually(t, "a run", func() bool { return d.run.snapshot() != nil })
	}
	d := newDesk(t, ask)
	d.press("q")
	if _, err := d.run.wait(nil); !errors.Is(err, ErrNotStarted) {
		t.Errorf("quitting on the card gives %v", err)
	}
	d = newDesk(t, ask)
	d.send(tea.WindowSizeMsg{Width: 40, Height: 10})
	if cmd := d.press("enter"); cmd != nil || d.m.started {
		t.Error("enter starts a load on a screen that shows no question")
	}
}

func TestTooSmallKeepsQAndSpace(t *testing.T) {
	d := newDesk(t)
	d.send(tea.WindowSizeMsg{Width: 52, Height: 14})
	d.press("l", "tab", "?", "enter", "r")
	if d.m.live.plan.Clients != 50 || d.m.live.focus != 0 || d.m.helping || d.m.live.edit != nil {
		t.Error("a knob was turned unseen")
	}
	if d.press(" "); !d.applied(1).Paused {
		t.Error("space does not pause")
	}
	if !quits(d.press("q")) {
		t.Error("q does not quit")
	}
}

func TestATextFieldThatNoLongerShowsIsClosed(t *testing.T) {
	d := newDesk(t)
	d.press("enter", "7")
	d.send(tea.WindowSizeMsg{Width: 40, Height: 10})
	if !quits(d.press("q")) {
		t.Error("q is typed into a field that nobody sees")
	}
}

func TestAResizeKeepsTheHistory(t *testing.T) {
	d := newDesk(t)
	frame := d.m.View()
	for _, s := range []tea.WindowSizeMsg{{Width: 1, Height: 1}, {Width: 400, Height: 100}, {Width: 80, Height: 24}} {
		d.send(s)
	}
	if d.m.View() != frame {
		t.Error("the screen is another one after a resize there and back")
	}
}

func TestSizes(t *testing.T) {
	d := newDesk(t, func(o *Options) { o.NeedsConsent = true })
	e := newDesk(t)
	fresh := newModel(e.m.first, e.run, nil)
	if fresh.View() != "" {
		t.Error("a frame was drawn before anybody knew the size")
	}
	next, _ := fresh.Update(tickMsg{0})
	if next.View() != "" {
		t.Error("a tick drew a frame before anybody knew the size")
	}
	for _, h := range []int{-1, 0, 1, 3, 10, 23, 24, 25, 39, 40, 41, 60, 100} {
		for _, w := range []int{-1, 0, 1, 10, 52, 79, 80, 81, 100, 119, 120, 121, 200, 400} {
			for _, k := range []string{"?", "esc", "enter", "esc"} {
				for _, x := range []*desk{d, e} {
					x.send(tea.WindowSizeMsg{Width: w, Height: h})
					x.tick()
					if k != "enter" || x == e {
						x.press(k)
					}
					fits(t, x.m.View(), w, h)
				}
			}
		}
	}
}

// TestEveryKnobIsReached holds that tab goes through all of them at any width, and
// that the one with the focus can be seen.
func TestEveryKnobIsReached(t *testing.T) {
	d := newDesk(t)
	for _, size := range []tea.WindowSizeMsg{{Width: 80, Height: 24}, {Width: 120, Height: 40}} {
		d.send(size)
		for range knobs() {
			k := d.m.live.focused()
			if screen := d.m.View(); !strings.Contains(screen, ">[ "+k.value(d.m.live.plan)+" ]<") || !strings.Contains(screen, k.name) {
				t.Errorf("%s has the focus at %d columns and is not seen:\n%s", k.name, size.Width, screen)
			}
			d.press("tab")
		}
		if d.m.live.focus != 0 {
			t.Errorf("tab does not come round: %d", d.m.live.focus)
		}
	}
	wide := strings.Split(d.m.View(), "\n")[2]
	if got := strings.Join(strings.Fields(wide), " "); got != "clients pipeline size command keys rate dist batch rtt window" {
		t.Errorf("at 120 columns: %s", got)
	}
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	narrow := strings.Split(d.m.View(), "\n")[1]
	if got := strings.Join(strings.Fields(narrow), " "); got != "clients pipeline size command keys rate >" {
		t.Errorf("at 80 columns: %s", got)
	}
}

func TestTheRunEndsByItself(t *testing.T) {
	end := make(chan error)
	d := newDesk(t, func(o *Options) {
		o.Start = func(loadgen.Plan) Engine {
			e := &fakeEngine{running: func(context.Context) (loadgen.Result, error) { return loadgen.Result{Setup: 7}, <-end }}
			e.snap.Store(fixedSnapshot())
			return e
		}
	})
	end <- nil
	eventually(t, "the end on the screen", func() bool { d.tick(); return d.m.live.over })
	if d.state() != "DONE" {
		t.Errorf("state %s, want DONE", d.state())
	}
	d.press("l", " ", "enter")
	if d.m.live.plan.Clients != 50 || d.m.live.plan.Paused || d.m.live.edit != nil {
		t.Error("knobs still turn after the end")
	}
	d.press("q")
	if r, err := d.run.wait(nil); err != nil || r.Setup != 7 {
		t.Errorf("result %v, %v", r, err)
	}
}

func TestTheRunFails(t *testing.T) {
	d := newDesk(t, func(o *Options) {
		o.Start = func(loadgen.Plan) Engine {
			e := &fakeEngine{running: func(context.Context) (loadgen.Result, error) { return loadgen.Result{}, errRefused }}
			e.snap.Store(fixedSnapshot())
			return e
		}
	})
	eventually(t, "the failure on the screen", func() bool { d.tick(); return d.state() == "FAILED" })
	if !strings.Contains(d.lastNote(), errRefused.Error()) {
		t.Errorf("note %q", d.lastNote())
	}
}

func TestAPanicOfTheRunEndsTheProgram(t *testing.T) {
	d := newDesk(t, func(o *Options) {
		o.Start = func(loadgen.Plan) Engine {
			e := &fakeEngine{running: func(context.Context) (loadgen.Result, error) { panic("worker broke") }}
			e.snap.Store(fixedSnapshot())
			return e
		}
	})
	<-d.run.run().done
	if d.m.exit == staying && !quits(d.tick()) {
		t.Fatal("the program goes on after a panic")
	}
	r, err := d.run.wait(nil)
	var p *PanicError
	if !errors.As(err, &p) || !strings.Contains(p.Error(), "worker broke") || !strings.Contains(p.Error(), "screen_test.go") {
		t.Errorf("error %v", err)
	}
	if !r.Partial || r.Total.Replies != 57_000_000 {
		t.Errorf("what was measured is lost: %+v", r.Total)
	}
}

func TestPanicInUpdateIsCaught(t *testing.T) {
	d := newDesk(t)
	d.m.live.pilot = nil // whatever a bug may be
	g := newGuarded(d.m)
	if _, cmd := g.Update(keyMsg("l")); !quits(cmd) || d.run.panicked() == nil || d.run.ctx.Err() == nil {
		t.Error("a panic in Update did not end the program in good order")
	}
	if g.View() != d.m.View() {
		t.Error("the last frame is lost")
	}
}

func TestAStuckRunIsLeftBehind(t *testing.T) {
	hold := make(chan struct{})
	d := newDesk(t, func(o *Options) {
		o.Start = func(loadgen.Plan) Engine {
			e := &fakeEngine{running: func(context.Context) (loadgen.Result, error) { <-hold; return loadgen.Result{}, nil }}
			e.snap.Store(fixedSnapshot())
			return e
		}
	})
	defer close(hold)
	start := time.Now()
	r, err := d.run.wait(nil)
	if !errors.Is(err, ErrStuck) || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if !r.Partial || len(r.Segments) != 2 || r.Elapsed != 102*time.Second {
		t.Errorf("the snapshot's figures are lost: %v segments, %v", len(r.Segments), r.Elapsed)
	}
	hurry := make(chan struct{})
	close(hurry)
	if _, err := d.run.wait(hurry); !errors.Is(err, ErrStuck) {
		t.Errorf("in a hurry: %v", err)
	}
}

func TestSuspendPausesFirst(t *testing.T) {
	d := newDesk(t)
	cmd := d.press("ctrl+z")
	if !d.applied(1).Paused {
		t.Fatal("ctrl+z does not pause the load")
	}
	if msg, ok := cmd().(settleMsg); !ok || msg.tries != 1 {
		t.Fatalf("the load still runs, and the suspension does not wait: %v", msg)
	}
	paused := *fixedSnapshot()
	paused.State = stats.Paused
	d.e.snap.Store(&paused)
	cmd = d.send(settleMsg{1})
	if _, waits := cmd().(settleMsg); waits {
		t.Error("the load has paused, and the suspension still waits")
	}
	if d.press("ctrl+z") != nil {
		t.Error("a second ctrl+z begins a second suspension")
	}
	d.send(resumedMsg{})
	if d.applied(2).Paused || d.m.leaving {
		t.Error("the load does not go on afterwards")
	}
}

func TestSuspendOfAPausedLoadLeavesItPaused(t *testing.T) {
	d := newDesk(t)
	d.press(" ", "ctrl+z")
	d.send(resumedMsg{errNoShell})
	if !d.applied(1).Paused || !d.m.live.plan.Paused {
		t.Error("the user's pause was lifted")
	}
	if d.lastNote() != errNoShell.Error() {
		t.Errorf("note %q", d.lastNote())
	}
}

func TestSuspendDoesNotWaitForAStuckLoad(t *testing.T) {
	d := newDesk(t)
	d.press("ctrl+z")
	if _, waits := d.send(settleMsg{settleTries})().(settleMsg); waits {
		t.Error("a stuck load holds up the suspension for ever")
	}
}

func TestHelpListsEveryBinding(t *testing.T) {
	keys := newKeyMap()
	help := map[views.Key]bool{}
	for _, comparing := range []bool{false, true} {
		for _, g := range keys.help(comparing).Groups {
			for _, k := range g.Keys {
				help[k] = true
			}
		}
	}
	v := reflect.ValueOf(keys)
	for i := range v.NumField() {
		b := v.Field(i).Interface().(key.Binding)
		if !help[views.Key{Keys: b.Help().Key, Does: b.Help().Desc}] {
			t.Errorf("%s is not in the help", v.Type().Field(i).Name)
		}
		reachable := false
		for _, name := range b.Keys() {
			// Escape sequences may arrive in pieces; these keys are single bytes.
			reachable = reachable || len(name) == 1 || strings.HasPrefix(name, "ctrl+") || name == "enter" || name == "tab" || name == "esc"
		}
		if !reachable {
			t.Errorf("%s cannot be reached without an escape sequence", v.Type().Field(i).Name)
		}
	}
}

func TestEveryKeyOfTheLiveScreenDoesSomething(t *testing.T) {
	bound := map[string]int{}
	for _, p := range newDesk(t).m.live.presses() {
		for _, k := range p.key.Keys() {
			bound[k]++
		}
	}
	k := newKeyMap()
	for _, g := range k.groups(false)[:3] {
		for _, b := range g.bindings {
			for _, name := range b.Keys() {
				if bound[name] != 1 && name != "ctrl+l" {
					t.Errorf("key %q is bound %d times", name, bound[name])
				}
			}
		}
	}
}

func TestKeyLineBeginsWithHelpAndQuit(t *testing.T) {
	d := newDesk(t)
	for _, line := range [][]views.Key{d.m.keys.liveLine(d.m.live), d.m.keys.cardLine()} {
		if line[0] != (views.Key{Keys: "?", Does: "help"}) || line[1] != (views.Key{Keys: "q", Does: "quit"}) {
			t.Errorf("line begins with %v", line[:2])
		}
	}
	has := func(does string) bool {
		for _, k := range d.m.keys.liveLine(d.m.live) {
			if k.Does == does {
				return true
			}
		}
		return false
	}
	if !has("pause") || has("resume") {
		t.Error("running: space should read pause")
	}
	d.press(" ")
	if has("pause") || !has("resume") {
		t.Error("paused: space should read resume")
	}
}

func TestViewIsCached(t *testing.T) {
	d := newDesk(t)
	frame := d.m.View()
	next := *fixedSnapshot()
	next.Elapsed += time.Minute
	d.e.snap.Store(&next)
	type unknown struct{}
	d.send(unknown{}, tea.MouseMsg{}, tickMsg{d.m.ticks - 1})
	if d.m.View() != frame {
		t.Error("the frame was rebuilt by a message that changes nothing")
	}
	if d.tick(); d.m.View() == frame {
		t.Error("the frame was not rebuilt by a tick")
	}
}
