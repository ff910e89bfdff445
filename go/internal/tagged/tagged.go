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
	"strconv"
	"strings"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// Bytes reads hex bytes separated by spaces, where 61*300 repeats a byte and (c4 00)*20 a group.
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

// A Value is a tagged value. Its Go form has the types of the mode Lossless, but an Object for every map and a
// Timestamp for every timestamp.
type Value struct{ Go any }

// UnmarshalJSON reads a tagged value.
func (v *Value) UnmarshalJSON(text []byte) error {
	var t struct {
		Nil, Undefined *bool
		Bool           *bool
		Int            *string
		Float          *string
		Str            *string
		Bin            *string
		Array          *[]Value
		Map            *[][2]Value
		Timestamp      *[2]json.RawMessage
		Ext            *[2]json.RawMessage
		Times          *int
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return err
	}
	times := 1
	if t.Times != nil {
		times = *t.Times
	}
	var err error
	switch {
	case t.Nil != nil:
		v.Go = nil
	case t.Undefined != nil:
		v.Go = polypack.Ext{Type: 0, Data: []byte{0}}
	case t.Bool != nil:
		v.Go = *t.Bool
	case t.Int != nil:
		v.Go, err = integer(*t.Int)
	case t.Float != nil:
		var bits uint64
		bits, err = strconv.ParseUint(*t.Float, 16, 64)
		v.Go = math.Float64frombits(bits)
	case t.Str != nil:
		v.Go = strings.Repeat(*t.Str, times)
	case t.Bin != nil:
		var b []byte
		b, err = hex.DecodeString(*t.Bin)
		v.Go = append([]byte{}, bytes.Repeat(b, times)...)
	case t.Array != nil:
		elements := []any{}
		for range times {
			for _, element := range *t.Array {
				elements = append(elements, element.Go)
			}
		}
		v.Go = elements
	case t.Map != nil:
		o := polypack.Object{}
		for _, entry := range *t.Map {
			o = append(o, polypack.Entry{Key: entry[0].Go, Value: entry[1].Go})
		}
		v.Go = o
	case t.Timestamp != nil:
		v.Go, err = timestamp(*t.Timestamp)
	case t.Ext != nil:
		v.Go, err = ext(*t.Ext)
	default:
		err = fmt.Errorf("a value without a tag: %s", text)
	}
	return err
}

func integer(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	return strconv.ParseUint(text, 10, 64)
}

func timestamp(parts [2]json.RawMessage) (any, error) {
	var seconds string
	var ts polypack.Timestamp
	if err := errors.Join(json.Unmarshal(parts[0], &seconds), json.Unmarshal(parts[1], &ts.Nanoseconds)); err != nil {
		return nil, err
	}
	var err error
	ts.Seconds, err = strconv.ParseInt(seconds, 10, 64)
	return ts, err
}

func ext(parts [2]json.RawMessage) (any, error) {
	var x polypack.Ext
	var data string
	if err := errors.Join(json.Unmarshal(parts[0], &x.Type), json.Unmarshal(parts[1], &data)); err != nil {
		return nil, err
	}
	b, err := hex.DecodeString(data)
	x.Data = append([]byte{}, b...)
	return x, err
}

// MarshalJSON writes a value with its tag. It accepts every type that decoding into an any returns, in each mode.
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
