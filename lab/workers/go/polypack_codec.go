package main

import (
	"reflect"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/bench/payload"
)

// Ours for Go, with a Codec that is made for each type beforehand.
func init() {
	enter(Contestant{
		Name:      "Polypack (Go), Codec",
		Format:    "msgpack",
		Scenarios: ofStructs(),
		Kind:      "realistic",
		State:     "prepared",
		Package:   "github.com/polypack/polypack/go",
		Note:      "a Codec for each type; dates stay text",
		File:      "polypack_codec.go",
		Serialize: func(values any) ([]byte, error) { return codecFor(values).marshal(values) },
		Deserialize: func(bytes []byte, into any) error {
			return codecFor(into).unmarshal(bytes, into)
		},
	})
}

type anyCodec struct {
	of        reflect.Type
	marshal   func(values any) ([]byte, error)
	unmarshal func(bytes []byte, into any) error
}

var codecs = []*anyCodec{
	codecOf[Persons](), codecOf[Orders](), codecOf[Rows](),
	codecOf[payload.Small](), codecOf[payload.Medium](), codecOf[payload.Large](),
	codecOf[payload.Page](), codecOf[payload.Config](), codecOf[payload.Series](),
}

func codecOf[T any]() *anyCodec {
	codec := polypack.MustCodecOf[T]()
	return &anyCodec{
		reflect.TypeFor[*T](),
		func(values any) ([]byte, error) { return codec.Marshal(values.(*T)) },
		func(bytes []byte, into any) error { return codec.Unmarshal(bytes, into.(*T)) },
	}
}

// codecFor finds the codec for a type. It comes first from then on, since a process has one scenario.
func codecFor(value any) *anyCodec {
	of := reflect.TypeOf(value)
	for i, codec := range codecs {
		if codec.of == of {
			codecs[0], codecs[i] = codec, codecs[0]
			return codec
		}
	}
	panic("no codec for " + of.String())
}
