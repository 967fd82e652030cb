package loadgen_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// clustered is a plan for all of a cluster.
func clustered(t testing.TB, mix string) loadgen.Plan {
	p := plan(t, mix)
	p.Clients, p.Cluster = 12, true
	p.Workload.Keys.Size = 50_000
	return p
}

// fault is how often a fault was met.
func fault(faults []stats.Fault, class stats.Class, code string) int64 {
	for _, f := range faults {
		if f.Class == class && f.Code == code {
			return f.Count
		}
	}
	return 0
}

// tellNode finds the figures of an address.
func tellNode(t testing.TB, nodes []stats.Node, addr string) stats.Node {
	t.Helper()
	i := slices.IndexFunc(nodes, func(n stats.Node) bool { return n.Address == addr })
	if i < 0 {
		t.Fatalf("no figures of %s among %+v", addr, nodes)
	}
	return nodes[i]
}

// addUp holds the figures of the nodes against those of the run.
func addUp(t testing.TB, res loadgen.Result) {
	t.Helper()
	var sum, all stats.Counters
	for _, n := range res.Nodes {
		sum.Add(n.Whole.Counters)
		if n.Whole.Latency.Count != n.Whole.Counters.Replies {
			t.Errorf("%s: %d latencies for %d replies", n.Address, n.Whole.Latency.Count, n.Whole.Counters.Replies)
		}
	}
	for _, s := range res.Segments {
		all.Add(s.Counters)
	}
	if sum != all {
		t.Errorf("the nodes add up to\n%+v, the run has\n%+v", sum, all)
	}
}

// One cluster for whatever leaves it as it was, and at last for what does not.
func TestCluster(t *testing.T) {
	// A node is suspected late, so that none is while the machine is busy.
	c := redistest.StartCluster(t, 3, 3, "--cluster-node-timeout", "4000")
	for _, tt := range []struct {
		name string
		test func(*testing.T, *redistest.Cluster)
	}{
		{"exact counts", clusterCounts},
		{"every test", clusterCatalog},
		{"transactions", clusterMulti},
		{"rate", clusterRate},
		{"prefill", clusterPrefill},
		{"replicas", clusterReplicas},
		{"one key", clusterOneKey},
		{"refused", clusterRefused},
		{"knobs", clusterKnobs},
		{"migration", clusterMigration},
		{"failover", clusterFailover},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, c) })
	}
}

// C29, M10: exactly -n requests over all nodes, every key in its slot, and the load
// spread by slots.
func clusterCounts(t *testing.T, c *redistest.Cluster) {
	for _, mix := range []string{"set", "get"} {
		p := clustered(t, mix)
		p.Requests = 100_003
		before := c.Calls(t, mix)
		res := run(t, at(t, c.Nodes[1].Addr), p)
		if got := c.Calls(t, mix) - before - setup(mix, res); got != p.Requests {
			t.Errorf("%s: the nodes counted %d, want %d", mix, got, p.Requests)
		}
		if last := res.Last().Counters; last.Replies != p.Requests || last.Sent != p.Requests || res.Failed() {
			t.Errorf("%s: %+v, faults %+v", mix, last, res.Faults)
		}
		if rate, ok := res.Last().Counters.HitRate(); mix == "get" && (!ok || rate != 1) {
			t.Errorf("hit rate %v (%v)", rate, ok)
		}
		addUp(t, res)
		if len(res.Nodes) != 3 {
			t.Fatalf("%d nodes, want 3", len(res.Nodes))
		}
		for i, n := range res.Nodes {
			if n.Address != c.Nodes[i].Addr || n.Role != "primary" || n.Gone || n.Clients != 4 || n.Slots < 5461 || n.Slots > 5462 {
				t.Errorf("node %d: %+v, want %s with a third", i, n, c.Nodes[i].Addr)
			}
			// Each client gets what it can: the shares of a run this short depend on the machine.
			if n.Whole.Counters.Replies == 0 {
				t.Errorf("%s got nothing", n.Address)
			}
		}
	}
	if keys := c.DBSize(t); keys != 50_000 {
		t.Errorf("%d keys, want all 50000 of the key space", keys)
	}
}

