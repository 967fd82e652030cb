package config

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"fullbore/loadgen/workload"
)

const intro = `fullbore hammers a Redis-protocol server through pipelines while you turn the knobs and watch
throughput and latency answer. Without a terminal it runs headless, with redis-benchmark's flags.

Usage:
  fullbore [flags]                          the screen, or tests one by one without a terminal
  fullbore [flags] COMMAND ARG... [';' [N] COMMAND ARG...]
                                            a command of your own, or several in turn, N times each
  fullbore compare [flags] ARM ARM...       settings against each other, such as P=1 P=16
  fullbore clean [flags]                    the keys of an interrupted run are removed
  fullbore completion bash|zsh|fish         completion for a shell; fullbore man prints the man page

Examples:
  fullbore                                  the screen: finds a server or starts one
  fullbore -h 10.0.0.5 -P 16 -d 1k          the screen, against a server, with other knobs
  fullbore -u rediss://joe:secret@10.0.0.5  over TLS, as an ACL user
  fullbore -t set,get -n 1m -q              two tests without the screen, a line each
  fullbore -q -r 100k HSET h:__rand_int__ f __data__
  fullbore --mix set=1,get=10 --duration 10s --json > result.json
  fullbore --server 'redis-server --io-threads 2' -t get -q
`

// helpWidth is the most columns a line of the help takes.
const helpWidth = 100

const commands = `
COMMAND: flags end where it begins. Its words may hold __rand_int__ (twelve digits below -r, anew
each time), __rand_1st__ to __rand_9th__ (one value within a line) and __data__ (a value of -d).
"a\x00b\n" is decoded as redis-cli does. No prefix is put before its keys: if it writes to keys of
others, on a server that holds data, fullbore asks first (--yes consents).
`

const numbers = `
Numbers: counts and rates take k, m, g as powers of 1000 (100k, 5m, 1e6), rates also fractions;
sizes take k, kb, m, mb, g, gb as powers of 1024 (1k, 16KB, 1mb); times 250ms, 2s, 1m30s or seconds.

Profiles: --profile NAME reads NAME.conf in ~/.config/fullbore ($XDG_CONFIG_HOME): flags as on the
command line, one a line; # begins a comment. The command line wins over the environment, and the
environment over a profile.

Environment: FULLBORE_ and a long flag's name (FULLBORE_KEY_PREFIX=x:, FULLBORE_CSV=true),
REDISCLI_AUTH (password), NO_COLOR (mono theme), TERM, LC_ALL, LC_CTYPE, LANG (glyphs).

A password comes from one place: -a, --pass-file, --askpass or the URI; with none of them from
REDISCLI_AUTH. In a URI, @ : / # ? and % in it are percent-encoded; everywhere else it is as it is.

Exit code: 0 complete without errors; 1 error replies, lost connections or ended early; 2 wrong
usage; 130 or 143 after an interrupt, with what was measured so far.
`

// helpText is printed from the same table that binds the flags.
func helpText(groups []group) string {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("\nSubcommands (fullbore NAME --help tells more):\n")
	for _, s := range subcommands() {
		fmt.Fprintf(&b, "  %-26s %s\n", s.name, s.help)
	}
	for i, g := range groups {
		flagLines(&b, g)
		if i == len(groups)-1 { // its flag is cobra's
			fmt.Fprintf(&b, "  %-26s %s\n", "-?, --help", "print this help")
		}
		fmt.Fprintf(&b, "  such as: fullbore %s\n", g.example)
	}
	b.WriteString("\nTests for -t and --mix:\n" + testNames())
	b.WriteString(commands + numbers)
	return b.String()
}

// flagLines are a group's title and its flags, a line each.
func flagLines(b *strings.Builder, g group) {
	fmt.Fprintf(b, "\n%s:\n", g.title)
	for _, f := range g.flags {
		fmt.Fprintf(b, "  %-26s %s (default: %s)\n", f.synopsis(), f.help, f.base)
	}
}

// testNames are the catalogue's names, in lines.
func testNames() string {
	var b strings.Builder
	line := " "
	for _, name := range workload.Names() {
		if len(line)+1+len(name) > helpWidth {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + name
	}
	b.WriteString(line + "\n")
	return b.String()
}

// synopsis is "-c, --clients N", with the long names below each other.
func (f flag) synopsis() string {
	s := "    --" + f.name
	if f.short != "" {
		s = "-" + f.short + ", --" + f.name
	}
	if f.arg != "" {
		s += " " + f.arg
	}
	return s
}

// Version is the module's version as the go command stamped it; a build from a
// checkout has none and is "dev", with its revision when that is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "dev-" + s.Value[:12]
		}
	}
	return "dev"
}

func versionPage([]group) string {
	return fmt.Sprintf("fullbore %s (%s, %s/%s)\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
