//go:build !purego

package polypack

// Plan of the file: the loop over the entries of a map for a struct, with the checks of strict and lossless mode and of
// limits. The loop in engine_decode_struct.go lacks these checks, because they would make it 10 % slower for small
// structs.

import (
	"math"
	"time"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// watchedStruct is structValue with the checks of strict and lossless mode and of limits.
func (e *decoding) watchedStruct(n *node, q unsafe.Pointer, i int) int {
	start, count := i, 0
	if c := byteAt(e.base, i); c&0xf0 == format.Fixmap && 2*int(c&format.MaxFixcontainer) <= e.n-i-1-e.owed && e.depth < e.maxDepth &&
		(!e.limited || e.allowsMap(int64(c&format.MaxFixcontainer))) {
		count = int(c & format.MaxFixcontainer)
		i++
		e.depth++
	} else if count, i = e.openMap(i); i < 0 {
		return e.handToPlan(n, q, start)
	}
	s := n.program
	owed := e.owed
	expected := &s.decodeProgram().fields[0]
	var seen *seenFields // nil before the first unexpected key, and in default mode
	for left := count; left > 0; left-- {
		f := expected
		var first, second uint64
		if e.n-i >= 16 {
			first, second = littleEndian64(e.base, i), littleEndian64(e.base, i+8)
		} else {
			first, second = e.tail(i)
		}
		if (first&f.mask0^f.key0)|(second&f.mask1^f.key1) == 0 && len(f.key) <= e.n-i && (!f.long || e.follows(i, f.key)) {
			i += len(f.key)
			expected = f.next
		} else {
			e.owed = owed + 2*left - 1
			if e.strict {
				f, expected, seen, i = e.unexpectedOnce(s, q, seen, expected, i, count-left)
			} else if f, i = e.unexpected(s, q, i, count-left); f != nil {
				expected = f.next
			}
			if i < 0 {
				return i
			}
			if f == nil {
				continue
			}
		}
		p := unsafe.Add(q, f.offset)
		if i < e.n {
			c := byteAt(e.base, i)
			switch f.op {
			case opString:
				if l := int(c & format.MaxFixstr); c&0xe0 == format.Fixstr && l < e.n-i && (!e.strict || e.isShortASCII(i+1, l) || e.isUTF8(i+1, l)) {
					i++
					if t := &e.texts; e.n-i >= textWords && t.size-t.used >= textWords {
						at := unsafe.Add(t.chunk, t.used)
						*(*[textWords]byte)(at) = *(*[textWords]byte)(unsafe.Add(e.base, i))
						t.used += l
						*(*string)(p) = unsafe.String((*byte)(at), l)
					} else {
						*(*string)(p) = e.otherText(i, l)
					}
					i += l
					continue
				}
			case opBool:
				if c&^1 == format.False {
					*(*bool)(p) = c == format.True
					i++
					continue
				}
			case opInt64:
				if c <= format.LastPositiveFixint {
					*(*int64)(p) = int64(c)
					i++
					continue
				}
				if h := &numberHeads[c]; h.Size != 0 && e.n-i >= 9 {
					if v := h.Value(bigEndian64(e.base, i+1)); !h.IsBig(v) {
						*(*int64)(p) = v
						i += int(h.Size)
						continue
					}
				}
			case opFloat64:
				if c == format.Float64 && e.n-i >= 9 {
					*(*float64)(p) = math.Float64frombits(bigEndian64(e.base, i+1))
					i += 9
					continue
				}
			case opInt8, opInt16, opInt32, opUint8, opUint16, opUint32, opUint64, opFloat32, opBytes:
				if i = e.scalar(f.node, p, i); i < 0 {
					return e.withinField(s, f)
				}
				continue
			case opTime:
				if t, j := e.time(i); j >= 0 {
					*(*time.Time)(p) = t
					i = j
					continue
				}
			}
		}
		e.owed = owed + 2*left - 2
		switch {
		case i < e.n && f.op == opStruct:
			i = e.watchedStruct(f.node, p, i)
		default:
			i = e.value(f.node, p, i)
		}
		if i < 0 {
			return e.withinField(s, f)
		}
	}
	if seen != nil {
		e.giveSeen(seen)
	}
	e.owed = owed
	e.depth--
	return i
}
