package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"fullbore/loadgen/launch"
)

// hidden stands where a password stood.
const hidden = "***"

// assignment is one NAME=VALUE of an arm.
type assignment struct {
	name  string // the flag's long name
	as    string // the name as it was written
	value string // out of its quotes
	raw   string // the value as it was written
	bare  bool   // a switch, written without a value
}

// refused says why an arm cannot have an assignment.
func refused(as, why string) error { return fmt.Errorf("%s=: arms cannot differ in it: %s", as, why) }

// assignments reads the text of an arm: assignments separated by blanks. A token that
// is none belongs to the command of a server= before it, because the shell has eaten
// the quotes around it: server=redis-server --io-threads 2. Quotes inside of a value
// are kept for whoever reads the command; around a whole value they go.
//
// Errors repeat nothing but names, as anything else may be a part of a password.
func assignments(text string) ([]assignment, error) {
	if t := strings.TrimSpace(text); t == "" || t == baseArm {
		return nil, nil
	}
	tokens, err := tokens(text)
	if err != nil {
		return nil, err
	}
	var list []assignment
	end := 0 // of the server's command so far
	for _, t := range tokens {
		word := text[t.from:t.to]
		as, raw, is := strings.Cut(word, "=")
		name, known := armName(as)
		last := len(list) - 1
		switch {
		case is && known:
			if slices.ContainsFunc(list, func(a assignment) bool { return a.name == name }) {
				return nil, fmt.Errorf("%s= is given twice", as)
			}
			list = append(list, assignment{name: name, as: as, raw: raw})
		case last >= 0 && list[last].name == "server":
			if near := nearestName(as); is && nameLike(as) && len(as) > 3 && distance(near, as) == 1 {
				return nil, fmt.Errorf("unknown name %s= after server=: did you mean %s=? If the command has such a word, quote the whole command", as, near)
			}
			list[last].raw += text[end:t.to]
		case known && switchName(name):
			list = append(list, assignment{name: name, as: as, raw: "true", bare: true})
		default:
			return nil, noAssignment(as, is, known)
		}
		end = t.to
	}
	for i := range list {
		if list[i].value, err = list[i].unquoted(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// noAssignment says what is wrong with a token, and repeats of it what looks like a
// name.
func noAssignment(as string, is, known bool) error {
	switch {
	case known:
		return fmt.Errorf("%s needs a value: %s=VALUE", as, as)
	case !is || !nameLike(as):
		return errors.New("an arm is written NAME=VALUE, such as P=16 or 'c=200 P=4', values with blanks in quotes; base is the command line's own setting, and a command to send goes after --")
	}
	text := fmt.Sprintf("unknown name %s=", as)
	if near := nearestName(as); near != "" {
		return fmt.Errorf("%s: did you mean %s=?", text, near)
	}
	return errors.New(text + ": names are those of the flags, such as c, P, d, t, rate, rtt, batch, u or server; see fullbore --help")
}

// nearestName is the flag that a misspelt name most likely means. A single letter has
// no neighbours but itself as a capital or not.
func nearestName(as string) string {
	groups := new(options).shareable()
	for _, g := range groups {
		for _, f := range g.flags {
			if strings.EqualFold(f.short, as) || strings.EqualFold(f.name, as) {
				return writtenAs(f, len(as))
			}
		}
	}
	if near := nearest(as, groups); near != "" && near != "help" {
		return near
	}
	return ""
}

// writtenAs is the flag's letter for those who write letters, else its name.
func writtenAs(f flag, letters int) string {
	if letters == 1 {
		return f.short
	}
	return f.name
}

// armName is the long name of the flag that as stands for.
func armName(as string) (name string, known bool) {
	o := new(options)
	long := string(alias(nil, as))
	for _, g := range append(o.flags(), o.compareFlags()) {
		for _, f := range g.flags {
			if f.name == long || f.short == as && as != "" {
				return f.name, true
			}
		}
	}
	return "", false
}

// switchName tells whether the flag needs no value.
func switchName(name string) bool { return find(name, new(options).flags()).bind.toggle }

// nameLike tells whether a word may be meant as a name.
func nameLike(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
	return s != "" && len(s) <= 20 && strings.Trim(s, letters) == ""
}

// span is a part of a text.
type span struct{ from, to int }

// tokens cuts text at blanks outside of quotes, by the rules of launch.Split, and
// leaves the quotes where they are.
func tokens(text string) ([]span, error) {
	if _, err := launch.Split(text); err != nil {
		return nil, err
	}
	var (
		list   []span
		from   = -1
		quote  rune
		escape bool
	)
	for i, r := range text {
		switch {
		case escape:
			escape = false
			continue
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if from >= 0 {
				list = append(list, span{from, i})
			}
			from = -1
			continue
		case r == '\\' && quote != '\'':
			escape = true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		}
		if from < 0 {
			from = i
		}
	}
	if from >= 0 {
		list = append(list, span{from, len(text)})
	}
	return list, nil
}

// unquoted is the value as its flag takes it. A server's command keeps its quotes
// unless they are around the whole of it, because it is cut into words later.
func (a assignment) unquoted() (string, error) {
	list, err := tokens(a.raw)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", nil
	}
	first, last := a.raw[0], a.raw[len(a.raw)-1]
	whole := len(list) == 1 && first == last && strings.IndexByte(`'"`, first) >= 0
	if a.name == "server" && !whole {
		return a.raw, nil
	}
	words, err := launch.Split(a.raw)
	return strings.Join(words, " "), err
}

// shown is the assignment in a label.
func (a assignment) shown() string {
	if a.bare {
		return a.as
	}
	value := a.raw
	switch f := find(a.name, new(options).flags()); {
	case a.name == "uri":
		value = uriShown(a.value)
	case a.name == "server":
		value = commandShown(a.raw)
	case a.name == "pass", a.name == "pass-file", f.bind.private && f.bind.set(a.value) != nil:
		value = hidden
	}
	// A label is one line of a table, whatever was typed.
	return a.as + "=" + strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, value)
}

// commandShown is a server's command without passwords: those after options whose
// name ends so, --requirepass, --masterauth, and those of an ACL rule, >secret.
func commandShown(command string) string {
	const value = `("(?:\\.|[^"\\])*"|'[^']*'|(?:\\.|[^\s'"])+)+`
	option := regexp.MustCompile(`(?i)((?:pass|password|auth|secret)["']?[\s=]+)` + value)
	rule := regexp.MustCompile(`([\s"'][><#!])[^\s"']+`)
	return rule.ReplaceAllString(option.ReplaceAllString(command, "${1}"+hidden), "${1}"+hidden)
}
