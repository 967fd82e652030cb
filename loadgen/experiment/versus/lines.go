package versus

import (
	"fmt"
	"strconv"
	"strings"
)

// Lines is every round of the rows in the format of Go benchmarks, a line a run, so
// that benchstat reads them: `benchstat -col /tool FILE`. The facts become its
// configuration lines.
func Lines(rows []*Row, facts Facts) string {
	var b strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&b, "%s: %s\n", f.Key, f.Value)
	}
	for _, r := range rows {
		for _, samples := range r.Rounds {
			for arm, sample := range samples {
				if line := r.line(arm, sample); line != "" {
					b.WriteString(line + "\n")
				}
			}
		}
	}
	return b.String()
}

// line is one run, "" when it gave nothing.
func (r *Row) line(arm int, s Sample) string {
	var values []string
	for _, m := range r.Metrics {
		if v, ok := s[m]; ok {
			values = append(values, strconv.FormatFloat(v, 'g', 6, 64)+" "+string(m))
		}
	}
	if len(values) == 0 {
		return ""
	}
	name := strings.Join(strings.Fields(r.Name), "/")
	return fmt.Sprintf("BenchmarkVersus/%s/tool=%s 1 %s", name, strings.Join(strings.Fields(r.Arms[arm].Name), "-"), strings.Join(values, " "))
}
