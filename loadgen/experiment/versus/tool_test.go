package versus_test

import (
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/experiment/versus"
)

func TestCommandLines(t *testing.T) {
	server := versus.Server{Host: "127.0.0.1", Port: 7777}
	get := versus.Load{Test: "get", Clients: 50, Pipeline: 16, Size: 3, Keys: 1000}
	list := versus.Load{Test: "lrange_600", Clients: 5, Pipeline: 1, Size: 3, Keys: 1000, DB: 2}
	custom := versus.Load{Command: []string{"MGET", "key:__rand_int__"}, Label: "mget", Clients: 1, Pipeline: 1, Size: 3, Keys: 10}
	redis, full, memtier := versus.RedisBenchmark("redis-benchmark", ""), versus.Fullbore(""), versus.Memtier("")
	for _, tc := range []struct {
		tool versus.Tool
		load versus.Load
		want string
	}{
		{redis, get, "-h 127.0.0.1 -p 7777 -c 50 -P 16 -d 3 -r 1000 -n 800 --csv -t get"},
		// Its own test would push a list before it reads one, in the same process.
		{redis, list, "-h 127.0.0.1 -p 7777 -c 5 -P 1 -d 3 -r 1000 --dbnum 2 -n 800 --csv LRANGE mylist 0 599"},
		{redis, custom, "-h 127.0.0.1 -p 7777 -c 1 -P 1 -d 3 -r 10 -n 800 --csv MGET key:__rand_int__"},
		{full, get, "-h 127.0.0.1 -p 7777 -c 50 -P 16 -d 3 -r 1000 -n 800 --json --key-prefix  --keep-keys -t get"},
		{full, list, "-h 127.0.0.1 -p 7777 -c 5 -P 1 -d 3 -r 1000 --dbnum 2 -n 800 --json --key-prefix  --keep-keys -t lrange_600"},
		{full, custom, "-h 127.0.0.1 -p 7777 -c 1 -P 1 -d 3 -r 10 -n 800 --json --key-prefix  --keep-keys MGET key:__rand_int__"},
		{memtier, get, "-s 127.0.0.1 -p 7777 --hide-histogram -t 1 -d 3 --key-prefix memtier- --key-minimum 1 --key-maximum 1000 --select-db 0 -c 50 --pipeline 16 -n 16 --ratio 0:1"},
		{memtier, list, "-s 127.0.0.1 -p 7777 --hide-histogram -t 1 -d 3 --key-prefix memtier- --key-minimum 1 --key-maximum 1000 --select-db 2 -c 5 --pipeline 1 -n 160 --command LRANGE mylist 0 599"},
	} {
		args, err := tc.tool.Args(server, tc.load, 800)
		if got := strings.Join(args, " "); err != nil || got != tc.want {
			t.Errorf("%s %s: %q, %v; want %q", tc.tool.Name, tc.load, got, err, tc.want)
		}
	}
	if _, err := memtier.Args(server, custom, 800); err == nil {
		t.Error("memtier takes a command with several random keys: no error")
	}
	if seed := memtier.Seed(server, get); !slices.Contains(seed, "allkeys") {
		t.Errorf("memtier writes the keys that it reads by %v", seed)
	}
}

// A count is sent exactly by programs that send whole batches only.
func TestRequestsAreWholeBatches(t *testing.T) {
	for _, tc := range []struct {
		clients, pipeline int
		n, want           int64
	}{{50, 16, 1, 800}, {50, 16, 800, 800}, {50, 16, 801, 1600}, {1, 1, 17, 17}, {1, 1, 0, 1}, {50, 1000, 120_000, 150_000}} {
		l := versus.Load{Clients: tc.clients, Pipeline: tc.pipeline}
		if got := l.Requests(tc.n); got != tc.want {
			t.Errorf("c=%d P=%d: %d for %d, want %d", tc.clients, tc.pipeline, got, tc.n, tc.want)
		}
	}
}
