package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// generate runs the command and returns what it prints.
func generate(args ...string) (code int, stdout, stderr string) {
	var out, complaints bytes.Buffer
	code = run(args, &out, &complaints)
	return code, out.String(), complaints.String()
}

// TestGolden compares what is written for the packages in testdata.
func TestGolden(t *testing.T) {
	for dir, types := range map[string]string{"shop": "Order,Customer", "imports": "Uses"} {
		path := filepath.Join("testdata", dir+".go.golden")
		code, source, complaints := generate("-type="+types, "-output=-", filepath.Join("testdata", dir))
		if code != 0 {
			t.Fatalf("%s: exit status %d: %s", dir, code, complaints)
		}
		if *update {
			if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if source != string(golden) {
			t.Errorf("%s differs from what is generated; go test -update rewrites it", path)
		}
	}
}

// TestCheckedIn compares the methods that are checked in with what go generate would write.
func TestCheckedIn(t *testing.T) {
	for _, dir := range []string{"../../internal/gentest", "../../internal/gentest/tagged"} {
		source, err := os.ReadFile(filepath.Join(dir, "types.go"))
		if err != nil {
			t.Fatal(err)
		}
		_, directive, _ := strings.Cut(string(source), "\n//go:generate go run github.com/polypack/polypack/go/cmd/polypack-gen ")
		directive, _, _ = strings.Cut(directive, "\n")
		written := t.TempDir()
		args := append(strings.Fields(directive), "-output", filepath.Join(written, "polypack_gen.go"), dir)
		if code, _, complaints := generate(args...); code != 0 {
			t.Fatalf("%s: exit status %d: %s", dir, code, complaints)
		}
		files, err := os.ReadDir(written)
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		for _, file := range files {
			want, err := os.ReadFile(filepath.Join(written, file.Name()))
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(dir, file.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: go generate would change %s", dir, file.Name())
			}
		}
	}
}

// TestFaults has what the command refuses.
func TestFaults(t *testing.T) {
	rememberLists(t)
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 2, "usage: polypack-gen"},
		{[]string{"-type=Order", "a", "b"}, 2, "usage: polypack-gen"},
		{[]string{"-tipe=Order"}, 2, "flag provided but not defined: -tipe"},
		{[]string{"-type=Order", "-tests", "-output=-", "testdata/shop"}, 2, "-tests needs an -output that ends in .go"},
		{[]string{"-type=Missing", "testdata/shop"}, 1, "Missing: no such type in package shop; names in -type have no package or pointer in front"},
		{[]string{"-type=Elsewhere", "testdata/faulty"}, 1, "elsewhere.go declares it, but a build constraint leaves that file out: set GOOS"},
		{[]string{"-type=Tested", "testdata/faulty"}, 1, "faulty_test.go declares it, but tests get no methods: move it"},
		{[]string{"-type=T", "testdata/elsewhere"}, 1, "testdata/elsewhere; set GOOS"},
		{[]string{"-type=Open", "testdata/shop"}, 1, "Open is no type; -type takes the names of struct types"},
		{[]string{"-type=Cents", "testdata/shop"}, 1, "Cents: it is no struct type; leave it out of -type"},
		{[]string{"-type=Generic[int]", "testdata/faulty"}, 1, "Generic[int] is an instance; list Generic"},
		{[]string{"-type=Generic", "testdata/faulty"}, 1, "Generic: whether its field V is left out depends on a type parameter; leave the option out, or declare an instance"},
		{[]string{"-type=Pointed", "testdata/faulty"}, 1, "Pointed: whether its field P is left out depends on a type parameter; leave the option out"},
		{[]string{"-type=Custom", "testdata/faulty"}, 1, "Custom: its method MarshalText says how it is encoded; leave it out of -type, or remove the method"},
		{[]string{"-type=Tuple", "testdata/faulty"}, 1, "Tuple: the tag as_array of its field _ makes it an array, which only the library writes; leave it out of -type, or put as_array on the fields"},
		{[]string{"-type=Marked", "testdata/faulty"}, 1, `Marked: its field _ has the unknown tag "as_array"; only ",as_array" means`},
		{[]string{"-type=Inlined", "testdata/faulty"}, 1, "Inlined: more than one of its fields is an inline map; keep one of them"},
		{[]string{"-type=Named", "testdata/faulty"}, 1, "Named: its field More is inline and has a name, an alias or as_array; remove these"},
		{[]string{"-type=Scalar", "testdata/faulty"}, 1, "Scalar: its field More is inline, but neither a struct with fields nor a map with strings as keys; remove inline"},
		{[]string{"-type=InlinedBehind", "testdata/faulty"}, 1, "InlinedBehind: its field Rest.Rest is behind the embedded pointer Rest; embed the struct itself"},
		{[]string{"-type=Aliased", "testdata/faulty"}, 1, `Aliased: the alias "A" of its field B is a name of its field A, too; remove it`},
		{[]string{"-type=Misnamed", "testdata/faulty"}, 1, "Misnamed: the name of its field A is not UTF-8; write another"},
		{[]string{"-type=Unknown", "testdata/faulty"}, 1, `Unknown: its field A has the unknown tag option "omitemtpy"; the options are omitempty, omitzero`},
		{[]string{"-type=Twice", "testdata/faulty"}, 1, `Twice: its fields A and B have both the name "A"; give one of them another name`},
		{[]string{"-type=Hidden", "testdata/faulty"}, 1, "Hidden: none of its fields is encoded, and at least one is not exported; export those"},
		{[]string{"-type=Behind", "testdata/faulty"}, 1, "Behind: its field Base.A is behind the embedded pointer Base; embed the struct itself"},
		{[]string{"-type=HiddenPointer", "testdata/faulty"}, 1, "HiddenPointer: its field base is an embedded pointer that isn't exported; embed the struct itself"},
		{[]string{"-type=Contested", "testdata/faulty"}, 1, `Contested: its fields Base.A and Other.A have both the name "A" and would be lost; give the outer struct a field`},
		{[]string{"-type=Zero", "testdata/faulty"}, 1, "Zero: the option omitzero of its field B needs a comparison that only the library makes; give the field's type a method IsZero"},
		{[]string{"-type=Alias", "testdata/faulty"}, 1, "Alias is a type of another package; run polypack-gen there"},
		{[]string{"-type=Has", "testdata/faulty"}, 1, "Has: it has a method EncodeWire already, in another file; remove that file"},
		{[]string{"-type=T", "testdata/broken"}, 1, "the package does not compile, which it must do first"},
		{[]string{"-type=T", "testdata"}, 1, "polypack-gen/testdata; the last argument is the folder of the package"},
		{[]string{"-type=T", "testdata/nowhere"}, 1, "go list"},
		{[]string{"-type=T", "testdata/shop/shop.go"}, 1, "testdata/shop/shop.go is a file; the last argument is the folder of the package"},
	} {
		args := append([]string{"-output=-"}, test.args...)
		if test.code == 2 {
			args = test.args
		}
		code, _, complaints := generate(args...)
		if code != test.code || !strings.Contains(complaints, test.says) {
			t.Errorf("%q: exit status %d, says\n%swant %d and %q", test.args, code, complaints, test.code, test.says)
		}
		if test.code == 1 && strings.Count(strings.TrimSpace(complaints), "\n") > 6 {
			t.Errorf("%q: says too much:\n%s", test.args, complaints)
		}
	}
}

