package msgp_test

import (
	"bytes"
	"errors"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/x/msgp"
)

// A code writes itself as msgp's code for an int does, in hand-written form: the core has no peer here.
type code struct{ n byte }

var errOdd = errors.New("odd")

func (c code) MarshalMsg(dst []byte) ([]byte, error) {
	if c.n > 0x7f {
		return nil, errOdd
	}
	return append(dst, c.n), nil
}

func (c *code) UnmarshalMsg(data []byte) ([]byte, error) {
	if data[0] > 0x7f {
		return data, errOdd
	}
	c.n = data[0]
	return data[1:], nil
}

// lazy reads nothing and writes nothing.
type lazy struct{ N int }

func (lazy) MarshalMsg(dst []byte) ([]byte, error) { return dst, nil }

func (*lazy) UnmarshalMsg(data []byte) ([]byte, error) { return data, nil }

type outer struct {
	Code  code
	Codes []*code
	code
	More int
}

func TestMethods(t *testing.T) {
	v := outer{Code: code{1}, Codes: []*code{{2}, nil}, More: 3}
	data, err := polypack.Marshal(v, msgp.Methods())
	if want := "\x83\xa4Code\x01\xa5Codes\x92\x02\xc0\xa4More\x03"; err != nil || string(data) != want {
		t.Fatalf("%q, %v", data, err)
	}
	for _, also := range []polypack.Option{polypack.Strict, polypack.Records(polypack.RecordsInline), polypack.MaxDepth(5)} {
		data, err := polypack.Marshal(v, msgp.Methods(), also)
		if err != nil {
			t.Fatal(err)
		}
		back := outer{Codes: []*code{nil, {9}}}
		if err := polypack.Unmarshal(data, &back, msgp.Methods(), also); err != nil || back.Code != v.Code || *back.Codes[0] != *v.Codes[0] || back.Codes[1] != nil {
			t.Errorf("%+v, %v", back, err)
		}
	}
	if _, err := polypack.Marshal(v); !errors.Is(err, polypack.CodeUnsupportedValue) {
		t.Errorf("without the option: %v", err)
	}
}

func TestMethodsAreChecked(t *testing.T) {
	var fault *polypack.Error
	if _, err := polypack.Marshal(map[string]any{"a": code{0xc1}}, msgp.Methods()); !errors.Is(err, errOdd) || !errors.As(err, &fault) || fault.Path != "/a" {
		t.Error(err)
	}
	if _, err := polypack.Marshal(lazy{}, msgp.Methods()); !errors.Is(err, polypack.CodeUnexpectedEnd) {
		t.Errorf("nothing was written: %v", err)
	}
	if err := polypack.Unmarshal([]byte{5}, new(lazy), msgp.Methods()); !errors.Is(err, polypack.ErrNotWhole) {
		t.Errorf("nothing was read: %v", err)
	}
	if err := polypack.Unmarshal([]byte{0x91, 0xe0}, new([]code), msgp.Methods()); !errors.Is(err, errOdd) || !errors.As(err, &fault) || fault.Offset != 1 {
		t.Error(err)
	}
	if err := polypack.Unmarshal(nil, new(code), msgp.Methods()); !errors.Is(err, polypack.CodeUnexpectedEnd) {
		t.Error(err)
	}
	both := []polypack.Option{msgp.Methods(), polypack.Extensions(polypack.NewExtension(5,
		func(dst []byte, v code) ([]byte, error) { return append(dst, v.n), nil },
		func(data []byte) (code, error) { return code{data[0]}, nil }))}
	if data, err := polypack.Marshal([]any{code{1}, lazy{}}, both...); err == nil {
		t.Errorf("%x", data)
	}
	if data, err := polypack.Marshal(code{1}, both...); err != nil || !bytes.Equal(data, []byte{0xd4, 5, 1}) {
		t.Errorf("an extension comes first: %x, %v", data, err)
	}
}
