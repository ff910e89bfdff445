//go:build !purego && !race

package polypack_test

// Plan of the file: what the encoding engine allocates. Under the race detector pools forget, so it would not be the
// same.

import (
	"bytes"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// TestEngineAllocates counts: nothing into a buffer, one buffer without it.
func TestEngineAllocates(t *testing.T) {
	type row struct {
		ID      int64
		Name    string
		Tags    []string
		Active  *bool
		Score   float64
		Created time.Time
		Nested  struct{ A, B []int32 }
		Labels  map[string]string
		Limits  map[string]int64
		Parts   map[string]*int
		Counts  map[int16][]int32
		Any     any
		Note    string `msgpack:",omitempty"`
	}
	active := true
	full := row{
		ID: 1 << 40, Name: "a name of more than sixteen bytes", Tags: []string{"a", "b"}, Active: &active, Score: 1.5, Created: time.Unix(1, 2),
		Labels: map[string]string{"x": "y", "z": ""}, Limits: map[string]int64{"x": 1, "y": 2},
		Parts: map[string]*int{"p": new(int), "q": nil}, Counts: map[int16][]int32{-300: {1}, 300: nil, -5: {}},
		Any: []any{1, "text", 2.5, map[string]any{"k": true, "l": []any{nil}, "m": []string{"x"}}, map[string]bool{"b": true}},
	}
	rows := make([]row, 100)
	for i := range rows {
		rows[i] = full
	}
	numbers := make([]int64, 10_000)
	text := strings.Repeat("x", 5000)
	for _, v := range []any{&full, &rows, &numbers, &text, rows, full, &full.Labels, full.Any} {
		buffer := make([]byte, 0, 1<<20)
		into := testing.AllocsPerRun(20, func() { buffer, _ = polypack.Append(buffer[:0], v) })
		if into != 0 {
			t.Errorf("%T: Append into a buffer allocates %v times", v, into)
		}
		var message []byte
		fresh := testing.AllocsPerRun(20, func() { message, _ = polypack.Marshal(v) })
		if fresh != 1 {
			t.Errorf("%T: Marshal allocates %v times", v, fresh)
		}
		if cap(message) > 2*len(message)+128 {
			t.Errorf("%T: %d bytes keep %d alive", v, len(message), cap(message))
		}
		if !bytes.Equal(message, buffer) {
			t.Errorf("%T: Marshal and Append differ", v)
		}
	}
}

// TestEngineWeighsMessages marshals long and short messages of a type in turn: a short one must not keep the memory of
// a long one.
func TestEngineWeighsMessages(t *testing.T) {
	for i := range 20 {
		v := map[string]any{"data": strings.Repeat("x", []int{0, 100_000, 10, 1_000_000, 1000}[i%5])}
		message, err := polypack.Marshal(v)
		if err != nil || cap(message) > 2*len(message)+128 {
			t.Errorf("%d bytes keep %d alive, error %v", len(message), cap(message), err)
		}
	}
}

// TestEngineAllocatesForKeys has maps of every size, also such whose keys are not remembered.
func TestEngineAllocatesForKeys(t *testing.T) {
	buffer := make([]byte, 0, 1<<20)
	for _, prefix := range []string{"key ", strings.Repeat("a long key ", 50)} {
		for count := range 40 {
			anys, texts := map[string]any{}, map[string]string{}
			for i := range count {
				key := prefix + string(rune('a'+i))
				anys[key], texts[key] = true, "text"
			}
			for _, v := range []any{anys, texts} {
				if n := testing.AllocsPerRun(50, func() { buffer, _ = polypack.Append(buffer[:0], v) }); n != 0 {
					t.Errorf("%T with %d keys of %d bytes: %v allocations", v, count, len(prefix)+1, n)
				}
			}
		}
	}
}

// TestEncodersKeepWithinTheirCapacity encodes into memory of every length: what lies behind it stays as it is.
func TestEncodersKeepWithinTheirCapacity(t *testing.T) {
	type row struct {
		A    int64
		Text string
		B    uint16
		Long string `msgpack:"a name of more than sixteen bytes"`
		C    float64
		D    string
		M    map[string]string
		N    map[string]int64
		L    []string
		Any  any
		At   time.Time
		Z    string
		Last int8 `msgpack:"a long key at the end"`
	}
	long, wide := strings.Repeat("x", 40), strings.Repeat("y", 300)
	values := append(generatedValues(), &row{}, &row{A: 1 << 40, Text: long, B: 300, D: wide, Z: long, Last: -100},
		&row{Text: "short", M: map[string]string{"a": long, "b": "c"}, N: map[string]int64{"x": 1 << 40, long: 2}, L: []string{"", long, "end"},
			Any: map[string]any{"k": []any{long, int64(1 << 40), "s"}, "l": map[int64]string{1 << 40: "z"}}, Z: "z"},
		&[]string{long, "a"}, &map[string]string{"k": "v"}, &[]any{1.5, "text", nil, true})
	for _, v := range sample(values, 6) {
		want, err := polypack.Marshal(v, polypack.PlansOnly())
		if err != nil {
			t.Fatal(err)
		}
		memory := make([]byte, len(want)+100)
		for capacity := 0; capacity < len(want)+40; capacity += 1 + capacity/400 {
			for i := range memory {
				memory[i] = 0xa5
			}
			behind := bytes.Repeat([]byte{0xa5}, len(memory)-capacity)
			check := func(way string, got []byte, err error) {
				t.Helper()
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%T, %s into %d bytes: % x, error %v", v, way, capacity, got, err)
				}
				if !bytes.Equal(memory[capacity:], behind) {
					t.Fatalf("%T, %s: writes behind %d bytes", v, way, capacity)
				}
			}
			got, err := polypack.Append(memory[:0:capacity], v)
			check("Append", got, err)
			got, err = polypack.Append(memory[:0:capacity], v, polypack.EngineOnly())
			check("the engine", got, err)
			if direct, ok := v.(polypack.DirectMethods); ok {
				got, err = direct.AppendPolypack(memory[:0:capacity])
				check("AppendPolypack", got, err)
			}
		}
	}
}
