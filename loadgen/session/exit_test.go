package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"fullbore/loadgen/session"
)

func TestExitCode(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		failed bool
		err    error
		code   int
		told   string
	}{
		{false, nil, 0, ""},
		{true, nil, 1, ""},
		{true, broken, 1, "fullbore: broken\n"},
		{false, broken, 1, "fullbore: broken\n"},
		{true, fmt.Errorf("%w: no", session.ErrRefused), 2, "fullbore: nothing was sent: no\n"},
		{true, errors.Join(session.ErrInterrupted, broken), 130, ""},
	} {
		var told bytes.Buffer
		if code := session.ExitCode(&told, c.failed, c.err); code != c.code || told.String() != c.told {
			t.Errorf("failed %v, %v: %d and %q, want %d and %q", c.failed, c.err, code, told.String(), c.code, c.told)
		}
	}
}
