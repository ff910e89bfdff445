package polypack_test

// What several tests share: bytes in hex, and the assertion of an error's code and place.

import (
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// unhex reads hex bytes; spaces do not count.
func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// fewRounds reports whether tests of many rounds make do with fewer: in a short run, where each memory access is
// checked, in a build without the engine, where nothing can be compared with it, and on 32-bit machines, whose rounds
// have the same seeds as those of 64 bits.
func fewRounds() bool { return testing.Short() || instrumented || purego || strconv.IntSize == 32 }

// sample returns every nth of the values in a short run, and all of them in any other.
func sample[T any](values []T, n int) []T {
	if !testing.Short() {
		return values
	}
	var some []T
	for i := 0; i < len(values); i += n {
		some = append(some, values[i])
	}
	return some
}

// wantFault asserts an error by code, offset (-1: none) and path.
func wantFault(t testing.TB, err error, code polypack.Code, offset int64, path string) {
	t.Helper()
	var e *polypack.Error
	if !errors.As(err, &e) {
		t.Errorf("error %v; want %s", err, code)
		return
	}
	if e.Code != code || e.Offset != offset || e.Path != path {
		t.Errorf("%s at %d, path %q (%v); want %s at %d, path %q", e.Code, e.Offset, e.Path, e, code, offset, path)
	}
	if !errors.Is(err, code) {
		t.Errorf("errors.Is does not find %s", code)
	}
}

// wantUsage asserts a UsageError of the call.
func wantUsage(t testing.TB, err error, call string) {
	t.Helper()
	var e *polypack.UsageError
	if !errors.As(err, &e) || e.Call != call || e.Reason == "" {
		t.Errorf("error %v; want a UsageError of %s", err, call)
	}
}

// mustMarshal returns the encoding of v.
func mustMarshal(t testing.TB, v any, opts ...polypack.Option) []byte {
	t.Helper()
	data, err := polypack.Marshal(v, opts...)
	if err != nil {
		t.Fatalf("Marshal(%T): %v", v, err)
	}
	return data
}
