//go:build unix

package launch_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/launch"
	"fullbore/loadgen/target"
)

// field is a line of INFO replication.
func field(t *testing.T, address, password, name string) string {
	t.Helper()
	told := target.TCP("127.0.0.1", 0)
	told.Address, told.Password = address, target.Secret(password)
	c, err := told.Control(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	text, err := target.Text(c.Do("INFO", "replication"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func TestReplicas(t *testing.T) {
	for _, tc := range []struct {
		name     string
		chained  bool
		password string
		primary  string // slaves of the primary
	}{
		{"beside each other", false, "", "2"},
		{"chained, with a password", true, "s3cret", "1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			command := redisServer(t) + " --maxmemory 12mb"
			if tc.password != "" {
				command += " --requirepass " + tc.password
			}
			s := choose(t, launch.Options{Server: command, Replicas: 2, Chained: tc.chained})
			if len(s.Replicas) != 2 {
				t.Fatalf("%d replicas, want 2", len(s.Replicas))
			}
			if got := field(t, s.Target.Address, tc.password, "connected_slaves"); got != tc.primary {
				t.Errorf("%s replicas at the primary, want %s", got, tc.primary)
			}
			follows := s.Target.Address
			for i, r := range s.Replicas {
				source := "127.0.0.1:" + field(t, r.Address, tc.password, "master_port")
				if up := field(t, r.Address, tc.password, "master_link_status"); up != "up" || source != follows {
					t.Errorf("replica %d: link %q to %s, want up and %s", i+1, up, source, follows)
				}
				if tc.chained {
					follows = r.Address
				}
			}
			if tc.password == "" {
				if got := configOf(t, s.Replicas[1].Address, "maxmemory"); got != "12582912" {
					t.Errorf("maxmemory of a replica = %q, want that of the command", got)
				}
			}
			if strings.Contains(s.Command, "s3cret") || !strings.HasSuffix(strings.Replace(s.Command, " --requirepass ***", "", 1), "-server --maxmemory 12mb") {
				t.Errorf("command %q", s.Command)
			}
			gone(t, s)
		})
	}
}

// gone closes s and checks that nothing of it is left.
func gone(t *testing.T, s *launch.Server) {
	t.Helper()
	before, err := filepath.Glob(filepath.Join(os.TempDir(), "fullbore-*"))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("Close took %v", took) // the promise is half a second; the rest is for a busy machine
	}
	pids := []int{s.PID}
	for _, r := range s.Replicas {
		pids = append(pids, r.PID)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("process %d is still there: %v", pid, err)
		}
	}
	after, err := filepath.Glob(filepath.Join(os.TempDir(), "fullbore-*"))
	if err != nil || len(before)-len(after) < len(pids) {
		t.Errorf("%d folders before, %d after, %v: want %d less", len(before), len(after), err, len(pids))
	}
}

func TestCloseOfFrozenReplicas(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := choose(t, launch.Options{Server: redisServer(t), Replicas: 2})
	for _, pid := range []int{s.PID, s.Replicas[0].PID, s.Replicas[1].PID} {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	gone(t, s)
}

func TestReplicaErrors(t *testing.T) {
	real := redisServer(t)
	// A program that is a server until it is to be a replica.
	moody := filepath.Join(t.TempDir(), "moody-server")
	if err := os.WriteFile(moody, []byte("#!/bin/sh\ncase \"$*\" in *slaveof*) echo no replica today; exit 4;; esac\nexec "+real+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name    string
		options launch.Options
		want    []string
	}{
		{"no server", launch.Options{Replicas: 1}, []string{"replicas=1"}},
		{"builtin", launch.Options{Server: "builtin", Replicas: 1}, []string{"replicas=1"}},
		{"too many", launch.Options{Server: real, Replicas: 9}, []string{"9 replicas", "0 to 8"}},
		{"too few", launch.Options{Server: real, Replicas: -1}, []string{"0 to 8"}},
		{"cannot be one", launch.Options{Server: moody, Replicas: 1}, []string{"--server: replica 1: start moody-server", "no replica today"}},
		{"cluster", launch.Options{Server: real + " --cluster-enabled yes", Replicas: 1}, []string{"replica 1", "cluster"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			s, err := launch.Choose(context.Background(), tc.options)
			if err == nil {
				s.Close()
				t.Fatal("no error")
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want %q in it", err, want)
				}
			}
			if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// TestReplicaThatNeverFollows holds that a wait ends with its caller, and says with
// which words of the replica.
func TestReplicaThatNeverFollows(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	s, err := launch.Choose(ctx, launch.Options{Server: redisServer(t) + " --requirepass hunter2 --masterauth hunter3", Replicas: 1})
	if err == nil {
		s.Close()
		t.Fatal("in sync with the wrong password")
	}
	for _, want := range []string{"--server: replica 1 at 127.0.0.1:", "it wrote:"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q, want %q in it", err, want)
		}
	}
	if strings.Contains(err.Error(), "hunter") {
		t.Errorf("error %q tells a password", err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestCommandWithoutPasswords(t *testing.T) {
	for _, tc := range []struct{ options, want string }{
		{"--save ''", "--save ''"},
		{"--save '3600 1'", "--save '3600 1'"},
		{"--requirepass hunter2 --maxclients 99", "--requirepass *** --maxclients 99"},
		{"--RequirePass 'hunter2 x' --masterauth hunter2", "--RequirePass *** --masterauth ***"},
		{"'--masterauth hunter2'", "'--masterauth ***'"},
		{"--user me on '>hunter2' allkeys -@all +get", "--user me on '>***' allkeys -@all +get"},
	} {
		s := choose(t, launch.Options{Server: redisServer(t) + " --maxclients 50 " + tc.options})
		if want := redisServer(t) + " --maxclients 50 " + tc.want; s.Command != want {
			t.Errorf("command %q, want %q", s.Command, want)
		}
		s.Close()
	}
	s := choose(t, launch.Options{Server: "sh -c 'exec " + redisServer(t) + ` --requirepass "hunter2 x" "$@"' -`})
	if want := "sh -c 'exec " + redisServer(t) + ` --requirepass *** "$@"' -`; s.Command != want {
		t.Errorf("command %q, want %q", s.Command, want)
	}
	if _, err := launch.Choose(t.Context(), launch.Options{Server: redisServer(t) + " --user me on '>hunter2' '#no'"}); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("an error that tells the password, or none: %v", err)
	}
}
