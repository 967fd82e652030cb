package session_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fullbore/loadgen"
	"fullbore/loadgen/launch"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/session"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

func open(t *testing.T, server *redistest.Server, prefix string) *session.Session {
	t.Helper()
	named := target.TCP("127.0.0.1", server.Port)
	s, err := session.Open(t.Context(), session.Options{Launch: launch.Options{Target: &named}, Prefix: prefix})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func line(t *testing.T, text string) workload.Mix {
	t.Helper()
	mix, err := workload.ParseLine(text)
	if err != nil {
		t.Fatal(err)
	}
	return mix
}

// TestIntrusions holds which commands are asked about: those that change what is
// not the session's, where there is something to lose.
func TestIntrusions(t *testing.T) {
	server := redistest.Start(t)
	empty := open(t, server, "fullbore:")
	server.Do(t, "SET", "theirs", "1")
	server.Do(t, "MOVE", "theirs", 1)
	other := open(t, server, "fullbore:") // nothing in its database, one key in another
	server.Do(t, "SET", "theirs", "1")
	full, bare := open(t, server, "fullbore:"), open(t, server, "")
	for _, c := range []struct {
		session *session.Session
		command string
		want    string // "" for none
	}{
		{full, "SET theirs 2", `SET theirs 2 writes to theirs, not under "fullbore:"`},
		{full, "SET fullbore:a 1 ; DEL a b fullbore:c", `DEL a b fullbore:c writes to a b, not under "fullbore:"`},
		{full, "GET theirs", ""},
		{full, "SET fullbore:key:__rand_int__ 1", ""},
		{full, "PING", ""},
		{full, "FLUSHALL", "FLUSHALL changes more than single keys"},
		{full, "GTE theirs", "GTE theirs is a command that fullbore does not know, and may write anything; did you mean GET?"},
		{bare, "SET key:1 2", "SET key:1 2 writes to key:1"},
		{empty, "SET theirs 2", ""},
		{empty, "FLUSHALL", ""},
		{empty, "EVAL 'return 1' 0", ""},
		{other, "SET theirs 2", ""},
		{other, "FLUSHALL", "FLUSHALL changes more than single keys"},
		{full, "MSET " + strings.Repeat("abcdefghi 1 ", 100), "…"},
	} {
		got := strings.Join(c.session.Intrusions(line(t, c.command)), "|")
		if got != c.want && (c.want != "…" || len(got) > 200 || !strings.Contains(got, "…")) {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
	mix, err := workload.ParseMix("set=1,lpush=2")
	if err != nil || len(bare.Intrusions(mix)) > 0 {
		t.Errorf("the catalogue's own tests are asked about, %v", err)
	}
}

func TestConsent(t *testing.T) {
	server := redistest.Start(t)
	server.Do(t, "SET", "theirs", "1")
	s := open(t, server, "fullbore:")
	set := line(t, "SET theirs 2")
	for answer, agreed := range map[string]bool{"y\n": true, "YES\r\n": true, "n\n": false, "\n": false, "": false, "yeah\n": false} {
		var asked bytes.Buffer
		err := s.Consent(t.Context(), set, strings.NewReader(answer), &asked)
		if (err == nil) != agreed || err != nil && !errors.Is(err, session.ErrRefused) || !strings.Contains(asked.String(), "which holds 1 key: SET theirs 2 writes") {
			t.Errorf("answer %q: %v, asked %q", answer, err, asked.String())
		}
	}
	if err := s.Consent(t.Context(), set, nil, io.Discard); !errors.Is(err, session.ErrRefused) || !strings.Contains(err.Error(), "--yes consents") {
		t.Errorf("nobody to ask: %v", err)
	}
	if err := s.Consent(t.Context(), line(t, "GET theirs"), nil, io.Discard); err != nil {
		t.Errorf("a command that only reads: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	silent, writer := io.Pipe()
	defer writer.Close()
	if err := s.Consent(ctx, set, silent, io.Discard); !errors.Is(err, session.ErrRefused) {
		t.Errorf("interrupted while asking: %v", err)
	}
}

// watcher calls a function with all that was written so far.
type watcher struct {
	text bytes.Buffer
	see  func(text string)
}

func (w *watcher) Write(b []byte) (int, error) {
	w.text.Write(b)
	w.see(w.text.String())
	return len(b), nil
}

func TestIdle(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server, "fullbore:")
	mix, err := workload.ParseMix("ping_mbulk")
	if err != nil {
		t.Fatal(err)
	}
	plan := loadgen.Plan{Clients: 20, Pipeline: 1, Requests: 5, Workload: workload.Workload{Mix: mix, Payload: 1}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	clients := ""
	before := server.Calls(t, "ping")
	failed, err := s.Idle(ctx, plan, &watcher{see: func(text string) {
		if strings.HasSuffix(text, "clients: 20\n") && clients == "" {
			clients = server.Info(t, "clients")["connected_clients"]
			cancel()
		}
	}}, false)
	if failed || err != nil || clients != "21" && clients != "22" { // with those that ask
		t.Errorf("failed %v, %v, %s clients; want 20 and those that ask", failed, err, clients)
	}
	if after := server.Calls(t, "ping"); after != before {
		t.Errorf("%d pings were sent", after-before)
	}
}

// TestIdleRefused holds that connections which the server refuses are told.
func TestIdleRefused(t *testing.T) {
	server := redistest.Start(t, "--maxclients", "10")
	s := open(t, server, "fullbore:")
	mix, err := workload.ParseMix("ping_mbulk")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &watcher{see: func(text string) {
		if strings.Contains(text, "clients: ") {
			cancel()
		}
	}}
	failed, err := s.Idle(ctx, loadgen.Plan{Clients: 30, Pipeline: 1, Workload: workload.Workload{Mix: mix, Payload: 1}}, w, true)
	if !failed || err != nil || !strings.Contains(w.text.String(), "max number of clients reached") {
		t.Errorf("failed %v, %v: %s", failed, err, w.text.String())
	}
}

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "report.csv"), filepath.Join(dir, "link")
	content := func() string {
		b, err := os.ReadFile(path)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	write := func(to, text string, end func(*session.Output) error) {
		t.Helper()
		out, err := session.OpenOutput(to, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(out, text); err != nil {
			t.Fatal(err)
		}
		if before := content(); before == text {
			t.Error("the file is there before it is whole")
		}
		if err := end(out); err != nil {
			t.Fatal(err)
		}
		out.Discard() // after Keep it is nothing
		if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
	write(path, "first", (*session.Output).Keep)
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	write(path, "dropped", func(o *session.Output) error { o.Discard(); return nil })
	if got := content(); got != "first" {
		t.Errorf("after a report that was not kept: %q", got)
	}
	write(link, "second", (*session.Output).Keep)
	if info, err := os.Lstat(link); content() != "second" || err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("through a link: %q, %v", content(), err)
	}
	if _, err := session.OpenOutput(filepath.Join(dir, "none", "x"), io.Discard); err == nil || !strings.HasPrefix(err.Error(), "-o: ") {
		t.Errorf("no such folder: %v", err)
	}
}

// TestOutputStreams holds that no name, a dash and a device are written to at once.
func TestOutputStreams(t *testing.T) {
	for _, name := range []string{"", "-", os.DevNull} {
		var std bytes.Buffer
		out, err := session.OpenOutput(name, &std)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(out, "x"); err != nil || (name == os.DevNull) != (std.Len() == 0) {
			t.Errorf("%q: %v, %q on the stream", name, err, std.String())
		}
		if err := out.Keep(); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
