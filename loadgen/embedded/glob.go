package embedded

// glob reports whether a text matches one of Redis's patterns: * any text, ? any
// byte, [a-c] [^a] one of a class, \x the byte x itself. It takes time in
// proportion to both lengths at worst, whatever the pattern is.
func glob(pattern, text string) bool {
	p, t := 0, 0
	star, mark := -1, 0 // where to go back to: after the last *, and its text
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			p++
			star, mark = p, t
			continue
		}
		if p < len(pattern) {
			if ok, width := matchOne(pattern[p:], text[t]); ok {
				p += width
				t++
				continue
			}
		}
		if star < 0 {
			return false
		}
		// The last * takes one byte more. An earlier * needs no second try: what
		// follows it was found as early as possible.
		mark++
		p, t = star, mark
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne matches a byte with the element that opens the pattern and returns the
// element's width.
func matchOne(pattern string, b byte) (bool, int) {
	switch {
	case pattern[0] == '?':
		return true, 1
	case pattern[0] == '[':
		return matchClass(pattern, b)
	case pattern[0] == '\\' && len(pattern) > 1:
		return pattern[1] == b, 2
	default:
		return pattern[0] == b, 1
	}
}

// matchClass matches a byte with "[…]"; a class without an end ends with the
// pattern.
func matchClass(pattern string, b byte) (bool, int) {
	i, not, found := 1, false, false
	if i < len(pattern) && pattern[i] == '^' {
		not, i = true, i+1
	}
	for i < len(pattern) && pattern[i] != ']' {
		switch {
		case pattern[i] == '\\' && i+1 < len(pattern):
			found = found || pattern[i+1] == b
			i += 2
		case i+2 < len(pattern) && pattern[i+1] == '-':
			low, high := min(pattern[i], pattern[i+2]), max(pattern[i], pattern[i+2])
			found = found || low <= b && b <= high
			i += 3
		default:
			found = found || pattern[i] == b
			i++
		}
	}
	return found != not, min(i+1, len(pattern))
}
