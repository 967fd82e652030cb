//go:build unix

package daemon_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/launch/daemon"
)

func redisServer(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("redis-server not found in PATH: install it (apt-get install redis-server)")
	return ""
}

// script writes a shell program.
func script(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake-server")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func start(t *testing.T, spec daemon.Spec) *daemon.Daemon {
	t.Helper()
	d, err := daemon.Start(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Stop(time.Second) })
	return d
}

// A port that somebody takes between the look and the bind is given up for another.
func TestRetriesATakenPort(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "tried")
	program := script(t, fmt.Sprintf(`if [ ! -e %[1]s ]; then touch %[1]s; echo "bind: Address already in use"; exit 1; fi
exec %[2]s "$@"
`, mark, redisServer(t)))
	d := start(t, daemon.Spec{Program: program})
	if !strings.Contains(d.Log(100), "eady to accept connections") {
		t.Errorf("log: %q", d.Log(100))
	}
}

// Whoever answers on the port: only the own child counts.
func TestFixedPortTaken(t *testing.T) {
	other := start(t, daemon.Spec{Program: redisServer(t)})
	_, err := daemon.Start(context.Background(), daemon.Spec{Program: redisServer(t), Port: other.Port})
	if err == nil || !strings.Contains(err.Error(), "port already in use") {
		t.Errorf("error %v, want port already in use", err)
	}
}

func TestStartErrors(t *testing.T) {
	for _, tc := range []struct {
		name, program string
		want          []string
	}{
		{"missing", "no-such-server", []string{"no-such-server", "not found"}},
		{"silent end", script(t, "exit 7\n"), []string{"fake-server", "exit status 7"}},
		{"last lines", script(t, "for i in 1 2 3 4 5 6 7; do echo line $i; done; exit 1\n"), []string{"line 3\nline 4\nline 5\nline 6\nline 7"}},
		{"killed", script(t, "kill -9 $$\n"), []string{"signal: killed"}},
		{"a folder", os.TempDir(), []string{"start " + os.TempDir()}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := daemon.Start(context.Background(), daemon.Spec{Program: tc.program})
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want %q in it", err, want)
				}
			}
		})
	}
}

// A program that never answers is ended when the caller gives up, and so are the
// processes that it started.
func TestGivesUpOnASilentProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	program := script(t, "sleep 60 &\necho $! > "+file+".new; mv "+file+".new "+file+"\nwait\n")
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error, 1)
	go func() {
		_, err := daemon.Start(ctx, daemon.Spec{Program: program})
		failed <- err
	}()
	pid := 0
	for deadline := time.Now().Add(4 * time.Second); pid == 0; time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil {
			fmt.Sscan(string(text), &pid)
		}
		if time.Now().After(deadline) {
			t.Fatal("the program did not begin")
		}
	}
	cancel()
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "no answer to PING") {
		t.Errorf("error %v, want no answer to PING", err)
	}
	for deadline := time.Now().Add(5 * time.Second); running(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is left behind", pid)
		}
	}
}

// running reports whether a process runs; one that nobody reaped does not.
func running(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(stat), ") Z ") {
		return false
	}
	return syscall.Kill(pid, 0) == nil
}

func TestFolder(t *testing.T) {
	own := start(t, daemon.Spec{Program: redisServer(t)})
	given := t.TempDir()
	kept := start(t, daemon.Spec{Program: redisServer(t), Dir: given})
	own.Stop(time.Second)
	kept.Stop(time.Second)
	if _, err := os.Stat(own.Dir); !os.IsNotExist(err) {
		t.Errorf("a temporary folder is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(given, "server.log")); err != nil {
		t.Errorf("the caller's folder lost its log: %v", err)
	}
}

func TestPauseResumeKill(t *testing.T) {
	d := start(t, daemon.Spec{Program: redisServer(t)})
	conn, err := net.Dial("tcp", net.JoinHostPort(daemon.Host, strconv.Itoa(d.Port)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	buffer := make([]byte, 16)
	if err := d.Pause(); err != nil {
		t.Fatal(err)
	}
	conn.Write([]byte("PING\r\n"))
	conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := conn.Read(buffer); err == nil {
		t.Errorf("a frozen server answered %q", buffer[:n])
	}
	if err := d.Resume(); err != nil {
		t.Fatal(err)
	}
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if n, err := conn.Read(buffer); string(buffer[:n]) != "+PONG\r\n" {
		t.Errorf("after Resume: %q, %v", buffer[:n], err)
	}
	d.Kill()
	select {
	case <-d.Exited():
	default:
		t.Error("Kill returned before the server was reaped")
	}
	if err := d.Pause(); err == nil {
		t.Error("a dead server was paused")
	}
}
