package views_test

import (
	"fmt"
	"strings"
	"testing"

	"fullbore/views"
)

// Whatever the height, what the keyboard is on can be seen.
func TestPickerKeepsTheFocusInSight(t *testing.T) {
	p := pickerLine()
	for height := 1; height < 30; height++ {
		if got := strings.Join(lines(p, 80, height), "\n"); !strings.Contains(got, "SET visits 1_") {
			t.Errorf("height %d without the line that is typed:\n%s", height, got)
		}
	}
	p.OnLine = false
	for i := range p.Rows {
		p.Rows[i].Name = fmt.Sprintf("TEST_%02d", i)
		for j := range p.Rows {
			p.Rows[j].Focused = i == j
		}
		for height := 1; height < 30; height++ {
			if got := lines(p, 80, height); count(got, ">         "+p.Rows[i].Name) != 1 {
				t.Errorf("height %d without the focused row %d:\n%s", height, i, strings.Join(got, "\n"))
			}
		}
	}
}

// The bottom stands still while a filter shortens the list.
func TestPickerEndsAtTheSameLine(t *testing.T) {
	p := picker()
	want := lines(p, 80, 24)
	p.Rows = nil
	got := lines(p, 80, 24)
	if len(got) != 24 || len(want) != 24 || got[23] != want[23] || got[22] != want[22] {
		t.Errorf("got %d lines ending in %q, want %q", len(got), got[len(got)-1], want[23])
	}
	if count(got, "no test has that") != 1 || count(got, "0 of 21") != 1 {
		t.Errorf("an empty list is not explained:\n%s", strings.Join(got, "\n"))
	}
}

func TestPickerTellsTheMixAndTheDanger(t *testing.T) {
	p := picker()
	got := lines(p, 80, 24)
	for _, want := range []string{">     x3  GET ", "enter sends: set=1,get=3", "filter: get_", "2 of 21"} {
		if count(got, want) != 1 {
			t.Errorf("%q is missing:\n%s", want, strings.Join(got, "\n"))
		}
	}
	p = pickerLine()
	if got = lines(p, 80, 24); count(got, "! SET visits 1 writes visits") != 1 || count(got, "enter again sends it") != 1 {
		t.Errorf("the warning is missing:\n%s", strings.Join(got, "\n"))
	}
	p.Warning = append(p.Warning, strings.Repeat("more ", 200))
	if got = lines(p, 80, 24); count(got, "more") != 2 {
		t.Errorf("a long warning takes the screen:\n%s", strings.Join(got, "\n"))
	}
}

// TestStripPages walks the focus over more knobs than a line has room for.
func TestStripPages(t *testing.T) {
	names := func(focus, width int) string {
		s := manyKnobs()
		for i := range s {
			s[i].Focused = i == focus
		}
		return lines(views.Strip(s), width, 2)[0]
	}
	first, last := names(0, 80), names(8, 80)
	if !strings.HasSuffix(first, ">") || strings.Contains(first, "<") || !strings.HasSuffix(last, "batch") || !strings.HasPrefix(last, "< ") {
		t.Errorf("pages are\n%s\n%s", first, last)
	}
	for i := range 9 {
		want := first
		if i >= 6 {
			want = last
		}
		if got := names(i, 80); got != want {
			t.Errorf("focus on %d shows\n%s\nwant\n%s", i, got, want)
		}
		if got := names(i, 120); strings.ContainsAny(got, "<>") || !strings.Contains(got, "clients") || !strings.Contains(got, "batch") {
			t.Errorf("at 120 columns there are pages: %s", got)
		}
	}
}
