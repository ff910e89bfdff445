package polypack_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/wire"
)

// wireEdges returns every number next to a power of two.
func wireEdges() (all []int64) {
	for shift := range 64 {
		for _, d := range []int64{-1, 0, 1} {
			all = append(all, int64(1)<<shift+d, -(int64(1)<<shift)+d)
		}
	}
	return append(all, -33, -32, 127, 128)
}

// encodedBy returns what package polypack writes by its own functions, which the vectors of the repository judge.
func encodedBy(t *testing.T, write func(*polypack.Encoder) error) []byte {
	t.Helper()
	e := polypack.NewEncoder(nil)
	if err := write(e); err != nil {
		t.Fatal(err)
	}
	return e.Bytes()
}

// checkBuffer writes into memory of several sizes, behind other bytes, and compares.
func checkBuffer(t *testing.T, what any, want []byte, write func(*wire.Buffer, int) int) {
	t.Helper()
	for _, spare := range []int{0, 1, 5, 15, 16, 17, len(want), len(want) + 64} {
		var w wire.Buffer
		dst := append(make([]byte, 0, 3+spare), "abc"...)
		n := w.Reset(dst)
		w.Reserve(n, wire.Scalar)
		n = write(&w, n)
		if got := w.Bytes(n); !bytes.Equal(got, append([]byte("abc"), want...)) {
			t.Fatalf("%v with %d bytes to spare: % x, want % x", what, spare, got, want)
		}
	}
}

func TestBufferScalars(t *testing.T) {
	for _, v := range wireEdges() {
		checkBuffer(t, v, encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeInt(v) }),
			func(w *wire.Buffer, n int) int { return w.Int(n, v) })
		checkBuffer(t, uint64(v), encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeUint(uint64(v)) }),
			func(w *wire.Buffer, n int) int { return w.Uint(n, uint64(v)) })
	}
	payloadNaN := math.Float64frombits(0xfff8000000000123)
	for _, f := range []float64{0, math.Copysign(0, -1), 1.5, math.Inf(1), math.Inf(-1), math.NaN(), payloadNaN, math.MaxFloat64} {
		checkBuffer(t, f, encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeFloat64(f) }),
			func(w *wire.Buffer, n int) int { return w.Float64(n, f) })
		checkBuffer(t, float32(f), encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeFloat32(float32(f)) }),
			func(w *wire.Buffer, n int) int { return w.Float32(n, float32(f)) })
	}
	checkBuffer(t, nil, []byte{0xc0}, func(w *wire.Buffer, n int) int { return w.Nil(n) })
	checkBuffer(t, false, []byte{0xc2}, func(w *wire.Buffer, n int) int { return w.Bool(n, false) })
	checkBuffer(t, true, []byte{0xc3}, func(w *wire.Buffer, n int) int { return w.Bool(n, true) })
	for _, seconds := range []int64{0, 1, -1, 1<<32 - 1, 1 << 32, 1<<34 - 1, 1 << 34, math.MinInt32} {
		for _, nanoseconds := range []int64{0, 1, 999_999_999} {
			at := time.Unix(seconds, nanoseconds)
			checkBuffer(t, at, polypack.MarshalTimestamp(at), func(w *wire.Buffer, n int) int { return w.Time(n, at) })
		}
	}
}

