package polypack_test

// Runs every vector of ../vectors (vectors/README.md) against this package.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/tagged"
)

type vectorFile struct {
	Schema int
	Kind   string
	Room   string
	Cases  []json.RawMessage
}

type vectorCase struct {
	Name      string
	Spec      string
	Bytes     hexBytes
	Value     *tagged.Value
	Values    []tagged.Value
	Canonical hexBytes
	Also      []hexBytes
	Becomes   *hexBytes
	Departure *int
	Error     *vectorError
	Modes     []string
	Records   string

	Dictionary           [][]string
	Header               bool
	IntegralFloatsAsInts bool
	Limits               struct{ MaxDepth, MaxValues, MaxBytes int }
}

type vectorError struct {
	Code   polypack.Code
	Offset *int64 // nil: the offset may be any
	Path   string
}

type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = tagged.Bytes(string(text))
	return err
}

// options are those the case asks for, then those of the caller.
func (c *vectorCase) options(more ...polypack.Option) []polypack.Option {
	var opts []polypack.Option
	switch c.Records {
	case "inline":
		opts = append(opts, polypack.Records(polypack.RecordsInline))
	case "shared":
		dictionary, err := polypack.NewDictionary(c.Dictionary)
		if err != nil {
			panic(err)
		}
		opts = append(opts, polypack.SharedRecords(dictionary))
	}
	if c.Header {
		opts = append(opts, polypack.Fingerprint())
	}
	if c.IntegralFloatsAsInts {
		opts = append(opts, polypack.IntegralFloatsAsInts(true))
	}
	if c.Limits.MaxDepth > 0 {
		opts = append(opts, polypack.MaxDepth(c.Limits.MaxDepth))
	}
	if c.Limits.MaxValues > 0 {
		opts = append(opts, polypack.MaxValues(c.Limits.MaxValues))
	}
	if c.Limits.MaxBytes > 0 {
		opts = append(opts, polypack.MaxBytes(c.Limits.MaxBytes))
	}
	return append(opts, more...)
}

var modesByName = map[string]polypack.Mode{"default": polypack.Default, "strict": polypack.Strict, "lossless": polypack.Lossless}

func (c *vectorCase) modes() []string {
	if c.Modes != nil {
		return c.Modes
	}
	return []string{"default", "strict", "lossless"}
}

// eachVector runs test for every case of one folder.
func eachVector(t *testing.T, kind string, test func(*testing.T, *vectorCase)) {
	files, err := filepath.Glob(filepath.Join("..", "vectors", kind, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no vectors/%s beside this module", kind)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file vectorFile
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if file.Kind != kind || file.Schema != 1 || len(file.Cases) == 0 {
			t.Fatalf("%s: kind %q, schema %d, %d cases", name, file.Kind, file.Schema, len(file.Cases))
		}
		if kind == "defaults" && file.Room != "go" {
			continue // another language's habits
		}
		var cases []*vectorCase
		for _, text := range file.Cases {
			if !concernsGo(t, text) {
				continue
			}
			c := new(vectorCase)
			if err := json.Unmarshal(text, c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			cases = append(cases, c)
		}
		if testing.Short() { // a test of its own for each of 14,000 cases takes longer than the cases
			t.Run(file.Room, func(t *testing.T) {
				for _, c := range cases {
					namedCase(t, c, test)
				}
			})
			continue
		}
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) { test(t, c) })
		}
	}
}

// concernsGo reports whether a case holds for Go. The values of one that doesn't may be none that Go can hold.
func concernsGo(t *testing.T, text []byte) bool {
	var about struct{ Languages []string }
	if err := json.Unmarshal(text, &about); err != nil {
		t.Fatal(err)
	}
	return about.Languages == nil || slices.Contains(about.Languages, "go")
}

// namedCase runs one of several cases in the same test, and ends the test at the first that fails.
func namedCase(t *testing.T, c *vectorCase, test func(*testing.T, *vectorCase)) {
	defer func() {
		if t.Failed() {
			t.Fatalf("that was case %s; the cases behind it have not run", c.Name)
		}
	}()
	test(t, c)
}

