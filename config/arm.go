package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fullbore/loadgen/launch"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"

	"github.com/spf13/pflag"
)

// laid is an arm laid over the command line.
type laid struct {
	arm     Arm
	label   string // of the arm, for errors
	given   map[string]bool
	threads int
}

// sends tells whether the arm says itself what it sends.
func (l laid) sends() bool { return l.given["tests"] || l.given["mix"] }

// replicasName is a flag's name that means something else beside server= in an arm:
// there it is how many replicas are started, elsewhere who answers reads in a cluster.
const replicasName = "replicas"

// shareable are the groups whose flags an arm may have, without those that
// notPerArm has a reason for.
func (o *options) shareable() []group {
	return []group{o.serverFlags(), o.tlsFlags(), o.loadFlags(), o.dataFlags()}
}

// notPerArm says why arms cannot differ in a flag, "" where they can.
func notPerArm(name string) string {
	switch name {
	case "askpass":
		return "the password is asked for once, for all arms: give it on the command line, or the arm a pass-file="
	case "stdin":
		return "stdin can be read once only: give it on the command line, for all arms"
	case "key-prefix", "keep-keys":
		return "the keys of all arms are found, and removed, together: give it on the command line"
	case "seed":
		return "all arms send the same bytes, and one order of rounds is drawn for all: give it on the command line"
	}
	if find(name, new(options).shareable()).help != "" {
		return ""
	}
	if why := compareRefuses()[name]; why != "" {
		return "it " + why
	}
	if slices.ContainsFunc(new(options).compareFlags().flags, func(f flag) bool { return f.name == name }) {
		return "the rules are the same for all arms: give it on the command line"
	}
	return "it is not part of the load: give it on the command line"
}

// armOffers are what a shell completes to an arm.
func armOffers() []string {
	offers := []string{baseArm, "vs"}
	for _, g := range new(options).shareable() {
		for _, f := range g.flags {
			if notPerArm(f.name) == "" {
				offers = append(offers, f.name+"=")
			}
		}
	}
	return offers
}

// arm lays one arm over the command line, flag by flag: what the arm says silences
// what the line says in another way, as the line silences the environment.
func (o *options) arm(text string, c *Config, env Env) (laid, error) {
	var l laid
	list, err := assignments(text)
	if err != nil {
		return l, err
	}
	l.label = label(list)
	own := new(options)
	groups := own.flags()
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	enlist(set, groups)
	own.given = set.Changed
	if l.given, err = o.lay(list, set, groups); err != nil {
		return l, err
	}
	own.typed = l.given
	l.arm.Label = l.label
	if l.arm.Replicas, l.arm.Chained, err = replicas(list, own.server); err != nil {
		return l, err
	}
	// Its words are not told, as the command line's mix is made already.
	got := Config{Interactive: c.Interactive}
	if err := own.load(&got, env); err != nil {
		return l, err
	}
	preset(own, "threads", &own.threads, defaultThreads)
	l.arm.Plan, l.threads = got.Plan, own.threads
	l.arm.Plan.Requests, l.arm.Plan.Duration = 0, 0
	if err := l.mix(own, c.Plan.Workload.Mix); err != nil {
		return l, err
	}
	if err := l.server(own, env); err != nil {
		return l, err
	}
	o.asking, o.exposed = append(o.asking, own.asking...), cmp.Or(own.exposed, o.exposed)
	return l, l.arm.Plan.Validate()
}

// lay sets the command line's values and over them those of the arm, and tells which
// are the arm's. groups are the table that set was made of.
func (o *options) lay(list []assignment, set *pflag.FlagSet, groups []group) (map[string]bool, error) {
	given, silent := map[string]bool{}, map[string]bool{}
	for _, a := range list {
		given[a.name] = true
		for _, rival := range rivals(a.name) {
			silent[rival] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.texts)) {
		if set.Lookup(name) == nil || given[name] || silent[name] || !o.given(name) {
			continue
		}
		if err := set.Set(name, o.texts[name]); err != nil {
			return nil, explain(err, groups)
		}
	}
	for _, a := range list {
		if a.name == replicasName && counted(list) {
			continue
		}
		if why := notPerArm(a.name); why != "" {
			return nil, refused(a.as, why)
		}
		if err := set.Set(a.name, a.value); err != nil {
			return nil, explain(err, groups)
		}
	}
	return given, nil
}

