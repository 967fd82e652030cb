package config

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Parse reads args (without the program's name) and env. Every error is one of
// usage, for exit code 2 (M29). When help or the version was asked for, it is
// printed to env.Out and Done is set.
func Parse(args []string, env Env) (Config, error) {
	if env.Out == nil {
		env.Out = io.Discard
	}
	if env.Err == nil {
		env.Err = io.Discard
	}
	// Whatever never reaches run has printed what it was asked for: --help, or
	// cobra's completion.
	c := Config{Done: true}
	cmd, groups := command(env, &c)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		// Only then, because cobra keeps what it is told for ever.
		complete(cmd, groups)
	}
	// Nil would mean os.Args to cobra, which belong to somebody else: to a test's
	// own flags, for one.
	cmd.SetArgs(append([]string{}, hoisted(args)...))
	if err := cmd.Execute(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// command is a fresh root command that fills c, with its table of flags.
func command(env Env, c *Config) (*cobra.Command, []group) {
	o := new(options)
	groups := o.flags()
	cmd := &cobra.Command{
		Use:           "fullbore",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cmd.SetOut(env.Out)
	cmd.SetErr(env.Err)
	// Persistent: subcommands take them too. Where flags end is a matter of the set
	// that they are parsed with, which is the command's own.
	enlist(cmd.PersistentFlags(), groups)
	enlist(cmd.Flags(), nil)
	// cobra asks for a help flag that is a bool of its own; -h is the host's.
	cmd.PersistentFlags().BoolP("help", "?", false, "print this help")
	// help is a word like man, see pages; cobra's own would take HELP from those who
	// want to send it.
	cmd.SetHelpCommand(&cobra.Command{Use: "-"}) // which no word can be
	for _, s := range subcommands() {
		cmd.AddCommand(s.command(o, groups, env, c))
	}
	cmd.SetHelpFunc(func(*cobra.Command, []string) { fmt.Fprint(env.Out, helpText(groups)) })
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return explain(err, groups) })
	cmd.Args = cobra.ArbitraryArgs // a command to send
	cmd.RunE = func(cmd *cobra.Command, words []string) (err error) {
		page := pages(words)
		switch {
		case o.version:
			page = versionPage
		case page == nil:
			o.words, o.given = words, cmd.Flags().Changed
			got, err := o.resolve(cmd.Flags(), env, groups)
			if err == nil {
				err = o.unsecured(got.Target)
			}
			if err == nil {
				err = o.finish(&got, env)
			}
			*c = got
			return err
		}
		_, err = io.WriteString(env.Out, page(groups))
		return err
	}
	return cmd, groups
}

// enlist adds the table to set. Flags end at the first word that is none, because
// all after it belongs to the command that is to be sent.
func enlist(set *pflag.FlagSet, groups []group) {
	set.SortFlags = false
	set.SetInterspersed(false)
	set.SetNormalizeFunc(alias)
	for _, g := range groups {
		for _, f := range g.flags {
			if set.Lookup(f.name) == nil { // subcommands may have flags of the same name
				f.addTo(set)
			}
		}
	}
}

// complete tells cobra what a shell may offer as a flag's value: of a list separated
// by commas, its next word.
func complete(cmd *cobra.Command, groups []group) {
	cmd.SetHelpCommand(&cobra.Command{Use: "help", Short: "help for fullbore or a subcommand", ValidArgsFunction: subcommandNames})
	for _, g := range groups {
		for _, f := range g.flags {
			if len(f.bind.offers) == 0 {
				continue
			}
			offer := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				var values []string
				begun := typed[:strings.LastIndexByte(typed, ',')+1]
				for _, name := range f.bind.offers {
					values = append(values, begun+name)
				}
				return values, cobra.ShellCompDirectiveNoFileComp
			}
			// It fails for a flag that is not there or was told before: neither can be.
			_ = cmd.RegisterFlagCompletionFunc(f.name, offer)
		}
	}
}

// pages is what a word in place of a command prints; nil for all else. Redis has
// no commands of these names, and each is known only when it stands alone.
func pages(words []string) func([]group) string {
	switch {
	case slices.Equal(words, []string{"help"}):
		return helpText
	case slices.Equal(words, []string{"man"}):
		return manPage
	case len(words) == 2 && words[0] == "help":
		if s, ok := named(words[1]); ok {
			return func([]group) string { return s.page() }
		}
	}
	return nil
}

// resolve fills in what was not given on the command line from the environment and
// the profile, and settles the whole, up to finish.
func (o *options) resolve(set *pflag.FlagSet, env Env, groups []group) (Config, error) {
	if err := o.layers(set, env, groups); err != nil {
		return Config{}, err
	}
	return o.config(env)
}

// finish tells the remarks and asks for a password: nobody should have to type one
// only to learn that another flag is wrong.
func (o *options) finish(c *Config, env Env) error {
	if o.exposed != "" {
		c.Remarks = append(c.Remarks, fmt.Sprintf("--pass-file: everybody on this machine can read %s; chmod 600 makes it yours alone", o.exposed))
	}
	var told []error
	for _, text := range c.Remarks {
		_, err := fmt.Fprintf(env.Err, "fullbore: %s\n", text)
		told = append(told, err)
	}
	return errors.Join(append(told, o.ask(env))...)
}
