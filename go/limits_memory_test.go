package polypack_test

// Memory on promises: what a message may take before its elements arrive, in plans and in the engine.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

type bigNode struct {
	Next []bigNode `msgpack:"n"`
	Big  [32]int64 `msgpack:"b"`
}

// selfReader reads itself, so that each of its levels is a call of its own.
type selfReader struct{ items []selfReader }

func (s *selfReader) UnmarshalMsgpackFrom(d *polypack.Decoder) error { return d.Decode(&s.items) }

// promising returns n bytes that open containers as large as the rest allows, one in the other, and then break off.
func promising(n, depth int, share int, head byte, before []byte) []byte {
	data := make([]byte, 0, n)
	owed := 0
	for range depth {
		data = append(data, before...)
		left := n - len(data) - 5 - owed
		count := left / share
		if head == 0xdf {
			count /= 2
		}
		if count <= 0 {
			break
		}
		data = binary.BigEndian.AppendUint32(append(data, head), uint32(count))
		owed += count - 1
		if head == 0xdf {
			owed += count
			data = append(data, 0xa0)
		}
	}
	data = append(data, 0xc1)
	return append(data, make([]byte, max(0, n-len(data)))...)
}

// spent returns what call allocates, at the least of several times: others allocate as well, and the race detector
// drops every fourth value put into a sync.Pool.
func spent(call func()) uint64 {
	least, times := ^uint64(0), 4
	if raceEnabled {
		times = 12
	}
	for range times {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

func TestPromisedMemory(t *testing.T) {
	const own = 8 << 10 // the error, its path, and the decoder
	targets := []func() any{
		func() any { return new(any) }, func() any { return new([]any) }, func() any { return new([]int64) }, func() any { return new([][]int64) },
		func() any { return new([]string) }, func() any { return new([][][]string) }, func() any { return new([]map[string]any) },
		func() any { return new(map[string]any) }, func() any { return new(map[string]string) }, func() any { return new(map[string]map[string]string) },
		func() any { return new([]smallInts) }, func() any { return new([]bool) }, func() any { return new(map[int16]string) },
		func() any { return new(map[string][]smallInts) }, func() any { return new(selfReader) },
	}
	for _, n := range sample([]int{1000, 40, 20_000, 300_000}, 2) {
		for _, in := range []struct {
			name string
			data []byte
		}{
			{"an array", promising(n, 1, 1, 0xdd, nil)},
			{"arrays in arrays", promising(n, 100, 2, 0xdd, nil)},
			{"arrays in arrays, few of them", promising(n, 20, 10, 0xdd, nil)},
			{"arrays, the inner ones larger", promising(n, 400, 20, 0xdd, nil)},
			{"a map", promising(n, 1, 1, 0xdf, nil)},
			{"maps in maps", promising(n, 100, 2, 0xdf, nil)},
			{"maps in maps, the inner ones larger", promising(n, 400, 20, 0xdf, nil)},
		} {
			for _, target := range targets {
				for _, opts := range [][]polypack.Option{nil, {polypack.PlansOnly()}, {polypack.Strict}} {
					got := spent(func() {
						if err := polypack.Unmarshal(in.data, target(), opts...); err == nil {
							t.Fatalf("%s: no error", in.name)
						}
					})
					if most := uint64(4*n + 64<<10 + own); got > most {
						t.Errorf("%s, %d bytes into %T, %v: %d bytes allocated, at most %d promised", in.name, n, target(), opts, got, most)
					}
				}
			}
		}
	}
}

// What has arrived may be as large as its Go type wants, and is moved when it doubles; nothing beyond that.
func TestArrivedMemory(t *testing.T) {
	for _, c := range []struct {
		target func() any
		each   int // bytes of Go for a byte of input
		data   []byte
	}{
		{func() any { return new([][128]int64) }, 1024, bytes.Repeat([]byte{0xc0}, 2000)},
		{func() any { return new([]*[128]int64) }, 1032, bytes.Repeat([]byte{0x90}, 2000)},
		{func() any { return new([]any) }, 16, bytes.Repeat([]byte{0xc0}, 60_000)},
		{func() any { return new([]any) }, 40, bytes.Repeat([]byte{0x90}, 60_000)},
		{func() any { return new([]string) }, 16, bytes.Repeat([]byte{0xa0}, 60_000)},
	} {
		n := len(c.data)
		data := append(binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(n+1)), c.data...)
		data = append(data, 0xc1)
		for _, opts := range [][]polypack.Option{nil, {polypack.PlansOnly()}} {
			got := spent(func() {
				wantFault(t, polypack.Unmarshal(data, c.target(), opts...), polypack.CodeReservedByte, int64(n+5), fmt.Sprint("/", n))
			})
			if most := uint64(3*n*c.each + 4*n + 72<<10); got > most {
				t.Errorf("%d bytes into %v, %v: %d bytes allocated, at most %d", n, reflect.TypeOf(c.target()).Elem(), opts, got, most)
			}
		}
	}
	// A large element for each container, and no more.
	const depth = 400
	data := append(bytes.Repeat([]byte("\x81\xa1n\xdc\x00\x01"), depth), 0xc1)
	got := spent(func() {
		var v bigNode
		if polypack.Unmarshal(data, &v) == nil {
			t.Error("no error")
		}
	})
	if most := uint64(2*depth*int(reflect.TypeFor[bigNode]().Size()) + 4*len(data) + 72<<10); got > most {
		t.Errorf("%d bytes allocated for %d nodes, at most %d", got, depth, most)
	}
}

// The beginning of a container pays for as much memory again, and for no more.
func TestPromisedMemoryOfABeginning(t *testing.T) {
	const own = 8 << 10
	array := func(count, arrived int) []byte {
		data := binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(count))
		return append(data, bytes.Repeat([]byte{0xc0}, arrived)...)
	}
	mapOf := func(keys func(i int) []byte) func(count, arrived int) []byte {
		return func(count, arrived int) []byte {
			data := binary.BigEndian.AppendUint32([]byte{0xdf}, uint32(count))
			for i := range arrived {
				data = append(append(data, keys(i)...), 0xc0)
			}
			return data
		}
	}
	ints := mapOf(func(i int) []byte { return []byte{0xcd, byte(i >> 8), byte(i)} })
	names := mapOf(func(i int) []byte { return fmt.Appendf([]byte{0xa4}, "%04x", i) })
	mixed := func(count, arrived int) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{0xdf}, uint32(count)), ints(0, arrived)[5:]...)
	}
	anyTarget, objectTarget := func() any { return new(any) }, func() any { return new(polypack.Object) }
	for _, c := range []struct {
		name   string
		begin  func(count, arrived int) []byte
		values int // that an element is
		each   int // bytes for an element that has arrived
		target func() any
	}{
		{"an array", array, 1, 16, anyTarget},
		{"a map", names, 2, 3 * 93, anyTarget}, // a map takes memory for a power of two, and leaves its smaller ones
		{"a map of ints", ints, 2, 3 * 93, anyTarget},
		{"a map of both", mixed, 2, 3 * 93, anyTarget},
		{"an Object of maps", names, 2, 3 * 93, objectTarget},
	} {
		for _, depth := range []int{1, 2, 40} {
			for _, share := range []struct{ count, arrived int }{{4000, 545}, {16384, 3073}, {16384, 200}, {1500, 40}, {400, 30}} {
				if depth*share.count > 70_000 {
					continue
				}
				inner := func(count int) []byte { // an array of depth arrays or maps, each inside the one before it
					var data []byte
					for range depth {
						data = append(data, c.begin(count, share.arrived)...)
						if c.values == 2 {
							data = append(data, 0xa0)
						}
					}
					return data
				}
				bad := append(inner(share.count), 0xc1)
				bad = append(bad, make([]byte, c.values*depth*(share.count-share.arrived))...)
				good := append(inner(share.arrived+1), 0xc0)
				for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Lossless}, {polypack.PlansOnly()}, {polypack.Config{MaxStringLen: 10}}} {
					valid := spent(func() {
						if err := polypack.Unmarshal(good, c.target(), opts...); err != nil {
							t.Fatalf("%s: %v", c.name, err)
						}
					})
					got := spent(func() {
						if err := polypack.Unmarshal(bad, c.target(), opts...); err == nil {
							t.Fatalf("%s: no error", c.name)
						}
					})
					if most := valid + uint64(depth*share.arrived*c.each+4*len(bad)+64<<10+own); got > most {
						t.Errorf("%s, depth %d, %+v, %v: %d bytes allocated, %d for what is valid, at most %d", c.name, depth, share, opts, got, valid, most)
					}
				}
			}
		}
	}
}

// Containers that are complete give their credit back, so that those behind them needn't grow in small steps.
func TestCreditComesBack(t *testing.T) {
	const count, elements = 600, 1000
	long := append(binary.BigEndian.AppendUint16([]byte{0xdc}, elements), make([]byte, elements)...)
	for name, value := range map[string]string{"a map": "81 a161 01", "a map of ints": "81 01 01", "a map of both": "82 a161 01 01 01", "an array": "91 01"} {
		values := bytes.Repeat(unhex(t, value), count)
		few := append(binary.BigEndian.AppendUint16([]byte{0xdc}, count), values...)
		more := append(append(binary.BigEndian.AppendUint16([]byte{0xdc}, count+1), values...), long...)
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Lossless}, {polypack.PlansOnly()}} {
			memory := func(data []byte) uint64 {
				return spent(func() {
					if err := polypack.Unmarshal(data, new(any), opts...); err != nil {
						t.Fatal(err)
					}
				})
			}
			if got, most := memory(more)-memory(few), uint64(elements*16+6<<10); got > most {
				t.Errorf("%s, %v: %d bytes for the array behind it, at most %d", name, opts, got, most)
			}
		}
	}
}
