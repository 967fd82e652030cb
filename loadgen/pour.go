package loadgen

import (
	"context"
	"fmt"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// pourChunk is how many commands of a filling are in flight: as deep as a pipeline
// pays, shallow enough that the server answers within milliseconds.
const pourChunk = 2000

// pour writes a whole key space the way load is sent, prepared and replayed: a
// hundred thousand keys take a tenth of what they cost one command at a time.
func (s *stockroom) pour(ctx context.Context, w workload.Workload, f workload.Fixture, halt func() error) error {
	conn, err := s.target.Dial(ctx, s.run.base)
	if err != nil {
		return fmt.Errorf("prepare %s: %w", f.What, err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	// Load connections know no time limit (M14): a server that falls silent ends
	// the conversation here.
	silence := time.AfterFunc(s.run.stall, func() { conn.Close() })
	defer silence.Stop()

	p := newPost(nil, nil, w)
	commands, chunk := p.source.Generator(0), max(1, min(pourChunk, 4*f.Chunk()))
	for done := int64(0); done < f.Items; {
		if err := halt(); err != nil {
			return err
		}
		silence.Reset(s.run.stall)
		s.advance.Store(&stats.Progress{What: "writing " + f.What, Done: done, Total: f.Items})
		n := min(chunk, f.Items-done)
		if err := pourSome(conn, p.wires, commands, int(n)); err != nil {
			return fmt.Errorf("prepare %s: %w", f.What, err)
		}
		s.run.setup.Add(n)
		done += n
	}
	return nil
}

// pourSome sends the next n commands and takes their replies; the first refusal is
// the error.
func pourSome(conn *target.Conn, wires *wires, commands *workload.Generator, n int) error {
	for range n {
		if err := wires.send(conn, commands.Next()); err != nil {
			return err
		}
	}
	if err := conn.Flush(); err != nil {
		return err
	}
	for left := n; left > 0; {
		reply, got, err := conn.ReceiveRun(left)
		if err != nil {
			return err
		}
		if reply.Err != "" {
			return target.ReplyError(reply.Err)
		}
		left -= got
	}
	return nil
}
