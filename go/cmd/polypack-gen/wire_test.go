package main

// Plan of the file: package wire and Direct hold what generated code calls, and nothing else; and what becomes of code
// that another version of the generator wrote.

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A checked package is type-checked from source.
type checked struct {
	pkg    *types.Package
	info   types.Info
	faults []types.Error
	fset   *token.FileSet
}

// checkTypes type-checks the package in dir. edit, unless it is nil, changes the source of each file before.
func checkTypes(t *testing.T, dir string, edit func(name, source string) string) *checked {
	t.Helper()
	root, exports, err := list(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := &checked{fset: token.NewFileSet(), info: types.Info{Uses: map[*ast.Ident]types.Object{}}}
	var files []*ast.File
	for _, name := range root.GoFiles {
		source, err := os.ReadFile(filepath.Join(root.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if edit != nil {
			source = []byte(edit(name, string(source)))
		}
		file, err := parser.ParseFile(c.fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	config := types.Config{
		Importer: importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }),
		Error:    func(err error) { c.faults = append(c.faults, err.(types.Error)) },
	}
	c.pkg, _ = config.Check(root.ImportPath, c.fset, files, &c.info)
	return c
}

// imported returns a package that c imports.
func (c *checked) imported(t *testing.T, path string) *types.Package {
	t.Helper()
	for _, p := range c.pkg.Imports() {
		if p.Path() == path {
			return p
		}
	}
	t.Fatalf("%s does not import %s", c.pkg.Path(), path)
	return nil
}

// called returns what the file with the name mentions of package wire, of the types in it, and of Direct.
func (c *checked) called(name string) map[string]bool {
	called := map[string]bool{}
	for ident, object := range c.info.Uses {
		if object.Pkg() == nil || !object.Exported() || c.fset.Position(ident.Pos()).Filename != name {
			continue
		}
		switch object.Pkg().Path() {
		case libraryPath + "/wire", libraryPath + "/internal/wire":
			called[qualified(object)] = true
		case libraryPath:
			if text := qualified(object); strings.HasPrefix(text, "Direct.") {
				called[text] = true
			}
		}
	}
	return called
}

// qualified returns the name of an object, behind that of the type whose method it is.
func qualified(object types.Object) string {
	if f, ok := object.(*types.Func); ok {
		if receiver := f.Signature().Recv(); receiver != nil {
			typ := types.Unalias(receiver.Type())
			if p, ok := typ.(*types.Pointer); ok {
				typ = p.Elem()
			}
			return typ.(*types.Named).Obj().Name() + "." + f.Name()
		}
	}
	if v, ok := object.(*types.Var); ok && v.IsField() {
		return "field " + v.Name()
	}
	return object.Name()
}

// members adds the exported methods and fields of a type that generated code gets, and of the structs in it. Those of
// interfaces aren't for generated code to call: the library calls and implements them.
func members(exported map[string]bool, typ types.Type) {
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || types.IsInterface(named) {
		return
	}
	for m := range named.Methods() {
		if m.Exported() {
			exported[qualified(m)] = true
		}
	}
	if s, ok := named.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			switch {
			case f.Embedded():
				members(exported, f.Type())
			case f.Exported():
				exported["field "+f.Name()] = true
			}
		}
	}
}

// TestExports compares what package wire and Direct export with what generated code calls. Package gentest has each
// kind of field in each place, so nothing that the generator can write is missing there; the second half makes sure of
// that.
func TestExports(t *testing.T) {
	c := checkTypes(t, "../../internal/gentest", nil)
	called := c.called("polypack_gen.go")

	exported := map[string]bool{}
	scope := c.imported(t, libraryPath+"/wire").Scope()
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if !object.Exported() {
			continue
		}
		exported[name] = true
		if _, ok := object.(*types.TypeName); ok {
			members(exported, object.Type())
		}
		if f, ok := object.(*types.Func); ok {
			for v := range f.Signature().Results().Variables() {
				members(exported, v.Type())
			}
		}
	}
	direct := c.imported(t, libraryPath).Scope().Lookup("Direct")
	members(exported, direct.Type())
	for name := range exported {
		if !called[name] {
			t.Errorf("%s is exported, but generated code doesn't call it", name)
		}
	}
	for name := range called {
		if !exported[name] {
			t.Errorf("generated code calls %s, which TestExports doesn't find", name)
		}
	}

	// What encodeEmitter.store is given:
	for _, what := range []string{"Bool", "Int", "Uint", "Float32", "Float64", "Time"} {
		if !called["Put"+what] || !called["Writer."+what] {
			t.Errorf("package gentest doesn't call both Put%s and Writer.%s", what, what)
		}
	}
	emitted := regexp.MustCompile(`\b(wire|w|r)\.([A-Z]\w*)\b`)
	owners := map[string][]string{"wire": {""}, "w": {"Writer.", "field "}, "r": {"Reader.", "Input.", "field "}}
	files, err := filepath.Glob("emit*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			for _, match := range emitted.FindAllStringSubmatch(literal.Value, -1) {
				isCalled := func(owner string) bool { return called[owner+match[2]] }
				if match[2] != "Put" && !slices.ContainsFunc(owners[match[1]], isCalled) { // Put is the start of a name
					t.Errorf("polypack-gen can emit %s, but doesn't for package gentest", match[0])
				}
			}
			return true
		})
	}
}

