//go:build verify && linux

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/experiment/versus"
	"fullbore/loadgen/redistest"
)

// ruling is a comparison as its JSON tells it.
type ruling struct {
	Ratio, Low, High, P, Floor float64
	Pairs                      int
	Kind                       string
}

// compare runs a comparison of two arms and reads its only verdict.
func (v *verification) compare(args ...string) ruling {
	v.t.Helper()
	args = append([]string{"compare", "--json"}, args...)
	out, err := versus.Run(v.t.Context(), false, program(v.t, plain), args...)
	if err != nil {
		v.t.Fatalf("fullbore %s: %v", strings.Join(args, " "), err)
	}
	var doc struct {
		Comparisons []struct {
			Ratio   float64
			Low     float64 `json:"ratio_low"`
			High    float64 `json:"ratio_high"`
			P       float64
			Floor   float64 `json:"noise_floor"`
			Pairs   int
			Verdict struct{ Kind string }
		}
	}
	if err := json.Unmarshal(out.Stdout, &doc); err != nil || len(doc.Comparisons) != 1 {
		v.t.Fatalf("fullbore %s: %v\n%s", strings.Join(args, " "), err, out.Stdout)
	}
	c := doc.Comparisons[0]
	return ruling{c.Ratio, c.Low, c.High, c.P, c.Floor, c.Pairs, c.Verdict.Kind}
}

func (j ruling) String() string {
	return fmt.Sprintf("%s x %.3f [%.3f..%.3f], p %.4f, floor %.1f %%, %d pairs", j.Kind, j.Ratio, j.Low, j.High, j.P, 100*j.Floor, j.Pairs)
}

// claims reports whether a verdict says that there is a difference.
func (j ruling) claims() bool {
	return slices.Contains([]string{"faster", "slower", "below_practical"}, j.Kind)
}

// crowd keeps every processor busy with something else until the function returned
// is called.
func crowd(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all []*exec.Cmd
	for range runtime.NumCPU() {
		cmd := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	return func() {
		cancel()
		for _, cmd := range all {
			_ = cmd.Wait() // killed, as it was meant to be
		}
	}
}

// busyVerdicts holds that a setting is never called better than itself, whoever else
// is at work (C15), and looks at GET beside SET then (C01).
func (v *verification) busyVerdicts() {
	server := redistest.Start(v.t)
	const reps = 40
	stop := crowd(v.t)
	defer stop()
	winners, kinds := 0, map[string]int{}
	for seed := range reps {
		j := v.compare(onServer(server, "-t", "get", "--round", "300ms", "--settle", "100ms", "--pairs", "12",
			"--seed", strconv.Itoa(seed), "base", "base")...)
		if kinds[j.Kind]++; j.claims() {
			winners++
			v.told(fmt.Sprintf("A/A on a busy machine, seed %d", seed), j.String())
		}
	}
	v.claim(fmt.Sprintf("C15: A/A, every processor busy, %d seeds: claims of a difference", reps),
		fmt.Sprintf("%d; %v", winners, kinds), "0", winners == 0)
	v.told("C01: GET against SET, P=1, every processor busy", v.compare(onServer(server, "t=set", "t=get")...).String())
}

// onServer are the arguments of a comparison on one server. One thread would itself be
// the limit where nothing else is busy, and nothing would be claimed (M26).
func onServer(server *redistest.Server, args ...string) []string {
	return append([]string{"-p", strconv.Itoa(server.Port), "-c", "20", "-r", "10k", "--threads", "2"}, args...)
}

// verdicts holds what comparisons say where the truth is known (C01, C15).
func (v *verification) verdicts() {
	server := redistest.Start(v.t)
	j := v.compare(onServer(server, "t=set", "t=get")...)
	v.told("C01: GET against SET, P=1", j.String())
	j = v.compare(onServer(server, "-t", "get", "base", "base")...)
	v.claim("C01: GET against itself, P=1", j.String(), "no claim", !j.claims())
	j = v.compare(onServer(server, "-P", "16", "t=set", "t=get")...)
	v.claim("C01: GET against SET, P=16", j.String(), "faster", j.Kind == "faster")
}

// slowed compares a server with one of its kind that rests a fifth of the time.
func (v *verification) slowed() {
	const reps = 5
	server, slow := redistest.Start(v.t), redistest.Start(v.t)
	rest, found := make(chan struct{}), 0
	go func() {
		for {
			select {
			case <-rest:
				return
			case <-time.After(4 * time.Millisecond):
			}
			_ = syscall.Kill(slow.PID, syscall.SIGSTOP) // fails only when it is gone, which the load tells
			time.Sleep(time.Millisecond)
			_ = syscall.Kill(slow.PID, syscall.SIGCONT)
		}
	}()
	var last ruling
	for seed := range reps {
		last = v.compare("-t", "set", "-c", "20", "--seed", strconv.Itoa(seed),
			fmt.Sprintf("p=%d", server.Port), fmt.Sprintf("p=%d", slow.Port))
		if last.Kind == "slower" {
			found++
		}
	}
	close(rest)
	v.claim("C15: a server that rests a fifth of the time is called slower", fmt.Sprintf("%d of %d; the last: %s", found, reps, last), "all", found == reps)
}
