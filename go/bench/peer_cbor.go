//go:build peer_cbor

package main

// Plan of the file: CBOR, another format, with the options that preserve our values. Times are written as text. A CBOR
// time as a number would lose nanoseconds.

import (
	"reflect"

	"github.com/fxamacker/cbor/v2"
)

func init() {
	encoding, err := cbor.EncOptions{Time: cbor.TimeRFC3339Nano}.EncMode()
	if err != nil {
		panic(err)
	}
	decoding, err := cbor.DecOptions{DefaultMapType: reflect.TypeFor[map[string]any](), IntDec: cbor.IntDecConvertSigned,
		MaxArrayElements: 1 << 24}.DecMode()
	if err != nil {
		panic(err)
	}
	enter(contestant{
		name:    "cbor",
		codecOf: general(encoding.Marshal, decoding.Unmarshal),
	})
}
