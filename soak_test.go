package main_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// soak is a run that is changed, refused and cut off again and again.
type soak struct {
	t      *testing.T
	server *redistest.Server
	runner *loadgen.Runner
	random *rand.Rand
	mixes  []workload.Mix
	pace   time.Duration // between two changes
	kills  int
}

// soaked is what must not grow with time.
type soaked struct {
	resident, heap    int64 // bytes; the heap after a collection
	goroutines, files int
	snapshot          int // bytes, about
	points            int
}

// TestSoak holds that memory, goroutines, files and snapshots are flat over time: what
// they are after some hundred changes of plan, thousands of error replies of ever new
// codes and dozens of lost connections, they are after twice as many. SOAK=1h makes it
// the long one, at a slower pace and with a line a minute (`make soak`).
func TestSoak(t *testing.T) {
	s := newSoak(t)
	if text := os.Getenv("SOAK"); text != "" {
		length, err := time.ParseDuration(text)
		if err != nil || length < 2*time.Second {
			t.Fatalf("SOAK=%s: a time such as 1h", text)
		}
		s.long(length)
		return
	}
	// By then everything that has a bound has reached it, but for a build that looks
	// for races on a busy machine: that one gets as far as it gets.
	const half, patience = 480, 6 * time.Second
	begin := time.Now()
	s.until(func(snap *stats.Snapshot) bool { return snap.Epoch >= half || time.Since(begin) > patience })
	middle := s.look()
	s.until(func(snap *stats.Snapshot) bool { return snap.Epoch >= 2*half || time.Since(begin) > 2*patience })
	s.compare(middle, s.look())
	snap := s.runner.Snapshot()
	if len(snap.Faults) > 100 || len(snap.History) > 400 || len(snap.Notes) > 200 || len(snap.Marks) > 400 {
		t.Errorf("%d kills, %d lost, %d kinds of faults, %d segments: beyond their bounds", s.kills, snap.Total.Lost, len(snap.Faults), len(snap.History))
	}
	s.exact()
}

// newSoak starts a server and a run, which end with the test.
func newSoak(t *testing.T) *soak {
	s := &soak{t: t, server: redistest.Start(t), random: rand.New(rand.NewPCG(6, 8)), pace: 2 * time.Millisecond}
	for _, line := range []string{
		"SET fullbore:k:__rand_int__ __data__",
		"GET fullbore:k:__rand_int__",
		// A server that words every error anew.
		`EVAL "return redis.error_reply('E'..ARGV[1]..' again')" 0 __rand_int__`,
		"SET fullbore:k:__rand_int__ __data__ ; GET fullbore:k:__rand_int__ ; PING",
	} {
		mix, err := workload.ParseLine(line)
		if err != nil {
			t.Fatal(err)
		}
		s.mixes = append(s.mixes, mix)
	}
	s.runner = loadgen.New(target.TCP(s.server.Host, s.server.Port), s.rest())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := s.runner.Run(ctx)
		done <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

// rest is the plan under which things are counted.
func (s *soak) rest() loadgen.Plan {
	return loadgen.Plan{Clients: 10, Pipeline: 4, Workload: workload.Workload{
		Mix: s.mixes[0], Payload: 16, Keys: workload.KeySpace{Prefix: "fullbore:", Size: 200},
	}}
}

// next is a plan that differs in everything that a user can turn.
func (s *soak) next() loadgen.Plan {
	p := s.rest()
	pick := func(of ...int) int { return of[s.random.IntN(len(of))] }
	p.Clients, p.Pipeline = pick(1, 5, 20), pick(1, 7, 64)
	p.Workload.Payload = pick(3, 100, 4<<10)
	p.Workload.Mix = s.mixes[s.random.IntN(len(s.mixes))]
	p.Rate = float64(pick(0, 0, 5, 20_000)) // 5: most clients wait for seconds
	p.Paused = s.random.IntN(20) == 0
	return p
}

// until turns knobs and kills connections until enough is seen.
func (s *soak) until(enough func(*stats.Snapshot) bool) {
	s.t.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	for n := 1; !enough(s.runner.Snapshot()); n++ {
		if time.Now().After(deadline) {
			s.t.Fatalf("stuck: %+v", s.runner.Snapshot().Total)
		}
		s.turn(n)
	}
}

// turn is one change, put into force.
func (s *soak) turn(n int) {
	s.t.Helper()
	epoch := s.runner.Snapshot().Epoch
	if err := s.runner.Apply(s.next()); err != nil {
		s.t.Fatal(err)
	}
	s.wait("a change in force", func(snap *stats.Snapshot) bool { return snap.Epoch > epoch })
	if n%25 == 0 {
		s.server.Do(s.t, "CLIENT", "KILL", "TYPE", "normal")
		s.kills++
	}
	time.Sleep(s.pace) // the load's turn; nothing depends on its length
}

func (s *soak) wait(what string, cond func(*stats.Snapshot) bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !cond(s.runner.Snapshot()); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("never happened: %s", what)
		}
	}
}

