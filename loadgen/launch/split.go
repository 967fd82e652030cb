package launch

import (
	"errors"
	"strings"
)

// Split cuts a command line into words as a shell does: words end at blanks,
// 'single' quotes keep everything, "double" quotes keep all but \" and \\, and a
// backslash outside of quotes keeps the next character. Nothing is expanded.
func Split(line string) ([]string, error) {
	var (
		words  []string
		word   strings.Builder
		inside bool // a word has begun; it may still be empty, as in ""
		quote  rune // the quote that is open, or 0
		escape bool // the character before was a backslash
	)
	for _, r := range line {
		switch {
		case escape:
			if quote == '"' && r != '"' && r != '\\' {
				word.WriteByte('\\') // an ordinary character here: the backslash stays
			}
			word.WriteRune(r)
			escape = false
		case r == '\\' && quote != '\'':
			escape, inside = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inside = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if inside {
				words = append(words, word.String())
				word.Reset()
				inside = false
			}
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if escape {
		return nil, errors.New("it ends with a backslash")
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}
