package experiment_test

import (
	"slices"
	"testing"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

func TestPrefixes(t *testing.T) {
	test := func(mix string, change func(*workload.Workload)) experiment.Arm {
		a := plain(t, 1)
		a.Plan.Workload.Mix = mixOf(t, mix)
		if change != nil {
			change(&a.Plan.Workload)
		}
		return a
	}
	set, get := test("set", nil), test("get", nil)
	long := test("get", func(w *workload.Workload) { w.Payload = 1000 })
	longSet := test("set", func(w *workload.Workload) { w.Payload = 1000 })
	many := test("get", func(w *workload.Workload) { w.Keys.Size = 1000 })
	random := test("set", func(w *workload.Workload) { w.RandomData = true })
	brief := test("set", func(w *workload.Workload) { w.Expire = workload.Expire{Low: 1, High: 1} })
	zipf := test("get", func(w *workload.Workload) { w.Keys.Dist, _ = workload.ParseDist("zipf") })
	elsewhere := long
	elsewhere.Place.Target = target.TCP("127.0.0.1", 1)
	own := experiment.Arm{Plan: long.Plan}
	own.Plan.Workload.Mix = workload.Mix{{Test: workload.Test{Custom: true, Title: "GET x", Args: []string{"GET", "fullbore:x"}}, Weight: 1}}
	const base = "fullbore:"
	for name, tt := range map[string]struct {
		arms []experiment.Arm
		want []string
	}{
		"equal":               {[]experiment.Arm{set, set}, []string{base, base}},
		"two tests, one data": {[]experiment.Arm{get, set, zipf}, []string{base, base, base}},
		"sizes":               {[]experiment.Arm{get, long}, []string{base, base + "2:"}},
		"a size in common":    {[]experiment.Arm{get, long, longSet, set}, []string{base, base + "2:", base + "2:", base}},
		"numbers of keys":     {[]experiment.Arm{get, many}, []string{base, base + "2:"}},
		"random":              {[]experiment.Arm{set, random}, []string{base, base + "2:"}},
		"expiry":              {[]experiment.Arm{set, brief}, []string{base, base + "2:"}},
		"another server":      {[]experiment.Arm{get, elsewhere}, []string{base, base}},
		"lists":               {[]experiment.Arm{test("lpush", nil), test("lpop", nil), test("lpush", nil)}, []string{base, base + "2:", base}},
		"as written":          {[]experiment.Arm{get, own}, []string{base, base}},
	} {
		if got := experiment.Prefixes(tt.arms); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
