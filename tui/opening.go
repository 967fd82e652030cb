package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/session"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

// Look is what a user may choose about the screen. The names are those of
// views.ThemeNames and views.GlyphNames; unknown ones give the default.
type Look struct {
	Theme, Glyphs string
	Hertz         int  // data rate, per second
	Yes           bool // no waiting at the preflight card
}

// Screen puts together the options for a load of p on the server of s. What the
// save key writes carries the header h.
func Screen(s *session.Session, h report.Header, p loadgen.Plan, look Look) Options {
	theme := themeOf(look)
	o := Options{
		Plan:  p,
		Start: func(p loadgen.Plan) Engine { return loadgen.New(s.Server.Target, p) },
		Save: func(snap *stats.Snapshot, p loadgen.Plan) (string, error) {
			return report.Save(".", time.Now(), h, loadgen.Interim(snap, p))
		},
		Theme: theme, Hertz: look.Hertz,
	}.describe(s, s.Intrusions(p.Workload.Mix))
	o.NeedsConsent = o.NeedsConsent && !look.Yes
	if !look.Yes {
		o.Intrudes = s.Intrusions
	}
	return o
}

// RunAndTell is Run, and then the summary on w, which stays in the scrollback; where
// nothing can be written there any more, because the line has dropped, what was
// measured goes to files. failed tells of errors during the load (M29). A user who
// left before any load was started has nothing to be told.
func RunAndTell(ctx context.Context, o Options, h report.Header, w io.Writer) (failed bool, err error) {
	res, err := Run(ctx, o)
	if errors.Is(err, ErrNotStarted) {
		return false, nil
	}
	if told := report.Summary(w, h, res); told != nil {
		_, lost := report.Save(".", time.Now(), h, res)
		return true, errors.Join(told, lost)
	}
	return res.Failed(), err
}

// describe fills in what the header and the preflight card say about a server, and
// about commands that write to keys of others there.
func (o Options) describe(s *session.Session, intrusions []string) Options {
	i := s.Info
	o.Facts = Facts{
		Target: s.Server.Target.String(),
		Server: strings.TrimSpace(strings.Join([]string{i.Server, i.Version, i.Mode}, " ")),
		Origin: s.Server.Origin(),
		Banner: s.Server.Banner(),
		RTT:    i.RTT,
	}
	o.NeedsConsent = s.NeedsConsent() || len(intrusions) > 0
	o.Card = views.Card{
		Title: "before any load",
		Rows: []views.CardRow{
			{Label: "server", Value: o.Facts.Target},
			{Label: "version", Value: orUnknown(o.Facts.Server)},
			{Label: "role", Value: orUnknown(i.Role), Warning: i.Role == "slave"},
			{Label: "keys in the database", Value: keyCount(i.Keys), Warning: i.Keys > 0},
			{Label: "memory used", Value: memory(i.MemoryUsed, i.MemoryMax)},
			{Label: "round trip", Value: i.RTT.String()},
		},
	}
	if len(intrusions) > 0 { // high up, because a short card leaves out its last rows
		o.Card.Rows = slices.Insert(o.Card.Rows, 1,
			views.CardRow{Label: "your command", Value: "changes what is not fullbore's own", Warning: true})
	}
	o.Card.Text = append(cardText(s, intrusions), i.Notes...)
	return o
}

// cardText says why there is a card at all.
func cardText(s *session.Session, intrusions []string) []string {
	var text []string
	switch {
	case !s.NeedsConsent():
	case len(intrusions) > 0:
		text = append(text, "This server is not on this machine. The load will use the server's time.")
	default:
		text = append(text,
			"This server is not on this machine. The load writes only keys under the",
			"prefix and removes them at the end; it will use the server's time.")
	}
	if len(intrusions) > 0 {
		text = append(text, "What your command changes on this server nobody brings back: "+strings.Join(intrusions, "; ")+".")
	}
	return text
}

// themeOf falls back to what every terminal shows.
func themeOf(l Look) views.Theme {
	glyphs, err := views.GlyphsByName(l.Glyphs)
	if err != nil {
		glyphs = views.ASCII
	}
	theme, err := views.ThemeByName(l.Theme, glyphs)
	if err != nil {
		theme = views.MonoTheme(glyphs)
	}
	return theme
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// keyCount is n, where a negative number was not told.
func keyCount(n int64) string {
	if n < 0 {
		return "unknown"
	}
	return grouped(n)
}

func memory(used, limit int64) string {
	if used < 0 {
		return "unknown"
	}
	s := fmt.Sprintf("%.1f MB", float64(used)/1e6)
	if limit > 0 {
		s += fmt.Sprintf(" of %.1f MB", float64(limit)/1e6)
	}
	return s
}
