//go:build unix

package launch_test

import (
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/launch"
)

// Frozen by SIGSTOP, or busy and deaf to SIGTERM: Close is prompt all the same,
// and leaves neither the process nor the folder.
func TestCloseOfAServerThatDoesNotListen(t *testing.T) {
	for _, tc := range []struct {
		name    string
		disturb func(t *testing.T, s *launch.Server)
	}{
		{"healthy", func(*testing.T, *launch.Server) {}},
		{"frozen", func(t *testing.T, s *launch.Server) {
			if err := syscall.Kill(s.PID, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		}},
		{"busy", func(t *testing.T, s *launch.Server) {
			conn, err := net.Dial("tcp", s.Target.Address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			if _, err := conn.Write([]byte("DEBUG SLEEP 30\r\n")); err != nil {
				t.Fatal(err)
			}
		}},
		{"dead already", func(t *testing.T, s *launch.Server) {
			if err := syscall.Kill(s.PID, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := choose(t, launch.Options{Server: redisServer(t) + " --enable-debug-command yes"})
			dir := configOf(t, s.Target.Address, "dir")
			tc.disturb(t, s)
			start := time.Now()
			s.Close()
			// The promise is one second; the rest is for a busy machine.
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("Close took %v", took)
			}
			if err := syscall.Kill(s.PID, 0); err != syscall.ESRCH {
				t.Errorf("the process is still there: %v", err)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("the folder is still there: %v", err)
			}
		})
	}
}

// A group of its own keeps Ctrl-C in the terminal away from the server.
func TestProcessGroup(t *testing.T) {
	s := choose(t, launch.Options{Server: redisServer(t)})
	group, err := syscall.Getpgid(s.PID)
	if err != nil || group != s.PID {
		t.Errorf("process group %d, %v, want %d", group, err, s.PID)
	}
}
