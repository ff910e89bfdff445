//go:build !purego

package polypack

// Plan of the file: ints, read with one table over all head bytes; then floats, bools, the heads of str and bin, and
// timestamps. Except for scalar and bytes, a method returns the offset after what it has read, or -1 without an error
// if the type's plan (plan.go) must read the value.

import (
	"math"
	"time"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
	"github.com/polypack/polypack/go/internal/wire"
)

// numberHeads says how to read an int, for each head byte. Package wire has another copy of this table, for generated
// code.
var numberHeads = wire.IntHeads()

// number reads the int at i. If big is set, v has the bits of a uint64 that is too large for int64.
func (e *decoding) number(i int) (v int64, big bool, j int) {
	h := &numberHeads[byteAt(e.base, i)]
	if h.Size == 0 {
		return 0, false, -1
	}
	var word uint64
	switch left := e.n - i; {
	case left >= 9:
		word = bigEndian64(e.base, i+1)
	case left < int(h.Size):
		return 0, false, -1
	case e.n >= 8:
		word = bigEndian64(e.base, e.n-8) << (8 * uint(9-left))
	default:
		for k := 1; k < int(h.Size); k++ {
			word |= uint64(byteAt(e.base, i+k)) << (64 - 8*k)
		}
	}
	v = h.Value(word)
	return v, h.IsBig(v), i + int(h.Size)
}

// int reads an int that fits in an int64.
func (e *decoding) int(i int) (int64, int) {
	if i >= e.n {
		return 0, -1
	}
	v, big, j := e.number(i)
	if big {
		return 0, -1
	}
	return v, j
}

// intOf reads an int that fits in an int.
func (e *decoding) intOf(i int) (int, int) {
	v, j := e.int(i)
	if int64(int(v)) != v {
		return 0, -1
	}
	return int(v), j
}

// uint reads an int that fits in a uint64.
func (e *decoding) uint(i int) (uint64, int) {
	v, big, j := e.number(i)
	if v < 0 && !big {
		return 0, -1
	}
	return uint64(v), j
}

// maxFloatInt is 2⁵³: float64 represents every int from -2⁵³ to 2⁵³ exactly.
const maxFloatInt = 1 << 53

// float reads a float, or an int from -maxFloatInt to maxFloatInt.
func (e *decoding) float(i int) (float64, int) {
	left := e.n - i
	if left <= 0 {
		return 0, -1
	}
	switch c := byteAt(e.base, i); {
	case c == format.Float64 && left >= 9:
		return math.Float64frombits(bigEndian64(e.base, i+1)), i + 9
	case c == format.Float32 && left >= 5:
		return float64(math.Float32frombits(bigEndian32(e.base, i+1))), i + 5
	}
	v, big, j := e.number(i)
	if big || v > maxFloatInt || v < -maxFloatInt {
		return 0, -1
	}
	return float64(v), j
}

// bool reads a bool.
func (e *decoding) bool(i int) (b bool, j int) {
	if i >= e.n {
		return false, -1
	}
	c := byteAt(e.base, i)
	if c&^1 != format.False {
		return false, -1
	}
	return c == format.True, i + 1
}

// textHead reads the head of the str at i, and returns the length and the offset of the text. It has checked that the
// input has the whole text and that the settings allow it.
func (e *decoding) textHead(i int) (l, at int) {
	left := e.n - i
	if left <= 0 {
		return 0, -1
	}
	var length uint32
	switch c := byteAt(e.base, i); {
	case c&0xe0 == format.Fixstr:
		length, at = uint32(c&format.MaxFixstr), i+1
	case c == format.Str8 && left >= 2:
		length, at = uint32(byteAt(e.base, i+1)), i+2
	case c == format.Str16 && left >= 3:
		length, at = uint32(bigEndian16(e.base, i+1)), i+3
	case c == format.Str32 && left >= 5:
		length, at = bigEndian32(e.base, i+1), i+5
	default:
		return 0, -1
	}
	if int64(length) > int64(e.n-at) || e.judged && !e.judge(at, int(length)) {
		return 0, -1
	}
	return int(length), at
}

// blobHead is textHead for a bin. In default mode, blobHead also accepts a str.
func (e *decoding) blobHead(i int) (l, at int) {
	left := e.n - i
	var length uint32
	switch c := byteAt(e.base, i); {
	case c == format.Bin8 && left >= 2:
		length, at = uint32(byteAt(e.base, i+1)), i+2
	case c == format.Bin16 && left >= 3:
		length, at = uint32(bigEndian16(e.base, i+1)), i+3
	case c == format.Bin32 && left >= 5:
		length, at = bigEndian32(e.base, i+1), i+5
	default:
		if e.strict {
			return 0, -1
		}
		return e.textHead(i)
	}
	if int64(length) > int64(e.n-at) || e.limited && !e.allowsBin(int(length)) {
		return 0, -1
	}
	return int(length), at
}

