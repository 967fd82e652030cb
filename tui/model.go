package tui

import (
	"errors"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/views"
)

// tickMsg drives the display. id is the run of ticks it belongs to: a new rate
// starts a new run, and what is late from the old one is dropped.
type tickMsg struct{ id int }

// settleMsg asks again whether the load has paused before a suspension.
type settleMsg struct{ tries int }

// resumedMsg says that the program runs in the foreground again.
type resumedMsg struct{ err error }

// exit is how the user left.
type exit int

const (
	staying exit = iota
	quitting
	interrupted
)

// escape is what the last key was.
type escape int

const (
	noEscape   escape = iota
	bareEscape        // esc, which did nothing
	closing           // esc, which closed a text field or the help
)

// model is the root: window size, switching screens, help and the way out.
type model struct {
	keys  keyMap
	theme views.Theme
	run   *supervisor
	term  *outlet // nil in tests without a terminal
	first Options

	width, height int
	started       bool // the load was asked for; before that the card shows
	card          card
	live          live
	compare       compare
	comparing     bool // the comparison shows, not the live screen
	helping       bool

	ticks     int // id of the present run of ticks
	unfocused bool
	escaped   escape
	held      bool // suspending: the load was paused for it, not by the user
	leaving   bool // a suspension is under way
	exit      exit
	keep      bool // leave the last frame on the normal screen

	frame string // what View returns; rebuilt on tick, key and resize only
}

func newModel(o Options, run *supervisor, term *outlet) model {
	keys := newKeyMap()
	keys.Prove.SetEnabled(o.Prove != nil)
	o = run.keeping(o)
	m := model{
		keys: keys, theme: o.Theme, run: run, term: term, first: o,
		card: card{keys: keys, card: o.Card}, live: newLive(o, run, keys),
	}
	if !o.NeedsConsent {
		return m.begin()
	}
	return m
}

// begin starts what was asked for: the comparison of the arms given, or the load.
func (m model) begin() model {
	m.started = true
	m.keys.Go.SetEnabled(false) // the help need not name it any more
	if arms := m.first.Comparison.Arms; len(arms) > 0 {
		return m.contend(arms)
	}
	m.run.start(m.first.Plan)
	return m
}

// Init starts the ticks.
func (m model) Init() tea.Cmd { return m.tick() }

// View is the cached frame: Bubble Tea asks after every message, also after those
// that change nothing.
func (m model) View() string { return m.frame }

// Update handles what concerns every screen and hands the rest down.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.exit != staying {
		return m, nil
	}
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m = m.resize(msg.Width, msg.Height)
	case tea.FocusMsg:
		m, cmd = m.attend(true)
	case tea.BlurMsg:
		m, cmd = m.attend(false)
	case tickMsg:
		if msg.id != m.ticks {
			return m, nil
		}
		m, cmd = m.onTick()
	case tea.KeyMsg:
		m, cmd = m.onKeys(msg)
	case goMsg:
		m = m.begin()
	case savedMsg:
		m, cmd = m.pass(msg)
	case settleMsg:
		return m, m.suspendWhenPaused(msg.tries)
	case resumedMsg:
		m = m.resume(msg.err)
	default:
		return m, nil
	}
	m.frame = m.draw()
	return m, cmd
}

// resize takes a new size. A text field or picker that no longer shows is closed, or
// q would be typed into it unseen.
func (m model) resize(width, height int) model {
	m.width, m.height = max(width, 0), max(height, 0)
	if m.tooSmall() {
		m.live.panel, m.compare.panel = m.live.closed(), m.compare.closed()
	}
	return m
}

// interval is the time between ticks. Nobody looks at a window without focus.
func (m model) interval() time.Duration {
	if m.unfocused {
		return time.Second
	}
	return time.Second / time.Duration(max(m.hertz(), 1))
}

// hertz is the data rate of the screen that shows.
func (m model) hertz() int {
	if m.comparing {
		return m.compare.hertz
	}
	return m.live.hertz
}

func (m model) tick() tea.Cmd {
	id := m.ticks
	return tea.Tick(m.interval(), func(time.Time) tea.Msg { return tickMsg{id} })
}

// retick starts a new run of ticks, after the rate has changed.
func (m model) retick() (model, tea.Cmd) {
	m.ticks++
	return m, m.tick()
}

func (m model) attend(focused bool) (model, tea.Cmd) {
	if m.unfocused != focused {
		return m, nil // no change
	}
	m.unfocused = !focused
	m = m.look()
	return m.retick()
}

// look takes the latest snapshot; tables follow at 2 Hz at most.
func (m model) look() model {
	every := max(int(500*time.Millisecond/m.interval()), 1)
	if m.comparing {
		m.compare = m.compare.look(m.run.state(), every)
		return m
	}
	m.live = m.live.look(m.run.snapshot(), every)
	return m
}

