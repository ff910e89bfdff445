package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
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
	for dir, types := range map[string]string{
		"../../internal/gentest": "Every,Small,Nested,Wide,Omitted,Tree,Conflicts,None,Other,Stale,Marked,Flat,Words,Inside",
	} {
		written := filepath.Join(t.TempDir(), "polypack_gen.go")
		if code, _, complaints := generate("-type="+types, "-output", written, dir); code != 0 {
			t.Fatalf("%s: exit status %d: %s", dir, code, complaints)
		}
		want, err := os.ReadFile(written)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "polypack_gen.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: go generate would change polypack_gen.go", dir)
		}
	}
}

// TestFaults has what the command refuses.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 2, "usage: polypack-gen"},
		{[]string{"-type=Order", "a", "b"}, 2, "usage: polypack-gen"},
		{[]string{"-tipe=Order"}, 2, "flag provided but not defined: -tipe"},
		{[]string{"-type=Missing", "testdata/shop"}, 1, "Missing: no such type in package shop"},
		{[]string{"-type=Open", "testdata/shop"}, 1, "Open is no type"},
		{[]string{"-type=Cents", "testdata/shop"}, 1, "Cents: it is no struct type"},
		{[]string{"-type=Generic", "testdata/faulty"}, 1, "Generic: it is generic"},
		{[]string{"-type=Custom", "testdata/faulty"}, 1, "Custom: its method MarshalText says how it is encoded"},
		{[]string{"-type=Tuple", "testdata/faulty"}, 1, "Tuple: the option as_array of its field _ is left to the library"},
		{[]string{"-type=Inlined", "testdata/faulty"}, 1, "Inlined: the option inline of its field More is left to the library"},
		{[]string{"-type=Unknown", "testdata/faulty"}, 1, `Unknown: its field A has the unknown tag option "omitemtpy"`},
		{[]string{"-type=Twice", "testdata/faulty"}, 1, `Twice: its fields A and B have both the name "A"`},
		{[]string{"-type=Hidden", "testdata/faulty"}, 1, "Hidden: none of its fields is exported"},
		{[]string{"-type=Behind", "testdata/faulty"}, 1, "Behind: its field Base.A is behind the embedded pointer Base"},
		{[]string{"-type=Contested", "testdata/faulty"}, 1, `Contested: its fields Base.A and Other.A have both the name "A" and would be lost`},
		{[]string{"-type=Zero", "testdata/faulty"}, 1, "Zero: the option omitzero of its field B needs a comparison that is left to the library"},
		{[]string{"-type=Alias", "testdata/faulty"}, 1, "Alias is a type of another package"},
		{[]string{"-type=Has", "testdata/faulty"}, 1, "Has: it has a method EncodeWire already, in another file"},
		{[]string{"-type=T", "testdata/broken"}, 1, "the package does not compile"},
		{[]string{"-type=T", "testdata"}, 1, "no Go files in"},
		{[]string{"-type=T", "testdata/nowhere"}, 1, "go list"},
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
