package versus

import (
	"fmt"
	"strings"
)

// Load is what a tool is asked to do, in words that every tool knows.
type Load struct {
	Test     string   // redis-benchmark's name of a test, such as "get"; "" with Command
	Command  []string // what to send instead of a test; may hold __rand_int__
	Label    string   // names the load where a Command is too long to; "" is the test
	Clients  int
	Pipeline int
	Size     int   // bytes of a value
	Keys     int64 // distinct keys
	DB       int   // loads that need other data under the same keys are apart
}

// String is the load in words that also make a benchmark's name.
func (l Load) String() string {
	name := l.Label
	if name == "" {
		name = l.Test
	}
	return fmt.Sprintf("%s P=%d c=%d d=%d", name, l.Pipeline, l.Clients, l.Size)
}

// sent is the load as a command: its own, or that of an LRANGE, which
// redis-benchmark's own test precedes with as many LPUSHes as it then measures
// reads. Empty for other tests.
func (l Load) sent() []string {
	if elements, ok := strings.CutPrefix(l.Test, "lrange_"); ok {
		n := 0
		if _, err := fmt.Sscanf(elements, "%d", &n); err == nil && n > 0 {
			return []string{"LRANGE", "mylist", "0", fmt.Sprint(n - 1)}
		}
	}
	return l.Command
}

// batch is how many requests all clients together have under way. A count that
// it divides is sent exactly by tools that send whole batches only.
func (l Load) batch() int64 { return int64(l.Clients) * int64(l.Pipeline) }

// Requests is a count near n that the load can send in whole batches.
func (l Load) Requests(n int64) int64 {
	b := max(l.batch(), 1)
	return max((n+b-1)/b, 1) * b
}
