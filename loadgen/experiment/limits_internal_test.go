package experiment

import (
	"strings"
	"testing"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// TestArmsCountTogether: two arms and the reference's twin share the files of one
// process. What is beyond them is refused before any connection, and during a
// comparison without a change of what is in force.
func TestArmsCountTogether(t *testing.T) {
	mix, err := workload.ParseMix("ping_mbulk")
	if err != nil {
		t.Fatal(err)
	}
	server := redistest.Start(t)
	compare := func(files int) *Comparison {
		var arms []Arm
		for _, clients := range []int{30, 20} {
			p := loadgen.Plan{Clients: clients, Pipeline: 1, Workload: workload.Workload{
				Mix: mix, Payload: 3, Keys: workload.KeySpace{Prefix: "fullbore:"},
			}}
			arms = append(arms, Arm{Plan: p, Place: Place{Target: target.TCP(server.Host, server.Port)}})
		}
		c := Compare(arms, nil, Rules{})
		c.limits = func() loadgen.Limits { return loadgen.Limits{Files: files, Open: 10} }
		return c
	}
	before := server.Info(t, "stats")["total_connections_received"]
	c := compare(80)
	s, err := c.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "clients 80") || !strings.Contains(err.Error(), "ulimit -n 98") || !s.Partial || s.Reason != err.Error() {
		t.Errorf("80 clients with 80 files: %v", err)
	}
	if after := server.Info(t, "stats")["total_connections_received"]; len(after) > len(before)+1 {
		t.Errorf("%s connections before, %s after", before, after)
	}
	c = compare(98)
	have := c.settings()
	if err := c.within(have); err != nil {
		t.Errorf("80 clients with 98 files: %v", err)
	}
	more := have
	more.Plans = append([]loadgen.Plan(nil), have.Plans...)
	more.Plans[1].Clients = 21
	if err := c.Apply(more); err == nil || !strings.Contains(err.Error(), "lower -c") || c.settings().Plans[1].Clients != 20 {
		t.Errorf("one client more: %v, %d in force", err, c.settings().Plans[1].Clients)
	}
	more.Plans[0].Clients = 29 // and so one less for the twin
	if err := c.Apply(more); err != nil {
		t.Errorf("one client less elsewhere: %v", err)
	}
}

// TestHistoryIsBounded: settings that are turned for days leave a bounded history, and
// a word on what is missing, once.
func TestHistoryIsBounded(t *testing.T) {
	mix, err := workload.ParseMix("ping_mbulk")
	if err != nil {
		t.Fatal(err)
	}
	p := loadgen.Plan{Clients: 1, Pipeline: 1, Workload: workload.Workload{Mix: mix, Payload: 3}}
	e := newCourse(Compare([]Arm{{Plan: p}, {Plan: p}}, nil, Rules{}))
	e.clear()
	told := 0
	for n := range 1000 {
		e.results = []Outcome{{Twins: []Round{{Pair: n}}}}
		handed := e.earlier
		e.remember()
		if len(e.earlier) > mostEarlier || len(e.notes) > mostNotes || len(handed) > 0 && handed[0].Results[0].Twins[0].Pair != max(0, n-mostEarlier) {
			t.Fatalf("after %d: %d series, %d notes, or what was handed out changed", n, len(e.earlier), len(e.notes))
		}
		if last := e.notes[len(e.notes)-1]; last.Warning {
			told++
		}
		if n == mostEarlier+1 {
			for _, note := range e.notes {
				if strings.Contains(note.Text, "the last 50 are kept") {
					told++
				}
			}
		}
	}
	if last := e.earlier[mostEarlier-1].Results[0].Twins[0].Pair; last != 999 || told != 1 {
		t.Errorf("the last series is %d; told %d times", last, told)
	}
}
