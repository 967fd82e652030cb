//go:build bench && unix

package main_test

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment/versus"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// insight is what it costs to ask server and machine once a second how they fare: the
// same load without and with it, in turn, within this process.
func (b *bench) insight() {
	var rows []*versus.Row
	for _, p := range []int{1, 16} {
		row := &versus.Row{
			Name:    fmt.Sprintf("insight get P=%d c=50 d=3", p),
			Metrics: []versus.Metric{versus.Throughput, versus.P50, versus.P99, versus.CPU},
			Reach:   []versus.Reach{{Metric: versus.Throughput, Limit: 0.995, AtLeast: true}},
			Arms: []versus.Arm{
				{Name: "insight off", Run: b.watched(p, false)},
				{Name: "insight on", Run: b.watched(p, true)},
			},
		}
		if b.only.MatchString(row.Name) {
			rows = append(rows, row)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // as the program has it
	b.measure("The cost of insight", rows, "insight on")
}

// watched is a run of the engine alone, with or without looks at server and machine.
func (b *bench) watched(pipeline int, looks bool) func(context.Context) (versus.Sample, error) {
	return func(ctx context.Context) (versus.Sample, error) {
		mix, err := workload.ParseMix("get")
		if err != nil {
			return nil, err
		}
		r := loadgen.New(target.TCP(b.server.Host, b.server.Port), loadgen.Plan{
			Clients: 50, Pipeline: pipeline, Duration: b.length(), Warmup: loadgen.Warmup{Time: time.Second},
			Workload: workload.Workload{Mix: mix, Payload: 3, Keys: workload.KeySpace{Prefix: "insight:", Size: 100_000}},
		})
		if !looks {
			r.WithoutInsight()
		}
		before := insight.OwnCPU().Value
		res, err := r.Run(ctx)
		if err != nil {
			return nil, err
		}
		s := versus.Sample{versus.CPU: float64((insight.OwnCPU().Value - before).Nanoseconds()) / 1e3 / float64(max(1, res.Total.Replies))}
		seg := res.Last()
		s[versus.Throughput], _ = seg.Throughput()
		for metric, q := range map[versus.Metric]float64{versus.P50: .50, versus.P99: .99} {
			v, _ := seg.Latency.Quantile(q)
			s[metric] = float64(v) / float64(time.Millisecond)
		}
		return s, nil
	}
}
