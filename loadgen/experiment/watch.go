package experiment

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/target"
)

// asker is a control connection, or a simulated one.
type asker interface {
	Pipeline(n int, command func(i int) (string, []any)) ([]any, error)
	Close()
}

func askServer(ctx context.Context, t target.Target) (asker, error) {
	c, err := t.Control(ctx)
	if err != nil {
		return nil, err // not c, which would be an asker that is not nil
	}
	return c, nil
}

// watch asks one server what it says of itself, before and after rounds and never
// while one is measured (M24, M25).
type watch struct {
	asker   asker
	refused bool // it does not tell, and is not asked again
	silent  bool // it did not answer the last time; no use before it answers the load
}

// sections are those that insight reads. One INFO for each: several in one command
// are understood by Redis 7 and later only, and all of them together bring what
// costs the server more to work out than it is worth here.
func sections() []string { return []string{"server", "stats", "cpu", "commandstats"} }

// askLimit is how long an answer is waited for: a server that takes longer has other
// things to do than to tell of itself, and so has the comparison.
const askLimit = time.Second

// look asks the side's server. ok is false when it tells nothing. The error is
// await's.
func (e *course) look(s *side) (r insight.Reading, ok bool, err error) {
	w := e.watches[s.place.Target]
	if w == nil {
		w = &watch{}
		e.watches[s.place.Target] = w
	}
	if w.refused || w.silent {
		return r, false, nil
	}
	text, told, err := e.inquire(w, s.place.Target)
	var no target.ReplyError
	var fault *loadgen.PanicError
	switch {
	case err != nil:
		return r, false, err
	case errors.As(told, &fault):
		return r, false, fault
	case errors.As(told, &no):
		w.refused = true
		e.warn("what the server says of itself is not known: INFO at " + s.place.Target.String() + ": " + firstLine(no))
	case told != nil:
		w.silent = true
	}
	r = insight.Parse(text)
	r.At = time.Now()
	return r, told == nil, nil
}

// inquire has a goroutine ask, so that settings are followed meanwhile, and joins it.
func (e *course) inquire(w *watch, t target.Target) (text string, told, err error) {
	ctx, cancel := context.WithTimeout(e.ctx, askLimit)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				told = &loadgen.PanicError{Where: "watch", Value: v, Stack: debug.Stack()}
			}
		}()
		text, told = w.read(ctx, func() (asker, error) { return e.ask(ctx, t) })
	}()
	_, err = e.await(0, func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
	cancel()
	<-done
	return text, told, err
}

// read is the text of all sections. The end of ctx cuts it short: a frozen server
// must hold up neither the rounds nor the end.
func (w *watch) read(ctx context.Context, dial func() (asker, error)) (string, error) {
	if w.asker == nil {
		a, err := dial()
		if err != nil {
			return "", err
		}
		w.asker = a
	}
	defer context.AfterFunc(ctx, w.asker.Close)()
	all := sections()
	replies, err := w.asker.Pipeline(len(all), func(i int) (string, []any) { return "INFO", []any{all[i]} })
	if err != nil {
		w.close() // the next look dials again
		return "", err
	}
	var text strings.Builder
	for _, r := range replies {
		part, err := target.Text(r, nil)
		if err != nil {
			return "", err
		}
		text.WriteString(part + "\r\n")
	}
	return text.String(), nil
}

func (w *watch) close() {
	if w.asker != nil {
		w.asker.Close()
		w.asker = nil
	}
}

// bookServer adds what the side's server did since before to the side's account. It
// has answered the load meanwhile, so that it may be asked.
func (e *course) bookServer(s *side, before insight.Reading, seen bool) (did insight.Told[insight.Delta], err error) {
	e.watches[s.place.Target].silent = false
	if !seen || s.twin {
		return did, nil
	}
	after, ok, err := e.look(s)
	if err != nil || !ok {
		return did, err
	}
	delta, ok := insight.Between(before, after)
	if !ok { // it was restarted, or its counters were
		return did, nil
	}
	e.results = slices.Clone(e.results)
	o := &e.results[e.caseAt]
	o.Arms = slices.Clone(o.Arms)
	o.Arms[s.arm].Server = o.Arms[s.arm].Server.Add(delta)
	return insight.Tell(delta), nil
}
