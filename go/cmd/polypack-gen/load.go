package main

// Plan of the file: reading the package with the standard library alone. The go command lists the files and compiles
// what they import; go/types checks the package itself from source, without the file that is about to be written.

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
	"os"
	"os/exec"
	"path/filepath"
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
	ImportMap  map[string]string
	DepOnly    bool
	Error      *struct{ Err string }
}

// load returns the package in dir, read without the file called output.
func load(dir, output string) (*types.Package, error) {
	root, exports, err := list(dir)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range append(root.GoFiles, root.CgoFiles...) {
		if name == output {
			continue
		}
		file, err := parser.ParseFile(fset, filepath.Join(root.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no Go files in %s", dir)
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
	var faults []error
	config := types.Config{
		Importer:    importer.ForCompiler(fset, "gc", open),
		FakeImportC: true,
		Error:       func(err error) { faults = append(faults, err) },
	}
	pkg, _ := config.Check(root.ImportPath, fset, files, nil)
	if len(faults) > 0 {
		const shown = 5
		more := ""
		if len(faults) > shown {
			more = fmt.Sprintf("\nand %d more", len(faults)-shown)
			faults = faults[:shown]
		}
		return nil, fmt.Errorf("the package does not compile:\n%w%s", errors.Join(faults...), more)
	}
	return pkg, nil
}

// list returns the package in dir, and the files with the compiled packages that it imports, by import path.
func list(dir string) (root listed, exports map[string]string, err error) {
	cmd := exec.Command("go", "list", "-e", "-export", "-deps",
		"-json=ImportPath,Name,Dir,Export,GoFiles,CgoFiles,ImportMap,DepOnly,Error", ".")
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
		return root, nil, errors.New(root.Error.Err)
	}
	return root, exports, nil
}