func TestVectorsValid(t *testing.T) {
	t.Parallel()
	eachVector(t, "valid", func(t *testing.T, c *vectorCase) {
		opts := c.options(polypack.Lossless)
		for _, form := range append([]hexBytes{c.Canonical}, c.Also...) {
			v, err := decodeEveryWay(form, func() any { return new(any) }, opts...)
			if err != nil {
				t.Fatalf("decode %x: %v", form, err)
			}
			wantCanonical(t, v, c.Canonical)
			got, err := polypack.Canonicalize(form, c.options()...)
			wantBytes(t, got, err, c.Canonical)
			checkSkips(t, form, opts)
			var object any = new(polypack.Object)
			if _, isMap := c.Value.Go.(polypack.Object); isMap {
				if err := polypack.Unmarshal(form, object, opts...); err != nil {
					t.Fatalf("decode %x into an Object: %v", form, err)
				}
				wantCanonical(t, object, c.Canonical)
			}
			checkStream(t, c, form, []tagged.Value{*c.Value}, nil)
		}
		wantCanonical(t, c.Value.Go, c.Canonical)
		if departure, ok, err := polypack.IsCanonical(c.Canonical, c.options()...); !ok || err != nil {
			t.Errorf("IsCanonical(%x) = %d, %v, %v", c.Canonical, departure, ok, err)
		}
	})
}

func TestVectorsInvalid(t *testing.T) {
	t.Parallel()
	eachVector(t, "invalid", checkInvalid)
}

func checkInvalid(t *testing.T, c *vectorCase) {
	for _, mode := range c.modes() {
		_, err := decodeEveryWay(c.Bytes, func() any { return new(any) }, c.options(modesByName[mode])...)
		wantError(t, mode, err, c.Error)
	}
}

// checkSkips asserts that stepping over valid bytes is as good as decoding them.
func checkSkips(t *testing.T, data []byte, opts []polypack.Option) {
	t.Helper()
	d := polypack.NewDecoder(data, opts...)
	if err := errors.Join(d.Skip(), d.Finish()); err != nil {
		t.Errorf("skip %x: %v", data, err)
	}
}

// TestVectorsRecords reads records. What encodes asks for, the bytes of a writer, waits until this package writes
// records.
func TestVectorsRecords(t *testing.T) {
	eachVector(t, "records", func(t *testing.T, c *vectorCase) {
		if c.Error != nil {
			checkInvalid(t, c)
			return
		}
		var v any
		if err := polypack.Unmarshal(c.Bytes, &v, c.options(polypack.Lossless)...); err != nil {
			t.Fatal(err)
		}
		want, err := polypack.MarshalCanonical(c.Value.Go)
		if err != nil {
			t.Fatal(err)
		}
		wantCanonical(t, v, want)
		checkWritesRecords(t, c, want)
		got, err := polypack.Canonicalize(c.Bytes, c.options()...)
		wantBytes(t, got, err, want)
		checkSkips(t, c.Bytes, c.options())
		checkStream(t, c, c.Bytes, []tagged.Value{*c.Value}, nil)
	})
}

// checkWritesRecords asserts that what is written with a dictionary can be read with it. Which ids are used depends on
// the order of the names, which maps of Go don't keep.
func checkWritesRecords(t *testing.T, c *vectorCase, want []byte) {
	t.Helper()
	if c.Records != "shared" {
		return
	}
	data, err := polypack.Marshal(c.Value.Go, c.options(polypack.Lossless)...)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := polypack.Unmarshal(data, &v, c.options(polypack.Lossless)...); err != nil {
		t.Fatalf("%x: %v", data, err)
	}
	wantCanonical(t, v, want)
}

// TestVectorsEncode asserts the errors of values that have no encoding.
func TestVectorsEncode(t *testing.T) {
	eachVector(t, "encode", func(t *testing.T, c *vectorCase) {
		want, none := *c.Error, int64(-1)
		want.Offset = &none
		for _, mode := range c.modes() {
			_, err := polypack.Marshal(c.Value.Go, c.options(modesByName[mode])...)
			wantError(t, mode, err, &want)
		}
	})
}

