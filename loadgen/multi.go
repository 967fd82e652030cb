package loadgen

import (
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// transaction is MULTI and EXEC as bytes. Around a batch they make the server run
// its commands in one go and answer them with one array: the other remedy, beside
// a pipeline, for the cost of round trips.
type transaction struct{ begin, end *target.Prepared }

func newTransaction() transaction {
	return transaction{target.PrepareInline([]byte(multiWire)), target.PrepareInline([]byte(execWire))}
}

const (
	multiWire = "*1\r\n$5\r\nMULTI\r\n"
	execWire  = "*1\r\n$4\r\nEXEC\r\n"
)

// receiveMulti takes the replies to a batch in a transaction: OK, a QUEUED for
// each command, and the array of results. All commands are answered when the
// array's last byte has come (M1). A command that the server refused to queue is
// an error; then EXEC refuses them all.
func (w *worker) receiveMulti(from, sent time.Duration) (answered int, err error) {
	total := 0
	for _, q := range w.asked {
		total += q.n
	}
	begun, err := w.conn.Receive() // MULTI itself
	if err == nil && !w.proven {
		err = w.prove(begun)
	}
	if err != nil {
		return 0, err
	}
	for left := total; left > 0; {
		_, n, err := w.conn.ReceiveRun(left)
		if err != nil {
			return 0, err
		}
		left -= n
	}
	result, err := w.conn.Receive()
	if err != nil {
		return 0, err
	}
	w.latest = result.At
	w.awaiting.Store(int64(result.At))
	w.run.gaps.Arrived(result.At)
	w.settleMulti(result, total, from, sent)
	return total, nil
}

// settleMulti books the array of results. Its elements come in the order of the
// commands, but only their numbers are known: errors are booked on the first rows,
// nils on the rows that read.
func (w *worker) settleMulti(result target.Reply, total int, from, sent time.Duration) {
	failures, nils := result.Failures, result.Nils
	if result.Kind == target.Failure {
		failures = total // EXECABORT: none was run
	}
	for i := range w.asked {
		q := &w.asked[i]
		if bad := min(failures, q.n); bad > 0 {
			failures -= bad
			q.n -= bad
			w.sample(q, target.Reply{At: result.At, Kind: target.Failure, Err: result.Err}, bad, from, sent)
		}
		if q.n == 0 {
			continue
		}
		missing := 0
		if q.reads && !q.perElement {
			missing = min(nils, q.n)
			nils -= missing
		}
		for _, part := range []struct {
			n    int
			kind target.Kind
		}{{missing, target.Nil}, {q.n - missing, target.Value}} {
			if part.n > 0 {
				w.sample(q, target.Reply{At: result.At, Kind: part.kind}, part.n, from, sent)
			}
		}
	}
}

// noted is a fault met while a batch was received.
func (w *worker) noted(reply target.Reply, n int) {
	code := target.Code(reply.Err)
	w.run.scout.heed(code)
	w.batch.Fault(stats.Fault{
		Class: stats.ReplyFault, Code: code, Text: reply.Err, Count: int64(n), Last: reply.At,
	})
}