// rememberLists asks the go command once about each folder, until the test has ended.
func rememberLists(t *testing.T) {
	type answer struct {
		root    listed
		exports map[string]string
		err     error
	}
	answers := map[string]answer{}
	goList = func(dir string) (listed, map[string]string, error) {
		a, ok := answers[dir]
		if !ok {
			a.root, a.exports, a.err = list(dir)
			answers[dir] = a
		}
		return a.root, a.exports, a.err
	}
	t.Cleanup(func() { goList = list })
}

// TestSkip leaves out what is unsuitable, and says so.
func TestSkip(t *testing.T) {
	code, source, complaints := generate("-skip", "-type=Custom,Good", "-output=-", "testdata/faulty")
	if code != 0 || !strings.Contains(complaints, "skipped: Custom") || !strings.Contains(source, "func (v *Good) EncodeWire") ||
		strings.Contains(source, "Custom) EncodeWire") {
		t.Errorf("exit status %d, says %s", code, complaints)
	}
}

// TestHelp asks for help: the text goes to standard output.
func TestHelp(t *testing.T) {
	for _, arg := range []string{"-h", "-help", "--help"} {
		code, help, complaints := generate(arg)
		if code != 0 || complaints != "" || !strings.HasPrefix(help, usage) || !strings.Contains(help, "-output file") {
			t.Errorf("%s: exit status %d, says %s%s", arg, code, help, complaints)
		}
	}
}

