package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

var inline = polypack.Records(polypack.RecordsInline)

// twoRecords is [{"a": 1, "b": [2]}, {"a": 3, "b": nil}] as msgpackr writes it.
const twoRecords = "92 d47240 92a161a162 01 9102 40 03 c0"

func TestRecordTargets(t *testing.T) {
	type T struct {
		B []int `msgpack:"b"`
		X int
		A int8 `msgpack:"a"`
	}
	for _, want := range []any{
		[]any{map[string]any{"a": int64(1), "b": []any{int64(2)}}, map[string]any{"a": int64(3), "b": nil}},
		[]polypack.Object{{{Key: "a", Value: int64(1)}, {Key: "b", Value: []any{int64(2)}}}, {{Key: "a", Value: int64(3)}, {Key: "b"}}},
		[]T{{A: 1, B: []int{2}}, {A: 3}},
		[]*T{{A: 1, B: []int{2}}, {A: 3}},
		[]map[string]any{{"a": int64(1), "b": []any{int64(2)}}, {"a": int64(3), "b": nil}},
		[]map[namedText]any{{"a": int64(1), "b": []any{int64(2)}}, {"a": int64(3), "b": nil}},
		[]map[any]any{{"a": int64(1), "b": []any{int64(2)}}, {"a": int64(3), "b": nil}},
		[2]struct{ X int }{},
	} {
		for _, mode := range []polypack.Mode{polypack.Default, polypack.Strict, polypack.Lossless} {
			got := reflect.New(reflect.TypeOf(want))
			if err := polypack.Unmarshal(unhex(t, twoRecords), got.Interface(), inline, mode); err != nil {
				t.Errorf("%T: %v", want, err)
			} else if !reflect.DeepEqual(got.Elem().Interface(), want) {
				t.Errorf("got %+v, want %+v", got.Elem(), want)
			}
		}
	}
	got, err := polypack.Canonicalize(unhex(t, twoRecords), inline)
	if err != nil || !bytes.Equal(got, unhex(t, "92 82a16101a1629102 82a16103a162c0")) {
		t.Errorf("Canonicalize: %x, %v", got, err)
	}
	d := polypack.NewDecoder(unhex(t, twoRecords), inline)
	if err := errors.Join(d.Skip(), d.Finish()); err != nil {
		t.Error(err)
	}
	wantFault(t, polypack.Unmarshal(unhex(t, twoRecords), &[]map[int]any{}, inline), polypack.CodeInvalidKey, 1, "/0")
	wantFault(t, polypack.Unmarshal(unhex(t, twoRecords), &[]int{}, inline), polypack.CodeTypeMismatch, 1, "/0")
	wantFault(t, polypack.Unmarshal(unhex(t, "92 d4724090 40"), &[]struct{}{}), polypack.CodeInvalidRecord, 1, "/0")
	var mixed []any
	wantFault(t, polypack.Unmarshal(unhex(t, "93 d4724090 40 05"), &mixed, inline, polypack.MaxDepth(1)), polypack.CodeLimitExceeded, 1, "/0")
}

