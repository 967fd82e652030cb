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
	"fullbore/loadgen/experiment"
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
		Start: func(p loadgen.Plan) Engine { return s.Run(p) },
		Save: func(snap *stats.Snapshot, p loadgen.Plan) (string, error) {
			return report.Save(".", time.Now(), h, loadgen.Interim(snap, p))
		},
		Comparison: Comparison{
			Place: s.Place(),
			Start: func(arms []experiment.Arm, cases []experiment.Case, r experiment.Rules) Contest {
				return experiment.Compare(arms, cases, r)
			},
			SaveOn: func(at experiment.Place, snap *stats.Snapshot, p loadgen.Plan) (string, error) {
				return report.Save(".", time.Now(), headerOn(h, at), loadgen.Interim(snap, p))
			},
			Live: func(a experiment.Arm) Engine { return loadgen.New(a.Place.Target, a.Plan) },
			Save: func(state *experiment.State) (string, error) {
				return report.SaveComparison(".", time.Now(), report.Compared{Header: h, State: state})
			},
		},
		Theme: theme, Hertz: look.Hertz,
	}.describe(s, s.Intrusions(p.Workload.Mix))
	o.NeedsConsent = o.NeedsConsent && !look.Yes
	if !look.Yes {
		o.Intrudes = s.Intrusions
	}
	return o
}

// Comparing is o for the arms of a fleet, whose comparison in these cases opens the
// screen when there are several. Whoever has not said yes beforehand is asked about
// each server that is not a matter of course.
func (o Options) Comparing(f *session.Fleet, cases []experiment.Case, r experiment.Rules) Options {
	o.Comparison.Cases, o.Comparison.Rules = cases, r
	o.Prove = f.Prove
	o.Comparison.Start = func(arms []experiment.Arm, cases []experiment.Case, r experiment.Rules) Contest {
		return f.Contest(arms, cases, r)
	}
	if len(f.Arms) < 2 {
		return o
	}
	o.Comparison.Arms, o.Comparison.Place = f.Arms, f.Arms[0].Place
	o.Plan = f.Arms[0].Plan
	if o.Intrudes == nil { // a yes was given
		return o
	}
	o.NeedsConsent = false
	for _, s := range f.Sessions() {
		next := o.describe(s, intrusions(f, s, o.Comparison.cases(f.Arms)))
		switch {
		case !next.NeedsConsent:
		case !o.NeedsConsent:
			o.Card, o.NeedsConsent = next.Card, true
		default:
			o.Card.Text = append(append(o.Card.Text, "And "+next.Facts.Target+":"), next.Card.Text...)
		}
	}
	return o
}

// intrusions are those of all that the arms send to a session's server.
func intrusions(f *session.Fleet, s *session.Session, cases []experiment.Case) []string {
	var lines []string
	for _, a := range f.Arms {
		for _, c := range cases {
			mix := c.Mix
			if mix == nil {
				mix = a.Plan.Workload.Mix
			}
			if a.Place.Target == s.Server.Target {
				lines = append(lines, s.Intrusions(mix)...)
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// RunAndTell is Run, and then on w what stays in the scrollback: the summary of the
// live run and the report of the last comparison. Where nothing can be written there
// any more, because the line has dropped, what was measured goes to files. failed
// tells of errors during the load (M29), never of a verdict. A user who left before
// any load was started has nothing to be told.
func RunAndTell(ctx context.Context, o Options, h report.Header, w io.Writer) (failed bool, err error) {
	out, err := Run(ctx, o)
	if errors.Is(err, ErrNotStarted) {
		return false, nil
	}
	if told := tell(w, h, out); told != nil {
		return true, errors.Join(told, keep(o, h, out))
	}
	return out.Failed(), err
}

// tell writes what stays in the scrollback.
func tell(w io.Writer, h report.Header, out Outcome) error {
	var err error
	if out.Live {
		err = report.Summary(w, headerOn(h, out.Where), out.Result)
	}
	if s := out.last(); s != nil {
		err = errors.Join(err, report.Comparison("text", w, report.Compared{Header: h, State: s}))
	}
	return err
}

// headerOn is h for results from a server of a comparison.
func headerOn(h report.Header, at experiment.Place) report.Header {
	if at.Target.Address == "" {
		return h
	}
	about := report.About(at.Target, at.Info)
	h.Server, h.Save, h.Appendonly, h.Origin = about.Server, about.Save, about.Appendonly, at.Origin
	return h
}

// keep writes everything to files.
func keep(o Options, h report.Header, out Outcome) error {
	var err error
	if out.Live {
		_, err = report.Save(".", time.Now(), headerOn(h, out.Where), out.Result)
	}
	for _, s := range out.Comparisons {
		if o.Comparison.Save != nil {
			_, lost := o.Comparison.Save(s)
			err = errors.Join(err, lost)
		}
	}
	return err
}

// describe fills in what the header and the preflight card say about a server, and
// about commands that write to keys of others there.
func (o Options) describe(s *session.Session, intrusions []string) Options {
	i := s.Info
	o.Facts = factsOf(experiment.Place{Target: s.Server.Target, Info: i, Origin: s.Server.Origin()})
	o.Facts.Banner = s.Server.Banner()
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

// factsOf is what the header says about a server; empty for none.
func factsOf(p experiment.Place) Facts {
	if p.Target.Address == "" {
		return Facts{}
	}
	i := p.Info
	f := Facts{
		Target: p.Target.String(), Server: strings.TrimSpace(strings.Join([]string{i.Server, i.Version, i.Mode}, " ")),
		Origin: p.Origin, RTT: i.RTT,
	}
	if version, _, _ := strings.Cut(i.TLS, ", "); version != "" {
		f.Server = strings.TrimPrefix(f.Server+", "+version, ", ")
	}
	f.Doubt, f.Hidden = doubtOf(p), strings.Join(i.Hidden, "; ")
	return f
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