// TestWarnings finds types of which no value can be encoded, and no others.
func TestWarnings(t *testing.T) {
	code, source, complaints := generate("-type=Chan,Funcs,Holds,Locked,Contests,Complex,Nilable,Good", "-output=-", "testdata/faulty")
	if code != 0 || !strings.Contains(source, "func (v *Chan) EncodeWire") {
		t.Fatalf("exit status %d: %s", code, complaints)
	}
	want := []string{
		"no Chan can be encoded, because its field C is a chan; leave that field out by the tag `msgpack:\"-\"`",
		"no Complex can be encoded, because its field C is of type complex128;",
		"no Contests can be encoded, because its field C is a struct, of which the fields Base.A and Other.A have both the name \"A\" and would be lost;",
		"no Funcs can be encoded, because its field F is an array, each element of which is a func;",
		"no Holds can be encoded, because its field Inner is a struct, of which the field C is a chan;",
		"no Locked can be encoded, because its field Mu is a struct, of which none of the fields is encoded, and at least one is not exported;",
	}
	got := strings.Split(strings.TrimSpace(complaints), "\n")
	for i, line := range got {
		if i >= len(want) || !strings.HasPrefix(line, "polypack-gen: warning: "+want[i]) {
			t.Errorf("warns %q", line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d warnings, want %d", len(got), len(want))
	}
}

// module makes a folder with a module that can import the library, and returns its path.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	library, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files["go.mod"] = "module example.com/made\n\ngo 1.24\n\nrequire " + libraryPath + " v0.0.0\n\nreplace " + libraryPath + " => " + strconv.Quote(library) + "\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestOverwrite refuses to overwrite what the command didn't write, and writes nothing then.
func TestOverwrite(t *testing.T) {
	const user, byHand, empty = "package made\n\ntype User struct{ Name string }\n", "package made\n", ""
	dir := module(t, map[string]string{"user.go": user, "other_test.go": byHand, "empty.go": empty, "empty_test.go": empty})
	t.Chdir(dir)
	for _, test := range []struct {
		output  string
		refused string // the file that stays
	}{
		{"user.go", "user.go"},
		{"other.go", "other_test.go"},
		{"other_test.go", "other_test.go"},
		{filepath.Join(dir, "user.go"), "user.go"},
		{"empty.go", ""},
		{"empty.go", ""}, // now it has methods
	} {
		code, _, complaints := generate("-type=User", "-tests", "-output", test.output)
		if test.refused == "" {
			if code != 0 {
				t.Errorf("%s: exit status %d, says %s", test.output, code, complaints)
			}
			continue
		}
		want := test.refused + " is not a file that polypack-gen wrote; name another with -output"
		if code != 1 || !strings.Contains(complaints, want) {
			t.Errorf("%s: exit status %d, says %swant %q", test.output, code, complaints, want)
		}
		for name, want := range map[string]string{"user.go": user, "other_test.go": byHand} {
			if text, err := os.ReadFile(name); err != nil || string(text) != want {
				t.Errorf("%s: %s is now %q, %v", test.output, name, text, err)
			}
		}
		if _, err := os.Stat("other.go"); err == nil {
			t.Errorf("%s: wrote other.go", test.output)
		}
	}
	if err := os.Remove("empty.go"); err != nil { // has the methods now, so no other file may have them
		t.Fatal(err)
	}
	// The second has only its name in common with a file of the package.
	for _, output := range []string{os.DevNull, filepath.Join(t.TempDir(), "user.go")} {
		if code, source, complaints := generate("-type=User", "-output", output); code != 0 || source != "" {
			t.Errorf("%s: exit status %d, says %s", output, code, complaints)
		}
	}
}

// TestStartsGenerated looks for the line that says who wrote a file.
func TestStartsGenerated(t *testing.T) {
	for text, want := range map[string]bool{
		generatedLine + "\n\npackage made\n":                                                            true,
		generatedLine + "\r\n\r\npackage made\r\n":                                                      true,
		"//go:build linux\n\n/*\nLicense\n*/\n\n" + generatedLine + "\n\npackage made\n\nthis isn't Go": true,
		"package made\n\nconst text = `\n" + generatedLine + "\n`\n":                                    false,
		"package made\n\n" + generatedLine + "\n":                                                       false,
		"package made " + generatedLine + "\n":                                                          false,
		"/*\n" + generatedLine + "\n*/\n\npackage made\n":                                               false,
		"/* */ " + generatedLine + "\n\npackage made\n":                                                 false,
		generatedLine + " Or do.\n\npackage made\n":                                                     false,
		"// Code generated by another. DO NOT EDIT.\n\npackage made\n":                                  false,
		"": false,
	} {
		if got := startsGenerated([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestSeveralFiles writes the methods of a package into several files, and then each file again. What goes to standard
// output is what is in the file of the methods, whatever the file is called.
func TestSeveralFiles(t *testing.T) {
	dir := module(t, map[string]string{"types.go": "package made\n\ntype A struct{ B B }\n\ntype B struct{ X int }\n\ntype C[T any] struct{ X T }\n"})
	files := []struct{ types, name string }{{"B", "polypack_gen.go"}, {"A", "a.go"}, {"C", "c.go"}}
	before := map[string]string{}
	for round := range 2 {
		for _, file := range files {
			code, _, complaints := generate("-type="+file.types, "-output="+file.name, dir)
			text, err := os.ReadFile(filepath.Join(dir, file.name))
			if code != 0 || err != nil || round > 0 && string(text) != before[file.name] {
				t.Fatalf("round %d, %s: exit status %d, says %s", round, file.name, code, complaints)
			}
			before[file.name] = string(text)
		}
	}
	for _, file := range files {
		if code, source, complaints := generate("-type= "+file.types, "-output=-", dir); code != 0 || source != before[file.name] {
			t.Errorf("%s: exit status %d, says %s, prints\n%s", file.types, code, complaints, source)
		}
	}
}

// TestCalledMethods generates methods that the package calls already: again, for the first time, after a change of the
// type, and into two files of which both are missing.
func TestCalledMethods(t *testing.T) {
	const types = "package made\n\ntype T struct {\n\tA int\n\tP Part\n}\n\ntype Part struct{ B string }\n\ntype Other struct {\n\tPart\n\tC int\n}\n"
	const interfaces = "type direct interface {\n\tAppendPolypack([]byte) ([]byte, error)\n\tUnmarshalPolypack([]byte) error\n}\n\n" +
		"func take(direct) {}\n\nfunc of[P interface {\n\t*T\n\tdirect\n}, T any]() {}\n\nfunc must[T any](v T, err error) T { return v }\n\n"
	uses := []string{
		"func use1(x *T) ([]byte, error) { return x.AppendPolypack(nil) }",
		"func use2(x T, p Part) int {\n\tb, _ := x.AppendPolypack(nil)\n\tc := must(p.AppendPolypack(b))\n\tfor _, x := range c {\n\t\t_ = x\n\t}\n\treturn len(c[1:]) + 1\n}",
		"func use3(x *T) error {\n\tif err := x.UnmarshalPolypack(nil); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}",
		"var use4 = (*T).UnmarshalPolypack",
		"func use5(x *T) { go x.UnmarshalPolypack(nil) }",
		"var _ direct = (*T)(nil)\nvar _ = []direct{&T{}, new(Part), new(Other)}",
		"func use6(x *T, y any) bool {\n\ttake(x)\n\t_, ok := y.(direct).(*T)\n\treturn ok\n}",
		"func use7() { of[*T]() }",
		"func use8(x *Other) ([]byte, error) { return x.AppendPolypack(nil) }",
	}
	dir := module(t, map[string]string{"types.go": types, "use.go": "package made\n\n" + interfaces + strings.Join(uses, "\n\n") + "\n"})
	run := func(what string, args ...string) {
		t.Helper()
		if code, _, complaints := generate(append(args, dir)...); code != 0 {
			t.Errorf("%s: exit status %d, says %s", what, code, complaints)
		}
	}
	run("Other first", "-type=Other", "-output=other.go")
	run("T first", "-type=T")
	run("T again", "-type=T")
	renamed := strings.Replace(types, "A int", "Number int", 1)
	if err := os.WriteFile(filepath.Join(dir, "types.go"), []byte(renamed), 0o666); err != nil {
		t.Fatal(err)
	}
	run("T changed", "-type=T")
	run("Other again", "-type=Other", "-output=other.go")
	vet := exec.Command("go", "vet", "-mod=mod", ".")
	vet.Dir = dir
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for use, want := range map[string]string{
		"func use(x *T) { x.AppendPolypack(nil); x.Append(nil) }": "x.Append undefined",
		"func use(x *T) error { return x.AppendPolypack(nil) }":   "use.go",
		"func use(x *T) { x.UnmarshalPolypack(\"text\") }":        "use.go",
		"type S []int\n\nfunc use(x S) { x.AppendPolypack(nil) }": "x.AppendPolypack undefined",
	} {
		dir = module(t, map[string]string{"types.go": types, "use.go": "package made\n\n" + use + "\n"})
		if code, _, complaints := generate("-type=T", dir); code != 1 || !strings.Contains(complaints, want) {
			t.Errorf("%s\nexit status %d, says %s", use, code, complaints)
		}
	}
}

// TestTests writes tests beside the methods, and an instance of a generic type where there is one.
func TestTests(t *testing.T) {
	written := filepath.Join(t.TempDir(), "methods.go")
	code, _, complaints := generate("-tests", "-type=Open,Pages", "-output", written, "testdata/generic")
	if code != 0 || complaints != "" {
		t.Fatalf("exit status %d: %s", code, complaints)
	}
	tests, err := os.ReadFile(filepath.Join(filepath.Dir(written), "methods_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"func TestPolypackPages(t *testing.T) { wiretest.RoundTrip[Pages](t) }",
		"func TestPolypackPage1(t *testing.T) { wiretest.RoundTrip[Page[Page[string]]](t) }",
		"func TestPolypackPage2(t *testing.T) { wiretest.RoundTrip[Page[string]](t) }",
		"func TestPolypackPage3(t *testing.T) { wiretest.RoundTrip[Page[time.Time]](t) }",
		"// Open has no test, because the package has no instance of it.",
	} {
		if !strings.Contains(string(tests), want) {
			t.Errorf("%s is missing in\n%s", want, tests)
		}
	}
}
