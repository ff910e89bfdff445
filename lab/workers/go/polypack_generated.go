//go:build generated

package main

import (
	"reflect"
	"unsafe"

	"github.com/polypack/polypack/go/bench/payload"
	"github.com/polypack/polypack/go/bench/payload/generated"
)

// Ours for Go, by the methods that polypack-gen writes, called directly. They belong to copies of the types, so that no
// other contestant finds them.
func init() {
	methods := generatedMethods()
	enter(Contestant{
		Name:        "Polypack (Go), generated",
		Format:      "msgpack",
		Scenarios:   ofBenchStructs(),
		Kind:        "tuned",
		State:       "prepared",
		Package:     "github.com/polypack/polypack/go",
		Note:        "methods written by polypack-gen, called directly",
		File:        "polypack_generated.go",
		Serialize:   methods.serialize,
		Deserialize: methods.deserialize,
	})
}

func generatedMethods() *codecs {
	c := &codecs{makers: map[reflect.Type]func() codec{}}
	useMethods[payload.Small, generated.Small](c)
	useMethods[payload.Medium, generated.Medium](c)
	useMethods[payload.Large, generated.Large](c)
	useMethods[payload.Int64s, generated.Int64s](c)
	useMethods[payload.Uint16s, generated.Uint16s](c)
	useMethods[payload.Float64s, generated.Float64s](c)
	useMethods[payload.Strings, generated.Strings](c)
	useMethods[payload.Page, generated.Page](c)
	useMethods[payload.Config, generated.Config](c)
	useMethods[payload.Series, generated.Series](c)
	return c
}

func useMethods[T, G any, M interface {
	*G
	AppendPolypack(dst []byte) ([]byte, error)
	UnmarshalPolypack(data []byte) error
}](c *codecs) {
	own := func(value any) M { return (*G)(unsafe.Pointer(value.(*T))) }
	c.makers[reflect.TypeFor[*T]()] = func() codec {
		return codec{
			func(dst []byte, values any) ([]byte, error) { return own(values).AppendPolypack(dst) },
			func(bytes []byte, into any) error { return own(into).UnmarshalPolypack(bytes) },
		}
	}
}
