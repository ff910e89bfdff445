package payload

// Plan of the file: Same, which reports whether decoding returned the value that was encoded. It replaces
// reflect.DeepEqual, which is slower for long slices and can't allow the changes that Rules name.

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

// Rules say which changes a library makes on purpose. Any other difference makes the library's result wrong.
type Rules struct {
	Numbers bool // a number in an any comes back as another Go type, with the same value
	Keys    bool // a map in an any comes back as map[any]any, with the same keys
	Empty   bool // a nil slice or map comes back empty, or an empty one comes back nil
	Zone    bool // a time comes back in another zone, as the same instant
}

func (r Rules) String() string {
	var names []string
	for _, rule := range []struct {
		set  bool
		name string
	}{
		{r.Numbers, "numbers in an any may change their type"},
		{r.Keys, "maps in an any may become map[any]any"},
		{r.Empty, "nil slices and maps may become empty ones"},
		{r.Zone, "times may change their zone"},
	} {
		if rule.set {
			names = append(names, rule.name)
		}
	}
	return strings.Join(names, ", ")
}

// Same reports whether the pointers want and got have the same type and point to equal values. Allowed changes don't
// count as differences.
func Same(want, got any, allowed Rules) bool {
	return allowed.same(reflect.ValueOf(want), reflect.ValueOf(got))
}

func (r Rules) same(want, got reflect.Value) bool {
	if !want.IsValid() || !got.IsValid() {
		return want.IsValid() == got.IsValid()
	}
	if want.Type() != got.Type() {
		return false
	}
	if at, ok := want.Interface().(time.Time); ok {
		back := got.Interface().(time.Time)
		return at == back || r.Zone && at.Equal(back)
	}
	switch want.Kind() {
	case reflect.Pointer:
		if want.IsNil() || got.IsNil() {
			return want.IsNil() == got.IsNil()
		}
		return r.same(want.Elem(), got.Elem())
	case reflect.Interface:
		return r.sameAny(want.Elem(), got.Elem())
	case reflect.Struct:
		for i := range want.NumField() {
			if !r.same(want.Field(i), got.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		return r.sameSlice(want, got)
	case reflect.Map:
		if want.Len() != got.Len() || want.IsNil() != got.IsNil() && !r.Empty {
			return false
		}
		for entries := want.MapRange(); entries.Next(); {
			if !r.sameEntry(entries.Value(), got.MapIndex(entries.Key())) {
				return false
			}
		}
		return true
	default: // numbers, strings and bools; payloads have no other kinds
		return want.Comparable() && want.Equal(got)
	}
}

func (r Rules) sameSlice(want, got reflect.Value) bool {
	if want.Len() != got.Len() || want.IsNil() != got.IsNil() && !r.Empty {
		return false
	}
	switch column := want.Interface().(type) {
	case []int64:
		return slices.Equal(column, got.Interface().([]int64))
	case []uint16:
		return slices.Equal(column, got.Interface().([]uint16))
	case []float64:
		return slices.Equal(column, got.Interface().([]float64))
	case []string:
		return slices.Equal(column, got.Interface().([]string))
	}
	for i := range want.Len() {
		if !r.same(want.Index(i), got.Index(i)) {
			return false
		}
	}
	return true
}

// sameEntry reports whether two map entries with equal keys have the same value. got is invalid if the key is missing.
func (r Rules) sameEntry(want, got reflect.Value) bool { return got.IsValid() && r.same(want, got) }

// sameAny reports whether two interfaces hold the same value.
func (r Rules) sameAny(want, got reflect.Value) bool {
	if !want.IsValid() || !got.IsValid() || want.Type() == got.Type() {
		return r.same(want, got)
	}
	if r.Numbers && isNumber(want) && isNumber(got) {
		return sameNumber(want, got)
	}
	names, ok := want.Interface().(map[string]any)
	others, changed := got.Interface().(map[any]any)
	if !r.Keys || !ok || !changed || len(names) != len(others) {
		return false
	}
	for name, value := range names {
		other, found := others[name]
		if !found || !r.sameAny(reflect.ValueOf(value), reflect.ValueOf(other)) {
			return false
		}
	}
	return true
}

func isNumber(v reflect.Value) bool { return v.CanInt() || v.CanUint() || v.CanFloat() }

// sameNumber reports whether two numbers of different types are equal. An integer beyond ±2⁵³ equals no float, because
// float64 may not represent it exactly.
func sameNumber(a, b reflect.Value) bool {
	if a.CanFloat() || b.CanFloat() {
		x, exactX := asFloat(a)
		y, exactY := asFloat(b)
		return exactX && exactY && x == y
	}
	if a.CanInt() && b.CanInt() {
		return a.Int() == b.Int()
	}
	if a.CanUint() && b.CanUint() {
		return a.Uint() == b.Uint()
	}
	if a.CanUint() {
		a, b = b, a
	}
	return a.Int() >= 0 && uint64(a.Int()) == b.Uint()
}

// asFloat converts a number to a float64. exact is false for an integer that may have been rounded.
func asFloat(v reflect.Value) (f float64, exact bool) {
	const limit = 1 << 53 // up to here, a float64 holds every integer exactly
	switch {
	case v.CanInt():
		return float64(v.Int()), v.Int() >= -limit && v.Int() <= limit
	case v.CanUint():
		return float64(v.Uint()), v.Uint() <= limit
	default:
		return v.Float(), true
	}
}
