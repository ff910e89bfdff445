package wiretest

import (
	"encoding"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// most is approximately the largest number of values in a random value. It keeps the values of recursive types small.
const most = 100

// A filler makes random values.
type filler struct {
	*rand.Rand
	left int // number of values that the current random value may still get
}

var libraryPath = reflect.TypeFor[polypack.Ext]().PkgPath()

// ownWays has the interfaces of types that encode or decode themselves.
var ownWays = []reflect.Type{
	reflect.TypeFor[polypack.MarshalerTo](), reflect.TypeFor[polypack.Appender](), reflect.TypeFor[polypack.Marshaler](),
	reflect.TypeFor[polypack.UnmarshalerFrom](), reflect.TypeFor[polypack.Unmarshaler](),
	reflect.TypeFor[encoding.BinaryAppender](), reflect.TypeFor[encoding.TextAppender](),
	reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.BinaryUnmarshaler](),
	reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

// encodesItself reports whether t is a type of package polypack or implements one of ownWays. A random value of such a
// type may have no encoding.
func encodesItself(t reflect.Type) bool {
	if t.PkgPath() == libraryPath {
		return true
	}
	for _, own := range ownWays {
		if t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	return false
}

// borrows reports whether t is a struct with several fields, the first of them embedded, or embeds only such a struct.
// The library ignores the methods that are promoted from the embedded field, so fill fills the struct.
func borrows(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumField() == 0 || !t.Field(0).Anonymous {
		return false
	}
	return t.NumField() > 1 || borrows(t.Field(0).Type)
}

// fill sets v, which is zero, to a random value.
func (r *filler) fill(v reflect.Value) {
	r.left--
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(1<<36)-1<<35, r.Int64N(2)*r.Int64N(1e9)).UTC()))
		return
	}
	if encodesItself(v.Type()) && !borrows(v.Type()) {
		return
	}
	some := r.left > 0 && r.IntN(4) > 0
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64) << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(r.Uint64() >> r.IntN(64) << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(r.NormFloat64())) * float64(r.IntN(3)))
	case reflect.String:
		v.SetString(r.text())
	case reflect.Pointer:
		if some {
			v.Set(reflect.New(v.Type().Elem()))
			r.fill(v.Elem())
		}
	case reflect.Interface:
		if some && v.NumMethod() == 0 {
			v.Set(reflect.ValueOf([]any{r.Int64() >> r.IntN(64), r.text(), r.IntN(2) == 0, []any{r.text(), nil}}[r.IntN(4)]))
		}
	case reflect.Slice:
		if some {
			v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			r.fill(v.Index(i))
		}
	case reflect.Map:
		if !some {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(4) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.fill(key)
			r.fill(value)
			if key.Comparable() {
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct {
				r.fill(v.Field(i))
			}
		}
	}
}

// text returns up to 39 characters, some of them not ASCII.
func (r *filler) text() string {
	var b strings.Builder
	for range r.IntN(1 + r.IntN(40)) {
		b.WriteRune([]rune("abcdefghijklmnopqrstuvwxyz äß€😀")[r.IntN(31)])
	}
	return b.String()
}
