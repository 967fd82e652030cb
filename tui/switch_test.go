package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// pausing has an engine publish that it holds still, or runs again, as it is told.
func pausing(e *fakeEngine, p loadgen.Plan) {
	s := *e.snap.Load()
	s.State = stats.Measuring
	if p.Paused {
		s.State = stats.Paused
	}
	e.snap.Store(&s)
}

// liveBout is a live screen that can compare, with the engine's and the contest's
// fakes.
func liveBout(t *testing.T, change ...func(*Options)) (*desk, *fakeContest) {
	c := &fakeContest{}
	d := newDesk(t, append([]func(*Options){comparing(c, 12)}, change...)...)
	d.e.onApply = pausing
	return d, c
}

// TestThereAndBack is the way of most users: two sides of the present setting, one of
// them changed, and back with it.
func TestThereAndBack(t *testing.T) {
	d, contest := liveBout(t)
	d.press("tab", "l") // pipeline 2
	d.applied(1)
	d.press("c")
	if !d.m.comparing || !d.applied(2).Paused {
		t.Fatal("c does not hold the live run")
	}
	eventually(t, "a comparison", func() bool { return d.run.state() != nil })
	if len(contest.arms) != 2 || contest.arms[0].Plan.Pipeline != 2 || contest.arms[1].Plan.Pipeline != 2 || contest.arms[0].Plan.Paused {
		t.Errorf("arms %+v", contest.arms)
	}
	if contest.arms[1].Place.Target != place().Target || len(contest.cases) != 1 || contest.cases[0].Mix != nil {
		t.Errorf("at %v in %d cases", contest.arms[1].Place, len(contest.cases))
	}
	d.press("2", "tab", "l", "l", "l")
	if got := settings(t, contest, 3); got.Plans[1].Pipeline != 16 || got.Plans[0].Pipeline != 2 {
		t.Fatalf("plans %v", got.Plans)
	}
	d.press("c")
	if d.m.comparing {
		t.Fatal("c does not go back")
	}
	if p := d.applied(3); p.Paused || p.Pipeline != 16 {
		t.Errorf("the live run goes on with %v, paused %v", p, p.Paused)
	}
	if d.lastNote() != "live with the setting of B: pipeline 2 > 16" || d.m.live.plan.Pipeline != 16 {
		t.Errorf("note %q", d.lastNote())
	}
	d.press("q")
	out, err := d.run.wait(nil)
	if err != nil || !out.Live || len(out.Comparisons) != 1 {
		t.Errorf("outcome live %v, %d comparisons, %v", out.Live, len(out.Comparisons), err)
	}
}

// TestTheLoadsNeverOverlap holds that a comparison begins when the live run rests,
// and that the live run goes on when the comparison has ended.
func TestTheLoadsNeverOverlap(t *testing.T) {
	d, contest := liveBout(t)
	d.e.onApply = nil // it does not rest at once
	ended := make(chan struct{})
	contest.running = func(ctx context.Context) (*experiment.State, error) {
		<-ctx.Done()
		<-ended
		return contest.snap.Load(), nil
	}
	d.press("c")
	d.applied(1)
	time.Sleep(5 * settleStep)
	if d.run.state() != nil {
		t.Error("the comparison began before the live run was at rest")
	}
	pausing(d.e, loadgen.Plan{Paused: true})
	eventually(t, "a comparison", func() bool { return d.run.state() != nil })
	d.press("c", "l", "l") // knobs turned meanwhile count
	time.Sleep(2 * settleStep)
	if n := len(d.e.got()); n != 1 {
		t.Errorf("the live run went on before the comparison had ended: %d plans", n)
	}
	close(ended)
	if p := d.applied(2); p.Clients != 200 || p.Paused {
		t.Errorf("it goes on with %v", p)
	}
}

func TestThereAndBackAndThereAtOnce(t *testing.T) {
	d, contest := liveBout(t)
	hold := make(chan struct{})
	contest.running = func(ctx context.Context) (*experiment.State, error) {
		<-ctx.Done()
		<-hold
		return contest.snap.Load(), nil
	}
	d.press("c")
	eventually(t, "a comparison", func() bool { return d.run.state() != nil })
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("cc2")})
	close(hold)
	eventually(t, "the second comparison", func() bool { return d.run.state() != nil })
	if !d.m.comparing {
		t.Error("the live screen shows")
	}
	for _, p := range d.e.got() {
		if !p.Paused {
			t.Error("the live run went on between two comparisons")
		}
	}
	d.press("q")
	if out, err := d.run.wait(nil); err != nil || len(out.Comparisons) != 2 {
		t.Errorf("%d comparisons, %v", len(out.Comparisons), err)
	}
}

func TestAPauseOfTheUsersIsKept(t *testing.T) {
	d, _ := liveBout(t)
	d.press(" ", "c")
	eventually(t, "a comparison", func() bool { return d.run.state() != nil })
	d.press("c")
	if !d.applied(3).Paused || !d.m.live.plan.Paused {
		t.Error("the comparison lifted the user's pause")
	}
}

