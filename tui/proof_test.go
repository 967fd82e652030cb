package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen/experiment"
	"fullbore/views"
)

// prover stands in for the proof of an engine: it ends when it is told to.
type prover struct {
	asked   chan experiment.Arm
	verdict chan string
}

func proving(p *prover) func(*Options) {
	return func(o *Options) {
		o.Prove = func(ctx context.Context, a experiment.Arm) (string, error) {
			p.asked <- a
			select {
			case v := <-p.verdict:
				if v == "" {
					return "", errors.New("no server")
				}
				return v, nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
	}
}

func newProof(t *testing.T) (*desk, *prover) {
	p := &prover{asked: make(chan experiment.Arm, 9), verdict: make(chan string, 1)}
	d := newDesk(t, proving(p))
	d.e.onApply = pausing
	return d, p
}

func (d *desk) ticksUntil(what string, ok func() bool) {
	d.t.Helper()
	eventually(d.t, what, func() bool { d.tick(); return ok() })
}

func TestProof(t *testing.T) {
	d, p := newProof(t)
	d.press("p")
	if d.state() != "PROVING" || !strings.HasPrefix(d.lastNote(), "proof under way") {
		t.Errorf("state %s, note %q", d.state(), d.lastNote())
	}
	arm := <-p.asked
	if arm.Plan.Changes(firstPlan()) != "" || arm.Plan.Paused {
		t.Errorf("asked about %s", arm.Plan)
	}
	if plans := d.e.got(); len(plans) != 1 || !plans[0].Paused {
		t.Errorf("the live run does not rest meanwhile: %v", plans)
	}
	p.verdict <- "client-bound: twice the threads gave x 1.83"
	d.ticksUntil("a verdict", func() bool { return !d.m.live.proving })
	if d.lastNote() != "proof: client-bound: twice the threads gave x 1.83" {
		t.Errorf("note %q", d.lastNote())
	}
	if d.applied(2).Paused {
		t.Error("the live run does not go on")
	}
	if v := d.m.live.scene().page(); v.Proof != d.lastNote() {
		t.Errorf("the page says %q", v.Proof)
	}
	d.press("p")
	<-p.asked
	p.verdict <- ""
	d.ticksUntil("a failure", func() bool { return !d.m.live.proving })
	if d.lastNote() != "not proven: no server" || d.m.live.proof != "" {
		t.Errorf("note %q, proof %q", d.lastNote(), d.m.live.proof)
	}
}

func TestProofIsGivenUp(t *testing.T) {
	for _, key := range []string{"p", "l", " "} {
		d, p := newProof(t)
		d.press("p")
		<-p.asked
		d.press(key)
		d.ticksUntil("the end of the proof", func() bool { return !d.m.live.proving })
		last := d.applied(2)
		if got := last.Clients; (key == "l") != (got == 100) || last.Paused != (key == " ") {
			t.Errorf("after %q the run goes on with %s, paused %v", key, last, last.Paused)
		}
		if d.lastNote() != "proof given up" {
			t.Errorf("after %q: note %q", key, d.lastNote())
		}
	}
}

func TestNoProofOfNothing(t *testing.T) {
	d := newDesk(t)
	d.press("p")
	if d.m.live.proving || len(d.e.got()) != 0 {
		t.Error("p does something without a proof")
	}
	for _, g := range d.m.keys.help(false).Groups {
		for _, k := range g.Keys {
			if k.Keys == "p" || k.Does == "start the load" {
				t.Errorf("the help of a running load lists %+v", k)
			}
		}
	}
	proven, p := newProof(t)
	proven.press(" ", "p")
	if proven.m.live.proving || len(p.asked) > 0 {
		t.Error("a proof of a paused load")
	}
	hasKey := false
	for _, k := range proven.m.keys.liveLine(proven.m.live) {
		hasKey = hasKey || k == views.Key{Keys: "p", Does: "prove limiter"}
	}
	if !hasKey {
		t.Error("the key line leaves p out")
	}
}

func TestAPanicOfAProofEndsTheProgram(t *testing.T) {
	d := newDesk(t, func(o *Options) {
		o.Prove = func(context.Context, experiment.Arm) (string, error) { panic("broken") }
	})
	d.e.onApply = pausing
	d.press("p")
	eventually(t, "the panic", func() bool { return d.run.panicked() != nil })
	if !quits(d.tick()) {
		t.Error("the program goes on")
	}
}

func TestAComparisonEndsAProof(t *testing.T) {
	p := &prover{asked: make(chan experiment.Arm, 9), verdict: make(chan string, 1)}
	d, c := liveBout(t, proving(p))
	d.press("p")
	<-p.asked
	d.press("c")
	eventually(t, "a comparison", func() bool { return d.run.state() != nil })
	if d.m.live.proving || !d.m.comparing {
		t.Error("the proof goes on beside the comparison")
	}
	d.press("c")
	d.ticksUntil("the live screen", func() bool { return !d.m.comparing })
	_ = c
	eventually(t, "the live run", func() bool {
		plans := d.e.got()
		return !plans[len(plans)-1].Paused
	})
}

func TestPageKeys(t *testing.T) {
	d := newDesk(t, insightOf())
	d.press("v")
	if !strings.Contains(d.m.View(), "both ends") {
		t.Fatalf("v does not show the page:\n%s", d.m.View())
	}
	focus := d.m.live.focused().name
	d.press("tab", "l", "L", "enter", "s", "t", "c", "y")
	if len(d.e.got()) != 0 || d.m.live.focused().name != focus || d.m.live.baseline != nil || d.m.comparing {
		t.Error("a knob is turned unseen")
	}
	d.press("+")
	if span := d.m.live.scene().page().Span; span.Minutes() != 1 {
		t.Errorf("span %v after +", span)
	}
	d.press(" ")
	if !d.applied(1).Paused {
		t.Error("space does not pause on the page")
	}
	if d.press("?"); !strings.Contains(d.m.View(), "server page, and back") {
		t.Error("the help does not name the page")
	}
	if d.press("esc"); d.m.helping || !d.m.live.paging {
		t.Error("esc closes more than the help")
	}
	if d.press("esc"); d.m.live.paging || d.m.exit != staying {
		t.Error("esc does not close the page")
	}
	d.press("v", "v")
	if d.m.live.paging {
		t.Error("a second v does not close the page")
	}
	// An arrow key in two reads, of which the first closes the page, turns nothing.
	d.press("v")
	d.send(tea.KeyMsg{Type: tea.KeyEscape}, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("[C")})
	if d.m.live.paging || len(d.e.got()) != 1 {
		t.Error("the rest of an arrow key reached a knob")
	}
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 40}, {200, 60}, {40, 10}} {
		d.press("v")
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		fits(t, d.m.View(), size[0], size[1])
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.press("v")
	}
}
