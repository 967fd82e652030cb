package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Dist says how the numbers behind the placeholders are drawn from the key space.
// The zero value is uniform. Values compare with ==.
type Dist struct {
	Name  string  // a row of Dists; "" = uniform
	Shape float64 // what stands behind the colon: the exponent of zipf, the spread of gaussian; 0 where there is none
}

// DistInfo is one distribution, for help and pickers.
type DistInfo struct {
	Name  string // "zipf"
	Form  string // "zipf[:s]", as --key-dist takes it
	About string // one line for people
}

// Dists is every distribution, in the order in which help shows them.
func Dists() []DistInfo {
	rows := distributions()
	infos := make([]DistInfo, len(rows))
	for i, r := range rows {
		infos[i] = r.DistInfo
	}
	return infos
}

// spread draws numbers from [0, size): one, or as many as there are slots, which it
// writes over them in order. Those of one Source are used by all its generators,
// each with its own random.
type spread interface {
	one(random *rand.PCG) uint64
	write(random *rand.PCG, slots []*[digits]byte)
}

// distribution is one row of the table: what people see, how its shape is read,
// and how a key space of size numbers is drawn from.
type distribution struct {
	DistInfo
	usual float64                                 // the shape where none is given
	parse func(shape string) (float64, error)     // nil where there is no shape
	check func(shape float64) error               // nil where there is no shape
	make  func(size uint64, shape float64) spread // a size is at least 2
}

// distributions is the table: a new distribution is a file and a row here. The
// first row is the one that counts when nothing is asked for.
func distributions() []distribution {
	return []distribution{
		{DistInfo: DistInfo{uniformName, uniformName, "every key equally often"}, make: newUniform},
		{DistInfo: DistInfo{"sequential", "sequential", "0, 1, 2, … in turn, over all clients: fills the key space exactly"}, make: newSequential},
		{DistInfo: DistInfo{"zipf", "zipf[:s]", "few keys most of the time: key k with a share of 1/(k+1)^s, s from 0 to 5, usually 1"},
			usual: 1, parse: parseExponent, check: checkExponent, make: newZipf},
		{DistInfo: DistInfo{gaussianName, "gaussian[:sd]", "a bell over the middle: sd below 1 or in % is a share of the range, else a number of keys; usually 1/6"},
			usual: 1.0 / 6, parse: parseDeviation, check: checkDeviation, make: newGaussian},
	}
}

const (
	uniformName  = "uniform"
	gaussianName = "gaussian"
)

// ParseDist reads the value of --key-dist: uniform, sequential, zipf, zipf:0.99,
// gaussian, gaussian:10%.
func ParseDist(s string) (Dist, error) {
	name, shape, shaped := strings.Cut(strings.ToLower(strings.TrimSpace(s)), ":")
	row, ok := Dist{Name: name}.row()
	switch {
	case name == "" || !ok:
		return Dist{}, unknownDist(name)
	case shaped && row.parse == nil:
		return Dist{}, fmt.Errorf("--key-dist: %s takes no number: give %s alone", row.Name, row.Name)
	}
	d := Dist{Name: row.Name, Shape: row.usual}
	if shaped {
		v, err := row.parse(shape)
		if err != nil {
			return Dist{}, fmt.Errorf("--key-dist: %w", err)
		}
		d.Shape = v
	}
	if d.Name == uniformName {
		return Dist{}, nil // one form for what is the same
	}
	return d, nil
}

// String is d as ParseDist reads it; a usual shape is left out.
func (d Dist) String() string {
	row, ok := d.row()
	switch {
	case !ok:
		return d.Name
	case row.parse == nil || d.Shape == row.usual:
		return row.Name
	}
	return row.Name + ":" + strconv.FormatFloat(d.Shape, 'g', -1, 64)
}

// Validate says what is wrong with d, naming the flag and an accepted form.
func (d Dist) Validate() error {
	row, ok := d.row()
	if !ok {
		return unknownDist(d.Name)
	}
	if row.check == nil {
		return nil
	}
	if err := row.check(d.Shape); err != nil {
		return fmt.Errorf("--key-dist: %w", err)
	}
	return nil
}

// within is d for a part of a key space of size numbers, so that what is counted in
// keys has the same share of the part as it has of the whole.
func (d Dist) within(part, size uint64) Dist {
	if d.Name != gaussianName || d.Shape < 1 {
		return d
	}
	if d.Shape /= float64(size); d.Shape >= 1 { // below 1 it is a share already
		d.Shape *= float64(part)
	}
	return d
}

// spread makes the drawing of numbers from [0, size).
func (d Dist) spread(size uint64) spread {
	if row, ok := d.row(); ok {
		return row.make(size, d.Shape)
	}
	return newUniform(size, 0) // Validate refuses an unknown name
}

func (d Dist) row() (distribution, bool) {
	rows := distributions()
	if d.Name == "" {
		return rows[0], true
	}
	for _, r := range rows {
		if r.Name == d.Name {
			return r, true
		}
	}
	return distribution{}, false
}

func unknownDist(name string) error {
	var names, forms []string
	for _, r := range distributions() {
		names, forms = append(names, r.Name), append(forms, r.Form)
	}
	return fmt.Errorf("--key-dist: unknown distribution %s%s it takes %s", quote(name), meant(name, names), strings.Join(forms, ", "))
}

// number reads a plain decimal number; no sign, hex, "inf" or "nan".
func number(s string) (float64, bool) {
	const most = 40 // characters
	if s == "" || len(s) > most || strings.Trim(s, "0123456789.e-") != "" || strings.HasPrefix(s, "-") {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
