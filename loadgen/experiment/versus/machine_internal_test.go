package versus

import (
	"strings"
	"testing"
	"time"
)

func TestProcessor(t *testing.T) {
	const text = "processor\t: 0\nmodel name\t: AMD EPYC 9R14\nflags\t: fpu\n\nprocessor\t: 1\nmodel name\t: other\n"
	if got := processor(text); got != "AMD EPYC 9R14" {
		t.Errorf("processor %q", got)
	}
	if got := processor("nothing"); got != "" {
		t.Errorf("processor %q of a file without one", got)
	}
}

func TestBusy(t *testing.T) {
	spent, stolen, ok := busy("cpu  100 20 30 9999 7 5 6 40 0 0\ncpu0 1 2\n")
	if !ok || spent != 1610*time.Millisecond || stolen != 400*time.Millisecond {
		t.Errorf("spent %v, stolen %v, %v; want 1.61 s, 0.4 s", spent, stolen, ok)
	}
	for _, text := range []string{"", "cpu 1 2", "cpu a b c d e f g h i\n", "intr 1 2 3 4 5 6 7 8 9\n"} {
		if _, _, ok := busy(text); ok {
			t.Errorf("%q was understood", text)
		}
	}
}

func TestSpent(t *testing.T) {
	fields := "S 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0"
	if got := spent("4711 (odd ) name) " + fields); got != 1750*time.Millisecond {
		t.Errorf("spent %v, want 1.75 s", got)
	}
	for _, text := range []string{"", "1 (x", "1 (x) S 1", "1 (x) " + strings.Repeat("x ", 20)} {
		if got := spent(text); got != 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestFacts(t *testing.T) {
	facts := Machine()
	if len(facts) < 4 || facts[0].Key != "goos" {
		t.Errorf("facts %v", facts)
	}
	for _, f := range facts {
		if f.Value == "" || strings.ContainsAny(f.Value, "\n") || strings.ContainsAny(f.Key, " :") {
			t.Errorf("fact %+v is no line of a benchmark file", f)
		}
	}
	if got := (Facts{{"a", "b"}, {"c", "d"}}).String(); got != "a: b; c: d" {
		t.Errorf("facts in a line: %q", got)
	}
}
