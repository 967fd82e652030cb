package versus

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Outcome is a client program that has ended, seen from outside.
type Outcome struct {
	Stdout, Stderr []byte
	CPU            time.Duration // user and system time of the whole process
	Wall           time.Duration
	Peak           int64 // most memory resident, in bytes; 0 where it was not watched or the system does not tell
}

// residentEvery is how often a watched process is looked at: often enough not to
// miss much before its end, seldom enough to cost nothing beside it.
const residentEvery = 50 * time.Millisecond

// Run runs a program to its end. watch asks for Peak. A program that says by its
// exit code that it failed is an error with the last line it wrote.
func Run(ctx context.Context, watch bool, program string, args ...string) (Outcome, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return Outcome{}, err
	}
	peak := func() int64 { return 0 }
	if watch {
		peak = watchPeak(cmd.Process.Pid)
	}
	err := cmd.Wait()
	out := Outcome{
		Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Wall: time.Since(begun), Peak: peak(),
		CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
	}
	if err != nil {
		return out, fmt.Errorf("%w: %s", err, lastLine(stderr.String(), stdout.String()))
	}
	return out, nil
}

// watchPeak follows a process until the returned function is called, which gives
// the largest value seen. The kernel keeps the high-water mark itself, so that
// only growth in the last moments is missed. (The one that wait4 reports counts
// the memory of this process in, from before the exec.)
func watchPeak(pid int) (stop func() int64) {
	done, answer := make(chan struct{}), make(chan int64, 1)
	go func() {
		var most int64
		defer func() {
			_ = recover() // a look that fails costs this figure and nothing else
			answer <- most
		}()
		ticker := time.NewTicker(residentEvery)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				most = max(most, highWater(pid))
			}
		}
	}()
	return func() int64 { close(done); return <-answer }
}

// highWater is VmHWM of a process in bytes, 0 when it is not to be had.
func highWater(pid int) int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	return numberAfter(string(text), "VmHWM:") << 10
}

// numberAfter is the whole number behind a name in a text, 0 when there is none.
func numberAfter(text, name string) int64 {
	_, rest, found := strings.Cut(text, name)
	words := strings.Fields(rest)
	if !found || len(words) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// lastLine is the last line of the first text that has one.
func lastLine(texts ...string) string {
	for _, text := range texts {
		if lines := strings.Split(strings.TrimSpace(text), "\n"); lines[len(lines)-1] != "" {
			return lines[len(lines)-1]
		}
	}
	return "it wrote nothing"
}
