package report

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"time"
)

// Schema is the version of the JSON document; it changes when a field changes
// its meaning or goes away, not when one is added.
const Schema = 1

// document prints one JSON object, a result at a time: what was printed so far
// plus End's closing brackets is valid in every end state (C42).
type document struct {
	w     io.Writer
	begun bool
	ended bool
	count int
}

// preamble is everything of the object before its results.
type preamble struct {
	Schema  int          `json:"schema"`
	Tool    jsonTool     `json:"tool"`
	Started string       `json:"started,omitempty"` // RFC 3339
	Server  jsonServer   `json:"server"`
	Client  *jsonClient  `json:"client,omitempty"`
	Machine *jsonMachine `json:"machine,omitempty"` // of the load
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Threads int    `json:"threads,omitempty"` // of the load generator
}

type jsonServer struct {
	Name       string `json:"name"`
	Version    string `json:"version"`
	Mode       string `json:"mode"`
	Address    string `json:"address"`
	TLS        string `json:"tls,omitempty"` // the version, and whether the certificate was verified
	Origin     string `json:"origin"`
	Save       string `json:"save"`
	Appendonly string `json:"appendonly"`
}

func (d *document) Begin(h Header) error {
	if d.begun {
		return nil
	}
	p := preamble{
		Schema: Schema,
		Tool:   jsonTool{h.Tool, h.Version, h.Threads},
		Server: jsonServer{
			Name: h.Server.Name, Version: h.Server.Version, Mode: h.Server.Mode, Address: h.Server.Address, TLS: h.Server.TLS,
			Origin: h.Origin, Save: h.Save, Appendonly: h.Appendonly,
		},
	}
	p.Client, p.Machine = newJSONClient(h), newJSONMachine(h.Machine)
	if !h.Started.IsZero() {
		p.Started = h.Started.Format(time.RFC3339)
	}
	head, err := encode(p, "")
	if err != nil {
		return err
	}
	d.begun = true
	// The object stays open: its closing brace is End's.
	head = bytes.TrimSuffix(head, []byte("\n}"))
	return d.write(append(head, ",\n  \"results\": ["...))
}

func (d *document) Test(e Entry) error {
	if err := d.Begin(Header{}); err != nil {
		return err
	}
	body, err := encode(newJSONResult(e), "    ")
	if err != nil {
		return err
	}
	lead := "\n    "
	if d.count > 0 {
		lead = ",\n    "
	}
	d.count++
	return d.write(append([]byte(lead), body...))
}

// End closes the object, opening it first if nothing was begun.
func (d *document) End() error {
	if d.ended {
		return nil
	}
	if err := d.Begin(Header{}); err != nil {
		return err
	}
	d.ended = true
	if d.count == 0 {
		return d.write([]byte("]\n}\n"))
	}
	return d.write([]byte("\n  ]\n}\n"))
}

func (d *document) write(p []byte) error {
	_, err := d.w.Write(p)
	return err
}

// encode is v with two blanks of indent behind prefix, without the final line
// end. Error texts keep their <, > and &: nobody embeds this in HTML.
func encode(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return oneLine(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// oneLine puts each second of a series on a line of its own: six lines a second
// would bury everything else of a long run. The pattern cannot be met inside a
// string, where quotes are escaped.
func oneLine(doc []byte) []byte {
	second := regexp.MustCompile(`\{\s+("at_seconds": [^,\s]+),\s+("seconds": [^,\s]+),\s+("replies": [^,\s]+),\s+("errors": [^,\s]+)\s+\}`)
	return second.ReplaceAll(doc, []byte("{$1, $2, $3, $4}"))
}
