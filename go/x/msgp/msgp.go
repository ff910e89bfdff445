// Package msgp lets polypack call the methods MarshalMsg and UnmarshalMsg, which github.com/tinylib/msgp generates:
//
//	data, err := polypack.Marshal(v, msgp.Methods())
//
// Then types with generated code keep their bytes inside of values of all other types. The package doesn't import msgp;
// the generated code does. The bytes that a method reads have been checked before: they are one value within the limits
// of the call.
package msgp

import (
	"reflect"

	polypack "github.com/polypack/polypack/go"
)

// A Marshaler appends its encoding; it is msgp.Marshaler.
type Marshaler interface {
	MarshalMsg(dst []byte) ([]byte, error)
}

// An Unmarshaler decodes itself from the start of data and returns the rest; it is msgp.Unmarshaler.
type Unmarshaler interface {
	UnmarshalMsg(data []byte) ([]byte, error)
}

var methods = polypack.ForeignMethods(polypack.Foreign[Marshaler, Unmarshaler]{
	Write:  func(dst []byte, v Marshaler) ([]byte, error) { return v.MarshalMsg(dst) },
	Read:   read,
	Writer: func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("MarshalMsg") },
	Reader: func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("UnmarshalMsg") },
})

// Methods returns the option. It is the same for all calls, so it costs nothing to ask for it again.
func Methods() polypack.Option { return methods }

func read(data []byte, v Unmarshaler) error {
	rest, err := v.UnmarshalMsg(data)
	if err == nil && len(rest) > 0 {
		return polypack.ErrNotWhole
	}
	return err
}
