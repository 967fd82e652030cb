package config

import "fullbore/loadgen/workload"

// parseSize reads a number of bytes: 64, 1k, 16KB, 1mb. Its units are powers of
// 1024, with and without the b, because memory is counted like that and Redis
// writes it so.
func parseSize(s string) (int64, bool) {
	return integer(scaled(s, workload.ByteUnit))
}
