package loadgen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// explain says in words what the server's own account has to do with the trouble of
// the load: one sentence for each cause that it gives evidence of.
func (e *evidence) explain(p Plan, faults []stats.Fault) []string {
	var out []string
	add := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	if e.anew() {
		add("the server began anew during the run (its run_id changed): what it had not on disk is gone, and reads miss it")
	}
	if n := e.more("evicted_keys"); n > 0 {
		add("the server evicted %s during the run (%s): reads miss them", things(n, "key"), e.room())
	}
	if n := e.more("client_output_buffer_limit_disconnections"); n > 0 {
		add("the server closed %s whose replies exceeded its client-output-buffer-limit%s: lower -P or -d, or raise it", things(n, "connection"), e.quoted("client-output-buffer-limit"))
	}
	if n := e.more("client_query_buffer_limit_disconnections"); n > 0 {
		add("the server closed %s whose requests exceeded its client-query-buffer-limit%s: lower -d, or raise it", things(n, "connection"), e.quoted("client-query-buffer-limit"))
	}
	for _, f := range faults {
		if text := e.cause(p, f); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// limit is what a plan asks of a buffer that the server limits, where it does not count
// the connections that it closed for that (Redis before 7.2, and relatives).
func (e *evidence) limit(p Plan) string {
	_, counted := e.now["client_output_buffer_limit_disconnections"]
	if most := e.setting("client-query-buffer-limit"); !counted && most > 0 && int64(p.Workload.Payload) > most {
		return fmt.Sprintf("requests of %d bytes are more than the server's client-query-buffer-limit of %d, at which it closes connections: lower -d, or raise it", p.Workload.Payload, most)
	}
	most := hardLimit(e.settings["client-output-buffer-limit"])
	if batch := int64(replyBytes(p.Workload) * float64(p.Pipeline)); !counted && most > 0 && batch > most {
		return fmt.Sprintf("the replies to a batch are about %d bytes, more than the server's client-output-buffer-limit of %d, at which it closes connections: lower -P or -d, or raise it", batch, most)
	}
	return ""
}

// hardLimit is that of ordinary clients in "normal HARD SOFT SECONDS slave …", 0 for
// none.
func hardLimit(setting string) int64 {
	words := strings.Fields(setting)
	if at := slices.Index(words, "normal"); at >= 0 && at+1 < len(words) {
		if n, err := strconv.ParseInt(words[at+1], 10, 64); err == nil {
			return n
		}
	}
	return 0
}

// cause is the server's state behind one kind of fault, "" where it says nothing.
func (e *evidence) cause(p Plan, f stats.Fault) string {
	closed := f.Class == stats.LostFault && (f.Code == "eof" || f.Code == "reset")
	switch {
	case closed && e.limit(p) != "":
		return e.limit(p)
	case f.Class == stats.LostFault && f.Code == "eof" && p.Rate > 0 && e.setting("timeout") > 0:
		return fmt.Sprintf("the server closes connections that were idle for %d s (timeout %[1]d): at this rate there are more clients than it takes, lower -c", e.setting("timeout"))
	case strings.HasPrefix(f.Text, tooLong) && e.setting("proto-max-bulk-len") > 0:
		return e.bulk(p)
	case strings.Contains(f.Text, "max number of clients"):
		if most, ok := e.number("maxclients"); ok {
			return fmt.Sprintf("the server takes %d clients (maxclients) and turned %s away during the run", most, things(e.more("rejected_connections"), "connection"))
		}
	}
	if f.Class != stats.ReplyFault {
		return ""
	}
	return e.refusal(f.Code)
}

// tooLong is how Redis refuses a value longer than its proto-max-bulk-len.
const tooLong = "ERR Protocol error: invalid bulk length"

func (e *evidence) bulk(p Plan) string {
	return fmt.Sprintf("values of %d bytes are longer than the server takes: its proto-max-bulk-len is %d; lower -d, or raise it", p.Workload.Payload, e.setting("proto-max-bulk-len"))
}

// refusal is the state behind an error reply's code.
func (e *evidence) refusal(code string) string {
	switch code {
	case "OOM":
		return "OOM: the server's memory is full (" + e.room() + ")"
	case "MISCONF":
		for _, field := range []string{"rdb_last_bgsave_status", "aof_last_write_status"} {
			if s := e.now[field]; s != "" && s != "ok" {
				return fmt.Sprintf("MISCONF: the server cannot write to its disk (%s:%s) and refuses all that writes until it can", field, s)
			}
		}
	case "READONLY":
		if e.now["role"] == "slave" {
			return fmt.Sprintf("READONLY: the server is a replica of %s:%s: send writes there", e.now["master_host"], e.now["master_port"])
		}
	case "MASTERDOWN":
		if s := e.now["master_link_status"]; s != "" {
			return fmt.Sprintf("MASTERDOWN: the server is a replica without its master (master_link_status:%s)", s)
		}
	case "NOREPLICAS":
		if s := e.now["min_slaves_good_slaves"]; s != "" {
			return fmt.Sprintf("NOREPLICAS: the server has %s good replicas, fewer than its min-replicas-to-write asks for", s)
		}
	}
	return ""
}

// room is how the server's memory is limited.
func (e *evidence) room() string {
	most, ok := e.number("maxmemory")
	if !ok {
		return "its limit is not told"
	}
	return fmt.Sprintf("maxmemory %s, policy %s", megabytes(most), e.now["maxmemory_policy"])
}

func (e *evidence) quoted(setting string) string {
	if e.settings[setting] == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", e.settings[setting])
}

// keyCost is about what a server needs for a key beside its name and value.
const keyCost = 60

// tight says that the data of a plan will not fit into the server's memory; "" when it
// will, or when the server does not tell.
func (e *evidence) tight(p Plan) string {
	most, limited := e.number("maxmemory")
	used, told := e.number("used_memory")
	if !limited || !told || most <= 0 || p.Cluster { // of a cluster this is one node
		return ""
	}
	keys, size := planned(p)
	need := float64(keys) * (size + float64(keyCost+len(p.Workload.Keys.Prefix)))
	if keys == 0 || float64(used)+need <= float64(most) {
		return ""
	}
	policy := e.now["maxmemory_policy"]
	what := "the server will evict keys, and reads will miss them"
	if policy == "noeviction" || strings.HasPrefix(policy, "volatile-") {
		what = "the server will refuse writes (OOM)"
	}
	return fmt.Sprintf("the planned data will not fit: %s of %.0f bytes take about %s, and of maxmemory %s there is %s left; with policy %s %s",
		things(keys, "key"), size, megabytes(int64(need)), megabytes(most), megabytes(max(0, most-used)), policy, what)
}

// planned is how many strings a plan leaves on the server, and their mean size.
func planned(p Plan) (keys int64, size float64) {
	w := p.Workload
	size = float64(w.Payload)
	if len(w.Sizes) > 0 {
		size = w.Sizes.Mean()
	}
	for _, e := range w.Mix {
		valued := e.Test.Reads || slices.Contains(e.Test.Args, workload.DataMark)
		if e.Test.Type == "string" && valued && !e.Test.Custom {
			keys = max(w.Keys.Size, 1)
		}
	}
	return max(keys, p.Prefill.Keys), size
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// things is "1 key" and "2 keys".
func things(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
