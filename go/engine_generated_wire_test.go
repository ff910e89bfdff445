package polypack_test

// The generated methods on their own, with as little of the library behind them as can be. Under the build tag purego,
// where the library does not call them, this checks the capacity that they make: a store behind it is a panic there.

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
	"github.com/polypack/polypack/go/internal/wire"
)

// wireHooks are functions of the library.
type wireHooks struct{ t *testing.T }

func (h wireHooks) Value(w wire.Writer, n int, target any) (wire.Writer, int) {
	data, err := polypack.Append(w.Bytes(n), target)
	if err != nil {
		h.t.Fatal(err)
	}
	n = wire.BufferOf(&w).Reset(data)
	return w, n
}

func (h wireHooks) Struct(wire.Writer, int, any) (wire.Writer, int) {
	h.t.Fatal("a struct that the methods do not write")
	panic("not reached")
}

func (h wireHooks) FieldValue(wire.Writer, int, any, int) (wire.Writer, int) {
	h.t.Fatal("a field that the methods do not write")
	panic("not reached")
}

func (h wireHooks) Unsorted() bool { return false }

func (h wireHooks) Refuse(_ wire.Writer, target any) wire.Writer {
	h.t.Fatalf("refused %T", target)
	panic("not reached")
}

func (h wireHooks) Changed(wire.Writer, any) wire.Writer {
	h.t.Fatal("a struct that no method changes")
	panic("not reached")
}

func (h wireHooks) ReadValue(r wire.Reader, i int, target any) (wire.Reader, int) {
	d := polypack.NewDecoder(r.Data()[i:])
	if err := d.Decode(target); err != nil {
		h.t.Fatal(err)
	}
	return r, i + d.Offset()
}

func (h wireHooks) ReadField(wire.Reader, int, any, int) (wire.Reader, int) {
	h.t.Fatal("a field that the methods do not read")
	panic("not reached")
}

func (h wireHooks) ReadRest(wire.Reader, int, int, any) (wire.Reader, int) {
	h.t.Fatal("an inline map")
	panic("not reached")
}

func (h wireHooks) ReadPlan(r wire.Reader, i int, target any) (wire.Reader, int) {
	return h.ReadValue(r, i, target)
}

func (h wireHooks) ReadKey(wire.Reader, int, any) (wire.Reader, string, int) {
	h.t.Fatal("a key that is no str")
	panic("not reached")
}

func (h wireHooks) ReadEntry(r wire.Reader, i, _ int) (wire.Reader, int) {
	var skipped any
	r, i = h.ReadValue(r, i, &skipped)
	return h.ReadValue(r, i, &skipped)
}

func (h wireHooks) Field(name string) { h.t.Fatalf("a failure in %s", name) }
func (h wireHooks) Index(index int)   { h.t.Fatalf("a failure in element %d", index) }

func wireValues() []wire.Generated {
	one, now, text := math.MinInt, time.Unix(1<<40, 1).UTC(), strings.Repeat("x", 300)
	short := gentest.Text("short")
	wide := gentest.Scalars{Int: one, Int8: -128, Int16: math.MinInt16, Int32: math.MinInt32, Int64: math.MinInt64, Uint: math.MaxUint32,
		Uint8: 255, Uint16: 65535, Uint32: math.MaxUint32, Uint64: math.MaxUint64, F32: float32(math.NaN()), F64: 1.5, String: text, Long: "l", Umlaut: "ü"}
	return []wire.Generated{
		&gentest.Small{}, &gentest.Small{Name: "Ada", Age: 36}, &gentest.Small{Name: text, Age: one}, &gentest.None{},
		&gentest.Every{}, &gentest.Every{Scalars: wide, Bytes: []byte(text), Time: now, When: &now, PInt: &one, PText: &short,
			Strings: []string{text, ""}, Times: []time.Time{now, now}, Blobs: [][]byte{nil, []byte(text)}, Smalls: []gentest.Small{{}, {Age: one}},
			PSmalls: []*gentest.Small{nil, {Name: text}}, Words: [][]string{nil, {text}}, Grid: [][]int32{nil, {math.MinInt32}},
			Cubes: [2][3]string{{text}}, PPs: []*string{nil, &text}},
		&gentest.Nested{}, &gentest.Nested{Left: &gentest.Nested{}, All: []gentest.Nested{{}, {}}, Pair: &[2]*gentest.Nested{}},
		&gentest.Omitted{}, &gentest.Omitted{Bool: true, Int: one, Float: 1, Float32: float32(math.NaN()), Text: "t", Slice: []int{one}, Time: now,
			Time0: now, Pointer: &gentest.Small{}, Any: 1, Both: text, Money: gentest.Money{Cents: one}},
		&gentest.Wide{}, &gentest.Wide{A: one, H: one, I: text, J: one, P: true, Q: []string{}, R: 1, S: [3]uint8{1}, T: &one},
		&gentest.Inside{}, &gentest.Inside{Bools: [3]bool{true}, Uints: [2]uint16{65535}, When: &now,
			Shares: map[string]float64{text: 1}, Flags: map[string]bool{"": true}},
		&gentest.Conflicts{}, &gentest.Other{}, &gentest.Tree{Title: "t", Link: "l", Children: []*gentest.Tree{nil, {}}},
	}
}

func TestGeneratedWire(t *testing.T) {
	for _, v := range wireValues() {
		want, err := polypack.Marshal(v, polypack.Strict)
		if err != nil {
			t.Fatal(err)
		}
		for capacity := range len(want) + 20 {
			buffer, n, _, _ := v.AppendWire(make([]byte, 0, capacity), 100, 0, wireHooks{t})
			if !bytes.Equal(buffer[:n], want) {
				t.Fatalf("%T in %d bytes:\n% x, the library writes\n% x", v, capacity, buffer[:n], want)
			}
		}
		target := reflect.New(reflect.TypeOf(v).Elem())
		expected := reflect.New(reflect.TypeOf(v).Elem())
		limits := wire.Under(wire.Limits{Left: 100, Credit: 4*len(want) + 1<<16})
		end, _ := target.Interface().(wire.Generated).ReadWire(want, limits, wireHooks{t})
		if err := polypack.Unmarshal(want, expected.Interface(), polypack.Strict); err != nil || end != len(want) {
			t.Fatalf("%T: %v, the methods end at %d of %d", v, err, end, len(want))
		}
		again, err := polypack.Marshal(target.Interface(), polypack.Strict)
		if err != nil || !bytes.Equal(again, want) {
			t.Fatalf("%T: read\n%+v, the library reads\n%+v", v, target, expected)
		}
	}
}
