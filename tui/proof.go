package tui

import (
	"context"
	"errors"

	"fullbore/loadgen"
)

// trial is a proof under way: the same load with twice the threads of the load
// generator, in turn with the present one, while the live run holds still.
type trial struct {
	cancel  context.CancelFunc
	done    chan struct{} // closed when the proof has ended
	verdict string        // written before done is closed, as is err
	err     error
}

// joined waits until the proof has ended.
func (t *trial) joined(ctx context.Context) {
	if t == nil {
		return
	}
	select {
	case <-t.done:
	case <-ctx.Done():
	}
}

// ended tells whether no proof is under way; one that has not ended hands the live run
// what it is owed itself.
func (t *trial) ended() bool {
	if t == nil {
		return true
	}
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// prove begins a proof about a plan. The live run rests meanwhile, and goes on under
// the plan that is wanted of it then. Another plan ends the proof.
func (s *supervisor) prove(p loadgen.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil || s.o.Prove == nil || s.contest != nil || s.trial != nil {
		return
	}
	rest := p
	rest.Paused = true
	s.live.apply(rest)
	s.owed = &p
	ctx, cancel := context.WithCancel(s.ctx)
	t := &trial{cancel: cancel, done: make(chan struct{})}
	s.trial, s.joins = t, append(s.joins, t.done)
	arm, live, before := armOf(p, s.where), s.live, s.lastContest()
	go func() {
		defer s.tried(t)
		defer func() {
			if v := recover(); v != nil {
				t.err = s.crashed(v)
			}
		}()
		joined(ctx, before)
		atRest(ctx, live)
		if t.err = ctx.Err(); t.err == nil {
			t.verdict, t.err = s.o.Prove(ctx, arm)
		}
	}()
}

// tried ends a proof: the live run gets what it is owed, unless a comparison has begun.
func (s *supervisor) tried(t *trial) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.cancel()
	if s.contest == nil && s.owed != nil && s.ctx.Err() == nil {
		s.live.apply(*s.owed)
		s.owed = nil
	}
	close(t.done)
}

// judged gives the verdict of a proof once, after it has ended.
func (s *supervisor) judged() (verdict string, err error, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.trial
	if t == nil || !t.ended() {
		return "", nil, false
	}
	s.trial = nil
	return t.verdict, t.err, true
}

// prove asks whether the load generator is the limit, or gives the question up.
func (l live) prove() live {
	switch {
	case l.over:
		return l.want(l.plan)
	case l.proving:
		return l.want(l.plan) // any plan ends it
	case l.plan.Paused:
		return l.note(true, "nothing to prove while the load is paused")
	}
	l.witness.prove(l.plan)
	l.proving, l.proof = true, provingWords
	return l.note(false, provingWords)
}

const provingWords = "proof under way: twice the client threads, in turn; p ends it"

// judge takes the verdict of a proof.
func (l live) judge(verdict string, err error, ended bool) live {
	if !ended {
		return l
	}
	l.proving, l.proof = false, ""
	switch {
	case errors.Is(err, context.Canceled):
		return l.note(false, "proof given up")
	case err != nil:
		return l.note(true, "not proven: "+err.Error())
	}
	l.proof = "proof: " + verdict
	return l.note(false, l.proof)
}
