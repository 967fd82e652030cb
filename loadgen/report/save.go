package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"fullbore/loadgen"
)

// saveTries is how many results of one second find a free name.
const saveTries = 100

// Save writes r into dir as JSON and, beside it, as text:
// fullbore-20260102-150405.json and .txt, after now. It never overwrites: a name
// that is taken gets a number. The files belong to the user alone (0600). The
// path is the JSON file's; on an error no half-written file stays.
func Save(dir string, now time.Time, h Header, r loadgen.Result) (path string, err error) {
	return save(dir, now, pair{
		json: func(w io.Writer) error { return writeJSON(w, h, r) },
		text: func(w io.Writer) error {
			_, err := io.WriteString(w, summarize(h, r, math.MaxInt))
			return err
		},
	})
}

// SaveComparison is Save for a comparison, under names that begin with
// fullbore-compare.
func SaveComparison(dir string, now time.Time, c Compared) (path string, err error) {
	return save(dir, now, pair{
		what: "compare-",
		json: func(w io.Writer) error { return Comparison("json", w, c) },
		text: func(w io.Writer) error { return Comparison("text", w, c) },
	})
}

// pair is what the two files of one name are to hold.
type pair struct {
	what       string // part of the name, "compare-"
	json, text func(io.Writer) error
}

func save(dir string, now time.Time, p pair) (path string, err error) {
	base := filepath.Join(dir, "fullbore-"+p.what+now.Format("20060102-150405"))
	for try := 1; try <= saveTries; try++ {
		name := base
		if try > 1 {
			name = fmt.Sprintf("%s-%d", base, try)
		}
		err = p.write(name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("save result: %w", err)
		}
		return name + ".json", nil
	}
	return "", fmt.Errorf("save result: %s.json and %d more names are taken", base, saveTries-1)
}

// write makes both files of that name or neither.
func (p pair) write(name string) error {
	if err := saveFile(name+".json", p.json); err != nil {
		return err
	}
	if err := saveFile(name+".txt", p.text); err != nil {
		return errors.Join(err, os.Remove(name+".json"))
	}
	return nil
}

// saveFile creates path, which must not exist (O_EXCL also refuses a link), and
// removes it again when it cannot be written in full.
func saveFile(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// writeJSON is the whole document of one result.
func writeJSON(w io.Writer, h Header, r loadgen.Result) error {
	d := &document{w: w}
	test := r.Plan.Workload.Mix.String()
	return errors.Join(d.Begin(h), d.Test(Entry{Test: test, Result: r}), d.End())
}
