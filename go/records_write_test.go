package polypack_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

type recordRow struct {
	A int    `msgpack:"a"`
	B string `msgpack:"b"`
}

type sparseRow struct {
	A int `msgpack:"a,omitempty"`
	B int `msgpack:"b,omitzero"`
	*RecordEmbedded
}

type RecordEmbedded struct {
	C int `msgpack:"c"`
}

func TestWriteRecords(t *testing.T) {
	type holder struct {
		M map[string]any    `msgpack:"m"`
		K map[recordRow]int `msgpack:"k"`
		O polypack.Object   `msgpack:"o"`
	}
	for _, c := range []struct {
		value any
		want  string
	}{
		{recordRow{1, "x"}, "d47240 92a161a162 01 a178"},
		{[]recordRow{{1, "x"}, {2, "y"}}, "92 d47240 92a161a162 01 a178 40 02 a179"},
		{[]*recordRow{{64, ""}, nil, {127, "y"}}, "93 d47240 92a161a162 cc40 a0 c0 40 cc7f a179"},
		{[]any{recordRow{}, 64, struct {
			A any    `msgpack:"a"`
			B string `msgpack:"b"`
		}{A: recordRow{}}}, "93 d47240 92a161a162 00 a0 cc40 40 40 00 a0 a0"},
		{[]sparseRow{{}, {A: 1}, {A: 1, B: 2}, {A: 3}, {B: 4}, {RecordEmbedded: &RecordEmbedded{5}}, {B: 6}},
			"97 d47240 90 d47241 91a161 01 d47242 92a161a162 01 02 41 03 d47243 91a162 04 d47244 91a163 05 43 06"},
		{[]struct{}{{}, {}}, "92 d47240 90 40"},
		{map[string]any{"e": struct{}{}, "m": map[string]int{}}, "82 a165 d47240 90 a16d 80"},
		{holder{map[string]any{"r": recordRow{}, "s": recordRow{}}, map[recordRow]int{{64, "z"}: 64},
			polypack.Object{{Key: recordRow{}, Value: recordRow{}}}},
			"d47240 93a16da16ba16f 82 a172 d47241 92a161a162 00 a0 a173 41 00 a0" +
				"81 82a161cc40a162a17a cc40" + "81 82a16100a162a0 41 00 a0"},
		{polypack.Timestamp{}, "d6ff00000000"},
	} {
		for _, mode := range []polypack.Mode{polypack.Default, polypack.Strict, polypack.Lossless} {
			got := mustMarshal(t, c.value, inline, mode)
			if !bytes.Equal(got, unhex(t, c.want)) {
				t.Errorf("%+v: %x; want %s", c.value, got, strings.ReplaceAll(c.want, " ", ""))
			}
			back := reflect.New(reflect.TypeOf(c.value))
			if err := polypack.Unmarshal(got, back.Interface(), inline, polypack.Lossless); err != nil {
				t.Errorf("%x: %v", got, err)
			} else if holdsAny(c.value) { // comes back as maps
				continue
			} else if again := mustMarshal(t, back.Interface(), inline); !bytes.Equal(again, got) {
				t.Errorf("%x came back as %+v", got, back.Elem())
			}
		}
	}
}

// holdsAny reports whether a value of the test holds structs where decoding makes maps.
func holdsAny(value any) bool {
	switch value.(type) {
	case []recordRow, recordRow, []*recordRow, []sparseRow, []struct{}, polypack.Timestamp:
		return false
	}
	return true
}

// structOf returns a value of a struct type with the one field of this name.
func structOf(name string, value int) any {
	v := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeFor[int](), Tag: reflect.StructTag(`msgpack:"` + name + `"`)}})).Elem()
	v.Field(0).SetInt(int64(value))
	return v.Interface()
}

// TestMoreShapesThanIDs asserts that ids start again at 40, and that the shape that lost its id is declared again.
func TestMoreShapesThanIDs(t *testing.T) {
	var rows []any
	for i := range 70 {
		rows = append(rows, structOf(fmt.Sprint("f", i), i))
	}
	rows = append(rows, structOf("f6", 1), structOf("f0", 2))
	data := mustMarshal(t, rows, inline)
	for text, want := range map[string]int{"d4724091a26630": 1, "d4727f91a3663633": 1, "d4724091a3663634": 1, "d4724691a26630": 1} {
		if n := bytes.Count(data, unhex(t, text)); n != want {
			t.Errorf("%s occurs %d times in %x", text, n, data)
		}
	}
	if !bytes.HasSuffix(data, unhex(t, "46 01 d47246 91a26630 02")) {
		t.Errorf("the end is %x", data[len(data)-20:])
	}
	var back []map[string]int
	if err := polypack.Unmarshal(data, &back, inline); err != nil {
		t.Fatal(err)
	}
	for i, m := range back[:70] {
		if m[fmt.Sprint("f", i)] != i || len(m) != 1 {
			t.Errorf("row %d: %v", i, m)
		}
	}
}

