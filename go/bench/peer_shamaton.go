//go:build peer_shamaton

package main

import "github.com/shamaton/msgpack/v3"

func init() {
	enter(contestant{
		name:    "shamaton",
		allowed: rules{numbers: true, keys: true},
		codecOf: general(func(v any) ([]byte, error) { return msgpack.Marshal(v) },
			func(data []byte, target any) error { return msgpack.Unmarshal(data, target) }),
	})
}
