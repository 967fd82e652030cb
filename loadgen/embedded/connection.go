package embedded

// ping is also what tells a client that the server is there.
func ping(c *session, args [][]byte) {
	switch len(args) {
	case 1:
		c.out.WriteString("PONG")
	case 2:
		c.out.WriteBulk(args[1])
	default:
		c.wrongArgs("ping")
	}
}

// echo gives the argument back; a connection is verified with it.
func echo(c *session, args [][]byte) { c.out.WriteBulk(args[1]) }

// quit answers first; the connection ends after the reply is written.
func quit(c *session, _ [][]byte) {
	c.ok()
	c.quit = true
}

// auth answers as a Redis without a password does.
func auth(c *session, args [][]byte) {
	switch {
	case len(args) > 3:
		c.fail(errSyntax)
	case len(args) == 2:
		c.fail("ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?")
	case string(args[1]) != "default":
		c.fail("WRONGPASS invalid username-password pair or user is disabled.")
	default:
		c.ok()
	}
}

// selectDB chooses the database of this connection.
func selectDB(c *session, args [][]byte) {
	n, ok := parseInt(args[1])
	switch {
	case !ok:
		c.fail(errInteger)
	case n < 0 || n >= databases:
		c.fail(errDBRange)
	default:
		c.db = int(n)
		c.ok()
	}
}

// clientID is the connection's number, counted from 1.
func clientID(c *session, _ [][]byte) { c.out.WriteInt64(c.id) }

// clientSetName takes printable ASCII without blanks, as Redis does.
func clientSetName(c *session, args [][]byte) {
	for _, b := range args[2] {
		if b < '!' || b > '~' {
			c.fail("ERR Client names cannot contain spaces, newlines or special characters.")
			return
		}
	}
	c.name = string(args[2])
	c.ok()
}

// clientGetName answers nil for a connection without a name.
func clientGetName(c *session, _ [][]byte) {
	if c.name == "" {
		c.out.WriteNull()
		return
	}
	c.out.WriteBulkString(c.name)
}

// clientSetInfo takes what client libraries tell of themselves and forgets it.
func clientSetInfo(c *session, _ [][]byte) { c.ok() }
