//go:build peer_vmihailenco

package main

import (
	"io"

	"github.com/vmihailenco/msgpack/v5"
)

// The library that most programs in Go use, a stream of messages: its Encoder and Decoder.
func init() {
	enterStream(
		Contestant{
			Name:    "vmihailenco/msgpack, stream",
			Format:  "msgpack",
			Kind:    "realistic",
			State:   "made per call",
			Version: moduleVersion("github.com/vmihailenco/msgpack/v5"),
			Note:    "Decoder; into structs, documents into any; dates stay text",
			File:    "stream_peer_vmihailenco.go",
		},
		func(to io.Writer) (coder, func() error) {
			encoder := msgpack.NewEncoder(to)
			return func(value any) error { return encoder.Encode(value) }, nil
		},
		func(from io.Reader) coder {
			decoder := msgpack.NewDecoder(from)
			return func(value any) error { return decoder.Decode(value) }
		},
	)
}
