package polypack_test

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

func TestDecoder(t *testing.T) {
	d := polypack.NewDecoder(unhex(t, "9c c0 c3 d0df cd012c ca3fc00000 cb3ff0000000000000 a2c3a9 c40200ff 81a16b92c2c3 c70005 d6ff00000001 9101 05"))
	check := func(name string, got, want any, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
	}
	n, err := d.DecodeArrayHeader()
	check("array", n, 12, err)
	check("nil", nil, nil, d.DecodeNil())
	b, err := d.DecodeBool()
	check("bool", b, true, err)
	i, err := d.DecodeInt()
	check("int", i, int64(-33), err)
	u, err := d.DecodeUint()
	check("uint", u, uint64(300), err)
	f32, err := d.DecodeFloat32()
	check("float32", f32, float32(1.5), err)
	f64, err := d.DecodeFloat64()
	check("float64", f64, 1.0, err)
	s, err := d.DecodeString()
	check("string", s, "é", err)
	raw, err := d.DecodeBytes()
	check("bytes", raw, []byte{0, 255}, err)
	n, err = d.DecodeMapHeader()
	check("map", n, 1, err)
	s, err = d.DecodeString()
	check("key", s, "k", err)
	check("skip", nil, nil, d.Skip())
	x, err := d.DecodeExt()
	check("ext", x, polypack.Ext{Type: 5, Data: []byte{}}, err)
	at, err := d.DecodeTimestamp()
	check("timestamp", at, time.Unix(1, 0).UTC(), err)
	if !d.More() {
		t.Error("More says no before the last element")
	}
	a, err := d.DecodeAny()
	check("any", a, []any{int64(1)}, err)
	if !d.More() || d.Offset() != 46 {
		t.Errorf("More %v, Offset %d", d.More(), d.Offset())
	}
	wantFault(t, d.Finish(), polypack.CodeTrailingData, 46, "")
	var five int8
	check("second value", nil, nil, d.Decode(&five))
	check("finish", nil, nil, d.Finish())
	if d.More() || five != 5 {
		t.Errorf("More %v, last value %d", d.More(), five)
	}
	wantFault(t, d.DecodeNil(), polypack.CodeUnexpectedEnd, 47, "")
}

