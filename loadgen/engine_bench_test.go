package loadgen_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
)

// processCPU is the user and system time of this process so far.
func processCPU(b *testing.B) time.Duration {
	b.Helper()
	raw, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		b.Skip("CPU time is read from /proc")
	}
	var pid int
	var comm, state string
	var f [11]int64
	var utime, stime int64
	args := []any{&pid, &comm, &state}
	for i := range f[:10] {
		args = append(args, &f[i])
	}
	args = append(args, &utime, &stime)
	if _, err := fmt.Sscan(string(raw), args...); err != nil {
		b.Fatal(err)
	}
	return time.Duration(utime+stime) * 10 * time.Millisecond
}

// BenchmarkEngine is the whole engine against a real server: requests per second
// and the client's CPU time per request, at the depths that matter.
func BenchmarkEngine(b *testing.B) {
	srv := redistest.Start(b)
	for _, mix := range []string{"get", "set", "lrange_100"} {
		for _, depth := range []int{1, 16, 100, 1000} {
			b.Run(fmt.Sprintf("%s/P=%d", mix, depth), func(b *testing.B) {
				p := plan(b, mix)
				p.Clients, p.Pipeline = 50, depth
				p.Duration = time.Second
				cpu := processCPU(b)
				var replies int64
				var elapsed time.Duration
				for range b.N {
					seg := run(b, at(b, srv.Addr), p).Last()
					replies += seg.Counters.Replies
					elapsed += seg.Measured
				}
				used := processCPU(b) - cpu
				b.ReportMetric(float64(replies)/elapsed.Seconds(), "requests/s")
				b.ReportMetric(float64(used.Nanoseconds())/float64(replies), "cpu-ns/request")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
