package views

import (
	"math"
	"strconv"
	"time"
)

// unknown stands for a value that nobody measured.
const unknown = "-"

// Thousands writes a number in full, "1,142,305"; below 1,000 it keeps two places
// below 10 and one below 1,000 where they say something. NaN and Inf are "-".
func Thousands(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return unknown
	case v < 0:
		return "-" + Thousands(-v)
	case v >= 1e15:
		return Short(v)
	case v >= 999.95 || v == math.Trunc(v):
		return grouped(math.Round(v), 0)
	case v >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// grouped writes v with places digits after the point and commas before it.
func grouped(v float64, places int) string {
	var buf [32]byte
	digits := strconv.AppendFloat(buf[:0], v, 'f', places, 64)
	whole := len(digits)
	if places > 0 {
		whole -= places + 1
	}
	if whole <= 3 {
		return string(digits)
	}
	var out [48]byte
	o := out[:0]
	for i, d := range digits {
		if i > 0 && i < whole && (whole-i)%3 == 0 {
			o = append(o, ',')
		}
		o = append(o, d)
	}
	return string(o)
}

// Short writes a number with three digits that count and an SI letter: "1.14M",
// "900k", "0". NaN and Inf are "-".
func Short(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return unknown
	}
	if v < 0 {
		return "-" + Short(-v)
	}
	const letters = " kMGTPE"
	step := 0
	// 999.5 would round to 1000: such a number already belongs to the next letter.
	for v >= 999.5 && step < len(letters)-1 {
		v /= 1000
		step++
	}
	var buf [32]byte
	b := buf[:0]
	switch {
	case v >= 999.5 || (v != 0 && v < 0.001):
		b = strconv.AppendFloat(b, v, 'e', 1, 64)
	// The limits lie where the shorter form would round up to one digit more.
	case v >= 99.95:
		b = strconv.AppendFloat(b, v, 'f', 0, 64)
	case v >= 9.995:
		b = trimmed(strconv.AppendFloat(b, v, 'f', 1, 64))
	case v >= 1 || step > 0:
		b = trimmed(strconv.AppendFloat(b, v, 'f', 2, 64))
	default:
		b = trimmed(strconv.AppendFloat(b, v, 'f', 3, 64))
	}
	if step > 0 {
		b = append(b, letters[step])
	}
	return string(b)
}

// trimmed drops the zeros at the end of a decimal fraction, and its bare point.
func trimmed(b []byte) []byte {
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	return b
}

// Bytes writes an amount of bytes in decimal units: "102.9 MB", "640 B".
func Bytes(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return unknown
	}
	units := [...]string{" B", " kB", " MB", " GB", " TB", " PB"}
	step := 0
	for v >= 999.95 && step < len(units)-1 {
		v /= 1000
		step++
	}
	places := 1
	if step == 0 {
		places = 0
	}
	return strconv.FormatFloat(v, 'f', places, 64) + units[step]
}

// Millis writes a time in milliseconds without the unit, three places after the
// point: "0.228". From one second on one place is plenty: "1,204.5".
func Millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case d < 0:
		return "-" + Millis(-(d + 1)) // +1: the smallest Duration has no positive twin
	case d > 0 && d < 500*time.Nanosecond:
		return "<0.001"
	case d < time.Second-500*time.Nanosecond: // else it would round to 1000.000
		return strconv.FormatFloat(ms, 'f', 3, 64)
	}
	return grouped(ms, 1)
}

// Clock writes a running time as on a stop watch: "0:01:42", "26:00:00".
func Clock(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	var buf [24]byte
	b := strconv.AppendInt(buf[:0], s/3600, 10)
	for _, part := range [2]int64{s / 60 % 60, s % 60} {
		b = append(b, ':', byte('0'+part/10), byte('0'+part%10))
	}
	return string(b)
}

// seconds writes the length of a time axis: "120s", "7.5s", "5m".
func seconds(d time.Duration, gap string) string {
	s := d.Seconds()
	if s >= 180 && math.Mod(s, 60) == 0 {
		return strconv.FormatFloat(s/60, 'f', 0, 64) + gap + "m"
	}
	return strconv.FormatFloat(math.Round(s*10)/10, 'f', -1, 64) + gap + "s"
}

// thousands is Thousands for a value that may be unknown.
func (n Number) thousands() string {
	if !n.OK {
		return unknown
	}
	return Thousands(n.Value)
}

// millis is Millis for a value that may be unknown.
func (d Duration) millis() string {
	if !d.OK {
		return unknown
	}
	return Millis(d.Value)
}
