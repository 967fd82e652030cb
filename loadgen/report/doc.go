// Package report turns a loadgen.Result into what people and programs read:
// redis-benchmark's report, its -q lines and its CSV, JSON, a markdown table, Go
// benchmark lines and HdrHistogram's percentiles; and an experiment.State, a comparison
// of arms, likewise, with the verdict on each; for those who watch a suite, a line
// of progress; and for the screen, the summary that stays in the scrollback and the
// files of its w key.
//
// A report invents nothing. Counts come from counters and never from a
// histogram (METHOD.md M5), rates are successful replies over measured time
// (M30), and what was not measured, or is carried by too few batches (M3), is a
// dash, an empty field or null: never 0, NaN or Inf (M7).
//
// Nothing here knows of flags, terminals or os.Stdout: everything is written to
// the io.Writer that the caller hands in.
package report
