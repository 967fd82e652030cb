package report

import (
	"regexp"
	"strings"

	"fullbore/loadgen/target"
)

// veil hides passwords. Arms are named as the user wrote them, and what users write
// holds passwords: "u=redis://joe:secret@host", "a=secret", "server='redis-server
// --requirepass secret'".
type veil struct {
	address *regexp.Regexp   // what stands before the host of an address
	option  *regexp.Regexp   // the value of an option that takes a password
	known   []*regexp.Regexp // the passwords of the arms, as words
}

const (
	stars = "***" // stand for a password, as target.Secret prints it
	// shortestWord is the shortest password looked for as a word anywhere: of a
	// shorter one every other number would be taken for it.
	shortestWord = 4
)

func newVeil(known []target.Secret) veil {
	const names = `(?:a|auth|pass|password|requirepass|masterauth|primaryauth)`
	v := veil{
		address: regexp.MustCompile(`(://)\S*@`),
		// A quote that ends the word around an option stays.
		option: regexp.MustCompile(`(?i)((?:^|[\s'"])(?:--?` + names + `[=\s]\s*|` + names + `=))('[^']*'|"[^"]*"|\S*[^\s'"])`),
	}
	for _, k := range known {
		if len(k) >= shortestWord {
			v.known = append(v.known, regexp.MustCompile(`(^|[^\pL\pN])`+regexp.QuoteMeta(string(k))+`($|[^\pL\pN])`))
		}
	}
	return v
}

// over is s without its passwords.
func (v veil) over(s string) string {
	if v.address == nil {
		return s
	}
	s = v.address.ReplaceAllString(s, "${1}"+stars+"@")
	s = v.option.ReplaceAllString(s, "${1}"+stars)
	for _, word := range v.known {
		// Two words that share a blank are met one after the other.
		for range 2 {
			s = word.ReplaceAllString(s, "${1}"+stars+"${2}")
		}
	}
	return strings.TrimSpace(s)
}
