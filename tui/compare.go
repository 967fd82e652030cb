package tui

import (
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

// referee is what the screen of a comparison may ask of it; each call returns at once.
type referee interface {
	adjust(experiment.Settings)
	state() *experiment.State
	beganAt() time.Time
}

// compare is the screen of a comparison. It is a value: update returns the next one.
//
// An arm keeps its index for good. Its letter is its place on the screen, where the
// reference comes first and the others follow in the order given.
type compare struct {
	panel   // the knobs of the side in focus
	facts   Facts
	referee referee
	arms    []experiment.Arm // as they began
	cases   int
	set     experiment.Settings // wanted last; ahead of what is in force
	side    int                 // the arm in focus
	save    func(*experiment.State) (string, error)

	fast, slow *experiment.State // see live
	since      int

	test   int  // the case that shows
	stays  bool // also when another is under way
	frozen bool
	hertz  int
	notes  []stats.Note // of the screen itself; newest last
	over   bool         // the comparison has ended by itself
	fate   error        // how it ended
	leaves bool         // the live screen was asked for
}

// newCompare is the screen of a comparison of arms. The focus is on the second, as
// that is the one that people change against the first.
func newCompare(o Options, r referee, keys keyMap, arms []experiment.Arm) compare {
	cases := o.Comparison.Cases
	own := slices.ContainsFunc(cases, func(k experiment.Case) bool { return k.Mix == nil })
	c := compare{
		panel: newPanel(keys, o.Intrudes, loadgen.Plan{}, compareKnobs(own)),
		facts: o.Facts, referee: r, arms: arms, cases: len(cases), set: settingsOf(arms),
		save: o.Comparison.Save, hertz: o.Hertz,
	}
	return c.face(1)
}

// face puts the focus on an arm.
func (c compare) face(arm int) compare {
	c.side, c.plan = arm, c.set.Plans[arm]
	return c
}

// update takes a key or the outcome of a save.
func (c compare) update(msg tea.Msg) (compare, tea.Cmd) {
	switch msg := msg.(type) {
	case savedMsg:
		if msg.err != nil {
			return c.note(true, "not saved: "+msg.err.Error()), nil
		}
		return c.note(false, "saved to "+msg.path), nil
	case tea.KeyMsg:
		if c.open() {
			panel, chosen := c.typed(msg)
			c.panel = panel
			if chosen != nil {
				return c.want(c.side, *chosen), nil
			}
			return c, nil
		}
		if key.Matches(msg, c.keys.Save) {
			return c.write()
		}
		for _, p := range c.presses() {
			if key.Matches(msg, p.key) {
				return p.do(c, msg), nil
			}
		}
	}
	return c, nil
}

// comparePress is a key of this screen and what it does.
type comparePress struct {
	key key.Binding
	do  func(compare, tea.KeyMsg) compare
}

// presses is the dispatch table of the screen.
func (c compare) presses() []comparePress {
	k := c.keys
	plain := func(f func(compare) compare) func(compare, tea.KeyMsg) compare {
		return func(c compare, _ tea.KeyMsg) compare { return f(c) }
	}
	turn := func(steps int, large bool) func(compare, tea.KeyMsg) compare {
		return plain(func(c compare) compare { return c.turn(steps, large) })
	}
	change := func(f func(*experiment.Settings)) func(compare, tea.KeyMsg) compare {
		return plain(func(c compare) compare { return c.change(f) })
	}
	return []comparePress{
		{k.Side, compare.number},
		{k.Next, plain(func(c compare) compare { c.panel = c.refocus(+1); return c })},
		{k.Previous, plain(func(c compare) compare { c.panel = c.refocus(-1); return c })},
		{k.Less, turn(-1, false)},
		{k.More, turn(+1, false)},
		{k.MuchLess, turn(-1, true)},
		{k.MuchMore, turn(+1, true)},
		{k.Type, plain(compare.begin)},
		{k.Same, plain(compare.same)},
		{k.Swap, plain(compare.swap)},
		{k.AtOnce, change(func(s *experiment.Settings) { s.Competing = !s.Competing })},
		{k.Pause, change(func(s *experiment.Settings) { s.Paused = !s.Paused })},
		{k.Reset, change(func(s *experiment.Settings) { s.Fresh++ })},
		{k.NextCase, plain(func(c compare) compare { return c.leaf(+1) })},
		{k.PreviousCase, plain(func(c compare) compare { return c.leaf(-1) })},
		{k.Freeze, plain(compare.toggleFreeze)},
		{k.Slower, plain(func(c compare) compare { c.hertz = paced(c.hertz, -1); return c })},
		{k.Faster, plain(func(c compare) compare { c.hertz = paced(c.hertz, +1); return c })},
		{k.Compare, plain(func(c compare) compare { c.leaves = true; return c })},
	}
}

// order is the arms by their letters, as the tables have them.
func (c compare) order() []int {
	first := c.set.Reference
	if c.slow != nil {
		first = c.slow.Reference
	}
	out := []int{first}
	for i := range c.arms {
		if i != first {
			out = append(out, i)
		}
	}
	return out
}

// letter is an arm's.
func (c compare) letter(arm int) string { return lettersOf(c.order())[arm] }

// lettersOf are those of the arms in this order, by arm.
func lettersOf(order []int) []string {
	out := make([]string, len(order))
	for at, arm := range order {
		out[arm] = string(rune('A' + at))
	}
	return out
}

// number takes a digit to its side.
func (c compare) number(k tea.KeyMsg) compare {
	if at := int(k.Runes[0] - '1'); at < len(c.arms) {
		return c.face(c.order()[at])
	}
	return c
}

// turn moves the focused knob of the side in focus.
func (c compare) turn(steps int, large bool) compare {
	if next, moved := c.turned(steps, large); moved {
		return c.want(c.side, next)
	}
	return c
}

// want asks for a plan of one arm.
func (c compare) want(arm int, p loadgen.Plan) compare {
	if err := p.Validate(); err != nil {
		return c.note(true, err.Error())
	}
	return c.change(func(s *experiment.Settings) { s.Plans[arm] = p })
}

const hasEnded = "the comparison has ended: w saves, c goes back, q quits"

// change asks for other settings and shows them at once.
func (c compare) change(f func(*experiment.Settings)) compare {
	if c.over {
		return c.note(true, hasEnded)
	}
	c.set.Plans = slices.Clone(c.set.Plans)
	f(&c.set)
	c.referee.adjust(c.set)
	return c.face(c.side)
}

// heed takes the refusals: what is in force is wanted again.
func (c compare) heed(refused []error, inForce experiment.Settings) compare {
	for _, err := range refused {
		c = c.note(true, "not applied: "+err.Error())
		c.set = inForce
		c = c.face(c.side)
	}
	return c
}

// begin opens the field or the picker of the focused knob.
func (c compare) begin() compare {
	if c.over {
		return c.note(true, hasEnded)
	}
	c.panel = c.opened()
	return c
}

// same gives the settings of the side in focus to the other one: to the reference, or
// to B where that is in focus itself. Each stays on its own server.
func (c compare) same() compare {
	order := c.order()
	other := order[0]
	if other == c.side {
		other = order[1]
	}
	before := c.set.Plans[other]
	if before.Changes(c.plan) == "" {
		return c.note(false, "both are the same already")
	}
	return c.want(other, c.plan)
}

// swap makes the side in focus the reference, or B where it is that already. The
// pairs are kept: they only read the other way round.
func (c compare) swap() compare {
	first := c.side
	if order := c.order(); first == order[0] {
		first = order[1]
	}
	return c.change(func(s *experiment.Settings) { s.Reference = first })
}

// leaf goes through the cases, round and round. Back at the one under way the screen
// follows again.
func (c compare) leaf(by int) compare {
	c.test = around(c.shown()+by, c.cases)
	c.stays = c.fast == nil || c.test != c.fast.Case
	return c
}

// shown is the case whose numbers are on the screen.
func (c compare) shown() int {
	if !c.stays && c.slow != nil {
		return c.slow.Case
	}
	return c.test
}

func (c compare) toggleFreeze() compare {
	c.frozen = !c.frozen
	if !c.frozen {
		c = c.look(c.referee.state(), 1)
	}
	return c
}

// write saves in the background; the path or the trouble comes back as a note.
func (c compare) write() (compare, tea.Cmd) {
	state, save := labelled(c.referee.state(), c.arms), c.save
	switch {
	case save == nil:
		return c, nil
	case state == nil:
		return c.note(true, "not saved: nothing was measured"), nil
	}
	return c, func() tea.Msg {
		path, err := save(state)
		return savedMsg{path, err}
	}
}

// note adds a line to the notes section.
func (c compare) note(warning bool, text string) compare {
	n := stats.Note{Warning: warning, Text: text}
	if c.fast != nil {
		n.At = c.fast.Elapsed
	}
	c.notes = noted(c.notes, n)
	return c
}

// look takes a state for the display. every is how many ticks tables wait for.
func (c compare) look(s *experiment.State, every int) compare {
	if s == nil || c.frozen || resting(c.slow, s) {
		return c
	}
	c.fast = s
	c.since++
	if c.slow == nil || c.since >= every || s.Phase != c.slow.Phase || s.Reference != c.slow.Reference || s.Case != c.slow.Case {
		c.slow, c.since = s, 0
	}
	return c
}

// quiet tells whether no load is sent in a phase.
func quiet(p experiment.Phase) bool {
	return p == experiment.Paused || p == experiment.Decided || p == experiment.Ended
}

// resting reports that a comparison that sent nothing still does not, and that
// nothing else has moved: then the display rests as well, and sends not one byte.
func resting(old, s *experiment.State) bool {
	if old == nil || s.Phase != old.Phase || !quiet(s.Phase) {
		return false
	}
	same := func(a, b experiment.Side) bool { return a.Arm.Plan.Changes(b.Arm.Plan) == "" }
	return s.Case == old.Case && s.Pair == old.Pair && s.Left == old.Left && s.Reference == old.Reference &&
		len(s.Notes) == len(old.Notes) && len(s.Earlier) == len(old.Earlier) && s.Reason == old.Reason &&
		slices.EqualFunc(s.Arms, old.Arms, same)
}

// finish takes note that the comparison has ended.
func (c compare) finish(err error) compare {
	if c.over {
		return c
	}
	c.over, c.fate, c.panel = true, err, c.closed()
	if err != nil {
		return c.note(true, "the comparison failed: "+err.Error())
	}
	return c.note(false, hasEnded)
}

// arm is the one in focus, with the plan that is wanted of it.
func (c compare) arm() experiment.Arm {
	a := c.arms[c.side]
	a.Plan = c.plan
	return a
}

func (c compare) view(f views.Frame) string {
	if c.picker != nil {
		return c.picker.view().Render(f)
	}
	return c.contrast().compare().Render(f)
}

// contrast gathers what the mapping needs.
func (c compare) contrast() contrast {
	x := contrast{
		facts: c.facts, set: c.set, arms: c.arms, order: c.order(), side: c.side, test: c.shown(),
		fast: c.fast, slow: c.slow, began: c.referee.beganAt(), over: c.over, failed: c.fate != nil,
		frozen: c.frozen, hertz: c.hertz, notes: c.notes,
		edit: c.edit.view(), keys: c.keys.compareLine(c),
	}
	for _, p := range c.set.Plans {
		x.strips = append(x.strips, c.strip(p))
	}
	return x
}
