package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/views"
)

// keyMap is every key of the program. It feeds the dispatch, the key line and
// the help, so that what is shown is what works.
//
// Every key can be reached without an escape sequence, since over some lines
// those arrive in pieces.
type keyMap struct {
	Help, Quit, Keep, Interrupt, Escape, Suspend, Redraw key.Binding

	Go key.Binding // on the card

	Next, Previous, Less, More, MuchLess, MuchMore, Type key.Binding
	Pause, Reset, Baseline, Save                         key.Binding
	Freeze, ZoomIn, ZoomOut, Scale, Columns              key.Binding
	Slower, Faster                                       key.Binding
	Compare                                              key.Binding // there and back
	Server, Prove                                        key.Binding // what the server does; whether the client is the limit

	Side, Same, Swap, AtOnce, NextCase, PreviousCase key.Binding // in a comparison

	Commit, Cancel key.Binding // in a text field and in the picker

	Down, Up, Toggle, Heavier, Lighter, ToLine key.Binding // in the picker
}

func bind(does, show string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(show, does))
}

func newKeyMap() keyMap {
	return keyMap{
		Help:      bind("help", "?", "?", "f1"),
		Quit:      bind("quit", "q", "q"),
		Keep:      bind("quit, leave screen", "Q", "Q"),
		Interrupt: bind("stop and quit at once", "ctrl+c", "ctrl+c"),
		Escape:    bind("close or cancel only", "esc", "esc"),
		Suspend:   bind("pause load, suspend", "ctrl+z", "ctrl+z"),
		Redraw:    bind("redraw the screen", "ctrl+l", "ctrl+l"),

		Go: bind("start the load", "enter/g", "enter", "g"),

		Next:     bind("next knob", "tab/j/down", "tab", "j", "down"),
		Previous: bind("previous knob", "shift+tab/k/up", "shift+tab", "k", "up"),
		Less:     bind("decrease", "left/h", "left", "h"),
		More:     bind("increase", "right/l", "right", "l"),
		MuchLess: bind("large step down", "H/shift+left", "H", "shift+left"),
		MuchMore: bind("large step up", "L/shift+right", "L", "shift+right"),
		Type:     bind("type it or pick tests", "enter", "enter"),

		Pause:    bind("pause or resume load", "space", " "),
		Reset:    bind("begin anew", "r", "r"),
		Baseline: bind("set, clear baseline", "s", "s"),
		Save:     bind("write results to file", "w", "w"),

		Freeze:  bind("freeze display only", "f", "f"),
		ZoomIn:  bind("show a shorter time", "+/=", "+", "="),
		ZoomOut: bind("show a longer time", "-", "-", "_"),
		Scale:   bind("scale: auto or zero", "y", "y"),
		Columns: bind("change the columns", "t", "t"),
		Slower:  bind("fewer frames a second", "[", "["),
		Faster:  bind("more frames a second", "]", "]"),

		Compare: bind("compare, and back", "c", "c"),
		Server:  bind("server page, and back", "v", "v"),
		// The issue had L for this, which takes a large step, as in lazygit.
		Prove: bind("prove who is the limit", "p", "p"),

		Side:         bind("focus a side", "1..6", "1", "2", "3", "4", "5", "6"),
		Same:         bind("other side the same", "s", "s"),
		Swap:         bind("swap A and B", "x", "x"),
		AtOnce:       bind("all at once, and back", "i", "i"),
		NextCase:     bind("next test", "n", "n"),
		PreviousCase: bind("previous test", "p", "p"),

		Commit: bind("set what was chosen", "enter", "enter"),
		Cancel: bind("keep what was", "esc", "esc"),

		Down:    bind("next test", "down/ctrl+n", "down", "ctrl+n"),
		Up:      bind("previous test", "up/ctrl+p", "up", "ctrl+p"),
		Toggle:  bind("into the mix, or out", "space", " "),
		Heavier: bind("more weight", "+/=", "+", "="),
		Lighter: bind("less weight", "-", "-"),
		ToLine:  bind("own command, or back", "tab/:", "tab", ":"),
	}
}

