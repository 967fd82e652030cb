package config

import (
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/workload"
)

// The shape of a workload is read by workload itself, whose errors name the flag
// and the accepted forms: a new distribution or batch mode needs no change here.

// told binds a value whose parser tells more than a form could.
func told[T any](to *T, parse func(string) (T, error)) binding {
	return binding{set: func(s string) error {
		v, err := parse(s)
		if err == nil {
			*to = v
		}
		return err
	}}
}

func sizes(to *workload.Sizes) binding   { return told(to, workload.ParseSizes) }
func expire(to *workload.Expire) binding { return told(to, workload.ParseExpire) }

func distribution(to *workload.Dist) binding {
	var names []string
	for _, d := range workload.Dists() {
		names = append(names, d.Name)
	}
	return told(to, workload.ParseDist).offering(names)
}

func batch(to *workload.Batch) binding {
	return told(to, workload.ParseBatch).offering(batches())
}

// allTests selects the whole catalogue: what no -t at all does without a screen, for
// where another default stands, as in a comparison.
const allTests = "all"

func tests(to *[]workload.Test) binding {
	parse := func(list string) ([]workload.Test, error) {
		if strings.EqualFold(strings.TrimSpace(list), allTests) {
			return workload.Catalog(), nil
		}
		return workload.ParseTests(list)
	}
	return told(to, parse).offering(append(workload.Names(), allTests))
}

func mix(to *workload.Mix) binding {
	return told(to, workload.ParseMix).offering(workload.Names())
}

// batches and distributions are their forms, for the help.
func batches() (names []string) {
	for _, b := range workload.Batches() {
		names = append(names, b.Name)
	}
	return names
}

func distributions() (forms []string) {
	for _, d := range workload.Dists() {
		forms = append(forms, d.Form)
	}
	return forms
}

// zeroOrOne binds redis-benchmark's booleans that need a value.
func zeroOrOne(to *bool) binding {
	return accept(to, "1 or 0", func(s string) (bool, bool) { return s == "1", s == "0" || s == "1" })
}

// prefill binds a number of keys or an amount of memory. What ends in a b is memory:
// 5m are keys, 5mb are bytes.
func prefill(to *loadgen.Prefill) binding {
	const takes = "a number of keys such as 100k or 5m, or memory such as 512mb or 2gb"
	return accept(to, takes, func(s string) (loadgen.Prefill, bool) {
		if last := strings.ToLower(s); strings.HasSuffix(last, "b") {
			n, ok := parseSize(last)
			return loadgen.Prefill{Bytes: n}, ok && n > 0
		}
		n, ok := parseCount(s)
		return loadgen.Prefill{Keys: n}, ok && n > 0 && n <= workload.MaxKeys
	})
}
