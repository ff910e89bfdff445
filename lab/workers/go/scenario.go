package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A scenario makes an empty value of its type, and reads one from JSON.
type scenario struct {
	empty func() any
	read  func(data []byte) (any, error)
}

var scenarios = map[string]scenario{
	"person": of[Persons](),
	"order":  of[Orders](),
	"rows":   of[Rows](),

	"api1000":        ofAny(),
	"config":         ofAny(),
	"event":          ofAny(),
	"ints10k":        of[Integers](),
	"ints7_10k":      of[Integers](),
	"ints32_10k":     of[Integers](),
	"floats10k":      of[Floats](),
	"texts300":       of[Texts](),
	"strs5k":         of[Texts](),
	"matrix100x100f": of[Matrix](),
	"idmap5k":        ofAny(),

	"small-ack":     ofAny(),
	"small-session": ofAny(),
	"small-event":   ofAny(),

	"js-ex1":         ofAny(),
	"js-ex2":         ofAny(),
	"js-ex3":         ofAny(),
	"js-ex4":         ofAny(),
	"js-ex5":         ofAny(),
	"js-sampleLarge": ofAny(),
	"js-apiList":     ofAny(),
	"js-config":      ofAny(),
	"js-geo":         ofAny(),
	"js-text":        ofAny(),

	"countries":      ofAny(),
	"real-countries": ofAny(),
	"real-mime":      ofAny(),
	"real-emoji":     ofAny(),
	"real-atlas":     ofAny(),
	"real-compat":    ofAny(),
	"real-cities":    ofAny(),
}

// everything names all scenarios.
func everything() []string { return slices.Sorted(maps.Keys(scenarios)) }

func of[T any]() scenario {
	return scenario{
		empty: func() any { return new(T) },
		read: func(data []byte) (any, error) {
			value := new(T)
			return value, json.Unmarshal(data, value)
		},
	}
}

// ofAny is for documents of many shapes. A number without point and exponent is an int64, so that every format has the
// same to write.
func ofAny() scenario {
	return scenario{
		empty: func() any { return new(any) },
		read: func(data []byte) (any, error) {
			decoder := json.NewDecoder(bytes.NewReader(data))
			decoder.UseNumber()
			var value any
			if err := decoder.Decode(&value); err != nil {
				return nil, err
			}
			value, err := withNumbers(value)
			return &value, err
		},
	}
}

// withNumbers puts an int64 or a float64 in place of each json.Number.
func withNumbers(value any) (any, error) {
	var err error
	switch value := value.(type) {
	case json.Number:
		if strings.ContainsAny(value.String(), ".eE") {
			return value.Float64()
		}
		return value.Int64()
	case []any:
		for i := range value {
			if value[i], err = withNumbers(value[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range value {
			if value[key], err = withNumbers(value[key]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// argument is what a contestant serializes: a pointer to a struct or a list, but what an any holds itself.
func argument(value any) any {
	if dynamic, ok := value.(*any); ok {
		return *dynamic
	}
	return value
}