// group is a titled block of the help.
type group struct {
	title    string
	bindings []key.Binding
}

// groups is the help in reading order, that of the live screen or of a comparison; a
// test holds that nothing is left out of both.
func (k keyMap) groups(comparing bool) []group {
	load := group{"load", []key.Binding{k.Next, k.Previous, k.Less, k.More, k.MuchLess, k.MuchMore, k.Type, k.Pause, k.Reset}}
	program := group{"program", []key.Binding{k.Go, k.Compare, k.Help, k.Quit, k.Keep, k.Interrupt, k.Suspend, k.Escape}}
	typing := group{"typing values, picking tests", []key.Binding{k.Commit, k.Cancel, k.Down, k.Up, k.Toggle, k.Heavier, k.Lighter, k.ToLine}}
	if comparing {
		return []group{
			load,
			{"sides and tests", []key.Binding{k.Side, k.Same, k.Swap, k.AtOnce, k.NextCase, k.PreviousCase, k.Save}},
			{"display", []key.Binding{k.Freeze, k.Slower, k.Faster, k.Redraw}},
			program, typing,
		}
	}
	return []group{
		load,
		{"display", []key.Binding{k.Freeze, k.ZoomIn, k.ZoomOut, k.Scale, k.Columns, k.Server, k.Slower, k.Faster, k.Redraw}},
		{"results", []key.Binding{k.Baseline, k.Save, k.Prove}},
		program, typing,
	}
}

// help is the overlay.
func (k keyMap) help(comparing bool) views.Help {
	h := views.Help{Title: "fullbore: keys", Footer: "? or esc closes   svc: service time, lag: how late batches left (open loop)"}
	if comparing {
		h.Title, h.Footer = "fullbore: keys of a comparison", "? or esc closes   a changed knob begins the pairs anew; swapping keeps them"
	}
	for _, g := range k.groups(comparing) {
		block := views.HelpGroup{Title: g.title}
		for _, b := range g.bindings {
			if !b.Enabled() {
				continue
			}
			block.Keys = append(block.Keys, views.Key{Keys: b.Help().Key, Does: b.Help().Desc})
		}
		h.Groups = append(h.Groups, block)
	}
	return h
}

// hint is an entry of the key line: the first key of each binding, and a word
// shorter than the help's.
func hint(does string, bindings ...key.Binding) views.Key {
	keys := ""
	for i, b := range bindings {
		if i > 0 {
			keys += "/"
		}
		keys += keyName(b.Keys()[0])
	}
	return views.Key{Keys: keys, Does: does}
}

func keyName(k string) string {
	switch k {
	case " ":
		return "space"
	case "left":
		return "<-"
	case "right":
		return "->"
	}
	return k
}

// cardLine and liveLine are the key lines: what works now, most
// needed first, because a narrow line is cut at its end.
func (k keyMap) cardLine() []views.Key {
	return []views.Key{hint("help", k.Help), hint("quit", k.Quit), hint("start the load", k.Go)}
}

func (k keyMap) liveLine(l live) []views.Key {
	if l.paging {
		return k.pageLine(l)
	}
	line := []views.Key{hint("help", k.Help), hint("quit", k.Quit)}
	if !l.over {
		line = append(line, k.turning(l.panel)...)
		line = append(line, hint(either(l.plan.Paused, "resume", "pause"), k.Pause))
		if l.compares {
			line = append(line, hint("compare", k.Compare))
		}
	}
	freeze, base := either(l.frozen, "unfreeze", "freeze"), either(l.baseline != nil, "no baseline", "baseline")
	if l.save != nil {
		line = append(line, hint("save", k.Save))
	}
	line = append(line, hint("server", k.Server), hint("zoom", k.ZoomIn, k.ZoomOut))
	if !l.over {
		line = append(line, hint("reset", k.Reset))
		line = append(line, k.proving(l)...)
	}
	return append(line, hint(freeze, k.Freeze), hint(base, k.Baseline), hint("columns", k.Columns), hint("scale", k.Scale))
}

