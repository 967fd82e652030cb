package config

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
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
	// cobra's hidden completion command.
	c := Config{Done: true}
	cmd := command(env, &c)
	// Nil would mean os.Args to cobra, which belong to somebody else: to a test's
	// own flags, for one.
	cmd.SetArgs(append([]string{}, args...))
	if err := cmd.Execute(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// command is a fresh root command that fills c.
func command(env Env, c *Config) *cobra.Command {
	o := new(options)
	groups := o.flags()
	cmd := &cobra.Command{
		Use:           "fullbore",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cmd.SetOut(env.Out)
	cmd.SetErr(env.Err)
	cmd.Flags().SortFlags = false
	cmd.Flags().SetNormalizeFunc(alias)
	for _, g := range groups {
		for _, f := range g.flags {
			f.addTo(cmd.Flags())
		}
	}
	// cobra asks for a help flag that is a bool of its own; -h is the host's.
	cmd.Flags().BoolP("help", "?", false, "print this help")
	cmd.SetHelpFunc(func(*cobra.Command, []string) { fmt.Fprint(env.Out, helpText(groups)) })
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return explain(err, groups) })
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		// Not repeated: it may be the second half of a password with a blank in it.
		return errors.New("an argument is not a flag: quote values with blanks; commands are named by -t set,get or --mix set=1,get=10")
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if o.version {
			_, err = fmt.Fprintln(env.Out, versionLine())
			return err
		}
		o.given = cmd.Flags().Changed
		*c, err = o.config(env)
		return err
	}
	return cmd
}
