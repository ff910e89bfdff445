package wire

// Plan of the file: a table of how ints of every length are written, so that no branch has to be predicted.

import "github.com/polypack/polypack/go/internal/format"

// An intForm says how an int is written: the head byte, which bits of the number are in the head byte itself, by how
// many bits the number is shifted so that the bytes to keep come first, and how many bytes it takes in all; eight bits
// each, lowest first.
type intForm uint32

// intForms are by bit length: of a number that is not negative, and from 128 on of the complement of a negative one.
var intForms = makeIntForms()

func makeIntForms() (forms [256]intForm) {
	form := func(head byte, size int) intForm { // size bytes after the head
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
