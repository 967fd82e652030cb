package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// sheet is a report in parts that text and markdown print each in their way.
type sheet []section

// section is a heading, a table and lines below it; any of them may be missing.
type section struct {
	head  string
	grid  *grid
	lines []string
}

// grid is a table. The first column and those in left hold words, the others
// numbers.
type grid struct {
	names []string
	left  map[int]bool
	code  map[int]bool // columns of characters that are no words
	rows  [][]string
	most  int // columns of text that the first one gives way for; 0 = any
	// folds has a text that would be wider than 80 columns become sentences.
	folds bool
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// text lays the table out in columns that are two blanks apart. It is as wide as its
// cells; whoever fills it keeps them short.
func (g *grid) text(b *strings.Builder) {
	all := append([][]string{g.names}, g.rows...)
	widths := g.widths(all)
	if g.folds && total(widths) > summaryWidth {
		for _, row := range g.rows {
			wrap(b, row[0]+": "+strings.Join(row[1:], "; "), "  ")
		}
		return
	}
	for _, row := range all {
		var cells []string
		for i, cell := range row {
			if i == 0 {
				cell = briefly(cell, widths[0])
			}
			blanks := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 || g.left[i] {
				cells = append(cells, cell+blanks)
			} else {
				cells = append(cells, blanks+cell)
			}
		}
		b.WriteString(strings.TrimRight(strings.Join(cells, "  "), " ") + "\n")
	}
}

// leastTitle is what a first column keeps, however wide the others are.
const leastTitle = 8

// widths are those of the columns.
func (g *grid) widths(rows [][]string) []int {
	out := make([]int, len(g.names))
	for i := range out {
		for _, row := range rows {
			out[i] = max(out[i], utf8.RuneCountInString(row[i]))
		}
	}
	if over := total(out) - g.most; g.most > 0 && over > 0 {
		out[0] = max(min(out[0], leastTitle), out[0]-over)
	}
	return out
}

// total is how wide a line of such columns is.
func total(widths []int) int {
	sum := -2
	for _, w := range widths {
		sum += w + 2
	}
	return sum
}

func (g *grid) markdown(b *strings.Builder) {
	line := func(cells []string) {
		b.WriteString("|")
		for _, cell := range cells {
			fmt.Fprintf(b, " %s |", cell)
		}
		b.WriteString("\n")
	}
	row := func(cells []string) {
		var out []string
		for i, cell := range cells {
			if g.code[i] && cell != "" {
				out = append(out, "`"+cell+"`")
			} else {
				out = append(out, escaped(cell))
			}
		}
		line(out)
	}
	var names []string
	for _, name := range g.names {
		names = append(names, escaped(name))
	}
	line(names)
	b.WriteString("|")
	for i := range g.names {
		if i == 0 || g.left[i] {
			b.WriteString(":---|")
		} else {
			b.WriteString("---:|")
		}
	}
	b.WriteString("\n")
	for _, cells := range g.rows {
		row(cells)
	}
}

// text prints the parts with a blank line between them; sentences are wrapped at 80
// columns.
func (s sheet) text() []byte {
	var b strings.Builder
	for i, part := range s {
		if i > 0 {
			b.WriteString("\n")
		}
		if part.head != "" {
			wrap(&b, part.head, "  ")
		}
		if part.grid != nil {
			part.grid.text(&b)
		}
		for _, line := range part.lines {
			wrap(&b, line, "  ")
		}
	}
	return []byte(b.String())
}

// markdown prints the same in GitHub's dialect.
func (s sheet) markdown() []byte {
	var b strings.Builder
	for i, part := range s {
		if i > 0 {
			b.WriteString("\n")
		}
		if part.head != "" {
			fmt.Fprintf(&b, "**%s**\n\n", escaped(part.head))
		}
		if part.grid != nil {
			part.grid.markdown(&b)
			if len(part.lines) > 0 {
				b.WriteString("\n")
			}
		}
		for _, line := range part.lines {
			fmt.Fprintf(&b, "- %s\n", escaped(line))
		}
	}
	return []byte(b.String())
}
