package before_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest/before"
)

// TestOlderMethods holds the methods against what the library does without being called by them.
func TestOlderMethods(t *testing.T) {
	number, ratio, now := 300, float32(1.5), time.Unix(1e9, 5).UTC()
	item := before.Item{Name: "Ada", Note: strings.Repeat("x", 40), Count: 1 << 20, Ratio: ratio, Share: 0.1, On: true, Added: now}
	every := before.Every{
		Bool: true, Int: -1, Uint: 200, Float32: ratio, Float64: 2.5, String: "text", Bytes: []byte{1}, Hash: [4]byte{1, 2},
		Time: now, Any: []any{int64(1), "two"}, Bools: []bool{true}, Ints: []int{-1, 1 << 30}, Uint16s: []uint16{65535},
		Uints: []uint64{1 << 63}, Float32s: []float32{ratio}, Float64s: []float64{0.1}, Strings: []string{"", "a"},
		Times: []time.Time{now}, Anys: []any{nil, true}, Pair: [2]int{1, -1}, Flags: [3]bool{true}, Three: [3]float64{1},
		Counts: [2]uint16{1, 2}, Ratio: &ratio, Shares: map[string]float64{"a": 1}, Pointer: &number,
		Next: &before.Every{}, Item: item, Items: []before.Item{{}, item}, Texts: map[string]string{"b": "c", "a": ""},
		ByName: map[string]*before.Item{"ada": &item, "nobody": nil}, Omitted: "no", OmittedInt: 1,
	}
	for _, v := range []interface {
		AppendPolypack([]byte) ([]byte, error)
		UnmarshalPolypack([]byte) error
	}{
		&every, &before.Every{}, &item, &before.Item{}, &before.Name{Name: "Ada"}, &before.Sparse{},
		&before.Sparse{On: true, Ratio: 1, Share: 1, Added: now, Bytes: []byte{0}, Map: map[string]int{"a": 1}, Any: true, Item: &item},
	} {
		want, err := polypack.Marshal(v, polypack.SortMaps(true))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the first call finds out whether the methods fit
			got, err := v.AppendPolypack(nil)
			if err != nil || string(got) != string(want) {
				t.Errorf("%T: % x, %v; want % x", v, got, err, want)
			}
			back := reflect.New(reflect.TypeOf(v).Elem())
			if err := back.Interface().(interface{ UnmarshalPolypack([]byte) error }).UnmarshalPolypack(want); err != nil {
				t.Errorf("%T: %v", v, err)
			}
			expected := reflect.New(reflect.TypeOf(v).Elem())
			if err := polypack.Unmarshal(want, expected.Interface(), polypack.Strict); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(back.Interface(), expected.Interface()) {
				t.Errorf("%T: %+v, want %+v", v, back, expected)
			}
		}
	}
}
