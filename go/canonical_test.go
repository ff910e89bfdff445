package polypack_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

func TestCanonicalize(t *testing.T) {
	for in, want := range map[string]string{
		"84 a162 01 a161 02 a26161 03 07 04": "84 07 04 a161 02 a162 01 a26161 03",
		"ca3fc00000":                         "cb3ff8000000000000",
		"cb7ff8000000000001":                 "cb7ff8000000000000",
		"cb8000000000000000":                 "cb8000000000000000",
		"cb3ff0000000000000":                 "cb3ff0000000000000",
		"c70200 d9 00":                       "d500d900",
		"c70100 00":                          "d40000",
		"c704ff 00000001":                    "d6ff00000001",
		"d7ff 0000000000000001":              "d6ff00000001",
		"82 82 02c0 01c0 05 81 c3c2 06":      "82 81 c3c2 06 82 01c0 02c0 05",
		"dd00000002 df00000000 da0001 61":    "92 80 a161",
		"8a 09c0 08c0 07c0 06c0 05c0 04c0 03c0 02c0 01c0 00c0": "8a 00c0 01c0 02c0 03c0 04c0 05c0 06c0 07c0 08c0 09c0",
	} {
		got, err := polypack.Canonicalize(unhex(t, in))
		if err != nil || !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%s: %x, %v; want %s", in, got, err, want)
		}
		if again, ok, err := polypack.IsCanonical(got); !ok || err != nil || again != -1 {
			t.Errorf("%x is not canonical: %d, %v", got, again, err)
		}
	}
}

func TestCanonicalFaults(t *testing.T) {
	for in, fault := range map[string]struct {
		code   polypack.Code
		offset int64
		path   string
	}{
		"82 01 02 d001 03":                          {polypack.CodeDuplicateKey, 3, "/1"},
		"91 82 ca3fc00000 c0 cb3ff8000000000000 c0": {polypack.CodeDuplicateKey, 8, "/0/#1"},
		"81 82 01 c0 01 c0 c0":                      {polypack.CodeDuplicateKey, 4, ""},
		"82 82 01c0 02c0 03 82 02c0 01c0 04":        {polypack.CodeDuplicateKey, 7, "/#1"},
		"a1ff":                                      {polypack.CodeInvalidUTF8, 0, ""},
		"c0c0":                                      {polypack.CodeTrailingData, 1, ""},
		"":                                          {polypack.CodeUnexpectedEnd, 0, ""},
	} {
		_, err := polypack.Canonicalize(unhex(t, in))
		wantFault(t, err, fault.code, fault.offset, fault.path)
		// The mode is Lossless whatever the options say.
		_, ok, err := polypack.IsCanonical(unhex(t, in), polypack.Default)
		wantFault(t, err, fault.code, fault.offset, fault.path)
		if ok {
			t.Errorf("%s is canonical", in)
		}
	}
	_, err := polypack.MarshalCanonical([]any{"\xff"})
	wantFault(t, err, polypack.CodeInvalidUTF8, -1, "/0")
}

// TestIntegralFloatsAsInts asserts what the vectors can't ask: values of the host, and where the error is.
func TestIntegralFloatsAsInts(t *testing.T) {
	ints := polypack.IntegralFloatsAsInts(true)
	for _, c := range []struct {
		value any
		want  string
	}{
		{map[string]any{"price": 10.0}, "81 a57072696365 0a"},
		{[]float32{1, -0x1p40, 1.5, float32(math.Inf(1))}, "94 01 d3ffffff0000000000 cb3ff8000000000000 cb7ff0000000000000"},
		{[]float64{math.Copysign(0, -1), 0x1p53, 0x1p64, math.NaN()}, "94 00 cf0020000000000000 cb43f0000000000000 cb7ff8000000000000"},
		{map[float64]int{1.5: 1, 2: 2}, "82 02 02 cb3ff8000000000000 01"},
	} {
		got, err := polypack.MarshalCanonical(c.value, ints)
		if err != nil || !bytes.Equal(got, unhex(t, c.want)) {
			t.Errorf("%v: %x, %v; want %s", c.value, got, err, c.want)
		}
		if _, ok, err := polypack.IsCanonical(got, ints); !ok || err != nil {
			t.Errorf("%x is not canonical: %v", got, err)
		}
	}
	for in, path := range map[string]string{
		"82 01 c0 cb3ff0000000000000 c0":                   "/1",
		"91 82 ca3f800000 c0 cf0000000000000001 c0":        "/0/1",
		"81 ca3f800000 82 00 c0 ca80000000 c0":             "/1/0",
		"82 cb0000000000000000 c0 ca80000000 c0":           "/0",
		"81 82 01 c0 ca3f800000 c0 c0":                     "",
		"82 9101 01 91ca3f800000 02":                       "/#1",
		"d47240 91 a161 82 01 c0 ca3f800000 c0":            "/a/1",
		"82 01 c0 cb3ff0000000000000 81 01 81 02 81 03 c0": "/1",
	} {
		_, err := polypack.Canonicalize(unhex(t, in), ints, inline)
		wantFault(t, err, polypack.CodeDuplicateKey, -1, path)
		if want := "the key occurs twice in its map when floats are written as ints"; !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", in, err, want)
		}
		if data, err := polypack.Canonicalize(unhex(t, in), inline); err != nil || len(data) == 0 {
			t.Errorf("%s: %v", in, err)
		}
	}
	// What is invalid is so first, and keys of other calls stay apart.
	_, err := polypack.Canonicalize(unhex(t, "83 01 c0 ca3f800000 c0 c1"), ints)
	wantFault(t, err, polypack.CodeReservedByte, 9, "")
	_, err = polypack.Canonicalize(unhex(t, "82 01 c0 ca3f800000 c0 00"), ints)
	wantFault(t, err, polypack.CodeTrailingData, 9, "")
	var m map[any]any
	if err := polypack.Unmarshal(unhex(t, "82 01 a169 ca3f800000 a166"), &m, polypack.Strict, ints); err != nil || len(m) != 2 {
		t.Error(m, err)
	}
	var o polypack.Object
	if err := polypack.Unmarshal(unhex(t, "82 9101 01 91ca3f800000 02"), &o, polypack.Lossless, ints); err != nil || len(o) != 2 {
		t.Error(o, err)
	}
	if polypack.CanonicalVersion != 1 {
		t.Error("signatures of another version")
	}
}

// TestManyKeys goes through the table of a keySet: every key is found again, in any order.
func TestManyKeys(t *testing.T) {
	var o polypack.Object
	for i := range 2000 {
		o = append(o, polypack.Entry{Key: int64(i*7919%2000 - 1000), Value: int64(i)})
	}
	data := mustMarshal(t, o)
	var back polypack.Object
	if err := polypack.Unmarshal(data, &back, polypack.Strict); err != nil || len(back) != len(o) {
		t.Fatal(len(back), err)
	}
	for _, repeated := range []int{0, 7, 8, 1000, 1999} {
		twice := append(append(polypack.Object{}, o...), polypack.Entry{Key: uint64(0), Value: "last"})
		twice[len(twice)-1].Key = o[repeated].Key
		if _, err := polypack.Marshal(twice); err == nil {
			t.Errorf("key %d twice is not noticed", repeated)
		}
	}
}
