package daemon

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// pollEvery is the pause between two looks at a server that is starting.
const pollEvery = 5 * time.Millisecond

// ready waits until the server answers, or says why it does not.
func (d *Daemon) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	var answered time.Time
	for {
		select {
		case <-d.child.exited:
			return d.early()
		case <-ctx.Done():
			return fmt.Errorf("no answer to PING on port %d: %w%s", d.Port, ctx.Err(), d.Tail())
		case <-poll.C:
		}
		if answered.IsZero() {
			if ping(d.Port) {
				answered = time.Now()
			}
			continue
		}
		if d.owns(answered) {
			return nil
		}
	}
}

// owns tells our server's PONG from the PONG of somebody who took the port just
// before: ours has written that it is ready. A log that is turned off or sent
// elsewhere says nothing; then a child that outlived a failed bind is ours.
func (d *Daemon) owns(answered time.Time) bool {
	return strings.Contains(d.Log(50), "eady to accept connections") || time.Since(answered) > 150*time.Millisecond
}

// early is the error of a server that ended before it was ready.
func (d *Daemon) early() error {
	if strings.Contains(d.Log(20), "Address already in use") {
		return fmt.Errorf("port %d: %w%s", d.Port, errPortTaken, d.Tail())
	}
	return fmt.Errorf("the server ended before it was ready (%v)%s", d.child.state(), d.Tail())
}

// Tail is the end of the log as an error text goes on with it, without passwords:
// "; it wrote:" and the last lines, or nothing.
func (d *Daemon) Tail() string {
	tail := d.Log(5)
	if tail == "" {
		return ""
	}
	lines := strings.Split(tail, "\n")
	for i, line := range lines {
		if tellsPassword(line) {
			lines[i] = "(a line with a password)"
		}
	}
	return "; it wrote:\n" + strings.Join(lines, "\n")
}

// tellsPassword reports whether a line may hold one: Redis quotes the line of its
// configuration that it does not understand, such as >>> 'user "me" ">secret"'.
func tellsPassword(line string) bool {
	line = strings.ToLower(line)
	for _, word := range []string{"requirepass", "masterauth", "file-pass", "'user "} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// ping reports whether a server on the port answers an inline PING. Every answer
// counts, such as NOAUTH, except that it is still loading.
func ping(port int) bool {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(Host, strconv.Itoa(port)), 200*time.Millisecond)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(500 * time.Millisecond)) // fails only on a closed connection
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	return err == nil && !strings.HasPrefix(line, "-LOADING")
}
