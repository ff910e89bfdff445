package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// TestConversions decodes bytes into targets of other types: what fits exactly is taken, everything else refused.
func TestConversions(t *testing.T) {
	const (
		max64  = "cfffffffffffffffff"
		min64  = "d38000000000000000"
		two53  = "cf0020000000000001" // 2⁵³+1, no float64
		five   = "cb4014000000000000" // 5.0
		half   = "cb3fe0000000000000"
		huge   = "cb7e37e43c8800759c" // 1e300
		inf    = "cb7ff0000000000000"
		nan    = "cb7ff8000000000000"
		two64  = "cb43f0000000000000"
		minF64 = "cbc3e0000000000000" // −2⁶³
	)
	for _, c := range []struct {
		in     string
		target any // the zero value of the target type
		want   any // or the code
	}{
		{"cd012c", int8(0), polypack.CodeOutOfRange}, {"cc80", int8(0), polypack.CodeOutOfRange}, {"7f", int8(0), int8(127)},
		{"ff", uint32(0), polypack.CodeOutOfRange}, {max64, int64(0), polypack.CodeOutOfRange}, {max64, uint64(0), uint64(math.MaxUint64)},
		{min64, int64(0), int64(math.MinInt64)}, {min64, int32(0), polypack.CodeOutOfRange}, {"d005", uint8(0), uint8(5)},
		{"d30000000000000005", uint16(0), uint16(5)}, {"cf000000000000012c", int16(0), int16(300)},
		{five, int(0), 5}, {five, uint8(0), uint8(5)}, {half, int(0), polypack.CodeOutOfRange}, {nan, int(0), polypack.CodeOutOfRange},
		{inf, uint64(0), polypack.CodeOutOfRange}, {two64, uint64(0), polypack.CodeOutOfRange}, {minF64, int64(0), int64(math.MinInt64)},
		{minF64, uint64(0), polypack.CodeOutOfRange}, {"cb8000000000000000", int(0), 0},
		{"05", float64(0), 5.0}, {"fb", float32(0), float32(-5)}, {two53, float64(0), polypack.CodeOutOfRange}, {max64, float64(0), polypack.CodeOutOfRange},
		{"ce01000001", float32(0), polypack.CodeOutOfRange}, {min64, float64(0), -0x1p63}, {huge, float32(0), polypack.CodeOutOfRange},
		{inf, float32(0), float32(math.Inf(1))}, {"cb3fb999999999999a", float32(0), float32(0.1)}, {"ca3fc00000", float64(0), 1.5},
		{"c0", int(0), 0}, {"c0", "", ""}, {"c0", false, false}, {"c0", []int{}, []int(nil)}, {"c0", map[string]int{}, map[string]int(nil)},
		{"c0", ptr(1), (*int)(nil)}, {"c0", named{}, named{}}, {"c0", time.Time{}, time.Time{}}, {"c0", [2]int{}, [2]int{}},
		{"c0", polypack.Ext{}, polypack.Ext{}}, {"c0", polypack.Object{}, polypack.Object(nil)}, {"d40000", int(0), 0}, {"c7010000", "", ""},
		{"d40000", polypack.Ext{}, polypack.Ext{Type: 0, Data: []byte{0}}}, {"c0", make(chan int), (chan int)(nil)},
		{"01", false, polypack.CodeTypeMismatch}, {"c2", int(0), polypack.CodeTypeMismatch}, {"a131", int(0), polypack.CodeTypeMismatch},
		{"01", "", polypack.CodeTypeMismatch}, {"90", "", polypack.CodeTypeMismatch}, {"80", []int{}, polypack.CodeTypeMismatch},
		{"9101", named{}, polypack.CodeTypeMismatch}, {"9101", []byte{}, polypack.CodeTypeMismatch}, {"01", make(chan int), polypack.CodeTypeMismatch},
		{"80", allHidden{}, polypack.CodeTypeMismatch},
		{"d50501ff", time.Time{}, polypack.CodeTypeMismatch}, {"d6ff00000001", int(0), polypack.CodeTypeMismatch}, {"a0", polypack.Ext{}, polypack.CodeTypeMismatch},
		{"d6ff00000001", polypack.Ext{}, polypack.Ext{Type: -1, Data: []byte{0, 0, 0, 1}}}, {"d6ff00000001", polypack.Timestamp{}, polypack.Timestamp{Seconds: 1}},
		{"c70cff000000007fffffffffffffff", time.Time{}, polypack.CodeOutOfRange},
		{"c40161", "", "a"}, {"a161", []byte{}, []byte("a")}, {"a2ff61", "", "\xff\x61"},
		{"9101", [2]int{}, [2]int{1, 0}}, {"93010203", [2]int{}, polypack.CodeTypeMismatch}, {"c403010203", [2]byte{}, polypack.CodeTypeMismatch},
		{"c40101", [2]byte{}, [2]byte{1, 0}}, {"90", named{}, named{}}, {"90", map[string]int{}, map[string]int{}}, {"dc0000", polypack.Object{}, polypack.Object{}},
		{"81 01 02", map[string]int{}, polypack.CodeInvalidKey}, {"81 9101 02", map[any]int{}, polypack.CodeInvalidKey}, {"81 9101 02", map[[1]int]int{}, map[[1]int]int{{1}: 2}},
		{"81 a161 02", map[int]int{}, polypack.CodeInvalidKey}, {"81 cb3ff0000000000000 02", map[int8]int{}, map[int8]int{1: 2}}, {"81 cd012c 02", map[int8]int{}, polypack.CodeOutOfRange},
		{"81 c0 02", map[int]int{}, polypack.CodeInvalidKey}, {"81 c0 02", map[any]int{}, map[any]int{nil: 2}}, {"81 d40000 02", map[any]int{}, map[any]int{nil: 2}},
		{"81 ca3fc00000 02", map[any]int{}, map[any]int{1.5: 2}}, {"81 81a1419101 02", map[struct{ A any }]int{}, polypack.CodeInvalidKey},
		{"82 01 a141 cb3ff0000000000000 a142", map[int]string{}, map[int]string{1: "B"}},
		{"81 a14e 07", named{}, named{7}}, {"82 01 02 a14e 07", named{}, named{7}}, {"82 9101 02 a14e 07", named{}, named{7}},
		{"a161", (*error)(nil), polypack.CodeTypeMismatch},
	} {
		t.Run(fmt.Sprintf("%s into %T", c.in, c.target), func(t *testing.T) {
			target := reflect.New(reflect.TypeOf(c.target))
			if c.target == (*error)(nil) {
				target = reflect.New(reflect.TypeFor[error]())
			}
			err := polypack.Unmarshal(unhex(t, c.in), target.Interface())
			if code, fails := c.want.(polypack.Code); fails {
				if !errors.Is(err, code) {
					t.Errorf("got %v, error %v; want %s", target.Elem(), err, code)
				}
			} else if err != nil || !reflect.DeepEqual(target.Elem().Interface(), c.want) {
				t.Errorf("got %#v, error %v; want %#v", target.Elem(), err, c.want)
			}
		})
	}
}

