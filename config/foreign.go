package config

import "strings"

// refusal answers for flags of other tools that fullbore does not have.
type refusal struct{ flags, text string }

// refusals are for whole command lines that people bring: each of these flags would
// otherwise cost them a search through the help for something that is not there.
func refusals() []refusal {
	return []refusal{
		{" -3 ", "fullbore speaks RESP2 only, which every server from Redis 6 on speaks too: leave it out"},
		{" --enable-tracking ", "fullbore cannot do this: tracking sends invalidations, which need RESP3 or a second connection; leave it out"},
		{" --tls-ciphers --tls-ciphersuites ", "fullbore leaves the ciphers to Go's choice, which offers safe ones only: leave it out, see --tls-min"},
		{" --tls-protocols ", "that is --tls-min here, the least version: --tls-min 1.3"},
		{" --num-functions --num-keys-in-fcall ", "fullbore has no function tests: load the functions first, and give FCALL NAME 1 KEY after the flags"},
		{" --dataset --maxdocs ", "fullbore reads no data sets: see -d 64:80,1k:15 and --random-data for values that differ"},
		{" --fuzz --fuzz-mode --fuzz-loglevel ", "fullbore does not fuzz servers: it measures them"},
		{" --mptcp --rdma ", "fullbore uses TCP and unix sockets only: leave it out"},
		{" --ratio ", "fullbore takes weights: --mix set=1,get=10"},
		{" --test-time ", "that is --duration here: --duration 10"},
		{" --command ", "fullbore takes the command after the flags: fullbore -q SET key:__rand_int__ __data__"},
		{" --key-pattern ", "that is --key-dist here: uniform, sequential, zipf or gaussian"},
		{" --data-size-range --data-size-list ", "that is -d here: -d 10-4k or -d 64:80,1k:15"},
		{" --expiry-range ", "that is --expire here: --expire 10-60s"},
		{" --json-out-file --out-file ", "that is -o here: --json -o FILE"},
		{" --run-count ", "that is --count here: --count 5"},
		{" --rate-limiting ", "that is --rate here, for all connections together: --rate 50k"},
	}
}

// foreign is the refusal of a flag, "" where there is none.
func foreign(given string) string {
	for _, r := range refusals() {
		if strings.Contains(r.flags, " "+given+" ") {
			return r.text
		}
	}
	return ""
}
