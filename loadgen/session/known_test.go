package session_test

import (
	"context"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/launch"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/session"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// TestKeysOfAScreenAreKnown: what a user who may not look for keys wrote while knobs
// were turned is removed by name.
func TestKeysOfAScreenAreKnown(t *testing.T) {
	server := redistest.Start(t)
	server.Do(t, "ACL", "SETUSER", "joe", "on", ">pw", "-@all", "+get", "+set", "+incr", "+del", "~fullbore:*")
	at := target.TCP("127.0.0.1", server.Port)
	at.Username, at.Password = "joe", "pw"
	s, err := session.Open(t.Context(), session.Options{Launch: launch.Options{Target: &at}, Prefix: "fullbore:"})
	if err != nil {
		t.Fatal(err)
	}
	plan := func(test string, size int64) loadgen.Plan {
		mix, err := workload.ParseMix(test)
		if err != nil {
			t.Fatal(err)
		}
		return loadgen.Plan{Clients: 2, Pipeline: 4, Workload: workload.Workload{
			Mix: mix, Payload: 3, Keys: workload.KeySpace{Prefix: "fullbore:", Size: size},
		}}
	}
	run := s.Run(plan("set", 50))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() { _, err := run.Run(ctx); done <- err }()
	measured := func(text string) {
		for ctx.Err() == nil {
			if now := run.Snapshot(); now.State == stats.Measuring && now.Current.Plan == text && now.Current.Counters.Replies > 5000 {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("never saw %q, last %+v", text, run.Snapshot().Current)
	}
	measured(plan("set", 50).String())
	if err := run.Apply(plan("incr", 300)); err != nil {
		t.Fatal(err)
	}
	measured(plan("incr", 300).String())
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	have := server.DBSize(t)
	if n, err := s.Clean(t.Context(), nil); err != nil || n != have || have < 340 || server.DBSize(t) != 0 {
		t.Errorf("%d of %d keys removed, %v", n, have, err)
	}
}
