package polypack_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"sync"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// dictionaryOf returns a Dictionary of n shapes with one field each, f0 and on.
func dictionaryOf(t testing.TB, n int) *polypack.Dictionary {
	t.Helper()
	shapes := make([][]string, n)
	for i := range shapes {
		shapes[i] = []string{fmt.Sprint("f", i)}
	}
	d, err := polypack.NewDictionary(shapes)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDictionary(t *testing.T) {
	d, err := polypack.NewDictionary([][]string{{"a", "b"}, nil, {}, {"a", "b"}})
	if err != nil || d.Len() != 4 {
		t.Fatal(d, err)
	}
	larger, err := d.Append([]string{"a", "b"}, []string{"c"}, []string{"c"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]string{{"a", "b"}, nil, {}, {"a", "b"}, {"c"}}; !reflect.DeepEqual(larger.Shapes(), want) || !reflect.DeepEqual(d.Shapes(), want[:4]) {
		t.Errorf("%q, %q", larger.Shapes(), d.Shapes())
	}
	other, err := d.Append([]string{"d"})
	if err != nil || !reflect.DeepEqual(other.Shapes()[4], []string{"d"}) || !reflect.DeepEqual(larger.Shapes()[4], []string{"c"}) {
		t.Errorf("%q, %v", other.Shapes(), err)
	}
	d.Shapes()[0][0] = "x"
	if d.Shapes()[0][0] != "a" {
		t.Error("Shapes gives away the names themselves")
	}
	// Of equal shapes the last is written, as msgpackr does it, and each is read.
	data := mustMarshal(t, recordRow{1, "x"}, polypack.SharedRecords(d))
	if !bytes.Equal(data, unhex(t, "43 01 a178")) {
		t.Errorf("%x", data)
	}
	for _, in := range []string{"43 01 a178", "40 01 a178"} {
		var row recordRow
		if err := polypack.Unmarshal(unhex(t, in), &row, polypack.SharedRecords(d)); err != nil || row != (recordRow{1, "x"}) {
			t.Errorf("%s: %v, %v", in, row, err)
		}
	}
	var v any
	if err := polypack.Unmarshal(unhex(t, "42"), &v, polypack.SharedRecords(d)); err != nil || !reflect.DeepEqual(v, map[string]any{}) {
		t.Error(v, err)
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "41"), &v, polypack.SharedRecords(d)), polypack.CodeUnknownRecord, 0, "")

	for _, shapes := range [][][]string{{{"a", "a"}}, {{"a\xff"}}, make([][]string, 8161)} {
		_, err := polypack.NewDictionary(shapes)
		wantUsage(t, err, "NewDictionary")
	}
	_, err = dictionaryOf(t, 8160).Append([]string{"one more"})
	wantUsage(t, err, "Dictionary.Append")
	_, err = polypack.Marshal(1, polypack.SharedRecords(nil))
	wantUsage(t, err, "SharedRecords")
	_, err = polypack.Marshal(1, polypack.Records(polypack.RecordsShared))
	wantUsage(t, err, "Records")
	wantUsage(t, polypack.Unmarshal([]byte{1}, &v, polypack.Records(3)), "Records")
	if data := mustMarshal(t, recordRow{}, polypack.SharedRecords(d), inline); !bytes.HasPrefix(data, []byte{0xd4}) {
		t.Errorf("the later option does not hold: %x", data)
	}
}

