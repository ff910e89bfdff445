package main

import (
	"fmt"
	"math"
	"reflect"
	"strings"
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
func (c comparison) difference(expected, actual reflect.Value) string {
	found := c.below(expected, actual)
	if strings.HasPrefix(found, ":") {
		return "the whole" + found
	}
	return found
}

// below puts the path in front of what it found only on the way back: in a column of a million values, nearly all of
// the time would go into paths that nobody reads.
func (c comparison) below(expected, actual reflect.Value) string {
	if !expected.IsValid() || !actual.IsValid() {
		return oneIsNil(!expected.IsValid(), !actual.IsValid())
	}
	if expected.Type() != actual.Type() {
		return fmt.Sprintf(": %s expected, got %s", expected.Type(), actual.Type())
	}
	switch expected.Kind() {
	case reflect.Interface:
		expected, actual = expected.Elem(), actual.Elem()
		if c.sameNumber(expected, actual) {
			return ""
		}
		return c.below(expected, actual)
	case reflect.Pointer:
		if expected.IsNil() || actual.IsNil() {
			return oneIsNil(expected.IsNil(), actual.IsNil())
		}
		return c.below(expected.Elem(), actual.Elem())
	case reflect.Struct:
		if at, ok := expected.Interface().(time.Time); ok {
			if back := actual.Interface().(time.Time); !at.Equal(back) {
				return fmt.Sprintf(": %s expected, got %s", at, back)
			}
			return ""
		}
		for i := range expected.NumField() {
			if found := c.below(expected.Field(i), actual.Field(i)); found != "" {
				return "/" + expected.Type().Field(i).Name + found
			}
		}
		return ""
	case reflect.Slice, reflect.Array:
		if expected.Len() != actual.Len() {
			return fmt.Sprintf(": %d elements expected, got %d", expected.Len(), actual.Len())
		}
		for i := range expected.Len() {
			if found := c.below(expected.Index(i), actual.Index(i)); found != "" {
				return fmt.Sprintf("/%d%s", i, found)
			}
		}
		return ""
	case reflect.Map:
		return c.mapDifference(expected, actual)
	case reflect.Float32, reflect.Float64:
		if sameFloat(expected.Float(), actual.Float()) {
			return ""
		}
		return fmt.Sprintf(": %v expected, got %v", expected.Float(), actual.Float())
	}
	if expected.Equal(actual) {
		return ""
	}
	return fmt.Sprintf(": %#v expected, got %#v", expected.Interface(), actual.Interface())
}

func oneIsNil(expected, actual bool) string {
	if expected == actual {
		return ""
	}
	return ": one of them is nil"
}

func (c comparison) mapDifference(expected, actual reflect.Value) string {
	for _, key := range expected.MapKeys() {
		found := ": missing"
		if value := actual.MapIndex(key); value.IsValid() {
			found = c.below(expected.MapIndex(key), value)
		}
		if found != "" {
			return fmt.Sprintf("/%v%s", key, found)
		}
	}
	if expected.Len() != actual.Len() {
		return fmt.Sprintf(": %d entries expected, got %d", expected.Len(), actual.Len())
	}
	return oneIsNil(expected.IsNil(), actual.IsNil())
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
