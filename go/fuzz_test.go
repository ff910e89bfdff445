package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// fuzzed has a field of every kind.
type fuzzed struct {
	A int8
	B uint64
	C float32
	D float64
	E bool
	F string
	G []byte
	H [3]byte
	I []string
	J [2]int
	K map[string]int
	L map[int16]string
	M map[any]any
	N map[[2]int8]bool
	O *fuzzed
	P []fuzzed
	Q any
	R time.Time
	S polypack.Timestamp
	T polypack.Ext
	U polypack.Object
	V map[string]any
	W error
	X map[float64]*int `msgpack:"a name longer than a fixstr can be at all,omitempty"`
	named
}

func fullFuzzed() fuzzed {
	return fuzzed{A: -5, B: 1 << 63, C: 1.5, D: 0.1, E: true, F: "text", G: []byte{1}, H: [3]byte{1, 2}, I: []string{"a"}, J: [2]int{1, -70000},
		K: map[string]int{"k": 1}, L: map[int16]string{-3: "x"}, M: map[any]any{int64(1): "x", "y": nil}, N: map[[2]int8]bool{{1, 2}: true},
		O: &fuzzed{F: "inner"}, P: []fuzzed{{A: 1}}, Q: []any{int64(1), 2.5}, R: time.Unix(1700000000, 55).UTC(), S: polypack.Timestamp{Seconds: -1},
		T: polypack.Ext{Type: 5, Data: []byte{1}}, U: polypack.Object{{Key: []any{int64(1)}, Value: "v"}}, V: map[string]any{"z": "y"},
		X: map[float64]*int{1.5: ptr(1)}, named: named{7}}
}

// targets returns fresh targets of many types.
func targets() []any {
	return []any{new(any), new(fuzzed), new(polypack.Object), &map[string]any{}, &map[any]any{}, &[]any{}, &[]fuzzed{}, new(string), new(int8),
		new(float32), &[]byte{}, &[4]int{}, &map[int8][]string{}, &map[struct{ A any }]int{}, new(time.Time), new(polypack.Ext), new(*[]*int), new(error)}
}

func optionSets() [][]polypack.Option {
	return [][]polypack.Option{
		nil, {polypack.Strict}, {polypack.Lossless}, {inline}, {polypack.Strict, inline}, {polypack.Lossless, inline, polypack.MaxDepth(5), polypack.MaxValues(50)},
		{fuzzShared}, {polypack.Strict, fuzzShared},
	}
}

// fuzzShared has a dictionary with ids of one byte and of two, and one of the fields of the type fuzzed.
var fuzzShared = func() polypack.Option {
	shapes := [][]string{{"a", "b"}, {}, nil, {"A", "B", "C", "D", "E", "F", "G"}}
	for i := range 40 {
		shapes = append(shapes, []string{"a", fmt.Sprint("f", i)})
	}
	d, err := polypack.NewDictionary(shapes)
	if err != nil {
		panic(err)
	}
	return polypack.SharedRecords(d)
}()

// with returns the options and one more, in memory of its own.
func with(opts []polypack.Option, more polypack.Option) []polypack.Option {
	return append(append([]polypack.Option{}, opts...), more)
}

func addSeeds(f *testing.F) {
	full, err := polypack.Marshal(fullFuzzed())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	for _, in := range []string{"c1", "ddffffffff", "81a161c1", twoRecords, "93 d5726001 91a161 01 d47260 91a162 02 60 03", "82 9101 01 9101 02",
		"82 cb7ff8000000000000 01 ca7fc00000 02", "81 d40000 d6ff00000001", "c70cff3b9ac9ffffffffffffffffff", "81 81 01 02 03", "01 02 93 a161 91 01"} {
		f.Add(unhex(f, in))
	}
}

