package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/target"

	"github.com/spf13/pflag"
)

const maxInt64 = math.MaxInt64

// binding ties a flag's text to a variable. It is a pflag.Value.
type binding struct {
	set     func(string) error
	takes   string   // the accepted form, for errors: "a whole number from 1"
	offers  []string // what a shell completes; nil where there is nothing to choose from
	private bool     // the value may hold a password and is never repeated
	toggle  bool
}

// offering is b with names for a shell to complete.
func (b binding) offering(names []string) binding {
	b.offers = names
	return b
}

// errForm says that a text has not the form its binding takes.
var errForm = errors.New("wrong form")

// Set implements pflag.Value.
func (b binding) Set(s string) error { return b.set(s) }

// String implements pflag.Value; defaults are words of the table instead.
func (b binding) String() string { return "" }

// Type implements pflag.Value.
func (b binding) Type() string {
	if b.toggle {
		return "bool"
	}
	return "string"
}

// addTo registers f. NoOptDefVal is what lets a switch stand without a value, and
// be one letter among others, as in -qt set.
func (f flag) addTo(set *pflag.FlagSet) {
	added := set.VarPF(f.bind, f.name, f.short, f.help)
	if f.bind.toggle {
		added.NoOptDefVal = "true"
	}
}

// accept is a binding whose text is read by parse; false is a wrong form. The
// variable is written only when the whole text was understood: after an error the
// options still hold what was given before.
func accept[T any](to *T, takes string, parse func(string) (T, bool)) binding {
	return binding{takes: takes, set: func(s string) error {
		v, ok := parse(s)
		if !ok {
			return errForm
		}
		*to = v
		return nil
	}}
}

// count binds a count between two limits. Its form names an example with a unit
// only where somebody would write that many.
func count[T int | int64](to *T, least, most int64) binding {
	takes := fmt.Sprintf("a whole number from %d to %d", least, most)
	if most == maxInt64 {
		takes = fmt.Sprintf("a whole number from %d", least)
	}
	if most > maxPort && most != maxDB {
		takes += ", such as 100, 10k or 1e4"
	}
	return accept(to, takes, func(s string) (T, bool) {
		n, ok := parseCount(s)
		return T(n), ok && n >= least && n <= most
	})
}

// rate binds requests per second of the whole process (M9); unlike a count it may
// be zero, which means as fast as replies come, and may have a fraction.
func rate(to *float64) binding {
	return accept(to, "requests per second, such as 0.5, 5000 or 50k; 0 is no limit", func(s string) (float64, bool) {
		r, ok := parseRate(s)
		return r, ok && r <= loadgen.MaxRate
	})
}

// duration binds a length of time. Plain numbers are seconds, because that is what
// valkey-benchmark's --duration and memtier's --test-time take.
func duration(to *time.Duration) binding {
	return accept(to, "a time above 0, such as 10s, 1m30s or seconds as a plain number", parseDuration)
}

// between binds a length of time between two limits.
func between(to *time.Duration, least, most time.Duration) binding {
	takes := fmt.Sprintf("a time from %v to %gs, such as 500ms or 1s", least, most.Seconds())
	return accept(to, takes, func(s string) (time.Duration, bool) {
		d, ok := parseDuration(s)
		return d, ok && d >= least && d <= most
	})
}

// roundTrip binds a delay, which unlike other times may be none at all.
func roundTrip(to *time.Duration) binding {
	takes := fmt.Sprintf("0 for none, or a time up to %v such as 1ms", loadgen.MaxRTT)
	return accept(to, takes, func(s string) (time.Duration, bool) {
		if s == "0" || s == "0s" || s == "0ms" {
			return 0, true
		}
		d, ok := parseDuration(s)
		return d, ok && d <= loadgen.MaxRTT
	})
}

// percent binds a share between two limits, which are percentages as its text is.
// The sign may be left out; 0.03 is 0.03 %, as nothing else would be safe to guess.
func percent(to *float64, least, most float64) binding {
	takes := fmt.Sprintf("a percentage from %g to %g, such as 3%% or 3", least, most)
	return accept(to, takes, func(s string) (float64, bool) {
		v, ok := scaled(strings.TrimSuffix(s, "%"), func(unit string) (int64, bool) { return 1, unit == "" })
		if !ok {
			return 0, false
		}
		f, _ := v.Float64()
		return f / 100, f >= least && f <= most
	})
}

// warmup binds how long samples are set apart (M12). Both "none" and 0 are no
// warm-up, because a script that counts seconds writes 0.
func warmup(to *loadgen.Warmup) binding {
	return accept(to, "auto, none, or a time such as 2s or seconds as a plain number", func(s string) (loadgen.Warmup, bool) {
		switch strings.ToLower(s) {
		case "auto":
			return loadgen.Warmup{Auto: true}, true
		case "none", "0", "0s":
			return loadgen.Warmup{}, true
		}
		d, ok := parseDuration(s)
		return loadgen.Warmup{Time: d}, ok
	})
}

// seed binds a number that is only a name: no units, no limit but its 64 bits.
func seed(to *uint64) binding {
	return accept(to, "a whole number from 0", func(s string) (uint64, bool) {
		n, err := strconv.ParseUint(s, 10, 64)
		return n, err == nil
	})
}

// hertz binds the screen's data rate: the steps of its [ and ] keys and no others.
func hertz(to *int) binding {
	return accept(to, "1, 2, 4 or 10", func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && slices.Contains([]int{1, 2, 4, 10}, n)
	})
}

// oneOf binds one of a few names, in any case: there is no second meaning that
// capital letters could have.
func oneOf(to *string, names ...string) binding {
	list := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	return accept(to, list, func(s string) (string, bool) {
		return strings.ToLower(s), slices.Contains(names, strings.ToLower(s))
	}).offering(names)
}

// filled binds a text that must not be empty.
func filled(to *string, takes string) binding {
	return accept(to, takes, func(s string) (string, bool) { return s, strings.TrimSpace(s) != "" })
}

// plain binds a text that the plan judges, because the same text can also come
// from the screen and must be judged alike.
func plain(to *string) binding {
	return accept(to, "text", func(s string) (string, bool) { return s, true })
}

// secret binds a password: any text but none at all.
func secret(to *string) binding {
	b := accept(to, "a password", func(s string) (string, bool) { return s, s != "" })
	b.private = true
	return b
}

// address binds a URI, which is read when all flags are known.
func address(to *string) binding {
	b := filled(to, "redis://user:password@host:port/db")
	b.private = true
	return b
}

// hostname binds a host name or an IP address, an IPv6 one with or without brackets.
// People also write host:port and URIs here; those are refused, and not repeated,
// because a URI may hold a password.
func hostname(to *string) binding {
	b := told(to, func(s string) (string, error) {
		if s == "" {
			s = " " // to target.ParseHost an empty host is the default
		}
		if _, err := target.ParseHost(s, defaultPort); err != nil {
			return "", fmt.Errorf("host: %w", err)
		}
		return s, nil
	})
	b.private = true
	return b
}

// toggle binds a switch, which is on when it is there. It takes a value too, so
// that a script can write --csv=$CSV.
func toggle(to *bool) binding {
	b := accept(to, "no value, or true or false", func(s string) (bool, bool) {
		v, err := strconv.ParseBool(s)
		return v, err == nil
	})
	b.toggle = true
	return b
}
