package workload

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits that Validate holds.
const (
	MaxPayload = 512 << 20         // bytes; the longest bulk string Redis accepts by default
	MaxKeys    = 1_000_000_000_000 // what twelve digits can tell apart
	MaxPrefix  = 512               // bytes
	globs      = `*?[]\`           // what SCAN MATCH would not take literally
)

// Validate says what is wrong with w, naming the flag and an accepted form.
func (w Workload) Validate() error {
	if err := w.Mix.validate(); err != nil {
		return err
	}
	if len(w.Sizes) == 0 && (w.Payload < 1 || w.Payload > MaxPayload) {
		return fmt.Errorf("payload %d: -d takes 1 to %d bytes", w.Payload, MaxPayload)
	}
	if w.Keys.Size < 0 || w.Keys.Size > MaxKeys {
		return fmt.Errorf("key space %d: -r takes 0 (one key) to %d", w.Keys.Size, int64(MaxKeys))
	}
	for _, check := range []func() error{w.Sizes.Validate, w.Keys.Dist.Validate, w.Expire.Validate} {
		if err := check(); err != nil {
			return err
		}
	}
	if err := validatePrefix(w.Keys.Prefix); err != nil || w.Slots == nil {
		return err
	}
	return w.CheckSlots(Pipelined)
}

func (m Mix) validate() error {
	if len(m) == 0 {
		return errors.New("no command to send: name a test with -t or --mix, such as --mix set=1,get=10")
	}
	for _, e := range m {
		switch {
		case e.Ordered != m.Ordered():
			return errors.New("--mix: some rows are a sequence and some are not")
		case len(e.Test.Args) == 0:
			return fmt.Errorf("--mix: test %s has no command", quote(e.Test.label()))
		case e.Weight < 1 || e.Weight > MaxWeight:
			return fmt.Errorf("--mix: weight %d of %s: a weight is a whole number from 1 to %d", e.Weight, e.Test.label(), MaxWeight)
		}
	}
	return nil
}

const prefixForm = "--key-prefix takes plain text such as fullbore:"

// validatePrefix refuses what would make the keys' removal touch other keys:
// they are found again with SCAN MATCH prefix*, where globs match anything.
// Control characters and broken UTF-8 would spoil the screen that shows the keys.
func validatePrefix(prefix string) error {
	switch {
	case len(prefix) > MaxPrefix:
		return fmt.Errorf("key prefix of %d bytes: --key-prefix takes at most %d", len(prefix), MaxPrefix)
	case !utf8.ValidString(prefix):
		return fmt.Errorf("key prefix %s is not UTF-8: %s", quote(prefix), prefixForm)
	case strings.ContainsAny(prefix, globs):
		return fmt.Errorf("key prefix %s contains one of %s: %s", quote(prefix), globs, prefixForm)
	case strings.ContainsFunc(prefix, unicode.IsControl):
		return fmt.Errorf("key prefix %s contains a control character: %s", quote(prefix), prefixForm)
	}
	return nil
}
