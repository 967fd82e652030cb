package config

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// cleanText is the help of clean.
const cleanText = `Examples:
  fullbore clean                            keys under "fullbore:" on 127.0.0.1:6379
  fullbore clean -u rediss://10.0.0.5       on another server
  fullbore clean --cluster -p 7000          on every node of a cluster
  fullbore clean --key-prefix bench: --yes  keys under another prefix, without asking

A run removes its keys when it ends. One that was killed, or whose server had gone, leaves them:
this removes them, by SCAN and UNLINK, a thousand at a time, and says how many there were. Never
anything else: a key goes only when it begins with the prefix, which is taken letter by letter.

Keys under the prefix of fullbore's own go at once. Under another one they may be somebody's, so
fullbore asks first; --yes consents beforehand, and is needed where nobody can be asked and for a
prefix of less than three letters. Without a prefix nothing can be removed. Exit code 0 when no
such key is left, 1 when some may be, 2 when nothing was removed because nobody consented.

Flags are those of the groups Server (without --server and --replicas) and TLS, --key-prefix, --yes
and --profile: see fullbore --help. They may stand before clean or after it.
`

// shortestPrefix is how many letters a prefix has that nobody gives by mistake.
const shortestPrefix = 3

// cleanRefuses are the flags of a load and its report.
func cleanRefuses() map[string]string {
	refused := map[string]string{
		"server":     "has no effect here: a server that is started for a run goes with its keys",
		replicasName: "has no effect here: keys are removed on primaries",
	}
	o := new(options)
	for _, g := range []group{o.loadFlags(), o.dataFlags(), o.endFlags(), o.reportFlags(), o.screenFlags()} {
		for _, f := range g.flags {
			if f.name != "key-prefix" {
				refused[f.name] = "has no effect here: no load is sent; clean takes flags that name a server, --key-prefix and --yes"
			}
		}
	}
	return refused
}

// clean makes c remove what lies under its prefix, and nothing more.
func (o *options) clean(c *Config, words []string, env Env) error {
	prefix := c.Plan.Workload.Keys.Prefix
	switch {
	case len(words) > 0 || len(o.words) > 0:
		return errors.New("it takes flags only: the keys to remove are those under --key-prefix")
	case prefix == "":
		return errors.New("--key-prefix: without a prefix the keys of a run cannot be told from others: name one, as in --key-prefix bench: or leave the flag out")
	case utf8.RuneCountInString(prefix) < shortestPrefix && !c.Yes:
		return fmt.Errorf("--key-prefix %q: so short a prefix may be that of somebody else's keys: --yes consents", prefix)
	}
	if err := o.unsecured(c.Target); err != nil {
		return err
	}
	if c.Target == nil { // none is looked for, and none is started
		t, err := o.address()
		if err != nil {
			return err
		}
		c.Target = &t
	}
	c.Clean, c.Interactive, c.Progress = true, false, env.ErrIsTerminal
	c.Yes = c.Yes || prefix == defaultPrefix
	return nil
}
