package polypack

// Plan of the file: run, which steps over values that are certainly valid in the mode Default without records.
// Decoder.skip calls run if the settings require no other checks, and the stream scanner calls it if records are off.
// When run isn't certain of a value, it gives up. Its caller then starts again with code that reports faults.

import (
	"encoding/binary"

	"github.com/polypack/polypack/go/internal/format"
)

// strides has the length of a value in bytes, by its head byte. The entry is 0 if the head byte doesn't determine the
// length, or if more than the length must be checked.
var strides = makeStrides()

func makeStrides() (strides [256]uint8) {
	for c := range strides {
		switch families[c] {
		case familyNil, familyBool, familyInt, familyFloat:
			strides[c] = 1 + arguments[c]
		case familyStr:
			if arguments[c] == 0 {
				strides[c] = 1 + uint8(c&format.MaxFixstr)
			}
		}
	}
	return strides
}

// runs reports whether run makes all the checks that the settings require.
func (s *settings) runs() bool {
	return s.mode == Default && s.records == RecordsOff && s.lengths == nil && s.maxValues == noLimit
}

// run steps over count values at data[i:]. depth is the number of containers around them. owed is the number of values
// that these containers still have to deliver after them. run returns the offset after the count values, or -1 if one
// of them may be faulty.
func run(data []byte, i int, count, owed int64, depth, maxDepth int) int {
	for ; count > 0; count-- {
		if i >= len(data) {
			return -1
		}
		c := data[i]
		if stride := strides[c]; stride != 0 {
			if i += int(stride); i > len(data) {
				return -1
			}
			continue
		}
		head := i + 1 + int(arguments[c])
		if head > len(data) {
			return -1
		}
		n := int64(c & format.MaxFixcontainer)
		switch argument := data[i+1 : head]; c {
		case format.Str8, format.Bin8, format.Ext8:
			n = int64(argument[0])
		case format.Str16, format.Bin16, format.Ext16, format.Array16, format.Map16:
			n = int64(binary.BigEndian.Uint16(argument))
		case format.Str32, format.Bin32, format.Ext32, format.Array32, format.Map32:
			n = int64(binary.BigEndian.Uint32(argument))
		case format.Fixext1, format.Fixext2, format.Fixext4, format.Fixext8, format.Fixext16:
			n = 1 << (c - format.Fixext1)
		case format.Reserved:
			return -1
		}
		i = head
		left := int64(len(data) - i)
		switch families[c] {
		case familyArray, familyMap:
			if families[c] == familyMap {
				n *= 2
			}
			if depth >= maxDepth || n+owed+count-1 > left {
				return -1
			}
			if i = run(data, i, n, owed+count-1, depth+1, maxDepth); i < 0 {
				return -1
			}
			continue
		}
		if n > left {
			return -1
		}
		i += int(n)
		if families[c] == familyExt && !runsOver(int8(data[head-1]), data[head:i]) {
			return -1
		}
	}
	return i
}

// runsOver reports whether an ext is valid where records are off.
func runsOver(typ int8, body []byte) bool {
	if typ == format.TimestampType {
		_, ok := parseTimestamp(body)
		return ok
	}
	return !isDeclaration(typ, body)
}
