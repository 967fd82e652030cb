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
	interactive := format == "" && !o.loop && !o.idle && !o.given("output") && !o.given("count") &&
		env.InIsTerminal && env.OutIsTerminal
	if format == "" {
		format = "text"
	}
	preset(o, "hz", &o.hertz, defaultHertz)
	preset(o, "threads", &o.threads, defaultThreads)
	c := Config{
		Server: o.server, Interactive: interactive, Format: format, Output: o.output,
		Shown:    env.OutIsTerminal && (o.output == "" || o.output == "-"),
		Progress: !interactive && env.ErrIsTerminal, MayAsk: env.InIsTerminal && env.ErrIsTerminal,
		KeepKeys: o.keepKeys, Yes: o.yes, Idle: o.idle, Threads: o.threads,
		Theme: o.themeFor(env), Glyphs: o.glyphsFor(env), Hertz: o.hertz,
	}
	if c.Rounds, err = o.rounds(); err != nil {
		return Config{}, err
	}
	if err := o.load(&c, env); err != nil {
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
	o.remark(&c)
	return c, nil
}

// rounds is how often the tests are run, 0 for until interrupted.
func (o *options) rounds() (int, error) {
	switch {
	case o.idle && (o.loop || o.given("count")):
		return 0, errors.New("-I: idle connections run no tests that -l or --count could repeat; leave those out")
	case o.loop && o.given("count"):
		return 0, errors.New("-l and --count both say how often the tests run: give one of them")
	case o.loop:
		return 0, nil
	}
	preset(o, "count", &o.count, 1)
	return o.count, nil
}

// remark says what was accepted for redis-benchmark's sake and has no effect.
func (o *options) remark(c *Config) {
	tell := func(when bool, text string) {
		if when {
			c.Remarks = append(c.Remarks, text)
		}
	}
	tell(len(o.words) > 0 && o.given("tests"), "option -t is ignored: a command is given")
	tell(len(o.words) == 0 && o.stdin, "option -x has no effect: no command is given whose last argument stdin could be")
	tell(o.showError, "option -e has no effect: errors are always counted by code, and their first text is shown")
	tell(o.given("precision") && o.precision != 3, "option --precision has no effect: latencies always have 3 significant digits")
	tell(o.given("keep-alive") && !o.keepAlive, "-k 0: every batch leaves a closed connection that holds a local port for about a minute; dials that find no port are counted as lost")
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
func (o *options) load(c *Config, env Env) error {
	c.Plan = o.plan
	p := &c.Plan
	preset(o, "clients", &p.Clients, defaultClients)
	preset(o, "pipeline", &p.Pipeline, defaultPipeline)
	preset(o, "timeout", &p.Stall, defaultTimeout)
	preset(o, "key-prefix", &p.Workload.Keys.Prefix, defaultPrefix)
	p.Reconnect = o.given("keep-alive") && !o.keepAlive
	var err error
	p.Cluster = o.cluster
	if p.ReadFrom, err = o.reads(); err != nil {
		return err
	}
	if o.given("tests") && o.given("mix") {
		return errors.New("-t and --mix both name the commands: give -t set,get for one test after another, or --mix set=1,get=10")
	}
	if err := o.order(&p.Workload.Keys); err != nil {
		return err
	}
	// A run of a given length can spare the time, and a screen has no end at all.
	if !o.given("warmup") && !o.given("requests") {
		p.Warmup.Auto = c.Interactive || o.given("duration") // -n counts from the first request (M12)
	}
	payload := headlessPayload
	if c.Interactive {
		payload = screenPayload
		preset(o, "keyspace", &p.Workload.Keys.Size, screenKeys)
	} else if !o.given("duration") {
		// With a duration alone the count would end most runs long before their time.
		preset(o, "requests", &p.Requests, headlessRequests)
	}
	preset(o, "data-size", &o.sizes, workload.FixedSize(payload))
	p.Workload = p.Workload.Sized(o.sizes)
	return o.commands(c, env)
}

// order is --sequential, which is one distribution's other name.
func (o *options) order(keys *workload.KeySpace) error {
	if !o.sequential {
		return nil
	}
	sequential, err := workload.ParseDist("sequential")
	if o.given("key-dist") && keys.Dist != sequential {
		return fmt.Errorf("--sequential: --key-dist is %s already; give one of them", keys.Dist)
	}
	keys.Dist = sequential
	return err
}

// commands decides what is sent: the command after the flags, the mix, or tests.
// A command wins over -t, as in redis-benchmark.
func (o *options) commands(c *Config, env Env) error {
	custom, err := o.command(env)
	switch {
	case err != nil:
		return err
	case custom != nil:
		c.Mixed, c.Plan.Workload.Mix = true, custom
		return nil
	case c.Idle: // nothing is sent, but a plan needs something to send
		c.Mixed = true
		c.Plan.Workload.Mix, err = workload.ParseMix("ping_mbulk")
		return err
	case c.Interactive:
		return o.screenMix(c)
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
