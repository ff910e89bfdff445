package main

import (
	"reflect"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/bench/payload"
)

// Ours for Go, with a Codec that is made for each type beforehand.
func init() {
	prepared := polypackCodecs()
	enter(Contestant{
		Name:        "Polypack (Go), Codec",
		Format:      "msgpack",
		Scenarios:   ofStructs(),
		Kind:        "realistic",
		State:       "prepared",
		Package:     "github.com/polypack/polypack/go",
		Note:        "a Codec for each type; dates stay text",
		File:        "polypack_codec.go",
		Serialize:   prepared.serialize,
		Deserialize: prepared.deserialize,
	})
}

func polypackCodecs(options ...polypack.Option) *codecs {
	c := &codecs{makers: map[reflect.Type]func() codec{}}
	prepare[Persons](c, options)
	prepare[Orders](c, options)
	prepare[Rows](c, options)
	prepare[payload.Small](c, options)
	prepare[payload.Medium](c, options)
	prepare[payload.Large](c, options)
	prepare[payload.Int64s](c, options)
	prepare[payload.Uint16s](c, options)
	prepare[payload.Float64s](c, options)
	prepare[payload.Strings](c, options)
	prepare[payload.Page](c, options)
	prepare[payload.Config](c, options)
	prepare[payload.Series](c, options)
	return c
}

func prepare[T any](c *codecs, options []polypack.Option) {
	c.makers[reflect.TypeFor[*T]()] = func() codec {
		made := polypack.MustCodecOf[T](options...)
		return codec{
			func(dst []byte, values any) ([]byte, error) { return made.Append(dst, values.(*T)) },
			func(bytes []byte, into any) error { return made.Unmarshal(bytes, into.(*T)) },
		}
	}
}
