package insight

import "time"

// Reading is one look at a server: INFO in numbers.
type Reading struct {
	RunID    string
	Commands int64           // processed since the server began; -1 = not told
	Main     time.Duration   // CPU of the thread that runs commands; -1 = not told
	Calls    map[string]Call // by lower-case command name; empty = not told
}

// Call is how often a command ran and how long that took.
type Call struct {
	Calls int64
	Time  time.Duration
}

// Delta is what happened between two readings of the same server, or of several
// such stretches together.
type Delta struct {
	Commands int64         // 0 = unknown
	Main     time.Duration // 0 = unknown
	Calls    map[string]Call
}
