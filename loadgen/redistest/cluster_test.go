package redistest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"

	"fullbore/loadgen/redistest"
)

// A cluster with a password: six nodes in their places, their figures summed, a
// primary that dies and comes back.
func TestCluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 3, "--requirepass", "secret")
	folders := make(map[string]bool)
	for _, n := range c.Nodes {
		folders[n.Dir] = true
		if len(n.ID) != 40 || n.Addr == "" || n.Port == 0 || n.PID == 0 {
			t.Errorf("node %+v", n)
		}
	}
	if len(folders) != 6 {
		t.Errorf("the nodes share %d folders", len(folders))
	}
	for i, want := range []int{0, 5461, 10922} {
		if owner := c.Owner(t, want); owner != c.Nodes[i] {
			t.Errorf("slot %d is at %s, want %s", want, owner.Addr, c.Nodes[i].Addr)
		}
		if port := c.Nodes[3+i].Info(t, "replication")["master_port"]; port != fmt.Sprint(c.Nodes[i].Port) {
			t.Errorf("replica %d copies port %s, want %d", i, port, c.Nodes[i].Port)
		}
	}
	// "b" is in slot 3300, "c" in 7365, "a" in 15495.
	for i, key := range []string{"b", "c", "a"} {
		c.Nodes[i].Do(t, "SET", key, "1")
		if _, err := c.Nodes[(i+1)%3].Try("SET", key, "1"); err == nil || !strings.HasPrefix(err.Error(), "MOVED ") {
			t.Errorf("%s at another node: %v", key, err)
		}
	}
	if keys, calls := c.DBSize(t), c.Calls(t, "SET"); keys != 3 || calls != 3 {
		t.Errorf("%d keys after %d calls, want 3 of each", keys, calls)
	}
	c.Nodes[0].Do(t, "WAIT", 1, 5000) // for the replica to have the key
	c.Kill(0)
	c.WaitOK(t)
	if owner := c.Owner(t, 3300); owner != c.Nodes[3] || len(c.Running()) != 5 || len(c.Primaries(t)) != 3 {
		t.Errorf("after the end of the first: %s serves its slots, %d run", owner.Addr, len(c.Running()))
	}
	if keys, calls := c.DBSize(t), c.Calls(t, "SET"); keys != 3 || calls != 3 {
		t.Errorf("after the end of the first: %d keys, %d calls, want 3 of each", keys, calls)
	}
	c.Nodes[0].Restart(t)
	c.WaitOK(t)
	if role := c.Nodes[0].Info(t, "replication")["role"]; role != "slave" || len(c.Running()) != 6 {
		t.Errorf("the one that came back is a %s", role)
	}
}

func TestClusterFailoverAndMigrate(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 2, 1)
	const slot = 3300 // of the hash tag {b}
	for i := range 150 {
		c.Nodes[0].Do(t, "SET", fmt.Sprintf("{b}:%d", i), "1")
	}
	c.Open(t, 0, 1, slot)
	if moved := c.CarrySome(t, 0, 1, slot); moved != 100 {
		t.Errorf("%d keys moved at once, want 100", moved)
	}
	asked, there := 0, 0
	for i := range 150 {
		_, err := c.Nodes[0].Try("GET", fmt.Sprintf("{b}:%d", i))
		if err == nil {
			there++
		} else if strings.HasPrefix(err.Error(), fmt.Sprintf("ASK %d %s", slot, c.Nodes[1].Addr)) {
			asked++
		}
	}
	if asked != 100 || there != 50 {
		t.Errorf("half way: %d keys were sent on and %d answered, want 100 and 50", asked, there)
	}
	if moved := c.Carry(t, 0, 1, slot); moved != 50 {
		t.Errorf("%d keys moved at last, want 50", moved)
	}
	c.Settle(t, 0, 1, slot)
	c.WaitOK(t)
	if owner := c.Owner(t, slot); owner != c.Nodes[1] || c.Nodes[1].DBSize(t) != 150 {
		t.Errorf("the slot is at %s, which has %d keys", owner.Addr, c.Nodes[1].DBSize(t))
	}
	c.Migrate(t, 1, 0, slot)
	c.WaitOK(t)
	c.Failover(t, 2)
	if owner := c.Owner(t, slot); owner != c.Nodes[2] || c.Nodes[2].DBSize(t) != 150 {
		t.Errorf("after the failover the slot is at %s", owner.Addr)
	}
}

func TestClusterOfOneOverTLS(t *testing.T) {
	t.Parallel()
	a := redistest.Certify(t, "a")
	c := redistest.StartTLSCluster(t, a, a.Issue(t, "leaf", redistest.Leaf{IPs: []string{"127.0.0.1"}}), 1)
	if got := c.Nodes[0].Do(t, "SET", "a", "1"); got != "OK" || c.Nodes[0].TLSPort == 0 {
		t.Errorf("SET = %v, TLS port %d", got, c.Nodes[0].TLSPort)
	}
}

func TestAstray(t *testing.T) {
	for _, tt := range []struct{ refusal, want string }{
		{redistest.MovedToSelf, "MOVED 3999 127.0.0.1:"},
		{redistest.AskSelf, "ASK 3999 127.0.0.1:"},
		{redistest.TryAgain, "TRYAGAIN "},
		{redistest.ClusterDown, "CLUSTERDOWN "},
		{redistest.Unserved, "CLUSTERDOWN "},
	} {
		s := redistest.Astray(t, tt.refusal, 2)
		conn, err := redis.Dial("tcp", s.Addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		refused := 0
		for i := range 10 {
			if _, err := conn.Do("PING"); err != nil {
				t.Fatal(err)
			}
			_, err := conn.Do("SET", "a", i)
			if err != nil && strings.HasPrefix(err.Error(), tt.want) {
				refused++
			} else if err != nil {
				t.Errorf("%s: %v", tt.refusal, err)
			}
		}
		if refused != 5 || s.Calls("SET") != 10 {
			t.Errorf("%s: %d of 10 refused, want 5", tt.refusal, refused)
		}
		if slots, err := redis.Values(conn.Do("CLUSTER", "SLOTS")); err != nil || len(slots) != 1 {
			t.Errorf("CLUSTER SLOTS: %v, %v", slots, err)
		}
		if info, err := redis.String(conn.Do("INFO")); err != nil || !strings.Contains(info, "redis_mode:cluster") {
			t.Errorf("INFO: %q, %v", info, err)
		}
	}
}
