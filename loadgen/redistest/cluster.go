package redistest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"fullbore/loadgen/launch/daemon"
)

const (
	// Slots is how many slots a cluster has.
	Slots = 16384
	// busOffset is how far the port of a node's bus is above its own.
	busOffset = 10000
	// lowestPort and highestPort bound a node's port, so that neither it nor its bus
	// lies where the kernel takes ports for outgoing connections from.
	lowestPort, highestPort = 10200, 20200
	// startAttempts bounds how often another port is tried.
	startAttempts = 10
	// nodeTimeout is after how many milliseconds without a sign of life a node is
	// suspected: short for a quick failover, long enough for a machine with few cores.
	nodeTimeout = 1500
)

// Cluster is a cluster of real servers that belongs to one test.
type Cluster struct {
	// Nodes are the primaries in the order of their slots, which are dealt out evenly,
	// and then the replicas, the first of the first primary, the second of the second.
	// They keep their places whatever part they play later on.
	Nodes []*ClusterNode
}

// ClusterNode is a server of a Cluster.
type ClusterNode struct {
	*Server
	ID string // the cluster's name for it, 40 hexadecimal digits
}

// StartCluster starts a cluster of so many primaries and replicas on loopback and
// returns once it serves all slots and every replica is in line with its primary. The
// arguments are the servers' own; with "--requirepass" the replicas know the password
// too. A cluster of one node is a cluster all the same.
func StartCluster(t testing.TB, primaries, replicas int, args ...string) *Cluster {
	t.Helper()
	return startCluster(t, primaries, replicas, func() (int, []string) {
		return 0, args
	})
}

// StartTLSCluster is StartCluster, without replicas, with a second port at each node
// that speaks TLS (Server.TLSPort), as the nodes do among themselves. The plain port
// stays for Do and its relatives; see StartTLS for the certificates.
func StartTLSCluster(t testing.TB, a *Authority, p Pair, primaries int) *Cluster {
	t.Helper()
	// On their bus the nodes are each other's clients, which p is not meant for.
	client := a.Issue(t, "bus", Leaf{Client: true})
	return startCluster(t, primaries, 0, func() (int, []string) {
		port := busPort(t)
		return port, []string{"--tls-port", strconv.Itoa(port), "--tls-cluster", "yes", "--tls-replication", "yes",
			"--tls-auth-clients", "no", "--tls-cert-file", p.CertFile, "--tls-key-file", p.KeyFile, "--tls-ca-cert-file", a.File,
			"--tls-client-cert-file", client.CertFile, "--tls-client-key-file", client.KeyFile}
	})
}

// startCluster starts the processes and joins them; own gives a node its TLS port, 0
// for none, and its arguments.
func startCluster(t testing.TB, primaries, replicas int, own func() (tlsPort int, args []string)) *Cluster {
	t.Helper()
	if primaries < 1 {
		t.Fatalf("a cluster of %d primaries", primaries)
	}
	c := &Cluster{}
	for range primaries + replicas {
		s := startNode(t, own)
		id, ok := s.Do(t, "CLUSTER", "MYID").([]byte)
		if !ok {
			t.Fatalf("CLUSTER MYID on %s is no text", s.Addr)
		}
		c.Nodes = append(c.Nodes, &ClusterNode{Server: s, ID: string(id)})
	}
	c.join(t, primaries)
	c.WaitOK(t)
	return c
}

// startNode starts one node that knows nobody, in a folder of its own: in a shared one
// the nodes would read each other's nodes.conf.
func startNode(t testing.TB, own func() (int, []string)) *Server {
	t.Helper()
	s := &Server{t: t, program: program(t)}
	dir, err := os.MkdirTemp("", "redistest-")
	if err != nil {
		t.Fatal(err)
	}
	s.Dir = dir
	t.Cleanup(func() {
		if s.daemon != nil {
			s.daemon.Stop(stopGrace)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("remove the node's folder: %v", err)
		}
	})
	for attempt := 1; s.daemon == nil; attempt++ {
		s.TLSPort, s.args = own()
		s.password = option(s.args, "--requirepass")
		s.args = append([]string{
			"--cluster-enabled", "yes", "--cluster-node-timeout", strconv.Itoa(nodeTimeout),
			// A replica takes over however long it has been without its primary, stays with
			// it while it can, gets its data at once, and soon has a ping in its stream:
			// CLUSTER SLOTS leaves it out until it has copied something.
			"--cluster-slave-validity-factor", "0", "--cluster-migration-barrier", "100",
			"--repl-ping-slave-period", "1", "--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0", "--masterauth", s.password,
		}, s.args...)
		port := freePort(t)
		if s.TLSPort == 0 {
			port = busPort(t)
		}
		d, err := daemon.Start(context.Background(), daemon.Spec{Program: s.program, Args: s.args, Dir: dir, Port: port})
		if err == nil {
			s.daemon, s.PID, s.Host, s.Port = d, d.PID, daemon.Host, d.Port
		} else if attempt == startAttempts {
			t.Fatal(err)
		}
	}
	s.Addr = net.JoinHostPort(s.Host, strconv.Itoa(s.Port))
	return s
}

// busPort is a port that is free now, as is that of the bus which belongs to it.
func busPort(t testing.TB) int {
	t.Helper()
	for range 200 {
		port := lowestPort + rand.IntN(highestPort-lowestPort)
		if isFree(port) && isFree(port+busOffset) {
			return port
		}
	}
	t.Fatal("no two free ports for a node of a cluster")
	return 0
}

func isFree(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort(daemon.Host, strconv.Itoa(port)))
	if err != nil {
		return false
	}
	l.Close()
	return true
}

// join makes the nodes one cluster, as redis-cli does, but with everybody introduced to
// everybody: gossip alone takes its time.
func (c *Cluster) join(t testing.TB, primaries int) {
	t.Helper()
	for i, n := range c.Nodes {
		n.Do(t, "CLUSTER", "SET-CONFIG-EPOCH", i+1)
		if i < primaries {
			args := []any{"ADDSLOTS"}
			for slot := i * Slots / primaries; slot < (i+1)*Slots/primaries; slot++ {
				args = append(args, slot)
			}
			n.Do(t, "CLUSTER", args...)
		}
		for _, other := range c.Nodes[:i] {
			n.Do(t, "CLUSTER", "MEET", other.Host, other.member())
		}
	}
	for i, n := range c.Nodes[primaries:] {
		primary := c.Nodes[i%primaries].ID
		poll(t, fmt.Sprintf("%s to copy %s", n.Addr, primary), func() error {
			_, err := n.Try("CLUSTER", "REPLICATE", primary)
			return err
		})
	}
}

// member is the port under which the other nodes know this one.
func (n *ClusterNode) member() int {
	if n.TLSPort != 0 {
		return n.TLSPort
	}
	return n.Port
}

// patience is how long a cluster may take to come to rest.
const patience = 20 * time.Second

// poll calls look until it is content, and fails the test when that takes too long.
func poll(t testing.TB, what string, look func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err = look(); err == nil {
			return
		}
	}
	t.Fatalf("waited %v for %s: %v", patience, what, err)
}
