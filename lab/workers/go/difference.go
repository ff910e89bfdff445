package main

import (
	"fmt"
	"math"
	"reflect"
)

// difference says where two values of one type first differ and how, or nothing. A nil slice counts as an empty one,
// as for programs in Go, and a NaN as equal to another; zero has a sign.
func difference(expected, actual reflect.Value, path string) string {
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
		return difference(expected.Elem(), actual.Elem(), path)
	case reflect.Pointer:
		if expected.IsNil() || actual.IsNil() {
			if expected.IsNil() == actual.IsNil() {
				return ""
			}
			return fmt.Sprintf("%s: one of them is nil", place(path))
		}
		return difference(expected.Elem(), actual.Elem(), path)
	case reflect.Struct:
		for i := range expected.NumField() {
			if found := difference(expected.Field(i), actual.Field(i), path+"/"+expected.Type().Field(i).Name); found != "" {
				return found
			}
		}
		return ""
	case reflect.Slice, reflect.Array:
		if expected.Len() != actual.Len() {
			return fmt.Sprintf("%s: %d elements expected, got %d", place(path), expected.Len(), actual.Len())
		}
		for i := range expected.Len() {
			if found := difference(expected.Index(i), actual.Index(i), fmt.Sprintf("%s/%d", path, i)); found != "" {
				return found
			}
		}
		return ""
	case reflect.Map:
		for _, key := range expected.MapKeys() {
			below := fmt.Sprintf("%s/%v", path, key)
			if !actual.MapIndex(key).IsValid() {
				return below + ": missing"
			}
			if found := difference(expected.MapIndex(key), actual.MapIndex(key), below); found != "" {
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
	case reflect.Float32, reflect.Float64:
		if bothNaN := expected.Float() != expected.Float() && actual.Float() != actual.Float(); bothNaN ||
			math.Float64bits(expected.Float()) == math.Float64bits(actual.Float()) {
			return ""
		}
		return fmt.Sprintf("%s: %v expected, got %v", place(path), expected.Float(), actual.Float())
	}
	if reflect.DeepEqual(expected.Interface(), actual.Interface()) {
		return ""
	}
	return fmt.Sprintf("%s: %#v expected, got %#v", place(path), expected.Interface(), actual.Interface())
}

func place(path string) string {
	if path == "" {
		return "the whole"
	}
	return path
}
