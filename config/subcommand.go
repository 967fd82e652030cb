package config

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// subcommand is a word after fullbore that asks for something else than a run. All
// flags of the table hold for it, in any place, beside its own.
type subcommand struct {
	name string
	args string // what follows, for the help
	help string // one line
	text string // the help below the first line: what, how, examples
	own  func(*options) group
	// refuses are flags of the table that it has no use for, with the reason. Where
	// the environment or a profile has them they are for other runs, and passed over.
	refuses func() map[string]string
	// fill completes what the flags gave, from the words before a -- and in the end
	// checks it. The words after -- are the command to send.
	fill func(o *options, c *Config, words []string, env Env) error
	// offers are the words that a shell completes; the next word follows at once
	// after one that ends in =.
	offers func() []string
}

// subcommands is the one place to add one: the root's help, the man page, the
// completion and `fullbore help NAME` read this table.
func subcommands() []subcommand {
	return []subcommand{
		{"compare", "[flags] ARM ARM [ARM...] [-- COMMAND ARG...]", "two to six settings in turn, with a verdict on each difference",
			compareText, (*options).compareFlags, compareRefuses, (*options).compare, armOffers},
		{"clean", "[flags]", "remove the keys that an interrupted run left behind",
			cleanText, func(*options) group { return group{} }, cleanRefuses, (*options).clean, func() []string { return nil }},
	}
}

// page is the subcommand's help.
func (s subcommand) page() string {
	o := new(options)
	var b strings.Builder
	fmt.Fprintf(&b, "fullbore %s: %s\n\nUsage:\n  fullbore %s %s\n\n%s", s.name, s.help, s.name, s.args, s.text)
	if own := s.own(o); len(own.flags) > 0 {
		flagLines(&b, own)
		b.WriteString("\nBeside these the flags of fullbore hold, before and after other words: see fullbore --help.\n")
	}
	return b.String()
}

// command is the cobra command of s, which fills c. o is bound to groups, the flags
// of the root.
func (s subcommand) command(o *options, groups []group, env Env, c *Config) *cobra.Command {
	own := o.noting([]group{s.own(o)})
	groups = append(slices.Clip(groups), own...)
	cmd := &cobra.Command{Use: s.name + " " + s.args, Short: s.help, Args: cobra.ArbitraryArgs}
	enlist(cmd.Flags(), own)
	cmd.Flags().SetInterspersed(true) // its words are not a command's, whose own flags would be meant
	cmd.SetHelpFunc(func(*cobra.Command, []string) { fmt.Fprint(env.Out, s.page()) })
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return explain(err, groups) })
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return s.offers(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		if o.version {
			_, err := io.WriteString(env.Out, versionPage(groups))
			return err
		}
		if dash := cmd.ArgsLenAtDash(); dash >= 0 {
			words, o.words = words[:dash], words[dash:]
		}
		o.given = cmd.Flags().Changed
		if err := o.refuse(s, groups); err != nil {
			return err
		}
		got, err := o.resolve(cmd.Flags(), env, groups)
		if err != nil {
			return err
		}
		if err := s.fill(o, &got, words, env); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := o.finish(&got, env); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		*c = got
		return nil
	}
	return cmd
}

// refuse says which flag of the command line s has no use for.
func (o *options) refuse(s subcommand, groups []group) error {
	o.refused = s.refuses()
	for _, g := range groups {
		for _, f := range g.flags {
			if why := o.refused[f.name]; why != "" && o.given(f.name) {
				return fmt.Errorf("%s: %s %s", s.name, f.written(), why)
			}
		}
	}
	return nil
}

// subcommandNames are what a shell offers after help.
func subcommandNames(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
	for _, s := range subcommands() {
		names = append(names, s.name+"\t"+s.help)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// named is the subcommand of that name.
func named(name string) (subcommand, bool) {
	for _, s := range subcommands() {
		if s.name == name {
			return s, true
		}
	}
	return subcommand{}, false
}

// hoisted is args with the subcommand's name in front, where it follows flags. cobra
// looks for it too, but takes set for the first word of "-qt set compare".
func hoisted(args []string) []string {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	enlist(set, new(options).flags())
	if err := set.Parse(args); err != nil || set.ArgsLenAtDash() >= 0 || set.NArg() == 0 {
		return args
	}
	at := len(args) - set.NArg()
	if _, ok := named(args[at]); !ok {
		return args
	}
	return slices.Concat(args[at:at+1], args[:at], args[at+1:])
}
