package main_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// The knobs of the screen, in the order of tab. Each stays within a
// few steps of where it began: commands that the server also gets as preparation
// could not be told apart in its counts, and a million large values fill no test
// machine's memory to good purpose.
const (
	clientsKnob = iota
	pipelineKnob
	sizeKnob
	commandKnob
	keysKnob
	rateKnob
	distKnob
	batchKnob
	rttKnob
	windowKnob
	knobCount
)

// player presses random keys of the key map and knows where they lead.
type player struct {
	random *rand.Rand
	focus  int
	at     [knobCount]int // steps away from the start
	paused bool
}

// bounds are the steps within which a knob is turned.
func bounds(knob int) (least, most int) {
	switch knob {
	case clientsKnob:
		return -2, 1 // 10 to 200
	case pipelineKnob:
		return 0, 4 // 1 to 16
	case sizeKnob:
		return -3, 3 // 8 to 512 bytes
	case commandKnob:
		return -2, 0 // ping_inline, ping_mbulk, set
	case distKnob:
		return 0, 3 // uniform to gaussian
	case batchKnob:
		return 0, 2 // pipeline, multi, none
	case rttKnob:
		return 0, 2 // from what it is to a simulated one of less than a millisecond
	case windowKnob:
		return -1, 1
	}
	return -3, 0 // keys; rate: from 200k to max
}

// next is the keys of one change: perhaps another knob first, then a step of it, a
// pause or its end, or a reset.
func (p *player) next() string {
	keys := strings.Builder{}
	for range p.random.IntN(3) {
		if p.random.IntN(2) == 0 {
			keys.WriteString("\t")
			p.focus = (p.focus + 1) % knobCount
		} else {
			keys.WriteString("\x1b[Z")
			p.focus = (p.focus + knobCount - 1) % knobCount
		}
	}
	switch least, most := bounds(p.focus); {
	case p.paused || p.random.IntN(8) == 0:
		p.paused = !p.paused
		keys.WriteString(" ")
	case p.random.IntN(8) == 0:
		keys.WriteString("r")
	case p.at[p.focus] < most && (p.at[p.focus] == least || p.random.IntN(2) == 0):
		p.at[p.focus]++
		keys.WriteString("\x1b[C")
	default:
		p.at[p.focus]--
		keys.WriteString("\x1b[D")
	}
	return keys.String()
}

// TestChangesUnderWayLoseNothing is case C08: 64 clients, the screen on, a change
// every 300 ms for 20 s, then a pause and q; no data race, and the program counted
// what the server counted.
func TestChangesUnderWayLoseNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	sets, pings := server.Calls(t, "set"), server.Calls(t, "ping")
	races := filepath.Join(t.TempDir(), "race")
	c := console(t, checked, []string{"GORACE=log_path=" + races}, "-p", port(server), "-c", "64")
	c.Sees(0, "RUN")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	p := player{random: rand.New(rand.NewPCG(seed, 8))}
	changes := 0
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for end := c.Since() + 20*time.Second; c.Since() < end; changes++ {
		c.Type(p.next())
		<-tick.C
	}
	// This build is too slow to be sure of ending within the program's patience
	// from full load; the ways out under load are tested with the plain one.
	if !p.paused {
		c.Type(" ")
	}
	ptytest.Await(t, "a load that rests", func() bool { return still(t, server, "set") && still(t, server, "ping") })
	c.Type("q")
	code, _ := c.Ends()
	text := c.AfterScreen()
	reports, err := filepath.Glob(races + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range reports {
		report, err := os.ReadFile(path)
		t.Errorf("a data race: %s %v", report, err)
	}
	if strings.Contains(c.Output(), "DATA RACE") {
		t.Errorf("a data race: %s", text)
	}
	if code != 0 {
		t.Errorf("exit code %d, want 0: %s", code, text)
	}
	if err := c.Restored(); err != nil {
		t.Error(err)
	}
	counted := server.Calls(t, "set") - sets + server.Calls(t, "ping") - pings
	requests, lost := totals(t, text)
	t.Logf("%d changes, %d requests, the server counted %d", changes, requests, counted)
	if requests != counted || lost != 0 {
		t.Errorf("%d requests and %d lost, the server counted %d", requests, lost, counted)
	}
	if n := server.Info(t, "clients")["connected_clients"]; n != "1" {
		t.Errorf("%s clients are connected, want the one that asks", n)
	}
	cleaned(t, server, 0)
}

// totals are the counts of a summary, which must be without error replies.
func totals(t *testing.T, summary string) (requests, lost int64) {
	t.Helper()
	total := regexp.MustCompile(`total:\s+([\d,]+)\s+requests\s+in\s+\S+\s+s,\s+0\s+errors,\s+([\d,]+)\s+lost`).FindStringSubmatch(summary)
	if total == nil {
		t.Fatalf("no total without errors in the summary: %s", summary)
	}
	return int64(number(t, total[1])), int64(number(t, total[2]))
}
