package polypack_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type (
	named      struct{ N int }
	namedInt   int16
	namedText  string
	namedBytes []byte
	byteKind   uint8
	recursive  struct {
		V    int
		Next *recursive            `msgpack:",omitempty"`
		List []recursive           `msgpack:",omitempty"`
		Map  map[string]*recursive `msgpack:",omitempty"`
	}
	pair[A, B any] struct {
		First  A
		Second B
	}
)

func ptr[T any](v T) *T { return &v }

// TestRoundTrip sends a value of every supported shape through Marshal and Unmarshal, alone and as a field. The rows
// are those of the type matrix that libraries are compared by.
func TestRoundTrip(t *testing.T) {
	moment := time.Date(2026, 3, 1, 12, 30, 0, 123456789, time.UTC)
	for _, c := range []struct {
		name string
		v    any
	}{
		{"bool", true}, {"int", -5}, {"int8", int8(-128)}, {"int16", int16(-129)}, {"int32", int32(1 << 30)},
		{"int64 min", int64(math.MinInt64)}, {"int64 max", int64(math.MaxInt64)},
		{"uint", uint(7)}, {"uint8", uint8(255)}, {"uint16", uint16(65535)}, {"uint32", uint32(math.MaxUint32)},
		{"uint64 max", uint64(math.MaxUint64)}, {"uintptr", uintptr(9)},
		{"float32", float32(1.5)}, {"float64", 0.1}, {"integral float", 1.0}, {"negative zero", math.Copysign(0, -1)},
		{"string", "héllo"}, {"empty string", ""}, {"long string", strings.Repeat("x", 70_000)},
		{"[]byte", []byte{0, 1, 255}}, {"empty []byte", []byte{}}, {"nil []byte", []byte(nil)},
		{"[16]byte", [16]byte{1, 2, 3, 15: 9}}, {"[0]byte", [0]byte{}}, {"[2]byteKind", [2]byteKind{3, 4}}, {"[]byteKind", []byteKind{1, 2}},
		{"named bytes", namedBytes{5}}, {"[][]byte", [][]byte{{1}, nil, {}}},
		{"named int", namedInt(-3)}, {"named string", namedText("n")}, {"time.Duration", time.Second},
		{"[]int", []int{1, 1000, -70000}}, {"nil []int", []int(nil)}, {"empty []int", []int{}}, {"[3]int", [3]int{1, 2, 3}},
		{"[]bool", []bool{true, false}}, {"[][]int", [][]int{{1}, {2, 3}, nil}}, {"[]string", []string{"a", ""}},
		{"[]any", []any{int64(1), "x", nil, 1.5, []any{true}}},
		{"map[string]int", map[string]int{"a": 1, "bb": 2}}, {"nil map", map[string]int(nil)}, {"empty map", map[string]int{}},
		{"map[int]string", map[int]string{-1: "a", 300: "b"}}, {"map[uint8]bool", map[uint8]bool{200: true}},
		{"map[bool]int", map[bool]int{true: 1, false: 0}}, {"map[float64]int", map[float64]int{1.5: 1, -2: 2}},
		{"map[namedText]namedInt", map[namedText]namedInt{"k": 4}}, {"map[string][]int", map[string][]int{"k": {1, 2}}},
		{"map[string]map[string]int", map[string]map[string]int{"a": {"b": 1}}}, {"map[string]any", map[string]any{"a": int64(1), "b": nil}},
		{"map[any]any", map[any]any{int64(1): "x", "y": true, nil: nil, 2.5: nil, true: nil}},
		{"map[[2]int]string", map[[2]int]string{{1, 2}: "x"}}, {"map[[4]byte]int", map[[4]byte]int{{9, 8}: 1}},
		{"map[struct]int", map[named]int{{1}: 2, {3}: 4}}, {"map[time.Time]int", map[time.Time]int{moment: 1}},
		{"map[Timestamp]int", map[polypack.Timestamp]int{{Seconds: 1}: 1}},
		{"map[string]struct", map[string]named{"k": {1}}}, {"map[string]*struct", map[string]*named{"k": {1}, "n": nil}},
		{"map[string]time.Time", map[string]time.Time{"k": moment}},
		{"pointer to int", ptr(7)}, {"pointer to struct", &named{1}}, {"pointer to pointer", ptr(ptr(5))}, {"nil pointer", (*int)(nil)},
		{"[]struct", []named{{1}, {2}}}, {"[]*struct with nil", []*named{{1}, nil}},
		{"time.Time", moment}, {"zero time.Time", time.Time{}}, {"time before 1970", time.Date(1901, 1, 1, 0, 0, 0, 1, time.UTC)},
		{"*time.Time", &moment}, {"[]time.Time", []time.Time{moment, {}}},
		{"Timestamp", polypack.Timestamp{Seconds: math.MinInt64, Nanoseconds: 999_999_999}},
		{"Ext", polypack.Ext{Type: 5, Data: []byte{1, 2, 3}}}, {"Ext without data", polypack.Ext{Type: -7, Data: []byte{}}},
		{"Object", polypack.Object{{Key: int64(2), Value: "b"}, {Key: "a", Value: []any{}}, {Key: []any{int64(1)}, Value: nil}}},
		{"recursive", recursive{V: 1, Next: &recursive{V: 2}, List: []recursive{{V: 3}}, Map: map[string]*recursive{"a": {V: 4}}}},
		{"generic", pair[int, []string]{1, []string{"x"}}},
		{"anonymous struct", struct{ In struct{ A, B int } }{struct{ A, B int }{1, 2}}},
		{"any in struct", struct{ V any }{map[string]any{"k": "v"}}},
		{"wide struct", struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q int }{A: 1, Q: 17}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, mode := range []polypack.Option{polypack.Default, polypack.Strict, polypack.Lossless} {
				roundTrip(t, c.v, mode)
				field := reflect.New(reflect.StructOf([]reflect.StructField{
					{Name: "Before", Type: reflect.TypeFor[string]()}, {Name: "F", Type: reflect.TypeOf(c.v)}, {Name: "After", Type: reflect.TypeFor[int]()},
				})).Elem()
				field.Field(0).SetString("before")
				field.Field(1).Set(reflect.ValueOf(c.v))
				field.Field(2).SetInt(99)
				roundTrip(t, field.Interface(), mode)
			}
		})
	}
}