// setup is how many of the commands that the nodes counted prepared the data.
func setup(mix string, res loadgen.Result) int64 {
	if mix == "get" {
		return 0
	}
	return res.Setup
}

func clusterCatalog(t *testing.T, c *redistest.Cluster) {
	for _, mix := range []string{"lpush", "lpop", "lrange_100", "mset", "mget", "xadd", "set=1,get=3"} {
		p := clustered(t, mix)
		p.Workload.Keys.Size, p.Requests = 1000, 5_000
		res := run(t, at(t, c.Nodes[0].Addr), p)
		if got := res.Last().Counters; got.Replies != p.Requests || res.Failed() {
			t.Errorf("%s: %+v, faults %+v", mix, got, res.Faults)
		}
		if rate, ok := res.Last().Counters.HitRate(); ok && rate < .99 {
			t.Errorf("%s: hit rate %v", mix, rate)
		}
	}
}

func clusterMulti(t *testing.T, c *redistest.Cluster) {
	p := clustered(t, "set")
	p.Batch, p.Requests = "multi", 10_000
	res := run(t, at(t, c.Nodes[0].Addr), p)
	if got := res.Last().Counters; got.Replies != p.Requests || res.Failed() {
		t.Errorf("%+v, faults %+v", got, res.Faults)
	}
}

// One schedule for the whole cluster: clients that wait take turns, whoever serves them.
func clusterRate(t *testing.T, c *redistest.Cluster) {
	p := clustered(t, "set")
	p.Pipeline, p.Rate, p.Requests = 1, 5000, 6000
	res := run(t, at(t, c.Nodes[0].Addr), p)
	if got := res.Last().Counters; got.Replies != p.Requests || res.Failed() {
		t.Errorf("%+v, faults %+v", got, res.Faults)
	}
	if rate, ok := res.Last().Throughput(); !ok || rate > 1.05*p.Rate {
		t.Errorf("%.0f/s of %.0f/s", rate, p.Rate)
	}
	for _, n := range res.Nodes {
		if share := float64(n.Whole.Counters.Replies) / float64(p.Requests); math.Abs(share-1./3) > .10 {
			t.Errorf("%s has a share of %.3f", n.Address, share)
		}
	}
	addUp(t, res)
}

func clusterPrefill(t *testing.T, c *redistest.Cluster) {
	for _, n := range c.Primaries(t) {
		n.Do(t, "FLUSHALL")
	}
	p := clustered(t, "ping_mbulk")
	p.Requests, p.Prefill.Keys = 100, 20_000
	run(t, at(t, c.Nodes[0].Addr), p)
	if got := c.DBSize(t); got != 20_000 {
		t.Errorf("%d keys, want 20000", got)
	}
	for i, n := range c.Nodes[:3] {
		if share := float64(n.DBSize(t)) / 20_000; math.Abs(share-1./3) > .01 {
			t.Errorf("node %d has a share of %.3f", i, share)
		}
	}
}

// Reads go to replicas where that is asked for, and writes never do.
func clusterReplicas(t *testing.T, c *redistest.Cluster) {
	for _, tt := range []struct {
		mix, from         string
		primary, replicas bool
	}{
		{"get", "no", true, false},
		{"get", "yes", false, true},
		{"get", "all", true, true},
		{"set", "all", true, false},
	} {
		p := clustered(t, tt.mix)
		p.ReadFrom, p.Requests = tt.from, 10_000
		p.Workload.Keys.Size = 1000
		before := map[string]int64{}
		for _, n := range c.Nodes {
			before[n.Addr] = n.Calls(t, "get")
		}
		res := run(t, at(t, c.Nodes[0].Addr), p)
		if got := res.Last().Counters; got.Replies != p.Requests || res.Failed() {
			t.Errorf("%s from %s: %+v, faults %+v", tt.mix, tt.from, got, res.Faults)
		}
		addUp(t, res)
		for i, n := range c.Nodes {
			wanted := tt.primary
			if i >= 3 {
				wanted = tt.replicas
			}
			if got := n.Calls(t, "get") - before[n.Addr]; tt.mix == "get" && (got > 0) != wanted {
				t.Errorf("%s from %s: node %d answered %d reads", tt.mix, tt.from, i, got)
			}
			told := slices.ContainsFunc(res.Nodes, func(r stats.Node) bool {
				return r.Address == n.Addr && r.Clients > 0 && (r.Role == "replica") == (i >= 3)
			})
			if told != wanted {
				t.Errorf("%s from %s: node %d among the figures is %v, want %v", tt.mix, tt.from, i, told, wanted)
			}
		}
	}
}

