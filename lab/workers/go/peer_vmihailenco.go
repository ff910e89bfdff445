//go:build peer_vmihailenco

package main

import "github.com/vmihailenco/msgpack/v5"

// The library that most programs in Go use, by its functions.
func init() {
	enter(Contestant{
		Name:        "vmihailenco/msgpack",
		Format:      "msgpack",
		Scenarios:   everything(),
		Kind:        "realistic",
		Version:     moduleVersion("github.com/vmihailenco/msgpack/v5"),
		Note:        "into structs, documents into any; dates stay text",
		File:        "peer_vmihailenco.go",
		Serialize:   msgpack.Marshal,
		Deserialize: func(bytes []byte, into any) error { return msgpack.Unmarshal(bytes, into) },
	})
}
