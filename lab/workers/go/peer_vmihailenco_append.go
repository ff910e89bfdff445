//go:build peer_vmihailenco

package main

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"
)

// The library that most programs in Go use: one Encoder, into the memory of the previous call.
func init() {
	var written bytes.Buffer
	encoder := msgpack.NewEncoder(&written)
	enter(Contestant{
		Name:      "vmihailenco/msgpack, append",
		Format:    "msgpack",
		Scenarios: ofBench(),
		Kind:      "realistic",
		Version:   moduleVersion("github.com/vmihailenco/msgpack/v5"),
		Note:      "one Encoder, into the memory of the previous call",
		File:      "peer_vmihailenco_append.go",
		Cannot:    onlyAppends,
		Serialize: func(values any) ([]byte, error) {
			written.Reset()
			err := encoder.Encode(values)
			return written.Bytes(), err
		},
	})
}
