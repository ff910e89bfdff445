package polypack_test

// Plan of the file: maps whose keys are known from the message before, held against the plans, at the edge of their
// memory.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// mapsUntilKnown is how many maps with the same keys it takes at most until these are the known ones.
const mapsUntilKnown = 20

// TestKnownKeys writes keys and strings of every length at which something else is done: 16 bytes of a key are stored
// whatever its length is, and the memory may end right behind what is kept.
func TestKnownKeys(t *testing.T) {
	const guard = 0xc1
	for _, key := range []int{0, 1, 6, 7, 14, 15, 16, 17, 31, 32, 255, 256, 600} {
		for _, length := range sample([]int{0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 255, 256, 1 << 16}, 4) {
			text := strings.Repeat("k", key)
			for _, v := range []any{
				map[string]string{text: strings.Repeat("v", length)},
				map[string]string{text: strings.Repeat("v", length), text + "+": "last"},
				map[string]any{text: strings.Repeat("v", length), text + "+": length},
				map[string]int64{text: int64(length), text + "+": -int64(length)},
				map[string]bool{text: length > 1, text + "+": true},
				&struct {
					Labels map[string]string
					Texts  []string
					None   []string
					Last   int
				}{map[string]string{text: strings.Repeat("v", length)}, []string{text, strings.Repeat("v", length)}, nil, length},
				&struct{ A, B string }{text, strings.Repeat("v", length)},
			} {
				want, err := polypack.Marshal(v, polypack.PlansOnly())
				if err != nil {
					t.Fatal(err)
				}
				for range mapsUntilKnown {
					got, err := polypack.Marshal(v)
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%T, keys of %d bytes, strings of %d: %x, %v; want %x", v, key, length, got, err, want)
					}
				}
				for capacity := max(0, len(want)-20); capacity < len(want)+20; capacity++ {
					memory := bytes.Repeat([]byte{guard}, capacity+32)
					got, err := polypack.Append(memory[:0:capacity], v)
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%T, keys of %d bytes, strings of %d, capacity for %d: %x, %v; want %x", v, key, length, capacity, got, err, want)
					}
					if behind := memory[capacity:]; bytes.Count(behind, []byte{guard}) != len(behind) {
						t.Fatalf("%T, keys of %d bytes, strings of %d: wrote behind the %d bytes there are", v, key, length, capacity)
					}
				}
			}
		}
	}
}

// TestLongKeys has keys whose lengths no longer fit the word that decides the order of others.
func TestLongKeys(t *testing.T) {
	lengths := sample([]int{254, 253, 255, 256, 300, 257, 65535, 65536}, 2)
	for _, one := range lengths {
		for _, other := range lengths {
			a, b, c := strings.Repeat("z", one), strings.Repeat("a", other), strings.Repeat("a", max(1, other)-1)+"b"
			sameEncoding(t, map[string]int{a: 1, b: 2, c: 3})
			sameEncoding(t, map[string]any{a: 1, b: 2, c: 3})
			sameEncoding(t, map[ownString]float32{ownString(a): 1, ownString(b): 2, ownString(c): 3})
		}
	}
}

// TestUnknownKeys writes maps that share some of their keys with those before, as many of them or not.
func TestUnknownKeys(t *testing.T) {
	for i := range 200 {
		m, n := map[string]string{}, map[string]int{}
		for j := range 1 + i%5 {
			key := fmt.Sprint("key ", (i*7+j*j)%11)
			m[key], n[key] = fmt.Sprint(i), i
		}
		for _, v := range []any{m, n} {
			want, err := polypack.Marshal(v, polypack.PlansOnly())
			if err != nil {
				t.Fatal(err)
			}
			if got, err := polypack.Marshal(v); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%v: %x, %v; want %x", v, got, err, want)
			}
		}
	}
}
