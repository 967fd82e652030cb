package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed is what `go list -json` tells of a package, as far as it is read here.
type listed struct {
	ImportPath string
	Name       string
	Imports    []string
	Deps       []string
}

func packages(t *testing.T) map[string]listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Name,Imports,Deps", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string]listed{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == "fullbore" || strings.HasPrefix(p.ImportPath, "fullbore/") {
			all[p.ImportPath] = p
		}
	}
	if len(all) < 8 {
		t.Fatalf("go list found %d packages of this module only", len(all))
	}
	return all
}

func within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// TestImportsPointRightOrDown holds the plan of the house: who may reach whom.
func TestImportsPointRightOrDown(t *testing.T) {
	const charm = "github.com/charmbracelet/"
	parts := []string{"fullbore/loadgen/stats", "fullbore/loadgen/workload", "fullbore/loadgen/target", "fullbore/loadgen/insight"}
	flags := []string{"flag", "github.com/spf13/cobra", "github.com/spf13/pflag"}
	for path, p := range packages(t) {
		for _, dep := range p.Deps {
			switch {
			case within(path, "fullbore/loadgen") && within(dep, "fullbore/loadgen") != within(dep, "fullbore"):
				t.Errorf("%s reaches %s: the engine reaches nothing outside itself", path, dep)
			case within(path, "fullbore/loadgen") && strings.HasPrefix(dep, charm):
				t.Errorf("%s reaches %s: the engine knows no screen", path, dep)
			case within(path, "fullbore/views") && within(dep, "fullbore"):
				t.Errorf("%s reaches %s: views know values only", path, dep)
			case slices.Contains(parts, path) && within(dep, "fullbore") && path != dep:
				t.Errorf("%s reaches %s: the parts of the engine know neither each other nor the engine", path, dep)
			}
		}
		for _, imp := range p.Imports {
			if slices.Contains(flags, imp) && path != "fullbore/config" {
				t.Errorf("%s imports %s: only config knows flags", path, imp)
			}
			if strings.HasPrefix(imp, "github.com/gomodule/redigo") && path != "fullbore/loadgen/target" && path != "fullbore/loadgen/redistest" {
				t.Errorf("%s imports %s: only target touches redigo", path, imp)
			}
			if imp == "fullbore/loadgen/redistest" {
				t.Errorf("%s imports redistest outside its tests", path)
			}
		}
		if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "lib"}, p.Name) {
			t.Errorf("package %s is named after its vagueness", path)
		}
	}
}

// sources parses every Go file of the module.
func sources(t *testing.T) (*token.FileSet, map[string]*ast.File) {
	t.Helper()
	fset, files := token.NewFileSet(), map[string]*ast.File{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			files[path] = f
		}
		return nil
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("read sources: %d files, %v", len(files), err)
	}
	return fset, files
}

// TestNoHiddenStateOrExit: no init but the one that must run before a library's,
// no mutable package variable, and only main ends the process or owns stdout.
func TestNoHiddenStateOrExit(t *testing.T) {
	fset, files := sources(t)
	for path, f := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.Name == "init" && d.Recv == nil && !strings.HasPrefix(path, "tui/background/") {
					t.Errorf("%s: init", fset.Position(d.Pos()))
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					checkVariables(t, fset, d)
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, _ := sel.X.(*ast.Ident)
			if pkg == nil || pkg.Obj != nil {
				return true
			}
			switch name := pkg.Name + "." + sel.Sel.Name; name {
			case "os.Exit", "log.Fatal", "log.Fatalf", "log.Panic":
				if path != "main.go" {
					t.Errorf("%s: %s outside main", fset.Position(n.Pos()), name)
				}
			case "os.Stdout", "fmt.Print", "fmt.Println", "fmt.Printf":
				if strings.HasPrefix(path, "loadgen/") || strings.HasPrefix(path, "views/") {
					t.Errorf("%s: %s in a library", fset.Position(n.Pos()), name)
				}
			}
			return true
		})
	}
}

// checkVariables lets pass assertions (var _ I = …) and error sentinels.
func checkVariables(t *testing.T, fset *token.FileSet, d *ast.GenDecl) {
	t.Helper()
	for _, spec := range d.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			if n := name.Name; n != "_" && !strings.HasPrefix(n, "err") && !strings.HasPrefix(n, "Err") {
				t.Errorf("%s: package variable %s", fset.Position(name.Pos()), n)
			}
		}
	}
}

// TestBudgets: functions of at most 60 lines, files of at most 400 (tests 800),
// and a comment on every exported name.
func TestBudgets(t *testing.T) {
	fset, files := sources(t)
	for path, f := range files {
		test := strings.HasSuffix(path, "_test.go")
		limit := 400
		if test {
			limit = 800
		}
		if n := fset.Position(f.End()).Line; n > limit {
			t.Errorf("%s has %d lines, at most %d", path, n, limit)
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || test {
				continue
			}
			if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line; n > 60 {
				t.Errorf("%s: %s has %d lines, at most 60", fset.Position(fn.Pos()), fn.Name.Name, n)
			}
			if fn.Name.IsExported() && fn.Doc == nil && exportedReceiver(fn) {
				t.Errorf("%s: %s has no comment", fset.Position(fn.Pos()), fn.Name.Name)
			}
		}
	}
}

func exportedReceiver(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

// TestTopLevel: nothing stands at the top but what the plan of the house names.
func TestTopLevel(t *testing.T) {
	allowed := []string{
		"main.go", "main_test.go", "architecture_test.go", "tui", "loadgen", "views", "config", "go.mod", "go.sum",
		"README.md", "Makefile", "LICENSE", "CHANGELOG.md", "docs",
	}
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for _, path := range strings.Fields(string(out)) {
		top, _, _ := strings.Cut(path, "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(allowed, top) && !strings.HasSuffix(top, "_test.go") {
			t.Errorf("%s stands at the top level", top)
		}
	}
	if readme, err := os.ReadFile("README.md"); err != nil || strings.Count(string(readme), "\n") > 150 {
		t.Errorf("README.md: at most 150 lines (%v)", err)
	}
}
