//go:build verify && linux

package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"fullbore/loadgen/redistest"
)

// limits is how often each constructed truth is repeated, and how often it has to be
// named.
const limits, named = 10, 9

// limiter runs a load for three seconds and returns what held it back. wrap is put
// before the command line, such as a shell that enters a control group.
func (v *verification) limiter(wrap []string, args ...string) (name, evidence string) {
	v.t.Helper()
	line := append(append(wrap, program(v.t, plain), "--json", "--warmup", "none"), args...)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env, cmd.Dir = environment(), v.t.TempDir()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: errors are part of one of them
		v.t.Fatalf("%s: %v", strings.Join(line, " "), err)
	}
	var doc struct {
		Results []struct {
			Limiter *struct{ Name, Evidence string }
		}
	}
	if err := json.Unmarshal(out, &doc); err != nil || len(doc.Results) != 1 {
		v.t.Fatalf("%s: %v\n%s", strings.Join(line, " "), err, out)
	}
	if doc.Results[0].Limiter == nil {
		return "nothing", ""
	}
	return doc.Results[0].Limiter.Name, doc.Results[0].Limiter.Evidence
}

// truth repeats a load whose limiter is known.
func (v *verification) truth(what, want string, wrap []string, args ...string) {
	names, last := map[string]int{}, ""
	for range limits {
		name, evidence := v.limiter(wrap, append([]string{"--duration", "3s"}, args...)...)
		names[name]++
		if name == want || last == "" {
			last = evidence
		}
	}
	v.claim(what, fmt.Sprintf("%v; %s", names, last), fmt.Sprintf("%s, %d of %d", want, named, limits), names[want] >= named)
}

// limiters holds the limiter against loads that were made to have a certain one (M26).
func (v *verification) limiters() {
	server := redistest.Start(v.t)
	at := func(args ...string) []string { return append([]string{"-p", strconv.Itoa(server.Port)}, args...) }

	v.truth("limiter: one client thread, GET of 16 KB, 8 clients", "client", nil,
		at("-t", "get", "-d", "16384", "-c", "8", "-P", "4", "-r", "1k")...)
	loop := "for i=1,2000 do redis.call('GET', KEYS[1]) end return 1"
	v.truth("limiter: EVAL of 2,000 GETs", "server", nil, at("-c", "8", "--yes", "EVAL", loop, "1", "fullbore:x")...)
	v.truth("limiter: one client, a round trip of 1 ms", "in-flight", nil, at("-t", "get", "-c", "1", "--rtt", "1ms")...)
	server.Do(v.t, "SET", "fullbore:string", "x")
	v.truth("limiter: a command that fails every time", "errors", nil, at("-c", "4", "--yes", "--keep-keys", "LPUSH", "fullbore:string", "x")...)

	stop := crowd(v.t)
	v.truth("limiter: every processor busy with something else", "contended-host", nil, at("-t", "get", "-c", "20", "-r", "1k")...)
	stop()
	v.throttled(at("-t", "get", "-c", "20", "-P", "16", "-r", "1k"))
}

// throttled runs the load generator in a control group with a third of a processor.
func (v *verification) throttled(args []string) {
	const what = "limiter: a control group with a third of a processor"
	group := filepath.Join("/sys/fs/cgroup/cpu", fmt.Sprintf("fullbore-verify-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		v.told(what, "this machine lets no group be made: "+err.Error())
		return
	}
	defer os.Remove(group)
	for file, value := range map[string]string{"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "33000"} {
		if err := os.WriteFile(filepath.Join(group, file), []byte(value), 0o644); err != nil {
			v.told(what, "this machine lets no quota be set: "+err.Error())
			return
		}
	}
	enter := []string{"sh", "-c", `echo $$ > "$0/cgroup.procs"; exec "$@"`, group}
	v.truth(what, "contended-host", enter, args...)
}
