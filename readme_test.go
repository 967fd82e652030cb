package main

import (
	"os"
	"strings"
	"testing"

	"fullbore/config"
	"fullbore/loadgen/launch"
)

// Every command line that the README shows is one that the program takes.
func TestReadmeCommandsParse(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var seen int
	for line := range strings.Lines(string(readme)) {
		command, ok := strings.CutPrefix(line, "    fullbore ")
		if !ok {
			continue
		}
		seen++
		command, _, _ = strings.Cut(command, " > ")
		args, err := launch.Split(strings.TrimSpace(command))
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		if _, err := config.Parse(args, config.Env{}); err != nil {
			t.Errorf("fullbore %s: %v", command, err)
		}
	}
	if seen < 4 {
		t.Errorf("only %d command lines found", seen)
	}
	// The first two commands are the main job and the tests.
	first, second := strings.Index(string(readme), "\n    go run .\n"), strings.Index(string(readme), "\n    make test\n")
	if first < 0 || second < first {
		t.Errorf("the README does not begin with go run . and make test")
	}
}
