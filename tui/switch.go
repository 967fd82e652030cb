package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
)

// Between the live screen and the comparison, and out to the shell for a while.

// sides makes two arms out of the present setting, on the present server.
func (m model) sides() []experiment.Arm {
	one := armOf(m.live.plan, m.run.place())
	return []experiment.Arm{one, one}
}

// armOf is an arm of the live run's plan on its server, for as long as rounds take.
func armOf(p loadgen.Plan, at experiment.Place) experiment.Arm {
	p.Paused, p.Requests, p.Duration = false, 0, 0
	p.Prefill = loadgen.Prefill{} // what it wrote is there
	return experiment.Arm{Plan: p, Place: at}
}

// contend shows a comparison of arms and begins it. The live run keeps its
// connections and holds still.
func (m model) contend(arms []experiment.Arm) model {
	m.live.leaves, m.live.proving, m.live.proof = false, false, ""
	m.run.compare(arms, m.live.plan)
	o := m.first
	o.Facts, o.Comparison.Cases = m.live.facts, o.Comparison.cases(arms)
	hertz := m.live.hertz
	m.compare, m.comparing = newCompare(o, m.run, m.keys, arms), true
	m.compare.hertz = hertz
	return m
}

// goLive leaves the comparison, which ends. The live run goes on with the setting of
// the side in focus, on its server, unless the user had paused it.
func (m model) goLive() model {
	arm := m.compare.arm()
	arm.Plan.Paused = m.live.plan.Paused
	arm.Plan.Requests, arm.Plan.Duration = m.live.plan.Requests, m.live.plan.Duration
	letter, hertz := m.compare.letter(m.compare.side), m.compare.hertz
	first := m.run.run() == nil
	elsewhere := m.run.back(arm)
	m.comparing, m.compare = false, compare{}
	changes := m.live.plan.Changes(arm.Plan)
	if elsewhere {
		m.live = m.live.moved(arm.Place)
		m.live.save = m.first.saveOn(arm.Place)
	}
	m.live.plan, m.live.hertz = arm.Plan, hertz
	m = m.look()
	switch {
	case elsewhere && !first:
		m.live = m.live.note(false, "live with the setting of "+letter+", on "+arm.Place.Target.String())
	case first || changes == "":
		m.live = m.live.note(false, "live with the setting of "+letter)
	default:
		m.live = m.live.note(false, "live with the setting of "+letter+": "+changes)
	}
	return m
}

// moved is the live screen for a new run, which may be on another server.
func (l live) moved(to experiment.Place) live {
	l.fast, l.slow, l.baseline, l.from, l.over, l.fate = nil, nil, nil, 0, false, nil
	l.told, l.proof = told{}, ""
	if f := factsOf(to); f.Target != "" {
		f.Banner = l.facts.Banner
		if f.Target != l.facts.Target {
			l.facts = f
		}
	}
	return l
}

// suspend pauses the load before the process is stopped, so that the stop is in
// no histogram (C45).
func (m model) suspend() (model, tea.Cmd) {
	if m.leaving {
		return m, nil
	}
	m.leaving = true
	switch {
	case !m.started || m.paused():
	case m.comparing && !m.compare.over, !m.comparing && !m.live.over:
		m.held = true
		m = m.togglePause()
	}
	return m, m.suspendWhenPaused(0)
}

// paused tells whether the user has the load of the screen that shows held.
func (m model) paused() bool {
	if m.comparing {
		return m.compare.set.Paused
	}
	return m.live.plan.Paused
}

func (m model) togglePause() model {
	if m.comparing {
		m.compare = m.compare.change(func(s *experiment.Settings) { s.Paused = !s.Paused })
	} else {
		m.live = m.live.togglePause()
	}
	return m
}

// An engine needs a batch's time to pause; a stuck one is not waited for.
const (
	settleStep  = 20 * time.Millisecond
	settleTries = 25
)

// suspendWhenPaused suspends once no load is running, or asks again a little later.
func (m model) suspendWhenPaused(tries int) tea.Cmd {
	if !m.held || m.quiet() || tries >= settleTries {
		return tea.Exec(&suspension{quit: m.run.ctx.Done()}, func(err error) tea.Msg { return resumedMsg{err} })
	}
	return tea.Tick(settleStep, func(time.Time) tea.Msg { return settleMsg{tries + 1} })
}

// quiet tells whether the run of the screen that shows sends nothing. The other one
// does not anyway.
func (m model) quiet() bool {
	if m.comparing {
		s := m.run.state()
		return s == nil || quiet(s.Phase)
	}
	s := m.run.snapshot()
	return s == nil || s.State == stats.Paused || s.State == stats.Done
}

// resume goes on as before the suspension.
func (m model) resume(err error) model {
	m.leaving = false
	if m.held && m.paused() {
		m = m.togglePause()
	}
	m.held = false
	if err == nil {
		return m
	}
	if m.comparing {
		m.compare = m.compare.note(true, err.Error())
	} else {
		m.live = m.live.note(true, err.Error())
	}
	return m
}