// FuzzDecode feeds any bytes to every way in. Nothing may panic, faults are *Error with a place inside the input, and
// what is decoded can be encoded again.
func FuzzDecode(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		for _, opts := range optionSets() {
			for _, target := range targets() {
				if err := polypack.Unmarshal(data, target, opts...); err != nil {
					checkFault(t, err, data)
				} else if _, err := polypack.Marshal(target); err != nil {
					t.Fatalf("%x into %T gave what cannot be encoded: %v", data, target, err)
				}
			}
			d := polypack.NewDecoder(data, opts...)
			skipped := errors.Join(d.Skip(), d.Finish())
			canonical, err := polypack.Canonicalize(data, opts...)
			if err != nil {
				checkFault(t, err, data)
			} else {
				checkCanonical(t, data, canonical, opts)
			}
			var v any
			decoded := polypack.Unmarshal(data, &v, with(opts, polypack.Lossless)...)
			if (decoded == nil) != (err == nil) || decoded != nil && decoded.Error() != err.Error() {
				t.Fatalf("%x: decoding says %v, canonicalizing %v", data, decoded, err)
			}
			if decoded == nil && skipped != nil && !errors.Is(skipped, polypack.CodeUnknownRecord) {
				t.Fatalf("%x: decoded, but skipping says %v", data, skipped)
			}
		}
		if !bytes.Equal(data, before) {
			t.Fatalf("the input was changed")
		}
	})
}

func checkFault(t *testing.T, err error, data []byte) {
	t.Helper()
	var e *polypack.Error
	if !errors.As(err, &e) || e.Code == "" || e.Offset < 0 || e.Offset > int64(len(data)) || e.Error() == "" {
		t.Fatalf("%x: %#v", data, err)
	}
}

// checkCanonical asserts that a canonical form is one, and that decoding and encoding in lossless mode leads to it.
func checkCanonical(t *testing.T, data, canonical []byte, opts []polypack.Option) {
	t.Helper()
	again, err := polypack.Canonicalize(canonical)
	if err != nil || !bytes.Equal(again, canonical) {
		t.Fatalf("%x: the canonical form %x has the form %x, %v", data, canonical, again, err)
	}
	var v any
	if err := polypack.Unmarshal(data, &v, with(opts, polypack.Lossless)...); err != nil {
		t.Fatal(err)
	}
	if got, err := polypack.MarshalCanonical(v); err != nil || !bytes.Equal(got, canonical) {
		t.Fatalf("%x: through Go values %x, %v; directly %x", data, got, err, canonical)
	}
}

// FuzzRoundTrip decodes any bytes into a struct with a field of every kind; encoding and decoding that again changes
// nothing.
func FuzzRoundTrip(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var first fuzzed
		if polypack.Unmarshal(data, &first) != nil {
			return
		}
		encoded, err := polypack.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		var second fuzzed
		if err := polypack.Unmarshal(encoded, &second); err != nil {
			t.Fatalf("%x: %v", encoded, err)
		}
		again, err := polypack.Marshal(second)
		if err != nil || !bytes.Equal(again, encoded) {
			t.Fatalf("%x became %x, %v", encoded, again, err)
		}
	})
}

// sparse is a struct whose shape is that of the fields it has.
type sparse struct {
	A any            `msgpack:"a,omitempty"`
	B map[string]any `msgpack:"b,omitempty"`
	C []sparse       `msgpack:"f32,omitempty"`
	D *sparse        `msgpack:"f1,omitempty"`
	E int8           `msgpack:"e,omitzero"`
}

