package tui

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen/workload"
	"fullbore/views"
)

// lineForm is what the picker's line takes.
const lineForm = "such as SET key:__rand_int__ __data__, or set=1,get=10"

// lineLimit is the longest command that can be typed: some have a thousand arguments.
const lineLimit = 1 << 16

// picker is the open list of tests with the line for a command of one's own. It is a
// value: each key gives the next one.
type picker struct {
	keys   keyMap
	prefix string       // of the keys, to show what goes over the wire
	old    workload.Mix // in force when it was opened

	filter textinput.Model
	at     int          // the focused row of those that the filter leaves
	mix    workload.Mix // of tests of the catalogue, as space, + and - have made it

	touched bool // the mix was changed: enter sends it, whatever has the focus
	moved   bool // the focus was: enter sends the test that has it

	onLine bool
	line   textinput.Model
	opened string // what stood on the line at first, be it cut: left so it is the old mix

	warning []string
	warned  string // what the warning is about; the next enter sends that
}

// newPicker opens on what is in force: the line for a command of one's own, the first
// test of a mix otherwise.
func newPicker(keys keyMap, w workload.Workload) *picker {
	p := picker{keys: keys, prefix: w.Keys.Prefix, old: w.Mix, filter: newField(), line: newField()}
	p.filter.Focus()
	p.line.Focus()
	p.line.CharLimit = lineLimit
	if own(w.Mix) {
		p.onLine, p.moved = true, true
		p.line.SetValue(written(w.Mix))
		p.opened = p.line.Value()
		return &p
	}
	p.mix = slices.Clone(w.Mix)
	if len(p.mix) > 0 {
		p.at = max(0, indexOf(p.rows(), p.mix[0].Test))
	}
	return &p
}

// own tells whether a mix is of commands that people wrote themselves.
func own(m workload.Mix) bool { return len(m) > 0 && m[0].Test.Custom }

// rows are the tests that the filter leaves, in the catalogue's order.
func (p picker) rows() []workload.Test {
	part := strings.ToLower(strings.TrimSpace(p.filter.Value()))
	return slices.DeleteFunc(workload.Catalog(), func(t workload.Test) bool {
		return !strings.Contains(t.Name(), part)
	})
}

func indexOf(tests []workload.Test, t workload.Test) int {
	return slices.IndexFunc(tests, func(u workload.Test) bool { return u.Title == t.Title })
}

// place is the test's index in the mix, -1 for none.
func (p picker) place(t workload.Test) int {
	return slices.IndexFunc(p.mix, func(e workload.Entry) bool { return e.Test.Title == t.Title })
}

// update takes a key other than enter and esc, which are the live screen's. A
// warning is for the key that comes right after it.
func (p picker) update(k tea.KeyMsg) *picker {
	p.warning, p.warned = nil, ""
	is := func(b key.Binding) bool { return key.Matches(k, b) && !k.Paste }
	if p.onLine {
		if is(p.keys.ToLine) && k.Type != tea.KeyRunes { // there a colon is text
			p.onLine = false
			return &p
		}
		p.line, _ = p.line.Update(k)
		return &p
	}
	switch {
	case is(p.keys.ToLine):
		p.onLine = true
	case is(p.keys.Down):
		return p.move(+1)
	case is(p.keys.Up):
		return p.move(-1)
	case is(p.keys.Toggle):
		return p.weigh(func(w int) int { return 1 - min(w, 1) })
	case is(p.keys.Heavier):
		return p.weigh(func(w int) int { return min(w+1, workload.MaxWeight) })
	case is(p.keys.Lighter):
		return p.weigh(func(w int) int { return max(w-1, 0) })
	default:
		return p.narrow(k)
	}
	return &p
}

func (p picker) move(by int) *picker {
	if n := len(p.rows()); n > 0 {
		p.at, p.moved = (p.at+by+n)%n, true
	}
	return &p
}

// narrow types into the filter; the first of the tests that are left gets the focus.
func (p picker) narrow(k tea.KeyMsg) *picker {
	before := p.filter.Value()
	p.filter, _ = p.filter.Update(k)
	p.filter.CursorEnd() // where it is shown
	if p.filter.Value() != before {
		p.at, p.moved = 0, true
	}
	return &p
}

// weigh gives the focused test another weight in the mix; 0 takes it out.
func (p picker) weigh(next func(int) int) *picker {
	rows := p.rows()
	if len(rows) == 0 {
		return &p
	}
	test := rows[p.at]
	mix, i := slices.Clone(p.mix), p.place(test)
	if i < 0 {
		mix = append(mix, workload.Entry{Test: test})
		i = len(mix) - 1
	}
	if mix[i].Weight = next(mix[i].Weight); mix[i].Weight == 0 {
		mix = slices.Delete(mix, i, i+1)
	}
	p.mix, p.touched = mix, true
	return &p
}

// choice is what enter sends.
func (p picker) choice() (workload.Mix, error) {
	rows := p.rows()
	switch {
	case p.onLine && own(p.old) && p.line.Value() == p.opened:
		return p.old, nil
	case p.onLine:
		return parseLine(p.line.Value())
	case p.touched && len(p.mix) == 0:
		return nil, errors.New("no test is chosen: space puts one in")
	case p.touched && len(p.mix) == 1:
		return workload.Single(p.mix[0].Test), nil // its share is all
	case p.touched:
		return p.mix, nil
	case !p.moved:
		return p.old, nil
	case len(rows) == 0:
		return nil, errors.New("no test has " + p.filter.Value() + " in its name: backspace widens the list")
	}
	return workload.Single(rows[p.at]), nil
}

// parseLine reads the line: a mix of the catalogue's tests where it is one, a command
// of one's own otherwise. One word is a test where there is one of that name, for a
// GET without a key is of no use; the PING of one's own is 1 PING.
func parseLine(text string) (workload.Mix, error) {
	text = strings.TrimSpace(text)
	if isWord(text) {
		mix, err := workload.ParseMix(text)
		if err == nil || strings.ContainsAny(text, "=,") {
			return mix, err
		}
	}
	return workload.ParseLine(text)
}

// written is a mix as parseLine reads it.
func written(m workload.Mix) string {
	text := m.Line()
	if own(m) && isWord(text) {
		return "1 " + text
	}
	return text
}

// isWord tells whether a line is one word without quotes.
func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\'' || r == '"' })
}

// warn keeps the picker open and says why. About what was asked in earnest: the same
// once more is a yes.
func (p picker) warn(about string, lines ...string) *picker {
	p.warned, p.warning = about, lines
	return &p
}

// view is the picker as a value.
func (p picker) view() views.Picker {
	v := views.Picker{
		Title: "command", Filter: p.filter.Value(), Of: len(workload.Catalog()), OnLine: p.onLine,
		Line:    views.Edit{Label: "command", Text: p.line.Value(), Cursor: p.line.Position(), Hint: lineForm},
		Warning: p.warning, Keys: p.keys.pickerLine(p.onLine),
	}
	if mix, err := p.choice(); err == nil {
		v.Chosen = mix.Line()
	}
	for i, t := range p.rows() {
		r := views.PickerRow{Name: strings.ToUpper(t.Name()), About: p.wire(t), Focused: i == p.at}
		if at := p.place(t); at >= 0 {
			r.Weight = p.mix[at].Weight
		}
		v.Rows = append(v.Rows, r)
	}
	return v
}

// wire is what a test sends, in its template's words.
func (p picker) wire(t workload.Test) string {
	text := strings.ReplaceAll(strings.Join(t.Args, " "), workload.PrefixMark, p.prefix)
	if t.Inline {
		text += "  (as a plain line)"
	}
	return text
}
