//go:build generated

package main

import (
	"unsafe"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/bench/payload"
	"github.com/polypack/polypack/go/bench/payload/generated"
)

// methods lists the generated methods that this program calls.
type methods interface {
	AppendPolypack(dst []byte) ([]byte, error)
	UnmarshalPolypack(data []byte) error
}

func init() {
	contestants["generated"] = contestant{
		marshal: func(v any) ([]byte, error) {
			if m, ok := v.(methods); ok {
				return m.AppendPolypack(nil)
			}
			return polypack.Marshal(v)
		},
		unmarshal: func(data []byte, v any) error {
			if m, ok := v.(methods); ok {
				return m.UnmarshalPolypack(data)
			}
			return polypack.Unmarshal(data, v)
		},
		own: withMethods,
	}
}

// withMethods converts a pointer to a payload struct. The result points to the type of the same name in package
// generated, which has the generated methods. tools/bench-go-build.mjs copies the payload types into that package.
func withMethods(v any) any {
	switch v := v.(type) {
	case *payload.Small:
		return (*generated.Small)(unsafe.Pointer(v))
	case *payload.Medium:
		return (*generated.Medium)(unsafe.Pointer(v))
	case *payload.Large:
		return (*generated.Large)(unsafe.Pointer(v))
	case *payload.Config:
		return (*generated.Config)(unsafe.Pointer(v))
	default: // a document, which has no generated methods
		return v
	}
}
