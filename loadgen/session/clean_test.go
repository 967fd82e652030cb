package session_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/session"
	"fullbore/loadgen/workload"
)

// names are the server's keys, in order.
func names(t *testing.T, server *redistest.Server) []string {
	t.Helper()
	var all []string
	for _, k := range server.Do(t, "KEYS", "*").([]any) {
		all = append(all, string(k.([]byte)))
	}
	slices.Sort(all)
	return all
}

// TestCleanIsLiteral holds that a prefix means its own letters, whatever SCAN takes
// them for.
func TestCleanIsLiteral(t *testing.T) {
	server := redistest.Start(t)
	all := []string{"a*b:1", "aXb:1", "a*b", "*", "x", "[x]:1", "x:1", "]:1", "?:1", "y:1", `\:1`, ":1", `\\:1`, "[^a]:1", "b:1", "a-c:1", "{t}:1", "", "ключ:1", "кл\xff:1"}
	slices.Sort(all)
	for _, prefix := range []string{"a*b:", "*", "[x]:", "[x", "]", "?:", "?", `\`, `\\`, `\:`, "[^a]:", "[^", "a-c:", "{t}", "ключ:", "кл\xff", "none:"} {
		server.Do(t, "FLUSHALL")
		var want []string
		for _, k := range all {
			server.Do(t, "SET", k, "1")
			if !strings.HasPrefix(k, prefix) {
				want = append(want, k)
			}
		}
		n, err := open(t, server, prefix).Clean(t.Context(), nil)
		if got := names(t, server); err != nil || int(n) != len(all)-len(want) || !slices.Equal(got, want) {
			t.Errorf("prefix %q: %d removed, %v, left %q, want %q", prefix, n, err, got, want)
		}
	}
	if n, err := open(t, server, "").Clean(t.Context(), nil); n != 0 || err != nil || server.DBSize(t) == 0 {
		t.Errorf("without a prefix: %d removed, %v", n, err)
	}
}

// TestCleanAsItGoes holds that progress tells the truth, and that a server which
// restarts meanwhile is cleaned from the beginning.
func TestCleanAsItGoes(t *testing.T) {
	server := redistest.Start(t, "--save", "3600 1")
	fill := "for i = 1, 6000 do redis.call('SET', 'fullbore:' .. i, 1) redis.call('SET', 'theirs:' .. i, 1) end"
	server.Do(t, "EVAL", fill, 0)
	var removed, looked []int64
	s := open(t, server, "fullbore:")
	n, err := s.Clean(t.Context(), func(r, l int64) { removed, looked = append(removed, r), append(looked, l) })
	if err != nil || n != 6000 || len(removed) < 5 || !slices.IsSorted(removed) || removed[len(removed)-1] != 6000 || !slices.IsSorted(looked) || looked[len(looked)-1] < 6000 {
		t.Errorf("%d removed, %v, told %d of %d", n, err, removed, looked)
	}
	server.Do(t, "EVAL", fill, 0)
	server.Do(t, "SAVE")
	again := false
	n, err = s.Clean(t.Context(), func(r, _ int64) {
		if r > 2000 && !again {
			again = true
			server.Kill()
			server.Restart(t)
		}
	})
	if left := names(t, server); err != nil || n < 6000 || len(left) != 6000 || !strings.HasPrefix(left[0], "theirs:") {
		t.Errorf("a restart meanwhile: %d removed, %v, %d are left", n, err, len(left))
	}
}

// TestCleanEnds holds what ends it early, and that the count says how far it came.
func TestCleanEnds(t *testing.T) {
	server := redistest.Start(t)
	server.Do(t, "EVAL", "for i = 1, 6000 do redis.call('SET', 'fullbore:' .. i, 1) end", 0)
	s := open(t, server, "fullbore:")
	ctx, cancel := context.WithCancel(t.Context())
	n, err := s.Clean(ctx, func(int64, int64) { cancel() })
	if err == nil || err.Error() != "interrupted" || n == 0 || n+server.DBSize(t) != 6000 {
		t.Errorf("interrupted: %d removed, %d are left, %v", n, server.DBSize(t), err)
	}
	server.Do(t, "ACL", "SETUSER", "default", "-unlink")
	if n, err := s.Clean(t.Context(), nil); err != nil || n == 0 || server.DBSize(t) != 0 {
		t.Errorf("without UNLINK: %d removed, %v", n, err)
	}
	server.Do(t, "ACL", "SETUSER", "default", "-scan")
	if n, err := s.Clean(t.Context(), nil); n != 0 || err == nil || !strings.HasPrefix(err.Error(), `remove keys under "fullbore:": `) || !strings.Contains(err.Error(), "NOPERM") {
		t.Errorf("without SCAN: %d removed, %v", n, err)
	}
}

// TestCleanAcrossSlots: a node of a cluster takes no command for keys of two slots.
func TestCleanAcrossSlots(t *testing.T) {
	server := redistest.Start(t, "--cluster-enabled", "yes", "--cluster-require-full-coverage", "no")
	server.Do(t, "CLUSTER", "ADDSLOTSRANGE", 0, 16383)
	for begun := time.Now(); !strings.Contains(string(server.Do(t, "CLUSTER", "INFO").([]byte)), "cluster_state:ok"); {
		if time.Since(begun) > 10*time.Second {
			t.Fatal("no cluster of one after ten seconds")
		}
	}
	for i := range 1500 {
		server.Do(t, "SET", fmt.Sprint("fullbore:", i), 1)
	}
	server.Do(t, "SET", "theirs", 1)
	for _, forbidden := range []string{"", "-unlink"} {
		if forbidden != "" {
			server.Do(t, "ACL", "SETUSER", "default", forbidden)
			server.Do(t, "SET", "fullbore:a", 1)
			server.Do(t, "SET", "fullbore:b", 1)
		}
		want := server.DBSize(t) - 1
		if n, err := open(t, server, "fullbore:").Clean(t.Context(), nil); err != nil || n != want || server.DBSize(t) != 1 {
			t.Errorf("%d of %d removed, %v, %d are left", n, want, err, server.DBSize(t))
		}
	}
}

// TestSweep holds who consents, and what is told.
func TestSweep(t *testing.T) {
	server := redistest.Start(t)
	for _, c := range []struct {
		sweep  session.Sweep
		answer string
		gone   bool
	}{
		{session.Sweep{Yes: true}, "", true},
		{session.Sweep{}, "", false},
		{session.Sweep{}, "y\n", true},
		{session.Sweep{}, "n\n", false},
		{session.Sweep{Live: true}, "yes\n", true},
	} {
		server.Do(t, "MSET", "bench:1", 1, "bench:2", 2, "theirs", 3)
		var out, side bytes.Buffer
		c.sweep.Out, c.sweep.Side = &out, &side
		if c.answer != "" {
			c.sweep.In = strings.NewReader(c.answer)
		}
		err := open(t, server, "bench:").Sweep(t.Context(), c.sweep)
		want, left := `fullbore: 2 keys under "bench:" removed`+"\n", int64(1)
		if !c.gone {
			want, left = "", 3
		}
		if errors.Is(err, session.ErrRefused) == c.gone || (err == nil) != c.gone || out.String() != want || server.DBSize(t) != left {
			t.Errorf("%+v %q: %v, told %q, %d keys are left", c.sweep, c.answer, err, out.String(), server.DBSize(t))
		}
		question := fmt.Sprintf(`every key under "bench:" goes from %s, which holds 3 keys`, server.Addr)
		if strings.Contains(side.String()+fmt.Sprint(err), question) == c.sweep.Yes {
			t.Errorf("%+v: asked %q, %v", c.sweep, side.String(), err)
		}
		if c.sweep.Live != strings.Contains(side.String(), `2 keys under "bench:" removed`) {
			t.Errorf("%+v: progress %q", c.sweep, side.String())
		}
	}
	server.Kill()
	if err := func() error { // who cannot be reached was not cleaned
		s := open(t, redistest.Start(t), "bench:")
		s.Server.Target.Address = server.Addr
		return s.Sweep(t.Context(), session.Sweep{Yes: true, Out: io.Discard, Side: io.Discard})
	}(); err == nil || !strings.Contains(err.Error(), `0 keys removed, others under "bench:" may be left`) || !strings.Contains(err.Error(), "refused") {
		t.Errorf("a server that is gone: %v", err)
	}
}

// TestLeaveUnderFewRights holds that keys are removed by their names where nobody may
// look for them, and that a refusal of that, too, fails no run.
func TestLeaveUnderFewRights(t *testing.T) {
	for _, c := range []struct {
		rights []any
		left   int64
		told   string
	}{
		{[]any{"-scan"}, 0, "fullbore: 300 keys under \"bench:\" removed\n"},
		{[]any{"-scan", "-unlink", "-dbsize", "-echo"}, 0, "fullbore: 300 keys under \"bench:\" removed\n"},
		{[]any{"-@all", "+get", "+set", "+info"}, 300, "fullbore: 300 keys under \"bench:\" may be left: remove keys under \"bench:\": the server refuses to remove 300 keys, or to look for them: NOPERM"},
	} {
		server := redistest.Start(t)
		s := open(t, server, "bench:")
		server.Do(t, "ACL", append([]any{"SETUSER", "joe", "on", ">secret", "~bench:*", "+@all"}, c.rights...)...)
		s.Server.Target.Username, s.Server.Target.Password = "joe", "secret"
		mix, err := workload.ParseMix("get")
		if err != nil {
			t.Fatal(err)
		}
		p := loadgen.Plan{Clients: 1, Pipeline: 1, Requests: 10, Workload: workload.Workload{Mix: mix, Payload: 3, Keys: workload.KeySpace{Prefix: "bench:", Size: 300}}}
		out, err := session.OpenOutput("", io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		steps := slices.Values([]experiment.Step{{Title: "GET", Plan: p}})
		if failed, err := s.Report(t.Context(), steps, session.Order{Format: "quiet", Out: out, Side: io.Discard}); failed || err != nil {
			t.Errorf("%v: failed %v, %v", c.rights, failed, err)
		}
		var told bytes.Buffer
		if !s.Leave(t.Context(), false, &told) || !strings.HasPrefix(told.String(), c.told) || server.DBSize(t) != c.left {
			t.Errorf("%v: %d keys are left, told %q", c.rights, server.DBSize(t), told.String())
		}
	}
}

// TestCleanVisitsEveryPrimary holds that keys of a run against a cluster go from all of
// it, whichever node is named, and nobody else's.
func TestCleanVisitsEveryPrimary(t *testing.T) {
	cluster := redistest.StartCluster(t, 3, 0)
	for i := range 300 {
		key := fmt.Sprintf("fullbore:key:%d", i)
		cluster.Owner(t, workload.Slot(key)).Do(t, "SET", key, "x")
	}
	cluster.Owner(t, workload.Slot("theirs")).Do(t, "SET", "theirs", "x")
	s := open(t, cluster.Nodes[1].Server, "fullbore:")
	var told, last int64
	n, err := s.Clean(t.Context(), func(removed, looked int64) {
		if removed < told || looked <= last {
			t.Errorf("progress goes back: %d of %d after %d of %d", removed, looked, told, last)
		}
		told, last = removed, looked
	})
	if n != 300 || err != nil || told != 300 {
		t.Errorf("%d removed, %d told, %v", n, told, err)
	}
	if left := cluster.DBSize(t); left != 1 {
		t.Errorf("%d keys are left, want theirs", left)
	}
}
