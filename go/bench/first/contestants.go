package main

import (
	"encoding/json"

	polypack "github.com/polypack/polypack/go"
)

// contestant is a library. own converts a pointer to a payload to the pointer that the library gets.
type contestant struct {
	marshal   func(v any) ([]byte, error)
	unmarshal func(data []byte, v any) error
	own       func(v any) any
}

// contestants has each library by its name. Files with build tags add more: peers, which need modules that this module
// doesn't require, and generated code, which isn't committed.
var contestants = map[string]contestant{
	"polypack": {
		func(v any) ([]byte, error) { return polypack.Marshal(v) },
		func(data []byte, v any) error { return polypack.Unmarshal(data, v) },
		asIs,
	},
	"json": {json.Marshal, json.Unmarshal, asIs},
}

func asIs(v any) any { return v }
