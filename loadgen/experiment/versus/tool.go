package versus

import (
	"fmt"
	"strconv"
	"strings"
)

// Server is where load goes.
type Server struct {
	Host string
	Port int
}

// Tool is a program that puts load on a server.
type Tool struct {
	Name string
	Path string
	// Args is the command line, without the program, that sends n requests; an
	// error says that the tool has no such load.
	Args func(s Server, l Load, n int64) ([]string, error)
	// Seed is a command line that writes what the load reads and nobody else has
	// written; nil when the tool needs none.
	Seed func(s Server, l Load) []string
	// Parse reads what a run that sent n requests wrote.
	Parse func(stdout []byte, n int64) (Report, error)
}

// Fullbore is this program. With an empty key prefix it uses the very keys that
// redis-benchmark uses, and so reads data of the same size and shape.
func Fullbore(path string) Tool {
	return Tool{Name: "fullbore", Path: path, Parse: parseFullbore, Args: func(s Server, l Load, n int64) ([]string, error) {
		args := append(flags(s, l), "-n", strconv.FormatInt(n, 10), "--json", "--key-prefix", "", "--keep-keys")
		if l.Test != "" {
			return append(args, "-t", l.Test), nil
		}
		return append(args, l.Command...), nil
	}}
}

// RedisBenchmark is redis-benchmark, or valkey-benchmark, which has the same flags
// and the same CSV.
func RedisBenchmark(name, path string) Tool {
	return Tool{Name: name, Path: path, Parse: parseCSV, Args: func(s Server, l Load, n int64) ([]string, error) {
		args := append(flags(s, l), "-n", strconv.FormatInt(n, 10), "--csv")
		if command := l.sent(); command != nil {
			return append(args, command...), nil
		}
		return append(args, "-t", l.Test), nil
	}}
}

// flags are those that fullbore and redis-benchmark share.
func flags(s Server, l Load) []string {
	args := []string{
		"-h", s.Host, "-p", strconv.Itoa(s.Port), "-c", strconv.Itoa(l.Clients), "-P", strconv.Itoa(l.Pipeline),
		"-d", strconv.Itoa(l.Size), "-r", strconv.FormatInt(l.Keys, 10),
	}
	if l.DB > 0 {
		args = append(args, "--dbnum", strconv.Itoa(l.DB))
	}
	return args
}

// Memtier is memtier_benchmark with one thread, as the others have. Its keys are
// its own, because it writes no leading zeros.
func Memtier(path string) Tool {
	const prefix = "memtier-"
	common := func(s Server, l Load) []string {
		return []string{
			"-s", s.Host, "-p", strconv.Itoa(s.Port), "--hide-histogram", "-t", "1", "-d", strconv.Itoa(l.Size),
			"--key-prefix", prefix, "--key-minimum", "1", "--key-maximum", strconv.FormatInt(l.Keys, 10), "--select-db", strconv.Itoa(l.DB),
		}
	}
	return Tool{
		Name: "memtier_benchmark", Path: path, Parse: parseMemtier,
		Args: func(s Server, l Load, n int64) ([]string, error) {
			each := max(n/int64(l.Clients), 1)
			args := append(common(s, l), "-c", strconv.Itoa(l.Clients), "--pipeline", strconv.Itoa(l.Pipeline), "-n", strconv.FormatInt(each, 10))
			switch {
			case l.Test == "get":
				return append(args, "--ratio", "0:1"), nil
			case l.Test == "set":
				return append(args, "--ratio", "1:0"), nil
			case strings.HasPrefix(l.Test, "lrange_"):
				return append(args, "--command", strings.Join(l.sent(), " ")), nil
			}
			return nil, fmt.Errorf("it has no command with several random keys")
		},
		Seed: func(s Server, l Load) []string {
			if l.Test != "get" {
				return nil
			}
			return append(common(s, l), "-c", "1", "--pipeline", "100", "-n", "allkeys", "--ratio", "1:0", "--key-pattern", "P:P")
		},
	}
}