// onTick looks at the run: what it measured, refused, and whether it is over.
func (m model) onTick() (model, tea.Cmd) {
	if m.run.panicked() != nil {
		return m.leave(quitting)
	}
	m = m.look()
	m, broken := m.attendRuns()
	if broken {
		return m.leave(quitting) // its text is to be read, and sent, from the normal screen
	}
	cmds := []tea.Cmd{m.tick()}
	if m.term.recovered() {
		cmds = append(cmds, tea.ClearScreen)
	}
	if m.run.suspendAsked() {
		var cmd tea.Cmd
		m, cmd = m.suspend()
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

// attendRuns passes on what the runs refused and whether they are over; broken tells
// of a panic in one of them.
func (m model) attendRuns() (_ model, broken bool) {
	m.live = m.live.heed(m.run.refusals()).judge(m.run.judged())
	crash := (*loadgen.PanicError)(nil)
	if err, over := m.run.ended(); over {
		broken = errors.As(err, &crash)
		m.live = m.live.finish(err)
	}
	if !m.comparing {
		return m, broken
	}
	m.compare = m.compare.heed(m.run.duel().refusals())
	if err, over := m.run.duel().ended(); over {
		broken = broken || errors.As(err, &crash)
		m.compare = m.compare.finish(err)
	}
	return m, broken
}

// onKeys splits what arrived in one read into single keys.
func (m model) onKeys(msg tea.KeyMsg) (model, tea.Cmd) {
	keys := []tea.KeyMsg{msg}
	open := m.typing() || m.helping || m.live.paging && !m.comparing
	if !m.typing() || m.picking() { // else it is text, also when several characters arrive at once
		keys = split(msg, m.escaped != noEscape)
	}
	if m.escaped == closing && len(keys) > 0 && keys[0].Type != msg.Type {
		keys = keys[1:] // the rest of an arrow key that was meant for what esc has closed
	}
	var cmds []tea.Cmd
	for _, k := range keys {
		var cmd tea.Cmd
		m, cmd = m.onKey(k)
		cmds = append(cmds, cmd)
		if m.exit != staying {
			break
		}
	}
	m.escaped = noEscape
	if msg.Type == tea.KeyEscape && !msg.Alt {
		m.escaped = bareEscape
		if open {
			m.escaped = closing
		}
	}
	return m, tea.Batch(cmds...)
}

// typing tells whether keys are text, for a field or for the picker.
func (m model) typing() bool {
	return m.started && !m.helping && m.panel().open()
}

// panel is that of the screen that shows.
func (m model) panel() panel {
	if m.comparing {
		return m.compare.panel
	}
	return m.live.panel
}

// picking tells whether some of that text is commands of the picker's list.
func (m model) picking() bool {
	return m.typing() && m.panel().picker != nil && !m.panel().picker.onLine
}

func (m model) tooSmall() bool { return m.width < views.MinWidth || m.height < views.MinHeight }

// onKey is one key: first what works everywhere, then the screen's own.
func (m model) onKey(k tea.KeyMsg) (model, tea.Cmd) {
	is := func(b key.Binding) bool { return key.Matches(k, b) }
	switch {
	case is(m.keys.Interrupt):
		return m.leave(interrupted)
	case m.typing():
		// Everything else is text, whatever the size of the window.
	case is(m.keys.Quit):
		return m.leave(quitting)
	case is(m.keys.Keep):
		m.keep = true
		return m.leave(quitting)
	case is(m.keys.Suspend):
		return m.suspend()
	case is(m.keys.Redraw):
		return m, tea.ClearScreen
	case m.tooSmall():
		if !is(m.keys.Pause) {
			return m, nil // no knob is turned and no load started unseen
		}
	case is(m.keys.Help), m.helping && is(m.keys.Escape):
		m.helping = !m.helping
		return m, nil
	case m.helping:
		return m, nil
	}
	return m.hand(k)
}

// hand gives a key to the screen that shows.
func (m model) hand(k tea.KeyMsg) (model, tea.Cmd) {
	if !m.started {
		var cmd tea.Cmd
		m.card, cmd = m.card.update(k)
		return m, cmd
	}
	before := m.hertz()
	m, cmd := m.pass(k)
	switch {
	case m.live.leaves:
		m = m.contend(m.sides())
	case m.compare.leaves:
		m = m.goLive()
	}
	if m.hertz() != before {
		var tick tea.Cmd
		m, tick = m.retick()
		cmd = tea.Batch(cmd, tick)
	}
	if cmd == nil {
		return m, nil
	}
	return m, m.guard(cmd)
}

// pass gives a message to the screen that shows.
func (m model) pass(msg tea.Msg) (_ model, cmd tea.Cmd) {
	if m.comparing {
		m.compare, cmd = m.compare.update(msg)
	} else {
		m.live, cmd = m.live.update(msg)
	}
	return m, cmd
}

// guard catches a panic in a command, whose text would otherwise be printed into
// the raw screen and lost.
func (m model) guard(cmd tea.Cmd) tea.Cmd {
	run := m.run
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				_ = run.crashed(v)
				msg = tea.Quit()
			}
		}()
		return cmd()
	}
}

// leave stops the load at once and ends the program; Run waits for the rest.
func (m model) leave(how exit) (model, tea.Cmd) {
	m.exit = how
	m.run.stop()
	return m, tea.Quit
}

// draw builds the frame for the present size.
func (m model) draw() string {
	if m.width < 1 || m.height < 1 {
		return "" // before the first WindowSizeMsg nobody knows the size
	}
	f := views.Frame{Width: m.width, Height: m.height, Theme: m.theme}
	switch {
	case m.tooSmall() && m.started:
		return m.show(f) // which draws TooSmall
	case m.tooSmall():
		return views.TooSmall{Keys: m.keys.cardLine()[1:2]}.Render(f)
	case m.helping:
		return m.keys.help(m.comparing).Render(f)
	case !m.started:
		return m.card.view(f)
	}
	return m.show(f)
}

func (m model) show(f views.Frame) string {
	if m.comparing {
		return m.compare.view(f)
	}
	return m.live.view(f)
}
