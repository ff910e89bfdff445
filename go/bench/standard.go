package main

// Plan of the file: encoding/json and encoding/gob of the standard library.

import (
	"bytes"
	"encoding/gob"
	"encoding/json"

	"github.com/polypack/polypack/go/bench/payload"
)

func init() {
	enter(contestant{
		name:    "json",
		allowed: payload.Rules{Numbers: true},
		codecOf: general(json.Marshal, json.Unmarshal),
	})
	gob.Register(map[string]any{})
	gob.Register([]any{})
	// A new Encoder per message makes gob describe the types in every message. Each message can then be decoded alone,
	// as with the other libraries.
	enter(contestant{
		name: "gob",
		codecOf: general(func(v any) ([]byte, error) {
			var out bytes.Buffer
			err := gob.NewEncoder(&out).Encode(v)
			return out.Bytes(), err
		}, func(data []byte, target any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(target) }),
	})
}
