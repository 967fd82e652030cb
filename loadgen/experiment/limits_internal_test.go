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
