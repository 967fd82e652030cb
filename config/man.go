package config

import (
	"fmt"
	"strings"
)

// manPage is the manual page in roff, from the same table as the help:
// fullbore man > /usr/local/share/man/man1/fullbore.1
func manPage(groups []group) string {
	var b strings.Builder
	b.WriteString(".TH FULLBORE 1\n.SH NAME\nfullbore \\- interactive benchmarker for Redis\\-protocol servers\n")
	b.WriteString(".SH SYNOPSIS\n.B fullbore\n[flags] [COMMAND ARG... [';' [N] COMMAND ARG...]]\n")
	b.WriteString(".SH DESCRIPTION\n.nf\n" + roff(intro) + ".fi\n")
	for _, s := range subcommands() {
		fmt.Fprintf(&b, ".SH FULLBORE %s\n%s.\n.PP\n.B fullbore %s\n%s\n.PP\n.nf\n%s.fi\n",
			roff(strings.ToUpper(s.name)), roff(s.help), roff(s.name), roff(s.args), roff(s.text))
		roffFlags(&b, s.own(new(options)))
	}
	for _, g := range groups {
		fmt.Fprintf(&b, ".SH %s\n", roff(strings.ToUpper(g.title)))
		roffFlags(&b, g)
		fmt.Fprintf(&b, ".PP\nSuch as:\n.B fullbore %s\n", roff(g.example))
	}
	b.WriteString(".SH TESTS\n.nf\n" + roff(testNames()) + ".fi\n")
	b.WriteString(".SH NOTES\n.nf\n" + roff(strings.TrimSpace(commands+numbers)) + "\n.fi\n")
	return b.String()
}

// roffFlags are a group's flags.
func roffFlags(b *strings.Builder, g group) {
	for _, f := range g.flags {
		fmt.Fprintf(b, ".TP\n.B %s\n%s (default: %s)\n", roff(strings.TrimSpace(f.synopsis())), roff(f.help), roff(f.base))
	}
}

// roff is text that the formatter takes as it is: a backslash begins an escape, a
// dash may become another sign, and a point or a quote at the start of a line is a
// request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
