//go:build !purego

package polypack

// Plan of the file: memory for elements, then slices and arrays of any type, then []string and []any. Slices of numbers
// are in engine_decode_numbers.go. A loop for slices reads as many elements as it has memory for, then reserves more.
//
// After a fault, a slice ends with the faulty element. Plans do the same.

import (
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
	"github.com/polypack/polypack/go/internal/wire"
)

// A sliceHeader has the memory layout of a slice.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// promise takes credit for elements or entries that have not arrived, up to count of them, of size bytes each. It
// returns for how many it took credit.
func (e *decoding) promise(count int, size uintptr) int {
	if high, need := bits.Mul(uint(count), uint(size)); high == 0 && need <= uint(e.credit) {
		e.credit -= int(need)
		return count
	}
	count = e.credit / int(size) / 2 // the other half is for values inside the elements
	e.credit -= count * int(size)
	return count
}

// kept gives back the credit for count elements or entries of size bytes each.
func (e *decoding) kept(count int, size uintptr) { e.credit += count * int(size) }

// more returns the new capacity for elements when k of count have arrived and fill the memory. It also takes credit for
// elements that have not arrived, and returns in promised for how many.
func (e *decoding) more(k, count int, size uintptr) (capacity, promised int) {
	promised = e.promise(count-k, size)
	return max(k+promised, min(count, max(2*k, 1))), promised
}

// reserve returns memory for more elements. k of count elements have arrived, and the memory starts with them. Before
// the first element, reserve reuses the memory of x if that is large enough. *promised is the number of elements that
// credit was taken for. reserve gives this credit back, takes new credit, and sets the new number.
func reserve[T any](e *decoding, x []T, k, count int, promised *int) []T {
	return reserveElements(e, x, k, count, promised, false)
}

// reserveElements is reserve, but with raw it doesn't clear new memory of rawBytes bytes or more. Then T must have no
// pointers, and the caller must write all of the memory before anything else can see it.
func reserveElements[T any](e *decoding, x []T, k, count int, promised *int, raw bool) []T {
	var zero T
	size := unsafe.Sizeof(zero)
	if k == 0 && cap(x) >= count && x != nil {
		return x[:count]
	}
	e.kept(*promised, size)
	capacity, taken := e.more(k, count, size)
	*promised = taken
	if k == 0 && x != nil && capacity <= cap(x) {
		e.kept(taken, size)
		*promised = 0
		return x[:cap(x)]
	}
	var larger []T
	if bytes := capacity * int(size); raw && bytes >= rawBytes {
		larger = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(wire.NewBuffer(bytes)))), capacity)
	} else {
		larger = make([]T, capacity)
	}
	copy(larger, x[:k])
	return larger
}

// rawBytes is the smallest size of memory, in bytes, that reserveElements with raw leaves uncleared. Go aligns memory
// of this size to pages, so it is aligned for every T.
const rawBytes = 32 << 10

// slice reads an array into the slice at q. It is for elements that have no special loop.
func (e *decoding) slice(n *node, q unsafe.Pointer, i int) int {
	if e.holdsPointer(n, q) {
		return e.handToPlan(n, q, i)
	}
	start := i
	count, i := e.openArray(i)
	if i < 0 {
		return e.handToPlan(n, q, start)
	}
	s := (*sliceHeader)(q)
	x := *s // a copy, because a method of an element may change the slice at q
	elem := n.elem
	size := elem.size
	capacity, promised, owed := 0, 0, e.owed
	if x.data != nil && x.cap >= count {
		capacity = count
		if capacity > 0 {
			reflect.SliceAt(elem.typ, x.data, capacity).Clear()
		}
	}
	for k := 0; k < count || x.data == nil; k++ {
		if k == capacity {
			e.kept(promised, size)
			capacity, promised = e.more(k, count, size)
			x = moveElements(n, x, k, capacity)
			*s = x
			if count == 0 {
				break
			}
		}
		e.owed = owed + count - k - 1
		if elem.op == opStruct && i < e.n && !e.on {
			i = e.structValue(elem, unsafe.Add(x.data, uintptr(k)*size), i)
		} else {
			i = e.value(elem, unsafe.Add(x.data, uintptr(k)*size), i)
		}
		if i < 0 {
			x.len = k + 1
			*s = x
			return e.withinIndex(k)
		}
	}
	e.kept(promised, size)
	x.len = count
	*s = x
	e.owed = owed
	e.depth--
	return i
}

// holdsPointer reports whether an element of the slice or array at q is an interface with a pointer that must be
// followed. Such a slice or array is left to the plan.
func (e *decoding) holdsPointer(n *node, q unsafe.Pointer) bool {
	if n.elem.typ.Kind() != reflect.Interface {
		return false
	}
	return e.settings.types.holdsPointer(reflect.NewAt(n.typ, q).Elem())
}

// moveElements returns new memory for capacity elements of a slice, with a copy of the k that have arrived.
func moveElements(n *node, s sliceHeader, k, capacity int) sliceHeader {
	larger := reflect.MakeSlice(n.typ, capacity, capacity)
	if k > 0 {
		reflect.Copy(larger, reflect.SliceAt(n.elem.typ, s.data, k))
	}
	return sliceHeader{larger.UnsafePointer(), k, capacity}
}

// array reads an array into the array at q. Missing elements become zero.
func (e *decoding) array(n *node, q unsafe.Pointer, i int) int {
	if e.holdsPointer(n, q) {
		return e.handToPlan(n, q, i)
	}
	start, allowed := i, e.allowed
	count, i := e.openArray(i)
	if i < 0 || count > n.length {
		if i >= 0 {
			e.depth--
		}
		e.allowed = allowed
		return e.handToPlan(n, q, start)
	}
	reflect.NewAt(n.typ, q).Elem().SetZero()
	owed := e.owed
	for k := range count {
		e.owed = owed + count - k - 1
		if i = e.value(n.elem, unsafe.Add(q, uintptr(k)*n.elem.size), i); i < 0 {
			return e.withinIndex(k)
		}
	}
	e.owed = owed
	e.depth--
	return i
}

