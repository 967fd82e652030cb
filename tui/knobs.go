package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/workload"
)

// knob is one setting of the load, bound to one field of the Plan. To add a knob,
// add a row to knobs: the strip, its keys and its text field follow.
type knob struct {
	name   string
	ranges string // what it takes, for the strip and for the text field
	accept string // accepted forms, named when a typed value is refused
	big    int    // small steps in a large one
	picks  bool   // enter opens the picker, whose line takes what parse does

	value func(loadgen.Plan) string
	move  func(p loadgen.Plan, steps int) loadgen.Plan
	parse func(p loadgen.Plan, text string) (loadgen.Plan, error)
}

// The highest values that steps reach; more can be typed.
const (
	stepClients  = 10_000
	stepPipeline = 1 << 10
	stepPayload  = 1 << 20
	stepKeys     = 100_000_000
	stepRate     = 1_000_000
)

// knobs is the table of all knobs, in the order of the strip: a narrow one shows the
// first six until one of the others has the focus.
func knobs() []knob {
	return []knob{clientsKnob(), pipelineKnob(), sizeKnob(), commandKnob(), keysKnob(), rateKnob(), distKnob(), batchKnob(), rttKnob(), windowKnob()}
}

// compareKnobs are those that change the load of one side: the window is of the
// display, and where cases say what is sent the command is not a side's to choose.
func compareKnobs(commands bool) []knob {
	return slices.DeleteFunc(knobs(), func(k knob) bool { return k.name == "window" || k.picks && !commands })
}

func clientsKnob() knob {
	return knob{
		name: "clients", ranges: "1..10000", accept: "1 to 100000, such as 50 or 1k", big: 3,
		value: func(p loadgen.Plan) string { return count(int64(p.Clients)) },
		move: func(p loadgen.Plan, n int) loadgen.Plan {
			p.Clients = int(oneTwoFive(1, stepClients).climb(int64(p.Clients), n))
			return p
		},
		parse: whole(parseCount, 1, loadgen.MaxClients, func(p *loadgen.Plan, v int64) { p.Clients = int(v) }),
	}
}

func pipelineKnob() knob {
	return knob{
		name: "pipeline", ranges: "1 2 4 8 16", accept: "1 to 100000, such as 16", big: 4,
		value: func(p loadgen.Plan) string { return strconv.Itoa(p.Pipeline) },
		move: func(p loadgen.Plan, n int) loadgen.Plan {
			p.Pipeline = int(powersOfTwo(1, stepPipeline).climb(int64(p.Pipeline), n))
			return p
		},
		parse: whole(parseCount, 1, loadgen.MaxPipeline, func(p *loadgen.Plan, v int64) { p.Pipeline = int(v) }),
	}
}

func sizeKnob() knob {
	set := whole(parseBytes, 1, loadgen.MaxPayload, func(p *loadgen.Plan, v int64) {
		p.Workload = p.Workload.Sized(workload.FixedSize(int(v)))
	})
	return knob{
		name: "size", ranges: "8B..1MB", accept: "1 byte to 512MB, such as 64 or 4k; 10-4k; 64:80,1k:15", big: 4,
		value: sizeText,
		move: func(p loadgen.Plan, n int) loadgen.Plan {
			// From sizes that differ the steps begin at the longest.
			v := powersOfTwo(1, stepPayload).climb(int64(p.Workload.Payload), n)
			p.Workload = p.Workload.Sized(workload.FixedSize(int(v)))
			return p
		},
		parse: func(p loadgen.Plan, text string) (loadgen.Plan, error) {
			if !strings.ContainsAny(text, "-,:") || strings.HasPrefix(strings.TrimSpace(text), "-") {
				return set(p, text)
			}
			sizes, err := workload.ParseSizes(text)
			if err != nil {
				return p, err
			}
			p.Workload = p.Workload.Sized(sizes)
			return p, nil
		},
	}
}

// sizeText is one size with its unit, and several as they are typed.
func sizeText(p loadgen.Plan) string {
	if s := p.Workload.Sizes; len(s) == 0 || s.Fixed() {
		return bytesText(p.Workload.Payload)
	}
	return p.Workload.SizeText()
}

