// Package insight tells what held a load back: it reads what a server says of itself
// and what the machine of the load says of its own, as differences between two looks
// (M25), and names the limiter with the numbers that decided it (M26).
//
// It dials nothing and starts nothing. Once a second an engine asks the server for INFO
// and, where there is any, for LATENCY HISTOGRAM, and gives the answers to Parse and
// ParseLatency; it has a Host read the machine's files; and it gives the differences to
// the last looks (Between, HostBetween), with what the load itself counted in the same
// time, to Decide. A Steady keeps the live line from flickering. What is not told stays
// so up to the screen: no figure is 0 because it is missing.
package insight
