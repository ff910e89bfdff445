package polypack_test

// What msgpackr writes, in testdata/records/msgpackr.jsonl (made by tools/vectors/go-records.mjs), against what this
// package writes and reads; and what this package alone writes, in testdata/records/go.jsonl, which
// tools/tests/go-records.test.mjs has msgpackr read.

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

var update = flag.Bool("update", false, "write testdata/records/go.jsonl again")

// A recordLine is a case. Shapes is nil for inline records.
type recordLine struct {
	Name   string          `json:"name"`
	Writer string          `json:"writer"`
	Shapes [][]string      `json:"shapes"`
	Value  json.RawMessage `json:"value"`
	Bytes  string          `json:"bytes"`
}

func (l *recordLine) option(t testing.TB) polypack.Option {
	t.Helper()
	if l.Shapes == nil {
		return inline
	}
	d, err := polypack.NewDictionary(l.Shapes)
	if err != nil {
		t.Fatal(err)
	}
	return polypack.SharedRecords(d)
}

func TestMsgpackrRecords(t *testing.T) {
	file, err := os.Open("testdata/records/msgpackr.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	count := 0
	for ; lines.Scan(); count++ {
		var line recordLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		t.Run(line.Name, func(t *testing.T) { line.test(t) })
	}
	if lines.Err() != nil || count < 35 {
		t.Errorf("%d cases, %v", count, lines.Err())
	}
}

func (l *recordLine) test(t *testing.T) {
	option, data := l.option(t), unhex(t, l.Bytes)
	value := structsOf(t, l.Value)
	for _, mode := range []polypack.Mode{polypack.Default, polypack.Strict, polypack.Lossless} {
		if got := mustMarshal(t, value, option, mode); !bytes.Equal(got, data) {
			t.Errorf("written %x; %s writes %x", got, l.Writer, data)
		}
	}
	// As maps.
	got, err := polypack.Canonicalize(data, option)
	if want := canonicalOf(t, mustMarshal(t, value)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("read as %x, %v; want %x", got, err, want)
	}
	// As structs: a target of one kind of row for all shapes.
	type row struct {
		F0 any `msgpack:"f0"`
		G1 any `msgpack:"g1"`
		ID int `msgpack:"id"`
	}
	var rows []row
	var maps []map[string]any
	if l.Value[0] != '[' || polypack.Unmarshal(data, &maps, option) != nil {
		return
	}
	if err := polypack.Unmarshal(data, &rows, option); err != nil {
		t.Fatal(err)
	}
	for i, m := range maps {
		id, _ := m["id"].(int64)
		if want := (row{m["f0"], m["g1"], int(id)}); !reflect.DeepEqual(rows[i], want) {
			t.Errorf("row %d: %v; want %v", i, rows[i], want)
		}
	}
}

// structsOf makes Go values of JSON: structs of objects, with the fields in the order of the text.
func structsOf(t testing.TB, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return structOfTokens(t, d)
}

func structOfTokens(t testing.TB, d *json.Decoder) any {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token := token.(type) {
	case json.Number:
		if n, err := token.Int64(); err == nil {
			return n
		}
		f, _ := token.Float64()
		return f
	case json.Delim:
		list := []any{}
		var fields []reflect.StructField
		for d.More() {
			if token == '{' {
				name, _ := d.Token()
				fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", len(fields)), Type: reflect.TypeFor[any](),
					Tag: reflect.StructTag(`msgpack:"` + name.(string) + `"`)})
			}
			list = append(list, structOfTokens(t, d))
		}
		_, _ = d.Token()
		if token == '[' {
			return list
		}
		v := reflect.New(reflect.StructOf(fields)).Elem()
		for i, value := range list {
			if value != nil {
				v.Field(i).Set(reflect.ValueOf(value))
			}
		}
		return v.Interface()
	}
	return token
}

// TestRecordsForMsgpackr keeps testdata/records/go.jsonl, which msgpackr reads: values that only Go writes like this.
func TestRecordsForMsgpackr(t *testing.T) {
	const name = "testdata/records/go.jsonl"
	type optional struct {
		A int            `msgpack:"a,omitempty"`
		B string         `msgpack:"b,omitzero"`
		M map[string]any `msgpack:"m,omitempty"`
	}
	sparse := []optional{{}, {A: 1}, {B: "x"}, {A: 64, B: "y"}, {A: 2}, {M: map[string]any{"k": optional{A: 127}, "n": 100}}}
	var many []any
	for i := range 130 {
		many = append(many, structOf(fmt.Sprint("f", i*7%120), 64+i%64), optional{A: i})
	}
	var out bytes.Buffer
	for _, c := range []struct {
		name  string
		value any
	}{{"sparse", sparse}, {"many", many}, {"one", optional{A: 5, B: "z"}}} {
		for _, shapes := range []int{-1, 0, 1, 32, 33, 40, 63, 64, 100, 119} {
			line := recordLine{Name: fmt.Sprintf("%s, %d shapes", c.name, shapes), Writer: "go"}
			if shapes >= 0 {
				line.Shapes = dictionaryOf(t, shapes).Shapes()
			}
			var v any
			if err := polypack.Unmarshal(mustMarshal(t, c.value), &v); err != nil {
				t.Fatal(err)
			}
			line.Value, _ = json.Marshal(v)
			line.Bytes = hex.EncodeToString(mustMarshal(t, c.value, line.option(t)))
			text, _ := json.Marshal(line)
			out.Write(append(text, '\n'))
		}
	}
	if *update {
		if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(out.Bytes(), want) {
		got, kept := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(got), len(kept)) {
			if got[i] != kept[i] {
				t.Fatalf("now %.200s\nkept %.200s\ngo test -run TestRecordsForMsgpackr -update . writes the file again", got[i], kept[i])
			}
		}
		t.Fatal("the file lacks lines", err)
	}
}
