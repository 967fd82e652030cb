package config

import (
	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// options are the flags as they were given. Most bind a field of the plan
// itself; given tells which were there, because several defaults depend on
// whether there is a screen.
type options struct {
	given func(name string) bool
	words []string // the custom command after the flags, not yet read
	// texts are the values as they were given, by long name: an arm of a comparison
	// is laid over them.
	texts   map[string]string
	refused map[string]string // flags that the subcommand has no use for, and why

	rules experiment.Rules // of compare

	plan  loadgen.Plan
	tests []workload.Test

	// typed are the flags of the command line, or of an arm itself: what a lower layer
	// says may be meant for another server, and what cannot be used of it is no mistake.
	typed map[string]bool

	host, socket, uri, password, user string
	passFile, exposed                 string // exposed is a file of passwords that everybody can read
	askPass                           bool
	asking                            []*target.Target // they get the password that is asked for
	port, db                          int
	server                            string
	cluster                           bool
	readFrom                          string
	tls                               bool
	tlsOptions                        target.TLSOptions

	sizes            workload.Sizes
	sequential       bool
	stdin, showError bool
	keepAlive        bool
	precision        int

	count      int
	loop, idle bool

	format, output   string
	quiet, csv, json bool
	theme, glyphs    string
	hertz, threads   int
	keepKeys, yes    bool
	profile          string
	version          bool
}

// group is a section of the help.
type group struct {
	title   string
	example string // a command line, without the program's name, and what it is for
	flags   []flag
}

// flag is one row of the table: one line that names a flag, binds what it sets
// and is its help.
type flag struct {
	name  string
	short string // one letter, redis-benchmark's where it has one
	arg   string // what its value is called in the help; empty for a switch
	bind  binding
	help  string
	base  string // the default, in words
}

// Limits of flags that are not the plan's.
const (
	maxPort = 65535
	maxDB   = 1<<31 - 1
	// redis-benchmark's limit for its --threads; more threads than cores only
	// take turns.
	maxThreads = 500
	maxCount   = 1000
	// What --precision takes; redis-benchmark silently uses its default for more.
	maxPrecision = 4
)
