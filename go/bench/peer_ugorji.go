//go:build peer_ugorji

package main

import (
	"reflect"

	ugorji "github.com/ugorji/go/codec"
)

func init() {
	var handle ugorji.MsgpackHandle
	handle.WriteExt = true // today's MessagePack, which has bin, str 8 and timestamps
	handle.MapType = reflect.TypeFor[map[string]any]()
	handle.RawToString = true
	enter(contestant{
		name: "ugorji",
		// An encoder and a decoder are made once per workload, as the library's documentation advises.
		codecOf: func(w *workload) *codec {
			encoder, decoder := ugorji.NewEncoderBytes(nil, &handle), ugorji.NewDecoderBytes(nil, &handle)
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