// strings reads an array into the []string at q.
func (e *decoding) strings(n *node, q unsafe.Pointer, i int) int {
	start := i
	count, i := e.openArray(i)
	if i < 0 {
		return e.handToPlan(n, q, start)
	}
	s := (*[]string)(q)
	x, promised, owed := *s, 0, e.owed
	shared, long, views := false, false, e.texts.mode == StringsZeroCopy
	if x == nil && 0 < count && count <= shortStrings && e.texts.mode != StringsSeparate {
		x, shared = e.headers(count), true
	}
	for k := 0; k < count || x == nil; {
		x = reserve(e, x, k, count, &promised)
		for ; k < len(x); k++ {
			if i < e.n {
				var filled int
				if e.strict {
					filled, i = e.fillUTF8(x[k:], i)
				} else {
					filled, i = e.fillTexts(x[k:], i)
				}
				if filled > 0 {
					if k += filled; k == len(x) {
						break
					}
				}
				if c := byteAt(e.base, i); c&0xe0 == format.Fixstr {
					if l := int(c & format.MaxFixstr); l < e.n-i && (!e.strict || e.isShortASCII(i+1, l) || e.isUTF8(i+1, l)) {
						if views && l > 0 {
							x[k] = unsafe.String((*byte)(unsafe.Add(e.base, i+1)), l)
						} else {
							x[k] = e.otherText(i+1, l)
						}
						i += 1 + l
						continue
					}
				}
			}
			if l, at := e.textHead(i); at >= 0 {
				x[k] = e.text(at, l)
				long = long || l > arenaLongest
				i = at + l
				continue
			}
			x[k], *s = "", x[:k+1]
			e.owed = owed + count - k - 1
			i = e.handToPlan(n.elem, unsafe.Pointer(&x[k]), i) // it also reads a bin
			long = long || len(x[k]) > arenaLongest
			if i < 0 {
				if shared && long {
					*s = ownHeaders(x)[:k+1]
				}
				return e.withinIndex(k)
			}
		}
	}
	e.kept(promised, unsafe.Sizeof(""))
	if shared && long {
		x = ownHeaders(x)
	}
	*s = x[:count]
	e.owed = owed
	e.depth--
	return i
}

// ownHeaders moves the headers x out of their chunk, which must not keep a long string alive.
//
//go:noinline
func ownHeaders(x []string) []string {
	own := append([]string(nil), x...)
	clear(x)
	return own
}

// fillTexts reads short strings from i on into the start of x, as long as the chunk has enough memory. It copies
// textWords bytes for each string. It returns how many strings it has read and the next offset.
func (e *decoding) fillTexts(x []string, i int) (k, next int) {
	t := &e.texts
	base, chunk, used := e.base, t.chunk, t.used
	for end, last := e.n-1-textWords, t.size-textWords; k < len(x) && i <= end && used <= last; k++ {
		c := byteAt(base, i)
		if c&0xe0 != format.Fixstr {
			break
		}
		l := int(c & format.MaxFixstr)
		at := unsafe.Add(chunk, used)
		*(*[textWords]byte)(at) = *(*[textWords]byte)(unsafe.Add(base, i+1))
		x[k] = unsafe.String((*byte)(at), l)
		used += l
		i += 1 + l
	}
	t.used = used
	return k, i
}

// fillUTF8 is fillTexts up to the first string that is not UTF-8.
func (e *decoding) fillUTF8(x []string, i int) (k, next int) {
	t := &e.texts
	base, chunk, used := e.base, t.chunk, t.used
	for end, last := e.n-1-textWords, t.size-textWords; k < len(x) && i <= end && used <= last; k++ {
		c := byteAt(base, i)
		if c&0xe0 != format.Fixstr {
			break
		}
		l := int(c & format.MaxFixstr)
		if !e.isShortASCII(i+1, l) && !e.isUTF8(i+1, l) {
			break
		}
		at := unsafe.Add(chunk, used)
		*(*[textWords]byte)(at) = *(*[textWords]byte)(unsafe.Add(base, i+1))
		x[k] = unsafe.String((*byte)(at), l)
		used += l
		i += 1 + l
	}
	t.used = used
	return k, i
}

// anys reads an array into the []any at q.
func (e *decoding) anys(n *node, q unsafe.Pointer, i int) int {
	s := (*[]any)(q)
	for _, v := range *s {
		if v != nil && e.settings.types.follows(reflect.TypeOf(v)) {
			return e.handToPlan(n, q, i)
		}
	}
	start := i
	count, i := e.openArray(i)
	if i < 0 {
		return e.handToPlan(n, q, start)
	}
	x, i := e.elements(*s, count, i)
	*s = x
	return i
}

// elements reads the count elements of an open array into x, and closes the array. After a fault, the slice that it
// returns ends with the faulty element.
func (e *decoding) elements(x []any, count, i int) ([]any, int) {
	promised, owed := 0, e.owed
	for k := 0; k < count || x == nil; {
		x = reserve(e, x, k, count, &promised)
		for ; k < len(x); k++ {
			e.owed = owed + count - k - 1
			if x[k], i = e.any(i); i < 0 {
				return x[:k+1], e.withinIndex(k)
			}
		}
	}
	e.kept(promised, anyBytes)
	e.owed = owed
	e.depth--
	return x[:count], i
}