// pageLine is the key line of the page of the server.
func (k keyMap) pageLine(l live) []views.Key {
	line := []views.Key{hint("help", k.Help), hint("quit", k.Quit), hint("back", k.Server)}
	if !l.over {
		line = append(line, hint(either(l.plan.Paused, "resume", "pause"), k.Pause))
		line = append(line, k.proving(l)...)
	}
	line = append(line, hint("zoom", k.ZoomIn, k.ZoomOut))
	if l.save != nil {
		line = append(line, hint("save", k.Save))
	}
	if !l.over {
		line = append(line, hint("reset", k.Reset))
	}
	return append(line, hint(either(l.frozen, "unfreeze", "freeze"), k.Freeze))
}

// proving is the key of a proof, where there is one.
func (k keyMap) proving(l live) []views.Key {
	if !k.Prove.Enabled() {
		return nil
	}
	return []views.Key{hint(either(l.proving, "give up", "prove limiter"), k.Prove)}
}

// compareLine is the key line of a comparison. The sides are those there are.
func (k keyMap) compareLine(c compare) []views.Key {
	line := []views.Key{hint("help", k.Help), hint("quit", k.Quit)}
	if c.over {
		line = append(line, hint("back", k.Compare))
	} else {
		line = append(line, views.Key{Keys: "1/" + k.Side.Keys()[len(c.set.Plans)-1], Does: "side"})
		turn, pause := k.turning(c.panel), hint(either(c.set.Paused, "resume", "pause"), k.Pause)
		if c.set.Paused { // of all keys now the most needed
			line = append(line, pause)
		}
		line = append(line, turn[:2]...)
		line = append(line, hint("swap", k.Swap), hint(either(c.set.Competing, "in turn", "at once"), k.AtOnce), hint("back", k.Compare))
		line = append(line, turn[2:]...)
		line = append(line, hint("same", k.Same))
		if !c.set.Paused {
			line = append(line, pause)
		}
	}
	if c.cases > 1 {
		line = append(line, hint("test", k.NextCase, k.PreviousCase))
	}
	if c.save != nil {
		line = append(line, hint("save", k.Save))
	}
	if !c.over {
		line = append(line, hint("anew", k.Reset))
	}
	return append(line, hint(either(c.frozen, "unfreeze", "freeze"), k.Freeze))
}

// turning are the keys of the knobs.
func (k keyMap) turning(p panel) []views.Key {
	enter := either(p.focused().picks, "pick", "type")
	return []views.Key{hint("next", k.Next), hint("adjust", k.Less, k.More), hint(enter, k.Type)}
}

func either(is bool, then, otherwise string) string {
	if is {
		return then
	}
	return otherwise
}

// pickerLine is the key line of the picker, where letters narrow the list.
func (k keyMap) pickerLine(onLine bool) []views.Key {
	line := []views.Key{hint("send", k.Commit), hint("close", k.Cancel)}
	if onLine {
		return append(line, hint("list of tests", k.ToLine))
	}
	return append(line, hint("mix", k.Toggle), hint("weight", k.Heavier, k.Lighter), hint("own command", k.ToLine), hint("move", k.Up, k.Down))
}

// split turns one message into single keys: keys that arrive in one read are one
// message ("llll"), and key repeat over a slow line would be lost. A paste is
// text, never keys.
//
// The other way round, an arrow key that is split across two reads arrives as esc
// and "[C"; after says that the last key was a bare esc, and then the rest is the
// arrow it was meant to be, not two keys that do something else.
func split(k tea.KeyMsg, after bool) []tea.KeyMsg {
	if k.Type != tea.KeyRunes || k.Paste || len(k.Runes) < 2 {
		return []tea.KeyMsg{k}
	}
	runes := k.Runes
	var out []tea.KeyMsg
	if after && (runes[0] == '[' || runes[0] == 'O') {
		arrow, ok := map[rune]tea.KeyType{'A': tea.KeyUp, 'B': tea.KeyDown, 'C': tea.KeyRight, 'D': tea.KeyLeft}[runes[1]]
		if ok {
			out, runes = append(out, tea.KeyMsg{Type: arrow}), runes[2:]
		}
	}
	for _, r := range runes {
		out = append(out, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt})
	}
	return out
}
