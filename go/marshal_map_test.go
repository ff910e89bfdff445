package polypack_test

import (
	"bytes"
	"math"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// TestMapOrder compares the order in which maps are written with that of Canonicalize, which sorts encoded keys.
func TestMapOrder(t *testing.T) {
	ints, uints := map[int64]bool{}, map[uint64]bool{}
	small, anys, texts := map[int8]bool{}, map[any]bool{}, map[string]bool{}
	for shift := range 64 {
		for _, near := range []int64{-1, 0, 1} {
			n := int64(1)<<shift + near
			ints[n], ints[-n], uints[uint64(n)], anys[n], anys[-n] = true, true, true, true, true
		}
		texts[string(bytes.Repeat([]byte{'a' + byte(shift)%7}, shift))] = true
	}
	for n := math.MinInt8; n <= math.MaxInt8; n++ {
		small[int8(n)] = true
	}
	for _, v := range []any{ints, uints, small, anys, texts} {
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Records(polypack.RecordsInline)}, {polypack.MaxValues(1 << 30)}} {
			data := mustMarshal(t, v, opts...)
			canonical, err := polypack.Canonicalize(data, opts...)
			if err != nil {
				t.Fatal(err)
			}
			if len(opts) > 0 && len(data) != len(canonical) {
				// Where records may occur, some numbers take two bytes.
				again := mustMarshal(t, v)
				if !bytes.Equal(again, canonical) {
					t.Errorf("%T %v: %x", v, opts, data)
				}
			} else if !bytes.Equal(data, canonical) {
				t.Errorf("%T %v: got  %x\nwant %x", v, opts, data, canonical)
			}
		}
	}
}

// TestMapAllocations holds what a map takes beside its encoding: not memory for each entry.
func TestMapAllocations(t *testing.T) {
	texts, numbers := map[string]mPlain{}, map[int]mPlain{}
	for i := range 100 {
		texts[string(rune('a'+i))], numbers[i] = mPlain{}, mPlain{}
	}
	dst := make([]byte, 0, 1<<16)
	for _, v := range []any{&texts, &numbers} {
		allocated := testing.AllocsPerRun(10, func() {
			if _, err := polypack.Append(dst, v, polypack.Strict); err != nil {
				t.Fatal(err)
			}
		})
		if allocated > 12 {
			t.Errorf("%T: %v allocations", v, allocated)
		}
	}
}
