//go:build faultinject

package loadgen

import (
	"os"
	"time"
)

// breakDown is where the end-to-end tests make the program fail on purpose: with
// FULLBORE_FAULT=worker-panic in the environment, a worker panics between two
// batches once the run is a second old, when the screen is up and load is on.
func breakDown(r *Runner) {
	if os.Getenv("FULLBORE_FAULT") == "worker-panic" && r.now() > time.Second {
		panic("worker-panic was asked for")
	}
}
