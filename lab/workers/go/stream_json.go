package main

import (
	"encoding/json"
	"io"
)

// A stream as lines of JSON by the standard library, a floor.
func init() {
	enterStream(
		Contestant{
			Name:   "encoding/json, stream",
			Format: "ndjson",
			Kind:   "floor",
			State:  "made per call",
			Note:   "Decoder; into structs, documents into any; dates stay text",
			File:   "stream_json.go",
		},
		func(to io.Writer) (coder, func() error) { return json.NewEncoder(to).Encode, nil },
		func(from io.Reader) coder { return json.NewDecoder(from).Decode },
	)
}
