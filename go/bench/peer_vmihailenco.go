//go:build peer_vmihailenco

package main

import (
	"bytes"

	"github.com/polypack/polypack/go/bench/payload"
	"github.com/vmihailenco/msgpack/v5"
)

func init() {
	enter(contestant{
		name:    "vmihailenco",
		allowed: payload.Rules{Zone: true},
		codecOf: func(w *workload) *codec {
			c := general(msgpack.Marshal, msgpack.Unmarshal)(w)
			var out bytes.Buffer
			encoder := msgpack.NewEncoder(&out)
			c.reuse = func(calls int) ([]byte, error) {
				for range calls {
					out.Reset()
					if err := encoder.Encode(w.value); err != nil {
						return nil, err
					}
				}
				return out.Bytes(), nil
			}
			return c
		},
	})
}
