//go:build peer_ugorji

package main

import (
	"reflect"

	ugorji "github.com/ugorji/go/codec"
)

func init() {
	var handle ugorji.MsgpackHandle
	handle.WriteExt = true // the format as it is today: bin, str 8, timestamps
	handle.MapType = reflect.TypeFor[map[string]any]()
	handle.RawToString = true
	enter(contestant{
		name: "ugorji",
		// Encoders and decoders are made once, as its documentation asks for.
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