// TestOlderCode compiles methods that were written before there were versions, and calls all they may call: everything
// but what was added since.
func TestOlderCode(t *testing.T) {
	older := checkTypes(t, "../../internal/gentest/before", nil)
	for _, fault := range older.faults {
		t.Error(fault)
	}
	called, now := older.called("polypack_gen.go"), checkTypes(t, "../../internal/gentest", nil).called("polypack_gen.go")
	since := []string{"Version1", "Writer.Changed", "Writer.FieldValue", "Reader.FieldValue", "Reader.RestEntry"}
	for name := range now {
		if !called[name] && !slices.Contains(since, name) {
			t.Errorf("the older code doesn't call %s, so it doesn't show that such code compiles", name)
		}
	}
}

// TestOtherVersion lets generated code ask for a version that the library doesn't have: the only fault is at the line
// below the one that says what to do.
func TestOtherVersion(t *testing.T) {
	var source string
	c := checkTypes(t, "../../internal/gentest", func(name, text string) string {
		if name == "polypack_gen.go" {
			text = strings.Replace(text, "wire.Version1", "wire.Version0", 1)
			source = text
		}
		return text
	})
	if len(c.faults) != 1 || !strings.Contains(c.faults[0].Msg, "wire.Version0") {
		t.Fatalf("faults: %v", c.faults)
	}
	at := c.fset.Position(c.faults[0].Pos)
	above := strings.Split(source, "\n")[at.Line-2]
	if at.Filename != "polypack_gen.go" || !strings.Contains(above, "run polypack-gen") {
		t.Errorf("%v, below the line %q", c.faults[0], above)
	}
}

// TestInlining makes sure that the compiler still inlines into generated code what it calls for every value. Package
// wire has only names for methods of another package, of which the compiler has the bodies for a reason told there.
func TestInlining(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("calls that handle 64-bit numbers cost more on 32 bits, where fewer are inlined")
	}
	cmd := exec.Command("go", "build", "-gcflags=-m", "../../internal/gentest")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{
		"wire.(*Writer).Base", "wire.(*Writer).Begin", "wire.(*Writer).Bytes", "wire.(*Writer).Close", "wire.(*Writer).End",
		"wire.(*Writer).Follow", "wire.(*Writer).Full", "wire.(*Writer).Nil", "wire.(*Writer).Open", "wire.(*Writer).Room",
		"wire.(*Writer).RoomFor", "wire.(*Writer).Time", "wire.(*Writer).Unfollow", "wire.(*Writer).Unsorted",
		"wire.(*Writer).Float64", "wire.(*Writer).Value", "wire.(*Reader).Arrived", "wire.(*Reader).Begin",
		"wire.(*Reader).Close", "wire.(*Reader).IsNil", "wire.(*Reader).OpenFields", "wire.(*Reader).Presence",
		"wire.(*Reader).Value", "wire.(*Input).Data", "wire.PutInt", "wire.PutUint", "wire.PutByte", "wire.PutWord",
		"wire.PutWords", "wire.PutHalves", "wire.PutString", "wire.Buffer", "wire.Ints[",
		"polypack.(*Direct).Begin", "polypack.(*Direct).BeginRead", "polypack.(*Direct).Odd", "polypack.(*Direct).OddRead",
	} {
		if !slices.ContainsFunc(bytes.Split(out, []byte("\n")), func(line []byte) bool {
			_, call, found := strings.Cut(string(line), "inlining call to ")
			return found && (call == name || strings.HasSuffix(name, "[") && strings.HasPrefix(call, name))
		}) {
			t.Errorf("%s isn't inlined any more", name)
		}
	}
}
