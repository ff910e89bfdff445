package main

import (
	"io"

	polypack "github.com/polypack/polypack/go"
)

// Ours for Go, a stream of messages: StreamEncoder and StreamDecoder.
func init() {
	enterStream(
		Contestant{
			Name:    "Polypack (Go), stream",
			Format:  "msgpack",
			Kind:    "realistic",
			State:   "made per call",
			Package: "github.com/polypack/polypack/go",
			Note:    "StreamDecoder; into structs, documents into any; dates stay text",
			File:    "stream_polypack.go",
		},
		func(to io.Writer) (coder, func() error) { return polypack.NewStreamEncoder(to).Encode, nil },
		func(from io.Reader) coder { return polypack.NewStreamDecoder(from).Decode },
	)
}