// mix sets what the arm sends: its own test or mix, else that of the command line.
func (l *laid) mix(own *options, base workload.Mix) error {
	mix := &l.arm.Plan.Workload.Mix
	switch {
	case l.given["tests"] && len(own.tests) > 1:
		return fmt.Errorf("t= names %d tests, and an arm sends one: give a mix such as mix=set=1,get=10, or -t for all arms", len(own.tests))
	case l.given["tests"]:
		*mix = workload.Single(own.tests[0])
	case !l.given["mix"]:
		*mix = base
	}
	return nil
}

// server sets the arm's own server, where it names one or a part of one.
func (l *laid) server(own *options, env Env) (err error) {
	for _, f := range slices.Concat(own.serverFlags().flags, own.tlsFlags().flags) {
		l.arm.Own = l.arm.Own || l.given[f.name]
	}
	switch {
	case !l.arm.Own && l.given["prefill"]:
		return errors.New("prefill= fills a server that the other arms use too: give --prefill on the command line, or the arm a server of its own")
	case !l.arm.Own:
		return nil
	}
	l.arm.Server = own.server
	if l.arm.Target, err = own.target(env); err != nil {
		return err
	}
	return own.unsecured(l.arm.Target)
}

// counted tells whether replicas= is a number of them to start: beside a server=, and
// where there is none but it was meant.
func counted(list []assignment) bool {
	return slices.ContainsFunc(list, func(a assignment) bool {
		return a.name == "server" || a.name == replicasName && strings.ContainsAny(a.value, "0123456789")
	})
}

// replicas reads replicas=N or replicas=N:chain.
func replicas(list []assignment, server string) (n int, chained bool, err error) {
	i := slices.IndexFunc(list, func(a assignment) bool { return a.name == replicasName })
	if i < 0 || !counted(list) {
		return 0, false, nil
	}
	digits, how, chain := strings.Cut(list[i].value, ":")
	n, err = strconv.Atoi(digits)
	switch {
	case err != nil || n < 0 || n > launch.MostReplicas || chain && how != "chain":
		return 0, false, fmt.Errorf("replicas= takes 0 to %d, such as replicas=2, or replicas=2:chain where each follows the one before", launch.MostReplicas)
	case !slices.ContainsFunc(list, func(a assignment) bool { return a.name == "server" }):
		return 0, false, errors.New("replicas= needs a server= in the same arm: quote the whole arm, as in \"server='redis-server' replicas=1\", or separate arms by vs")
	case strings.EqualFold(strings.TrimSpace(server), "builtin"):
		return 0, false, errors.New("replicas=: the built-in server has none; give a command such as server='redis-server' replicas=1")
	}
	return n, chain && n > 0, nil
}

// label is the arm as it was written, without passwords (M31).
func label(list []assignment) string {
	if len(list) == 0 {
		return baseArm
	}
	var words []string
	for _, a := range list {
		words = append(words, a.shown())
	}
	return strings.Join(words, " ")
}

// uriShown is an address without its user and password; of one that cannot be read
// nothing is told, as nobody knows what in it is the password.
func uriShown(uri string) string {
	t, err := target.Parse(uri)
	scheme, rest, _ := strings.Cut(uri, "://")
	if err != nil {
		return hidden
	}
	if t.Username == "" && t.Password == "" {
		return uri
	}
	_, rest, _ = strings.Cut(rest, "@") // Parse takes no second one
	return scheme + "://" + hidden + "@" + rest
}
