package insight

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// Group is the control group that limits the CPU of this process: the directories
// that have a say, its own first.
type Group struct {
	Version int      // 1 or 2; 0 = none was found
	Dirs    []string // under the root of the file system, without a leading slash
}

// FindGroup looks up the group of this process. system is the root directory, where
// /proc and /sys are, as os.DirFS("/") has it.
func FindGroup(system fs.FS) Group {
	own, mounts := slurp(system, "proc/self/cgroup"), slurp(system, "proc/self/mountinfo")
	paths := memberships(own)
	for _, m := range groupMounts(mounts) {
		where, ok := paths[m.version]
		if !ok {
			continue
		}
		g := Group{Version: m.version, Dirs: m.dirs(where)}
		// Of a hybrid machine's two hierarchies only one has the controller.
		if g.limits(system) {
			return g
		}
	}
	return Group{}
}

// memberships is the path of the group that has CPU, by version of the hierarchy.
func memberships(text string) map[int]string {
	all := map[int]string{}
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 || !strings.HasPrefix(parts[2], "/") {
			continue
		}
		switch {
		case parts[0] == "0" && parts[1] == "":
			all[2] = parts[2]
		case listed(parts[1], "cpu"):
			all[1] = parts[2]
		}
	}
	return all
}

// groupMount is where a hierarchy, from its directory root on, can be seen.
type groupMount struct {
	version     int
	root, point string
}

// groupMounts reads /proc/self/mountinfo, version 1 first: where it has CPU, that is
// the one in force.
func groupMounts(text string) []groupMount {
	var one, two []groupMount
	for line := range strings.Lines(text) {
		before, after, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 1 {
			continue
		}
		m := groupMount{root: left[3], point: left[4]}
		switch {
		case right[0] == "cgroup2":
			m.version = 2
			two = append(two, m)
		case right[0] == "cgroup" && listed(right[len(right)-1], "cpu"):
			m.version = 1
			one = append(one, m)
		}
	}
	return append(one, two...)
}

// listed says that a word is in a list with commas.
func listed(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// dirs are the directories of a group from its own up to the top that can be seen.
// A path that lies outside of it, as a container without a namespace of groups has
// it, stands for the top.
func (m groupMount) dirs(group string) []string {
	inside := "/"
	switch {
	case m.root == "/":
		inside = path.Clean(group)
	case group == m.root || strings.HasPrefix(group, m.root+"/"):
		inside = path.Clean("/" + strings.TrimPrefix(group, m.root))
	}
	top := strings.TrimPrefix(path.Clean("/"+m.point), "/")
	var all []string
	for {
		if dir := path.Join(top, inside); fs.ValidPath(dir) {
			all = append(all, dir)
		}
		if inside == "/" {
			return all
		}
		inside = path.Dir(inside)
	}
}

// limits says that the group has files of the controller, be there a limit or not.
func (g Group) limits(system fs.FS) bool {
	name := "cpu.cfs_quota_us"
	if g.Version == 2 {
		name = "cpu.max"
	}
	for _, dir := range g.Dirs {
		for _, file := range []string{name, "cpu.stat"} {
			if _, err := fs.Stat(system, path.Join(dir, file)); err == nil {
				return true
			}
		}
	}
	return false
}

// Quota is how many processors' time the group may use at most, its parents' limits
// included. Not told where there is no limit.
func (g Group) Quota(system fs.FS) Told[float64] {
	var least Told[float64]
	for _, dir := range g.Dirs {
		var q Told[float64]
		if g.Version == 2 {
			quota, period, _ := strings.Cut(strings.TrimSpace(slurp(system, path.Join(dir, "cpu.max"))), " ")
			q = quotient(quota, period)
		} else {
			q = quotient(slurp(system, path.Join(dir, "cpu.cfs_quota_us")), slurp(system, path.Join(dir, "cpu.cfs_period_us")))
		}
		if q.Known && (!least.Known || q.Value < least.Value) {
			least = q
		}
	}
	return least
}

// quotient is a quota in its period; not told for "max", -1 and anything else.
func quotient(quota, period string) Told[float64] {
	q, err := strconv.ParseInt(strings.TrimSpace(quota), 10, 64)
	p, errPeriod := strconv.ParseInt(strings.TrimSpace(period), 10, 64)
	if err != nil || errPeriod != nil || q <= 0 || p <= 0 {
		return Told[float64]{}
	}
	return Tell(float64(q) / float64(p))
}

// Throttle is how often, and for how long, processes were held back by a quota.
type Throttle struct {
	Times int64
	Time  time.Duration // of all processors together
}

// Throttled sums what the group and its parents held back. Not told without a group.
func (g Group) Throttled(system fs.FS) Told[Throttle] {
	var sum Told[Throttle]
	for _, dir := range g.Dirs {
		if t := throttle(slurp(system, path.Join(dir, "cpu.stat"))); t.Known {
			sum = Tell(Throttle{sum.Value.Times + t.Value.Times, sum.Value.Time + t.Value.Time})
		}
	}
	return sum
}

// throttle reads cpu.stat. Version 1 tells nanoseconds, version 2 microseconds.
func throttle(text string) Told[Throttle] {
	var times Told[int64]
	var held Told[time.Duration]
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "nr_throttled":
			times = whole(value)
		case "throttled_usec":
			held = period(value, time.Microsecond)
		case "throttled_time":
			held = period(value, time.Nanosecond)
		}
	}
	if !times.Known || times.Value > 1<<48 || held.Value > 1<<58 {
		return Told[Throttle]{}
	}
	return Tell(Throttle{times.Value, held.Value})
}

// Pressure is for how long, since the machine began, some task of the group waited
// for a processor. Not told by version 1.
func (g Group) Pressure(system fs.FS) Told[time.Duration] {
	if g.Version != 2 || len(g.Dirs) == 0 {
		return Told[time.Duration]{}
	}
	return pressure(slurp(system, path.Join(g.Dirs[0], "cpu.pressure")))
}

// pressure reads the total of "some" of a pressure file, in microseconds there.
func pressure(text string) Told[time.Duration] {
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "some" {
			total, _ := strings.CutPrefix(fields[len(fields)-1], "total=")
			return period(total, time.Microsecond)
		}
	}
	return Told[time.Duration]{}
}

// slurp is the text of a file; "" when there is none.
func slurp(system fs.FS, name string) string {
	text, err := fs.ReadFile(system, name)
	if err != nil {
		return ""
	}
	return string(text)
}
