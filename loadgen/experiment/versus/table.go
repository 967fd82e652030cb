package versus

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Table is a table of texts. The first columns are words, the others figures.
type Table struct {
	Head  []string
	Cells [][]string
	Words int      // how many columns, from the left, are words
	Notes []string // below the table: what it cannot show
}

// Full is every arm of every row: medians, and behind each the ratio to the
// reference as the median over the rounds with its range.
func Full(rows []*Row) Table {
	t := Table{Head: []string{"load", "client"}, Words: 2}
	metrics := columns(rows)
	for _, m := range metrics {
		t.Head = append(t.Head, m.heading(), "×")
	}
	for _, r := range rows {
		for arm, a := range r.Arms {
			cells := []string{"", a.Name}
			if arm == 0 {
				cells[0] = r.Name
			}
			for _, m := range metrics {
				cells = append(cells, r.Figure(arm, m).String(), r.ratioCell(arm, m))
			}
			t.Cells = append(t.Cells, cells)
		}
		t.Notes = append(t.Notes, r.notes()...)
	}
	return t
}

func (r *Row) ratioCell(arm int, m Metric) string {
	if arm == 0 {
		return ""
	}
	return r.Ratio(arm, m).Ratio()
}

// notes is a line for each arm that could not run or failed.
func (r *Row) notes() (notes []string) {
	for arm, a := range r.Arms {
		if why := r.trouble(arm); why != "" {
			notes = append(notes, fmt.Sprintf("%s: %s %s", r.Name, a.Name, why))
		}
	}
	return notes
}

// Ratios is the arm of that name as ratios to the reference, a line for each row
// that has it: the short form, for a page that people read.
func Ratios(rows []*Row, arm string) Table {
	t := Table{Head: []string{"load"}, Words: 1}
	metrics := columns(rows)
	for _, m := range metrics {
		t.Head = append(t.Head, m.heading())
	}
	for _, r := range rows {
		for i, a := range r.Arms {
			if a.Name != arm || i == 0 {
				continue
			}
			cells := []string{r.Name}
			for _, m := range metrics {
				cells = append(cells, r.Ratio(i, m).Ratio())
			}
			t.Cells = append(t.Cells, cells)
			if why := r.trouble(i); why != "" {
				t.Notes = append(t.Notes, fmt.Sprintf("%s: %s %s", r.Name, arm, why))
			}
		}
	}
	return t
}

// columns is every metric of the rows, in the order in which rows name them.
func columns(rows []*Row) (all []Metric) {
	seen := map[Metric]bool{}
	for _, r := range rows {
		for _, m := range r.Metrics {
			if !seen[m] {
				seen[m] = true
				all = append(all, m)
			}
		}
	}
	return all
}

// Markdown is the table for a page.
func (t Table) Markdown() string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.Head)
	rule := make([]string, len(t.Head))
	for i := range rule {
		rule[i] = "---"
		if i >= t.Words {
			rule[i] = "--:"
		}
	}
	line(rule)
	for _, cells := range t.Cells {
		escaped := make([]string, len(cells))
		for i, cell := range cells {
			escaped[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		line(escaped)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n- %s", note)
	}
	if len(t.Notes) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// Text is the table for a terminal.
func (t Table) Text() string {
	widths := make([]int, len(t.Head))
	for _, cells := range append([][]string{t.Head}, t.Cells...) {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, cells := range append([][]string{t.Head}, t.Cells...) {
		var line strings.Builder
		for i, cell := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < t.Words {
				line.WriteString(cell + pad + "  ")
			} else {
				line.WriteString(pad + cell + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	for _, note := range t.Notes {
		b.WriteString("! " + note + "\n")
	}
	return b.String()
}
