package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"time"

	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
)

// The rounds of a proof: the fewest that allow a verdict, and short ones, since somebody
// waits for it.
const (
	proofRound  = 400 * time.Millisecond
	proofSettle = 100 * time.Millisecond
)

// Proof is an answer to whether the load generator was the limit.
type Proof struct {
	Threads int    // at present; the other arm had twice as many
	Client  bool   // more threads brought more, so that it was
	Verdict string // in words
	State   *State // the rounds; nil where there is no room for more threads
}

// Prove runs an arm's load in turn with as many threads of the load generator as now and
// with twice as many, and tells whether they make it faster. It takes
// about twelve seconds. setThreads is as in Comparison; nil is told as a reason not to.
func Prove(ctx context.Context, a Arm, setThreads func(n int)) (Proof, error) {
	p := Proof{Threads: a.Threads}
	if p.Threads == 0 {
		p.Threads = runtime.GOMAXPROCS(0)
	}
	if setThreads == nil {
		p.Verdict = "cannot be proven: the built-in server shares its threads with the load; try a server of its own"
		return p, nil
	}
	if room := processors(); room <= p.Threads {
		p.Verdict = fmt.Sprintf("cannot be proven here: %s already have all %d processors; run a second client on another host", threads(p.Threads), room)
		return p, nil
	}
	c := proofOf(a, p.Threads)
	c.SetThreads = setThreads
	s, err := c.Run(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && s.Partial {
		err = errors.New(s.Reason)
	}
	if err != nil {
		return p, err
	}
	p.State = s
	p.Client, p.Verdict = proven(s.Results[0].Findings[1], p.Threads)
	return p, nil
}

// proofOf is an arm under n threads against the same under twice as many.
func proofOf(a Arm, n int) *Comparison {
	one, two := a, a
	one.Threads, two.Threads = n, 2*n
	one.Label, two.Label = threads(one.Threads), threads(two.Threads)
	c := Compare([]Arm{one, two}, nil, Rules{Round: proofRound, Settle: proofSettle, Pairs: LeastPairs})
	c.Once = true
	return c
}

// proven is the verdict on more threads as one on the client.
func proven(f paired.Finding, n int) (client bool, words string) {
	text := f.Verdict.Text
	switch f.Verdict.Kind {
	case paired.Faster:
		return true, "client-bound: " + text + "; raise --threads"
	case paired.CannotTell:
		return false, text
	case paired.Slower:
		return false, fmt.Sprintf("not client-bound: more threads than %d do harm: %s", n, text)
	}
	return false, "not client-bound: twice the threads bring nothing: " + text
}

// processors is how many of them this process can keep busy.
func processors() int {
	n := runtime.NumCPU()
	system := os.DirFS("/")
	if quota := insight.FindGroup(system).Quota(system); quota.Known {
		n = min(n, int(math.Ceil(quota.Value)))
	}
	return n
}

func threads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}
