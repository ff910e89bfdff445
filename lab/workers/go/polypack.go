package main

import polypack "github.com/polypack/polypack/go"

// Ours for Go: functions that take any value, as encoding/json has them.
func init() {
	enter(Contestant{
		Name:        "Polypack (Go)",
		Format:      "msgpack",
		Scenarios:   everything(),
		Kind:        "realistic",
		Package:     "github.com/polypack/polypack/go",
		Note:        "into structs, documents into any; dates stay text",
		File:        "polypack.go",
		Serialize:   func(values any) ([]byte, error) { return polypack.Marshal(values) },
		Deserialize: func(bytes []byte, into any) error { return polypack.Unmarshal(bytes, into) },
	})
}