// TestSharedIDs writes structs that are in dictionaries of many lengths, and structs that are not.
func TestSharedIDs(t *testing.T) {
	for _, c := range []struct {
		shapes, field int
		want          string
	}{
		{1, 0, "40 05"}, {31, 30, "5e 05"}, {32, 31, "5f 05"}, {33, 31, "5f 05"}, {33, 32, "6000 05"}, {40, 39, "6700 05"},
		{64, 63, "7f00 05"}, {65, 64, "6001 05"}, {100, 99, "6302 05"}, {8160, 8159, "7ffd 05"},
		{0, 1, "d47240 91a26631 05"}, {1, 1, "d47241 91a26631 05"}, {32, 32, "d47260 91a3663332 05"},
		{33, 33, "d5726001 91a3663333 05"}, {63, 63, "d5726001 91a3663633 05"}, {64, 64, "d5726001 91a3663634 05"}, {100, 100, "d5726402 91a4663130 30 05"},
		{8160, 8160, "d57260fe 91a566 38313630 05"},
	} {
		dictionary := polypack.SharedRecords(dictionaryOf(t, c.shapes))
		got := mustMarshal(t, structOf(fmt.Sprint("f", c.field), 5), dictionary)
		if !bytes.Equal(got, unhex(t, c.want)) {
			t.Errorf("%d shapes, f%d: %x; want %s", c.shapes, c.field, got, c.want)
		}
		var m map[string]int
		if err := polypack.Unmarshal(got, &m, dictionary, polypack.Strict); err != nil || m[fmt.Sprint("f", c.field)] != 5 {
			t.Errorf("%x: %v, %v", got, m, err)
		}
	}
}

// TestSharedMessages reads back messages with many shapes, known and not, whole and in pieces, into maps and structs.
func TestSharedMessages(t *testing.T) {
	for _, shapes := range []int{0, 1, 31, 32, 33, 40, 63, 64, 65, 100, 8160} {
		dictionary := dictionaryOf(t, shapes)
		var rows []any
		for i := range 150 {
			field := (shapes + 140 - i) % max(1, shapes+70)
			rows = append(rows, structOf(fmt.Sprint("f", field), 64+i%70))
		}
		want := mustMarshal(t, rows)
		data := mustMarshal(t, rows, polypack.SharedRecords(dictionary))
		// Whoever has a larger dictionary reads it as well.
		larger, err := dictionary.Append([]string{"new"}, []string{"newer"})
		if err != nil && shapes < 8160 {
			t.Fatal(err)
		} else if err == nil && shapes != 32 && shapes != 31 && shapes != 40 {
			dictionary = larger
		}
		opts := polypack.SharedRecords(dictionary)
		got, err := polypack.Canonicalize(data, opts)
		if err != nil || !bytes.Equal(got, canonicalOf(t, want)) {
			t.Errorf("%d shapes: %x, %v; want %x", shapes, got, err, want)
		}
		for _, cut := range []int{1, 3, 1000} {
			s := polypack.NewStreamDecoder(&cutReader{append(bytes.Clone(data), data...), cut}, opts)
			for range 2 {
				var v any
				if err := s.Decode(&v); err != nil {
					t.Fatal(err)
				}
				if again := canonicalOf(t, mustMarshal(t, v)); !bytes.Equal(again, got) {
					t.Errorf("%d shapes in cuts of %d: %x", shapes, cut, again)
				}
			}
			if err := s.Decode(new(any)); err != io.EOF {
				t.Error(err)
			}
		}
		d := polypack.NewDecoder(data, opts)
		if err := d.Skip(); err != nil || d.Finish() != nil {
			t.Error(err)
		}
	}
}

func canonicalOf(t testing.TB, data []byte) []byte {
	t.Helper()
	canonical, err := polypack.Canonicalize(data)
	if err != nil {
		t.Fatal(err)
	}
	return canonical
}

