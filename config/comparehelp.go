package config

// compareText is the help of compare.
const compareText = `Examples:
  fullbore compare P=1 P=16                 SET, one command in flight against sixteen
  fullbore compare -t set,get,incr -c 50 P=1 P=16 'P=16 batch=multi'
                                            three tests by three arms: a matrix
  fullbore compare -t set,get,incr --rtt 1ms P=1 P=16
                                            the same with a simulated round trip
  fullbore compare t=get t=set              one test against another
  fullbore compare -t all --csv u=redis://10.0.0.5 u=redis://10.0.0.6
                                            two servers, every test
  fullbore compare --insecure u=redis://10.0.0.5 u=rediss://10.0.0.5:6380
                                            what TLS costs
  fullbore compare -P 16 server=redis-server vs server='redis-server --io-threads 4' threads=4
                                            io-threads and client threads together
  fullbore compare server=redis-server 'server=redis-server --appendonly yes --appendfsync always'
                                            what it costs to write every command to a file
  fullbore compare server=redis-server vs server=redis-server replicas=1
  fullbore compare P=1 P=16 -- HSET h:__rand_int__ f __data__

Arms: two to six, the first is what the others are compared with. An arm is one word: what differs
from the rest of the command line, NAME=VALUE separated by blanks. Names are those of the flags,
long or short, that say where and what the load is (the groups Server, TLS, Load, Keys and
values). base, or '', is the command line's own setting. Instead of quoting, words can be put
between vs: c=50 P=1 vs c=200 P=4. Flags stand before or after arms; what is sent goes after --.

server= starts a server for the arm and ends it: server='redis-server --io-threads 2'. replicas=1,
in the same arm, starts replicas of it, up to 8; replicas=2:chain lets each follow the one before.
In an arm without server=, replicas=yes is the flag --replicas: who answers reads in a cluster.

TLS: 'u=rediss://10.0.0.5' or 'p=6380 tls' for an arm; --cacert and its like, given on the command
line, hold for every arm that is secured. --tls secures all of them; tls=false, all but that arm.

Tests: -t makes a case of each test, -t all of every one; without it SET is sent. An arm can have
its own t= or mix= instead.

How: rounds of --round, after --settle, one arm at a time and in random order (--seed); a pair is
one round of every arm. From the 8th pair on a case ends as soon as every difference is decided, at
the latest after --pairs. A difference is told with its interval, the noise between two identical
arms, and a verdict; below --practical it is called too small to matter. On a terminal it runs on
the screen, otherwise, or with -q, --csv, --json, --format or -o, it is printed. Exit code 0
whatever the verdict.
`
