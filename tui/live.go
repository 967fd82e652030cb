package tui

import (
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
	"fullbore/views"
)

// pilot is what the live screen may ask of the run; each call returns at once.
type pilot interface {
	apply(loadgen.Plan)
	snapshot() *stats.Snapshot
	startedAt() time.Time
}

// savedMsg is the outcome of writing the results.
type savedMsg struct {
	path string
	err  error
}

// live is the main screen. It is a value: update returns the next one.
type live struct {
	keys  keyMap
	facts Facts
	pilot pilot
	save  saveFunc // nil = cannot

	intrudes func(workload.Mix) []string // nil = there is nothing to lose

	plan   loadgen.Plan // wanted last; ahead of what is in force
	focus  int          // index into knobs()
	edit   *edit
	picker *picker // in place of everything else; nil = closed

	// Two snapshots, because a terminal is sent whole lines: charts and header
	// follow fast, tables and notes follow slow at 2 Hz at most.
	fast, slow *stats.Snapshot
	since      int // ticks since slow was taken

	frozen   bool
	hertz    int
	span     time.Duration
	scale    views.Scale
	whole    bool           // first column shows the whole run
	baseline *stats.Segment // stands in for "before change"; nil = none
	from     time.Duration  // the charts begin here
	notes    []stats.Note   // of the screen itself; newest last

	over bool  // the run has ended by itself
	fate error // how it ended
}

// The steps of the time axis and of the data rate.
func spans() []time.Duration {
	return []time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
		5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour}
}

func rates() []int { return []int{1, 2, 4, 10} }

func newLive(o Options, p pilot, keys keyMap) live {
	return live{
		keys: keys, facts: o.Facts, pilot: p, save: o.Save, intrudes: o.Intrudes,
		plan: o.Plan, hertz: o.Hertz, span: 2 * time.Minute,
		scale: views.ScaleZero, // a closer look makes noise look like news; y gives it
	}
}

// update takes a key or the outcome of a save.
func (l live) update(msg tea.Msg) (live, tea.Cmd) {
	switch msg := msg.(type) {
	case savedMsg:
		if msg.err != nil {
			return l.note(true, "not saved: "+msg.err.Error()), nil
		}
		return l.note(false, "saved to "+msg.path), nil
	case tea.KeyMsg:
		switch {
		case l.picker != nil:
			return l.pickerKey(msg), nil
		case l.edit != nil:
			return l.editKey(msg), nil
		}
		for _, p := range l.presses() {
			if key.Matches(msg, p.key) {
				return p.do(l)
			}
		}
	}
	return l, nil
}

// press is a key and what it does.
type press struct {
	key key.Binding
	do  func(live) (live, tea.Cmd)
}

// presses is the dispatch table of the live screen.
func (l live) presses() []press {
	k := l.keys
	plain := func(f func(live) live) func(live) (live, tea.Cmd) {
		return func(l live) (live, tea.Cmd) { return f(l), nil }
	}
	turn := func(steps int, large bool) func(live) (live, tea.Cmd) {
		return plain(func(l live) live { return l.turn(steps, large) })
	}
	return []press{
		{k.Next, plain(func(l live) live { return l.refocus(l.focus + 1) })},
		{k.Previous, plain(func(l live) live { return l.refocus(l.focus - 1) })},
		{k.Less, turn(-1, false)},
		{k.More, turn(+1, false)},
		{k.MuchLess, turn(-1, true)},
		{k.MuchMore, turn(+1, true)},
		{k.Type, plain(live.open)},
		{k.Pause, plain(live.togglePause)},
		{k.Freeze, plain(live.toggleFreeze)},
		{k.Reset, plain(live.reset)},
		{k.ZoomIn, plain(func(l live) live { return l.zoom(-1) })},
		{k.ZoomOut, plain(func(l live) live { return l.zoom(+1) })},
		{k.Scale, plain(live.nextScale)},
		{k.Columns, plain(func(l live) live { l.whole = !l.whole; return l })},
		{k.Slower, plain(func(l live) live { return l.pace(-1) })},
		{k.Faster, plain(func(l live) live { return l.pace(+1) })},
		{k.Baseline, plain(live.toggleBaseline)},
		{k.Save, live.write},
	}
}

func (l live) refocus(i int) live {
	l.focus = around(i, len(knobs()))
	return l
}

func (l live) focused() knob { return knobs()[l.focus] }

// turn moves the focused knob from the plan that was wanted last, so that several
// presses add up before the first of them is in force.
func (l live) turn(steps int, large bool) live {
	k := l.focused()
	if large {
		steps *= k.big
	}
	next := k.move(l.plan, steps)
	if k.value(next) == k.value(l.plan) {
		return l // at the end of the ladder: not a change, and no fresh segment
	}
	return l.want(next)
}

// want asks for a plan and shows it at once. What is wrong with a plan is said
// here when it can be seen from the plan alone, otherwise by heed later.
func (l live) want(p loadgen.Plan) live {
	if l.over {
		return l.note(true, "the run has ended: w saves, q quits")
	}
	if err := p.Validate(); err != nil {
		return l.note(true, err.Error())
	}
	l.plan = p
	l.pilot.apply(p)
	return l
}

// heed takes the engine's refusals: the plan in force is the wanted one again.
func (l live) heed(refused []error, inForce loadgen.Plan) live {
	for _, err := range refused {
		l = l.note(true, "not applied: "+err.Error())
		l.plan = inForce
	}
	return l
}

func (l live) open() live {
	if l.over {
		return l.want(l.plan)
	}
	if k := l.focused(); k.picks {
		l.picker = newPicker(l.keys, l.plan.Workload)
	} else {
		l.edit = newEdit(k)
	}
	return l
}

