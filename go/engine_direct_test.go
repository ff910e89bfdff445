package polypack_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
)

// TestDirect asks for leave to use generated methods: not before the type has been looked at, nor for one that they do
// not fit, nor under the build tag purego.
func TestDirect(t *testing.T) {
	for _, test := range []struct {
		v    any
		fits bool
	}{{&gentest.Small{}, !purego}, {&gentest.Nested{}, !purego}, {&gentest.Stale{}, false}, {&gentest.OldPart{}, false}, {new(int), false}} {
		var d polypack.Direct
		if d.Fits() {
			t.Errorf("%T: its methods are used before they were looked at", test.v)
		}
		data, err := d.Append([]byte("a"), test.v)
		if err != nil || data[0] != 'a' {
			t.Errorf("%T: % x %v", test.v, data, err)
		}
		if err := d.Unmarshal(data[1:], test.v); err != nil {
			t.Errorf("%T: %v", test.v, err)
		}
		if d.Fits() != test.fits {
			t.Errorf("%T: its methods are used: %v", test.v, d.Fits())
		}
	}
}

// TestDirectMethods calls them the ways that a caller may: twice, because the first call looks at the type; on nil, and
// with bytes behind the value.
func TestDirectMethods(t *testing.T) {
	for range 2 {
		v := &gentest.Small{Name: "Ada", Age: 36}
		want, err := polypack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, dst := range [][]byte{nil, {}, make([]byte, 3, 5), make([]byte, 3, 500)} {
			if got, err := v.AppendPolypack(dst); err != nil || !bytes.Equal(got, append(bytes.Clone(dst), want...)) {
				t.Errorf("% x %v", got, err)
			}
		}
		back := &gentest.Small{Age: 1}
		if err := back.UnmarshalPolypack(want); err != nil || *back != *v {
			t.Errorf("%+v %v", back, err)
		}
		var fault *polypack.Error
		err = back.UnmarshalPolypack(append(bytes.Clone(want), 0xc0, 0xc0))
		if !errors.As(err, &fault) || fault.Code != polypack.CodeTrailingData || fault.Offset != int64(len(want)) {
			t.Errorf("bytes behind the value: %v", err)
		}
		v = nil
		if got, err := v.AppendPolypack(nil); err != nil || !bytes.Equal(got, []byte{0xc0}) {
			t.Errorf("nil: % x %v", got, err)
		}
		var usage *polypack.UsageError
		if err := v.UnmarshalPolypack(want); !errors.As(err, &usage) {
			t.Errorf("into nil: %v", err)
		}
	}
}

// TestDirectTexts decodes messages whose strings take much and little in turn: what one has taught is no good for the
// next, and harms none.
func TestDirectTexts(t *testing.T) {
	var kept []gentest.Tree
	for i := range 200 {
		v := gentest.Tree{Title: strings.Repeat("a", i*7%300), Link: strings.Repeat("b", i%40)}
		for k := range i % 23 {
			v.Children = append(v.Children, &gentest.Tree{Title: strings.Repeat("c", k*i%50)})
		}
		data, err := v.AppendPolypack(nil)
		if err != nil {
			t.Fatal(err)
		}
		var back gentest.Tree
		if err := back.UnmarshalPolypack(data); err != nil || !reflect.DeepEqual(back, v) {
			t.Fatalf("%d: %v\n%+v\n%+v", i, err, back, v)
		}
		clear(data)
		kept = append(kept, back)
		if !reflect.DeepEqual(back, v) {
			t.Fatalf("%d: the strings lie in the input", i)
		}
	}
	for i, v := range kept {
		if v.Title != strings.Repeat("a", i*7%300) || v.Link != strings.Repeat("b", i%40) {
			t.Fatalf("%d has changed: %q %q", i, v.Title, v.Link)
		}
	}
}

// flatValues returns structs for which AppendPolypack and UnmarshalPolypack have code of their own.
func flatValues() []polypack.DirectMethods {
	now := time.Unix(1<<33, 5).UTC()
	values := []polypack.DirectMethods{&gentest.Small{}, &gentest.Small{Name: "Ada", Age: 36}, &gentest.Small{Age: -1}, &gentest.Money{Cents: 1 << 30},
		&gentest.Words{}, &gentest.Words{One: "a", Three: "c"}, &gentest.Words{Two: strings.Repeat("x", 31), Three: strings.Repeat("y", 32)},
		&gentest.Words{One: strings.Repeat("x", 255)}, &gentest.Words{One: strings.Repeat("x", 256)},
		&gentest.Flat{When: now, Last: "z"}, &gentest.Flat{When: now, First: "a", Number: -300, Flag: true, Ratio: 1.5, Took: 1 << 50, Last: "last"},
		&gentest.Flat{Scalars: gentest.Scalars{Int: 128, Int8: -33, Uint64: 1 << 63, F32: 1, F64: 2, String: "s", Long: "l", Umlaut: "ü"}, Last: "z"}}
	for length := range 40 {
		values = append(values, &gentest.Small{Name: strings.Repeat("n", length), Age: length << length & 0x3fffffff})
	}
	return values
}

// TestDirectCapacity lets AppendPolypack write into memory of every length, behind which nothing may change.
func TestDirectCapacity(t *testing.T) {
	for _, v := range flatValues() {
		if _, err := v.AppendPolypack(nil); err != nil { // the first call looks at the type
			t.Fatal(err)
		}
		want, err := polypack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for capacity := range 2*len(want) + 64 {
			memory := bytes.Repeat([]byte{0xc1}, 2*capacity+64)
			got, err := v.AppendPolypack(memory[1 : 1 : capacity+1])
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%+v in %d bytes: % x %v", v, capacity, got, err)
			}
			if behind := memory[capacity+1:]; len(bytes.Trim(behind, "\xc1")) > 0 {
				t.Fatalf("%+v in %d bytes: the bytes behind are % x", v, capacity, behind)
			}
		}
	}
}

// TestDirectFlatTexts overwrites the message that strings came from.
func TestDirectFlatTexts(t *testing.T) {
	for _, v := range flatValues() {
		data, err := v.AppendPolypack(nil)
		if err != nil {
			t.Fatal(err)
		}
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface().(polypack.DirectMethods)
		if err := back.UnmarshalPolypack(data); err != nil {
			t.Fatal(err)
		}
		for i := range data {
			data[i] = 0xff
		}
		if !reflect.DeepEqual(back, v) {
			t.Fatalf("%+v came back as %+v, or its strings lie in the input", v, back)
		}
	}
}
