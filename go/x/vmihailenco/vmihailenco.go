// Package vmihailenco lets polypack call the methods EncodeMsgpack and DecodeMsgpack of types that were written for
// github.com/vmihailenco/msgpack/v5:
//
//	var opts = []polypack.Option{vmihailenco.Methods(), polypack.OmitEmptyAsksIsZero(true)}
//	data, err := polypack.Marshal(v, opts...)
//
// Such a method gets an Encoder or a Decoder of vmihailenco/msgpack. The Encoder has UseCompactInts and SetSortMapKeys
// on. Inside the method, that library encodes or decodes the values and makes the errors. OmitEmptyAsksIsZero lets
// omitempty use the method IsZero, as that library does. Before a method reads bytes, Polypack checks that they are one
// value within the limits of the call.
package vmihailenco

import (
	"bytes"
	"reflect"

	"github.com/vmihailenco/msgpack/v5"

	polypack "github.com/polypack/polypack/go"
)

var methods = polypack.ForeignMethods(polypack.Foreign[msgpack.CustomEncoder, msgpack.CustomDecoder]{
	Write:  write,
	Read:   read,
	Writer: func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("EncodeMsgpack") },
	Reader: func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("DecodeMsgpack") },
})

// Methods returns the option. All calls return the same option, so calling Methods again costs nothing.
func Methods() polypack.Option { return methods }

func write(dst []byte, v msgpack.CustomEncoder) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	e := msgpack.GetEncoder()
	defer msgpack.PutEncoder(e)
	e.Reset(out)
	e.UseCompactInts(true)
	e.SetSortMapKeys(true)
	if err := v.EncodeMsgpack(e); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func read(data []byte, v msgpack.CustomDecoder) error {
	in := bytes.NewReader(data)
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(in)
	if err := v.DecodeMsgpack(d); err != nil {
		return err
	}
	if in.Len() > 0 {
		return polypack.ErrNotWhole
	}
	return nil
}