// binName is textHead for a name that is a bin, which only default mode accepts.
func (e *decoding) binName(i int) (l, at int) {
	if e.strict || i >= e.n || families[byteAt(e.base, i)] != familyBin {
		return 0, -1
	}
	return e.blobHead(i)
}

// time reads a timestamp that time.Time can represent.
func (e *decoding) time(i int) (t time.Time, j int) {
	left := e.n - i
	var ts Timestamp
	switch c := byteAt(e.base, i); {
	case c == format.Fixext8 && left >= 10 && byteAt(e.base, i+1) == 0xff:
		word := bigEndian64(e.base, i+2)
		ts.Seconds, ts.Nanoseconds, j = int64(word&(1<<34-1)), uint32(word>>34), i+10
	case c == format.Fixext4 && left >= 6 && byteAt(e.base, i+1) == 0xff:
		ts.Seconds, j = int64(bigEndian32(e.base, i+2)), i+6
	case c == format.Ext8 && left >= 15 && byteAt(e.base, i+1) == timestamp96Bytes && byteAt(e.base, i+2) == 0xff:
		ts.Seconds, ts.Nanoseconds, j = int64(bigEndian64(e.base, i+7)), bigEndian32(e.base, i+3), i+15
	default:
		return t, -1
	}
	if ts.Nanoseconds > maxNanoseconds || !ts.fitsTime() {
		return t, -1
	}
	return ts.time(), j
}

// scalar reads the scalar at i into the memory at q. It hands uncommon forms over to the plan.
func (e *decoding) scalar(n *node, q unsafe.Pointer, i int) int {
	switch n.op {
	case opBool:
		if b, j := e.bool(i); j >= 0 {
			*(*bool)(q) = b
			return j
		}
	case opInt8:
		if v, j := e.int(i); j >= 0 && int64(int8(v)) == v {
			*(*int8)(q) = int8(v)
			return j
		}
	case opInt16:
		if v, j := e.int(i); j >= 0 && int64(int16(v)) == v {
			*(*int16)(q) = int16(v)
			return j
		}
	case opInt32:
		if v, j := e.int(i); j >= 0 && int64(int32(v)) == v {
			*(*int32)(q) = int32(v)
			return j
		}
	case opInt64:
		if v, j := e.int(i); j >= 0 {
			*(*int64)(q) = v
			return j
		}
	case opUint8:
		if v, j := e.uint(i); j >= 0 && v <= math.MaxUint8 {
			*(*uint8)(q) = uint8(v)
			return j
		}
	case opUint16:
		if v, j := e.uint(i); j >= 0 && v <= math.MaxUint16 {
			*(*uint16)(q) = uint16(v)
			return j
		}
	case opUint32:
		if v, j := e.uint(i); j >= 0 && v <= math.MaxUint32 {
			*(*uint32)(q) = uint32(v)
			return j
		}
	case opUint64:
		if v, j := e.uint(i); j >= 0 {
			*(*uint64)(q) = v
			return j
		}
	case opFloat32:
		if f, j := e.float32(i); j >= 0 {
			*(*float32)(q) = f
			return j
		}
	case opFloat64:
		if f, j := e.float(i); j >= 0 {
			*(*float64)(q) = f
			return j
		}
	case opString:
		if text, j := e.string(i); j >= 0 {
			*(*string)(q) = text
			return j
		}
	case opBytes:
		if l, at := e.blobHead(i); at >= 0 {
			e.bytes((*[]byte)(q), at, l)
			return at + l
		}
	case opByteArray:
		if l, at := e.blobHead(i); at >= 0 && l <= n.length {
			array := unsafe.Slice((*byte)(q), n.length)
			clear(array[copy(array, e.bytesAt(at, l)):])
			return at + l
		}
	case opTime:
		if t, j := e.time(i); j >= 0 {
			*(*time.Time)(q) = t
			return j
		}
	}
	return e.handToPlan(n, q, i)
}

// float32 reads a float 32, or a float 64 within the range of float32, which it rounds. It also reads an int that
// float32 represents exactly.
func (e *decoding) float32(i int) (float32, int) {
	if e.n-i >= 5 && byteAt(e.base, i) == format.Float32 {
		return math.Float32frombits(bigEndian32(e.base, i+1)), i + 5
	}
	f, j := e.float(i)
	if j < 0 || byteAt(e.base, i) != format.Float64 && f != float64(float32(f)) || math.Abs(f) > math.MaxFloat32 {
		return 0, -1
	}
	return float32(f), j
}

// bytes sets *b to the l bytes at i. With StringsZeroCopy, *b becomes a view of the input. Otherwise *b becomes a copy,
// in its old memory if that is large enough.
func (e *decoding) bytes(b *[]byte, i, l int) {
	view := e.bytesAt(i, l)
	switch old := *b; {
	case e.texts.mode == StringsZeroCopy:
		*b = view[:l:l]
	case old != nil && cap(old) >= l:
		*b = append(old[:0], view...)
	default:
		*b = append(make([]byte, 0, l), view...)
	}
}
