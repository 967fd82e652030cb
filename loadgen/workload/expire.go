package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Expire is how long the keys that the test SET writes live: it becomes
// SET key value EX n with n drawn from Low to High seconds, both included. The zero
// value is for ever. Other tests, custom commands among them, are sent as they are.
type Expire struct{ Low, High int64 }

// maxExpire is about three hundred years, in seconds; Redis counts in milliseconds
// of 64 bits and refuses what overflows.
const maxExpire = 10_000_000_000

const expireForm = "--expire takes seconds such as 60, or a range such as 10-60s, 5m or 1h-2d"

// ParseExpire reads the value of --expire: "60", "10-60s", "1m-1h". Units are s, m,
// h and d. A first number without one has that of the second.
func ParseExpire(s string) (Expire, error) {
	low, high, ranged := strings.Cut(strings.TrimSpace(s), "-")
	if !ranged {
		high = low
	}
	to, unit, ok := parseSeconds(high, "s")
	if !ok {
		return Expire{}, fmt.Errorf("--expire: time %s: %s", quote(high), expireForm)
	}
	from, _, ok := parseSeconds(low, unit)
	if !ok {
		return Expire{}, fmt.Errorf("--expire: time %s: %s", quote(low), expireForm)
	}
	e := Expire{from, to}
	if e == (Expire{}) {
		return e, e.refuse(0)
	}
	return e, e.Validate()
}

// parseSeconds reads a whole number with a unit, or with unit where it has none.
func parseSeconds(s, unit string) (seconds int64, used string, ok bool) {
	s = strings.TrimSpace(s)
	figures := strings.TrimRight(s, "smhdSMHD")
	if s != figures {
		unit = strings.ToLower(s[len(figures):])
	}
	scale := map[string]int64{"s": 1, "m": 60, "h": 3600, "d": 86400}[unit]
	n, err := strconv.ParseUint(figures, 10, 40) // takes no sign
	return int64(n) * scale, unit, err == nil && scale > 0
}

// Validate says what is wrong with e, naming the flag and an accepted form. The
// zero value is valid.
func (e Expire) Validate() error {
	switch {
	case e == Expire{}:
		return nil
	case e.Low < 1:
		return e.refuse(e.Low)
	case e.High > maxExpire:
		return e.refuse(e.High)
	case e.Low > e.High:
		return fmt.Errorf("--expire: %d to %d seconds: the smaller one comes first, such as 10-60s", e.Low, e.High)
	}
	return nil
}

func (e Expire) refuse(seconds int64) error {
	return fmt.Errorf("--expire: %d seconds: %s, from 1 to %d seconds", seconds, expireForm, int64(maxExpire))
}

// String is e as ParseExpire reads it: "30s", "10-60s"; "" for ever.
func (e Expire) String() string {
	switch {
	case e == Expire{}:
		return ""
	case e.Low == e.High:
		return strconv.FormatInt(e.Low, 10) + "s"
	}
	return fmt.Sprintf("%d-%ds", e.Low, e.High)
}

// draw is the next time to live, in seconds.
func (e Expire) draw(random *rand.PCG) int64 {
	return e.Low + int64(below(random, uint64(e.High-e.Low+1)))
}

// widths is how many lengths the numbers of e have when written down.
func (e Expire) widths() int { return width(e.High) - width(e.Low) + 1 }

// width is how many digits n has.
func width(n int64) int {
	w := 1
	for ; n > 9; n /= 10 {
		w++
	}
	return w
}
