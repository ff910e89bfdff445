package polypack_test

// Numbers, which the engine reads by a table and in runs, against the plans.

import (
	"slices"
	"testing"
)

// numberForms returns ints and other values at the edges of every format, as bytes.
func numberForms() [][]byte {
	forms := [][]byte{{0x00}, {0x7f}, {0x80}, {0xa0}, {0xc0}, {0xc1}, {0xc3}, {0xe0}, {0xff},
		{0xca, 0x3f, 0x80, 0, 0}, {0xcb, 0x40, 0, 0, 0, 0, 0, 0, 0}, {0xcb, 0x43, 0xe0, 0, 0, 0, 0, 0, 0}}
	for i, size := range []int{1, 2, 4, 8} {
		for _, first := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			for _, rest := range []byte{0, 0xff} {
				payload := slices.Repeat([]byte{rest}, size)
				payload[0] = first
				forms = append(forms, append([]byte{0xcc + byte(i)}, payload...), append([]byte{0xd0 + byte(i)}, payload...))
			}
		}
	}
	return forms
}

// numberTargets returns new slices and scalars.
func numberTargets(slice bool) []any {
	if slice {
		return []any{new([]int8), new([]int16), new([]int32), new([]int64), new([]uint16), new([]uint32), new([]uint64), new([]float32),
			new([]float64), new([]bool)}
	}
	return []any{new(int8), new(int16), new(int32), new(int64), new(int), new(uint8), new(uint16), new(uint32), new(uint64), new(float32),
		new(float64), new(bool)}
}

func TestEngineNumbers(t *testing.T) {
	compare := func(data []byte, slice bool) {
		t.Helper()
		slow := numberTargets(slice)
		for i, fast := range numberTargets(slice) {
			sameDecoding(t, data, fast, slow[i])
		}
	}
	forms := numberForms()
	for _, form := range forms {
		for cut := range len(form) + 1 {
			compare(form[:cut], false)
			compare(append(form[:cut:cut], make([]byte, 9)...), false)
		}
	}
	// Runs of one format, which end in another, early or late.
	lengths := []int{1, 15, 16, 17, 33, 50}
	if fewRounds() {
		lengths = lengths[2:4]
	}
	for i, form := range forms {
		for k, length := range lengths {
			other := forms[(i*7+k*11)%len(forms)]
			data := append([]byte{0xdc, 0, byte(length + 21)}, slices.Repeat(form, length)...)
			data = append(append(data, other...), slices.Repeat(form, 20)...)
			compare(data, true)
			compare(data[:len(data)-1], true)
		}
	}
}
