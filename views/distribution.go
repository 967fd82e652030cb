package views

import (
	"math"
	"strconv"
	"time"
)

// Distribution shows where the samples of a window lie, one lying bar per range.
type Distribution struct {
	Title string // "distribution, last 5 s"
	Bars  []Bar
}

// rangeWidth is the room for "<=1,204.50 ms" before a bar.
const rangeWidth = 15

// Render draws the ruled title and the bars; on one line it keeps the title with
// the fullest range.
func (d Distribution) Render(f Frame) string {
	c := newCanvas(f)
	if c.height == 1 {
		d.line(c)
		return c.String()
	}
	d.stack(c, c.height)
	return c.String()
}

// stack writes the title and bars on lines of their own.
func (d Distribution) stack(c *canvas, height int) {
	if height <= 0 {
		return
	}
	c.rule(pieces(d.Title), nil)
	d = d.merged(height - 1)
	for i := range d.Bars {
		d.bar(c, i)
		c.end()
	}
}

// merged folds the ranges at the slow end into one where there are too many.
func (d Distribution) merged(most int) Distribution {
	if len(d.Bars) <= most || most <= 0 {
		d.Bars = d.Bars[:min(len(d.Bars), max(0, most))]
		return d
	}
	// A copy: a view does not write into the value it was given.
	bars := append([]Bar(nil), d.Bars[:most]...)
	last := &bars[most-1]
	last.Last = true
	for _, b := range d.Bars[most:] {
		last.Share += b.Share
	}
	d.Bars = bars
	return d
}

// bar writes range, bar and share from the line's present column to its limit.
func (d Distribution) bar(c *canvas, i int) {
	start := c.col
	sign, at, unit := "", d.Bars[i].UpTo, ""
	switch {
	case d.Bars[i].Last && i > 0:
		sign, at, unit = ">", d.Bars[i-1].UpTo, " ms"
	case i == 0:
		sign, unit = "<=", " ms"
	}
	c.right(start+rangeWidth-4, Plain, sign+upTo(at, d.places()))
	c.text(Muted, unit)
	c.to(start + rangeWidth)
	share := d.Bars[i].Share
	room := c.limit - c.col - 7
	if room > 0 {
		d.lying(c, share, min(40, room))
		c.to(start + rangeWidth + min(40, room))
	}
	c.right(c.col+6, Plain, percent(share))
}

// lying draws a share as a bar, the largest share taking all the room.
func (d Distribution) lying(c *canvas, share float64, room int) {
	most := 0.0
	for _, b := range d.Bars {
		if isData(b.Share) {
			most = max(most, b.Share)
		}
	}
	if !isData(share) || share <= 0 || most <= 0 {
		return
	}
	n := int(math.Round(share / most * float64(room)))
	// Something is never nothing: the tail is what one looks for.
	if n == 0 {
		c.glyph(Accent, c.glyphs.part)
	}
	c.fill(Accent, c.glyphs.full, min(room, n))
}

// places is how many digits the ranges need: hundredths unless one is finer.
func (d Distribution) places() int {
	for _, b := range d.Bars {
		if !b.Last && b.UpTo%(10*time.Microsecond) != 0 && b.UpTo < time.Second {
			return 3
		}
	}
	return 2
}

// upTo writes a range's end in milliseconds.
func upTo(d time.Duration, places int) string {
	if d >= 100*time.Second {
		places = 0
	}
	return grouped(max(0, float64(d)/float64(time.Millisecond)), places)
}

// percent writes a share; what is there but small is "<1%", never "0%".
func percent(share float64) string {
	switch {
	case !isData(share) || share < 0:
		return unknown
	case share == 0:
		return "0%"
	case share < 0.005:
		return "<1%"
	case share < 1 && share >= 0.995:
		return ">99%"
	}
	return strconv.FormatFloat(min(share, 1)*100, 'f', 0, 64) + "%"
}

// line is the view on one line.
func (d Distribution) line(c *canvas) {
	top := -1
	for i, b := range d.Bars {
		if isData(b.Share) && (top < 0 || b.Share > d.Bars[top].Share) {
			top = i
		}
	}
	c.text(Plain, d.Title)
	if top >= 0 {
		end := "most <= " + upTo(d.Bars[top].UpTo, d.places()) + " ms"
		if d.Bars[top].Last && top > 0 {
			end = "most > " + upTo(d.Bars[top-1].UpTo, d.places()) + " ms"
		}
		if c.col+2+len(end) <= c.width {
			c.space(2)
			c.text(Plain, end)
		}
	}
	c.end()
}
