package tui

import (
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

// pilot is what the live screen may ask of the run; each call returns at once.
type pilot interface {
	apply(loadgen.Plan)
	snapshot() *stats.Snapshot
	startedAt() time.Time
}

// witness is what the live screen may ask about the server, likewise.
type witness interface {
	insight() *loadgen.Insight
	prove(loadgen.Plan)
}

// crew is both.
type crew interface {
	pilot
	witness
}

// savedMsg is the outcome of writing the results.
type savedMsg struct {
	path string
	err  error
}

// live is the main screen. It is a value: update returns the next one.
type live struct {
	panel    // the knobs, and the plan that was wanted last: ahead of what is in force
	facts    Facts
	pilot    pilot
	witness  witness
	save     saveFunc // nil = cannot
	compares bool     // the key for a comparison works
	leaves   bool     // for a comparison

	// Two snapshots, because a terminal is sent whole lines: charts and header
	// follow fast, tables and notes follow slow at 2 Hz at most.
	fast, slow *stats.Snapshot
	since      int  // ticks since slow was taken
	told       told // of the server, as slow as the tables

	frozen   bool
	hertz    int
	span     time.Duration
	scale    views.Scale
	whole    bool           // first column shows the whole run
	baseline *stats.Segment // stands in for "before change"; nil = none
	from     time.Duration  // the charts begin here
	notes    []stats.Note   // of the screen itself; newest last

	paging  bool   // the page of the server shows
	proving bool   // whether the client is the limit
	proof   string // how that came out, or that it is under way; empty = nothing was asked

	over bool  // the run has ended by itself
	fate error // how it ended
}

// The steps of the time axis and of the data rate.
func spans() []time.Duration {
	return []time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
		5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour}
}

func rates() []int { return []int{1, 2, 4, 10} }

func newLive(o Options, p crew, keys keyMap) live {
	return live{
		panel: newPanel(keys, o.Intrudes, o.Plan, knobs()),
		facts: o.Facts, pilot: p, witness: p, save: o.Save, compares: o.Comparison.Start != nil,
		hertz: o.Hertz, span: 2 * time.Minute,
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
		if l.open() {
			panel, chosen := l.typed(msg)
			l.panel = panel
			if chosen != nil {
				return l.want(*chosen), nil
			}
			return l, nil
		}
		if l.paging && key.Matches(msg, l.keys.Escape) {
			l.paging = false
		}
		for _, p := range l.presses() {
			if key.Matches(msg, p.key) && (p.shown || !l.paging) {
				return p.do(l)
			}
		}
	}
	return l, nil
}

// press is a key and what it does.
type press struct {
	key   key.Binding
	do    func(live) (live, tea.Cmd)
	shown bool // also on the page of the server: no knob is turned unseen
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
	const shown = true
	return []press{
		{k.Next, plain(func(l live) live { l.panel = l.refocus(+1); return l }), false},
		{k.Previous, plain(func(l live) live { l.panel = l.refocus(-1); return l }), false},
		{k.Less, turn(-1, false), false},
		{k.More, turn(+1, false), false},
		{k.MuchLess, turn(-1, true), false},
		{k.MuchMore, turn(+1, true), false},
		{k.Type, plain(live.begin), false},
		{k.Pause, plain(live.togglePause), shown},
		{k.Freeze, plain(live.toggleFreeze), shown},
		{k.Reset, plain(live.reset), shown},
		{k.ZoomIn, plain(func(l live) live { return l.zoom(-1) }), shown},
		{k.ZoomOut, plain(func(l live) live { return l.zoom(+1) }), shown},
		{k.Scale, plain(live.nextScale), false},
		{k.Columns, plain(func(l live) live { l.whole = !l.whole; return l }), false},
		{k.Slower, plain(func(l live) live { return l.pace(-1) }), shown},
		{k.Faster, plain(func(l live) live { return l.pace(+1) }), shown},
		{k.Baseline, plain(live.toggleBaseline), false},
		{k.Save, live.write, shown},
		{k.Compare, live.compare, false},
		{k.Server, plain(func(l live) live { l.paging = !l.paging; return l }), shown},
		{k.Prove, plain(live.prove), shown},
	}
}

// turn moves the focused knob from the plan that was wanted last, so that several
// presses add up before the first of them is in force.
func (l live) turn(steps int, large bool) live {
	if next, moved := l.turned(steps, large); moved {
		return l.want(next)
	}
	return l
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

// begin opens the field or the picker of the focused knob.
func (l live) begin() live {
	if l.over {
		return l.want(l.plan)
	}
	l.panel = l.opened()
	return l
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
	l.hertz = paced(l.hertz, by)
	return l
}

// paced is the data rate some steps faster or slower.
func paced(hertz, by int) int {
	i := slices.Index(rates(), hertz) + by
	return rates()[min(max(i, 0), len(rates())-1)]
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

// compare asks for the other screen, where sides are made of the present setting.
func (l live) compare() (live, tea.Cmd) {
	if l.over {
		return l.want(l.plan), nil
	}
	l.leaves = l.compares
	return l, nil
}

// maxNotes bounds what the screen remembers of its own doings.
const maxNotes = 50

// note adds a line to the notes section.
func (l live) note(warning bool, text string) live {
	n := stats.Note{Warning: warning, Text: text}
	if l.fast != nil {
		n.At = l.fast.Elapsed
	}
	l.notes = noted(l.notes, n)
	return l
}

// noted is notes with one more, the oldest left out where there are too many.
func noted(notes []stats.Note, n stats.Note) []stats.Note {
	notes = append(slices.Clip(notes), n)
	return notes[max(0, len(notes)-maxNotes):]
}

// look takes a snapshot for the display. every is how many ticks tables wait for.
func (l live) look(s *stats.Snapshot, every int) live {
	if s == nil || l.frozen || still(l.slow, s) {
		return l
	}
	l.fast = s
	l.since++
	if l.slow == nil || l.since >= every || s.Epoch != l.slow.Epoch || s.State != l.slow.State {
		l.slow, l.since = s, 0
		l.told = l.told.next(l.witness.insight(), s.Epoch)
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
	if l.paging {
		return l.scene().page().Render(f)
	}
	return l.scene().live().Render(f)
}

// scene gathers what present needs.
func (l live) scene() scene {
	return scene{
		facts: l.facts, plan: l.plan, fast: l.fast, slow: l.slow, started: l.pilot.startedAt(),
		frozen: l.frozen, over: l.over, failed: l.fate != nil, hertz: l.hertz,
		span: l.span, scale: l.scale, from: l.from, whole: l.whole, baseline: l.baseline, notes: l.notes,
		told: l.told, proving: l.proving, proof: l.proof,
		knobs: l.strip(l.plan), edit: l.edit.view(), keys: l.keys.liveLine(l),
	}
}
