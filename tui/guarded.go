package tui

import (
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// guarded is the root model behind a recover: a panic in Update or in a view ends
// the program in good order, so that the terminal is restored before the text is
// printed. It also keeps the last model for Run.
type guarded struct {
	mu *sync.Mutex
	m  *model
}

func newGuarded(m model) guarded { return guarded{&sync.Mutex{}, &m} }

// Init, Update and View are the model's.
func (g guarded) Init() tea.Cmd { return g.last().Init() }

// View is the cached frame.
func (g guarded) View() string { return g.last().View() }

// Update passes msg on and survives what it does.
func (g guarded) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	m := g.last()
	defer func() {
		if v := recover(); v != nil {
			_ = m.run.crashed(v)
			m.run.stop()
			cmd = tea.Quit
		}
	}()
	next, cmd := m.Update(msg)
	g.mu.Lock()
	defer g.mu.Unlock()
	*g.m = next.(model)
	return g, cmd
}

// last is the model after the last message.
func (g guarded) last() model {
	g.mu.Lock()
	defer g.mu.Unlock()
	return *g.m
}
