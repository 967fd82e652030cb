package experiment

import (
	"testing"
	"time"

	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
)

// TestNoWinnerWhereTheClientIsTheLimit holds when a claim is taken back because the load
// generator was the limit of a side (M26), and when the server's own figures bear it out.
func TestNoWinnerWhereTheClientIsTheLimit(t *testing.T) {
	spent := func(each time.Duration) insight.Delta { return insight.Delta{Commands: 1000, Main: 1000 * each} }
	const micro = time.Microsecond
	both := [2]string{insight.ByClient, insight.ByClient}
	for _, c := range []struct {
		name    string
		limiter [2]string // by arm
		kind    paired.Kind
		cost    [2]time.Duration // of a command, by arm; 0 = not told
		threads int              // of the second arm
		pairs   int
		metric  Metric
		want    paired.Kind
	}{
		{"the server was the limit", [2]string{insight.ByServer, insight.ByServer}, paired.Faster, [2]time.Duration{}, 0, 8, Throughput, paired.Faster},
		{"the client was", both, paired.Faster, [2]time.Duration{}, 0, 8, Throughput, paired.CannotTell},
		{"and the server does the same for both", both, paired.Faster, [2]time.Duration{8 * micro, 8 * micro}, 0, 8, Throughput, paired.CannotTell},
		{"the slower side has its server's figure", [2]string{insight.ByServer, insight.ByClient}, paired.Faster, [2]time.Duration{}, 0, 8, Throughput, paired.Faster},
		{"the slower side does not", [2]string{insight.ByClient, insight.ByServer}, paired.Faster, [2]time.Duration{}, 0, 8, Throughput, paired.CannotTell},
		{"and the other way round", [2]string{insight.ByClient, insight.ByServer}, paired.Slower, [2]time.Duration{}, 0, 8, Throughput, paired.Slower},
		{"no difference of one client and another", [2]string{insight.ByServer, insight.ByClient}, paired.NoDifference, [2]time.Duration{}, 0, 8, Throughput, paired.CannotTell},
		{"but the server does far less", both, paired.Faster, [2]time.Duration{8 * micro, micro}, 0, 8, Throughput, paired.Faster},
		{"the server does more, and it is faster", both, paired.Faster, [2]time.Duration{micro, 8 * micro}, 0, 8, Throughput, paired.CannotTell},
		{"slower, and the server does more", both, paired.Slower, [2]time.Duration{micro, 2 * micro}, 0, 8, Throughput, paired.Slower},
		{"less than anybody would act on", both, paired.Faster, [2]time.Duration{100 * micro, 99 * micro}, 0, 8, Throughput, paired.CannotTell},
		{"threads are the question", both, paired.Slower, [2]time.Duration{}, 2, 8, Throughput, paired.Slower},
		{"percentiles", both, paired.Slower, [2]time.Duration{micro, 2 * micro}, 0, 8, TailP99, paired.CannotTell},
		{"too early to say anything", both, paired.CannotTell, [2]time.Duration{}, 0, 3, Throughput, paired.CannotTell},
	} {
		e := &course{Comparison: &Comparison{arms: []Arm{{}, {Threads: c.threads}}, rules: Rules{}.filled()}}
		o := Outcome{Metric: c.metric, Arms: make([]Measured, 2), Findings: make([]paired.Finding, 2)}
		o.Arms[0].Limiter.Name, o.Arms[1].Limiter.Name = c.limiter[0], c.limiter[1]
		for i, each := range c.cost {
			if each > 0 {
				o.Arms[i].Server = spent(each)
			}
		}
		o.Findings[1] = paired.Finding{Pairs: c.pairs, Ratio: 2, Verdict: paired.Verdict{Kind: c.kind}}
		f := e.bind(o, 1)
		held := f.Why == paired.ClientBound
		if f.Verdict.Kind != c.want || held != (c.kind != c.want) || f.Ratio != 2 {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}
