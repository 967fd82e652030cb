package experiment_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/target"
)

// teller is a simulated control connection. Each look finds ten more commands.
type teller struct {
	looks  *int // answered so far, on all connections
	dials  int  // which connection this is, from 1
	answer func(look int) (info string, err error)
	closed bool
}

func (a *teller) Pipeline(n int, command func(int) (string, []any)) (replies []any, err error) {
	*a.looks++
	info, err := a.answer(*a.looks)
	if err != nil {
		if refused, ok := err.(target.ReplyError); ok {
			return []any{refused}, nil
		}
		return nil, err
	}
	return []any{[]byte(info)}, nil
}

func (a *teller) Close() { a.closed = true }

func info(run, commands int) string {
	return fmt.Sprintf("run_id:%d\r\ntotal_commands_processed:%d\r\n# Commandstats\r\ncmdstat_set:calls=%d,usec=%d\r\n", run, commands, commands, commands)
}

// told runs a comparison of two equal arms whose server tells of itself by answer.
func told(t *testing.T, answer func(look int) (string, error)) (s *experiment.State, tellers []*teller) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2)}, nil, experiment.Rules{Pairs: 8})
		w := &world{rate: noisy(1, .01)}
		c.Once = true
		experiment.Simulate(c, w.start)
		looks := 0
		experiment.Consult(c, func(target.Target) (experiment.Asker, error) {
			tellers = append(tellers, &teller{looks: &looks, dials: len(tellers) + 1, answer: answer})
			return tellers[len(tellers)-1], nil
		})
		var err error
		if s, err = c.Run(t.Context()); err != nil {
			t.Errorf("run: %v", err)
		}
		for _, a := range tellers {
			if !a.closed {
				t.Errorf("connection %d is open at the end", a.dials)
			}
		}
	})
	return s, tellers
}

func TestServerTells(t *testing.T) {
	s, tellers := told(t, func(look int) (string, error) { return info(1, 10*look), nil })
	for i, m := range s.Results[0].Arms {
		if m.Server.Commands != 80 || m.Server.Calls["set"].Calls != 80 || m.Server.Calls["set"].Time != 80*time.Microsecond {
			t.Errorf("arm %d: %+v, want the ten commands of each round", i, m.Server)
		}
	}
	if len(tellers) != 1 || len(s.Notes) != 0 {
		t.Errorf("%d connections, notes %+v", len(tellers), s.Notes)
	}
}

// TestServerIsRestarted: what lies across its restart is left out.
func TestServerIsRestarted(t *testing.T) {
	s, _ := told(t, func(look int) (string, error) { return info(look/3, 10*look), nil })
	for i, m := range s.Results[0].Arms {
		if m.Server.Commands == 0 || m.Server.Commands >= 80 || m.Server.Commands%10 != 0 {
			t.Errorf("arm %d: %+v", i, m.Server)
		}
	}
}

func TestServerRefuses(t *testing.T) {
	looks := 0
	s, _ := told(t, func(int) (string, error) {
		looks++
		return "", target.ReplyError("NOPERM this user has no permissions to run the 'info' command")
	})
	if looks != 1 || len(s.Notes) != 1 || !s.Notes[0].Warning {
		t.Errorf("asked %d times, notes %+v", looks, s.Notes)
	}
}

// TestServerIsSilent: it is asked again on a new connection when it answers the load.
func TestServerIsSilent(t *testing.T) {
	s, tellers := told(t, func(look int) (string, error) {
		if look == 4 {
			return "", errors.New("broken pipe")
		}
		return info(1, 10*look), nil
	})
	if len(tellers) != 2 || len(s.Notes) != 0 {
		t.Errorf("%d connections, notes %+v", len(tellers), s.Notes)
	}
	if a, b := s.Results[0].Arms[0].Server, s.Results[0].Arms[1].Server; a.Commands+b.Commands < 140 || a.Commands+b.Commands > 160 {
		t.Errorf("the server told %+v and %+v", a, b)
	}
}

// TestWatchFails: a panic beside the load is the program's own failure as well.
func TestWatchFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2)}, nil, experiment.Rules{})
		w := &world{rate: noisy(1, .01)}
		experiment.Simulate(c, w.start)
		experiment.Consult(c, func(target.Target) (experiment.Asker, error) { panic("boom") })
		s, err := c.Run(t.Context())
		var fault *loadgen.PanicError
		if !errors.As(err, &fault) || fault.Value != "boom" || !s.Partial || w.running != 0 {
			t.Errorf("%v, partial %v, %d runs go on", err, s.Partial, w.running)
		}
	})
}
