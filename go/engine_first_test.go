//go:build !purego

package polypack

import (
	"reflect"
	"testing"
	"time"
)

// First use: what the first messages of a type cost, before its plans and programs exist.

type firstAddress struct {
	Street, City string
	Zip          int
}
type firstItem struct {
	SKU   string  `json:"sku" msgpack:"sku"`
	Price float64 `json:"price" msgpack:"price"`
	Count int     `json:"count" msgpack:"count"`
}
type firstOrder struct {
	ID    int               `msgpack:"id"`
	Name  string            `msgpack:"name"`
	At    time.Time         `msgpack:"at"`
	Ship  firstAddress      `msgpack:"ship"`
	Bill  *firstAddress     `msgpack:"bill,omitempty"`
	Items []firstItem       `msgpack:"items"`
	Meta  map[string]string `msgpack:"meta"`
	Tags  []string          `msgpack:"tags"`
	Any   any               `msgpack:"any"`
}

// firstUse writes and reads a value of types that nothing has been compiled for.
func firstUse(tb testing.TB, v *firstOrder) *types {
	s := defaultSettings()
	s.types = new(types)
	data, err := s.append(nil, v)
	if err != nil {
		tb.Fatal(err)
	}
	var back firstOrder
	if err := s.unmarshal(data, 0, &back); err != nil || back.Items[0] != v.Items[0] {
		tb.Fatal(back, err)
	}
	return s.types
}

func someOrder() *firstOrder {
	return &firstOrder{
		ID: 1, Name: "Ada", At: time.Unix(1e9, 0), Ship: firstAddress{"a", "b", 5}, Items: []firstItem{{"x", 1.5, 2}},
		Meta: map[string]string{"a": "b"}, Tags: []string{"t"}, Any: 5,
	}
}

// TestFirstUse bounds the work of first use, which takes longer than a hundred later messages, by its allocations.
func TestFirstUse(t *testing.T) {
	v := someOrder()
	v.Bill = &firstAddress{}
	if n := testing.AllocsPerRun(10, func() { firstUse(t, v) }); n > 300 {
		t.Errorf("%v allocations; 230 when this was written, 730 before tables were made on demand", n)
	}
	ts := firstUse(t, v)
	program := ts.programs.nodes[reflect.TypeFor[firstOrder]()].program
	if program.table.Load() != nil {
		t.Error("the table of names was made, though each key was the expected one")
	}
	s := defaultSettings()
	s.types = ts
	var back firstOrder
	if err := s.unmarshal([]byte("\x82\xa4tags\xc0\xa2id\x07"), 0, &back); err != nil || back.ID != 7 || program.table.Load() == nil {
		t.Error(back, err)
	}
}

func BenchmarkFirst(b *testing.B) {
	v := someOrder()
	b.ReportAllocs()
	for b.Loop() {
		firstUse(b, v)
	}
}
