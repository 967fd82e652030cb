package insight_test

import (
	"math"
	"testing"
	"time"

	"fullbore/loadgen/insight"
)

func side(t *testing.T, name, command, recording string) insight.Side {
	t.Helper()
	d, ok := insight.Between(recorded(t, recording))
	if !ok {
		t.Fatalf("%s: not one stretch", recording)
	}
	return insight.Side{Name: name, Command: command, Delta: d}
}

func TestContradicts(t *testing.T) {
	set1, get1 := side(t, "SET", "set", "set-p1"), side(t, "GET", "get", "get-p1")
	set16, get16 := side(t, "SET", "set", "set-p16"), side(t, "GET", "get", "get-p16")
	get1p, get16p := side(t, "P=1", "get", "get-p1"), side(t, "P=16", "get", "get-p16")
	made := func(name, command string, perCommand, perCall time.Duration) insight.Side {
		return insight.Side{Name: name, Command: command, Delta: insight.Delta{
			Commands: 1000, Main: 1000 * perCommand, Calls: map[string]insight.Call{command: {Calls: 1000, Time: 1000 * perCall}},
		}}
	}
	whole := func(s insight.Side) insight.Side {
		s.Delta.Whole = true
		return s
	}
	for _, c := range []struct {
		name  string
		a, b  insight.Side
		ratio float64
		where string
		want  string
	}{
		{"GET below SET at P=1", set1, get1, 0.97, "at P=1",
			"at P=1 the timed command is 2-3 % of the server's CPU, so 'GET below SET' there is not command execution"},
		{"the same the other way round", get1, set1, 1 / 0.97, "at P=1",
			"at P=1 the timed command is 2-3 % of the server's CPU, so 'GET below SET' there is not command execution"},
		{"without a place", set16, get16, 0.9, "",
			"the timed command is 16-19 % of the server's CPU, so 'GET below SET' is not command execution"},
		{"the server agrees", set16, get16, 1.2, "at P=16", ""},
		{"equal", set1, get1, 1, "at P=1", ""},
		{"no ratio", set1, get1, math.NaN(), "at P=1", ""},
		{"no speed", set1, get1, 0, "at P=1", ""},
		{"one command, faster with less CPU", get1p, get16p, 7, "", ""},
		{"one command, faster with more CPU", get1p, get16p, 0.9, "",
			"the server's main thread needs 0.70 µs a command with P=16 and 6.84 µs with P=1, so 'P=16 below P=1' is not the server's work"},
		{"most of the time", made("LRANGE", "lrange", 10*us, 8*us), made("SORT", "sort", 20*us, 18*us), 1.2, "at P=1",
			"at P=1 the server takes 8.00 µs to execute LRANGE and 18 µs to execute SORT, so 'LRANGE below SORT' there is not the server's work"},
		{"next to nothing", made("X", "x", 100*us, 200), made("Y", "y", 100*us, 400), 1.2, "",
			"the timed command is below 1 % of the server's CPU, so 'X below Y' is not command execution"},
		{"the same part", made("X", "x", 9*us, 450), made("Y", "y", 10*us, 500), 1.2, "",
			"the timed command is 5 % of the server's CPU, so 'X below Y' is not command execution"},
		{"too near each other", made("X", "x", 10*us, 500), made("Y", "y", 10*us, 520), 1.2, "", ""},
		{"several commands", made("A", "", 10*us, us), made("B", "", 12*us, us), 1.2, "",
			"the server's main thread needs 10 µs a command with A and 12 µs with B, so 'A below B' is not the server's work"},
		{"whole process", whole(made("A", "", 10*us, us)), whole(made("B", "", 12*us, us)), 1.2, "",
			"the server needs 10 µs of CPU a command with A and 12 µs with B, so 'A below B' is not the server's work"},
		{"two kinds of CPU", whole(made("A", "", 10*us, us)), made("B", "", 12*us, us), 1.2, "", ""},
		{"nothing known", insight.Side{Name: "A"}, insight.Side{Name: "B"}, 1.2, "", ""},
	} {
		text, ok := insight.Contradicts(c.a, c.b, c.ratio, c.where)
		if text != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q %v, want %q", c.name, text, ok, c.want)
		}
	}
}
