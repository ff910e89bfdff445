package polypack_test

import (
	"errors"
	"io"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// TestPeek asserts that Peek tells the kind of each value, moves nowhere, and fails where reading fails.
func TestPeek(t *testing.T) {
	shared, err := polypack.NewDictionary([][]string{{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in   string
		want polypack.Kind
		code polypack.Code
		opts []polypack.Option
	}{
		{"c0", polypack.KindNil, "", nil},
		{"d40000", polypack.KindNil, "", nil},
		{"c2", polypack.KindBool, "", nil},
		{"40", polypack.KindInt, "", nil},
		{"40", polypack.KindInt, "", []polypack.Option{polypack.Records(polypack.RecordsInline)}},
		{"40", polypack.KindInvalid, polypack.CodeUnknownRecord, []polypack.Option{polypack.Records(polypack.RecordsInline), polypack.Strict}},
		{"40c3", polypack.KindRecord, "", []polypack.Option{polypack.SharedRecords(shared)}},
		{"d47240", polypack.KindRecord, "", []polypack.Option{polypack.Records(polypack.RecordsInline)}},
		{"d47240", polypack.KindExt, "", nil},
		{"cb", polypack.KindFloat, "", nil},
		{"a1", polypack.KindStr, "", nil},
		{"c4", polypack.KindBin, "", nil},
		{"dd", polypack.KindArray, "", nil},
		{"81", polypack.KindMap, "", nil},
		{"d6ff00000000", polypack.KindTimestamp, "", nil},
		{"c70cff", polypack.KindTimestamp, "", nil},
		{"d40100", polypack.KindExt, "", nil},
		{"d40001", polypack.KindExt, "", nil},
		{"d400", polypack.KindInvalid, polypack.CodeUnexpectedEnd, nil},
		{"c70c", polypack.KindInvalid, polypack.CodeUnexpectedEnd, nil},
		{"", polypack.KindInvalid, polypack.CodeUnexpectedEnd, nil},
		{"c1", polypack.KindInvalid, polypack.CodeReservedByte, nil},
	} {
		d := polypack.NewDecoder(unhex(t, c.in), c.opts...)
		for range 2 {
			kind, err := d.Peek()
			if kind != c.want || d.Offset() != 0 || (err != nil) != (c.code != "") || c.code != "" && !errors.Is(err, c.code) {
				t.Errorf("%s %v: %v, %v", c.in, c.opts, kind, err)
			}
		}
	}
}

// TestPeekWithin peeks in containers, between calls that fail, and before every value of a message.
func TestPeekWithin(t *testing.T) {
	d := polypack.NewDecoder(unhex(t, "82 a161 92 01 a162 a163 c0 c3"))
	var seen []polypack.Kind
	for d.More() {
		kind, err := d.Peek()
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, kind)
		switch kind {
		case polypack.KindMap:
			_, err = d.DecodeMapHeader()
		case polypack.KindArray:
			_, err = d.DecodeArrayHeader()
		default:
			if kind != polypack.KindFloat {
				if _, err := d.DecodeTimestamp(); err == nil {
					t.Fatal("a timestamp was read")
				}
			}
			err = d.Skip()
		}
		if err != nil {
			t.Fatal(err)
		}
		d.More() // leaves containers that are complete
	}
	want := []polypack.Kind{polypack.KindMap, polypack.KindStr, polypack.KindArray, polypack.KindInt, polypack.KindStr,
		polypack.KindStr, polypack.KindNil}
	if len(seen) != len(want) && len(seen) != len(want)+1 {
		t.Fatal(seen)
	}
	for i, kind := range want {
		if seen[i] != kind {
			t.Errorf("value %d is %v; want %v", i, seen[i], kind)
		}
	}
	if err := d.Finish(); err != nil && d.Offset() != 10 {
		t.Error(err, d.Offset())
	}
	if got := polypack.KindTimestamp.String() + polypack.Kind(99).String(); got != "timestampKind(99)" {
		t.Error(got)
	}
}

func TestUnexpectedEOF(t *testing.T) {
	err := polypack.Unmarshal([]byte{0x92, 1}, new(any))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if err := polypack.Unmarshal([]byte{0xc1}, new(any)); errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}
