//go:build generated

package main

// Plan of the file: our generated code. The methods belong to types of their own, so that the rest is measured without them:
// tools/bench-go.mjs copies payload/types.go as package generated, next to which polypack-gen writes its methods. So a type and its
// copy have the same fields at the same places.

import (
	"unsafe"

	"github.com/polypack/polypack/go/bench/payload"
	"github.com/polypack/polypack/go/bench/payload/generated"
)

func init() { generatedOf = withMethods }

func withMethods(value any) *codec {
	switch v := value.(type) {
	case *payload.Small:
		return generatedCodec[generated.Small](v)
	case *payload.Medium:
		return generatedCodec[generated.Medium](v)
	case *payload.Large:
		return generatedCodec[generated.Large](v)
	case *payload.Int64s:
		return generatedCodec[generated.Int64s](v)
	case *payload.Uint16s:
		return generatedCodec[generated.Uint16s](v)
	case *payload.Float64s:
		return generatedCodec[generated.Float64s](v)
	case *payload.Strings:
		return generatedCodec[generated.Strings](v)
	case *payload.Page:
		return generatedCodec[generated.Page](v)
	case *payload.Config:
		return generatedCodec[generated.Config](v)
	case *payload.Series:
		return generatedCodec[generated.Series](v)
	default: // code is generated for structs
		return nil
	}
}

// generatedCodec is the codec of the copy G of the type T.
func generatedCodec[G, T any](v *T) *codec {
	c := preparedCodec((*G)(unsafe.Pointer(v)))
	decode := c.decode
	c.decode = func(data []byte, calls int) (any, error) {
		last, err := decode(data, calls)
		if err != nil {
			return nil, err
		}
		return (*T)(unsafe.Pointer(last.(*G))), nil
	}
	c.zeroCopy = nil
	return c
}
