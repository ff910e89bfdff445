package main

import (
	"fmt"
	"reflect"
)

// difference says where two values of one type first differ and how, or nothing.
func difference(expected, actual reflect.Value, path string) string {
	if expected.Type() != actual.Type() {
		return fmt.Sprintf("%s: %s expected, got %s", place(path), expected.Type(), actual.Type())
	}
	switch expected.Kind() {
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
	case reflect.Slice:
		if expected.Len() != actual.Len() {
			return fmt.Sprintf("%s: %d elements expected, got %d", place(path), expected.Len(), actual.Len())
		}
		for i := range expected.Len() {
			if found := difference(expected.Index(i), actual.Index(i), fmt.Sprintf("%s/%d", path, i)); found != "" {
				return found
			}
		}
		return ""
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
