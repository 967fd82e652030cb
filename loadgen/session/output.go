package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Output is where a report goes: a file that appears under its name only when it is
// whole, or a stream.
type Output struct {
	to    io.Writer
	file  *os.File // nil for a stream
	path  string   // the name that file gets in the end; "" = it has it
	wrong error    // the first failure to write, after which the file is not whole
}

// Write implements io.Writer.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if err != nil && o.wrong == nil {
		o.wrong = err
	}
	return n, err
}

// OpenOutput opens path for a report; "" and "-" are the stream std. What is there
// already stays until Keep. The error names the flag.
func OpenOutput(path string, std io.Writer) (*Output, error) {
	if path == "" || path == "-" {
		return &Output{to: std}, nil
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the link stays a link
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() { // a pipe, a device: nothing to replace
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("-o: %w", err)
		}
		return &Output{to: f, file: f}, nil
	}
	mode := os.FileMode(0o644)
	if err == nil {
		mode = info.Mode().Perm()
	}
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), os.Getpid()))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, fmt.Errorf("-o: %w", err)
	}
	return &Output{to: f, file: f, path: path}, nil
}

// Keep gives the file its name, unless something was not written, which was told
// when it happened. It is the end of o.
func (o *Output) Keep() error {
	if o.file == nil || o.wrong != nil {
		o.Discard()
		return nil
	}
	f := o.file
	o.file = nil
	if o.path == "" {
		return wrapOutput(f.Close())
	}
	err := errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), o.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return wrapOutput(err)
}

// Discard removes what was written, unless Keep came first.
func (o *Output) Discard() {
	if o.file == nil {
		return
	}
	f := o.file
	o.file = nil
	_ = f.Close() // nothing in it is wanted any more
	if o.path != "" {
		_ = os.Remove(f.Name()) // and where this fails, nobody could do better
	}
}

func wrapOutput(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("-o: %w", err)
}
