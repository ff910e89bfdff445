package main

import (
	"bytes"
	"encoding/gob"
)

// The standard library's own binary format, a floor. Each message describes its types, so that it can be read alone.
func init() {
	gob.Register(map[string]any{})
	gob.Register([]any{})
	enter(Contestant{
		Name:      "encoding/gob",
		Format:    "gob",
		Scenarios: ofBench(), // the others have nil in an any, which gob refuses
		Kind:      "floor",
		State:     "made per call",
		Note:      "an Encoder and a Decoder for each message, which describes its types",
		File:      "gob.go",
		Serialize: func(values any) ([]byte, error) {
			var written bytes.Buffer
			err := gob.NewEncoder(&written).Encode(values)
			return written.Bytes(), err
		},
		Deserialize: func(data []byte, into any) error {
			return gob.NewDecoder(bytes.NewReader(data)).Decode(into)
		},
	})
}
