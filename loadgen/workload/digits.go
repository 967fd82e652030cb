package workload

import "fmt"

// digits is the width of a number in a key, as in redis-benchmark; zeros is the
// number that stands there when there is only one key.
const (
	digits = 12
	zeros  = "000000000000"
)

// pairs holds the decimal numbers from 00 to 99, two characters each.
const pairs = "0001020304050607080910111213141516171819" +
	"2021222324252627282930313233343536373839" +
	"4041424344454647484950515253545556575859" +
	"6061626364656667686970717273747576777879" +
	"8081828384858687888990919293949596979899"

// put writes v, which is below 10^12, over dst.
func put(dst *[digits]byte, v uint64) {
	// Two halves, so that all but one division is in 32 bits.
	high, low := uint32(v/1_000_000), uint32(v%1_000_000)
	for i := 4; i >= 0; i -= 2 {
		h, l := high%100*2, low%100*2
		high, low = high/100, low/100
		dst[i], dst[i+1] = pairs[h], pairs[h+1]
		dst[i+6], dst[i+7] = pairs[l], pairs[l+1]
	}
}

// numbered is text followed by v in twelve digits, more when v needs more.
func numbered(text string, v int64) []byte {
	return fmt.Appendf(make([]byte, 0, len(text)+digits), "%s%0*d", text, digits, v)
}
