package tui

import (
	"path/filepath"
	"strings"

	"fullbore/loadgen/experiment"
)

// unverified is what the line below the header says where nobody checked who answers;
// the header itself has no room for it on a small screen.
const unverified = "certificate not verified (--insecure): this may be any server"

// doubtOf is what is doubtful about a server as such; empty for nothing. The words on
// TLS have a mark behind the version when the certificate was not verified.
func doubtOf(p experiment.Place) string {
	if _, mark, _ := strings.Cut(p.Info.TLS, ", "); mark != "" {
		return unverified
	}
	return ""
}

// banner is the line below the header of the live screen.
func (c scene) banner() string { return bannerOf(c.facts.Banner, c.facts.Doubt) }

// bannerOf joins what there is to say.
func bannerOf(parts ...string) string {
	var said []string
	for _, s := range parts {
		if s != "" {
			said = append(said, s)
		}
	}
	return strings.Join(said, "; ")
}

// banner is the line below the header of a comparison; of some sides only it names
// them.
func (x contrast) banner() string {
	doubt, names := "", ""
	for at, arm := range x.order {
		if d := doubtOf(x.arms[arm].Place); d != "" {
			doubt, names = d, names+" "+string(rune('A'+at))
		}
	}
	if n := len(strings.Fields(names)); n > 0 && n < len(x.order) {
		doubt = strings.TrimSpace(names) + ": " + doubt
	}
	return bannerOf(x.facts.Banner, doubt)
}

// serverTags tell the servers of the arms apart in a few cells: by their addresses, or
// those that fullbore started by what they were started with. Empty where all arms are
// on one server.
func (x contrast) serverTags() []string {
	tags := make([]string, len(x.arms))
	if x.places() < 2 {
		return tags
	}
	program := ""
	for _, a := range x.arms {
		words := strings.Fields(a.Place.Command)
		if len(words) == 0 || program != "" && program != filepath.Base(words[0]) {
			program = ""
			break
		}
		program = filepath.Base(words[0])
	}
	seen := map[string]string{}
	for i, a := range x.arms {
		address := a.Place.Target.String()
		tags[i] = address
		if words := strings.Fields(a.Place.Command); len(words) > 0 {
			tags[i] = filepath.Base(words[0])
			if rest := strings.Join(words[1:], " "); rest != "" && program != "" {
				tags[i] = rest
			} else if rest != "" {
				tags[i] += " " + rest
			}
		}
		// Two servers of the same command line have nothing but their addresses.
		if other, ok := seen[tags[i]]; ok && other != address {
			for j := range x.arms {
				tags[j] = x.arms[j].Place.Target.String()
			}
			return tags
		}
		seen[tags[i]] = address
	}
	return tags
}
