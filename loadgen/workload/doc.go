// Package workload decides what is sent: the catalogue of tests, mixes of them,
// custom commands, key spaces and how keys are drawn from them, values and their
// sizes, and the data that must exist before a command can hit.
//
// Everything here is a value or a pure generator: no connection, no clock.
//
// A test is one row of Catalog: a wire template with placeholders, and what must
// be kept in order around it. ParseTests and ParseMix choose rows by name, and
// ParseCommand makes rows of a command line. From a Workload come, all derived
// from the rows of its mix:
//
//   - Source, which shares one payload among any number of Generators;
//   - Generator, one client's endless stream of commands, which rewrites the
//     digits of its keys in place and never allocates;
//   - Fixtures, written before the load, so that reads hit values of the payload
//     that was asked for;
//   - Stocks, kept between bounds during the load, so that pops find something
//     and pushes do not fill the server;
//   - Families, the keys to remove afterwards.
//
// Custom commands go out as their user wrote them: the prefix is put before none
// of their keys. Data is prepared and removed for those of their keys only that
// begin with the prefix anyway; Mix.Outside lists the others, so that a user can
// be asked before a command changes what is not fullbore's own.
//
// In a cluster there is one workload for each node, restricted to the slots of that
// node: Workload.Slots. All of the above is then about the keys in these slots, and
// the nodes together send, write and keep what one server would get.
//
// Equal workloads send the same bytes: client i's stream depends on the workload,
// its seed and i, not on how many clients there are. The one exception are
// sequential keys, which all clients take from one counter: there it is the sum of
// all streams that stays the same.
package workload