// editKey is a key while a text field is open: only enter and esc are special
// here (ctrl+c never gets this far).
func (l live) editKey(k tea.KeyMsg) live {
	switch {
	case key.Matches(k, l.keys.Cancel):
		l.edit = nil
	case key.Matches(k, l.keys.Commit):
		return l.commit()
	default:
		l.edit = l.edit.typed(k)
	}
	return l
}

func (l live) commit() live {
	next, err := l.edit.knob.parse(l.plan, l.edit.field.Value())
	if err == nil {
		err = next.Validate()
	}
	if err != nil {
		l.edit = l.edit.refuse(err)
		return l
	}
	same := l.edit.knob.value(next) == l.edit.knob.value(l.plan)
	l.edit = nil
	if same {
		return l
	}
	return l.want(next)
}

func (l live) togglePause() live {
	p := l.plan
	p.Paused = !p.Paused
	return l.want(p)
}

// toggleFreeze stops the display only; on the way back the latest state shows at
// once.
func (l live) toggleFreeze() live {
	l.frozen = !l.frozen
	if !l.frozen {
		l = l.look(l.pilot.snapshot(), 1)
	}
	return l
}

// reset begins a fresh segment, and the charts anew from now.
func (l live) reset() live {
	if l.fast != nil {
		l.from = l.fast.Elapsed
	}
	return l.want(l.plan)
}

func (l live) zoom(by int) live {
	i := slices.Index(spans(), l.span) + by
	l.span = spans()[min(max(i, 0), len(spans())-1)]
	return l
}

func (l live) pace(by int) live {
	i := slices.Index(rates(), l.hertz) + by
	l.hertz = rates()[min(max(i, 0), len(rates())-1)]
	return l
}

func (l live) nextScale() live {
	if l.scale++; l.scale > views.ScaleZero {
		l.scale = views.ScaleAuto
	}
	return l
}

// toggleBaseline keeps the present segment to compare with, or forgets it.
func (l live) toggleBaseline() live {
	if l.baseline != nil {
		l.baseline = nil
		return l.note(false, "baseline cleared: comparing with the segment before the change")
	}
	if l.slow == nil || l.slow.Current.Measured == 0 {
		return l.note(true, "no baseline yet: nothing was measured")
	}
	seg := l.slow.Current
	l.baseline = &seg
	return l.note(false, "baseline: "+seg.Plan)
}

// write saves in the background; the path or the trouble comes back as a note.
func (l live) write() (live, tea.Cmd) {
	if l.save == nil {
		return l, nil
	}
	snap, plan, save := l.pilot.snapshot(), l.plan, l.save
	if snap == nil {
		return l.note(true, "not saved: nothing was measured"), nil
	}
	return l, func() tea.Msg {
		path, err := save(snap, plan)
		return savedMsg{path, err}
	}
}

// maxNotes bounds what the screen remembers of its own doings.
const maxNotes = 50

// note adds a line to the notes section.
func (l live) note(warning bool, text string) live {
	n := stats.Note{Warning: warning, Text: text}
	if l.fast != nil {
		n.At = l.fast.Elapsed
	}
	l.notes = append(slices.Clip(l.notes), n)
	if len(l.notes) > maxNotes {
		l.notes = l.notes[1:]
	}
	return l
}

// look takes a snapshot for the display. every is how many ticks tables wait for.
func (l live) look(s *stats.Snapshot, every int) live {
	if s == nil || l.frozen || still(l.fast, s) {
		return l
	}
	l.fast = s
	l.since++
	if l.slow == nil || l.since >= every || s.Epoch != l.slow.Epoch || s.State != l.slow.State {
		l.slow, l.since = s, 0
	}
	return l
}

// still reports that a load that was paused or over is so yet and that nothing
// else has moved: then the display rests as it is, and sends not one byte.
func still(old, s *stats.Snapshot) bool {
	if old == nil || s.State != old.State || (s.State != stats.Paused && s.State != stats.Done) {
		return false
	}
	return s.Epoch == old.Epoch && s.Pending == old.Pending && s.Progress == old.Progress &&
		s.Connected == old.Connected && s.Clients == old.Clients && s.Total == old.Total &&
		len(s.Faults) == len(old.Faults) && len(s.Notes) == len(old.Notes) && len(s.Warnings) == len(old.Warnings)
}

// finish takes note that the run has ended.
func (l live) finish(err error) live {
	if l.over {
		return l
	}
	l.over, l.fate, l.edit, l.picker = true, err, nil, nil
	if err != nil {
		return l.note(true, "the run failed: "+err.Error())
	}
	return l.note(false, "the run has ended: w saves, q quits")
}

func (l live) view(f views.Frame) string {
	if l.picker != nil {
		return l.picker.view().Render(f)
	}
	return l.scene().live().Render(f)
}

// scene gathers what present needs.
func (l live) scene() scene {
	var strip []views.Knob
	for i, k := range knobs() {
		strip = append(strip, views.Knob{Name: k.name, Value: k.value(l.plan), Range: k.ranges, Focused: i == l.focus})
	}
	return scene{
		facts: l.facts, plan: l.plan, fast: l.fast, slow: l.slow, started: l.pilot.startedAt(),
		frozen: l.frozen, over: l.over, failed: l.fate != nil, hertz: l.hertz,
		span: l.span, scale: l.scale, from: l.from, whole: l.whole, baseline: l.baseline, notes: l.notes,
		knobs: strip, edit: l.edit.view(), keys: l.keys.liveLine(l),
	}
}
