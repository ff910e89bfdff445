// Polypack-gen writes methods that make polypack faster for the struct types of a package.
//
//	go install github.com/polypack/polypack/go/cmd/polypack-gen@latest
//
// In a file of the package:
//
//	//go:generate polypack-gen -type=User,Row
//
// The methods go into polypack_gen.go, or into the file that -output names. The command overwrites a file with content
// only if it wrote that file itself. Nothing else changes: polypack.Marshal, Unmarshal, codecs and streams find the
// methods by themselves wherever a value of such a type occurs. Bytes, values and errors are the same as without the
// methods. Struct types of the package that the listed types contain get methods as well.
//
// For codecs with the option TagKeys or OmitEmptyAsksIsZero, give -tag=json or -omitempty-iszero. Only codecs with the
// same options use such methods.
//
// The methods of a generic type serve all its instances; fields that depend on a type parameter are left to the
// library. With -tests, each type gets a test as well, which encodes and decodes random values (package wire/wiretest).
// The command warns about a type if no value of the type can be encoded.
//
// A caller who knows the type can call the methods AppendPolypack and UnmarshalPolypack. They do the same as
// polypack.Append and polypack.Unmarshal without options, and are faster. Generic types don't get these two methods.
// With -tag or -omitempty-iszero, no type gets them.
//
// If a type has changed and go generate hasn't run since, its methods no longer fit and polypack doesn't use them. No
// generated methods are used in the modes Strict and Lossless, with records, with NilAsEmpty, with a MaxDepth above
// 8192, or under the build tag purego. With MaxValues, or a limit of a Config other than MaxDepth, they are used for
// writing only.
package main

// Plan of the file: the command line. load.go reads the package. fields.go and kinds.go find out how its structs are
// encoded. generate.go, emit*.go and reserves.go write the methods. unencodable.go finds types that have no encoding,
// and tests.go writes tests.

import (
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const usage = `usage: polypack-gen -type=T[,T...] [-output file] [-tests] [-skip] [dir]

Writes methods that make polypack faster for the struct types T of the package in dir, the
current directory by default, and for the struct types of the package that they lead to.
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs the command and returns its exit code: 0 for success, 1 if it can't write the methods, 2 for wrong use.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("polypack-gen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	names := flags.String("type", "", "struct `types` to write methods for, separated by commas (required)")
	output := flags.String("output", "polypack_gen.go", "`file` to write, in dir; - for standard output")
	tags := flags.String("tag", ownTagKey, "`keys` of the struct tags, separated by commas, for codecs with the option TagKeys")
	isZero := flags.Bool("omitempty-iszero", false, "for codecs with the option OmitEmptyAsksIsZero")
	tests := flags.Bool("tests", false, "write tests of the methods, too, into polypack_gen_test.go or what -output calls for")
	skip := flags.Bool("skip", false, "leave out a type that cannot have methods, and go on")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage, "\n")
		flags.PrintDefaults()
	}
	for _, arg := range args {
		if arg == "-h" || arg == "-help" || arg == "--help" {
			flags.SetOutput(stdout)
		}
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case *names == "" || flags.NArg() > 1:
		flags.Usage()
		return 2
	case *tests && !strings.HasSuffix(*output, ".go"):
		fmt.Fprintln(stderr, "polypack-gen: -tests needs an -output that ends in .go; the tests go into the file that ends in _test.go")
		return 2
	}
	dir := "."
	if flags.NArg() == 1 {
		dir = flags.Arg(0)
	}
	path := *output
	if path != "-" && !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	types := strings.Split(*names, ",")
	for i := range types {
		types[i] = strings.TrimSpace(types[i])
	}
	if err := write(dir, job{types, path, strings.Split(*tags, ","), *isZero, *tests, *skip}, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "polypack-gen:", err)
		return 1
	}
	return 0
}

// A job is what the command line asks for.
type job struct {
	names  []string // names of the types
	path   string   // path of the file to write
	tags   []string
	isZero bool
	tests  bool
	skip   bool
}

// testPath returns the path of the file with the tests.
func (j job) testPath() string { return strings.TrimSuffix(j.path, ".go") + "_test.go" }

// outputs returns the paths of the files to write.
func (j job) outputs() []string {
	switch {
	case j.path == "-":
		return nil
	case j.tests:
		return []string{j.path, j.testPath()}
	}
	return []string{j.path}
}

// replaces reports whether the new methods replace those in this file of the package. The package is then loaded
// without the file. The output replaces a generated file with the same base name, even if the output is in another
// folder. Standard output replaces each generated file that has methods of the listed types.
func (j job) replaces(path string) bool {
	if j.path == "-" {
		return isGenerated(path) && hasMethods(path, j.names)
	}
	return filepath.Base(path) == filepath.Base(j.path) && overwritable(path)
}

// overwritable reports whether the command may write to the path without destroying a file that it didn't write.
func overwritable(path string) bool {
	info, err := os.Stat(path)
	// After an error of Stat, the file doesn't exist or can't be written. A file that isn't regular, such as
	// /dev/stdout, has no content to lose.
	return err != nil || !info.Mode().IsRegular() || info.Size() == 0 || isGenerated(path)
}

// generatedLine is the line with which each generated file begins.
const generatedLine = "// Code generated by polypack-gen. DO NOT EDIT."

// isGenerated reports whether polypack-gen has written the file.
func isGenerated(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && startsGenerated(text)
}

// startsGenerated reports whether generatedLine is a line of its own above the package clause. Comments of others, such
// as a license, may be there, too.
func startsGenerated(text []byte) bool {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return false
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if comment.Text == generatedLine && comment.Pos() < file.Package && fset.Position(comment.Pos()).Column == 1 {
				return true
			}
		}
	}
	return false
}

// write generates methods for the package in dir, as j asks.
func write(dir string, j job, stdout, stderr io.Writer) error {
	for _, path := range j.outputs() {
		if !overwritable(path) {
			return fmt.Errorf("%s is not a file that polypack-gen wrote; name another with -output, or remove it", path)
		}
	}
	l, err := load(dir, j.replaces)
	if err != nil {
		return err
	}
	g := newGenerator(l)
	g.tagKeys, g.omitEmptyAsksIsZero = j.tags, j.isZero
	for _, name := range j.names {
		if err := g.add(name); err != nil {
			if !j.skip {
				return err
			}
			fmt.Fprintln(stderr, "polypack-gen: skipped:", err)
		}
	}
	source, err := g.source()
	if err != nil {
		return err
	}
	for _, warning := range g.warnings() {
		fmt.Fprintln(stderr, "polypack-gen: warning:", warning)
	}
	if j.tests {
		tests, err := g.tests(l.instances)
		if err != nil {
			return err
		}
		if err := os.WriteFile(j.testPath(), tests, 0o666); err != nil {
			return err
		}
	}
	if j.path == "-" {
		_, err = stdout.Write(source)
		return err
	}
	return os.WriteFile(j.path, source, 0o666)
}
