package views_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fullbore/views"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares each view with its picture in testdata, drawn in bare ASCII
// and in blocks with colour. Look at a picture with cat before keeping a new one:
//
//	go test ./views/ -run Golden -update
func TestGolden(t *testing.T) {
	sizes := [][2]int{{80, 24}, {120, 40}, {40, 12}}
	type look struct {
		name  string
		theme views.Theme
	}
	looks := []look{
		{"ascii", views.MonoTheme(views.ASCII)},
		{"block", views.DefaultTheme(views.Block)},
	}
	for _, e := range examples() {
		sizes, looks := sizes, looks
		if _, ok := e.view.(views.Compare); ok {
			// Below its minimum this screen is that of "small".
			sizes = [][2]int{{80, 24}, {100, 30}, {120, 40}}
			looks = append(looks[:2:2], look{"braille", views.HighContrastTheme(views.Braille)})
		}
		for _, size := range sizes {
			for _, look := range looks {
				name := fmt.Sprintf("%s-%dx%d-%s.txt", e.name, size[0], size[1], look.name)
				t.Run(name, func(t *testing.T) {
					got := e.view.Render(views.Frame{Width: size[0], Height: size[1], Theme: look.theme}) + "\n"
					golden(t, filepath.Join("testdata", name), got)
				})
			}
		}
	}
}

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (a new view? run with -update)", err)
	}
	if got != string(want) {
		t.Errorf("%s is out of date\n%s", path, lineDiff(string(want), got))
	}
}

// lineDiff shows the lines that differ, escape codes made visible.
func lineDiff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	for i := range max(len(w), len(g)) {
		var was, is string
		if i < len(w) {
			was = w[i]
		}
		if i < len(g) {
			is = g[i]
		}
		if was != is {
			fmt.Fprintf(&b, "%3d - %q\n    + %q\n", i+1, was, is)
		}
	}
	return b.String()
}
