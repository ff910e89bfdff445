package polypack_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// Zero values are ready to be used with the default options, or say what is missing.
func TestZeroValues(t *testing.T) {
	type point struct{ X, Y []any }
	in := point{X: []any{int64(1)}, Y: []any{[]any{"a"}}}
	var e polypack.Encoder
	if err := e.Encode(in); err != nil || string(e.Bytes()) != string(mustMarshal(t, in)) {
		t.Errorf("Encode wrote %x, %v", e.Bytes(), err)
	}
	var with polypack.Encoder
	if err := polypack.GetStructEncoder[point]().EncodeWith(&with, &in); err != nil || string(with.Bytes()) != string(e.Bytes()) {
		t.Errorf("EncodeWith wrote %x, %v", with.Bytes(), err)
	}

	var d polypack.Decoder
	var out point
	if err := d.Decode(&out); !errors.Is(err, polypack.CodeUnexpectedEnd) {
		t.Errorf("Decode without data: %v", err)
	}
	d = polypack.Decoder{}
	if _, err := d.DecodeArrayHeader(); !errors.Is(err, polypack.CodeUnexpectedEnd) {
		t.Errorf("DecodeArrayHeader without data: %v", err)
	}
	d = polypack.Decoder{}
	d.Reset(e.Bytes())
	if err := d.Decode(&out); err != nil || !reflect.DeepEqual(out, in) {
		t.Errorf("Decode gave %v, %v", out, err)
	}
	d = polypack.Decoder{}
	d.Reset(e.Bytes())
	if n, err := d.DecodeMapHeader(); n != 2 || err != nil {
		t.Errorf("DecodeMapHeader gave %d, %v", n, err)
	}
	d, out = polypack.Decoder{}, point{}
	if err := polypack.GetStructDecoder[point](false).DecodeWith(&d, e.Bytes(), &out); err != nil || !reflect.DeepEqual(out, in) {
		t.Errorf("DecodeWith gave %v, %v", out, err)
	}

	var usage *polypack.UsageError
	if err := new(polypack.StreamEncoder).Encode(1); !errors.As(err, &usage) {
		t.Errorf("StreamEncoder: %v", err)
	}
	if err := new(polypack.StreamDecoder).Decode(&out); !errors.As(err, &usage) {
		t.Errorf("StreamDecoder: %v", err)
	}
}

// What the library tells generated code is no business of those who read go doc.
func TestPublicTypesHaveNoMethodsForGeneratedCode(t *testing.T) {
	for _, v := range []any{
		new(polypack.Encoder), new(polypack.Decoder), new(polypack.StreamEncoder), new(polypack.StreamDecoder),
		new(polypack.Codec[int]), new(polypack.StructEncoder[int]), new(polypack.StructDecoder[int]),
	} {
		typ := reflect.TypeOf(v)
		if typ.NumMethod() == 0 {
			t.Errorf("%s has no methods", typ)
		}
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			if text := m.Type.String(); strings.Contains(text, "wire.") || m.Name == "Field" || m.Name == "Index" || m.Name == "Unsorted" {
				t.Errorf("%s has the method %s", typ, m.Name)
			}
		}
	}
}