// look counts under the plan of rest, when what the last change left behind is gone.
func (s *soak) look() soaked {
	s.t.Helper()
	p := s.rest()
	epoch := s.runner.Snapshot().Epoch
	if err := s.runner.Apply(p); err != nil {
		s.t.Fatal(err)
	}
	s.wait("rest", func(snap *stats.Snapshot) bool {
		return snap.Epoch > epoch && snap.Connected == p.Clients && snap.State == stats.Measuring && snap.Current.Counters.Replies > 0
	})
	var mem runtime.MemStats
	debug.FreeOSMemory() // collects twice, so that pools are empty as well
	runtime.ReadMemStats(&mem)
	snap := s.runner.Snapshot()
	return soaked{
		resident: resident(), heap: int64(mem.HeapAlloc), goroutines: runtime.NumGoroutine(),
		files: loadgen.Probe().Open, snapshot: weight(snap), points: len(snap.Points),
	}
}

// resident is the memory that the system has given to this process; 0 where it does
// not tell.
func resident() int64 {
	text, _ := os.ReadFile("/proc/self/statm")
	if words := strings.Fields(string(text)); len(words) > 1 {
		pages, _ := strconv.ParseInt(words[1], 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}

// weight is about how many bytes hang on a snapshot. Points are left out: they are a
// line of an hour, bounded by a test of its own.
func weight(s *stats.Snapshot) int {
	n := int(unsafe.Sizeof(*s)) + len(s.Bars)*int(unsafe.Sizeof(stats.Bar{}))
	for _, g := range s.History {
		n += int(unsafe.Sizeof(g)) + len(g.Plan) + len(g.Commands)*int(unsafe.Sizeof(stats.CommandStats{}))
		n += len(g.Distribution.Steps()) * int(unsafe.Sizeof(stats.Step{}))
	}
	for _, m := range s.Marks {
		n += int(unsafe.Sizeof(m)) + len(m.Text)
	}
	for _, e := range s.Notes {
		n += int(unsafe.Sizeof(e)) + len(e.Text)
	}
	for _, f := range s.Faults {
		n += int(unsafe.Sizeof(f)) + len(f.Code) + len(f.Text)
	}
	return n
}

// compare allows for what a collector and other goroutines of the test do: a leak of
// one thing for each change, connection or error would be far more.
func (s *soak) compare(before, after soaked) {
	s.t.Helper()
	if after.heap > before.heap+before.heap/2+16<<20 || after.snapshot > 3*before.snapshot+4<<20 {
		s.t.Errorf("memory grew: %+v, then %+v", before, after)
	}
	if after.goroutines > before.goroutines+20 || after.files > before.files+20 {
		s.t.Errorf("goroutines or files grew: %+v, then %+v", before, after)
	}
}

// exact holds that what was folded is in the sums: the segments and the one that goes
// on are the whole, to the request.
func (s *soak) exact() {
	s.t.Helper()
	snap := s.runner.Snapshot()
	sum := snap.Current.Counters
	measured := snap.Current.Measured
	for _, g := range snap.History {
		sum.Add(g.Counters)
		measured += g.Measured
	}
	// Whole is as old as the last slot of the window, Current as the snapshot.
	if sum.Replies < snap.Whole.Counters.Replies || measured < snap.Whole.Measured || sum.Replies > snap.Total.Replies {
		s.t.Errorf("segments have %d replies in %v, the whole %d in %v, the run %d",
			sum.Replies, measured, snap.Whole.Counters.Replies, snap.Whole.Measured, snap.Total.Replies)
	}
}

// long soaks for so long, and says every minute how it stands. The first quarter fills
// what has a bound.
func (s *soak) long(length time.Duration) {
	s.pace = 100 * time.Millisecond
	begin, minute := time.Now(), min(time.Minute, length/8)
	var first *soaked
	s.t.Logf("%8s %9s %9s %10s %6s %12s %7s %8s %7s %9s", "time", "rss MB", "heap MB", "goroutines", "files", "snapshot kB", "points", "changes", "kills", "errors")
	for n, turns := 1, 1; time.Since(begin) < length; n++ {
		for next := time.Duration(n) * minute; time.Since(begin) < min(next, length); turns++ {
			s.turn(turns)
		}
		now := s.look()
		snap := s.runner.Snapshot()
		s.t.Logf("%8v %9.1f %9.1f %10d %6d %12d %7d %8d %7d %9d", time.Since(begin).Round(time.Second), float64(now.resident)/1e6, float64(now.heap)/1e6,
			now.goroutines, now.files, now.snapshot/1000, now.points, snap.Epoch, s.kills, snap.Total.Errors)
		switch {
		case first != nil:
			s.compare(*first, now)
		case snap.Epoch > 600 && time.Since(begin) > length/4:
			first = &now
		}
	}
	s.exact()
}
