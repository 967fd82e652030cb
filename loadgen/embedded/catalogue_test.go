package embedded_test

import (
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

// Every test of the catalogue runs here without an error, so that none of them is
// dead on a machine without Redis.
func TestCatalogue(t *testing.T) {
	c := dial(t, start(t).Addr())
	marks := strings.NewReplacer(workload.PrefixMark, "fullbore:", workload.RandMark, "000000000042", workload.ScoreMark, "7", workload.DataMark, "VXK")
	for _, test := range workload.Catalog() {
		args := make([]string, len(test.Args))
		for i, arg := range test.Args {
			args[i] = marks.Replace(arg)
		}
		bytes := encode(args...)
		if test.Inline {
			bytes = strings.Join(args, " ") + "\r\n"
		}
		if got := c.raw(bytes)[0]; strings.HasPrefix(got, "-") || strings.HasPrefix(got, "error") {
			t.Errorf("%s: %s", test.Title, got)
		}
		if test.Type != "" && !test.Drains {
			if got := c.do("TYPE", args[1])[0]; test.Writes && got != "+"+test.Type {
				t.Errorf("%s: type %s, want %s", test.Title, got, test.Type)
			}
		}
	}
}
