package polypack_test

import (
	"errors"
	"reflect"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

type foreignWriter interface{ WriteForeign() []byte }

type foreignReader interface{ ReadForeign(data []byte) error }

// foreignByte is an int in its own methods, and would be an int without them, too: another one.
type foreignByte byte

func (b foreignByte) WriteForeign() []byte { return []byte{byte(b) & 0x7f} }

func (b *foreignByte) ReadForeign(data []byte) error {
	if data[0] > 0x7f {
		return errOwn
	}
	*b = foreignByte(data[0])
	return nil
}

func foreignMethods() polypack.Foreign[foreignWriter, foreignReader] {
	return polypack.Foreign[foreignWriter, foreignReader]{
		Write:  func(dst []byte, v foreignWriter) ([]byte, error) { return append(dst, v.WriteForeign()...), nil },
		Read:   func(data []byte, v foreignReader) error { return v.ReadForeign(data) },
		Writer: func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("WriteForeign") },
		Reader: func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("ReadForeign") },
	}
}

// TestForeignMethods asserts that engine and plan call them alike. The adapters in x have tests with real libraries.
func TestForeignMethods(t *testing.T) {
	opt := polypack.ForeignMethods(foreignMethods())
	type inner struct {
		foreignByte
		N int
	}
	type all struct {
		One   foreignByte
		Many  []foreignByte
		Two   [2]foreignByte
		Keyed map[string]*foreignByte
		Any   any
		In    inner
	}
	two := foreignByte(0x82)
	v := all{0x81, []foreignByte{0x83}, [2]foreignByte{1, 2}, map[string]*foreignByte{"a": &two}, foreignByte(0x84), inner{5, 6}}
	sameEncoding(t, &v, opt)
	data := mustMarshal(t, &v, opt)
	if err := polypack.Unmarshal(data, new(all)); err == nil {
		t.Error("an array was read as bytes without the option")
	}
	for _, data := range [][]byte{data, data[:20], mustMarshal(t, map[string]any{"One": nil, "Many": []any{1, -1}})} {
		sameDecoding(t, data, new(all), new(all), opt)
	}
	var many []foreignByte
	err := polypack.Unmarshal([]byte{0x91, 0xff}, &many, opt)
	wantFault(t, err, polypack.CodeTypeMismatch, 1, "/0")
	if !errors.Is(err, errOwn) {
		t.Error(err)
	}
	lacking := foreignMethods()
	lacking.Reader = nil
	_, err = polypack.Marshal(1, polypack.ForeignMethods(lacking))
	wantUsage(t, err, "ForeignMethods")
}
