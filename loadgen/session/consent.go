package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fullbore/loadgen/workload"
)

// ErrRefused says that load may not start without the user's word.
var ErrRefused = errors.New("nothing was sent")

// Intrusions are what commands of the user's own would change outside the keys of
// the session, in a line each: "SET foo 1 writes to foo". There are none where there is
// nothing to lose: on a server of ours, and in a database that is known to be empty.
// A command that names no key may reach other databases too.
func (s *Session) Intrusions(m workload.Mix) []string {
	if s.Ours() {
		return nil
	}
	var lines []string
	for _, r := range m.Outside(s.prefix) {
		if !r.Writes || s.Info.Keys == 0 && (len(r.Keys) > 0 || s.Info.Elsewhere == 0) {
			continue
		}
		lines = append(lines, s.intrusion(r))
	}
	return lines
}

// mostShown is how much of a command or of its keys a line shows: commands may have
// a thousand arguments.
const mostShown = 60

func (s *Session) intrusion(r workload.Reach) string {
	var text string
	switch {
	case !r.Known:
		text = fmt.Sprintf("%s is a command that fullbore does not know, and may write anything", shortened(r.Command))
	case len(r.Keys) == 0:
		text = fmt.Sprintf("%s changes more than single keys", shortened(r.Command))
	default:
		text = fmt.Sprintf("%s writes to %s", shortened(r.Command), shortened(strings.Join(r.Keys, " ")))
		if s.prefix != "" {
			text += fmt.Sprintf(", not under %q", s.prefix)
		}
	}
	if r.Near != "" {
		text += fmt.Sprintf("; did you mean %s?", strings.ToUpper(r.Near))
	}
	return text
}

// shortened is printable, and no longer than a line has room for.
func shortened(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return '.'
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > mostShown {
		return string(runes[:mostShown-1]) + "…"
	}
	return s
}

// Consent asks on w whether these commands may be sent, and reads the answer from in.
// A nil in is nobody to ask, which refuses. The error is ErrRefused with the reason.
func (s *Session) Consent(ctx context.Context, m workload.Mix, in io.Reader, w io.Writer) error {
	lines := s.Intrusions(m)
	if len(lines) == 0 {
		return nil
	}
	what := fmt.Sprintf("on %s, which holds %s: %s", s.Server.Target, s.holdings(), strings.Join(lines, "; "))
	return ask(ctx, what, in, w)
}

// ask asks on w whether to go on, given what, and reads the answer from in.
func ask(ctx context.Context, what string, in io.Reader, w io.Writer) error {
	if in == nil {
		return fmt.Errorf("%w: %s: --yes consents", ErrRefused, what)
	}
	fmt.Fprintf(w, "fullbore: %s.\nGo on? [y/N] ", what)
	answer := make(chan string, 1)
	go func() { // ends with the answer, or with the process where there is none
		line, _ := bufio.NewReader(in).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(w)
		return ErrRefused
	case line := <-answer:
		if line == "y" || line == "yes" {
			return nil
		}
		return ErrRefused
	}
}

func (s *Session) holdings() string {
	switch n := s.Info.Keys + s.Info.Elsewhere; {
	case s.Info.Keys < 0 || s.Info.Elsewhere < 0:
		return "an unknown number of keys"
	case n == 1:
		return "1 key"
	}
	return fmt.Sprintf("%d keys", s.Info.Keys+s.Info.Elsewhere)
}