func roundTrip(t *testing.T, v any, opts ...polypack.Option) {
	t.Helper()
	data := mustMarshal(t, v, opts...)
	got := reflect.New(reflect.TypeOf(v))
	if err := polypack.Unmarshal(data, got.Interface(), opts...); err != nil {
		t.Fatalf("Unmarshal %x into %T: %v", data, v, err)
	}
	if !reflect.DeepEqual(got.Elem().Interface(), v) {
		t.Errorf("%x: got %+v, want %+v", data, got.Elem().Interface(), v)
	}
	if again := mustMarshal(t, got.Elem().Interface(), opts...); !bytes.Equal(again, data) {
		t.Errorf("encoded again: %x, want %x", again, data)
	}
}

type allHidden struct{ a, b int }

func TestMarshalBytes(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
		opts []polypack.Option
	}{
		{nil, "c0", nil},
		{time.Unix(1, 0), "d6ff00000001", nil},
		{time.Unix(0, 1), "d7ff0000000400000000", nil},
		{time.Unix(-1, 999_999_999), "c70cff3b9ac9ffffffffffffffffff", nil},
		{math.NaN(), "cb7ff8000000000000", nil},
		{float32(math.NaN()), "cb7ff8000000000000", nil},
		{float32(1.5), "ca3fc00000", nil},
		{uint8(100), "64", nil},
		{uint8(100), "cc64", []polypack.Option{polypack.Records(polypack.RecordsInline)}},
		{int64(127), "cc7f", []polypack.Option{polypack.Records(polypack.RecordsInline)}},
		{63, "3f", []polypack.Option{polypack.Records(polypack.RecordsInline)}},
		{map[string]int{"b": 1, "aa": 3, "a": 2}, "83a16102a16201a2616103", nil},
		{map[any]any{"b": 1, 7: 4, -1: 5, false: 6}, "8407 04 a16201 c206 ff05", nil},
		{map[uint8]int{100: 1, 1: 2}, "82 01 02 cc64 01", []polypack.Option{polypack.Records(polypack.RecordsInline)}},
		{struct{ B, A int }{1, 2}, "82a14201a14102", nil},
		{polypack.Object{{Key: "b", Value: 1}, {Key: "a", Value: 2}}, "82a16201a16102", nil},
		{(*named)(nil), "c0", nil},
		{(error)(nil), "c0", nil},
		{struct{}{}, "80", nil},
		{struct {
			a int `msgpack:"-"`
		}{1}, "80", nil},
		{struct {
			allHidden
			X int
		}{X: 1}, "81a15801", nil},
	} {
		if got := hex.EncodeToString(mustMarshal(t, c.v, c.opts...)); got != strings.ReplaceAll(c.want, " ", "") {
			t.Errorf("Marshal(%#v) = %s, want %s", c.v, got, c.want)
		}
	}
}

