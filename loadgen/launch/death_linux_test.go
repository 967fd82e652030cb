package launch_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/launch"
)

// actAsParent makes this test binary start a private server, tell its PID and
// wait to be killed.
const actAsParent = "FULLBORE_TEST_ACT_AS_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(actAsParent) == "" {
		os.Exit(m.Run())
	}
	s, err := launch.Choose(context.Background(), launch.Options{Server: "redis-server"})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(s.PID)
	// Other threads come and go meanwhile; only the process's end may matter.
	for range 20 {
		go func() {}()
	}
	time.Sleep(time.Minute)
	os.Exit(0)
}

// A killed parent cannot clean up; the kernel takes its server down.
func TestServerDiesWithItsParent(t *testing.T) {
	redisServer(t)
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), actAsParent+"=1", "TMPDIR="+t.TempDir())
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || !alive(pid) {
		t.Errorf("the parent said %q, want the PID of a running server", line)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = parent.Wait() // "signal: killed"
	for deadline := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("server %d outlives its parent", pid)
		}
	}
}

// alive reports whether a process runs; one that waits for a new parent to reap it
// does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// "pid (name) state …"; the name may hold anything, so look behind its end.
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
}
