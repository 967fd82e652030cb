package redistest_test

import (
	"bufio"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
)

func TestStartAndCount(t *testing.T) {
	s := redistest.Start(t)
	if got := s.Do(t, "SET", "a", "1"); got != "OK" {
		t.Errorf("SET = %v, want OK", got)
	}
	if got := s.Calls(t, "SET"); got != 1 {
		t.Errorf("calls of set = %d, want 1", got)
	}
	if got := s.Calls(t, "zpopmin"); got != 0 {
		t.Errorf("calls of zpopmin = %d, want 0", got)
	}
	if got := s.DBSize(t); got != 1 {
		t.Errorf("DBSIZE = %d, want 1", got)
	}
	if got := s.Info(t, "server")["redis_mode"]; got != "standalone" {
		t.Errorf("redis_mode = %q, want standalone", got)
	}
	if _, err := s.Try("LPUSH", "a", "1"); err == nil {
		t.Error("LPUSH onto a string: no error")
	}
}

func TestArguments(t *testing.T) {
	s := redistest.Start(t, "--requirepass", "secret", "--unixsocket", "s.sock", "--rename-command", "CONFIG", "", "--databases", "3")
	if got := s.Do(t, "PING"); got != "PONG" {
		t.Errorf("PING with the password = %v, want PONG", got)
	}
	if _, err := s.Try("CONFIG", "GET", "save"); err == nil {
		t.Error("CONFIG is renamed, but answers")
	}
	conn, err := net.Dial("unix", filepath.Join(s.Dir, "s.sock"))
	if err != nil {
		t.Fatalf("dial the unix socket: %v", err)
	}
	conn.Close()
}

func TestPauseResumeKillRestart(t *testing.T) {
	s := redistest.Start(t)
	conn, err := net.Dial("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)

	s.Pause()
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		t.Fatal(err)
	}
	conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if line, err := reader.ReadString('\n'); err == nil {
		t.Errorf("a frozen server answered %q", line)
	}
	s.Resume()
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	if line, err := reader.ReadString('\n'); line != "+PONG\r\n" {
		t.Errorf("after Resume: %q, %v, want +PONG", line, err)
	}

	pid, addr := s.PID, s.Addr
	s.Kill()
	if _, err := s.Try("PING"); err == nil {
		t.Error("a killed server answers")
	}
	s.Restart(t)
	if s.Addr != addr || s.PID == pid {
		t.Errorf("restarted at %s with PID %d, want %s and another PID than %d", s.Addr, s.PID, addr, pid)
	}
	if got := s.Do(t, "PING"); got != "PONG" {
		t.Errorf("PING after Restart = %v, want PONG", got)
	}
}

func TestFrozenServerIsCleanedUp(t *testing.T) {
	var dir, addr string
	t.Run("inner", func(t *testing.T) {
		s := redistest.Start(t)
		dir, addr = s.Dir, s.Addr
		s.Pause()
	})
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if conn, err := net.Dial("tcp", addr); err == nil {
		conn.Close()
		t.Error("the server is still there")
	}
}
