// Package described describes values that package snapshot has read, for tests. It uses the notation of
// vectors/README.md#snapshots.
package described

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"unsafe"

	"github.com/polypack/polypack/go/snapshot"
)

// A Value is the description of a value, as a JSON object.
type Value = map[string]any

// Of describes a value. Lists with elements, and maps, become references if they occur more than once.
func Of(value any) Value {
	d := description{times: map[any]int{}, objects: map[*snapshot.Object]int{}, references: map[any]int{}}
	d.count(value)
	return d.of(value)
}

type description struct {
	// times counts how often each list, map or object occurs. The keys are results of the function identity.
	times      map[any]int
	objects    map[*snapshot.Object]int
	references map[any]int
}

// identity returns a key that identifies a list, map or object. It returns nil for other values, and for lists without
// elements.
func identity(value any) any {
	switch v := value.(type) {
	case []any:
		if len(v) > 0 {
			return unsafe.SliceData(v)
		}
	case *snapshot.Map, *snapshot.Object:
		return v
	}
	return nil
}

func (d *description) count(value any) {
	id := identity(value)
	if id == nil {
		return
	}
	d.times[id]++
	if d.times[id] > 1 {
		return
	}
	var inside []any
	switch v := value.(type) {
	case []any:
		inside = v
	case *snapshot.Map:
		inside = v.Values
	case *snapshot.Object:
		inside = v.Values
	}
	for _, item := range inside {
		d.count(item)
	}
}

func (d *description) of(value any) Value {
	switch v := value.(type) {
	case nil:
		return Value{"null": true}
	case bool:
		return Value{"bool": v}
	case int64:
		return Value{"int": strconv.FormatInt(v, 10)}
	case float64:
		if math.IsNaN(v) {
			return Value{"float": "7ff8000000000000"}
		}
		return Value{"float": fmt.Sprintf("%016x", math.Float64bits(v))}
	case string:
		return text(v)
	case snapshot.Case:
		return Value{"case": []any{v.Class, v.Name}}
	case *snapshot.Object:
		return d.object(v)
	}
	id := identity(value)
	if d.times[id] < 2 {
		return d.array(value)
	}
	if known, ok := d.references[id]; ok {
		return Value{"reference": known}
	}
	number := len(d.references)
	d.references[id] = number
	return Value{"reference": number, "value": d.array(value)}
}

func text(s string) Value {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return Value{"hex": hex.EncodeToString([]byte(s))}
		}
	}
	return Value{"str": s}
}

func (d *description) array(value any) Value {
	if m, ok := value.(*snapshot.Map); ok {
		return Value{"map": d.entries(m.Keys, m.Values)}
	}
	list := []any{}
	for _, item := range value.([]any) {
		list = append(list, d.of(item))
	}
	return Value{"list": list}
}

func (d *description) entries(keys, values []any) []any {
	entries := []any{}
	for i, value := range values {
		entries = append(entries, []any{d.of(keys[i]), d.of(value)})
	}
	return entries
}

func (d *description) object(o *snapshot.Object) Value {
	if known, ok := d.objects[o]; ok {
		return Value{"again": known}
	}
	v := Value{"object": o.Class.Name, "id": len(d.objects)}
	d.objects[o] = len(d.objects)
	if s, ok := o.Bytes(); ok {
		v["bytes"] = text(s)
		return v
	}
	if data, ok := o.Data(); ok {
		v["data"] = d.of(data)
		return v
	}
	names := []any{}
	for _, name := range o.Class.Properties {
		names = append(names, name)
	}
	v["properties"] = d.entries(names, o.Values)
	if len(o.Class.Absent) > 0 {
		absent := []any{}
		for _, name := range o.Class.Absent {
			absent = append(absent, text(name))
		}
		v["absent"] = absent
	}
	return v
}
