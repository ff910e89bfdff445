package polypack_test

// Plan of the file: the encoding engine against the plans, on types and values that a fuzzer makes: one byte names a
// struct type of random fields, the others are its content.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// leafTypes are what random types are built of.
var leafTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[uint](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[any](), reflect.TypeFor[ownString](),
	reflect.TypeFor[ownText](), reflect.TypeFor[ownSteadyText](), reflect.TypeFor[ownZero](), reflect.TypeFor[polypack.Timestamp](),
	reflect.TypeFor[polypack.RawMessage](), reflect.TypeFor[[3]byte](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]string](),
	reflect.TypeFor[[]string](), reflect.TypeFor[[]mColor](), reflect.TypeFor[map[string]bool](), reflect.TypeFor[map[string]float64](), reflect.TypeFor[map[string]int](), reflect.TypeFor[complex64](),
}

// ownSteadyText has a method with a pointer receiver.
type ownSteadyText struct{ N int8 }

func (v *ownSteadyText) MarshalText() ([]byte, error) {
	if v.N == 77 {
		return nil, errors.New("77")
	}
	return fmt.Append(nil, v.N), nil
}

// keyTypes are of the keys of random maps.
var keyTypes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[ownString](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint64](),
	reflect.TypeFor[ownInt](), reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[[2]int8](), reflect.TypeFor[any](),
}

// randomType makes a type that nests at most depth deep.
func randomType(r *rand.Rand, depth int) reflect.Type {
	if depth == 0 || r.IntN(3) == 0 {
		return leafTypes[r.IntN(len(leafTypes))]
	}
	switch r.IntN(6) {
	case 0:
		return reflect.PointerTo(randomType(r, depth-1))
	case 1, 2:
		return reflect.SliceOf(randomType(r, depth-1))
	case 3:
		return reflect.ArrayOf(r.IntN(3), randomType(r, depth-1))
	case 4:
		return reflect.MapOf(keyTypes[r.IntN(len(keyTypes))], randomType(r, depth-1))
	}
	return randomStruct(r, depth-1)
}

func randomStruct(r *rand.Rand, depth int) reflect.Type {
	count := r.IntN(6)
	if r.IntN(4) == 0 {
		count = 10 + r.IntN(10) // around what a fixmap holds
	}
	fields := make([]reflect.StructField, count)
	for i := range fields {
		name := string(rune('A'+i%26)) + "aLongNameOfAFieldThatNeedsMoreThanTwoWords"[:[]int{0, 3, 6, 7, 14, 15, 30, 31, 40}[r.IntN(9)]]
		tag := []string{"", "", ",omitempty", ",omitzero", ",omitempty,omitzero", "-"}[r.IntN(6)]
		fields[i] = reflect.StructField{
			Name: fmt.Sprint(name, i), Type: randomType(r, depth), Tag: reflect.StructTag(fmt.Sprintf(`msgpack:"%s"`, tag)),
		}
	}
	return reflect.StructOf(fields)
}

// content turns bytes into values. It ends in zeros.
type content []byte

func (c *content) next() int {
	if len(*c) == 0 {
		return 0
	}
	b := (*c)[0]
	*c = (*c)[1:]
	return int(b)
}

func (c *content) number() uint64 {
	n := uint64(c.next())
	if n < 128 {
		return n
	}
	for range n % 8 {
		n = n<<8 | uint64(c.next())
	}
	return n
}

func (c *content) text() string {
	n := c.next()
	switch {
	case n == 255 && len(*c) < 20: // now and then
		n = 70_000
	case n > 245:
		n += 20
	default:
		n %= 40
	}
	text := make([]byte, n)
	for i := range text {
		text[i] = byte('a' + i%3)
	}
	if len(text) > 0 {
		text[len(text)-1] = byte(c.next())
	}
	return string(text)
}

// anyValue returns one of the values that an any often holds, or one of a leaf type.
func (c *content) anyValue(depth int) any {
	switch k := c.next() % 12; {
	case k == 0 || depth <= 0:
		return nil
	case k < 9:
		v := reflect.New([]reflect.Type{
			reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](),
			reflect.TypeFor[[]string](), reflect.TypeFor[float64](), reflect.TypeFor[*ownNode](), reflect.TypeFor[ownEmbedded](),
		}[k-1]).Elem()
		c.fill(v, depth-1)
		return v.Interface()
	}
	v := reflect.New(leafTypes[c.next()%len(leafTypes)]).Elem()
	c.fill(v, depth-1)
	return v.Interface()
}

// fill gives v a content; below depth everything remains zero.
func (c *content) fill(v reflect.Value, depth int) {
	if depth < 0 || !v.CanSet() {
		return
	}
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(int64(c.number()>>20), int64(c.next())*int64(c.next())).UTC()))
		return
	case reflect.TypeFor[polypack.RawMessage]():
		v.SetBytes([]byte{byte(c.next())})
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(c.next()&1 == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(c.number()) >> (c.next() % 64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(c.number())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(c.number() << (c.next() % 64)))
	case reflect.String:
		v.SetString(c.text())
	case reflect.Interface:
		if value := c.anyValue(depth); value != nil {
			v.Set(reflect.ValueOf(value))
		}
	case reflect.Pointer:
		if c.next()%4 != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			c.fill(v.Elem(), depth-1)
		}
	case reflect.Slice:
		n := c.next()
		if n%5 == 0 {
			return
		}
		if n == 255 {
			n = 2 * 256
		} else {
			n = n % 16 / 3
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range min(n, 6) {
			c.fill(v.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			c.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		n := c.next()
		if n%5 == 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range n % 40 / (4 - min(depth, 3)) {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			if key.Kind() == reflect.Interface { // of several that are not UTF-8, the plan reports any
				key.Set(reflect.ValueOf(strings.ToValidUTF8(c.text(), "?")))
			}
			c.fill(key, 0)
			c.fill(elem, depth-1)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			c.fill(v.Field(i), depth-1)
		}
	}
}

func FuzzEngineEncode(f *testing.F) {
	for i := range 48 {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		data := make([]byte, 20*i)
		for j := range data {
			data[j] = byte(r.Uint32())
		}
		f.Add(uint8(5*i), data)
	}
	f.Fuzz(func(t *testing.T, seed uint8, data []byte) {
		v := reflect.New(randomStruct(rand.New(rand.NewPCG(uint64(seed), 6)), 3))
		c := content(data[:min(len(data), 2000)])
		c.fill(v.Elem(), 5)
		for _, value := range []any{v.Interface(), v.Elem().Interface(), []any{v.Interface(), 1, v.Elem().Interface()}} {
			sameEncoding(t, value)
			sameEncoding(t, value, polypack.NilAsEmpty(true), polypack.MaxValues(1))
			sameEncoding(t, value, polypack.Strict, polypack.Records(polypack.RecordsInline))
			sameEncoding(t, value, polypack.Lossless, polypack.Config{MaxStringLen: 1})
			sameEncoding(t, value, polypack.MaxDepth(int(seed)%7))
		}
	})
}