// commandKnob steps through the catalogue; what is typed, is typed in the picker.
func commandKnob() knob {
	return knob{
		name: "command", ranges: "SET GET INCR", accept: lineForm, big: 5, picks: true,
		value: func(p loadgen.Plan) string {
			if own(p.Workload.Mix) {
				return written(p.Workload.Mix) // a key's case counts
			}
			return strings.ToUpper(p.Workload.Mix.String())
		},
		move: moveCommand,
		parse: func(p loadgen.Plan, text string) (loadgen.Plan, error) {
			mix, err := parseLine(text)
			if err == nil {
				p.Workload.Mix = mix
			}
			return p, err
		},
	}
}

func keysKnob() knob {
	return knob{
		name: "keys", ranges: "1..100M", accept: "1 to 10^12, such as 100k", big: 3,
		value: func(p loadgen.Plan) string { return count(max(p.Workload.Keys.Size, 1)) },
		move: func(p loadgen.Plan, n int) loadgen.Plan {
			p.Workload.Keys.Size = oneTwoFive(1, stepKeys).climb(max(p.Workload.Keys.Size, 1), n)
			return p
		},
		parse: whole(parseCount, 1, workload.MaxKeys, func(p *loadgen.Plan, v int64) { p.Workload.Keys.Size = v }),
	}
}

func rateKnob() knob {
	return knob{
		name: "rate", ranges: "ops/s, max", accept: "requests per second, such as 0.5 or 20k, or max", big: 3,
		value: func(p loadgen.Plan) string { return rateText(p.Rate) },
		move:  moveRate,
		parse: parseRate,
	}
}

func windowKnob() knob {
	set := whole(parseCount, 1, 60, func(p *loadgen.Plan, v int64) { p.Window = time.Duration(v) * time.Second })
	return knob{
		name: "window", ranges: "1s..60s", accept: "1 to 60 seconds, such as 5", big: 2,
		value: func(p loadgen.Plan) string { return seconds(windowOf(p)) },
		move: func(p loadgen.Plan, n int) loadgen.Plan {
			s := rungs(1, 2, 5, 10, 20, 30, 60).climb(int64(windowOf(p)/time.Second), n)
			p.Window = time.Duration(s) * time.Second
			return p
		},
		parse: func(p loadgen.Plan, text string) (loadgen.Plan, error) {
			return set(p, strings.TrimSuffix(strings.TrimSpace(text), "s"))
		},
	}
}

// distKnob is how keys are drawn from the key space.
func distKnob() knob {
	var forms []string
	for _, d := range workload.Dists() {
		forms = append(forms, d.Form)
	}
	return knob{
		name: "dist", ranges: "zipf ..", accept: strings.Join(forms, ", "), big: 1,
		value: func(p loadgen.Plan) string { return p.Workload.Keys.Dist.String() },
		move: func(p loadgen.Plan, n int) loadgen.Plan {
			all := workload.Dists()
			at := slices.IndexFunc(all, func(d workload.DistInfo) bool { return d.Name == p.Workload.Keys.Dist.Name })
			next := all[around(max(at, 0)+n, len(all))] // the first has no name in a plan
			if d, err := workload.ParseDist(next.Name); err == nil {
				p.Workload.Keys.Dist = d
			}
			return p
		},
		parse: func(p loadgen.Plan, text string) (loadgen.Plan, error) {
			d, err := workload.ParseDist(text)
			if err == nil {
				p.Workload.Keys.Dist = d
			}
			return p, err
		},
	}
}

// batchKnob is how the P commands of a pipeline travel.
func batchKnob() knob {
	var names []string
	for _, b := range workload.Batches() {
		names = append(names, b.Name)
	}
	return knob{
		name: "batch", ranges: "multi none", accept: strings.Join(names, ", "), big: 1,
		value: func(p loadgen.Plan) string { return p.Batch.String() },
		move: func(p loadgen.Plan, n int) loadgen.Plan {
			all := workload.Batches()
			at := slices.IndexFunc(all, func(b workload.BatchInfo) bool { return b.Batch == p.Batch })
			p.Batch = all[around(max(at, 0)+n, len(all))].Batch
			return p
		},
		parse: func(p loadgen.Plan, text string) (loadgen.Plan, error) {
			b, err := workload.ParseBatch(text)
			if err == nil {
				p.Batch = b
			}
			return p, err
		},
	}
}