// TestACommandLineComparisonGoesLive holds that the live run begins with the arm in
// focus, on its server.
func TestACommandLineComparisonGoesLive(t *testing.T) {
	arms := armsOf(1, 16)
	arms[1].Place.Target = target.TCP("10.0.0.7", 7000)
	e := &fakeEngine{}
	e.snap.Store(fixedSnapshot())
	var on experiment.Arm
	d, _ := newBout(t, arms, func(o *Options) {
		o.Comparison.Live = func(a experiment.Arm) Engine { on = a; return e }
	})
	if d.run.snapshot() != nil {
		t.Fatal("a live run began beside the comparison")
	}
	d.press("c")
	eventually(t, "a live run", func() bool { return d.run.snapshot() != nil })
	if on.Plan.Pipeline != 16 || on.Place.Target.Address != "10.0.0.7:7000" {
		t.Errorf("live with %v on %v", on.Plan, on.Place.Target)
	}
	d.tick()
	if h := d.m.live.scene().live().Header; h.Target != "10.0.0.7:7000" || h.State != "RUN" {
		t.Errorf("header %+v", h)
	}
	// From there two sides are made on that server, and the other one is not asked.
	d.press("c")
	eventually(t, "a comparison", func() bool { return d.run.state() != nil })
	if arms := d.m.compare.arms; len(arms) != 2 || arms[0].Place.Target != on.Place.Target || arms[0].Plan.Pipeline != 16 {
		t.Errorf("arms %+v", arms)
	}
}

// TestLiveMovesToAnotherServer holds that the old live run is ended first.
func TestLiveMovesToAnotherServer(t *testing.T) {
	arms := armsOf(1, 16)
	arms[1].Place.Target = target.TCP("10.0.0.7", 7000)
	var engines []*fakeEngine
	d, _ := newBout(t, arms, func(o *Options) {
		o.Comparison.Live = func(experiment.Arm) Engine {
			e := &fakeEngine{onApply: pausing}
			e.snap.Store(fixedSnapshot())
			engines = append(engines, e)
			return e
		}
	})
	d.press("1", "c")
	eventually(t, "a live run", func() bool { return d.run.snapshot() != nil })
	first := d.run.run()
	// A comparison of arms given is not made twice; this one has the arms of before.
	d.m = d.m.contend(arms)
	eventually(t, "a comparison", func() bool { return d.run.state() != nil })
	d.press("2", "c")
	eventually(t, "another live run", func() bool { return d.run.run() != first && d.run.snapshot() != nil })
	if _, over := first.ended(); !over {
		t.Error("the first live run goes on")
	}
	if d.lastNote() != "live with the setting of B, on 10.0.0.7:7000" {
		t.Errorf("note %q", d.lastNote())
	}
	if len(engines) != 2 {
		t.Errorf("%d engines", len(engines))
	}
}

func TestNoComparisonWithoutAStart(t *testing.T) {
	d := newDesk(t)
	if d.press("c"); d.m.comparing {
		t.Error("a screen that cannot compare compares")
	}
	for _, k := range d.m.keys.liveLine(d.m.live) {
		if k.Does == "compare" {
			t.Error("the key line offers it")
		}
	}
	d, _ = liveBout(t)
	d.m.live = d.m.live.finish(nil)
	if d.press("c"); d.m.comparing || !strings.Contains(d.lastNote(), "has ended") {
		t.Errorf("after the end of the run: %q", d.lastNote())
	}
}

func TestConsentBeforeAComparison(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 16), func(o *Options) { o.NeedsConsent = true })
	if d.m.started || contest.arms != nil {
		t.Fatal("a comparison was started without consent")
	}
	d.send(d.press("enter")())
	eventually(t, "a comparison", func() bool { return d.run.state() != nil })
	if !d.m.comparing {
		t.Error("another screen shows")
	}
}

func TestSuspendPausesTheComparison(t *testing.T) {
	d, contest := newBout(t, armsOf(1, 16))
	cmd := d.press("ctrl+z")
	if !settings(t, contest, 1).Paused {
		t.Fatal("ctrl+z does not pause")
	}
	if msg, ok := cmd().(settleMsg); !ok || msg.tries != 1 {
		t.Fatalf("the comparison still runs, and the suspension does not wait: %v", msg)
	}
	paused := *contest.snap.Load()
	paused.Phase = experiment.Paused
	contest.snap.Store(&paused)
	if _, waits := d.send(settleMsg{1})().(settleMsg); waits {
		t.Error("the comparison has paused, and the suspension still waits")
	}
	d.send(resumedMsg{errNoShell})
	if settings(t, contest, 2).Paused || d.m.leaving || d.told() != errNoShell.Error() {
		t.Errorf("afterwards: %q", d.told())
	}
}

func TestAStuckComparisonIsLeftBehind(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	d, contest := newBout(t, armsOf(1, 16))
	_ = contest
	d.press("c") // ends it
	d2, stuck := liveBout(t)
	stuck.running = func(context.Context) (*experiment.State, error) { <-hold; return nil, nil }
	d2.press("c")
	eventually(t, "a comparison", func() bool { return d2.run.state() != nil })
	start := time.Now()
	d2.press("q")
	out, err := d2.run.wait(nil)
	if !errors.Is(err, ErrStuck) || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if len(out.Comparisons) != 1 || len(out.Comparisons[0].Results) != 1 {
		t.Error("what was measured is lost")
	}
}