// TestWideRecord looks at a struct with more fields than fit a word, some of which are left out.
func TestWideRecord(t *testing.T) {
	var fields []reflect.StructField
	for i := range 70 {
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeFor[int](), Tag: `msgpack:",omitempty"`})
	}
	rows := reflect.MakeSlice(reflect.SliceOf(reflect.StructOf(fields)), 4, 4)
	rows.Index(1).Field(69).SetInt(1)
	rows.Index(2).Field(3).SetInt(2)
	rows.Index(3).Field(69).SetInt(3)
	got := mustMarshal(t, rows.Interface(), inline)
	if want := unhex(t, "94 d47240 90 d47241 91a3463639 01 d47242 91a24633 02 41 03"); !bytes.Equal(got, want) {
		t.Errorf("%x; want %x", got, want)
	}
}

// TestEncoderRecords asserts that each Encode declares what it uses, also after one that failed.
func TestEncoderRecords(t *testing.T) {
	e := polypack.NewEncoder(nil, inline)
	one := unhex(t, "d47240 92a161a162 01 a178")
	var want []byte
	for range 3 {
		if err := e.Encode(recordRow{1, "x"}); err != nil {
			t.Fatal(err)
		}
		want = append(want, one...)
		if err := e.Encode([]any{recordRow{}, sparseRow{A: 1}, make(chan int)}); err == nil {
			t.Fatal("a chan was encoded")
		}
	}
	if !bytes.Equal(e.Bytes(), want) {
		t.Errorf("%x; want %x", e.Bytes(), want)
	}
	wantFault(t, polypack.NewEncoder(nil, inline, polypack.MaxDepth(0)).Encode(recordRow{}), polypack.CodeLimitExceeded, -1, "")
	wantFault(t, polypack.NewEncoder(nil, inline).Encode([]any{1, struct{ F any }{make(chan int)}}), polypack.CodeUnsupportedValue, -1, "/1/F")
}

type benchRow struct {
	ID    int     `msgpack:"id"`
	Name  string  `msgpack:"name"`
	Email string  `msgpack:"email"`
	Score float64 `msgpack:"score"`
	OK    bool    `msgpack:"ok"`
}

type benchSparse struct {
	ID    int     `msgpack:"id"`
	Name  string  `msgpack:"name"`
	Email string  `msgpack:"email"`
	Score float64 `msgpack:"score"`
	OK    bool    `msgpack:"ok,omitempty"`
}

// BenchmarkRecords writes and reads rows as maps and as records.
func BenchmarkRecords(b *testing.B) {
	rows, sparse := make([]benchRow, 1000), make([]benchSparse, 1000)
	for i := range rows {
		rows[i] = benchRow{i, "name", "someone@example.com", float64(i) / 3, i%3 == 0}
		sparse[i] = benchSparse(rows[i])
	}
	shared, err := polypack.NewDictionary([][]string{{"id", "name", "email", "score", "ok"}, {"id", "name", "email", "score"}})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		value, again any
	}{{"rows", rows, new([]benchRow)}, {"sparse", sparse, new([]benchSparse)}, {"one", rows[0], new(benchRow)}, {"one/any", rows[0], new(any)}} {
		for _, o := range []struct {
			name string
			opt  polypack.Option
		}{{"maps", polypack.SortMaps(true)}, {"inline", inline}, {"shared", polypack.SharedRecords(shared)}} {
			data := mustMarshal(b, c.value, o.opt)
			b.Run("write/"+c.name+"/"+o.name, func(b *testing.B) {
				var buf []byte
				b.ReportAllocs()
				for b.Loop() {
					buf, _ = polypack.Append(buf[:0], c.value, o.opt)
				}
			})
			b.Run("read/"+c.name+"/"+o.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := polypack.Unmarshal(data, c.again, o.opt); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
