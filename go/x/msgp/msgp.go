// Package msgp lets polypack call the methods MarshalMsg and UnmarshalMsg, which github.com/tinylib/msgp generates:
//
//	data, err := polypack.Marshal(v, msgp.Methods())
//
// With this option, types that have these methods encode and decode themselves, even inside values of other types, but
// not as keys of maps. The package doesn't import msgp; the generated code does. Before a method reads bytes, Polypack
// checks that they are one value within the limits of the call.
package msgp

import (
	"reflect"

	polypack "github.com/polypack/polypack/go"
)

// A Marshaler appends its encoding. The interface equals msgp.Marshaler.
type Marshaler interface {
	MarshalMsg(dst []byte) ([]byte, error)
}

// An Unmarshaler decodes itself from the start of data and returns the bytes after its value. The interface equals
// msgp.Unmarshaler.
type Unmarshaler interface {
	UnmarshalMsg(data []byte) ([]byte, error)
}

var methods = polypack.ForeignMethods(polypack.Foreign[Marshaler, Unmarshaler]{
	Write:  func(dst []byte, v Marshaler) ([]byte, error) { return v.MarshalMsg(dst) },
	Read:   read,
	Writer: func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("MarshalMsg") },
	Reader: func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("UnmarshalMsg") },
})

// Methods returns the option. All calls return the same option, so calling Methods again costs nothing.
func Methods() polypack.Option { return methods }

func read(data []byte, v Unmarshaler) error {
	rest, err := v.UnmarshalMsg(data)
	if err == nil && len(rest) > 0 {
		return polypack.ErrNotWhole
	}
	return err
}
