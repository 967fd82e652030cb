package config

import (
	"io"
	"time"
)

// The parsers, for their fuzz tests.
func ParseCount(s string) (int64, bool)            { return parseCount(s) }
func ParseSize(s string) (int64, bool)             { return parseSize(s) }
func ParseRate(s string) (float64, bool)           { return parseRate(s) }
func ParseDuration(s string) (time.Duration, bool) { return parseDuration(s) }
func Distance(a, b string) int                     { return distance(a, b) }

// LastArgument reads what -x takes, with a limit that a test can reach.
func LastArgument(in io.Reader, most int64) ([]byte, error) { return lastArgument(in, most) }
