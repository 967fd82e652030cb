package loadgen

import (
	"fmt"
	"time"

	"fullbore/loadgen/stats"
)

// A clock that is asked once per socket read must be cheap (M7): a virtual machine
// without a usable time stamp counter pays a system call for each reading.
const (
	clockReads = 1000
	clockLimit = 250 * time.Nanosecond
)

// clockCost is the mean cost of reading the monotonic clock.
func clockCost() time.Duration {
	begin := time.Now()
	for range clockReads - 1 {
		time.Since(begin)
	}
	return time.Since(begin) / clockReads
}

// clockNote warns of an expensive clock; ok is false when it is cheap.
func clockNote(cost time.Duration) (note stats.Note, ok bool) {
	if cost <= clockLimit {
		return note, false
	}
	return stats.Note{
		Warning: true,
		Text:    fmt.Sprintf("reading the clock costs %v here: latencies and the client's CPU time carry it", cost),
	}, true
}
