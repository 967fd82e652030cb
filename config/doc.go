// Package config reads the command line and the environment into a Config: the
// only place in fullbore that knows flags.
//
// redis-benchmark's flags keep their letters, their spellings and their
// defaults, with one exception of manners: where redis-benchmark takes atoi's
// word for it, a wrong value is refused, and the error names the flag and a form
// it takes. No error and no output repeats a password (METHOD.md M31).
//
// Parse is a function of its arguments: no package variable, no os.Args, no
// os.Stdout, so that two calls never know of each other. Process makes the Env
// that main gives it.
package config
