// Package daemon runs one redis-server (or a server that takes the same options)
// as a child of this process: on a loopback port of its own, in a folder of its
// own, with its output in a file there, and gone when this process is gone.
//
// It is the one place that knows processes and signals. launch starts private
// servers with it, and redistest the servers of the tests.
package daemon
