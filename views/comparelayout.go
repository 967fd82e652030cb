package views

// comparePlan is how the lines of a comparison are shared out.
type comparePlan struct {
	n, width  int
	wide      bool // two sides in columns, drawing 4
	banner    bool
	sides     int  // lines of the strip: all sides, or the names and one
	bars      int  // rows of a chart of throughput; zero leaves it out
	beside    bool // the charts stand side by side
	matrix    int  // lines of the matrix below rule and head, zero = none
	loads     int  // lines of the matrix that tell what was sent
	rows      int  // of the results; zero leaves them out
	verdicts  int
	ruled     bool // the verdicts have a rule
	doubt     bool // noise and pairs
	server    bool
	explained int // lines of the sentence on the server
	tails     int // rows of the strips of p99; zero leaves them out
	reading   int // sentences of "how to read"
	sentences int // the lines that these take
	notes     int
	titled    bool // the notes have a rule
}

// lines is what the plan takes.
func (p *comparePlan) lines() int {
	total := 2 + p.sides + p.verdicts + p.explained + p.notes // with header and key line
	for _, more := range [...]bool{p.banner, p.ruled, p.doubt, p.server, p.reading > 0, p.titled} {
		if more {
			total++
		}
	}
	total += p.chart(p.bars, p.beside) + p.chart(p.tails, false)
	if p.matrix > 0 {
		total += 2 + p.loads + p.matrix
	}
	if p.rows > 0 {
		total += 2 + p.rows
	}
	return total + p.sentences
}

// chart is what the charts of all sides take, rule included.
func (p *comparePlan) chart(rows int, beside bool) int {
	switch {
	case rows <= 0:
		return 0
	case p.wide && rows == 1:
		return 2
	case beside:
		return 1 + rows + chartFeet
	case p.wide:
		return 1 + rows
	case rows == 1:
		return 1 + p.n
	}
	return 1 + p.n*(rows+1) - 1
}

// chartFeet are the axis and the line of marks below a chart.
const chartFeet = 2

// Rows that a comparison does not go below before other things give way, and what
// its charts and strips grow to before anything else is added.
const (
	versusLeast = 6
	armLeast    = 8
	detailLeast = 3
	besideRows  = 3
	compareRows = 6
	tailRows    = 2
)

// change is a step to a smaller or larger plan; it tells whether there was one.
type change func(p *comparePlan) bool

// plan shares the frame out: what the small screen has, then what waited for height.
func (v *Compare) plan(f Frame) comparePlan {
	n := len(v.Sides)
	p := comparePlan{
		n: n, width: f.Width, wide: n == 2 && f.Width >= wideCompare, banner: v.Banner != "",
		sides: n + 1, bars: 1, verdicts: 1, ruled: true, doubt: true, notes: 1,
		server: v.Server != "", explained: len(v.explanation(f.Width)),
	}
	if n < 2 {
		p.sides, p.bars, p.verdicts, p.ruled, p.doubt = 0, 0, 0, false, false
	}
	all, least := v.resultRows(f.Width), versusLeast
	if n > 2 {
		least = armLeast
	}
	p.rows = min(all, least)
	if cases := v.matrixLines(); cases > 0 {
		p.matrix, p.loads, p.rows = cases, len(v.matrixLoads(f.Width)), 0
	}
	for _, give := range v.givingWay() {
		for p.lines() > f.Height && give(&p) {
			continue
		}
	}
	for _, grow := range v.growing(all) {
		for {
			next := p
			if !grow(&next) {
				break
			}
			// What does not fit ends it: were a smaller thing to slip in, it would have
			// to go again on a slightly taller screen.
			if next.lines() > f.Height {
				return p.stretched(f.Height, false)
			}
			p = next
		}
	}
	return p.stretched(f.Height, true)
}

// matrixLines are those of the matrix when all of it is shown.
func (v *Compare) matrixLines() int {
	if len(v.Cases) < 2 || len(v.Sides) < 2 {
		return 0
	}
	return len(v.Cases) + len(v.Averages)
}

// resultRows is how many rows the results have when all are shown.
func (v *Compare) resultRows(width int) int {
	switch {
	case len(v.Sides) < 2 || len(v.Rows) == 0:
		return 0
	case len(v.Sides) == 2:
		return len(v.Rows)
	}
	return len(v.armRows(width))
}

