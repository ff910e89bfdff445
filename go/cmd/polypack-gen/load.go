package main

// Plan of the file: reading the package with only the go command and the standard library. The go command lists the
// files and compiles the packages that they import. go/types checks the package itself from source, without the file
// that is about to be written (see job.replaces).

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is what go list says about a package.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	Export     string
	GoFiles    []string
	CgoFiles   []string

	IgnoredGoFiles, TestGoFiles, XTestGoFiles []string

	ImportMap map[string]string
	DepOnly   bool
	Error     *struct{ Err string }
}

// loaded is a package that was read from its source.
type loaded struct {
	pkg       *types.Package
	instances []*types.Named    // instances of generic types, in the order of their names
	ignored   map[string]string // why files in the folder don't belong to the package, by their paths
}

// load reads the package in dir, except for the files whose paths replaced accepts.
func load(dir string, replaced func(path string) bool) (*loaded, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; the last argument is the folder of the package", dir)
	}
	root, exports, err := goList(dir)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	generated := map[string]bool{}
	for _, name := range append(root.GoFiles, root.CgoFiles...) {
		path := filepath.Join(root.Dir, name)
		if replaced(path) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		generated[path] = startsGenerated(text)
		files = append(files, file)
	}
	l := &loaded{ignored: root.ignored()}
	if len(files) == 0 {
		return nil, fmt.Errorf("no Go file in %s but the one to write; -output names another", dir)
	}
	open := func(path string) (io.ReadCloser, error) {
		if mapped, ok := root.ImportMap[path]; ok {
			path = mapped
		}
		if exports[path] == "" {
			return nil, fmt.Errorf("%s did not compile", path)
		}
		return os.Open(exports[path])
	}
	check := func(files []*ast.File, info *types.Info) (pkg *types.Package, faults []error) {
		config := types.Config{
			Importer:    importer.ForCompiler(fset, "gc", open),
			FakeImportC: true,
			Error: func(err error) {
				// Other generated files may be out of date, and may call methods that are about to be written.
				if fault, ok := err.(types.Error); !ok || !generated[fset.Position(fault.Pos).Filename] {
					faults = append(faults, err)
				}
			},
		}
		pkg, _ = config.Check(root.ImportPath, fset, files, info)
		return pkg, faults
	}
	info := types.Info{Instances: map[*ast.Ident]types.Instance{}}
	var faults []error
	l.pkg, faults = check(files, &info)
	if slices.ContainsFunc(faults, namesMethod) {
		stubs, err := parser.ParseFile(fset, "", stubsFor(l.pkg), parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		generated[""] = true
		_, faults = check(append(files, stubs), nil)
	}
	if len(faults) > 0 {
		const shown = 5
		more := ""
		if len(faults) > shown {
			more = fmt.Sprintf("\nand %d more", len(faults)-shown)
			faults = faults[:shown]
		}
		return nil, fmt.Errorf("the package does not compile, which it must do first:\n%w%s", errors.Join(faults...), more)
	}
	l.instances = instancesIn(info)
	return l, nil
}

// namesMethod reports whether a fault may be there because one of directMethods is missing.
func namesMethod(fault error) bool {
	return slices.ContainsFunc(directMethods, func(name string) bool { return strings.Contains(fault.Error(), name) })
}

// stubsFor returns a file with directMethods for each struct type of the package that may get them, in this run or in
// another one. With these methods, calls of them have a type, so only other faults of the package remain.
func stubsFor(pkg *types.Package) string {
	var file strings.Builder
	fmt.Fprintf(&file, "package %s\n", pkg.Name())
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || object.IsAlias() {
			continue
		}
		named, ok := object.Type().(*types.Named)
		if _, isStruct := object.Type().Underlying().(*types.Struct); !ok || !isStruct || named.TypeParams().Len() > 0 {
			continue
		}
		for _, method := range directMethods {
			if _, index, _ := types.LookupFieldOrMethod(named, true, pkg, method); len(index) != 1 {
				fmt.Fprintf(&file, "func (*%s) %s%s { panic(0) }\n", name, method, directSignatures[method])
			}
		}
	}
	return file.String()
}

// instancesIn returns the instances of generic types in info, sorted by name. It leaves out instances that depend on
// type parameters.
func instancesIn(info types.Info) []*types.Named {
	byName := map[string]*types.Named{}
	for _, instance := range info.Instances {
		if named, ok := instance.Type.(*types.Named); ok && !slices.ContainsFunc(slices.Collect(named.TypeArgs().Types()), isOpen) {
			byName[named.String()] = named
		}
	}
	var instances []*types.Named
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		instances = append(instances, byName[name])
	}
	return instances
}

// isOpen reports whether t mentions a type parameter. It doesn't look into func, struct and interface literals.
func isOpen(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), isOpen)
	case *types.Map:
		return isOpen(t.Key()) || isOpen(t.Elem())
	case interface{ Elem() types.Type }:
		return isOpen(t.Elem())
	}
	return false
}

// ignored returns why files in the folder don't belong to the package, by the path of the file.
func (p *listed) ignored() map[string]string {
	files := map[string]string{}
	for _, name := range p.IgnoredGoFiles {
		files[filepath.Join(p.Dir, name)] = "a build constraint leaves that file out: set GOOS, GOARCH or GOFLAGS=-tags=… so that it holds"
	}
	for _, name := range append(slices.Clone(p.TestGoFiles), p.XTestGoFiles...) {
		files[filepath.Join(p.Dir, name)] = "tests get no methods: move it to a file without _test in its name"
	}
	return files
}

// declares reports whether the file declares a type with the name.
func declares(path, name string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			for _, spec := range d.Specs {
				if spec.(*ast.TypeSpec).Name.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// hasMethods reports whether the file declares methods of one of the types.
func hasMethods(path string, types []string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && slices.Contains(types, receiverName(f.Recv.List[0].Type)) {
			return true
		}
	}
	return false
}

// receiverName returns the name of the type in a receiver.
func receiverName(receiver ast.Expr) string {
	switch r := receiver.(type) {
	case *ast.StarExpr:
		return receiverName(r.X)
	case *ast.IndexExpr:
		return receiverName(r.X)
	case *ast.IndexListExpr:
		return receiverName(r.X)
	case *ast.Ident:
		return r.Name
	}
	return ""
}

// goList is the function list. Tests replace it with a function that caches the results, because they load the same
// packages many times.
var goList = list

// list asks the go command about the package in dir. exports has the path of the compiled file for each package that is
// imported, by import path.
func list(dir string) (root listed, exports map[string]string, err error) {
	cmd := exec.Command("go", "list", "-e", "-export", "-deps",
		"-json=ImportPath,Name,Dir,Export,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,ImportMap,DepOnly,Error", ".")
	cmd.Dir = dir
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return root, nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(complaints.String()))
	}
	exports = map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			return root, nil, fmt.Errorf("go list: %w", err)
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			root = p
		}
	}
	if root.Name == "" && root.Error != nil {
		advice := "the last argument is the folder of the package"
		if len(root.IgnoredGoFiles) > 0 {
			advice = "set GOOS, GOARCH or GOFLAGS=-tags=… so that they hold"
		}
		return root, nil, fmt.Errorf("%s; %s", root.Error.Err, advice)
	}
	return root, exports, nil
}
