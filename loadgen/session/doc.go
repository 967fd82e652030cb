// Package session is one use of a server from the first connection to the last
// key removed: it chooses the server, looks at it before any load, and leaves it
// as it was.
package session
