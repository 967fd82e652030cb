package config

// parseCount reads a count of things: 1000, 100k, 5m, 2g, 1e6. Its units are
// powers of 1000, because requests and keys are counted as people count.
func parseCount(s string) (int64, bool) {
	return integer(scaled(s, thousands))
}

// thousands are the units of counts and rates. There is no kb here: a count of
// bytes is a size, and is read by parseSize.
func thousands(unit string) (int64, bool) {
	switch unit {
	case "":
		return 1, true
	case "k":
		return 1e3, true
	case "m":
		return 1e6, true
	case "g":
		return 1e9, true
	}
	return 0, false
}
