package insight

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Parse reads the text of INFO, of the sections server, stats, cpu and commandstats
// or of all of them. Servers speak dialects: fields that are missing, negative, too
// large or no numbers are not told, unknown ones are passed over, and lines may end
// in any way. Where a server does not tell the CPU of its main thread (Redis before
// 6.2), that of its process is taken and marked.
func Parse(info string) Reading {
	r := Reading{Commands: -1, Main: -1}
	cpu := map[string]time.Duration{}
	for line := range strings.Lines(info) {
		line = strings.TrimSpace(line)
		if strings.EqualFold(line, "# commandstats") && r.Calls == nil {
			r.Calls = map[string]Call{} // told, though nothing ran yet
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		switch {
		case name == "run_id":
			r.RunID = value
		case name == "total_commands_processed":
			r.Commands = count(value)
		case strings.HasPrefix(name, "used_cpu_"):
			if t := seconds(value); t >= 0 {
				cpu[strings.TrimPrefix(name, "used_cpu_")] = t
			}
		case strings.HasPrefix(name, "cmdstat_"):
			r.call(strings.TrimPrefix(name, "cmdstat_"), value)
		}
	}
	r.Main, r.Whole = mainThread(cpu)
	return r
}

// mainThread sums user and system time; -1 when either is not told.
func mainThread(cpu map[string]time.Duration) (t time.Duration, whole bool) {
	both := func(user, system string) (time.Duration, bool) {
		u, haveUser := cpu[user]
		s, haveSystem := cpu[system]
		return u + s, haveUser && haveSystem
	}
	if t, ok := both("user_main_thread", "sys_main_thread"); ok {
		return t, false
	}
	if t, ok := both("user", "sys"); ok {
		return t, true
	}
	return -1, false
}

// call enters a line of commandstats: "calls=3,usec=21,usec_per_call=7.00,…".
func (r *Reading) call(name, value string) {
	c := Call{Calls: -1, Time: -1}
	for field := range strings.SplitSeq(value, ",") {
		switch key, text, _ := strings.Cut(field, "="); key {
		case "calls":
			c.Calls = count(text)
		case "usec":
			c.Time = scaled(text, time.Microsecond)
		}
	}
	if name == "" || c.Calls < 0 || c.Time < 0 {
		return
	}
	if r.Calls == nil {
		r.Calls = map[string]Call{}
	}
	r.Calls[strings.ToLower(name)] = c
}

// longest is a time that no server has run for, half of what a Duration holds, so
// that two can be added.
const longest = math.MaxInt64 / 2

// count is a whole number from 0 on; -1 for anything else.
func count(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// seconds is a time such as "12.345678"; -1 for anything else.
func seconds(text string) time.Duration { return scaled(text, time.Second) }

// scaled is a number of units; -1 when it is none, negative or too large.
func scaled(text string, unit time.Duration) time.Duration {
	v, err := strconv.ParseFloat(text, 64)
	v = math.Round(v * float64(unit))
	if err != nil || !(v >= 0 && v < longest) {
		return -1
	}
	return time.Duration(v)
}
