//go:build !purego

package polypack

// Plan of the file: reading values into an any, and allocating the memory that an any points to (boxes).

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// any reads a value of any kind, and returns the value and the next offset.
func (e *decoding) any(i int) (any, int) {
	left := e.n - i
	if left <= 0 {
		return e.anyByPlan(i)
	}
	c := byteAt(e.base, i)
	switch families[c] {
	case familyInt:
		if c <= format.LastPositiveFixint {
			return int64(c), i + 1 // Go allocates nothing for an any with an integer from 0 to 255
		}
		if v, big, j := e.number(i); j >= 0 {
			if big {
				return uint64(v), j
			}
			return e.boxInt(v), j
		}
	case familyStr:
		if l, at := e.textHead(i); at >= 0 {
			return e.boxString(at, l), at + l
		}
	case familyFloat:
		switch {
		case c == format.Float64 && left >= 9:
			return e.boxFloat(math.Float64frombits(bigEndian64(e.base, i+1))), i + 9
		case c == format.Float32 && left >= 5:
			return math.Float32frombits(bigEndian32(e.base, i+1)), i + 5
		}
	case familyMap:
		if e.lossless {
			break
		}
		return e.anyMap(i)
	case familyArray:
		count, at := e.openArray(i)
		if at < 0 {
			break
		}
		x, j := e.elements(nil, count, at)
		if j < 0 {
			return nil, j
		}
		return x, j
	case familyNil:
		return nil, i + 1
	case familyBool:
		return c == format.True, i + 1
	case familyBin:
		if l, at := e.blobHead(i); at >= 0 {
			var b []byte
			e.bytes(&b, at, l)
			return b, at + l
		}
	}
	return e.anyByPlan(i)
}

// held reads the value at i into the any at q, which isn't nil. If the any holds a pointer that must be followed, the
// value is decoded into what the pointer points to. Uncommon cases are left to the plan. One of them is an ext, because
// it may be the value undefined, which makes the any nil.
//
//go:noinline
func (e *decoding) held(n *node, q unsafe.Pointer, i int) int {
	v := *(*any)(q)
	if t := reflect.TypeOf(v); e.settings.types.follows(t) {
		target := (*eface)(unsafe.Pointer(&v))
		pointer := e.settings.types.nodeFor(target.typ, t)
		if pointer.op != opPointer || target.data == nil || families[byteAt(e.base, i)] == familyExt || e.hops >= maxHops {
			return e.handToPlan(n, q, i)
		}
		e.hops++
		i = e.value(pointer.elem, target.data, i)
		e.hops--
		return i
	}
	v, i = e.any(i)
	if i >= 0 {
		*(*any)(q) = v
	}
	return i
}

//go:noinline
func (e *decoding) anyByPlan(i int) (any, int) {
	d := e.planAt(i)
	v, err := d.value()
	if err != nil {
		return nil, e.failed(err)
	}
	return v, e.behind(d)
}

// anyMap reads a map. In strict mode, it stores the value of an entry first. If the map hasn't become larger, the key
// is a duplicate. Storing is harmless, because the map of a faulty message isn't returned. If the value is faulty too,
// failEntry reports the duplicate key, because the key is the earlier fault. With e.careful, functions of extensions
// may run while a value is read. So anyMap then looks the key up before it reads the value.
func (e *decoding) anyMap(i int) (any, int) {
	count, at := e.openMap(i)
	if at < 0 {
		return e.anyByPlan(i)
	}
	entryBytes := mapEntryBytes(stringBytes, anyBytes)
	promised := e.promise(count, entryBytes)
	m := make(map[string]any, promised)
	owed := e.owed
	i = at
	for k := range count {
		place := i
		l, at := e.textHead(i)
		if at < 0 {
			if l, at = e.binName(i); at < 0 {
				e.owed = owed + 2*(count-k)
				mixed, i := e.mixedMap(m, k, count, i)
				e.kept(promised, entryBytes)
				return mixed, i
			}
		}
		name := e.key(at, l)
		if e.careful {
			if _, twice := m[name]; twice {
				return nil, e.failTwice(place, k)
			}
		}
		e.owed = owed + 2*(count-k) - 2
		v, j := e.any(at + l)
		if j < 0 {
			return nil, failEntry(e, m, name, keyPlace{offset: place}, k)
		}
		i = j
		m[name] = v
		if e.strict && len(m) == k {
			return nil, e.failTwice(place, k)
		}
	}
	e.kept(promised, entryBytes)
	e.owed = owed
	e.depth--
	return m, i
}

