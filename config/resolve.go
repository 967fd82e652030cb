package config

import (
	"errors"
	"fmt"
	"time"

	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// Defaults: redis-benchmark's without a screen; on the screen values that show
// something of interest at once.
const (
	defaultClients  = 50
	defaultPipeline = 1
	defaultPrefix   = "fullbore:"
	defaultHertz    = 4
	// One thread: when the server shares the machine, a second one gives p99 of
	// the client's own making.
	defaultThreads = 1
	// The engine's own default, set here so that the help cannot drift from it.
	defaultTimeout = 5 * time.Second

	headlessRequests = 100_000
	headlessPayload  = 3

	screenPayload = 64
	screenKeys    = 100_000
	screenMix     = "set"
)

// config settles what depends on more than one flag, and in the end lets the plan
// judge itself: limits that a flag shares with a knob of the screen live there.
func (o *options) config(env Env) (Config, error) {
	format, err := o.formatAsked()
	if err != nil {
		return Config{}, err
	}
	interactive := format == "" && env.InIsTerminal && env.OutIsTerminal
	if format == "" {
		format = "text"
	}
	c := Config{
		Server: o.server, Interactive: interactive, Format: format,
		Progress: !interactive && env.ErrIsTerminal,
		KeepKeys: o.keepKeys, Yes: o.yes,
		Theme: o.themeFor(env), Glyphs: o.glyphsFor(env), Hertz: defaultHertz,
	}
	c.Threads = defaultThreads
	if o.given("threads") {
		c.Threads = o.threads
	}
	if o.given("hz") {
		c.Hertz = o.hertz
	}
	if err := o.load(&c); err != nil {
		return Config{}, err
	}
	if c.Target, err = o.target(env); err != nil {
		return Config{}, err
	}
	if c.Target == nil && c.Server == "" {
		c.Auth = target.Secret(env.get(authVariable))
	}
	// Whoever holds a Config may start every run of it without asking again.
	for _, run := range c.Runs() {
		if err := run.Plan.Validate(); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

// formatAsked is the one format that was asked for, "" for none. -q beside
// another one is redis-benchmark's habit and means that one.
func (o *options) formatAsked() (string, error) {
	asked := ""
	for _, f := range []struct {
		on         bool
		flag, name string
	}{
		{o.csv, "--csv", "csv"},
		{o.json, "--json", "json"},
		{o.given("format"), "--format", o.format},
	} {
		if f.on && asked != "" && asked != f.name {
			return "", fmt.Errorf("%s: the report is to be %s already; give one format only", f.flag, asked)
		}
		if f.on {
			asked = f.name
		}
	}
	if asked == "" && o.quiet {
		asked = "quiet"
	}
	return asked, nil
}

// load completes the plan with the defaults and decides what is sent. Defaults are
// set here and not in the table, because most depend on whether there is a screen,
// which nobody knows before all flags are read.
func (o *options) load(c *Config) error {
	c.Plan = o.plan
	p := &c.Plan
	preset(o, "clients", &p.Clients, defaultClients)
	preset(o, "pipeline", &p.Pipeline, defaultPipeline)
	preset(o, "timeout", &p.Stall, defaultTimeout)
	preset(o, "key-prefix", &p.Workload.Keys.Prefix, defaultPrefix)
	if o.given("tests") && o.given("mix") {
		return errors.New("-t and --mix both name the commands: give -t set,get for one test after another, or --mix set=1,get=10")
	}
	// A run of a given length can spare the time, and a screen has no end at all.
	if !o.given("warmup") && !o.given("requests") {
		p.Warmup.Auto = c.Interactive || o.given("duration") // -n counts from the first request (M12)
	}
	if c.Interactive {
		preset(o, "data-size", &p.Workload.Payload, screenPayload)
		preset(o, "keyspace", &p.Workload.Keys.Size, screenKeys)
		return o.screenMix(c)
	}
	preset(o, "data-size", &p.Workload.Payload, headlessPayload)
	// With a duration alone the count would end most runs long before their time.
	if !o.given("duration") {
		preset(o, "requests", &p.Requests, headlessRequests)
	}
	c.Mixed = o.given("mix")
	if !c.Mixed {
		c.Tests = o.tests
		if !o.given("tests") {
			c.Tests = workload.Catalog()
		}
	}
	return nil
}

// screenMix sets what the screen starts with: it has one plan at a time, so
// several tests become an equal mix.
func (o *options) screenMix(c *Config) (err error) {
	c.Mixed = true
	switch {
	case o.given("tests"):
		c.Tests = o.tests
		c.Plan.Workload.Mix = equally(o.tests)
	case !o.given("mix"):
		c.Plan.Workload.Mix, err = workload.ParseMix(screenMix)
	}
	return err
}

// preset gives to its default unless the flag was given.
func preset[T any](o *options, name string, to *T, value T) {
	if !o.given(name) {
		*to = value
	}
}
