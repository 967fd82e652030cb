package versus

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Fact is one thing to know about where figures were measured. The key starts with
// a lower case letter and has no blanks, as benchmark lines want it.
type Fact struct{ Key, Value string }

// Facts are in the order in which they are told.
type Facts []Fact

// String is the facts in a line.
func (f Facts) String() string {
	var parts []string
	for _, fact := range f {
		parts = append(parts, fact.Key+": "+fact.Value)
	}
	return strings.Join(parts, "; ")
}

// Machine is what this system tells of itself; what it does not tell is left out.
func Machine() Facts {
	facts := Facts{{"goos", runtime.GOOS}, {"goarch", runtime.GOARCH}}
	add := func(key, value string) {
		if value = strings.TrimSpace(value); value != "" {
			facts = append(facts, Fact{key, value})
		}
	}
	add("cpu", processor(read("/proc/cpuinfo")))
	add("cores", strconv.Itoa(runtime.NumCPU()))
	add("kernel", read("/proc/sys/kernel/osrelease"))
	add("go", runtime.Version())
	return facts
}

func read(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "" // another system than Linux
	}
	return string(text)
}

// processor is the first model name in /proc/cpuinfo.
func processor(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Busy is how much processor time all of the machine has spent so far, and how
// much of it the hypervisor kept; false where the system does not tell.
func Busy() (spent, stolen time.Duration, ok bool) { return busy(read("/proc/stat")) }

// tick is the unit of /proc/stat on every Linux that Go runs on.
const tick = time.Second / 100

func busy(stat string) (spent, stolen time.Duration, ok bool) {
	line, _, _ := strings.Cut(stat, "\n")
	words := strings.Fields(line)
	// cpu user nice system idle iowait irq softirq steal …
	if len(words) < 9 || words[0] != "cpu" {
		return 0, 0, false
	}
	var ticks [9]int64
	for i := 1; i < 9; i++ {
		n, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil {
			return 0, 0, false
		}
		ticks[i] = n
	}
	const idle, waiting, steal = 4, 5, 8
	for i, n := range ticks {
		if i != idle && i != waiting && i != steal {
			spent += time.Duration(n) * tick
		}
	}
	return spent, time.Duration(ticks[steal]) * tick, true
}

// Spent is the processor time of a running process so far; 0 where the system
// does not tell.
func Spent(pid int) time.Duration { return spent(read(fmt.Sprintf("/proc/%d/stat", pid))) }

func spent(stat string) time.Duration {
	// The name in brackets may hold anything, blanks and brackets included.
	i := strings.LastIndex(stat, ")")
	words := strings.Fields(stat[i+1:])
	if i < 0 || len(words) < 13 {
		return 0
	}
	user, err := strconv.ParseInt(words[11], 10, 64)
	system, err2 := strconv.ParseInt(words[12], 10, 64)
	if err != nil || err2 != nil {
		return 0
	}
	return time.Duration(user+system) * tick
}