func TestVectorsCanonical(t *testing.T) {
	eachVector(t, "canonical", func(t *testing.T, c *vectorCase) {
		got, err := polypack.Canonicalize(c.Bytes, c.options()...)
		if c.Error != nil {
			wantError(t, "canonicalize", err, c.Error)
			return
		}
		wantBytes(t, got, err, c.Canonical)
		departure, ok, err := polypack.IsCanonical(c.Bytes, c.options()...)
		want := -1
		if c.Departure != nil {
			want = *c.Departure
		}
		if err != nil || ok != (c.Departure == nil) || departure != want {
			t.Errorf("IsCanonical = %d, %v, %v; want %d", departure, ok, err, want)
		}
	})
}

func TestVectorsDefaults(t *testing.T) {
	eachVector(t, "defaults", func(t *testing.T, c *vectorCase) {
		var v any
		err := polypack.Unmarshal(c.Bytes, &v)
		if c.Error != nil {
			wantError(t, "default", err, c.Error)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := polypack.Marshal(v)
		wantBytes(t, got, err, *c.Becomes)
	})
}

func TestVectorsStream(t *testing.T) {
	eachVector(t, "stream", func(t *testing.T, c *vectorCase) { checkStream(t, c, c.Bytes, c.Values, c.Error) })
}

// checkStream reads data in several cuts. Messages of some length are cut at a few places only, to stay quick.
func checkStream(t *testing.T, c *vectorCase, data []byte, values []tagged.Value, want *vectorError) {
	t.Helper()
	cuts := sample([]int{1, 2, 3, 7, 4096, len(data) + 1}, 3)
	if len(data) > 10_000 {
		cuts = []int{997, len(data) + 1}
	}
	for _, cut := range cuts {
		checkCut(t, c, data, cut, values, want)
	}
}

// checkCut reads data at most cut bytes at a time.
func checkCut(t *testing.T, c *vectorCase, data []byte, cut int, values []tagged.Value, want *vectorError) {
	t.Helper()
	s := polypack.NewStreamDecoder(&cutReader{data, cut}, c.options(polypack.Lossless)...)
	for i := range values {
		var v any
		if err := s.Decode(&v); err != nil {
			t.Fatalf("cuts of %d, message %d: %v", cut, i, err)
		}
		canonical, err := polypack.MarshalCanonical(values[i].Go)
		if err != nil {
			t.Fatal(err)
		}
		wantCanonical(t, v, canonical)
	}
	var v any
	err := s.Decode(&v)
	if want == nil {
		if err != io.EOF {
			t.Fatalf("cuts of %d, after the last message: %v", cut, err)
		}
		return
	}
	wantError(t, fmt.Sprintf("cuts of %d", cut), err, want)
	if again := s.Decode(&v); again != err {
		t.Errorf("an error does not end the stream: %v", again)
	}
}

// cutReader delivers at most cut bytes at a time.
type cutReader struct {
	data []byte
	cut  int
}

func (r *cutReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data[:min(r.cut, len(r.data))])
	r.data = r.data[n:]
	return n, nil
}

func wantCanonical(t *testing.T, v any, want []byte) {
	t.Helper()
	got, err := polypack.MarshalCanonical(v)
	wantBytes(t, got, err, want)
}

func wantBytes(t *testing.T, got []byte, err error, want []byte) {
	t.Helper()
	if err != nil {
		t.Errorf("%v; want %x", err, want)
	} else if !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

func wantError(t *testing.T, context string, err error, want *vectorError) {
	t.Helper()
	var e *polypack.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: %v; want %s", context, err, want.Code)
		return
	}
	offset := e.Offset
	if want.Offset != nil {
		offset = *want.Offset
	}
	if e.Code != want.Code || e.Offset != offset || e.Path != want.Path {
		t.Errorf("%s: %s at %d, path %q (%v); want %s at %d, path %q", context, e.Code, e.Offset, e.Path, e, want.Code, offset, want.Path)
	}
}
