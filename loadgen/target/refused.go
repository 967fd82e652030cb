package target

// Idle makes sure that the server has not closed a connection on which nothing is in
// flight, as one with a timeout does with those that rest. It looks for about a
// millisecond and sends nothing. An error that has come unasked is a refusal of the
// connection, as for TurnedAway.
func (c *Conn) Idle() error {
	c.wire.drain()
	switch f := c.wire.skim.notes.front(); {
	case f != nil && f.reply.Kind == Failure:
		return trouble("dial", c.addr, ReplyError(f.reply.Err))
	case f != nil:
		return trouble("read from", c.addr, errUnasked)
	case c.wire.readErr != nil:
		return trouble("read from", c.addr, c.wire.readErr)
	}
	return nil
}

// Refused tells whether a reply, the first one on a connection, refuses the connection
// instead of the command, as a server does that is full, still loading, in protected
// mode, or wants a password first: nothing was executed then. It is nil for all others.
func (c *Conn) Refused(r Reply) error {
	if r.Kind != Failure || !shut(ReplyError(r.Err)) {
		return nil
	}
	return trouble("dial", c.addr, ReplyError(r.Err))
}