func TestBufferHeadsAndText(t *testing.T) {
	for _, length := range []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 255, 256, 65535, 65536} {
		text := strings.Repeat("abcdefg", length/7+1)[:length]
		checkBuffer(t, length, encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeString(text) }),
			func(w *wire.Buffer, n int) int {
				w.ReserveFor(n, len(text), 5)
				return wire.PutString(w.Base(), n, text)
			})
		checkBuffer(t, length, encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeBytes([]byte(text)) }),
			func(w *wire.Buffer, n int) int { return w.Bin(n, []byte(text), 5) })
		checkBuffer(t, length, encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeString(text) })[:headLength(length)],
			func(w *wire.Buffer, n int) int { return w.StringHead(n, length) })
		checkBuffer(t, length, encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeArrayHeader(length) }),
			func(w *wire.Buffer, n int) int { return w.ArrayHead(n, length) })
		checkBuffer(t, length, encodedBy(t, func(e *polypack.Encoder) error { return e.EncodeMapHeader(length) }),
			func(w *wire.Buffer, n int) int { return w.MapHead(n, length) })
		checkBuffer(t, length, []byte(text), func(w *wire.Buffer, n int) int { return w.Raw(n, []byte(text), 0) })
	}
	checkBuffer(t, "word", []byte("12345678"), func(w *wire.Buffer, n int) int {
		w.Word(n, 0x3837363534333231)
		return n + 8
	})
	if tooLong := math.MaxInt; wire.TooLong(tooLong) { // not on 32-bit machines
		var w wire.Buffer
		w.Reserve(0, wire.Scalar)
		for name, n := range map[string]int{
			"array": w.ArrayHead(0, tooLong), "map": w.MapHead(0, tooLong), "str": w.StringHead(0, tooLong),
		} {
			if n >= 0 {
				t.Errorf("%s of %d has the position %d", name, tooLong, n)
			}
		}
	}
}

func headLength(length int) int {
	switch {
	case length < 32:
		return 1
	case length < 256:
		return 2
	case length < 65536:
		return 3
	}
	return 5
}

// checkSlice compares a slice with the array of its elements, for all lengths around a block.
func checkSlice[T any](t *testing.T, all []T, write func(*wire.Buffer, int, []T) int) {
	t.Helper()
	long := slices.Clone(all)
	for len(long) < 600 {
		long = append(long, all...)
	}
	for _, s := range [][]T{nil, long[:1], long[:15], long[:16], long[:255], long[:256], long[:257], long} {
		checkOne(t, s, write)
	}
}

func checkOne[T any](t *testing.T, s []T, write func(*wire.Buffer, int, []T) int) {
	t.Helper()
	want := encodedBy(t, func(e *polypack.Encoder) error {
		if err := e.EncodeArrayHeader(len(s)); err != nil {
			return err
		}
		for _, v := range s {
			if err := e.Encode(v); err != nil {
				return err
			}
		}
		return nil
	})
	checkBuffer(t, s, want, func(w *wire.Buffer, n int) int { return write(w, n, s) })
}

// checkRuns compares slices of one number time and again, with another one at each place.
func checkRuns[T any](t *testing.T, all []T, write func(*wire.Buffer, int, []T) int) {
	t.Helper()
	for i, v := range all {
		for k := range 9 {
			s := slices.Repeat([]T{v}, 9)
			s[k] = all[(i*7+k*31)%len(all)]
			checkOne(t, s, write)
		}
	}
}

func narrow[T int8 | int16 | int32 | int | uint16 | uint32 | uint64 | uint](all []int64) (s []T) {
	for _, v := range all {
		s = append(s, T(v))
	}
	return s
}

func TestBufferSlices(t *testing.T) {
	all := wireEdges()
	checkSlice(t, all, wire.Ints[int64])
	checkSlice(t, narrow[int](all), wire.Ints[int])
	checkSlice(t, narrow[int32](all), wire.Ints[int32])
	checkSlice(t, narrow[int16](all), wire.Ints[int16])
	checkSlice(t, narrow[int8](all), wire.Ints[int8])
	checkSlice(t, narrow[uint64](all), wire.Uints[uint64])
	checkSlice(t, narrow[uint](all), wire.Uints[uint])
	checkSlice(t, narrow[uint32](all), wire.Uints[uint32])
	checkSlice(t, narrow[uint16](all), wire.Uints[uint16])
	checkSlice(t, narrow[uint16](all), wire.Uint16s[uint16])
	checkRuns(t, all, wire.Ints[int64])
	checkRuns(t, narrow[int32](all), wire.Ints[int32])
	checkRuns(t, narrow[uint64](all), wire.Uints[uint64])
	checkRuns(t, narrow[uint16](all), wire.Uint16s[uint16])
	nan := math.Float64frombits(0xfff8000000000123)
	checkSlice(t, []float64{0, 1.5, math.NaN(), nan, math.Inf(-1)}, wire.Float64s[float64])
	checkSlice(t, []float32{0, float32(math.NaN()), 1.5, math.MaxFloat32, float32(math.NaN())}, wire.Float32s[float32])
	checkSlice(t, []bool{true, false, false}, wire.Bools[bool])
	checkSlice(t, []string{"", "a", strings.Repeat("x", 40), "seven77", "eight888"}, wire.Strings[string])
}

