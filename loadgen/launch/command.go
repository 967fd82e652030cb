package launch

import (
	"regexp"
	"strings"
)

// hidden stands where a password stood.
const hidden = "***"

// masked is the command line of words, as a shell would take it, without the
// passwords in it (M31).
func masked(words []string) string {
	var out []string
	secret, acl := false, false // what the word before says of this one
	for _, word := range words {
		isOption := strings.HasPrefix(word, "--")
		switch {
		case secret:
			word, secret = hidden, false
		case isOption:
			acl = strings.EqualFold(word, "--user")
			secret = keepsSecret(word)
			word = inner(word)
		case acl && word != "" && strings.ContainsRune("><#!", rune(word[0])):
			word = word[:1] + hidden // ACL SETUSER's ways to give a password or its hash
		default:
			word = inner(word)
		}
		out = append(out, quoted(word))
	}
	return strings.Join(out, " ")
}

// keepsSecret reports whether the word after an option is a password: requirepass,
// masterauth, tls-key-file-pass.
func keepsSecret(option string) bool {
	name := strings.ToLower(option)
	return strings.HasSuffix(name, "pass") || strings.HasSuffix(name, "auth")
}

// inner masks a word that is a command line itself, as after sh -c, or an option
// together with its value, which the server takes too.
func inner(word string) string {
	pattern := regexp.MustCompile(`(?i)(--[\w-]*(?:pass|auth)[\s=]+)("[^"]*"|'[^']*'|\S+)|(\s[><#!])\S+`)
	return pattern.ReplaceAllString(word, "${1}${3}"+hidden)
}

// quoted is the word in quotes where a shell needs them.
func quoted(word string) string {
	plain := func(r rune) bool {
		return !strings.ContainsRune(" \t\r\n'\"\\$`&|;<>()*?#!~", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 || word == hidden {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
