package config

// parseSize reads a number of bytes: 64, 1k, 16KB, 1mb. Its units are powers of
// 1024, with and without the b, because memory is counted like that and Redis
// writes it so.
func parseSize(s string) (int64, bool) {
	return integer(scaled(s, powers))
}

// powers are the units of sizes.
func powers(unit string) (int64, bool) {
	switch unit {
	case "", "b":
		return 1, true
	case "k", "kb", "kib":
		return 1 << 10, true
	case "m", "mb", "mib":
		return 1 << 20, true
	case "g", "gb", "gib":
		return 1 << 30, true
	}
	return 0, false
}
