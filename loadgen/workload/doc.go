// Package workload decides what is sent: the catalogue of tests, mixes of them,
// key spaces, payloads, and the data that must exist before a command can hit.
//
// Everything here is a value or a pure generator: no connection, no clock.
//
// A test is one row of Catalog: a wire template with placeholders, and what must
// be kept in order around it. ParseTests and ParseMix choose rows by name. From a
// Workload come, all derived from the rows of its mix:
//
//   - Source, which shares one payload among any number of Generators;
//   - Generator, one client's endless stream of commands, which rewrites the
//     digits of its keys in place and never allocates;
//   - Fixtures, written before the load, so that reads hit values of the payload
//     that was asked for;
//   - Stocks, kept between bounds during the load, so that pops find something
//     and pushes do not fill the server;
//   - Families, the keys to remove afterwards.
package workload
