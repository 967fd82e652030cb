package insight

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Parse reads the text of INFO: any of its sections, or all. Servers speak dialects:
// fields that are missing, negative, too large or no numbers are not told, unknown
// ones are passed over, lines may end in any way, and of a field told twice the last
// one counts. Where a server does not tell the CPU of its main thread (Redis before
// 6.2), or executes commands in several, that of its process is taken and marked.
func Parse(info string) Reading {
	p := parser{Reading: Reading{Commands: -1, Main: -1}}
	for line := range strings.Lines(info) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			p.section(line)
		} else if name, value, ok := strings.Cut(line, ":"); ok {
			p.field(name, value)
		}
	}
	p.finish()
	return p.Reading
}

// parser is a reading in the making.
type parser struct {
	Reading
	cpu  [6]Told[time.Duration] // by cpuField
	dark bool                   // its figures are not kept: the zeros it tells are none
}

// section enters that a table was told, though nothing may be in it.
func (p *parser) section(line string) {
	switch strings.ToLower(line) {
	case "# commandstats":
		if p.Calls == nil {
			p.Calls = map[string]Call{}
		}
	case "# errorstats":
		if p.Errors == nil {
			p.Errors = map[string]int64{}
		}
	case "# keyspace":
		p.State.Keys = Tell[int64](0) // counted anew where it is told twice
	case "# keydb":
		p.Server.Kind = "keydb"
	}
}

func (p *parser) field(name, value string) {
	if command, ok := strings.CutPrefix(name, "cmdstat_"); ok {
		p.call(command, value)
		return
	}
	if c, unit, ok := counted(name); ok {
		p.Counters[c] = Told[int64]{}
		if unit == 1 {
			p.Counters[c] = whole(value)
		} else if t := period(value, unit); t.Known {
			p.Counters[c] = Tell(int64(t.Value))
		}
		return
	}
	if i := cpuField(name); i >= 0 {
		p.cpu[i] = period(value, time.Second)
		return
	}
	if p.Server.describe(name, value) || p.State.note(name, value) {
		return
	}
	p.rare(name, value)
}

// rare takes the fields that have a kind of their own.
func (p *parser) rare(name, value string) {
	switch {
	case name == "run_id":
		p.RunID = value
	case name == "total_commands_processed":
		p.Commands = count(value)
	case name == "monitor_task": // Garnet keeps no figures unless it is told to
		p.dark = value == "disabled"
	case strings.HasPrefix(name, "errorstat_"):
		if n := whole(part(value, "count")); n.Known && name != "errorstat_" {
			if p.Errors == nil {
				p.Errors = map[string]int64{}
			}
			p.Errors[strings.TrimPrefix(name, "errorstat_")] = n.Value
		}
	case numbered(name, "io_thread_"):
		if n, err := strconv.ParseInt(strings.TrimPrefix(name, "io_thread_"), 10, 16); err == nil {
			p.Server.IOThreads = Tell(max(p.Server.IOThreads.Value, n+1))
		}
	case numbered(name, "used_active_time_io_thread_"):
		if t := period(value, time.Second); t.Known {
			p.Counters[ActiveIO] = Tell(min(largest, p.Counters[ActiveIO].Value) + int64(t.Value))
		}
	}
}

// cpuField numbers the fields of CPU time, system before user; -1 for other fields.
func cpuField(name string) int {
	switch name {
	case "used_cpu_sys":
		return 0
	case "used_cpu_user":
		return 1
	case "used_cpu_sys_children":
		return 2
	case "used_cpu_user_children":
		return 3
	case "used_cpu_sys_main_thread":
		return 4
	case "used_cpu_user_main_thread":
		return 5
	}
	return -1
}

// finish puts together what takes several fields to know.
func (p *parser) finish() {
	add := func(s, u time.Duration) time.Duration { return s + u }
	process, main := both(p.cpu[0], p.cpu[1], add), both(p.cpu[4], p.cpu[5], add)
	p.Server.name()
	p.State.settle(p.Server.Kind)
	if p.dark {
		p.Counters, p.Commands, p.State.Clients = Counters{}, -1, Told[int64]{}
	}
	children := both(p.cpu[2], p.cpu[3], add)
	p.Counters[ProcessCPU] = Told[int64]{Value: int64(process.Value), Known: process.Known}
	p.Counters[ChildrenCPU] = Told[int64]{Value: int64(children.Value), Known: children.Known}
	switch {
	case main.Known && p.Server.Threads.Value <= 1:
		p.Main = main.Value
	case process.Known:
		p.Main, p.Whole = process.Value, true
	}
}

// call enters a line of commandstats: "calls=3,usec=21,usec_per_call=7.00,…".
func (p *parser) call(name, value string) {
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
	if p.Calls == nil {
		p.Calls = map[string]Call{}
	}
	p.Calls[strings.ToLower(name)] = c
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

// scaled is a number of units; -1 when it is none, negative or too large.
func scaled(text string, unit time.Duration) time.Duration {
	v, err := strconv.ParseFloat(text, 64)
	v = math.Round(v * float64(unit))
	if err != nil || !(v >= 0 && v < longest) {
		return -1
	}
	return time.Duration(v)
}
