//go:build !purego

package polypack

// Plan of the file: slices of numbers and bools. The loop in numbers reserves memory for elements, and reads uncommon
// formats with decoding.value. A filler decodes a run of common formats into that memory as fast as possible, and
// returns how far it got.

import (
	"math"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// A filler decodes elements between the offsets i and end into the start of x. It returns how many it decoded and the
// next offset.
type filler[T any] func(base unsafe.Pointer, end int, x []T, i int) (filled, next int)

// numbers reads an array into the []T at q.
func numbers[T any](e *decoding, n *node, q unsafe.Pointer, i int, fill filler[T]) int {
	start := i
	count, i := e.openArray(i)
	if i < 0 {
		return e.handToPlan(n, q, start)
	}
	var zero T
	s := (*[]T)(q)
	given := unsafe.SliceData(*s)
	x, promised, owed := *s, 0, e.owed
	for k, full := 0, true; k < count || x == nil; {
		if full { // at the start, and when x has no element left to fill
			x = reserveElements(e, x, k, count, &promised, true)
		}
		filled, next := fill(e.base, e.n, x[k:], i)
		k, i = k+filled, next
		if full = k == len(x); full {
			continue
		}
		x[k], *s = zero, x[:k+1]
		e.owed = owed + count - k - 1
		if i = e.value(n.elem, unsafe.Pointer(&x[k]), i); i < 0 {
			if unsafe.SliceData(x) != given { // new memory may be uncleared, and callers can see it up to the capacity
				clear(x[k+1:])
			}
			return e.withinIndex(k)
		}
		k++
		full = k == len(x)
	}
	e.kept(promised, unsafe.Sizeof(zero))
	*s = x[:count]
	e.owed = owed
	e.depth--
	return i
}

// tableBlock is how many numbers fillInt64s reads with the table before it guesses from their total length whether all
// had the same format.
const tableBlock = 16

// numberSizes has the sizes of numberHeads as a separate table of bytes, which is faster to read. Speed matters here,
// because the next number can't be read before the size of this one is known.
var numberSizes = func() (sizes [256]uint8) {
	for c := range sizes {
		sizes[c] = numberHeads[c].Size
	}
	return sizes
}()

// fillInt64s reads numbers with the table numberHeads. The table replaces branches on the format, which would be
// mispredicted if formats change often. After a block of numbers in one format, more numbers of that format are likely.
// A loop for that format alone is faster.
func fillInt64s(base unsafe.Pointer, end int, x []int64, i int) (k, next int) {
	for k < len(x) && end-i >= 9 {
		from := i
		for block := min(len(x), k+tableBlock); k < block && end-i >= 9; k++ {
			c := byteAt(base, i)
			h, size := &numberHeads[c], int(numberSizes[c])
			v := h.Value(bigEndian64(base, i+1))
			if size == 0 || h.IsBig(v) {
				return k, i
			}
			x[k] = v
			i += size
		}
		switch i - from {
		case tableBlock * 3:
			for len(x)-k >= 4 && end-i >= 4*3 && nextFourAre(base, i, 3, format.Uint16) {
				y := x[k : k+4 : k+4]
				y[0], y[1] = int64(bigEndian16(base, i+1)), int64(bigEndian16(base, i+4))
				y[2], y[3] = int64(bigEndian16(base, i+7)), int64(bigEndian16(base, i+10))
				k, i = k+4, i+4*3
			}
		case tableBlock * 5:
			for len(x)-k >= 4 && end-i >= 4*5 && nextFourAre(base, i, 5, format.Uint32) {
				y := x[k : k+4 : k+4]
				y[0], y[1] = int64(bigEndian32(base, i+1)), int64(bigEndian32(base, i+6))
				y[2], y[3] = int64(bigEndian32(base, i+11)), int64(bigEndian32(base, i+16))
				k, i = k+4, i+4*5
			}
		case tableBlock * 9:
			for len(x)-k >= 4 && end-i >= 4*9 && nextFourAre(base, i, 9, format.Int64) {
				y := x[k : k+4 : k+4]
				y[0], y[1] = int64(bigEndian64(base, i+1)), int64(bigEndian64(base, i+10))
				y[2], y[3] = int64(bigEndian64(base, i+19)), int64(bigEndian64(base, i+28))
				k, i = k+4, i+4*9
			}
		}
	}
	return k, i
}

// nextFourAre reports whether each of the four values from i on, of size bytes each, starts with head. It tests four at
// once, because a loop over single values takes up to twice as long if the linker aligns it badly.
func nextFourAre(base unsafe.Pointer, i, size int, head byte) bool {
	return (byteAt(base, i)^head)|(byteAt(base, i+size)^head)|(byteAt(base, i+2*size)^head)|(byteAt(base, i+3*size)^head) == 0
}

func fillSigned[T int8 | int16 | int32](base unsafe.Pointer, end int, x []T, i int) (k, next int) {
	for ; k < len(x) && end-i >= 9; k++ {
		c := byteAt(base, i)
		h, size := &numberHeads[c], int(numberSizes[c])
		v := h.Value(bigEndian64(base, i+1))
		if size == 0 || int64(T(v)) != v || h.IsBig(v) {
			break
		}
		x[k] = T(v)
		i += size
	}
	return k, i
}

func fillUnsigned[T uint32 | uint64](base unsafe.Pointer, end int, x []T, i int) (k, next int) {
	for ; k < len(x) && end-i >= 9; k++ {
		c := byteAt(base, i)
		h, size := &numberHeads[c], int(numberSizes[c])
		v := h.Value(bigEndian64(base, i+1))
		if size == 0 || uint64(T(v)) != uint64(v) || h.IsNegative(v) {
			break
		}
		x[k] = T(v)
		i += size
	}
	return k, i
}

func fillUint16s(base unsafe.Pointer, end int, x []uint16, i int) (k, next int) {
	for k < len(x) && i < end {
		c := byteAt(base, i)
		switch {
		case c == format.Uint16 && end-i >= 3:
			for len(x)-k >= 4 && end-i >= 4*3 && nextFourAre(base, i, 3, format.Uint16) {
				y := x[k : k+4 : k+4]
				y[0], y[1], y[2], y[3] = bigEndian16(base, i+1), bigEndian16(base, i+4), bigEndian16(base, i+7), bigEndian16(base, i+10)
				k, i = k+4, i+4*3
			}
			for k < len(x) && end-i >= 3 && byteAt(base, i) == format.Uint16 {
				x[k] = bigEndian16(base, i+1)
				i += 3
				k++
			}
		case c <= format.LastPositiveFixint:
			for k < len(x) && i < end && byteAt(base, i) <= format.LastPositiveFixint {
				x[k] = uint16(byteAt(base, i))
				i++
				k++
			}
		case c == format.Uint8 && end-i >= 2:
			for k < len(x) && end-i >= 2 && byteAt(base, i) == format.Uint8 {
				x[k] = uint16(byteAt(base, i+1))
				i += 2
				k++
			}
		default:
			return k, i
		}
	}
	return k, i
}

func fillFloat64s(base unsafe.Pointer, end int, x []float64, i int) (k, next int) {
	for k < len(x) && end-i >= 9 {
		for len(x)-k >= 4 && end-i >= 4*9 && nextFourAre(base, i, 9, format.Float64) {
			y := x[k : k+4 : k+4]
			y[0], y[1] = math.Float64frombits(bigEndian64(base, i+1)), math.Float64frombits(bigEndian64(base, i+10))
			y[2], y[3] = math.Float64frombits(bigEndian64(base, i+19)), math.Float64frombits(bigEndian64(base, i+28))
			k, i = k+4, i+4*9
		}
		for k < len(x) && end-i >= 9 && byteAt(base, i) == format.Float64 {
			x[k] = math.Float64frombits(bigEndian64(base, i+1))
			i += 9
			k++
		}
		for k < len(x) && end-i >= 9 && byteAt(base, i) != format.Float64 { // JavaScript writes whole numbers as ints
			h := &numberHeads[byteAt(base, i)]
			v := h.Value(bigEndian64(base, i+1))
			if h.Size == 0 || h.IsBig(v) || v > maxFloatInt || v < -maxFloatInt {
				return k, i
			}
			x[k] = float64(v)
			i += int(h.Size)
			k++
		}
	}
	return k, i
}

func fillFloat32s(base unsafe.Pointer, end int, x []float32, i int) (k, next int) {
	for ; k < len(x) && end-i >= 5 && byteAt(base, i) == format.Float32; k++ {
		x[k] = math.Float32frombits(bigEndian32(base, i+1))
		i += 5
	}
	return k, i
}

func fillBools(base unsafe.Pointer, end int, x []bool, i int) (k, next int) {
	for ; k < len(x) && i < end; k++ {
		c := byteAt(base, i)
		if c&^1 != format.False {
			break
		}
		x[k] = c == format.True
		i++
	}
	return k, i
}