// A key that there is one of is at one node, and so are all clients.
func clusterOneKey(t *testing.T, c *redistest.Cluster) {
	p := clustered(t, "incr")
	p.Workload.Mix = command(t, "INCR", "fullbore:one")
	p.Requests = 5_000
	before := c.Calls(t, "incr")
	res := run(t, at(t, c.Nodes[0].Addr), p)
	if got := c.Calls(t, "incr") - before; got != p.Requests || res.Failed() || len(res.Nodes) != 1 || res.Nodes[0].Clients != p.Clients {
		t.Errorf("%d calls, nodes %+v, faults %+v", got, res.Nodes, res.Faults)
	}
	if !slices.ContainsFunc(res.Notes, func(n stats.Note) bool { return n.Text == "2 of 3 primaries get no load: the keys are on the others" }) {
		t.Errorf("nobody says that two nodes rest: %+v", res.Notes)
	}
}

func clusterRefused(t *testing.T, c *redistest.Cluster) {
	p := clustered(t, "set")
	p.Workload.Mix = command(t, "MSET", "fullbore:a", "1", "fullbore:b", "2")
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "slot") {
		t.Errorf("keys in different slots: %v", err)
	}
	p = clustered(t, "get")
	if p.ReadFrom = "some"; p.Validate() == nil || !strings.Contains(p.Validate().Error(), "--replicas takes no, yes or all") {
		t.Errorf("reads from some: %v", p.Validate())
	}
	// Each command has one key, and no node has both.
	p = clustered(t, "get")
	p.Workload.Mix = command(t, "GET", "fullbore:{0}", ";", "GET", "fullbore:{1}", ";", "GET", "fullbore:{2}", ";", "GET", "fullbore:{3}")
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	if _, err := loadgen.New(at(t, c.Nodes[0].Addr), p).Run(context.Background()); err == nil || !strings.Contains(err.Error(), "no node of the cluster has all of its keys") {
		t.Errorf("keys of several nodes: %v", err)
	}
	alone := redistest.Start(t)
	_, err := loadgen.New(at(t, alone.Addr), clustered(t, "get")).Run(context.Background())
	if !errors.Is(err, target.ErrNoCluster) || !strings.HasPrefix(err.Error(), "--cluster: ") {
		t.Errorf("a server on its own: %v", err)
	}
}

