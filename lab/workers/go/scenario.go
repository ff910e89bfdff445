package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/polypack/polypack/go/bench/payload"
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

	"stream-person":    of[Persons](),
	"stream-order":     of[Orders](),
	"stream-rows":      of[Rows](),
	"stream-countries": ofAny(),

	"stream-messages":    ofAny(),
	"stream-100k-by-1k":  ofAny(),
	"stream-1800k-by-1k": ofAny(),
	"js-stream-small":    ofAny(),
	"js-stream-large":    ofAny(),

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

	"go-01Small":      of[payload.Small](),
	"go-02Medium":     of[payload.Medium](),
	"go-03Large":      of[payload.Large](),
	"go-04SmallMap":   ofMap(),
	"go-05MediumMap":  ofMap(),
	"go-06StringMap":  of[map[string]string](),
	"go-07Int64x1M":   of[payload.Int64s](),
	"go-08Mixed64x1M": of[payload.Int64s](),
	"go-09Uint16x1M":  of[payload.Uint16s](),
	"go-10Float64x1M": of[payload.Float64s](),
	"go-11Stringx1M":  of[payload.Strings](),
	"go-12Rows1000":   of[payload.Page](),
	"go-13Config":     of[payload.Config](),
	"go-14Series":     of[payload.Series](),
	"go-15Doc":        ofMap(),
	"go-16Maps500":    ofMaps(),

	"countries":      ofAny(),
	"real-countries": ofAny(),
	"real-mime":      ofAny(),
	"real-emoji":     ofAny(),
	"real-atlas":     ofAny(),
	"real-compat":    ofAny(),
	"real-cities":    ofAny(),
}

// everything names all scenarios but streams.
func everything() []string { return slices.DeleteFunc(slices.Sorted(maps.Keys(scenarios)), isStream) }

// ofStructs names those whose values are structs or lists of structs.
func ofStructs() []string { return append([]string{"person", "order", "rows"}, ofBenchStructs()...) }

// ofBench names those of go/bench.
func ofBench() []string {
	return slices.DeleteFunc(everything(), func(name string) bool { return !strings.HasPrefix(name, "go-") })
}

// ofBenchStructs names those of go/bench whose values are structs. The others are maps.
func ofBenchStructs() []string {
	return slices.DeleteFunc(ofBench(), func(name string) bool {
		return reflect.TypeOf(scenarios[name].empty()).Elem().Kind() != reflect.Struct
	})
}

// streams names those whose elements are messages of their own.
func streams() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(scenarios)), func(name string) bool { return !isStream(name) })
}

func isStream(name string) bool { return strings.HasPrefix(strings.TrimPrefix(name, "js-"), "stream-") }

func of[T any]() scenario {
	return scenario{
		empty: func() any { return new(T) },
		read: func(data []byte) (any, error) {
			value := new(T)
			return value, json.Unmarshal(data, value)
		},
	}
}

// ofAny is for documents of many shapes, ofMap and ofMaps for those that the bench of Go has in other types.
func ofAny() scenario { return ofDynamic(func(value any) any { return value }) }

func ofMap() scenario {
	return ofDynamic(func(value any) map[string]any { return value.(map[string]any) })
}

func ofMaps() scenario {
	return ofDynamic(func(value any) []map[string]any {
		var list []map[string]any
		for _, one := range value.([]any) {
			list = append(list, one.(map[string]any))
		}
		return list
	})
}

// ofDynamic reads a number without point and exponent as an int64, so that every format has the same to write.
func ofDynamic[T any](convert func(any) T) scenario {
	return scenario{
		empty: func() any { return new(T) },
		read: func(data []byte) (any, error) {
			decoder := json.NewDecoder(bytes.NewReader(data))
			decoder.UseNumber()
			var value any
			if err := decoder.Decode(&value); err != nil {
				return nil, err
			}
			value, err := withNumbers(value)
			if err != nil {
				return nil, err
			}
			converted := convert(value)
			return &converted, nil
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

// argument is what a contestant serializes: a pointer to a struct or a list, so that no call boxes it, but what an any
// or a map holds itself.
func argument(value any) any {
	switch value := value.(type) {
	case *any:
		return *value
	case *map[string]any:
		return *value
	case *map[string]string:
		return *value
	case *[]map[string]any:
		return *value
	}
	return value
}