// FuzzRecords decodes any bytes into structs. Written as records, inline or shared, they come back the same, and mean
// what the same structs written as maps mean.
func FuzzRecords(f *testing.F) {
	addSeeds(f)
	for _, in := range []string{"81a161 92 81a165 40 83a16501a16102a3663332 91 80", "92 40 01 02 40 03 04", "91 6300 01 91 90", "82 40 01 02 c0 40 03 04 c0",
		"83 a3663332 93 81a16540 81a16541 80 a26631 81a26631 81a16550 a161 40"} {
		f.Add(unhex(f, in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, target := range []any{new(fuzzed), new(sparse), new([]sparse)} {
			for _, opts := range [][]polypack.Option{{inline}, {fuzzShared}, {polypack.Strict, inline}} {
				samePlan(t, data, reflect.TypeOf(target).Elem(), opts...)
				if polypack.Unmarshal(data, target, opts...) != nil {
					continue
				}
				records, err := polypack.Marshal(target, opts...)
				maps, errMaps := polypack.Marshal(target, opts[0:len(opts)-1]...)
				if (err == nil) != (errMaps == nil) {
					t.Fatalf("%x: records %v, maps %v", data, err, errMaps)
				} else if err != nil {
					continue
				}
				want, errMaps := polypack.Canonicalize(maps)
				got, err := polypack.Canonicalize(records, opts...)
				if (err == nil) != (errMaps == nil) || !bytes.Equal(got, want) {
					t.Fatalf("%x: written as records %x: %x, %v; as maps %x, %v", data, records, got, err, want, errMaps)
				}
				again := reflect.New(reflect.TypeOf(target).Elem()).Interface()
				if err := polypack.Unmarshal(records, again, opts...); err != nil {
					t.Fatalf("%x: %v", records, err)
				}
				second, err := polypack.Marshal(again, opts...)
				if err != nil || !bytes.Equal(second, records) {
					t.Fatalf("%x became %x, %v", records, second, err)
				}
			}
		}
	})
}

// samePlan asserts that data is read into a value of the type as plans alone read it.
func samePlan(t *testing.T, data []byte, typ reflect.Type, opts ...polypack.Option) {
	t.Helper()
	got, want := reflect.New(typ), reflect.New(typ)
	err := polypack.Unmarshal(data, got.Interface(), opts...)
	wantErr := polypack.Unmarshal(data, want.Interface(), with(opts, polypack.PlansOnly())...)
	if !sameError(err, wantErr) {
		t.Fatalf("%x into %s: %v; plans say %v", data, typ, err, wantErr)
	}
	a, errA := polypack.Marshal(got.Interface())
	b, errB := polypack.Marshal(want.Interface())
	if !sameError(errA, errB) || !bytes.Equal(a, b) {
		t.Fatalf("%x into %s: %x, %v; by plans %x, %v", data, typ, a, errA, b, errB)
	}
}

// FuzzStream asserts that a stream delivers the same messages and the same fault however it is cut, and that the
// messages are those of one-shot calls.
func FuzzStream(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range optionSets() {
			whole, fault := readStream(data, len(data)+1, opts)
			for _, cut := range []int{1, 2, 5} {
				values, again := readStream(data, cut, opts)
				if !reflect.DeepEqual(values, whole) || again.Error() != fault.Error() {
					t.Fatalf("%x in cuts of %d: %d messages, then %v; whole: %d messages, then %v", data, cut, len(values), again, len(whole), fault)
				}
			}
			d := polypack.NewDecoder(data, with(opts, polypack.Lossless)...)
			for i, want := range whole {
				start := d.Offset()
				if err := d.Skip(); err != nil {
					t.Fatalf("%x, message %d: %v", data, i, err)
				}
				got, err := polypack.Canonicalize(data[start:d.Offset()], opts...)
				if err == nil && !bytes.Equal(got, want) {
					t.Fatalf("%x, message %d: %x, one-shot %x", data, i, want, got)
				}
			}
			if fault == io.EOF && d.Offset() != len(data) {
				t.Fatalf("%x: the stream ends after %d bytes", data, d.Offset())
			}
		}
	})
}

// readStream returns the messages in canonical form and what ended the stream.
func readStream(data []byte, cut int, opts []polypack.Option) ([][]byte, error) {
	s := polypack.NewStreamDecoder(&cutReader{data, cut}, with(opts, polypack.Lossless)...)
	var values [][]byte
	for {
		var v any
		if err := s.Decode(&v); err != nil {
			return values, err
		}
		canonical, err := polypack.MarshalCanonical(v)
		if err != nil {
			return values, err
		}
		values = append(values, canonical)
	}
}