func TestAppend(t *testing.T) {
	got, err := polypack.Append([]byte{0x01}, "a")
	if err != nil || !bytes.Equal(got, []byte{0x01, 0xa1, 'a'}) {
		t.Errorf("Append = %x, %v", got, err)
	}
	before := []byte{0x01, 0x02}
	got, err = polypack.Append(before, []any{1, make(chan int)})
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "/1")
	if !bytes.Equal(got, before) {
		t.Errorf("a failed Append returned %x", got)
	}
}

func TestMarshalFaults(t *testing.T) {
	type cycle struct {
		Next *cycle
		M    map[string]any
	}
	loop := &cycle{}
	loop.Next = loop
	inMap := map[string]any{}
	inMap["m"] = inMap
	var inSlice []any
	inSlice = append(inSlice, nil)
	inSlice[0] = inSlice
	var self any
	self = &self
	type endless *endless
	var chain endless
	chain = &chain
	badText := "\xff"
	for _, c := range []struct {
		name string
		v    any
		code polypack.Code
		path string
		opts []polypack.Option
	}{
		{"chan", make(chan int), polypack.CodeUnsupportedValue, "", nil},
		{"nil chan in a field", struct{ C chan int }{}, polypack.CodeUnsupportedValue, "/C", nil},
		{"func in a map", map[string]any{"a/b~": func() {}}, polypack.CodeUnsupportedValue, "/a~1b~0", nil},
		{"complex in a list", []any{1, complex(1, 2)}, polypack.CodeUnsupportedValue, "/1", nil},
		{"chan as a key", map[string]any{"m": map[any]int{make(chan int): 1}}, polypack.CodeUnsupportedValue, "/m", nil},
		{"pointer to itself", &self, polypack.CodeLimitExceeded, "", nil},
		{"pointers without end", chain, polypack.CodeUnsupportedValue, "", nil},
		{"struct that can only be read", oneWay{5}, polypack.CodeUnsupportedValue, "", nil},
		{"unknown tag option", struct {
			A int `msgpack:"a,as_array"`
		}{}, polypack.CodeUnsupportedValue, "", nil},
		{"two fields with one name", struct {
			A int `msgpack:"x"`
			B int `msgpack:"x,omitempty"`
		}{}, polypack.CodeUnsupportedValue, "", nil},
		{"a field with the name of another", []any{struct {
			B int
			C int `msgpack:"B"`
		}{}}, polypack.CodeUnsupportedValue, "/0", nil},
		{"fields that are all hidden", struct{ a, b int }{1, 2}, polypack.CodeUnsupportedValue, "", nil},
		{"hidden fields in an embedded struct", struct{ allHidden }{}, polypack.CodeUnsupportedValue, "", nil},
		{"a field that hides all it has", struct{ In allHidden }{allHidden{1, 2}}, polypack.CodeUnsupportedValue, "/In", nil},
		{"a number that only its methods show", []any{&atomic.Int64{}}, polypack.CodeUnsupportedValue, "/0", nil},
		{"struct in itself", loop, polypack.CodeLimitExceeded, strings.Repeat("/Next", 512), nil},
		{"map in itself", inMap, polypack.CodeLimitExceeded, "/m/m/m", []polypack.Option{polypack.MaxDepth(3)}},
		{"slice in itself", inSlice, polypack.CodeLimitExceeded, "/0/0", []polypack.Option{polypack.MaxDepth(2)}},
		{"no container allowed", []int{}, polypack.CodeLimitExceeded, "", []polypack.Option{polypack.MaxDepth(0)}},
		{"text in strict mode", []string{"a", badText}, polypack.CodeInvalidUTF8, "/1", []polypack.Option{polypack.Strict}},
		{"key in lossless mode", map[string]any{"m": map[string]int{badText: 1}}, polypack.CodeInvalidUTF8, "/m", []polypack.Option{polypack.Lossless}},
		{"two Go types, one key", map[any]any{int64(1): "a", int32(1): "b"}, polypack.CodeDuplicateKey, "/1", nil},
		{"two widths, one key", map[any]any{float32(1.5): "a", 1.5: "b"}, polypack.CodeDuplicateKey, "/#1", nil},
		{"two NaN", map[float64]int{math.NaN(): 1, math.Float64frombits(0x7ff8000000000001): 2}, polypack.CodeDuplicateKey, "/#1", nil},
		{"Object with equal keys", []any{polypack.Object{{Key: "k"}, {Key: "k"}}}, polypack.CodeDuplicateKey, "/0/k", nil},
		{"Object with equal map keys", polypack.Object{
			{Key: polypack.Object{{Key: 1}, {Key: 2}}}, {Key: polypack.Object{{Key: 2}, {Key: 1}}},
		}, polypack.CodeDuplicateKey, "/#1", nil},
		{"equal keys in a key", polypack.Object{{Key: []any{polypack.Object{{Key: 1}, {Key: uint8(1)}}}}}, polypack.CodeDuplicateKey, "", nil},
		{"Ext that declares a record", []any{polypack.Ext{Type: 0x72, Data: []byte{0x40}}}, polypack.CodeInvalidRecord, "/0", nil},
		{"Ext that is no timestamp", polypack.Ext{Type: -1, Data: []byte{1}}, polypack.CodeInvalidTimestamp, "", nil},
		{"Timestamp", polypack.Timestamp{Nanoseconds: 1_000_000_000}, polypack.CodeInvalidTimestamp, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := polypack.Marshal(c.v, c.opts...)
			wantFault(t, err, c.code, -1, c.path)
			if len(data) != 0 {
				t.Errorf("a failed Marshal returned %x", data)
			}
		})
	}
}

