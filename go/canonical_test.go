package polypack_test

import (
	"bytes"
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