// TestSharedFaults asserts that what the dictionary does not hold is a fault on every way in, never an int.
func TestSharedFaults(t *testing.T) {
	for _, c := range []struct {
		shapes int
		in     string
		code   polypack.Code
		offset int64
		path   string
	}{
		{2, "93 40 01 05 42", polypack.CodeUnknownRecord, 4, "/2"},
		{2, "91 60", polypack.CodeUnknownRecord, 1, "/0"},
		{40, "91 68", polypack.CodeUnknownRecord, 1, "/0"},
		{40, "91 6001", polypack.CodeUnknownRecord, 1, "/0"},
		{40, "92 6000 01 60", polypack.CodeUnexpectedEnd, 4, "/1"},
		{40, "92 6000 01 5f", polypack.CodeUnexpectedEnd, 4, "/1"},
		{40, "91 6000 c1", polypack.CodeReservedByte, 3, "/0/f32"},
		{40, "92 d47260 90 6000", polypack.CodeTrailingData, 6, ""},
		{2, "91 d47242 91a161 43", polypack.CodeUnknownRecord, 7, "/0/a"},
		{2, "91 40", polypack.CodeUnexpectedEnd, 1, "/0"},
	} {
		opts := []polypack.Option{polypack.SharedRecords(dictionaryOf(t, c.shapes))}
		in := unhex(t, c.in)
		for _, target := range []any{new(any), &[]any{}, &[]any{}, &[]map[string]any{}, &[]polypack.Object{}, &[]struct{}{}} {
			if c.in[:5] == "93 40" && reflect.TypeOf(target).Elem().Kind() == reflect.Slice && reflect.TypeOf(target) != reflect.TypeFor[*[]any]() {
				continue // an int is no map
			}
			wantFault(t, polypack.Unmarshal(in, target, opts...), c.code, c.offset, c.path)
		}
		_, err := polypack.Canonicalize(in, opts...)
		wantFault(t, err, c.code, c.offset, c.path)
		for _, cut := range []int{1, 100} {
			if c.code == polypack.CodeTrailingData {
				continue
			}
			wantFault(t, polypack.NewStreamDecoder(&cutReader{in, cut}, opts...).Decode(new(any)), c.code, c.offset, c.path)
		}
	}
}

// TestSharedRedeclaration asserts that a message may declare ids of the dictionary, for itself alone, in keys as well.
func TestSharedRedeclaration(t *testing.T) {
	opts := polypack.SharedRecords(dictionaryOf(t, 40))
	for in, want := range map[string]string{
		"93 40 01 d47240 91a161 02 40 03":                        "[map[f0:1] map[a:2] map[a:3]]",
		"93 6000 01 d47260 91a161 02 60 03":                      "[map[f32:1] map[a:2] map[a:3]]",
		"94 6000 01 d47260 91a161 02 d5726001 91a162 03 6000 04": "[map[f32:1] map[a:2] map[b:3] map[f32:4]]",
		"82 91 40 01 c0 91 d47240 91a161 02 40 03":               "[{[map[f0:1]] <nil>} {[map[a:2]] map[a:3]}]",
		"82 6000 01 c0 6000 02 6000 03":                          "[{map[f32:1] <nil>} {map[f32:2] map[f32:3]}]",
		"82 40 01 c0 40 01 c0":                                   "duplicate_key",
		"82 40 01 c0 81a2663001 c0":                              "duplicate_key",
	} {
		for range 2 {
			var v any
			got := ""
			if err := polypack.Unmarshal(unhex(t, in), &v, opts, polypack.Lossless); err != nil {
				got = string(err.(*polypack.Error).Code)
			} else {
				got = fmt.Sprint(v)
			}
			if got != want {
				t.Errorf("%s: %s; want %s", in, got, want)
			}
		}
	}
}

// TestDictionaryOfGoroutines reads and writes with one dictionary from several goroutines, into several types.
func TestDictionaryOfGoroutines(t *testing.T) {
	d, err := polypack.NewDictionary([][]string{{"a", "b"}, {"b", "a"}})
	if err != nil {
		t.Fatal(err)
	}
	type other struct {
		B any `msgpack:"b"`
		C int
		A int `msgpack:"a"`
	}
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 50 {
				data := mustMarshal(t, []recordRow{{i, "x"}, {i, "y"}}, polypack.SharedRecords(d))
				var rows []recordRow
				var others []other
				if err := polypack.Unmarshal(data, &rows, polypack.SharedRecords(d)); err != nil || rows[1] != (recordRow{i, "y"}) {
					t.Error(rows, err)
				}
				if err := polypack.Unmarshal(data, &others, polypack.SharedRecords(d)); err != nil || others[1] != (other{B: "y", A: i}) {
					t.Error(others, err)
				}
				key := append([]byte{0x82, 0x91}, data[1:4]...)
				key = append(append(key, 0xc0, 0x91), data[4:]...)
				_, _ = polypack.Canonicalize(append(key, 0xc0), polypack.SharedRecords(d))
			}
		}()
	}
	group.Wait()
}