// TestStrictTargets lists what the mode Default takes and the other modes refuse.
func TestStrictTargets(t *testing.T) {
	for _, c := range []struct {
		in     string
		target any
		code   polypack.Code
		offset int64
		path   string
	}{
		{"90", &named{}, polypack.CodeTypeMismatch, 0, ""},
		{"90", &map[string]int{}, polypack.CodeTypeMismatch, 0, ""},
		{"90", &polypack.Object{}, polypack.CodeTypeMismatch, 0, ""},
		{"c40161", new(string), polypack.CodeTypeMismatch, 0, ""},
		{"a161", &[]byte{}, polypack.CodeTypeMismatch, 0, ""},
		{"91 a1ff", &[]string{}, polypack.CodeInvalidUTF8, 1, "/0"},
		{"82 a14e 01 a14e 02", &named{}, polypack.CodeDuplicateKey, 4, "/N"},
		{"82 a178 01 a178 02", &named{}, polypack.CodeDuplicateKey, 4, "/x"},
		{"82 01 01 d001 02", &named{}, polypack.CodeDuplicateKey, 3, "/1"},
		{"81 a178 82 9101 01 9101 02", &named{}, polypack.CodeDuplicateKey, 7, "/x/#1"},
		{"82 a161 01 d90161 02", &map[string]int{}, polypack.CodeDuplicateKey, 4, "/a"},
		{"82 01 01 cb3ff0000000000000 02", &map[float64]int{}, polypack.CodeDuplicateKey, 3, "/#1"},
		{"82 cb0000000000000000 01 cb8000000000000000 02", &map[float64]int{}, polypack.CodeDuplicateKey, 11, "/#1"},
		{"82 cb7ff8000000000000 01 ca7fc00000 02", &map[float32]int{}, polypack.CodeDuplicateKey, 11, "/#1"},
		{"82 9101 01 9101 02", &map[[2]int]int{}, polypack.CodeDuplicateKey, 4, "/#1"},
		{"82 a161 01 a161 02", &polypack.Object{}, polypack.CodeDuplicateKey, 4, "/a"},
	} {
		for _, mode := range []polypack.Mode{polypack.Strict, polypack.Lossless} {
			t.Run(fmt.Sprintf("%s into %T, mode %d", c.in, c.target, mode), func(t *testing.T) {
				if err := polypack.Unmarshal(unhex(t, c.in), c.target); err != nil {
					t.Errorf("default mode: %v", err)
				}
				fresh := reflect.New(reflect.TypeOf(c.target).Elem()).Interface()
				wantFault(t, polypack.Unmarshal(unhex(t, c.in), fresh, mode), c.code, c.offset, c.path)
			})
		}
	}
}

