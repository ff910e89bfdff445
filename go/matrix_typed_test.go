//go:build !quick

package polypack_test

import (
	"slices"

	polypack "github.com/polypack/polypack/go"
)

// waysOf are all ways for values of the type T.
func waysOf[T any]() []way {
	codec, encoder, decoder := polypack.MustCodecOf[T](), polypack.GetStructEncoder[T](), polypack.GetStructDecoder[T](false)
	return append(slices.Clip(ways),
		way{"EncodeWith", func(v any) ([]byte, error) {
			e := polypack.NewEncoder([]byte{0xc0})
			err := encoder.EncodeWith(e, v.(*T))
			return e.Bytes()[1:], err
		}, func(data []byte, v any) error { return decoder.DecodeWith(polypack.NewDecoder(nil), data, v.(*T)) }},
		way{"Codec", func(v any) ([]byte, error) { return codec.Marshal(v.(*T)) }, func(data []byte, v any) error { return codec.Unmarshal(data, v.(*T)) }},
		way{"StructEncoder", func(v any) ([]byte, error) { return encoder.Encode(v.(*T)) }, func(data []byte, v any) error { return decoder.Decode(data, v.(*T)) }},
	)
}
