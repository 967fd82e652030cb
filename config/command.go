package config

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/workload"
)

// command is the mix of the words after the flags, with what -x reads from stdin
// as the last argument; nil when there are no words.
func (o *options) command(env Env) (workload.Mix, error) {
	if len(o.words) == 0 {
		return nil, nil
	}
	if o.given("mix") {
		return nil, errors.New("--mix: a command is given too; give one of them: --mix set=1,get=10, or SET key:__rand_int__ __data__")
	}
	steps, err := workload.ParseCommand(o.words)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		if !commandName(s.Args[0]) {
			// Not repeated: it may be the second half of a password with a blank in it.
			return nil, errors.New("command: a word after the flags is not the name of a command: flags come first, and values with blanks are quoted")
		}
	}
	if !o.stdin {
		return workload.Sequence(steps), nil
	}
	arg, err := lastArgument(env.In, loadgen.MaxPayload)
	if err != nil {
		return nil, err
	}
	return workload.Sequence(workload.AppendArg(steps, arg)), nil
}

// commandName tells whether s can be the name of a command, of a module's too
// (FT.SEARCH), or of one that was renamed.
func commandName(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	return !strings.HasPrefix(s, "-") && strings.Trim(s, letters) == ""
}

// lastArgument is all of stdin, byte for byte: a line end at its end belongs to it.
func lastArgument(in io.Reader, most int64) ([]byte, error) {
	if in == nil {
		return nil, nil
	}
	arg, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return nil, fmt.Errorf("-x: read stdin: %w", err)
	}
	if int64(len(arg)) > most {
		return nil, fmt.Errorf("-x: stdin is longer than %d bytes, the most that an argument may have", most)
	}
	return arg, nil
}