// TestDefaultDuplicates asserts that the last of equal keys wins, at the place of the first where order shows.
func TestDefaultDuplicates(t *testing.T) {
	in := unhex(t, "84 a161 01 cb7ff8000000000000 02 a161 03 ca7fc00001 04")
	var o polypack.Object
	if err := polypack.Unmarshal(in, &o); err != nil || len(o) != 2 || o[0] != (polypack.Entry{Key: "a", Value: int64(3)}) || o[1].Value != int64(4) {
		t.Errorf("Object: %v, %v", o, err)
	}
	var v any
	if err := polypack.Unmarshal(in, &v); err != nil {
		t.Fatal(err)
	}
	m := v.(map[any]any)
	if len(m) != 2 || m["a"] != int64(3) {
		t.Errorf("any: %v", m)
	}
	for key, value := range m {
		if f, ok := key.(float64); ok && (f == f || value != int64(4)) {
			t.Errorf("NaN holds %v", value)
		}
	}
	typed := map[float64]int{}
	if err := polypack.Unmarshal(unhex(t, "83 cb7ff8000000000000 02 01 03 ca7fc00001 04"), &typed); err != nil || len(typed) != 2 || typed[1] != 3 {
		t.Errorf("map[float64]int: %v, %v", typed, err)
	}
}

// TestMerge asserts what decoding keeps of the target, and that strict mode does not mistake old entries for
// duplicates.
func TestMerge(t *testing.T) {
	type T struct {
		A, B int
		M    map[string]int
		P    *named
		S    []*int
		L    []named
	}
	inner := &named{5}
	v := T{A: 1, B: 2, M: map[string]int{"old": 1, "k": 1}, P: inner, S: []*int{ptr(1), ptr(2)}, L: []named{{1}, {2}}}
	in := mustMarshal(t, map[string]any{"B": 3, "M": map[string]int{"k": 9}, "P": map[string]any{}, "S": []any{nil}, "L": []any{map[string]any{}}})
	for _, mode := range []polypack.Mode{polypack.Default, polypack.Strict} {
		if err := polypack.Unmarshal(in, &v, mode); err != nil {
			t.Fatal(err)
		}
		want := T{A: 1, B: 3, M: map[string]int{"old": 1, "k": 9}, P: inner, S: []*int{nil}, L: []named{{0}}}
		if !reflect.DeepEqual(v, want) || v.P != inner {
			t.Errorf("mode %d: got %+v, want %+v", mode, v, want)
		}
	}
}

