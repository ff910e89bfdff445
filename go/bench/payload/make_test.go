package payload

import (
	"encoding/json"
	"math/bits"
	"reflect"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// TestSizes holds the payloads to the sizes that the benches promise, in bytes of MessagePack, and to
// being the same each time.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name       string
		make       func() any
		least, max int
	}{
		{"small", func() any { return NewSmall() }, 15, 25},
		{"medium", func() any { return NewMedium() }, 120, 180},
		{"large", func() any { return NewLarge() }, 430, 600},
		{"small map", func() any { return NewSmallMap() }, 15, 25},
		{"medium map", func() any { return NewMediumMap() }, 120, 180},
		{"string map", func() any { return NewStringMap() }, 50, 90},
		{"page", func() any { return NewPage() }, 165_000, 175_000},
		{"config", func() any { return NewConfig() }, 4_000, 4_600},
		{"series", func() any { return NewSeries() }, 27_500, 28_500},
		{"doc", func() any { return NewDoc() }, 5_000, 5_600},
		{"maps", func() any { return NewMaps() }, 73_000, 79_000},
	} {
		data, err := polypack.Marshal(c.make())
		if err != nil || len(data) < c.least || len(data) > c.max {
			t.Errorf("%s: %d bytes, error %v; want %d to %d bytes", c.name, len(data), err, c.least, c.max)
		}
		if !reflect.DeepEqual(c.make(), c.make()) {
			t.Errorf("%s: not the same twice", c.name)
		}
	}
}

func TestColumns(t *testing.T) {
	multiples, mixed, small, floats, texts := NewMultiples(), NewMixedInts(), NewUint16s(), NewFloats(), NewStrings()
	for name, length := range map[string]int{
		"multiples": len(multiples.Values), "mixed": len(mixed.Values), "uint16": len(small.Values),
		"floats": len(floats.Values), "strings": len(texts.Values),
	} {
		if length != columnLength {
			t.Errorf("%s has %d values", name, length)
		}
	}
	negative := 0
	widths := map[int]int{} // in bits
	for _, v := range mixed.Values {
		if v < 0 {
			negative++
			v = ^v
		}
		widths[bits.Len64(uint64(v))]++
	}
	if negative < columnLength*4/10 || negative > columnLength*6/10 {
		t.Errorf("%d of the mixed integers are negative", negative)
	}
	for width := 1; width < 64; width++ {
		if widths[width] < columnLength/128 {
			t.Errorf("%d of the mixed integers have %d bits", widths[width], width)
		}
	}
	again, other := NewMixedInts(), NewStrings()
	if !reflect.DeepEqual(mixed, again) || !reflect.DeepEqual(texts, other) {
		t.Error("a column is not the same twice")
	}
}

// TestPlain looks for what encoding/json and encoding/gob would lose: the payloads promise to have none of it.
func TestPlain(t *testing.T) {
	for name, value := range map[string]any{"page": NewPage(), "config": NewConfig(), "series": NewSeries(), "large": NewLarge()} {
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(name, err)
		}
		target := reflect.New(reflect.TypeOf(value))
		if err := json.Unmarshal(data, target.Interface()); err != nil {
			t.Fatal(name, err)
		}
		if !reflect.DeepEqual(target.Elem().Interface(), value) {
			t.Errorf("%s does not come back from JSON as it was", name)
		}
	}
}
