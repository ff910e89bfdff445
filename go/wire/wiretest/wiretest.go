// Package wiretest has the function that tests written by polypack-gen -tests call.
package wiretest

// Plan of the file: the test of one type. values.go makes the random values.

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// rounds is how many random values a test tries, besides the zero value.
const rounds = 200

// RoundTrip tests the generated methods of a struct type T with random values, which are the same in each run. A
// message that is decoded and encoded again must stay the same. It must also be the message that the library writes
// without the methods. A truncated message must be an error. Without options, RoundTrip also fails if the type has
// changed since the methods were generated, because then the library doesn't use the methods. The build tag purego
// turns this last check off.
//
// RoundTrip fills only exported fields and embedded structs. Fields whose types encode themselves stay zero, but a
// time.Time is filled.
func RoundTrip[T any](t testing.TB, opts ...polypack.Option) {
	t.Helper()
	if len(opts) == 0 {
		checkUse(t, new(T))
	}
	r := &filler{Rand: rand.New(rand.NewPCG(1, 2))}
	encoded := 0
	var last error
	for i := range rounds + 1 {
		v := new(T)
		if i > 0 {
			r.left = most
			r.fill(reflect.ValueOf(v).Elem())
		}
		data, err := polypack.Marshal(v, opts...)
		if err != nil { // a method of a field may refuse a value
			last = err
			continue
		}
		encoded++
		if !check[T](t, v, data, opts) {
			return
		}
	}
	if encoded == 0 {
		t.Errorf("no value of %T could be encoded: %v", *new(T), last)
	}
}

// checkUse reports methods that don't fit their type.
func checkUse(t testing.TB, v any) {
	t.Helper()
	var d polypack.Direct
	if _, err := d.Append(nil, v); err == nil && usesMethods && !d.Fits() {
		t.Errorf("the library doesn't use the methods of %T, because the type has changed since; run polypack-gen again", v)
	}
}

// check tests one value and its encoding. It reports whether all is well.
func check[T any](t testing.TB, v *T, data []byte, opts []polypack.Option) bool {
	t.Helper()
	// Strict mode doesn't use generated methods. If it refuses a value that other modes accept, nothing is compared.
	plain, err := polypack.Marshal(v, append([]polypack.Option{polypack.Strict}, opts...)...)
	if err == nil && !bytes.Equal(plain, data) {
		t.Errorf("%+v\nis % x with generated methods,\nand % x without them", *v, data, plain)
		return false
	}
	back := new(T)
	if err := polypack.Unmarshal(data, back, opts...); err != nil {
		t.Errorf("%+v\nis % x,\nwhich can't be decoded: %v", *v, data, err)
		return false
	}
	again, err := polypack.Marshal(back, opts...)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("%+v\nis % x,\ndecoded and encoded again % x, %v", *v, data, again, err)
		return false
	}
	for end := 0; end < len(data); end += 1 + len(data)/16 {
		if polypack.Unmarshal(data[:end], new(T), opts...) == nil {
			t.Errorf("the first %d bytes of % x are no error", end, data)
			return false
		}
	}
	return true
}
