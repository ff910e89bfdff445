//go:build peer_hashicorp

package main

import (
	"reflect"

	hashicorp "github.com/hashicorp/go-msgpack/v2/codec"
)

func init() {
	var handle hashicorp.MsgpackHandle
	handle.WriteExt = true // today's MessagePack, which has bin, str 8 and timestamps
	handle.MapType = reflect.TypeFor[map[string]any]()
	handle.RawToString = true
	enter(contestant{
		name: "hashicorp",
		codecOf: func(w *workload) *codec {
			encoder, decoder := hashicorp.NewEncoderBytes(nil, &handle), hashicorp.NewDecoderBytes(nil, &handle)
			return general(func(v any) ([]byte, error) {
				var data []byte
				encoder.ResetBytes(&data)
				err := encoder.Encode(v)
				return data, err
			}, func(data []byte, target any) error {
				decoder.ResetBytes(data)
				return decoder.Decode(target)
			})(w)
		},
	})
}
