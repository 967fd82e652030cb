package launch_test

import (
	"context"
	"testing"

	"fullbore/loadgen/launch"
	"fullbore/loadgen/target"
)

// What launch starts passes the preflight, and says what it is.
func TestPreflightOfStartedServers(t *testing.T) {
	for _, command := range []string{"builtin", redisServer(t) + " --requirepass secret"} {
		s := choose(t, launch.Options{Server: command})
		info, err := target.Preflight(context.Background(), s.Target)
		if err != nil {
			t.Errorf("%s: %v", s.Origin(), err)
			continue
		}
		if info.Mode != "standalone" || info.Role != "master" || info.Keys != 0 || info.Version == "" {
			t.Errorf("%s: %+v", s.Origin(), info)
		}
	}
}
