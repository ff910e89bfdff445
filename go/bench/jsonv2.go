//go:build goexperiment.jsonv2 && go1.27

package main

import (
	v1 "encoding/json"
	"encoding/json/v2"

	"github.com/polypack/polypack/go/bench/payload"
)

func init() {
	asNumber := v1.FormatDurationAsNano(true) // without this option, jsonv2 can't encode a time.Duration
	enter(contestant{
		name:    "jsonv2",
		allowed: payload.Rules{Numbers: true, Empty: true},
		codecOf: general(func(v any) ([]byte, error) { return json.Marshal(v, asNumber) },
			func(data []byte, target any) error { return json.Unmarshal(data, target, asNumber) }),
	})
}
