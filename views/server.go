package views

import "slices"

// ServerPanel is the server section of the live screen: what the server says of
// itself, at this moment.
type ServerPanel struct {
	Facts  []string // "1.14M ops/s", "cpu 99 % of a core", the most needed first
	Share  string   // in clauses: which part of its time commands take, for the rule's end; empty = unknown
	Silent string   // why the server tells nothing; empty = it does
}

// empty tells whether there is nothing to say, so that the section is left out.
func (s *ServerPanel) empty() bool { return len(s.Facts) == 0 && s.Silent == "" }

// Lines of the section: its rule and the limiter, and at most so many of facts.
const (
	serverFrame = 1
	serverFacts = 2
)

// factLines is how many lines the facts take at a width, serverFacts at most.
func (s *ServerPanel) factLines(width int) int {
	return min(serverFacts, max(1, len(flowed(s.facts(), width-2, roomyGap(width)))))
}

// facts are those of the section; a silent server has one, which is why.
func (s *ServerPanel) facts() []string {
	if s.Silent != "" {
		return []string{s.Silent}
	}
	return s.Facts
}

// draw fills lines lines with the rule, the facts and, where it is known, the limiter.
func (s *ServerPanel) draw(c *canvas, lines int, l Limiter) {
	if lines <= 0 {
		return
	}
	var right []piece
	if s.Silent == "" {
		right = shareOf(s.Share, c.width)
	}
	c.rule([]piece{{Plain, "server INFO"}}, right)
	lines -= serverFrame
	if l.known() {
		lines--
	}
	all := flowed(s.facts(), c.width-2, c.gap())
	for i := range lines {
		if i < len(all) {
			c.space(2)
			tone := Plain
			if s.Silent != "" {
				tone = Caution
			}
			for j, fact := range all[i] {
				if j > 0 {
					c.space(c.gap())
				}
				c.text(tone, fact)
			}
		}
		c.end()
	}
	if l.known() {
		c.space(2)
		l.draw(c)
		c.end()
	}
}

// shareOf is for the right end of the section's rule: as many clauses as fit.
func shareOf(share string, width int) []piece {
	room := width - cells("server INFO") - 13 - roomyGap(width)
	for _, at := range slices.Backward(clauses(share)) {
		if text := share[:at]; text != "" && cells(text) <= room {
			return []piece{{Plain, text}}
		}
	}
	return nil
}

// Render draws the section without a limiter.
func (s ServerPanel) Render(f Frame) string {
	c := newCanvas(f)
	if !s.empty() {
		s.draw(c, min(c.height, serverFrame+s.factLines(c.width)), Limiter{})
	}
	return c.String()
}

// roomyGap is the canvas's gap for a width.
func roomyGap(width int) int {
	if width >= roomyWidth {
		return 3
	}
	return 2
}

// flowed breaks facts into lines, whole ones: half a number is a wrong number. Only a
// fact that is longer than a line of its own is cut by the canvas.
func flowed(facts []string, width, gap int) [][]string {
	var out [][]string
	used := 0
	for _, fact := range facts {
		w := cells(fact)
		if w == 0 {
			continue
		}
		if last := len(out) - 1; last >= 0 && used+gap+w <= width {
			out[last], used = append(out[last], fact), used+gap+w
			continue
		}
		out, used = append(out, []string{fact}), w
	}
	return out
}