func TestEncoder(t *testing.T) {
	e := polypack.NewEncoder([]byte{0xff})
	for _, err := range []error{
		e.EncodeArrayHeader(11), e.EncodeNil(), e.EncodeBool(true), e.EncodeInt(-33), e.EncodeUint(300), e.EncodeFloat32(1.5),
		e.EncodeFloat64(1), e.EncodeString("é"), e.EncodeBytes([]byte{0, 255}), e.EncodeMapHeader(0), e.EncodeExt(polypack.Ext{Type: 5}),
		e.EncodeTimestamp(time.Unix(1, 0)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "ff 9b c0 c3 d0df cd012c ca3fc00000 cb3ff0000000000000 a2c3a9 c40200ff 80 c70005 d6ff00000001"
	if !bytes.Equal(e.Bytes(), unhex(t, want)) {
		t.Errorf("got %x, want %s", e.Bytes(), want)
	}
	wantFault(t, e.Encode([]any{func() {}}), polypack.CodeUnsupportedValue, -1, "/0")
	wantFault(t, e.EncodeExt(polypack.Ext{Type: 0x72, Data: []byte{1, 2}}), polypack.CodeInvalidRecord, -1, "")
	wantUsage(t, e.EncodeArrayHeader(-1), "EncodeArrayHeader")
	wantUsage(t, e.EncodeMapHeader(-1), "EncodeMapHeader")
	if !bytes.Equal(e.Bytes(), unhex(t, want)) {
		t.Errorf("failed calls appended something: %x", e.Bytes())
	}
	e.Reset(nil)
	if err := e.Encode(named{7}); err != nil || !bytes.Equal(e.Bytes(), unhex(t, "81a14e07")) {
		t.Errorf("after Reset: %x, %v", e.Bytes(), err)
	}
	misused := polypack.NewEncoder(nil, polypack.MaxDepth(-1))
	for _, err := range []error{misused.EncodeNil(), misused.EncodeInt(1), misused.EncodeString(""), misused.EncodeArrayHeader(1), misused.Encode(1)} {
		wantUsage(t, err, "MaxDepth")
	}
	if len(misused.Bytes()) != 0 {
		t.Errorf("a misused encoder wrote %x", misused.Bytes())
	}
}

// oneWay has a method to read its content, and nothing to write it.
type oneWay struct{ n int }

func (*oneWay) UnmarshalText([]byte) error { return nil }
