package versus

import (
	"context"
	"fmt"
	"time"
)

// Contest runs loads by tools against one server. The first tool is the reference.
type Contest struct {
	Server  Server
	Tools   []Tool
	Seconds float64           // about how long the reference takes for one run
	Watch   bool              // look at the memory of each process
	Tell    func(line string) // progress; nil for none
}

// runLimit ends a run that hangs: far longer than any run that works.
const runLimit = 2 * time.Minute

// Row prepares the rounds of a load: it tries every tool with one request, so that
// one which cannot run it is named with its own words and takes no part, and sets
// the number of requests, the same for all, from the speed of the reference.
func (c Contest) Row(ctx context.Context, l Load) (*Row, error) {
	row := &Row{Name: l.String(), Metrics: []Metric{Throughput, P50, P99, CPU, NetCPU}}
	for _, t := range c.Tools {
		row.Arms = append(row.Arms, Arm{Name: t.Name, Cannot: c.try(ctx, t, l)})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	n, err := c.calibrate(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l, err)
	}
	row.Requests = n
	for i, t := range c.Tools {
		row.Arms[i].Run = func(ctx context.Context) (Sample, error) { return c.measure(ctx, t, l, n) }
	}
	if c.Tell != nil {
		c.Tell(fmt.Sprintf("%s: %s requests a run", l, grouped(float64(n))))
	}
	return row, nil
}

// try writes what the load reads, then runs it once with a single batch.
func (c Contest) try(ctx context.Context, t Tool, l Load) (cannot string) {
	if t.Seed != nil {
		if args := t.Seed(c.Server, l); args != nil {
			if _, err := Run(ctx, false, t.Path, args...); err != nil {
				return fmt.Sprintf("writing its keys: %v", err)
			}
		}
	}
	if _, err := c.Once(ctx, t, l, l.Requests(1)); err != nil {
		return err.Error()
	}
	return ""
}

// calibrate finds how many requests keep the reference busy for about c.Seconds: it
// goes on until a run tells a rate by which that run was at least half as long.
// Short runs tell too low a rate, because some tools count the time in which they
// connect.
func (c Contest) calibrate(ctx context.Context, l Load) (int64, error) {
	if len(c.Tools) == 0 || c.Seconds <= 0 {
		return 0, fmt.Errorf("%d tools for %g s", len(c.Tools), c.Seconds)
	}
	for n := l.Requests(1000); n < maxRequests; {
		run, err := c.once(ctx, c.Tools[0], l, n)
		if err != nil {
			return 0, fmt.Errorf("calibrate with %s: %w", c.Tools[0].Name, err)
		}
		wanted := l.Requests(4 * n) // when it tells no rate
		if run.RPS > 0 {
			wanted = l.Requests(int64(c.Seconds * run.RPS))
		}
		if wanted <= 2*n {
			return wanted, nil
		}
		n = wanted
	}
	return 0, fmt.Errorf("calibrate with %s: it tells no rate", c.Tools[0].Name)
}

// maxRequests ends a calibration that finds no end: no client is as fast as to
// send so many in a second.
const maxRequests = 100_000_000

// finished is a run with what was read from its output.
type finished struct {
	Outcome
	Report
}

func (c Contest) once(ctx context.Context, t Tool, l Load, n int64) (finished, error) {
	args, err := t.Args(c.Server, l, n)
	if err != nil {
		return finished{}, err
	}
	limited, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	out, err := Run(limited, c.Watch, t.Path, args...)
	if err != nil {
		return finished{}, err
	}
	report, err := t.Parse(out.Stdout, n)
	return finished{out, report}, err
}

// measure is one run of n requests, after one of a single request: what that
// takes is start-up, above all the keys that fullbore writes before it reads.
func (c Contest) measure(ctx context.Context, t Tool, l Load, n int64) (Sample, error) {
	idle, err := c.once(ctx, t, l, 1)
	if err != nil {
		return nil, fmt.Errorf("run of one request: %w", err)
	}
	run, err := c.once(ctx, t, l, n)
	if err != nil {
		return nil, err
	}
	s := run.sample(n)
	s.put(NetCPU, max(float64((run.CPU-idle.CPU).Nanoseconds()), 0)/1e3/float64(n))
	return s, nil
}

// Once is one run of n requests and nothing else.
func (c Contest) Once(ctx context.Context, t Tool, l Load, n int64) (Sample, error) {
	run, err := c.once(ctx, t, l, n)
	if err != nil {
		return nil, err
	}
	return run.sample(n), nil
}

func (f finished) sample(n int64) Sample {
	s := Sample{}
	s.put(Throughput, f.RPS)
	s.put(P50, f.P50)
	s.put(P99, f.P99)
	s.put(CPU, float64(f.CPU.Nanoseconds())/1e3/float64(n))
	if f.Peak > 0 {
		s.put(Resident, float64(f.Peak)/(1<<20))
	}
	return s
}