// TestNoAlias asserts that results share no memory with the input.
func TestNoAlias(t *testing.T) {
	type T struct {
		S string
		B []byte
		A any
		X polypack.Ext
		M map[string]any
		O polypack.Object
	}
	v := T{"text", []byte("bytes"), []any{"x", []byte("y"), polypack.Ext{Type: 3, Data: []byte("ext")}}, polypack.Ext{Type: 1, Data: []byte("z")},
		map[string]any{"key": "value"}, polypack.Object{{Key: []any{"k"}, Value: []byte("v")}}}
	data := mustMarshal(t, v)
	var got T
	if err := polypack.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = 0xaa
	}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("changing the input changed the result: %+v", got)
	}
}

func TestUnmarshalUsage(t *testing.T) {
	for _, target := range []any{nil, 5, named{}, (*int)(nil), map[string]int{}} {
		wantUsage(t, polypack.Unmarshal([]byte{1}, target), "Unmarshal")
		wantUsage(t, polypack.NewDecoder([]byte{1}).Decode(target), "Decode")
		wantUsage(t, polypack.NewStreamDecoder(bytes.NewReader([]byte{1})).Decode(target), "StreamDecoder.Decode")
	}
	var v any
	wantUsage(t, polypack.Unmarshal([]byte{1}, &v, nil), "Option")
	wantUsage(t, polypack.Unmarshal([]byte{1}, &v, polypack.Mode(9)), "Mode")
	wantUsage(t, polypack.Unmarshal([]byte{1}, &v, polypack.Records(9)), "Records")
	wantUsage(t, polypack.Unmarshal([]byte{1}, &v, polypack.MaxDepth(100_001)), "MaxDepth")
	wantUsage(t, polypack.Unmarshal([]byte{1}, &v, polypack.MaxValues(0)), "MaxValues")
	wantUsage(t, polypack.NewStreamDecoder(bytes.NewReader(nil), polypack.MaxBytes(0)).Decode(&v), "MaxBytes")
}

func TestUnmarshalPaths(t *testing.T) {
	type T struct {
		Staff []struct {
			Name string
			Tags map[string]int
		}
		ByID map[int8]map[[2]byte]bool
	}
	for _, c := range []struct {
		in     string
		code   polypack.Code
		offset int64
		path   string
	}{
		{"81 a55374616666 92 80 81 a44e616d65 05", polypack.CodeTypeMismatch, 15, "/Staff/1/Name"},
		{"81 a55374616666 91 81 a454616773 81 a3612f7e c3", polypack.CodeTypeMismatch, 19, "/Staff/0/Tags/a~1~0"},
		{"81 a442794944 81 d080 81 c4020aff 05", polypack.CodeTypeMismatch, 14, "/ByID/-128/0x0aff"},
		{"81 a442794944 81 cc80 80", polypack.CodeOutOfRange, 7, "/ByID"},
		{"81 a5616263ff7e 92 01 81 c3 c1", polypack.CodeReservedByte, 11, "/abc\uFFFD~0/1/#0"},
		{"81 a55374616666 91 81 a44e616d65 a401", polypack.CodeUnexpectedEnd, 14, "/Staff/0/Name"},
		{"81 a178 91 d6ff", polypack.CodeUnexpectedEnd, 4, "/x/0"},
		{"81 a178 d4ff00", polypack.CodeInvalidTimestamp, 3, "/x"},
		{"80 80", polypack.CodeTrailingData, 1, ""},
	} {
		t.Run(c.in, func(t *testing.T) {
			var v T
			wantFault(t, polypack.Unmarshal(unhex(t, c.in), &v), c.code, c.offset, c.path)
		})
	}
}
