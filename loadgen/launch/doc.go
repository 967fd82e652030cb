// Package launch decides which server takes the load, and starts one where there
// is none: the address that the user gave, a server that is running already, a
// private redis-server of this run, or the built-in demo server. A first command
// without any argument works on every machine.
//
// What launch started, Server.Close ends, also when it is frozen.
package launch