// stepRTTs are the round trips that steps reach, in microseconds.
func stepRTTs() ladder {
	return rungs(0, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
}

// rttKnob is the simulated round trip. Its value says that it is not the network's.
func rttKnob() knob {
	return knob{
		name: "rtt", ranges: "0..100 ms", accept: "0 (none) to 10s, such as 1ms, 0.5 or 200us", big: 3,
		value: func(p loadgen.Plan) string {
			if p.RTT == 0 {
				return "real"
			}
			return milliseconds(p.RTT) + " sim"
		},
		move: func(p loadgen.Plan, n int) loadgen.Plan {
			p.RTT = time.Duration(stepRTTs().climb(int64(p.RTT/time.Microsecond), n)) * time.Microsecond
			return p
		},
		parse: parseRTT,
	}
}

// parseRTT reads a time with its unit, or a number of milliseconds.
func parseRTT(p loadgen.Plan, text string) (loadgen.Plan, error) {
	t := strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(text, " ", "")), "sim")
	d, err := time.ParseDuration(t)
	if err != nil { // also 0, which has no unit
		d, err = time.ParseDuration(t + "ms")
	}
	switch {
	case t == "real" || t == "none":
		d, err = 0, nil
	case err != nil:
		return p, fmt.Errorf("%q: not a time", text)
	}
	if d < 0 || d > loadgen.MaxRTT {
		return p, fmt.Errorf("%s: out of range", t)
	}
	p.RTT = d
	return p, nil
}

// milliseconds is d as short as it is exact: "0.1 ms".
func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64) + " ms"
}

// around is i as an index of n things that follow each other in a circle.
func around(i, n int) int { return (i%n + n) % n }

// whole makes a parser of a whole number in [low, high] that sets one field.
func whole(read func(string) (int64, error), low, high int64, set func(*loadgen.Plan, int64)) func(loadgen.Plan, string) (loadgen.Plan, error) {
	return func(p loadgen.Plan, text string) (loadgen.Plan, error) {
		v, err := read(text)
		if err != nil {
			return p, err
		}
		if v < low || v > high {
			return p, fmt.Errorf("%s: out of range", strings.TrimSpace(text))
		}
		set(&p, v)
		return p, nil
	}
}

// moveCommand goes through the catalogue, round and round. From a mix it starts
// at one of the ends.
func moveCommand(p loadgen.Plan, steps int) loadgen.Plan {
	all := workload.Catalog()
	at := -1
	if steps < 0 {
		at = 0
	}
	if mix := p.Workload.Mix; len(mix) == 1 {
		for i, t := range all {
			if t.Title == mix[0].Test.Title {
				at = i
			}
		}
	}
	p.Workload.Mix = workload.Single(all[around(at+steps, len(all))])
	return p
}

// moveRate walks 1 2 5 10 … 1M and then max, the closed loop.
func moveRate(p loadgen.Plan, steps int) loadgen.Plan {
	const top = stepRate * 10 // the rung that stands for max
	l := rungs(append(ladderRates(), top)...)
	// Below the first rung there is only what was typed, and no way down.
	if p.Rate > 0 && p.Rate < 1 {
		if steps < 0 {
			return p
		}
		p.Rate, steps = 1, steps-1
	}
	v := int64(p.Rate)
	if p.Rate == 0 {
		v = top
	}
	if v = l.climb(v, steps); v >= top || v < 1 {
		v = 0
	}
	p.Rate = float64(v)
	return p
}

func ladderRates() []int64 {
	var r []int64
	for v := int64(0); v < stepRate; {
		v = oneTwoFive(1, stepRate)(v, true)
		r = append(r, v)
	}
	return r
}

func parseRate(p loadgen.Plan, text string) (loadgen.Plan, error) {
	t := strings.ToLower(strings.TrimSpace(text))
	if t == "max" || t == "none" || t == "0" {
		p.Rate = 0
		return p, nil
	}
	// Unlike a count a rate may have a fraction: one request in two seconds is 0.5.
	v, err := parseDecimal(strings.TrimSuffix(t, "/s"), 1000, [3]string{"k", "m", "g"})
	if err != nil {
		return p, err
	}
	if v <= 0 || v > loadgen.MaxRate {
		return p, fmt.Errorf("%s: out of range", t)
	}
	p.Rate = v
	return p, nil
}

func rateText(r float64) string {
	if r == 0 {
		return "max"
	}
	if r == float64(int64(r)) {
		return count(int64(r))
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

// windowOf is the plan's window with the engine's default filled in.
func windowOf(p loadgen.Plan) time.Duration {
	if p.Window == 0 {
		return 5 * time.Second
	}
	return p.Window
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'g', 4, 64) + " s"
}