// TestSharedExamples holds the examples of spec/05-records.md#shared.
func TestSharedExamples(t *testing.T) {
	one, err := polypack.NewDictionary([][]string{{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	shapes := dictionaryOf(t, 40).Shapes()
	without, err := polypack.NewDictionary(shapes)
	if err != nil {
		t.Fatal(err)
	}
	shapes[33] = []string{"a"}
	with, err := polypack.NewDictionary(shapes)
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct {
		dictionary *polypack.Dictionary
		value      any
	}{
		"94 40 01 d4 72 41 91 a1 62 02 41 03 cc 40": {one, []any{structOf("a", 1), structOf("b", 2), structOf("b", 3), 64}},
		"61 00 01":                            {with, structOf("a", 1)},
		"92 d5 72 60 01 91 a1 62 02 60 01 03": {without, []any{structOf("b", 2), structOf("b", 3)}},
	} {
		if got := mustMarshal(t, c.value, polypack.SharedRecords(c.dictionary)); !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%x; want %s", got, want)
		}
	}
}

func TestAppendShapesOf(t *testing.T) {
	d := dictionaryOf(t, 2)
	type outer struct {
		Rows []recordRow `msgpack:"rows"`
		More any         `msgpack:"more,omitempty"`
	}
	larger, err := d.AppendShapesOf(outer{Rows: []recordRow{{}, {}}}, structOf("f1", 1), &outer{More: []any{structOf("f0", 1), structOf("new", 1)}}, 5,
		map[recordRow]any{{}: sparseRow{A: 1}}, struct{}{}, sparseRow{})
	want := append(d.Shapes(), []string{"rows"}, []string{"a", "b"}, []string{"rows", "more"}, []string{"new"}, []string{"a"}, []string{})
	if err != nil || !reflect.DeepEqual(larger.Shapes(), want) {
		t.Fatalf("%q, %v; want %q", larger.Shapes(), err, want)
	}
	if data := mustMarshal(t, outer{Rows: []recordRow{{}}}, polypack.SharedRecords(larger)); !bytes.Equal(data, unhex(t, "42 91 43 00 a0")) {
		t.Errorf("%x", data)
	}
	_, err = d.AppendShapesOf(1, []any{make(chan int)})
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "/1/0")
	var many []any
	for i := range 70 {
		many = append(many, structOf(fmt.Sprint("g", i), i))
	}
	if full, err := dictionaryOf(t, 8090).AppendShapesOf(many); err != nil || full.Len() != 8160 {
		t.Error(err)
	}
	_, err = dictionaryOf(t, 8091).AppendShapesOf(many...)
	wantUsage(t, err, "Dictionary.Append")
}

// A Dictionary doesn't keep what was compiled for extensions that are gone.
func TestTargetsOfDictionary(t *testing.T) {
	type pair struct{ A, B int }
	type number int
	dictionary, err := polypack.NewDictionary([][]string{{"A", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	data := mustMarshal(t, pair{1, 2}, polypack.SharedRecords(dictionary))
	encode := func(dst []byte, n number) ([]byte, error) { return dst, nil }
	decode := func([]byte) (number, error) { return 0, nil }
	for range 500 {
		var v pair
		extensions := polypack.Extensions(polypack.NewExtension(5, encode, decode))
		if err := polypack.Unmarshal(data, &v, polypack.SharedRecords(dictionary), extensions); err != nil || v != (pair{1, 2}) {
			t.Fatal(v, err)
		}
	}
	if n := polypack.CountTargets(dictionary); n == 0 || n > 64 {
		t.Errorf("%d structs are remembered", n)
	}
}
