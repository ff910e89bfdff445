package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"strconv"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// A door is a way into the library, with options or a type that choose other code.
type door struct {
	Name    string `json:"name"`
	Records string `json:"records,omitempty"`
	decode  func(data []byte) (any, error)
}

// The doors whose cost is measured.
var doors = allDoors()

// shapes are the names that units of shared records have (lib/cost-units.mjs).
var shapes = [][]string{{"999"}, {"abc"}, {"999", "2499"}, {"abc", "abcd"}}

func listDoors(*request, []polypack.Option) (answer, error) {
	return answer{"doors": doors}, nil
}

func allDoors() []door {
	dictionary, err := polypack.NewDictionary(shapes)
	if err != nil {
		fail(err)
	}
	shared := polypack.SharedRecords(dictionary)
	inline := polypack.Records(polypack.RecordsInline)

	var all []door
	for _, mode := range []polypack.Mode{polypack.Default, polypack.Strict, polypack.Lossless} {
		suffix := " " + mode.String()
		all = append(all,
			typed[any]("any"+suffix, mode),
			typed[any]("any maxValues"+suffix, mode, polypack.MaxValues(1_000_000_000)),
			typed[any]("any separate"+suffix, mode, polypack.Strings(polypack.StringsSeparate)),
			door{"any records" + suffix, "inline", decodeTo[any]([]polypack.Option{mode, inline})},
			door{"any shared" + suffix, "shared", decodeTo[any]([]polypack.Option{mode, shared})},
			door{"StreamDecoder" + suffix, "", decodeStream([]polypack.Option{mode})},
			door{"StreamDecoder records" + suffix, "inline", decodeStream([]polypack.Option{mode, inline})},
			door{"Elements" + suffix, "", decodeElements([]polypack.Option{mode})},
			door{"Get" + suffix, "", get([]polypack.Option{mode})},
			door{"Get records" + suffix, "inline", get([]polypack.Option{mode, inline})},
		)
		all = append(all, typedDoors(suffix, mode)...)
	}
	for _, records := range []string{"", "inline"} {
		var opts []polypack.Option
		suffix := ""
		if records != "" {
			opts, suffix = []polypack.Option{inline}, " records"
		}
		all = append(all,
			door{"Canonicalize" + suffix, records, func(data []byte) (any, error) { return polypack.Canonicalize(data, opts...) }},
			door{"IsCanonical" + suffix, records, func(data []byte) (any, error) {
				departure, _, err := polypack.IsCanonical(data, opts...)
				return departure, err
			}},
		)
	}
	return all
}

// typedDoors have the types that units fit: whatever else they get is a type_mismatch, which is cheap.
func typedDoors(suffix string, mode polypack.Mode) []door {
	return []door{
		typed[[]any]("[]any"+suffix, mode),
		typed[map[string]any]("map[string]any"+suffix, mode),
		typed[map[any]any]("map[any]any"+suffix, mode),
		typed[map[int64]any]("map[int64]any"+suffix, mode),
		typed[map[float64]any]("map[float64]any"+suffix, mode),
		typed[[]map[string]any]("[]map[string]any"+suffix, mode),
		typed[[]map[any]any]("[]map[any]any"+suffix, mode),
		typed[[]map[string]string]("[]map[string]string"+suffix, mode),
		typed[[][]int]("[][]int"+suffix, mode),
		typed[[]string]("[]string"+suffix, mode),
		typed[[][]byte]("[][]byte"+suffix, mode),
		typed[[]float64]("[]float64"+suffix, mode),
		typed[[]time.Time]("[]time.Time"+suffix, mode),
		typed[[]polypack.Ext]("[]Ext"+suffix, mode),
		typed[[]polypack.RawMessage]("[]RawMessage"+suffix, mode),
		typed[[]row]("[]struct"+suffix, mode),
		typed[tree]("struct in struct"+suffix, mode),
		typed[custom]("UnmarshalMsgpack"+suffix, mode),
	}
}

type row struct {
	ABC  any `msgpack:"abc"`
	ABCD any `msgpack:"abcd"`
	N    any `msgpack:"999"`
}

type tree struct {
	A *tree `msgpack:"a"`
}

// custom reads itself in the usual way: through a type without its methods.
type custom struct {
	A *custom `msgpack:"a"`
}

func (c *custom) UnmarshalMsgpack(data []byte) error {
	type plain custom
	return polypack.Unmarshal(data, (*plain)(c))
}

func typed[T any](name string, opts ...polypack.Option) door {
	return door{name, "", decodeTo[T](opts)}
}

func decodeTo[T any](opts []polypack.Option) func([]byte) (any, error) {
	return func(data []byte) (any, error) {
		v := new(T)
		err := polypack.Unmarshal(data, v, opts...)
		return v, err
	}
}

func decodeStream(opts []polypack.Option) func([]byte) (any, error) {
	return func(data []byte) (any, error) {
		return collect(polypack.Values[any](bytes.NewReader(data), opts...))
	}
}

func decodeElements(opts []polypack.Option) func([]byte) (any, error) {
	return func(data []byte) (any, error) {
		return collect(polypack.Elements[any](bytes.NewReader(data), opts...))
	}
}

func collect(values iter.Seq2[any, error]) (any, error) {
	var all []any
	for v, err := range values {
		if err != nil {
			return all, err
		}
		all = append(all, v)
	}
	return all, nil
}

// get reads the last element; of a map, an entry that is not there, so that all of it is read.
func get(opts []polypack.Option) func([]byte) (any, error) {
	return func(data []byte) (any, error) {
		path := "/…"
		if data[0] == 0xdd {
			path = "/" + strconv.Itoa(int(binary.BigEndian.Uint32(data[1:]))-1)
		}
		raw, err := polypack.Get(data, path, opts...)
		if errors.Is(err, polypack.ErrNotFound) {
			err = nil
		}
		return raw, err
	}
}
