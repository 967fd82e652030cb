package tui

import (
	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/views"
)

// editLimit is the longest text that can be typed; a mix of many tests fits.
const editLimit = 256

// edit is the open text field of a knob.
type edit struct {
	knob  knob
	field textinput.Model
	err   string // why the text was refused when it was last committed
}

// newEdit opens an empty field: typing a value replaces it.
func newEdit(k knob) *edit {
	f := newField()
	f.Focus()
	return &edit{knob: k, field: f}
}

// newField is an empty text field as all of the screen's are.
func newField() textinput.Model {
	f := textinput.New()
	f.Prompt = ""
	f.CharLimit = editLimit
	// Pasting by ctrl+v would run a clipboard program; what the terminal pastes
	// arrives as text anyway.
	f.KeyMap.Paste = key.NewBinding(key.WithDisabled())
	f.Cursor.SetMode(cursor.CursorHide) // no blinking: an idle screen sends no bytes
	return f
}

// typed is the field after a key; the cursor's commands are of no use here.
func (e edit) typed(k tea.KeyMsg) *edit {
	before := e.field.Value()
	e.field, _ = e.field.Update(k)
	if e.field.Value() != before {
		e.err = ""
	}
	return &e
}

// refuse keeps the field open and says why.
func (e edit) refuse(err error) *edit {
	e.err = err.Error() + "; takes " + e.knob.accept
	return &e
}

// view is the field as a value; nil when there is none.
func (e *edit) view() *views.Edit {
	if e == nil {
		return nil
	}
	return &views.Edit{
		Label: e.knob.name, Text: e.field.Value(), Cursor: e.field.Position(),
		Error: e.err, Hint: "enter set, esc cancel; " + e.knob.accept,
	}
}
