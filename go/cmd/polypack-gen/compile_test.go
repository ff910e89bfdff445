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
		"S", "Pointer", "Pointers", "Number", "Numbers", "List", "Map", "Boxed", "Same", "Of[int]", "Of[Pointer]", "e[string]", "box[string]", "box[time.Month]", "box[*Pointer]"} {
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

// declarations are types that a package may give a name, and the types of which T has a field in each of the places.
var declarations = []struct{ declaration, used string }{
	{"type %s int", "%s"},
	{"type %s struct{ X int }", "%s"},
	{"type %s *S", "%s"},
	{"type %s = S", "%s"},
	{"type %s[T interface{}] struct{ A T; B S }", "%s[S]"},
	{"type %s[K Text, V interface{}] struct{ A map[K]V; B *%s[K, V] }", "%s[Text, []%s[Text, Text]]"},
	{"func %s() {}", "S"},
}

// named returns the sources of packages that declare the name.
func named(name string) (sources []string) {
	for _, d := range declarations {
		used := strings.ReplaceAll(d.used, "%s", name)
		source := "package made\n\ntype S struct{ X int }\ntype Text string\ntype Flat struct{ F " + used + " }\ntype T struct {\n"
		for i, place := range []string{"*%s", "[]%s", "[]*%s", "map[string]%s", "map[string][2]%s"} {
			source += fmt.Sprintf("F%d %s\n", i, fmt.Sprintf(place, used))
		}
		sources = append(sources, source+"}\n"+strings.ReplaceAll(d.declaration, "%s", name)+"\n")
	}
	return sources
}

// TestLocalNames has packages with the names of variables in the methods, and types and packages that declare them.
func TestLocalNames(t *testing.T) {
	w := newWorkshop(t)
	for _, name := range localNames(t) {
		if !localName.MatchString(name) {
			t.Errorf("localName doesn't match the variable %s", name)
		}
		for _, source := range named(name) {
			if _, err := w.methods(t, source, "T", "Flat"); err != nil {
				t.Errorf("%v in\n%s", err, source)
			}
		}
	}
}

// localNames returns the names of variables in generated methods, with the digit 1 in place of all digits.
func localNames(t *testing.T) (names []string) {
	digits := regexp.MustCompile("[0-9]+$")
	file := gentest(t)
	ast.Inspect(file, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok && ident.Obj != nil && ident.Obj.Kind == ast.Var && file.Scope.Lookup(ident.Name) == nil {
			if name := digits.ReplaceAllString(ident.Name, "1"); name != "_" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return true
	})
	if len(names) < 20 {
		t.Fatalf("found only %q", names)
	}
	return names
}

// gentest returns the methods of package gentest, which has each kind of field in each place.
func gentest(t *testing.T) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../internal/gentest/polypack_gen.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestImportedNames imports packages with the names of variables, of Go's own types and functions, and of packages that
// the methods import. A name without digits is enough.
func TestImportedNames(t *testing.T) {
	w := newWorkshop(t)
	for _, name := range append(append(localNames(t), types.Universe.Names()...), "wire", "polypack", "testing", "wiretest") {
		if token.IsKeyword(name) {
			continue
		}
		path := "example.com/other/" + name
		other, err := w.check(path, "package "+name+"\n\ntype S struct{ X int }\ntype Number int")
		if err != nil {
			t.Fatal(err)
		}
		w.own[path] = other
		source := fmt.Sprintf("package made\n\nimport other %q\n\ntype T struct {\nN other.Number\nP *other.Number\nA []other.Number\n}\n"+
			"type Flat struct{ F other.Number }\n", path)
		if _, err := w.methods(t, source, "T", "Flat"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPackageNames has packages that declare names of Go, and of packages that the methods import. If the methods need
// Go's own, the error says so.
func TestPackageNames(t *testing.T) {
	w := newWorkshop(t)
	for _, name := range append(types.Universe.Names(), "wire", "polypack", "testing", "wiretest", "t", "ä") {
		refused := 0
		for _, source := range named(name) {
			if _, err := w.check("example.com/made", source); err != nil {
				continue // as in type int int
			}
			_, err := w.methods(t, source, "T", "Flat")
			if err == nil {
				continue
			}
			refused++
			if want := fmt.Sprintf("the package declares %s,", name); !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
		needed := slices.ContainsFunc(gentest(t).Unresolved, func(ident *ast.Ident) bool { return ident.Name == name })
		if refused > 0 && !needed || refused == 0 && slices.Contains([]string{"error", "nil", "len", "new", "int"}, name) {
			t.Errorf("%s: %d of %d are refused", name, refused, len(declarations))
		}
	}
}

// TestOtherPackage has fields of types that only another package can name.
func TestOtherPackage(t *testing.T) {
	w := newWorkshop(t)
	declarations := "type number int\ntype text string\ntype flag bool\ntype ratio float64\ntype half float32\n" +
		"type small int8\ntype sub struct{ X int }\ntype bytes []byte\ntype hash [4]byte\ntype list []string\ntype dict map[text]int\n"
	for _, typ := range []string{"number", "text", "flag", "ratio", "half", "small", "sub", "bytes", "hash", "list", "dict", "error"} {
		for i, place := range places {
			path := fmt.Sprintf("example.com/%s%d", typ, i)
			other, err := w.check(path, "package other\n\n"+declarations+"type Base struct { F "+fmt.Sprintf(place, typ)+" }")
			if err != nil {
				t.Fatal(err)
			}
			w.own[path] = other
			for _, field := range []string{"other.Base", "G *other.Base", "G []other.Base", "G other.Base `msgpack:\",inline\"`"} {
				source := fmt.Sprintf("package made\n\nimport other %q\n\ntype T struct { %s }\n", path, field)
				if _, err := w.methods(t, source, "T"); err != nil {
					t.Errorf("%s %s %s: %v", typ, place, field, err)
				}
			}
		}
	}
}

// TestMethodNames has fields with the names of the methods.
func TestMethodNames(t *testing.T) {
	w := newWorkshop(t)
	for _, name := range append(slices.Clone(generatedMethods), directMethods...) {
		_, err := w.methods(t, "package made\n\ntype T struct { "+name+" string }", "T")
		if want := "its field " + name + " has the name of a method"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := w.methods(t, "package made\n\ntype S struct { "+name+" string }\ntype T struct { S; A S; P []*S }", "T"); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.methods(t, "package made\n\ntype T struct { "+typeMethod+" string }", "T"); err != nil {
		t.Error(err)
	}
	_, err := w.methods(t, "package made\n\ntype S struct { X int }\ntype T struct { S; "+typeMethod+" string }", "T")
	if want := "its field " + typeMethod + " has the name of a method"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
