package report

import (
	"fmt"
	"io"
	"strings"
)

// markdown prints one table for the suite, a row as each test ends, and below it the
// averages, the nodes of a cluster, and what must be known of single rows: the table of GitHub's dialect.
type markdown struct {
	w     io.Writer
	usual string          // circumstances of the first test; rows that differ say so
	nodes strings.Builder // a table for each test on a cluster
	below []string
	mean  averages
	begun bool
}

func (m *markdown) Begin(h Header) error {
	_, err := fmt.Fprintf(m.w, "%s\n\n", escaped(title(h)))
	return err
}

func (m *markdown) Test(e Entry) error {
	var b strings.Builder
	if !m.begun {
		m.begun, m.usual = true, circumstances(e.Result)
		names := measureNames()
		fmt.Fprintf(&b, "%s; latencies in ms.\n\n", escaped(m.usual))
		fmt.Fprintf(&b, "| test | %s |\n", strings.Join(names, " | "))
		fmt.Fprintf(&b, "|:---|%s\n", strings.Repeat("---:|", len(names)))
	}
	fmt.Fprintf(&b, "| %s | %s |\n", escaped(e.Test), strings.Join(measures(e.Result), " | "))
	m.mean.add(e.Result)
	if g := nodeGrid(e.Result); g != nil {
		fmt.Fprintf(&m.nodes, "\nNodes of %s, latencies in ms:\n\n", escaped(e.Test))
		g.markdown(&m.nodes)
	}
	for _, text := range remarks(e, m.usual) {
		m.below = append(m.below, escaped(e.Test)+": "+escaped(text))
	}
	_, err := io.WriteString(m.w, b.String())
	return err
}

func (m *markdown) End() error {
	var b strings.Builder
	if !m.begun {
		b.WriteString("No test was run.\n")
	}
	if rows := m.mean.rows(); rows != nil {
		fmt.Fprintf(&b, "\n%s:\n\n", averagesAre)
		for _, r := range rows {
			fmt.Fprintf(&b, "- %s: %s\n", r.label, r.rate)
		}
		if text := m.mean.notes(); text != "" {
			fmt.Fprintf(&b, "- %s\n", text)
		}
	}
	b.WriteString(m.nodes.String())
	if len(m.below) > 0 {
		fmt.Fprintf(&b, "\nRemarks:\n\n- %s\n", strings.Join(m.below, "\n- "))
	}
	_, err := io.WriteString(m.w, b.String())
	return err
}

// escaped is s as itself in markdown. A line stays as it is where it can, because
// such tables are also read as text; what holds a character with a meaning becomes
// code, in which only a bar still has one, inside a table.
func escaped(s string) string {
	s = clean(s)
	if !strings.ContainsAny(s, "\\`*<>[]|&~#") && !strings.Contains(s, "__") {
		return s
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	s = strings.ReplaceAll(s, "|", `\|`)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
