package polypack_test

// Plan of the file: how many times memory is allocated for common work. These are counts, the same on every machine;
// what they guard is that a value does not start to escape, or a fast way to be missed, without anybody noticing.

import (
	"fmt"
	"runtime"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

func TestAllocations(t *testing.T) {
	if raceEnabled || purego {
		t.Skip("counts are those of the engine without the race detector")
	}
	type row struct {
		ID, Age, Score, Parent int64
		Weight                 float64
		Active                 bool
		Name, City             string
		Note, Mail             string
	}
	plain := row{1, 2, 3, 4, 5.5, true, "name", "city", "a somewhat longer note", "someone@example.org"}
	rows := make([]row, 1000)
	for i := range rows {
		rows[i] = plain
		rows[i].ID, rows[i].Name = int64(i), fmt.Sprint("name ", i)
	}
	document := map[string]any{"name": "x", "list": []any{1, 2.5, "text"}, "inner": map[string]any{"a": 1, "b": true}}
	codec := polypack.MustCodecOf[row]()
	encodedRow, encodedRows, encodedDocument := mustMarshal(t, plain), mustMarshal(t, rows), mustMarshal(t, document)
	unknown := mustMarshal(t, map[string]any{"unknown": rows[:10], "another": document, "ID": 5})
	smallInts, integral := mustMarshal(t, make([]int64, 1000)), mustMarshal(t, make([]float64, 1000))
	short, nils := mustMarshal(t, make([]float32, 1000)), mustMarshal(t, make([]any, 1000))
	buffer := make([]byte, 0, 1<<20)
	var target row
	var boxedRow any = &plain
	for _, c := range []struct {
		name string
		most float64
		call func() error
	}{
		{"Append of a struct into a buffer", 0, func() (err error) { buffer, err = polypack.Append(buffer[:0], boxedRow); return err }},
		{"Append by a Codec into a buffer", 0, func() (err error) { buffer, err = codec.Append(buffer[:0], &plain); return err }},
		{"Append of rows into a buffer", 0, func() (err error) { buffer, err = polypack.Append(buffer[:0], &rows); return err }},
		{"Append of a document into a buffer", 0, func() (err error) { buffer, err = polypack.Append(buffer[:0], &document); return err }},
		{"Marshal of a struct", 1, func() error { _, err := polypack.Marshal(boxedRow); return err }},
		{"Marshal of rows", 1, func() error { _, err := polypack.Marshal(&rows); return err }},
		{"Marshal of a document", 1, func() error { _, err := polypack.Marshal(&document); return err }},
		{"Unmarshal of a struct, zero copy", 0, func() error {
			return polypack.GetStructDecoder[row](true).Decode(encodedRow, &target)
		}},
		{"Unmarshal of a struct", 1, func() error { return codec.Unmarshal(encodedRow, &target) }},
		{"Unmarshal of 1,000 rows", 800, func() error { var v []row; return polypack.Unmarshal(encodedRows, &v) }},
		{"Unmarshal of a document", 20, func() error { var v any; return polypack.Unmarshal(encodedDocument, &v) }},
		{"Unmarshal of small ints", 2, func() error { var v []int64; return polypack.Unmarshal(smallInts, &v) }},
		{"Unmarshal of ints that are floats", 3, func() error { var v []int32; return polypack.Unmarshal(integral, &v) }},
		{"Unmarshal of floats that are short", 2, func() error { var v []float64; return polypack.Unmarshal(short, &v) }},
		{"Unmarshal of bools that are nil", 3, func() error { var v []bool; return polypack.Unmarshal(nils, &v) }},
		{"unknown fields", 0, func() error { return codec.Unmarshal(unknown, &target) }},
		{"Skip", 1, func() error { return polypack.NewDecoder(encodedRows).Skip() }},
		{"Get", 0, func() error { _, err := polypack.Get(encodedRows, "/900/Name"); return err }},
	} {
		if err := c.call(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := testing.AllocsPerRun(20, func() { _ = c.call() }); got > c.most {
			t.Errorf("%s: %v allocations, at most %v", c.name, got, c.most)
		}
	}
	runtime.KeepAlive(buffer)
}
