package report

import (
	"regexp"
	"strings"

	"fullbore/loadgen/target"
)

// Arms are named as the user wrote them, and what users write holds passwords:
// "u=redis://joe:secret@host", "a=secret", "server='redis-server --requirepass x'".

const (
	veil = "***" // stands for a password, as target.Secret prints it
	// shortestWord is the shortest password looked for as a word anywhere: of a
	// shorter one every other number would be taken for it.
	shortestWord = 4
)

// veiled is s without its passwords: those of addresses and of the options that take
// one, and the given one wherever it is a word of its own.
func veiled(s string, known target.Secret) string {
	address := regexp.MustCompile(`(://)\S*@`)
	s = address.ReplaceAllString(s, "${1}"+veil+"@")
	const names = `(?:a|auth|pass|password|requirepass|masterauth|primaryauth)`
	option := regexp.MustCompile(`(?i)((?:^|[\s'"])(?:--?` + names + `[=\s]\s*|` + names + `=))('[^']*'|"[^"]*"|\S+)`)
	s = option.ReplaceAllString(s, "${1}"+veil)
	if len(known) < shortestWord || !strings.Contains(s, string(known)) {
		return s
	}
	word := regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(string(known)) + `($|[^\pL\pN])`)
	// Two words that share a blank are met one after the other.
	return word.ReplaceAllString(word.ReplaceAllString(s, "${1}"+veil+"${2}"), "${1}"+veil+"${2}")
}