// TestBufferCapacity looks at what a message of known length costs: it must fit the capacity it took last time.
func TestBufferCapacity(t *testing.T) {
	values := make([]int64, 1000)
	var w wire.Buffer
	n := wire.Ints(&w, w.Reset(nil), values)
	capacity := max(w.Peak(), n+wire.Scalar)
	if capacity > 1000+3+64 {
		t.Errorf("1,003 bytes took a capacity of %d", capacity)
	}
	w = wire.Buffer{}
	n = wire.Ints(&w, w.Reset(wire.NewBuffer(capacity)), values)
	if w.Peak() != 0 {
		t.Errorf("%d bytes grow a buffer of %d", n, capacity)
	}
}

// TestPut holds the calls on a Base against those of the Buffer.
func TestPut(t *testing.T) {
	var w, v wire.Buffer
	check := func(what any, n, m int) {
		t.Helper()
		if n != m || !bytes.Equal(w.Bytes(max(n, 0)), v.Bytes(max(m, 0))) {
			t.Errorf("%v: % x, the Buffer writes % x", what, w.Bytes(n), v.Bytes(m))
		}
	}
	w.Reserve(0, 1<<20)
	v.Reserve(0, 1<<20)
	b := w.Base()
	for shift := range 65 {
		for _, x := range []int64{1<<shift - 1, 1 << shift, 1<<shift + 1, -1 << shift, -1<<shift - 1, -1<<shift + 1} {
			check(x, wire.PutInt(b, 0, uint64(x)), v.Int(0, x))
			check(uint64(x), wire.PutUint(b, 0, uint64(x)), v.Uint(0, uint64(x)))
			at := time.Unix(x>>2, x&1023)
			check(at, wire.PutTime(b, 0, at), v.Time(0, at))
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1.5, math.NaN(), math.Inf(-1), math.Float64frombits(0xfff0000000000001)} {
		wire.PutFloat64(b, 0, f)
		check(f, 9, v.Float64(0, f))
		check(float32(f), wire.PutFloat32(b, 0, float32(f)), v.Float32(0, float32(f)))
	}
	for _, x := range []bool{false, true} {
		wire.PutBool(b, 0, x)
		check(x, 1, v.Bool(0, x))
	}
	for length := range 700 {
		text := strings.Repeat("0123456789abcdef", 50)[:length]
		check(length, wire.PutString(b, 0, text), v.Raw(v.StringHead(0, length), []byte(text), 0))
		check(length, wire.PutMapHead(b, 0, length), v.MapHead(0, length))
		if wire.IsShort(text) && length >= 8 {
			check(length, wire.PutWords(b, 0, text), v.Raw(v.StringHead(0, length), []byte(text), 0))
		}
		if wire.IsShort(text) && length <= 8 {
			check(length, wire.PutHalves(b, 0, text), v.Raw(v.StringHead(0, length), []byte(text), 0))
		}
	}
	for _, length := range []int{1<<16 - 1, 1 << 16} {
		text := strings.Repeat("x", length)
		check(length, wire.PutString(b, 0, text), v.Raw(v.StringHead(0, length), []byte(text), 0))
		check(length, wire.PutMapHead(b, 0, length), v.MapHead(0, length))
	}
	wire.PutByte(b, 0, 0xc1)
	wire.PutWord(b, 1, 0x0807060504030201)
	v.Byte(0, 0xc1)
	v.Word(1, 0x0807060504030201)
	check("bytes", 9, 9)
}
