package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// TestErrorText pins what people read: what, where, how to mend. The text is not API.
func TestErrorText(t *testing.T) {
	decode := func(in string, target any, opts ...polypack.Option) error {
		return polypack.Unmarshal(unhex(t, in), target, opts...)
	}
	_, encode := polypack.Marshal(map[string]any{"jobs": []any{func() {}}})
	for _, c := range []struct {
		err  error
		want string
	}{
		{decode("81 a161 91 d9c861", new(any)), `polypack: str 8 declares 200 bytes but 1 remain, at byte 4 (path "/a/0"); the input is truncated`},
		{decode("9190", new(any), polypack.MaxDepth(1)), `polypack: depth 2 exceeds the limit 1, at byte 1 (path "/0"); raise MaxDepth if the source is trusted`},
		{decode("c1", new(any)), `polypack: 0xc1 is never a value, at byte 0; the input is damaged or not MessagePack`},
		{decode("cd012c", new(int8)), `polypack: 300 does not fit int8, at byte 0; choose a wider type`},
		{decode("d47240", new(any)), `polypack: the input declares a record, at byte 0; use the option Records(RecordsInline)`},
		{decode("9201", new(any)), `polypack: fixarray declares 2 values but at most 1 fit the bytes that remain, at byte 0; the input is truncated`},
		{encode, `polypack: cannot encode func(): values of kind func have no encoding (path "/jobs/0"); convert the value or drop the field`},
		{polypack.Unmarshal(nil, 5), `polypack: Unmarshal: the target int is no pointer; pass its address`},
	} {
		if got := fmt.Sprint(c.err); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// JSON and HTML in place of MessagePack begin with a positive fixint: each entry point finds a fault of another kind.
func TestErrorTextNamesJSONAndHTML(t *testing.T) {
	type order struct{ ID int }
	inputs := map[string]string{
		"{\"id\":1}": "JSON", "{}": "JSON", "[1,2]": "JSON", "\"text\"": "JSON", "\r\n\t {\"id\":1}": "JSON", "\ufeff[]": "JSON",
		"<html>": "HTML or XML", "\n<!DOCTYPE html>": "HTML or XML", "<?xml version=\"1.0\"?>": "HTML or XML",
		"{": "", "12": "", "Not found": "", "\x93[[[[": "",
	}
	entries := map[string]func(data []byte, v any) error{
		"Unmarshal": func(data []byte, v any) error { return polypack.Unmarshal(data, v) },
		"Strict":    func(data []byte, v any) error { return polypack.Unmarshal(data, v, polypack.Strict) },
		"records": func(data []byte, v any) error {
			return polypack.Unmarshal(data, v, polypack.Records(polypack.RecordsInline))
		},
		"UnmarshalRead": func(data []byte, v any) error { return polypack.UnmarshalRead(bytes.NewReader(data), v) },
		"Canonicalize": func(data []byte, _ any) error {
			_, err := polypack.Canonicalize(data)
			return err
		},
	}
	for input, kind := range inputs {
		for entry, read := range entries {
			for _, target := range []any{new(any), new(int), new(order), new(map[string]any), new([]int), new(string), new([]order)} {
				err := read([]byte(input), target)
				looksLike := "looks like " + kind + ", not MessagePack"
				if kind == "" {
					looksLike = "looks like"
				}
				if got := err != nil && strings.Contains(err.Error(), looksLike); got != (kind != "") {
					t.Errorf("%s of %q into %T: %v", entry, input, target, err)
				}
			}
		}
	}
}

// A value in the middle of the input says nothing about the input.
func TestErrorTextNamesNoFormatInsideTheInput(t *testing.T) {
	for _, hex := range []string{"817b7b", "927b7b", "92c07b", "a17b7b"} {
		var v []string
		if err := polypack.Unmarshal(unhex(t, hex), &v); err == nil || strings.Contains(err.Error(), "looks like") {
			t.Errorf("%s: %v", hex, err)
		}
	}
	s := polypack.NewStreamDecoder(strings.NewReader("\xa1a{}"))
	var text string
	if err := s.Decode(&text); err != nil {
		t.Fatal(err)
	}
	if err := s.Decode(&text); err == nil || strings.Contains(err.Error(), "looks like") {
		t.Error(err)
	}
}

func TestErrorTextIsShort(t *testing.T) {
	key := strings.Repeat("é", 2000)
	_, err := polypack.Marshal(map[string]any{key: "\xff"}, polypack.Strict)
	var e *polypack.Error
	if !errors.As(err, &e) || e.Path != "/"+key {
		t.Fatalf("%v", err)
	}
	if len(err.Error()) > 400 || !strings.Contains(err.Error(), `…`) {
		t.Errorf("%d bytes: %s", len(err.Error()), err)
	}
}

// TestPathsAreText asserts that each path is UTF-8, wherever its names come from: one U+FFFD for each maximal subpart.
func TestPathsAreText(t *testing.T) {
	const record = "d47242 91 a4f09f7280 " // the name of its field has two parts that no UTF-8 has
	for _, in := range []string{record + "c1", "81 a4f09f7280 c1"} {
		for _, target := range []any{new(any), new(map[string]int), new(map[string]any), new(polypack.Object), new(struct{ A int })} {
			wantFault(t, polypack.Unmarshal(unhex(t, in), target, inline), polypack.CodeReservedByte, int64(len(unhex(t, in))-1), "/\uFFFDr\uFFFD")
		}
		_, err := polypack.Get(unhex(t, in), "/a", inline)
		wantFault(t, err, polypack.CodeReservedByte, int64(len(unhex(t, in))-1), "/\uFFFDr\uFFFD")
		d := polypack.NewDecoder(unhex(t, in), inline)
		wantFault(t, d.Skip(), polypack.CodeReservedByte, int64(len(unhex(t, in))-1), "/\uFFFDr\uFFFD")
	}
	for _, opts := range [][]polypack.Option{nil, {inline}, {polypack.PlansOnly()}} {
		for _, v := range []any{map[string]any{"\xf0\x9fr\x80": func() {}}, map[string]func(){"\xf0\x9fr\x80": nil}} {
			_, err := polypack.Marshal(v, opts...)
			wantFault(t, err, polypack.CodeUnsupportedValue, -1, "/\uFFFDr\uFFFD")
		}
	}
}

func TestErrorMatching(t *testing.T) {
	cause := &polypack.Error{Code: polypack.CodeUnsupportedValue, Offset: 3, Err: io.ErrClosedPipe}
	if !errors.Is(cause, io.ErrClosedPipe) || !errors.Is(cause, polypack.CodeUnsupportedValue) || errors.Is(cause, polypack.CodeTypeMismatch) {
		t.Errorf("%v does not match as it should", cause)
	}
	if got := cause.Error(); got != "polypack: unsupported_value, at byte 3: io: read/write on closed pipe" {
		t.Error(got)
	}
}
