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

// spent returns what call allocates, at the least of several times: others allocate as well.
func spent(call func()) uint64 {
	least := ^uint64(0)
	for range 4 {
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
