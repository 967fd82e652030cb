package workload

import (
	"fmt"
	"slices"
	"strings"
)

// Batch says how the P commands of a pipeline travel together. The zero value is
// Pipelined.
type Batch string

// The batch modes.
const (
	Pipelined Batch = ""      // one write, P replies
	Multi     Batch = "multi" // the same between MULTI and EXEC: the server runs them as one
	Unbatched Batch = "none"  // one command at a time, whatever P
)

// BatchInfo is one batch mode, for help and pickers.
type BatchInfo struct {
	Batch Batch
	Name  string // as --batch takes it
	About string // one line for people
}

// Batches is every batch mode, in the order in which help shows them.
func Batches() []BatchInfo {
	return []BatchInfo{
		{Pipelined, "pipeline", "P commands in one write, P replies in turn"},
		{Multi, "multi", "MULTI, P commands, EXEC: as one, for the server too"},
		{Unbatched, "none", "one command and its reply at a time"},
	}
}

// ParseBatch reads the value of --batch.
func ParseBatch(s string) (Batch, error) {
	word := strings.ToLower(strings.TrimSpace(s))
	var names []string
	for _, b := range Batches() {
		if b.Name == word {
			return b.Batch, nil
		}
		names = append(names, b.Name)
	}
	return "", fmt.Errorf("--batch: unknown mode %s%s it takes %s", quote(s), meant(word, names), strings.Join(names, ", "))
}

// Validate says what is wrong with b, naming the flag and the accepted forms.
func (b Batch) Validate() error {
	_, err := ParseBatch(b.String())
	return err
}

// String is the mode's name, as ParseBatch reads it.
func (b Batch) String() string {
	rows := Batches()
	if i := slices.IndexFunc(rows, func(r BatchInfo) bool { return r.Batch == b }); i >= 0 {
		return rows[i].Name
	}
	return string(b)
}