// TestDecoderStays asserts that a failed call leaves the decoder in front of the value.
func TestDecoderStays(t *testing.T) {
	d := polypack.NewDecoder(unhex(t, "82 a161 92 01 a162 9105 06"))
	if _, err := d.DecodeMapHeader(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.DecodeString(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.DecodeArrayHeader(); err != nil {
		t.Fatal(err)
	}
	var text []string
	for range 3 {
		wantFault(t, d.Decode(&text), polypack.CodeTypeMismatch, 4, "/a/0")
	}
	if err := d.Skip(); err != nil {
		t.Fatal(err)
	}
	_, err := d.DecodeInt()
	wantFault(t, err, polypack.CodeTypeMismatch, 5, "/a/1")
	wantFault(t, d.Finish(), polypack.CodeUnexpectedEnd, 5, "")
	if _, err := d.DecodeString(); err != nil {
		t.Fatal(err)
	}
	_, err = d.DecodeString() // the second key is an array
	wantFault(t, err, polypack.CodeTypeMismatch, 7, "")
	wantFault(t, d.Decode(&text), polypack.CodeTypeMismatch, 8, "")
	var key []int
	if err := d.Decode(&key); err != nil || key[0] != 5 {
		t.Fatal(err)
	}
	_, err = d.DecodeString()
	wantFault(t, err, polypack.CodeTypeMismatch, 9, "/#1")
	if err := errors.Join(d.Skip(), d.Finish()); err != nil {
		t.Error(err)
	}
}

func TestDecoderLimits(t *testing.T) {
	d := polypack.NewDecoder(unhex(t, "92 91 01 93 01 02 03"))
	_, _ = d.DecodeArrayHeader()
	_, err := d.DecodeArrayHeader()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = d.DecodeInt(); err != nil {
		t.Fatal(err)
	}
	d = polypack.NewDecoder(unhex(t, "93 a161 91 01"))
	_, _ = d.DecodeArrayHeader()
	_, _ = d.DecodeString()
	_, err = d.DecodeArrayHeader()
	wantFault(t, err, polypack.CodeUnexpectedEnd, 3, "/1")
	d = polypack.NewDecoder(unhex(t, "91 90 91 90"), polypack.MaxDepth(1), polypack.MaxValues(2))
	for _, offset := range []int64{1, 3} { // the limits are those of each message
		if _, err = d.DecodeArrayHeader(); err != nil {
			t.Fatal(err)
		}
		wantFault(t, d.Skip(), polypack.CodeLimitExceeded, offset, "/0")
		d = polypack.NewDecoder(unhex(t, "c0 c0 91 90"), polypack.MaxDepth(1), polypack.MaxValues(2))
		if err = errors.Join(d.Skip(), d.Skip()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDecodeAny(t *testing.T) {
	for _, c := range []struct {
		in   string
		want any
		opts []polypack.Option
	}{
		{"c0", nil, nil}, {"d40000", nil, nil}, {"d40000", polypack.Ext{Data: []byte{0}}, []polypack.Option{polypack.Lossless}},
		{"7f", int64(127), nil}, {"cf7fffffffffffffff", int64(math.MaxInt64), nil}, {"cf8000000000000000", uint64(1 << 63), nil},
		{"ca3fc00000", float32(1.5), nil}, {"cb3ff8000000000000", 1.5, nil}, {"a0", "", nil}, {"c400", []byte{}, nil}, {"90", []any{}, nil},
		{"80", map[string]any{}, nil}, {"81a16101", map[string]any{"a": int64(1)}, nil},
		{"82a1610102a162", map[any]any{"a": int64(1), int64(2): "b"}, nil},
		{"82a1610102a162", map[any]any{"a": int64(1), int64(2): "b"}, []polypack.Option{polypack.Strict}},
		{"82a1610102a162", polypack.Object{{Key: "a", Value: int64(1)}, {Key: int64(2), Value: "b"}}, []polypack.Option{polypack.Lossless}},
		{"81 c40161 01", map[string]any{"a": int64(1)}, nil}, {"82 01c0 c40161c0", map[any]any{int64(1): nil, "a": nil}, nil},
		{"81 c40161 01", polypack.Object{{Key: []byte("a"), Value: int64(1)}}, []polypack.Option{polypack.Lossless}},
		{"81 82 02c0 01c0 c0", polypack.Object{{Key: polypack.Object{{Key: int64(2)}, {Key: int64(1)}}}}, []polypack.Option{polypack.Lossless}},
		{"d6ff00000001", time.Unix(1, 0).UTC(), nil}, {"c70cff000000008000000000000000", polypack.Timestamp{Seconds: math.MinInt64}, []polypack.Option{polypack.Lossless}},
		{"d57201ff", polypack.Ext{Type: 0x72, Data: []byte{1, 255, 0}}, nil},
	} {
		in := unhex(t, c.in)
		if c.in == "d57201ff" { // three bytes of type 0x72 are an ordinary ext
			in = unhex(t, "c70372 01ff00")
		}
		var got any
		if err := polypack.Unmarshal(in, &got, c.opts...); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%x: %#v, %v; want %#v", in, got, err, c.want)
		}
	}
}

// TestKeysOfAny lists keys that a Go map cannot hold, and where that is noticed.
func TestKeysOfAny(t *testing.T) {
	for _, c := range []struct {
		in     string
		code   polypack.Code
		offset int64
	}{
		{"81 9101 02", polypack.CodeInvalidKey, 1}, {"81 80 02", polypack.CodeInvalidKey, 1}, {"81 d40500 02", polypack.CodeInvalidKey, 1},
		{"81 d4050102", polypack.CodeInvalidKey, 1}, {"81 dcffff", polypack.CodeInvalidKey, 1}, {"82 c0 01 d4000100", polypack.CodeInvalidKey, 3},
		{"81 c1 00", polypack.CodeReservedByte, 1}, {"82 c0c0 d6ff", polypack.CodeUnexpectedEnd, 3}, {"81 d47240", polypack.CodeInvalidKey, 1},
		{"81 d4ff0001", polypack.CodeInvalidTimestamp, 1},
	} {
		var v any
		wantFault(t, polypack.Unmarshal(unhex(t, c.in), &v), c.code, c.offset, "")
	}
}

func TestSkipAllocatesNothing(t *testing.T) {
	data := mustMarshal(t, map[string]any{"a": []any{1, "x", []byte("b"), map[any]any{1: 2, "k": nil}, time.Unix(0, 1)}, "b": map[string]any{}})
	d := polypack.NewDecoder(data)
	allocations := testing.AllocsPerRun(100, func() {
		*d = *polypack.NewDecoder(data)
		if err := d.Skip(); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 1 { // the decoder itself
		t.Errorf("Skip allocated %v times", allocations)
	}
}

// A failingReader fails to read any value.
type failingReader struct{}

func (*failingReader) UnmarshalMsgpack([]byte) error { return errOwn }

// Calls that fail don't count for limits of later calls.
func TestFailedCallsLeaveNoCounts(t *testing.T) {
	d := polypack.NewDecoder(unhex(t, "cd012c 05"))
	for range 200 {
		var in int8
		var v any = &in
		wantFault(t, d.Decode(&v), polypack.CodeOutOfRange, 0, "")
	}
	inline := polypack.Records(polypack.RecordsInline)
	d = polypack.NewDecoder(unhex(t, "91 d4724091a161 c0"), inline, polypack.MaxBytes(50))
	if _, err := d.DecodeArrayHeader(); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		wantFault(t, d.Decode(new(failingReader)), polypack.CodeTypeMismatch, 1, "/0")
	}
	long := longNamed(1<<20, 3)
	long[len(long)-1] = 0xc1
	d = polypack.NewDecoder(long, inline)
	if _, err := d.DecodeArrayHeader(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := d.DecodeAny(); err != nil {
			t.Fatal(err)
		}
	}
	for range 500 {
		if _, err := d.DecodeAny(); !errors.Is(err, polypack.CodeReservedByte) {
			t.Fatal(err)
		}
	}
}
