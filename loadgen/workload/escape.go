package workload

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a quote was opened by and never closed with, or closed too early.
var errQuote = errors.New(`a quote opens the word and must close it: "a b", 'a b', or "\"" for a quote itself`)

// unquote takes the quotes off a word and decodes the escapes between them, as
// redis-cli does: in double quotes \n \r \t \a \b \" \\ and \x with two hex digits, in
// single quotes \' only. A word that does not begin with a quote is what it is,
// backslashes and quotes included, so that scripts and JSON need no care.
//
// Unlike redis-cli it refuses \x without two hex digits, which would be sent as an
// x.
func unquote(word string) (string, error) {
	if word == "" || word[0] != '"' && word[0] != '\'' {
		return word, nil
	}
	n, err := quoted(word)
	if err != nil {
		return "", err
	}
	if n != len(word) {
		return "", errQuote
	}
	inner := word[1 : n-1]
	if !strings.Contains(inner, `\`) {
		return inner, nil
	}
	if word[0] == '\'' {
		return strings.ReplaceAll(inner, `\'`, `'`), nil
	}
	return unescape(inner)
}

// quoted is how many bytes of s, which begins with a quote, go up to the closing
// quote and with it.
func quoted(s string) (int, error) {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return i + 1, nil
		case s[i] == '\\' && (s[0] == '"' || strings.HasPrefix(s[i+1:], "'")):
			i++
		}
	}
	return 0, errQuote
}

func unescape(s string) (string, error) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' { // quoted saw to it that something follows a backslash
			out = append(out, s[i])
			continue
		}
		i++
		if s[i] != 'x' {
			out = append(out, escaped(s[i]))
			continue
		}
		v, err := hexByte(s[i+1:])
		if err != nil {
			return "", err
		}
		out = append(out, v)
		i += 2
	}
	return string(out), nil
}

// escaped is what a backslash and c stand for; c itself where nothing is agreed.
func escaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'a':
		return '\a'
	case 'b':
		return '\b'
	}
	return c
}

func hexByte(s string) (byte, error) {
	if len(s) >= 2 {
		if v, err := strconv.ParseUint(s[:2], 16, 8); err == nil {
			return byte(v), nil
		}
	}
	return 0, fmt.Errorf(`escape %s: \x takes two hex digits, such as "\x00"`, quote(`\x`+s[:min(2, len(s))]))
}

// splitLine cuts a line into words at its blanks, as a shell would. Words keep
// their quotes, for ParseCommand to take off; blanks between quotes do not cut.
// A quote inside a word is nothing special.
func splitLine(line string) ([]string, error) {
	const blanks = " \t\r\n"
	var all []string
	for {
		line = strings.TrimLeft(line, blanks)
		if line == "" {
			return all, nil
		}
		end := strings.IndexAny(line, blanks)
		if end < 0 {
			end = len(line)
		}
		if line[0] == '"' || line[0] == '\'' {
			n, err := quoted(line)
			if err != nil || n < len(line) && !strings.ContainsRune(blanks, rune(line[n])) {
				return nil, fmt.Errorf("word %s: %w", quote(line), errQuote)
			}
			end = n
		}
		all = append(all, line[:end])
		line = line[end:]
	}
}

// printable is s with whatever a terminal might take for more than text written
// as escapes: control characters and what is not UTF-8.
func printable(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || !strconv.IsPrint(r) {
			for _, c := range []byte(s[:n]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// requote is the word that unquote makes arg of.
func requote(arg string) string {
	plain := arg != "" && arg != separator && arg[0] != '"' && arg[0] != '\'' &&
		!strings.ContainsFunc(arg, func(r rune) bool { return r == ' ' || r == utf8.RuneError || !strconv.IsPrint(r) })
	if plain {
		return arg
	}
	arg = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(arg)
	return `"` + printable(arg) + `"`
}
