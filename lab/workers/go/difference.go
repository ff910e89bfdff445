package main

import (
	"fmt"
	"math"
	"reflect"
	"time"
)

// A comparison says where two values of one type first differ. A nil slice counts as an empty one, as for programs in
// Go, and a NaN as equal to another; zero has a sign, and a time is its instant, whatever its zone. In an any, an
// integer may come back in another type of integers, and, if readsFloats is set, as a float64 of the same value, as
// JSON is read.
type comparison struct {
	readsFloats bool
}

// difference says where and how they differ, or nothing.
func (c comparison) difference(expected, actual reflect.Value, path string) string {
	if !expected.IsValid() || !actual.IsValid() {
		if expected.IsValid() == actual.IsValid() {
			return ""
		}
		return fmt.Sprintf("%s: one of them is nil", place(path))
	}
	if expected.Type() != actual.Type() {
		return fmt.Sprintf("%s: %s expected, got %s", place(path), expected.Type(), actual.Type())
	}
	switch expected.Kind() {
	case reflect.Interface:
		expected, actual = expected.Elem(), actual.Elem()
		if c.sameNumber(expected, actual) {
			return ""
		}
		return c.difference(expected, actual, path)
	case reflect.Pointer:
		if expected.IsNil() || actual.IsNil() {
			if expected.IsNil() == actual.IsNil() {
				return ""
			}
			return fmt.Sprintf("%s: one of them is nil", place(path))
		}
		return c.difference(expected.Elem(), actual.Elem(), path)
	case reflect.Struct:
		if at, ok := expected.Interface().(time.Time); ok {
			if back := actual.Interface().(time.Time); !at.Equal(back) {
				return fmt.Sprintf("%s: %s expected, got %s", place(path), at, back)
			}
			return ""
		}
		for i := range expected.NumField() {
			if found := c.difference(expected.Field(i), actual.Field(i), path+"/"+expected.Type().Field(i).Name); found != "" {
				return found
			}
		}
		return ""
	case reflect.Slice, reflect.Array:
		if expected.Len() != actual.Len() {
			return fmt.Sprintf("%s: %d elements expected, got %d", place(path), expected.Len(), actual.Len())
		}
		for i := range expected.Len() {
			if found := c.difference(expected.Index(i), actual.Index(i), fmt.Sprintf("%s/%d", path, i)); found != "" {
				return found
			}
		}
		return ""
	case reflect.Map:
		return c.mapDifference(expected, actual, path)
	case reflect.Float32, reflect.Float64:
		if sameFloat(expected.Float(), actual.Float()) {
			return ""
		}
		return fmt.Sprintf("%s: %v expected, got %v", place(path), expected.Float(), actual.Float())
	}
	if reflect.DeepEqual(expected.Interface(), actual.Interface()) {
		return ""
	}
	return fmt.Sprintf("%s: %#v expected, got %#v", place(path), expected.Interface(), actual.Interface())
}

func (c comparison) mapDifference(expected, actual reflect.Value, path string) string {
	for _, key := range expected.MapKeys() {
		below := fmt.Sprintf("%s/%v", path, key)
		if !actual.MapIndex(key).IsValid() {
			return below + ": missing"
		}
		if found := c.difference(expected.MapIndex(key), actual.MapIndex(key), below); found != "" {
			return found
		}
	}
	if expected.Len() != actual.Len() {
		return fmt.Sprintf("%s: %d entries expected, got %d", place(path), expected.Len(), actual.Len())
	}
	if expected.IsNil() != actual.IsNil() {
		return fmt.Sprintf("%s: one of them is nil", place(path))
	}
	return ""
}

// sameNumber reports whether two numbers of different types, each in an any, are the same.
func (c comparison) sameNumber(expected, actual reflect.Value) bool {
	switch {
	case expected.CanInt() && actual.CanInt():
		return expected.Int() == actual.Int()
	case expected.CanInt() && actual.CanUint():
		return expected.Int() >= 0 && uint64(expected.Int()) == actual.Uint()
	case c.readsFloats && expected.CanInt() && actual.CanFloat():
		const exact = 1 << 53 // up to here a float64 holds every integer
		return math.Abs(actual.Float()) <= exact && sameFloat(float64(expected.Int()), actual.Float())
	case c.readsFloats && expected.CanFloat() && actual.CanFloat():
		return sameFloat(expected.Float(), actual.Float())
	}
	return false
}

func sameFloat(a, b float64) bool {
	return a != a && b != b || math.Float64bits(a) == math.Float64bits(b)
}

func place(path string) string {
	if path == "" {
		return "the whole"
	}
	return path
}
