package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fullbore/loadgen/redistest"
)

// recipe is a command of docs/recipes.md and what it printed.
type recipe struct{ command, output string }

func recipes(t *testing.T) (list []recipe) {
	t.Helper()
	page, err := os.ReadFile("docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(page), "```\n$ ")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		command, output, _ := strings.Cut(block, "\n")
		list = append(list, recipe{command, output})
	}
	return list
}

// small makes a command one of a second: fewer requests, less data. A comparison
// takes a few: the shortest rounds, of two tests, and two round trips of four.
func small(command string) string {
	command = strings.ReplaceAll(command, "0 0.5ms 1ms 10ms", "0 1ms")
	command = regexp.MustCompile(`(compare.*) -t (\w+,\S+|all)`).ReplaceAllString(command, "$1 -t set,get")
	command = regexp.MustCompile(` --(round|settle|pairs) \S+`).ReplaceAllString(command, "")
	command = strings.ReplaceAll(command, "fullbore compare", "fullbore compare --round 300ms --settle 30ms --pairs 8")
	command = regexp.MustCompile(`-n \w+`).ReplaceAllString(command, "-n 4000")
	return regexp.MustCompile(`--prefill \w+`).ReplaceAllString(command, "--prefill 2k")
}

// skeleton is a line without its figures. Lines whose presence depends on the
// figures (steps of distributions, remarks, marks of stalls) have none.
func skeleton(line string) string {
	line, _, _ = strings.Cut(line, ", p50=") // what follows in a row may be a mark
	if strings.Contains(line, "<=") || strings.Contains(line, "warning") || strings.HasPrefix(line, "Remarks") ||
		strings.Contains(line, "percentiles") || strings.Contains(line, "longest gap") || strings.Contains(line, "stall") {
		return ""
	}
	line = regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(line, "SERVER")
	line = regexp.MustCompile(`redis \d+\.\d+\.\d+`).ReplaceAllString(line, "redis VERSION")
	line = regexp.MustCompile(`\d[\d.,]*( %)?`).ReplaceAllString(line, "#")
	words := strings.Fields(line)
	for i, w := range words {
		if w == "-" || w == "n/a" { // a figure that too few batches carry
			words[i] = "#"
		}
	}
	return strings.Join(words, " ")
}

// judged is the skeleton of a line of a comparison: how its rows begin. What follows
// hangs on the figures, and only SET is part of a small one.
func judged(line string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " ")
	other := name != "SET" && len(name) > 2 && name == strings.ToUpper(name)
	if !strings.HasPrefix(line, "| ") || other {
		return ""
	}
	head, _, _ := strings.Cut(skeleton(line), "#")
	// On a busy machine any verdict may come.
	verdict := regexp.MustCompile(`\b([A-F] )?(faster|slower|real but|no difference|cannot tell|client-bound)\b`)
	if at := verdict.FindStringIndex(head); at != nil {
		head = head[:at[0]]
	}
	return strings.TrimSpace(head)
}

func skeletons(text string) map[string]bool {
	set := map[string]bool{}
	skeleton := skeleton
	if strings.Contains(text, "fullbore dev compare") {
		skeleton = judged
	}
	for line := range strings.Lines(text) {
		if s := skeleton(strings.TrimRight(line, "\n")); s != "" {
			set[s] = true
		}
	}
	return set
}

// Every recipe runs and prints what its page shows, figures aside.
func TestRecipes(t *testing.T) {
	t.Parallel()
	srv := redistest.Start(t)
	list := recipes(t)
	if len(list) < 4 {
		t.Fatalf("%d recipes found", len(list))
	}
	for _, r := range list {
		if !strings.Contains(r.command, "compare") {
			r.repeat(t, srv)
			continue
		}
		t.Run(r.command, func(t *testing.T) { // it takes half a minute, and no time of the machine's
			t.Parallel()
			r.repeat(t, redistest.Start(t))
		})
	}
	if n := srv.DBSize(t); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}

// repeat runs a recipe at a small size on srv and holds what it prints against its
// page.
func (r recipe) repeat(t *testing.T, srv *redistest.Server) {
	cmd := exec.Command("sh", "-c", small(r.command))
	cmd.Dir = t.TempDir()
	cmd.Env = environment("FULLBORE_PORT=" + strings.TrimPrefix(srv.Addr, srv.Host+":"))
	cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(program(t, plain))+":"+os.Getenv("PATH"))
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s", r.command, err, out)
		return
	}
	got := skeletons(string(out))
	for want := range skeletons(r.output) {
		if !got[want] {
			t.Errorf("%s: prints no line like\n%s\nit prints\n%s", r.command, want, out)
			return
		}
	}
}
