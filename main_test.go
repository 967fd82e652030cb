package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// The tests of this package drive the program as its users do: as a process, by
// flags, keys and signals. buildDir is where it is built, once for all of them.
var buildDir string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fullbore-build-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		buildDir = dir
		if err := manyAtOnce(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// manyAtOnce has more parallel tests run than there are processors, unless -parallel
// says how many: for most of their time they wait.
func manyAtOnce() error {
	const name, least = "test.parallel", 4
	flag.Parse()
	given := runtime.GOMAXPROCS(0) >= least
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	if given {
		return nil
	}
	return flag.Set(name, strconv.Itoa(least))
}

// hangs is how late something counts as never to happen that is due within a second on
// a machine with nothing else to do.
const hangs = 10 * time.Second

// plain is the program as it is shipped, checked a build that finds data races
// and can be told to fail. They are built when the first test asks for them.
var (
	plain   = sync.OnceValues(func() (string, error) { return build("fullbore") })
	checked = sync.OnceValues(func() (string, error) { return build("checked", "-race", "-tags", "faultinject") })
)

func build(name string, flags ...string) (string, error) {
	path := filepath.Join(buildDir, name)
	out, err := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), ".")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// program is the path of a build.
func program(t testing.TB, build func() (string, error)) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// environment is that of a user with a modern terminal, plus what a test adds.
func environment(more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.TempDir(), "TMPDIR=" + os.TempDir(),
		"TERM=xterm-256color", "LC_ALL=C.UTF-8",
	}, more...)
}

// process is a headless run of the program.
type process struct {
	cmd            *exec.Cmd
	stdout, stderr stream
	done           chan struct{}
}

// stream is what a process writes, to be read while it runs.
type stream struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *stream) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// outcome is how a headless run ended.
type outcome struct {
	code           int
	stdout, stderr string
}

// start starts the program without a terminal; more is added to its environment.
func start(t testing.TB, more []string, args ...string) *process {
	t.Helper()
	return startBuild(t, plain, more, args...)
}

// startBuild is start for either build.
func startBuild(t testing.TB, build func() (string, error), more []string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(program(t, build), args...), done: make(chan struct{})}
	p.cmd.Env, p.cmd.Dir = environment(more...), t.TempDir()
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // its exit code is looked at by wait
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.done
	})
	return p
}

// wait waits for the end of the process.
func (p *process) wait(t testing.TB) outcome {
	t.Helper()
	select {
	case <-p.done:
	case <-time.After(time.Minute):
		t.Fatalf("%v is still there after a minute", p.cmd.Args)
	}
	return outcome{p.cmd.ProcessState.ExitCode(), p.stdout.String(), p.stderr.String()}
}

// fullbore runs the program to its end without a terminal.
func fullbore(t testing.TB, args ...string) outcome {
	t.Helper()
	return start(t, nil, args...).wait(t)
}

// want fails the test when the exit code is another one.
func (o outcome) want(t testing.TB, code int) outcome {
	t.Helper()
	if o.code != code {
		t.Fatalf("exit code %d, want %d\nstdout: %s\nstderr: %s", o.code, code, o.stdout, o.stderr)
	}
	return o
}

// document is the JSON report, as far as the tests look into it.
type document struct {
	Schema  int `json:"schema"`
	Tool    struct{ Name string }
	Server  struct{ Name, Address, Origin string }
	Results []result
}

type result struct {
	Test     string
	Clients  int
	Pipeline int
	DataSize int `json:"data_size"`
	Load     string
	Requests int64
	Seconds  float64
	RPS      *float64
	Latency  map[string]*float64 `json:"latency_ms"`
	Errors   struct {
		Total     int64
		ByCode    map[string]int64 `json:"by_code"`
		FirstText string           `json:"first_text"`
	}
	Faults        []trouble
	Warnings      []string
	Lost          int64
	HitRate       *float64 `json:"hit_rate"`
	Longest       float64  `json:"longest_gap_ms"`
	Partial       bool
	Reason        string
	SetupCommands int64 `json:"setup_commands"`
	Commands      []struct {
		Test     string
		Requests int64
	}
	Segments []struct {
		Plan     string
		Clients  int
		Pipeline int
		Requests int64
		RPS      *float64
	}
}

// trouble is a fault that was no error reply.
type trouble struct {
	Class, Code, Text string
	Count             int64
}

// parse reads a JSON report, which must be one object and nothing else.
func parse(t testing.TB, text string) document {
	t.Helper()
	var d document
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatalf("JSON report: %v\n%s", err, text)
	}
	if d.Schema != 1 || d.Tool.Name != "fullbore" {
		t.Errorf("schema %d of tool %q, want 1 of fullbore", d.Schema, d.Tool.Name)
	}
	return d
}

// only is the one result of a report.
func only(t testing.TB, text string) result {
	t.Helper()
	d := parse(t, text)
	if len(d.Results) != 1 {
		t.Fatalf("%d results, want 1", len(d.Results))
	}
	return d.Results[0]
}

// port is the flag that names a test's server.
func port(s *redistest.Server) string { return strconv.Itoa(s.Port) }

// idlePort is a port on which nobody listens.
func idlePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// info is a field of the INFO of any server, "" where it does not answer.
func info(address, field string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	host, number, err := net.SplitHostPort(address)
	if err != nil {
		return ""
	}
	p, err := strconv.Atoi(number)
	if err != nil {
		return ""
	}
	c, err := target.TCP(host, p).Control(ctx)
	if err != nil {
		return ""
	}
	defer c.Close()
	reply, err := c.Do("INFO")
	if err != nil {
		return ""
	}
	var text string
	switch r := reply.(type) {
	case []byte:
		text = string(r)
	case string:
		text = r
	}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && name == field {
			return value
		}
	}
	return ""
}

// after is the word that follows a text, such as an address after "server at ".
func after(text, lead string) string {
	_, rest, ok := strings.Cut(text, lead)
	if words := strings.Fields(rest); ok && len(words) > 0 {
		return words[0]
	}
	return ""
}
