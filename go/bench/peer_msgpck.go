//go:build peer_msgpck

package main

// Plan of the file: msgpck in two ways, with the codecs that it caches for structs and with its functions for any type.

import (
	"github.com/freeeve/msgpck"

	"github.com/polypack/polypack/go/bench/payload"
)

func init() {
	enter(contestant{name: "msgpck", prepared: true, codecOf: msgpckCodecOf})
	enter(contestant{name: "msgpck-marshal", codecOf: general(msgpck.Marshal, msgpck.Unmarshal)})
}

func msgpckCodecOf(w *workload) *codec {
	switch v := w.value.(type) {
	case *payload.Small:
		return msgpckCached(v)
	case *payload.Medium:
		return msgpckCached(v)
	case *payload.Large:
		return msgpckCached(v)
	case *payload.Int64s:
		return msgpckCached(v)
	case *payload.Uint16s:
		return msgpckCached(v)
	case *payload.Float64s:
		return msgpckCached(v)
	case *payload.Strings:
		return msgpckCached(v)
	case *payload.Page:
		return msgpckCached(v)
	case *payload.Config:
		return msgpckCached(v)
	case *payload.Series:
		return msgpckCached(v)
	default: // msgpck caches no codecs for maps
		return nil
	}
}

func msgpckCached[T any](v *T) *codec {
	encoder := msgpck.GetStructEncoder[T]()
	decoder, aliasing := msgpck.GetStructDecoder[T](false), msgpck.GetStructDecoder[T](true)
	buffer := msgpck.NewEncoder(1024)
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = encoder.Encode(v); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				buffer.Reset()
				if err := encoder.EncodeWith(buffer, v); err != nil {
					return nil, err
				}
			}
			return buffer.Bytes(), nil
		},
		decode:   msgpckLoop(decoder),
		zeroCopy: msgpckLoop(aliasing),
	}
}

func msgpckLoop[T any](decoder *msgpck.StructDecoder[T]) func(data []byte, calls int) (any, error) {
	return func(data []byte, calls int) (any, error) {
		var v, zero T
		for range calls {
			v = zero
			if err := decoder.Decode(data, &v); err != nil {
				return nil, err
			}
		}
		last := v
		return &last, nil
	}
}
