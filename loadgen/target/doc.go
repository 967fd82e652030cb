// Package target is where the load goes: an address, the connections to it, and
// what a look at the server finds before any load is sent.
//
// Three kinds of talk with a server live here, and only they touch redigo:
//
//   - Conn, a load connection. One worker owns it. It has no deadlines (M14); a
//     watchdog closes it from another goroutine when it hangs. Its wrapper around
//     the net.Conn stamps every reply where its bytes arrive (M2) and reads past
//     the bodies, so that a reply costs no allocation whatever its size.
//   - Control, a connection with deadlines for everything beside the load.
//   - Preflight, one look at the server that turns every state in which load
//     would make no sense into one line that names the flag at fault.
//
// Passwords are of type Secret, which prints as three stars (M31).
package target