// Plans change on a cluster as elsewhere, and every snapshot has all nodes.
func clusterKnobs(t *testing.T, c *redistest.Cluster) {
	checkGoroutines(t)
	p := clustered(t, "get")
	p.Workload.Keys.Size = 1000
	r, stop := live(t, at(t, c.Nodes[0].Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	for _, clients := range []int{30, 5, 2, 7} {
		p.Clients = clients
		if err := r.Apply(p); err != nil {
			t.Fatal(err)
		}
		until(t, "clients are dealt", func() bool {
			here, up := 0, 0
			s := r.Snapshot()
			for _, n := range s.Nodes {
				here += n.Clients
				up += n.Connected
			}
			return here == clients && up == clients && s.Current.Counters.Replies > 0 && s.Current.Clients == clients
		})
	}
	s := r.Snapshot()
	if len(s.Nodes) != 3 || s.Nodes[0].Clients < 2 || s.Nodes[0].Clients > 3 {
		t.Errorf("7 clients: %+v", s.Nodes)
	}
	until(t, "the nodes' CPU is known", func() bool {
		n := r.Snapshot().Nodes[0]
		_, p99 := n.Window.Latency.Quantile(.99)
		return n.CPU > 0 && n.CPU < 2 && p99
	})
	res := stop()
	addUp(t, res)
	if res.Failed() {
		t.Errorf("faults %+v", res.Faults)
	}
}

// Slots move during a run: errors are counted by their codes, the map is asked for
// again, and then there are no more.
func clusterMigration(t *testing.T, c *redistest.Cluster) {
	p := clustered(t, "set")
	p.Pipeline = 1
	r, stop := live(t, at(t, c.Nodes[0].Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	var slots []int
	for slot := range 40 {
		slots = append(slots, slot)
	}
	c.Migrate(t, 0, 2, slots...)
	taken := func() bool {
		return r.Snapshot().Nodes[0].Slots <= 5462-40 || tellNode(t, r.Snapshot().Nodes, c.Nodes[2].Addr).Slots >= 5461+40
	}
	t.Cleanup(func() {
		if t.Failed() {
			s := r.Snapshot()
			t.Logf("faults %+v notes %+v nodes %+v total %+v", s.Faults, s.Notes, s.Nodes, s.Total)
		}
	})
	until(t, "the map follows", taken)
	if s := r.Snapshot(); s.Epoch != 1 || len(s.History) != 0 || s.State != stats.Measuring {
		t.Errorf("epoch %d, %d segments, %s: the segment goes on", s.Epoch, len(s.History), s.State)
	}
	time.Sleep(300 * time.Millisecond) // replies to what was sent before
	before := r.Snapshot().Total
	until(t, "load goes on", func() bool { return r.Snapshot().Total.Replies > before.Replies+20_000 })
	res := stop()
	// On a busy machine a batch may still be under way; of so many commands some fifty
	// would meet a slot that has moved.
	if n := res.Total.Errors - before.Errors; n > int64(p.Clients) {
		t.Errorf("%d errors after the map was known", n)
	}
	redirects := fault(res.Faults, stats.ReplyFault, "MOVED") + fault(res.Faults, stats.ReplyFault, "ASK")
	if redirects == 0 || redirects != res.Total.Errors || res.Total.Lost != 0 {
		t.Errorf("%+v, faults %+v", res.Total, res.Faults)
	}
	if !slices.ContainsFunc(res.Notes, func(n stats.Note) bool {
		return strings.Contains(n.Text, "cluster: "+c.Nodes[2].Addr+" took over ") && strings.HasSuffix(n.Text, " of "+c.Nodes[0].Addr)
	}) {
		t.Errorf("notes %+v", res.Notes)
	}
	if len(res.Segments) != 1 {
		t.Errorf("%d segments", len(res.Segments))
	}
	addUp(t, res)
}

// A primary is killed in the middle of a run of given length: what was in flight is
// lost, its clients wait for the replica's promotion and go there, the others never
// stop, and the run ends as planned.
func clusterFailover(t *testing.T, c *redistest.Cluster) {
	c.WaitOK(t)
	p := clustered(t, "set")
	p.Clients = 9
	victim, heir := c.Nodes[1], c.Nodes[4]
	r, stop := live(t, at(t, c.Nodes[0].Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	c.Kill(1)
	until(t, "connections are lost", func() bool { return r.Snapshot().Connected == 6 })
	until(t, "the replica took over", func() bool {
		s := r.Snapshot()
		i := slices.IndexFunc(s.Nodes, func(n stats.Node) bool { return n.Address == heir.Addr })
		return i >= 0 && s.Nodes[i].Connected == 3 && s.Nodes[i].Current.Counters.Replies > 1000
	})
	res := stop()
	if n := tellNode(t, res.Nodes, victim.Addr); !n.Gone || n.Role != "primary" || n.Clients != 0 || n.Slots != 0 || n.Whole.Counters.Replies == 0 {
		t.Errorf("the victim: %+v", n)
	}
	if n := tellNode(t, res.Nodes, heir.Addr); n.Role != "primary" || n.Gone || n.Slots < 5461 || n.Slots > 5462 {
		t.Errorf("the heir: %+v", n)
	}
	want := "cluster: " + heir.Addr + " took over "
	if !slices.ContainsFunc(res.Notes, func(n stats.Note) bool { return strings.HasPrefix(n.Text, want) }) {
		t.Errorf("notes %+v", res.Notes)
	}
	if !slices.ContainsFunc(res.Marks, func(m stats.Mark) bool { return strings.HasPrefix(m.Text, want) }) {
		t.Errorf("marks %+v", res.Marks)
	}
	if sum := res.Total; sum.Lost == 0 || sum.Sent != sum.Replies+sum.Errors+sum.Lost || len(res.Segments) != 1 {
		t.Errorf("%+v, %d segments", sum, len(res.Segments))
	}
	addUp(t, res)
}

// A counted run ends although a node is gone for good.
func TestCountedRunOutlivesANode(t *testing.T) {
	c := redistest.StartCluster(t, 3, 0, "--cluster-require-full-coverage", "no")
	p := clustered(t, "set")
	p.Pipeline, p.Requests = 1, 60_000
	r := loadgen.New(at(t, c.Nodes[0].Addr), p)
	done := make(chan loadgen.Result, 1)
	go func() {
		res, err := r.Run(context.Background())
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	c.Kill(2)
	select {
	case res := <-done:
		if got := res.Total; got.Sent != p.Requests || got.Lost == 0 || got.Replies+got.Lost+got.Errors != got.Sent || !res.Failed() {
			t.Errorf("%+v, faults %+v", got, res.Faults)
		}
		addUp(t, res)
	case <-time.After(40 * time.Second):
		t.Fatal("the run never ends")
	}
}

func TestClusterOfOne(t *testing.T) {
	c := redistest.StartCluster(t, 1, 0)
	p := clustered(t, "get")
	p.Workload.Keys.Size, p.Requests = 1000, 20_000
	before := c.Calls(t, "get")
	res := run(t, at(t, c.Nodes[0].Addr), p)
	if got := c.Calls(t, "get") - before; got != p.Requests || res.Failed() || len(res.Nodes) != 1 || res.Nodes[0].Slots != 16384 {
		t.Errorf("%d calls, nodes %+v, faults %+v", got, res.Nodes, res.Faults)
	}
	// Without --cluster a node is a server as any other: of its keys there are none, and
	// of one node there are all.
	p.Cluster = false
	if res := run(t, at(t, c.Nodes[0].Addr), p); res.Failed() || res.Nodes != nil {
		t.Errorf("faults %+v, nodes %+v", res.Faults, res.Nodes)
	}
}

// C45 for a cluster: a node that is frozen holds up neither the others nor the end,
// whatever is being prepared.
func TestFrozenNodeHoldsNothingUp(t *testing.T) {
	checkGoroutines(t)
	c := redistest.StartCluster(t, 3, 0, "--cluster-node-timeout", "15000")
	p := clustered(t, "lpop")
	r, stop := live(t, at(t, c.Nodes[0].Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	c.Nodes[1].Pause()
	defer c.Nodes[1].Resume()
	time.Sleep(200 * time.Millisecond)
	before := r.Snapshot().Total.Replies
	until(t, "the others go on", func() bool { return r.Snapshot().Total.Replies > before+1000 })
	p.Workload.Payload = 100
	if err := r.Apply(p); err != nil {
		t.Error(err)
	}
	until(t, "stocks are prepared", func() bool { return r.Snapshot().Pending })
	begin := time.Now()
	res := stop()
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("stopping took %v", took)
	}
	if sum := res.Total; sum.Sent != sum.Replies+sum.Errors+sum.Lost || sum.Lost == 0 {
		t.Errorf("%+v", sum)
	}
	addUp(t, res)
}