// givingWay are the steps by which a small frame gets smaller, the first ones first.
func (v *Compare) givingWay() []change {
	down := func(n *int, least int) bool {
		if *n <= least {
			return false
		}
		*n--
		return true
	}
	off := func(on *bool) bool {
		was := *on
		*on = false
		return was
	}
	return []change{
		// A side's own line goes before its results; the strip still names all sides.
		func(p *comparePlan) bool {
			if p.n <= 2 || p.sides == 2 {
				return false
			}
			p.sides = 2
			return true
		},
		func(p *comparePlan) bool {
			was := p.explained
			if p.n > 2 {
				p.explained = 0
			}
			return was > p.explained
		},
		// The table of many sides ends in their verdicts and needs no rule before more.
		func(p *comparePlan) bool { return p.n > 2 && off(&p.ruled) },
		func(p *comparePlan) bool { return p.matrix == 0 && down(&p.rows, 4) },
		func(p *comparePlan) bool { return p.matrix > 0 && down(&p.bars, 0) },
		func(p *comparePlan) bool {
			was := p.explained
			p.explained = 0
			return was > 0
		},
		func(p *comparePlan) bool { return down(&p.matrix, 1) },
		func(p *comparePlan) bool { return down(&p.rows, 1) },
		func(p *comparePlan) bool { return down(&p.notes, 0) },
		func(p *comparePlan) bool { return off(&p.server) },
		func(p *comparePlan) bool { return off(&p.doubt) },
		func(p *comparePlan) bool { return down(&p.bars, 0) },
	}
}

// growing are the steps by which a plan takes what the frame has left.
func (v *Compare) growing(rows int) []change {
	up := func(n *int, most int) bool {
		if *n >= most {
			return false
		}
		*n++
		return true
	}
	return []change{
		func(p *comparePlan) bool { return up(&p.matrix, v.matrixLines()) },
		func(p *comparePlan) bool { return p.n >= 2 && up(&p.bars, 1) },
		func(p *comparePlan) bool {
			// Details come with three rows at once, for a head with one is no use.
			if p.rows == 0 && p.matrix > 0 {
				p.rows = min(rows, detailLeast)
				return rows > 0
			}
			return up(&p.rows, rows)
		},
		func(p *comparePlan) bool {
			was := p.sides
			p.sides = p.n + 1
			return p.n >= 2 && was < p.sides
		},
		func(p *comparePlan) bool {
			was := p.ruled
			p.ruled = true
			return p.n >= 2 && !was
		},
		func(p *comparePlan) bool { return p.n > 2 && up(&p.verdicts, p.n-1) },
		func(p *comparePlan) bool { return up(&p.notes, min(2, len(v.Notes))) },
		func(p *comparePlan) bool { return p.bars == 1 && p.canBeside() && p.set(besideRows) },
		func(p *comparePlan) bool { return p.bars > 1 && p.beside && up(&p.bars, compareRows) },
		func(p *comparePlan) bool {
			was := p.titled
			p.titled = true
			return !was
		},
		func(p *comparePlan) bool { return p.n >= 2 && up(&p.reading, 2) && v.read(p) },
		func(p *comparePlan) bool { return p.n >= 2 && p.tails == 0 && up(&p.tails, 1) },
		func(p *comparePlan) bool { return p.n >= 2 && up(&p.reading, len(v.Reading())) && v.read(p) },
		func(p *comparePlan) bool { return p.wide && up(&p.tails, tailRows) },
	}
}

// read counts the lines of the sentences.
func (v *Compare) read(p *comparePlan) bool {
	p.sentences = len(v.readingLines(p.reading, p.width))
	return true
}

// canBeside tells whether the charts have room side by side.
func (p *comparePlan) canBeside() bool { return p.wide || (p.width+1)/p.n >= besideLeast }

// set makes charts out of strips: side by side where the columns are wide enough, else
// as taller strips one below the other.
func (p *comparePlan) set(rows int) bool {
	p.bars, p.beside = rows, p.canBeside()
	if !p.beside {
		p.bars = 2
	}
	return true
}

// stretched gives the lines that are left to the charts. Strips stay strips until all
// that comes before charts is there: else the charts would have to go again for it.
func (p comparePlan) stretched(height int, complete bool) comparePlan {
	for p.bars > 1 || p.bars == 1 && complete {
		next := p
		if p.bars == 1 {
			next.set(besideRows)
		} else {
			next.bars++
		}
		if next.lines() > height {
			break
		}
		p = next
	}
	return p
}