// TestRecordFaults runs faults through every way in that reads records.
// TestEmptyRecords pins which empty values are records: structs are, maps never are (spec/05-records.md#declaration).
func TestEmptyRecords(t *testing.T) {
	shared, err := polypack.NewDictionary([][]string{{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		value  any
		option polypack.Option
		want   string
	}{
		{[]struct{}{{}, {}}, inline, "92 d4724090 40"},
		{map[string]int{"a": 1}, inline, "81 a161 01"},
		{map[string]any{}, inline, "80"},
		{struct{}{}, polypack.SharedRecords(shared), "40"},
	} {
		if got, err := polypack.Marshal(test.value, test.option); err != nil || !bytes.Equal(got, unhex(t, test.want)) {
			t.Errorf("Marshal(%#v) = %x, %v, want %s", test.value, got, err, test.want)
		}
	}
}

func TestRecordFaults(t *testing.T) {
	for _, c := range []struct {
		in     string
		code   polypack.Code
		offset int64
		path   string
		opts   []polypack.Option
	}{
		{"91 d47240", polypack.CodeUnexpectedEnd, 4, "/0", nil},
		{"91 d472", polypack.CodeUnexpectedEnd, 1, "/0", nil},
		{"91 d4723f 90", polypack.CodeInvalidRecord, 1, "/0", nil},
		{"91 d57240ff 90", polypack.CodeInvalidRecord, 1, "/0", nil},
		{"91 c7017240 90", polypack.CodeInvalidRecord, 1, "/0", nil},
		{"91 d47240 01", polypack.CodeInvalidRecord, 4, "/0", nil},
		{"91 d47240 c1", polypack.CodeReservedByte, 4, "/0", nil},
		{"91 d47240 dc00", polypack.CodeUnexpectedEnd, 4, "/0", nil},
		{"91 d47240 92 a161 01", polypack.CodeUnexpectedEnd, 4, "/0", nil},
		{"91 d47240 92 a161 01 01 01", polypack.CodeInvalidRecord, 7, "/0", nil},
		{"91 d47240 92 a161 a161 01 02", polypack.CodeInvalidRecord, 7, "/0", nil},
		{"91 d47240 92 a161 c1 01 02", polypack.CodeReservedByte, 7, "/0", nil},
		{"91 d47240 91 a161 c1", polypack.CodeReservedByte, 7, "/0/a", nil},
		{"91 d47240 91 a2617e c1", polypack.CodeReservedByte, 8, "/0/a~0", nil},
		{"92 d47240 92 a161 a162 01 02 40 01", polypack.CodeUnexpectedEnd, 11, "/1", nil},
		{"92 d5726001 90 6002", polypack.CodeUnknownRecord, 6, "/1", nil},
		{"92 d5726001 90 60", polypack.CodeUnexpectedEnd, 6, "/1", nil},
		{"91 60", polypack.CodeUnknownRecord, 1, "/0", []polypack.Option{polypack.Strict}},
		{"92 d47240 92 a161 a162 01 02 40 01 02", polypack.CodeLimitExceeded, 1, "/0", []polypack.Option{polypack.MaxValues(4)}},
		{"92 d47240 92 a161 a162 01 02 40 01 02", polypack.CodeLimitExceeded, 11, "/1", []polypack.Option{polypack.MaxValues(5)}},
		{"92 d47240 90 40", polypack.CodeLimitExceeded, 1, "/0", []polypack.Option{polypack.MaxDepth(1)}},
		{"91 d47240 91 a1ff 01", polypack.CodeInvalidUTF8, 5, "/0", []polypack.Option{polypack.Lossless}},
		{"81 d47240 90 01", polypack.CodeInvalidKey, 1, "", nil},
		{"92 d47240 90 81 40 01", polypack.CodeInvalidKey, 6, "/1", nil},
	} {
		opts := append([]polypack.Option{inline}, c.opts...)
		in := unhex(t, c.in)
		t.Run(c.in, func(t *testing.T) {
			for _, target := range []any{new(any), &[]any{}, &[]struct{ A, B int }{}, &[]polypack.Object{}, &[]map[string]any{}} {
				err := polypack.Unmarshal(in, target, opts...)
				var e *polypack.Error
				if errors.As(err, &e) && e.Code == polypack.CodeTypeMismatch {
					continue // the top is a map, or a field no record
				}
				if c.code == polypack.CodeInvalidKey && holdsEveryKey(target) {
					continue
				}
				wantFault(t, err, c.code, c.offset, c.path)
			}
			if c.code == polypack.CodeInvalidKey {
				return // what follows holds every key
			}
			wantFault(t, polypack.NewDecoder(in, opts...).Skip(), c.code, c.offset, c.path)
			if len(c.opts) == 0 || c.code != polypack.CodeUnknownRecord {
				_, err := polypack.Canonicalize(in, opts...)
				wantFault(t, err, c.code, c.offset, c.path)
			}
			if c.code == polypack.CodeUnexpectedEnd && c.offset == 4 && len(in) == 8 {
				return // a stream may go on, and what is there is no declaration already
			}
			for _, cut := range []int{1, 100} {
				var v any
				wantFault(t, polypack.NewStreamDecoder(&cutReader{in, cut}, opts...).Decode(&v), c.code, c.offset, c.path)
			}
		})
	}
}

// holdsEveryKey reports whether a target takes keys of any kind, or skips them.
func holdsEveryKey(target any) bool {
	switch target.(type) {
	case *[]polypack.Object, *[]struct{ A, B int }:
		return true
	}
	return false
}

func TestRecordsThroughStream(t *testing.T) {
	data := append(unhex(t, twoRecords), unhex(t, "d5726001 91a178 92 6001 c0 d47260 90 93 60 05 40")...)
	want := []string{"[map[a:1 b:[2]] map[a:3 b:<nil>]]", "map[x:[map[x:<nil>] map[]]]", "[96 5 64]"}
	for cut := 1; cut < len(data); cut++ {
		s := polypack.NewStreamDecoder(&cutReader{data, cut}, inline)
		for i, text := range want {
			var v any
			if err := s.Decode(&v); err != nil || fmt.Sprint(v) != text {
				t.Fatalf("cut %d, message %d: %v, %v; want %s", cut, i, v, err, text)
			}
		}
		var v any
		if err := s.Decode(&v); err != io.EOF {
			t.Fatal(err)
		}
	}
}

// TestRedeclaration asserts that an id means what was declared last, and that a record being read keeps its names.
func TestRedeclaration(t *testing.T) {
	for in, want := range map[string]string{
		"92 d47240 91a161 d47240 91a162 01 40 02":        "[map[a:map[b:1]] map[b:2]]",
		"93 d5726001 91a161 01 d47260 91a162 02 60 03":   "[map[a:1] map[b:2] map[b:3]]",
		"93 d47260 91a161 01 d5726002 91a162 02 6002 03": "[map[a:1] map[b:2] map[b:3]]",
		"93 d47240 90 41 40":                             "[map[] 65 map[]]",
		"92 d47240 91a161 92 40 01 40 02 40 03":          "[map[a:[map[a:1] map[a:2]]] map[a:3]]",
	} {
		var v any
		if err := polypack.Unmarshal(unhex(t, in), &v, inline); err != nil || fmt.Sprint(v) != want {
			t.Errorf("%s: %v, %v; want %s", in, v, err, want)
		}
	}
}

// TestRedeclarationInKey asserts that a key that declares ids again is what it is at its own place: keys are read
// twice.
func TestRedeclarationInKey(t *testing.T) {
	for in, want := range map[string]string{
		"92 d47240 91a161 01 82 93 40 02 d47240 91a162 03 40 04 c0 40 05 c0":                                            "[map[a:1] [{[map[a:2] map[b:3] map[b:4]] <nil>} {map[b:5] <nil>}]]",
		"92 d5726007 91a161 01 81 93 6007 02 d5726007 91a162 03 6007 04 6007 05":                                        "[map[a:1] [{[map[a:2] map[b:3] map[b:4]] map[b:5]}]]",
		"92 d5726007 91a161 01 81 93 6007 02 d47260 91a162 03 60 04 60 05":                                              "[map[a:1] [{[map[a:2] map[b:3] map[b:4]] map[b:5]}]]",
		"82 81 d47240 91a161 01 c0 c0 81 81 d47240 91a162 01 c0 c0 40":                                                  "unexpected_end",
		"82 81 d47240 91a161 01 c0 c0 81 81 d47240 91a162 01 c0 c0 40 02":                                               "[{[{map[a:1] <nil>}] <nil>} {[{[{map[b:1] <nil>}] <nil>}] map[b:2]}]",
		"82 92 d47240 91a161 01 c0 c0 92 81a16101 c0 c0":                                                                "duplicate_key",
		"92 d47240 91b1" + strings.Repeat("61", 17) + "01 82 91 40 02 c0 91 40 02 c0":                                   "duplicate_key",
		"92 d47240 91b1" + strings.Repeat("61", 17) + "01 82 91 40 02 c0 91 81 b1" + strings.Repeat("61", 17) + "02 c0": "duplicate_key",
	} {
		var v any
		err := polypack.Unmarshal(unhex(t, in), &v, inline, polypack.Lossless)
		got := fmt.Sprint(v)
		var e *polypack.Error
		if errors.As(err, &e) {
			got = string(e.Code)
		}
		if got != want {
			t.Errorf("%s: %s, %v; want %s", in, got, err, want)
		}
	}
}

// TestCanonicalRecordLimit asserts that the names of records, written out each time, stop at MaxBytes, and where.
func TestCanonicalRecordLimit(t *testing.T) {
	name := strings.Repeat("n", 1000)
	in := append(unhex(t, "93 d47240 92 da03e8"), name...)
	in = append(in, unhex(t, "a162 01 02 40 03 04 91 40 05 06")...)
	first, instance := int64(1), int64(len(in)-7)
	names := 1 + 1003 + 2 // with the head of their map
	for _, c := range []struct {
		maxBytes int
		offset   int64
		path     string
	}{
		{1, first, "/0"}, {names - 1, first, "/0"}, {names, instance, "/1"}, {2*names - 1, instance, "/1"}, {2 * names, instance + 4, "/2/0"},
		{3*names - 1, instance + 4, "/2/0"}, {3 * names, 0, ""}, {1 << 30, 0, ""},
	} {
		out, err := polypack.Canonicalize(in, inline, polypack.MaxBytes(c.maxBytes))
		if c.offset == 0 {
			if err != nil || len(out) != 1+3*names+6+1 {
				t.Errorf("MaxBytes %d: %d bytes, %v", c.maxBytes, len(out), err)
			}
			continue
		}
		wantFault(t, err, polypack.CodeLimitExceeded, c.offset, c.path)
	}
	// The names of records in keys count as well, once.
	key := unhex(t, "81 92 d47240 91a161 01 40 02 c0")
	_, err := polypack.Canonicalize(key, inline, polypack.MaxBytes(5))
	wantFault(t, err, polypack.CodeLimitExceeded, 9, "")
	if _, err := polypack.Canonicalize(key, inline, polypack.MaxBytes(6)); err != nil {
		t.Error(err)
	}
	// A declaration of 60 KB and 40,000 instances of two bytes would become 2.4 GB.
	bomb := append(unhex(t, "dd00009c41 d47240 91 daea60"), strings.Repeat("n", 60_000)...)
	bomb = append(bomb, 0xc0)
	bomb = append(bomb, bytes.Repeat([]byte{0x40, 0xc0}, 40_000)...)
	_, err = polypack.Canonicalize(bomb, inline)
	if !errors.Is(err, polypack.CodeLimitExceeded) {
		t.Error(err)
	}
	if bytes := testing.AllocsPerRun(1, func() { _, _ = polypack.Canonicalize(bomb, inline) }); bytes > 50 {
		t.Errorf("it is refused after %v allocations", bytes)
	}
	_, _, err = polypack.IsCanonical(bomb, inline, polypack.MaxBytes(1<<20))
	if !errors.Is(err, polypack.CodeLimitExceeded) {
		t.Error(err)
	}
}

// TestRawRecordLimit asserts that the names of records in all RawMessages of a message together stop at MaxBytes.
func TestRawRecordLimit(t *testing.T) {
	in := unhex(t, "93 d47240 91a361626301 4002 4003")
	for _, mode := range []polypack.Mode{polypack.Default, polypack.Strict} {
		var raw []polypack.RawMessage
		if err := polypack.Unmarshal(in, &raw, inline, mode, polypack.MaxBytes(15)); err != nil || !bytes.Equal(raw[2], unhex(t, "81a361626303")) {
			t.Errorf("%x, %v", raw, err)
		}
		wantFault(t, polypack.Unmarshal(in, &raw, inline, mode, polypack.MaxBytes(14)), polypack.CodeLimitExceeded, 12, "/2")
		var maps []map[string]int // names are shared by these
		if err := polypack.Unmarshal(in, &maps, inline, mode, polypack.MaxBytes(1)); err != nil {
			t.Error(err)
		}
	}
}

// TestRecordsOfFailedCalls asserts that a call that fails takes back what it has declared: the same bytes mean the same
// when they are read again.
func TestRecordsOfFailedCalls(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"92 93 40 d47240 91a161 05 40 06 c0", "[64 map[a:5] map[a:6]]"},
		{"93 d47241 90 93 40 d47240 91a161 05 40 06 c0", "[64 map[a:5] map[a:6]]"},
		{"93 d47240 91a162 01 93 40 02 d47240 91a161 05 40 06 40 07", "[map[b:2] map[a:5] map[a:6]]"},
		{"93 d5726001 91a162 01 93 6001 02 d47260 91a161 05 60 06 60 07", "[map[b:2] map[a:5] map[a:6]]"},
	} {
		in := unhex(t, c.in)
		d := polypack.NewDecoder(in, inline)
		n, err := d.DecodeArrayHeader()
		if err != nil {
			t.Fatal(err)
		}
		if n == 3 {
			if err := d.Skip(); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			before := d.Offset()
			var tuple struct {
				_    struct{} `msgpack:",as_array"`
				N    any
				M    map[string]int
				Text string
			}
			if err := d.Decode(&tuple); err == nil || d.Offset() != before || tuple.M["a"] != 5 {
				t.Fatalf("%s: %v, %v", c.in, tuple, err)
			}
			if _, err := d.DecodeString(); err == nil {
				t.Fatal("an array is a string")
			}
		}
		got, err := d.DecodeAny()
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, %v; want %s", c.in, got, err, c.want)
		}
		if c.in[len(c.in)-2:] == "07" {
			var m map[string]int
			if err := d.Decode(&m); err != nil || m["a"] != 7 {
				t.Errorf("%s: %v, %v", c.in, m, err)
			}
		}
	}
}
