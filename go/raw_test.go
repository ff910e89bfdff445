package polypack_test

import (
	"bytes"
	"errors"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

func TestRawMessage(t *testing.T) {
	for _, row := range []struct {
		in, want string
		opts     []polypack.Option
	}{
		{"c0", "c0", nil},
		{"cd0001", "cd0001", nil}, // as it is, not in the shortest form
		{"9240 41", "924041", []polypack.Option{inline}},
		{twoRecords, "92 82a16101a1629102 82a16103a162c0", []polypack.Option{inline}},
		{"92 d47240 91a161 d47241 90 40 41", "92 81a16180 81a16180", []polypack.Option{inline}},
	} {
		var raw polypack.RawMessage
		if err := polypack.Unmarshal(unhex(t, row.in), &raw, row.opts...); err != nil || !bytes.Equal(raw, unhex(t, row.want)) {
			t.Errorf("%s is %x, want %s, %v", row.in, raw, row.want, err)
		}
	}
	// Numbers that would be records in one byte take two.
	if data := mustMarshal(t, polypack.RawMessage(unhex(t, "9240 81a16141")), inline); !bytes.Equal(data, unhex(t, "92cc40 81a161cc41")) {
		t.Errorf("%x", data)
	}
	// The error has the code of the fault in the bytes, and the path of the RawMessage.
	for bad, code := range map[string]polypack.Code{
		"91 c1": polypack.CodeReservedByte, "92 01": polypack.CodeUnexpectedEnd, "01 01": polypack.CodeTrailingData,
		"91 d47240 90": polypack.CodeInvalidRecord, "91 d5ff0000": polypack.CodeInvalidTimestamp,
	} {
		raw := polypack.RawMessage(unhex(t, bad))
		_, err := polypack.Marshal([]any{raw})
		wantFault(t, err, code, -1, "/0")
		_, err = polypack.MarshalCanonical(map[string]any{"a": raw})
		wantFault(t, err, code, -1, "/a")
		_, err = polypack.Marshal(polypack.Object{{Key: []any{raw}, Value: 1}})
		wantFault(t, err, code, -1, "")
	}
	// A strict writer never writes what a strict reader refuses.
	for bad, code := range map[string]polypack.Code{
		"82 a16101 a16102": polypack.CodeDuplicateKey, "82 0102 cc0103": polypack.CodeDuplicateKey, "81 a2fffe 01": polypack.CodeInvalidUTF8,
		"82 a16101 a16102 03": polypack.CodeDuplicateKey, // before the trailing byte
	} {
		for _, opt := range []polypack.Option{polypack.Strict, polypack.Lossless} {
			_, err := polypack.Marshal([]any{polypack.RawMessage(unhex(t, bad))}, opt)
			wantFault(t, err, code, -1, "/0")
			_, err = polypack.Marshal([]any{rawWriter{data: unhex(t, bad)}}, opt)
			wantFault(t, err, code, -1, "/0")
		}
	}
	// Decoding uses the memory of the RawMessage again, and nothing of the input.
	raw := make(polypack.RawMessage, 0, 16)
	in := unhex(t, "920102")
	if err := polypack.Unmarshal(in, &raw); err != nil || &raw[0] == &in[0] || cap(raw) != 16 {
		t.Errorf("%x, %v", raw, err)
	}
}

// FuzzRawMessage passes values through a RawMessage, with and without records, and compares what they mean.
func FuzzRawMessage(f *testing.F) {
	for _, seed := range []string{twoRecords, "92 d47240 91a161 d47241 90 40 41", "92cc4040", "81a161d6ff00000001", "d57260019040", "91c70372010203"} {
		f.Add(unhex(f, seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range [][]polypack.Option{nil, {inline}} {
			want, err := polypack.Canonicalize(data, opts...)
			if err != nil {
				continue
			}
			var raw polypack.RawMessage
			if err := polypack.Unmarshal(data, &raw, opts...); err != nil {
				if errors.Is(err, polypack.CodeLimitExceeded) {
					continue
				}
				t.Fatalf("%x is valid, but %v", data, err)
			}
			if got, err := polypack.Canonicalize(raw); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%x, raw %x: %x, want %x, %v", data, raw, got, want, err)
			}
			again, err := polypack.Marshal(raw, opts...)
			if err != nil {
				t.Fatalf("raw %x: %v", raw, err)
			}
			if got, err := polypack.Canonicalize(again, opts...); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("raw %x, again %x: %x, want %x, %v", raw, again, got, want, err)
			}
		}
	})
}
