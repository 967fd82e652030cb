package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/workload"
	"fullbore/views"
)

// panel is the knobs of a screen with their text field and picker. It is a value,
// and asks for nothing by itself: what was chosen is the screen's to apply.
type panel struct {
	keys     keyMap
	intrudes func(workload.Mix) []string // nil = there is nothing to lose
	table    []knob

	plan   loadgen.Plan // that the knobs stand for
	focus  int          // index into table
	edit   *edit
	picker *picker // in place of everything else; nil = closed
}

func newPanel(keys keyMap, intrudes func(workload.Mix) []string, p loadgen.Plan, table []knob) panel {
	return panel{keys: keys, intrudes: intrudes, table: table, plan: p}
}

// refocus moves the focus, round and round.
func (p panel) refocus(by int) panel {
	p.focus = around(p.focus+by, len(p.table))
	return p
}

func (p panel) focused() knob { return p.table[p.focus] }

// strip is the knobs with the values of a plan.
func (p panel) strip(of loadgen.Plan) []views.Knob {
	var strip []views.Knob
	for i, k := range p.table {
		strip = append(strip, views.Knob{Name: k.name, Value: k.value(of), Range: k.ranges, Focused: i == p.focus})
	}
	return strip
}

// turned is the plan with the focused knob moved; false at the end of its ladder,
// where nothing changes and no fresh segment begins.
func (p panel) turned(steps int, large bool) (loadgen.Plan, bool) {
	k := p.focused()
	if large {
		steps *= k.big
	}
	next := k.move(p.plan, steps)
	return next, k.value(next) != k.value(p.plan)
}

// open tells whether keys are text.
func (p panel) open() bool { return p.edit != nil || p.picker != nil }

// opened has the text field or the picker of the focused knob open.
func (p panel) opened() panel {
	if k := p.focused(); k.picks {
		p.picker = newPicker(p.keys, p.plan.Workload)
	} else {
		p.edit = newEdit(k)
	}
	return p
}

// closed gives up what is open.
func (p panel) closed() panel {
	p.edit, p.picker = nil, nil
	return p
}

// typed takes a key while something is open, where only enter and esc are special
// (ctrl+c never gets this far), and tells the plan that enter has chosen, if any.
func (p panel) typed(k tea.KeyMsg) (panel, *loadgen.Plan) {
	switch {
	case key.Matches(k, p.keys.Cancel):
		return p.closed(), nil
	case key.Matches(k, p.keys.Commit) && p.picker != nil:
		return p.choose()
	case key.Matches(k, p.keys.Commit):
		return p.commit()
	case p.picker != nil:
		p.picker = p.picker.update(k)
	default:
		p.edit = p.edit.typed(k)
	}
	return p, nil
}

// commit takes what the text field says. A value that is in force already is no
// choice.
func (p panel) commit() (panel, *loadgen.Plan) {
	k := p.edit.knob
	next, err := k.parse(p.plan, p.edit.field.Value())
	if err == nil {
		err = next.Validate()
	}
	if err != nil {
		p.edit = p.edit.refuse(err)
		return p, nil
	}
	if k.value(next) == k.value(p.plan) {
		return p.closed(), nil
	}
	return p.closed(), &next
}

// choose takes what the picker sends. What writes where it may not be meant to takes
// a second enter.
func (p panel) choose() (panel, *loadgen.Plan) {
	next := p.plan
	mix, err := p.picker.choice()
	if err == nil {
		next.Workload.Mix = mix
		err = next.Validate()
	}
	if err != nil {
		p.picker = p.picker.warn("", err.Error())
		return p, nil
	}
	if next.Workload.Same(p.plan.Workload) {
		return p.closed(), nil
	}
	if p.intrudes != nil && p.picker.warned != mix.Line() {
		if what := p.intrudes(mix); len(what) > 0 {
			p.picker = p.picker.warn(mix.Line(), strings.Join(what, "; ")+". Enter again sends it, esc does not.")
			return p, nil
		}
	}
	return p.closed(), &next
}
