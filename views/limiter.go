package views

import "strings"

// Limiter is what holds the load back, and by which numbers. Without a Title nothing
// is known yet, and nothing is said.
type Limiter struct {
	Name     string // the word that the evidence may begin with: "server"
	Title    string // "server-bound"
	Evidence string // clauses: "server main thread 97 % of a core, 5 % of it executing commands"
	Advice   string // one sentence: "use io-threads, sharding or fewer bytes"
	Pressing bool   // the numbers say nothing about the server: the limit is on this side, or errors
}

// known tells whether there is anything to say.
func (l Limiter) known() bool { return l.Title != "" }

// Render draws the limiter on one line, in whole clauses.
func (l Limiter) Render(f Frame) string {
	c := newCanvas(f)
	if l.known() && c.height > 0 {
		c.space(1)
		l.draw(c)
		c.end()
	}
	return c.String()
}

// draw writes "limiter:" and as much as the line still takes.
func (l Limiter) draw(c *canvas) {
	c.text(Strong, limiterLead)
	c.space(1)
	c.text(l.tone(), l.line(c.width-c.col))
}

const limiterLead = "limiter:"

// tone marks the limits under which the result is not the server's.
func (l Limiter) tone() Tone {
	if l.Pressing {
		return Caution
	}
	return Plain
}

// line is the evidence and the advice in so many cells. The last clauses of the
// evidence go first, because its first one is the number that decided; then the
// advice shortens, then it goes: half a sentence would advise something else.
func (l Limiter) line(room int) string {
	advices := []string{l.Advice, strings.TrimPrefix(l.Advice, "use ")}
	if cut := clauses(l.Advice); len(cut) > 1 {
		advices = append(advices, l.Advice[:cut[0]])
	}
	for _, advice := range append(advices, "") {
		for _, fact := range l.facts() {
			text := fact
			if advice != "" {
				text += ": " + advice
			}
			if cells(text) <= room {
				return text
			}
		}
	}
	return l.Title // which the line cuts if it must
}

// facts are the title with the evidence, longest first. The title is left out where
// the evidence begins with its word: "server main thread" says "server-bound".
func (l Limiter) facts() []string {
	lead := ""
	if l.Name == "" || !strings.HasPrefix(l.Evidence, l.Name+" ") {
		lead = l.Title + ", "
	}
	if l.Evidence == "" {
		return []string{l.Title}
	}
	cut := clauses(l.Evidence)
	out := make([]string, 0, len(cut))
	for i := range cut {
		out = append(out, lead+l.Evidence[:cut[len(cut)-1-i]])
	}
	return out
}

// clauses are the places at which a sentence may end: before a comma, a semicolon or
// what stands in brackets, and at its end. Within brackets there is none.
func clauses(s string) []int {
	var out []int
	depth := 0
	for i := range len(s) {
		next := ""
		if i+1 < len(s) {
			next = s[i+1 : i+2]
		}
		switch s[i] {
		case ',', ';':
			if depth == 0 && next == " " {
				out = append(out, i)
			}
		case ' ':
			if depth == 0 && next == "(" {
				out = append(out, i)
			}
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
	}
	return append(out, len(s))
}
