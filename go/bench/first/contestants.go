package main

import (
	"encoding/json"

	polypack "github.com/polypack/polypack/go"
)

// contestant is a library. own converts a pointer to a payload into the pointer that marshal and unmarshal get.
type contestant struct {
	marshal   func(v any) ([]byte, error)
	unmarshal func(data []byte, v any) error
	own       func(v any) any
}

// contestants maps names to contestants. Files with build tags add more. The peers need modules that this module
// doesn't require, and our generated code needs files that aren't committed.
var contestants = map[string]contestant{
	"polypack": {
		func(v any) ([]byte, error) { return polypack.Marshal(v) },
		func(data []byte, v any) error { return polypack.Unmarshal(data, v) },
		asIs,
	},
	"json": {json.Marshal, json.Unmarshal, asIs},
}

func asIs(v any) any { return v }
