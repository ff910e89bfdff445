// Package tagged reads and writes the notation of the vectors (vectors/README.md): bytes in hex with repeats, and
// values as JSON objects with one tag. The test of the vectors and the adapter for conformance share it.
package tagged

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	polypack "github.com/polypack/polypack/go"
)

// Bytes reads hex bytes separated by spaces. For example, 61*300 repeats a byte, and (c4 00)*20 repeats a group.
func Bytes(text string) ([]byte, error) {
	var out, group []byte
	inGroup := false
	for _, word := range strings.Fields(text) {
		word, opens := strings.CutPrefix(word, "(")
		if opens {
			group, inGroup = nil, true
		}
		word, repeat, _ := strings.Cut(word, "*")
		word, closes := strings.CutSuffix(word, ")")
		part, err := hex.DecodeString(word)
		if err != nil {
			return nil, err
		}
		if inGroup {
			group = append(group, part...)
			if !closes {
				continue
			}
			part, inGroup = group, false
		}
		times := 1
		if repeat != "" {
			if times, err = strconv.Atoi(repeat); err != nil {
				return nil, err
			}
		}
		out = append(out, bytes.Repeat(part, times)...)
	}
	if inGroup {
		return nil, errors.New("a group is not closed")
	}
	return out, nil
}

// A Value is a tagged value. The field Go holds it as a Go value. UnmarshalJSON makes every map an Object, every
// timestamp a Timestamp, and undefined an Ext.
type Value struct{ Go any }

// UnmarshalJSON reads a tagged value. It parses the text only once, however deep values are nested.
func (v *Value) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree any
	err := d.Decode(&tree)
	if err == nil {
		v.Go, err = valueOf(tree)
	}
	return err
}

// valueOf returns the Go value of a tagged value. tree is the tagged value as JSON parsed into an any.
func valueOf(tree any) (any, error) {
	node, ok := tree.(map[string]any)
	times := 1
	if number, has := node["times"]; has {
		var err error
		if times, err = integerOf[int](number); err != nil {
			return nil, err
		}
		delete(node, "times")
	}
	if !ok || len(node) != 1 {
		return nil, fmt.Errorf("a value without a tag, or with several: %v", tree)
	}
	for name, value := range node {
		v, err := untagged(name, value, times)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return v, nil
	}
	panic("not reached")
}

func untagged(name string, value any, times int) (any, error) {
	switch value := value.(type) {
	case bool:
		switch name {
		case "nil":
			return nil, nil
		case "undefined":
			return polypack.Ext{Type: 0, Data: []byte{0}}, nil
		case "bool":
			return value, nil
		}
	case string:
		switch name {
		case "int":
			return integer(value)
		case "float":
			bits, err := strconv.ParseUint(value, 16, 64)
			return math.Float64frombits(bits), err
		case "str":
			return strings.Repeat(value, times), nil
		case "bin":
			b, err := hex.DecodeString(value)
			return append([]byte{}, bytes.Repeat(b, times)...), err
		}
	case []any:
		switch name {
		case "array":
			return elements(value, times)
		case "map":
			return entries(value)
		case "timestamp":
			return timestamp(value)
		case "ext":
			return ext(value)
		}
	}
	return nil, errors.New("no tag, or none of this type of value")
}

func elements(trees []any, times int) (any, error) {
	once := make([]any, 0, len(trees))
	for _, tree := range trees {
		v, err := valueOf(tree)
		if err != nil {
			return nil, err
		}
		once = append(once, v)
	}
	return append([]any{}, slices.Repeat(once, times)...), nil
}

func entries(trees []any) (any, error) {
	o := polypack.Object{}
	for _, tree := range trees {
		key, value, err := pair(tree)
		if err != nil {
			return nil, err
		}
		var entry polypack.Entry
		if entry.Key, err = valueOf(key); err != nil {
			return nil, err
		}
		if entry.Value, err = valueOf(value); err != nil {
			return nil, err
		}
		o = append(o, entry)
	}
	return o, nil
}

