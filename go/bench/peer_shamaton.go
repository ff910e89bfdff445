//go:build peer_shamaton

package main

import (
	"github.com/shamaton/msgpack/v3"

	"github.com/polypack/polypack/go/bench/payload"
)

func init() {
	enter(contestant{
		name:    "shamaton",
		allowed: payload.Rules{Numbers: true, Keys: true},
		codecOf: general(func(v any) ([]byte, error) { return msgpack.Marshal(v) },
			func(data []byte, target any) error { return msgpack.Unmarshal(data, target) }),
	})
}
