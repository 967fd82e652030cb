package config

import (
	"errors"
	"fmt"

	"fullbore/loadgen/target"
)

// secured is t over TLS, where --tls or the URI asks for that: --tls secures every
// address, also one that is written redis://, because going without in silence would
// be the worse surprise.
func (o *options) secured(t target.Target) (target.Target, error) {
	if o.given("tls") && !o.tls && t.TLS != nil && o.typed["tls"] {
		return t, errors.New("--tls=false: the URI of -u asks for TLS: write redis:// in place of rediss://, or leave it out")
	}
	if !o.tls && t.TLS == nil {
		return t, nil
	}
	return t.Secure(o.tlsOptions) // its errors name the flag
}

// unsecured refuses the flags that say how TLS is done where nothing asks for it:
// whoever gives an authority expects it to be asked.
func (o *options) unsecured(t *target.Target) error {
	if t != nil && t.TLS != nil {
		return nil
	}
	for _, f := range o.tlsFlags().flags {
		if f.name != "tls" && o.typed[f.name] {
			return fmt.Errorf("%s says how TLS is done, and nothing asks for TLS: give --tls, or -u rediss://… in place of redis://", f.written())
		}
	}
	return nil
}