func pair(tree any) (first, second any, err error) {
	both, _ := tree.([]any)
	if len(both) != 2 {
		return nil, nil, fmt.Errorf("no pair: %v", tree)
	}
	return both[0], both[1], nil
}

func integer(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	return strconv.ParseUint(text, 10, 64)
}

// integerOf returns a JSON number as an integer of type T, or an error if T can't hold it.
func integerOf[T int | int8 | uint32](tree any) (n T, err error) {
	number, _ := tree.(json.Number)
	return n, json.Unmarshal([]byte(number), &n)
}

func timestamp(parts []any) (any, error) {
	first, second, err := pair(parts)
	if err != nil {
		return nil, err
	}
	seconds, _ := first.(string)
	var ts polypack.Timestamp
	if ts.Seconds, err = strconv.ParseInt(seconds, 10, 64); err == nil {
		ts.Nanoseconds, err = integerOf[uint32](second)
	}
	return ts, err
}

func ext(parts []any) (any, error) {
	first, second, err := pair(parts)
	if err != nil {
		return nil, err
	}
	var x polypack.Ext
	if x.Type, err = integerOf[int8](first); err != nil {
		return nil, err
	}
	data, _ := second.(string)
	b, err := hex.DecodeString(data)
	x.Data = append([]byte{}, b...)
	return x, err
}

// MarshalJSON writes a value with its tag. It accepts the types that decoding into an any gives in any mode, but not
// those of registered extensions. A string that isn't UTF-8 gets the tag bin.
func (v Value) MarshalJSON() ([]byte, error) {
	switch x := v.Go.(type) {
	case nil:
		return tag("nil", true)
	case bool:
		return tag("bool", x)
	case int64:
		return tag("int", strconv.FormatInt(x, 10))
	case uint64:
		return tag("int", strconv.FormatUint(x, 10))
	case float32:
		return floatTag(float64(x))
	case float64:
		return floatTag(x)
	case string:
		if !utf8.ValidString(x) { // JSON can't hold such a string
			return tag("bin", hex.EncodeToString([]byte(x)))
		}
		return tag("str", x)
	case []byte:
		return tag("bin", hex.EncodeToString(x))
	case []any:
		elements := make([]Value, 0, len(x))
		for _, element := range x {
			elements = append(elements, Value{element})
		}
		return tag("array", elements)
	case map[string]any:
		entries := make([][2]Value, 0, len(x))
		for key, value := range x {
			entries = append(entries, [2]Value{{key}, {value}})
		}
		return tag("map", entries)
	case map[any]any:
		entries := make([][2]Value, 0, len(x))
		for key, value := range x {
			entries = append(entries, [2]Value{{key}, {value}})
		}
		return tag("map", entries)
	case polypack.Object:
		entries := make([][2]Value, 0, len(x))
		for _, entry := range x {
			entries = append(entries, [2]Value{{entry.Key}, {entry.Value}})
		}
		return tag("map", entries)
	case time.Time:
		return Value{polypack.TimestampOf(x)}.MarshalJSON()
	case polypack.Timestamp:
		return tag("timestamp", []any{strconv.FormatInt(x.Seconds, 10), x.Nanoseconds})
	case polypack.Ext:
		if x.Type == 0 && bytes.Equal(x.Data, []byte{0}) {
			return tag("undefined", true)
		}
		return tag("ext", []any{x.Type, hex.EncodeToString(x.Data)})
	}
	return nil, fmt.Errorf("%T has no tag", v.Go)
}

func tag(name string, value any) ([]byte, error) { return json.Marshal(map[string]any{name: value}) }

func floatTag(f float64) ([]byte, error) {
	bits := math.Float64bits(f)
	if math.IsNaN(f) {
		bits = 0x7ff8000000000000
	}
	return tag("float", fmt.Sprintf("%016x", bits))
}
