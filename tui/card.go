package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"fullbore/views"
)

// goMsg says that the user wants the load.
type goMsg struct{}

// card is the screen before the load: what was found, and the question.
type card struct {
	keys keyMap
	card views.Card
}

func (c card) update(msg tea.Msg) (card, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && key.Matches(k, c.keys.Go) {
		return c, func() tea.Msg { return goMsg{} }
	}
	return c, nil
}

func (c card) view(f views.Frame) string {
	v := c.card
	v.Keys = c.keys.cardLine()
	return v.Render(f)
}
