package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/target"
)

// Header is what all results of one invocation share.
type Header struct {
	Tool    string // "fullbore"
	Version string // of the tool
	Server  Server
	Origin  string // where the server comes from, such as "private redis-server"; empty when the user named it
	// Save and Appendonly are the server's answers to CONFIG GET, because
	// persistence explains much of a difference between two servers. Write
	// Unknown when the server does not tell: an empty Save is an answer.
	Save, Appendonly string
	Threads          int // of the load generator; 0 = unknown
	Started          time.Time
	Machine          insight.Machine // of the load; the zero value = unknown
	Go               string          // runtime.Version() of the load; "" = unknown
}

// About is the part of a Header that a look at the server told; the zero Info
// stands for a server that was not looked at.
func About(t target.Target, i target.Info) Header {
	setting := func(name string) string {
		if value, ok := i.Config[name]; ok {
			return value
		}
		return Unknown
	}
	return Header{
		Server:     Server{Name: i.Server, Version: i.Version, Mode: i.Mode, Address: t.String(), TLS: i.TLS},
		Save:       setting("save"),
		Appendonly: setting("appendonly"),
	}
}

// Unknown stands for what the server did not tell.
const Unknown = "unknown"

// Server says what was measured. Empty fields are unknown.
type Server struct {
	Name    string // "redis", "valkey", …
	Version string
	Mode    string // "standalone", "cluster", …
	Address string // "127.0.0.1:6379" or a socket path; never with credentials (M31)
	TLS     string // "TLS 1.3", "TLS 1.3, certificate not verified"; empty = none
}

// Entry is one finished test.
type Entry struct {
	Test   string // the title, "GET", or the mix in words
	Result loadgen.Result
}

// Printer prints results as they finish: one Begin, a Test for each result, one
// End. End makes the output complete in every end state, so it must also be
// called after a failure or an interrupt (C42). The errors are the writer's.
type Printer interface {
	Begin(Header) error
	Test(Entry) error
	End() error
}

// format is one row of the table of formats.
type format struct {
	name    string
	make    func(io.Writer) Printer
	compare func(contrast) ([]byte, error) // the whole report of a comparison; nil where there is none
}

// formats is the one place to add an output format.
func formats() []format {
	return []format{
		{"text", func(w io.Writer) Printer { return &text{w: w} }, compareText},
		{"quiet", func(w io.Writer) Printer { return &quiet{w: w} }, compareQuiet},
		{"csv", func(w io.Writer) Printer { return &csv{w: w} }, compareCSV},
		{"json", func(w io.Writer) Printer { return &document{w: w} }, compareJSON},
		{"markdown", func(w io.Writer) Printer { return &markdown{w: w} }, compareMarkdown},
		{"gobench", func(w io.Writer) Printer { return &gobench{w: w} }, compareGobench},
		{"hgrm", func(w io.Writer) Printer { return &hgrm{w: w} }, nil},
	}
}

// Formats names the formats that New knows; the first is the default.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// New returns the Printer of that format, writing to w. The error names the
// formats there are.
func New(name string, w io.Writer) (Printer, error) {
	for _, f := range formats() {
		if f.name == name {
			return f.make(w), nil
		}
	}
	return nil, fmt.Errorf("format %q: --format takes %s", name, strings.Join(Formats(), ", "))
}
