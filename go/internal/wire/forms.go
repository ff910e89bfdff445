package wire

// Plan of the file: a table that says how to write an int of each bit length, without a branch that could be
// mispredicted.

import "github.com/polypack/polypack/go/internal/format"

// An intForm says how to write an int. Its four bytes are, from the lowest:
//
//	the head byte
//	a mask for the bits of the number that are in the head byte
//	how many bits to shift the number left, so that the bytes to keep are the highest
//	the length of the encoding in bytes
type intForm uint32

// intForms has the forms by bit length. Index n is for numbers of n bits that aren't negative. Index 128 + n is for
// negative numbers whose complement has n bits.
var intForms = makeIntForms()

func makeIntForms() (forms [256]intForm) {
	form := func(head byte, size int) intForm { // size is the number of bytes after the head byte
		if size == 0 {
			return 0xff<<8 | 1<<24
		}
		return intForm(head) | intForm(64-8*size)<<16 | intForm(1+size)<<24
	}
	pick := func(length int, heads [4]byte, limits [4]int) intForm {
		switch {
		case length <= limits[0]:
			return form(0, 0)
		case length <= limits[1]:
			return form(heads[0], 1)
		case length <= limits[2]:
			return form(heads[1], 2)
		case length <= limits[3]:
			return form(heads[2], 4)
		}
		return form(heads[3], 8)
	}
	for length := range 65 {
		forms[length] = pick(length, [4]byte{format.Uint8, format.Uint16, format.Uint32, format.Uint64}, [4]int{7, 8, 16, 32})
		forms[128+length] = pick(length, [4]byte{format.Int8, format.Int16, format.Int32, format.Int64}, [4]int{5, 7, 15, 31})
	}
	return forms
}
