package main

// Plan of the file: the methods compile, whatever the types and their packages are called.

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A workshop generates methods for packages that exist only in memory, and type-checks the result.
type workshop struct {
	fset     *token.FileSet
	packages types.Importer
	own      map[string]*types.Package // packages from memory that others import
}

// newWorkshop returns a workshop whose packages can import what the methods, their tests and package gentest import.
func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	exports := map[string]string{}
	for _, dir := range []string{"../../internal/gentest", "../../wire/wiretest"} {
		_, more, err := list(dir)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(exports, more)
	}
	fset := token.NewFileSet()
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	return &workshop{fset, importer.ForCompiler(fset, "gc", open), map[string]*types.Package{}}
}

// Import returns the package with the path.
func (w *workshop) Import(path string) (*types.Package, error) {
	if p := w.own[path]; p != nil {
		return p, nil
	}
	return w.packages.Import(path)
}

// check type-checks a package of these files.
func (w *workshop) check(path string, sources ...string) (*types.Package, error) {
	var files []*ast.File
	for i, source := range sources {
		file, err := parser.ParseFile(w.fset, fmt.Sprintf("%s/file%d.go", path, i), source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	config := types.Config{Importer: w}
	return config.Check(path, w.fset, files, nil)
}

// methods generates methods for the types of the package with this source. It fails the test if they don't compile.
func (w *workshop) methods(t *testing.T, source string, names ...string) (methods string, err error) {
	t.Helper()
	pkg, err := w.check("example.com/made", source)
	if err != nil {
		t.Fatalf("%v in\n%s", err, source)
	}
	g := newGenerator(&loaded{pkg: pkg})
	for _, name := range names {
		if err := g.add(name); err != nil {
			return "", err
		}
	}
	text, err := g.source()
	if err != nil {
		return "", err
	}
	tests, err := g.tests(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.check("example.com/made", source, string(text), string(tests)); err != nil {
		t.Errorf("the methods don't compile: %v\n%s", err, source)
	}
	return string(text), nil
}

// places are types that contain a type.
var places = []string{"%s", "*%s", "[]%s", "[][]%s", "[]*%s", "*[]%s", "[2]%s", "map[string]%s", "map[string][]%s",
	"map[string]*%s", "map[string][2]%s", "[]map[string]%s", "[]map[string]map[string]%s"}

// TestEachTypeAlone has one type in one place, so nothing else needs its package.
func TestEachTypeAlone(t *testing.T) {
	w := newWorkshop(t)
	for _, typ := range []string{"time.Time", "time.Duration", "time.Month", "reflect.Kind", "reflect.ChanDir", "string", "Text",
		"S", "Pointer", "Pointers", "Number", "Numbers", "List", "Map", "Same", "Of[int]"} {
		for _, place := range places {
			typ := fmt.Sprintf(place, typ)
			source := "package made\n\nimport (\n\"reflect\"\n\"time\"\n)\n\nvar _ time.Time\nvar _ reflect.Kind\n\n" +
				"type S struct{ X int }\ntype Pointer *S\ntype Pointers []Pointer\ntype Number *int\ntype Numbers *[]Number\n" +
				"type List []S\ntype Map map[Text]S\ntype Text string\ntype Boxed = box[int]\ntype Same = string\n" +
				"type Of[T any] = Text\ntype e[T any] = []T\n" +
				"type box[T interface{}] struct{ A T; B string }\n\ntype T struct{ F " + typ + " }\n"
			if _, err := w.methods(t, source, "T"); err != nil {
				t.Errorf("%s: %v", typ, err)
			}
		}
	}
}

// TestBothOmitted leaves out fields of many types for either reason. Go vet, and so go test, refuses the same test
// twice.
func TestBothOmitted(t *testing.T) {
	w := newWorkshop(t)
	conditions := regexp.MustCompile(`if (.* \|\| .*) \{`)
	several := 0
	for _, typ := range []string{"bool", "int", "float32", "string", "any", "[]int", "map[string]int", "[]byte", "*int", "*S", "time.Time",
		"*time.Time", "Z", "*Z", "ZP", "*ZP", "ZS", "*ZS", "ZI", "P", "func()", "chan int", "Late", "*Late"} {
		source := "package made\n\nimport \"time\"\n\nvar _ time.Time\n\ntype S struct{ X int }\ntype Late = time.Time\ntype P *Z\n" +
			"type Z struct{ X int }\nfunc (Z) IsZero() bool { return true }\ntype ZP int\nfunc (*ZP) IsZero() bool { return true }\n" +
			"type ZS []int\nfunc (ZS) IsZero() bool { return true }\ntype ZI interface { IsZero() bool }\n" +
			"type T struct { A int; F " + typ + " `msgpack:\",omitempty,omitzero\"` }\n"
		methods, err := w.methods(t, source, "T")
		if err != nil {
			t.Errorf("%s: %v", typ, err)
		}
		for _, match := range conditions.FindAllStringSubmatch(methods, -1) {
			condition := match[1]
			if inner, ok := strings.CutPrefix(condition, "!("); ok {
				condition = strings.TrimSuffix(inner, ")")
			}
			tests := strings.Split(condition, " || ")
			slices.Sort(tests)
			several++
			if len(slices.Compact(slices.Clone(tests))) < len(tests) {
				t.Errorf("%s: %s", typ, match[0])
			}
		}
	}
	if several == 0 {
		t.Error("found no condition with several tests")
	}
}
