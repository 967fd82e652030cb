package target_test

import (
	"strings"
	"testing"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// Lengths out of garbage are refused before anybody takes the memory for them.
func TestControlRefusesBoundlessReplies(t *testing.T) {
	for _, reply := range []string{"$999999999999999999\r\n", "*999999999999999999\r\n", "*1000000000\r\n", strings.Repeat("*1\r\n", 40)} {
		s := redistest.Raw(t, []byte(reply))
		c, err := target.TCP(s.Host, s.Port).Control(t.Context())
		must(t, err)
		defer c.Close()
		_, err = c.Do("PING")
		first, _, _ := strings.Cut(reply, "\r\n")
		if target.ErrorCode(err) != "protocol" || !strings.Contains(err.Error(), `"`+first+`"`) {
			t.Errorf("%q: %v", first, err)
		}
	}
}