// failEntry ends reading a map at the entry with this index, because the entry's value is faulty. place says where the
// key is. In strict and lossless mode, failEntry reports the key instead if it is a duplicate.
func failEntry[V any](e *decoding, m map[string]V, key string, place keyPlace, index int) int {
	if e.strict {
		if _, twice := m[key]; twice {
			return e.failTwice(place.offset, index)
		}
	}
	return e.withinEntry(place, index)
}

// mixedMap lets the plans' Decoder continue a map at a key that is faulty or can't become a string. m has the entries
// before this key.
//
//go:noinline
func (e *decoding) mixedMap(m map[string]any, first, count, i int) (any, int) {
	d := e.planAt(i)
	if d.isName() {
		_, err := d.name()
		return nil, e.failed(err)
	}
	v, err := d.mixedMap(m, first, count)
	if err != nil {
		return nil, e.failed(err)
	}
	e.owed, e.depth = int(d.owed), d.depth
	return v, e.behind(d)
}

// Boxes

// boxes is memory for the numbers and string headers that an any points to, and for the elements of short []string. The
// values of a message share chunks of at most boxChunk numbers or headers. A new chunk of text also starts a new chunk
// of headers, and a long str has no header in a chunk. So if the caller keeps one number, short string or short
// []string, usually only a few KiB stay alive. With StringsZeroCopy, a string also keeps the input alive.
type boxes struct {
	words   []uint64 // ints and floats
	strings []string
}

const (
	boxChunk = 64
	// shortStrings is the largest count of a []string whose headers are cut from a chunk.
	shortStrings = 8
)

// headers returns memory for count string headers. count is at most shortStrings.
func (e *decoding) headers(count int) []string {
	b := &e.boxes
	if len(b.strings) < count {
		b.strings = make([]string, max(count, e.chunk()))
	}
	x := b.strings[:count:count]
	b.strings = b.strings[count:]
	return x
}

// chunk returns how many boxes to allocate at once: about half the number of owed values, but at most boxChunk.
func (e *decoding) chunk() int { return min(e.owed/2+1, boxChunk) }

var int64Word, float64Word, stringWord = typePointer(reflect.TypeFor[int64]()), typePointer(reflect.TypeFor[float64]()),
	typePointer(reflect.TypeFor[string]())

func (e *decoding) boxInt(v int64) (boxed any) {
	if uint64(v) < 256 {
		return v // Go allocates nothing for 0 to 255
	}
	*(*eface)(unsafe.Pointer(&boxed)) = eface{int64Word, e.boxWord(uint64(v))}
	return boxed
}

func (e *decoding) boxFloat(f float64) (boxed any) {
	*(*eface)(unsafe.Pointer(&boxed)) = eface{float64Word, e.boxWord(math.Float64bits(f))}
	return boxed
}

// boxWord stores a word for an any, and returns its address.
func (e *decoding) boxWord(word uint64) unsafe.Pointer {
	b := &e.boxes
	if len(b.words) == 0 {
		b.words = make([]uint64, e.chunk())
	}
	p := &b.words[0]
	b.words = b.words[1:]
	*p = word
	return unsafe.Pointer(p)
}

// boxString returns the l bytes at i as a string in an any.
func (e *decoding) boxString(i, l int) (boxed any) {
	if e.texts.mode == StringsSeparate || l > arenaLongest || l == 0 {
		return e.text(i, l)
	}
	text := e.text(i, l) // before the box, because a new chunk of text starts a new chunk of headers
	p := &e.headers(1)[0]
	*p = text
	*(*eface)(unsafe.Pointer(&boxed)) = eface{stringWord, unsafe.Pointer(p)}
	return boxed
}
