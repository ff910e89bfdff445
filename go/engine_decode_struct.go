//go:build !purego

package polypack

// Plan of the file: the compiled fields of a struct, the loop over the entries of a map, finding the field of an
// unexpected key, and stepping over values that have no field.
//
// Writers usually send the fields in the order of the struct, so the key of the next field is expected. To recognize
// that key, the engine compares the first 16 bytes of the encoded key as two words under masks. It looks other keys up
// in a perfect hash of the length and the first and last 8 bytes. If a struct has no such hash, its plan finds the
// field.

import (
	"math"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// A decodeProgram is the compiled form of a struct for reading.
type decodeProgram struct {
	fields []decodeField // one per field, then a sentinel whose key never occurs
	ends   []fieldEnds   // by field
}

type decodeField struct {
	key0, key1   uint64 // the encoded key's first 16 bytes
	mask0, mask1 uint64 // the bits that belong to the key
	offset       uintptr
	op           op
	long         bool // the encoded key is longer than 16 bytes
	index        uint16
	node         *node
	key          string       // encoded
	next         *decodeField // the field expected after this one
}

// fieldEnds has the first 8 and the last 8 bytes of a field's name as words, see decoding.ends. tail is 0 if the name
// has at most 8 bytes.
type fieldEnds struct{ head, tail uint64 }

// mostHashed is the largest number of fields of a struct that gets a perfect hash.
const mostHashed = 200

// decodeProgram returns the program that reads the struct.
func (s *structProgram) decodeProgram() *decodeProgram {
	if p := s.decode.Load(); p != nil {
		return p
	}
	return s.newDecodeProgram()
}

func (s *structProgram) newDecodeProgram() *decodeProgram {
	p := &decodeProgram{fields: make([]decodeField, len(s.fields)+1), ends: make([]fieldEnds, len(s.fields))}
	never := decodeField{key0: 1, index: uint16(len(s.fields))} // never found: a word under an empty mask is 0, not 1
	p.fields[len(s.fields)] = never
	for i, f := range s.fields {
		key := string(f.head)
		p.fields[i] = decodeField{offset: f.offset, op: f.node.op, index: uint16(i), node: f.node, key: key, long: len(key) > 16, next: &p.fields[i+1]}
		if utf8.ValidString(f.name) { // a name that isn't UTF-8 is never expected, so textHead checks it
			p.fields[i].key0, p.fields[i].key1 = leading(key)
			p.fields[i].mask0, p.fields[i].mask1 = byteMask(len(key)), byteMask(max(0, len(key)-8))
		} else {
			p.fields[i].key0 = never.key0
		}
		name := f.name
		p.ends[i].head, _ = leading(name)
		if len(name) > 8 {
			p.ends[i].tail, _ = leading(name[len(name)-8:])
		}
	}
	s.decode.CompareAndSwap(nil, p) // another goroutine may have stored its program first
	return s.decode.Load()
}

// leading returns the first 16 bytes of text as little-endian words, padded with zeros.
func leading(text string) (first, second uint64) {
	for i := range min(len(text), 8) {
		first |= uint64(text[i]) << (8 * i)
	}
	for i := range max(0, min(len(text), 16)-8) {
		second |= uint64(text[8+i]) << (8 * i)
	}
	return first, second
}

// A fieldTable is the perfect hash of a struct's names: slots[hash >> shift] is a field's index + 1, or 0. If slots is
// nil, the plan finds the field. The table is made when the first unexpected key arrives. Many programs never meet such
// a key, and the search for a seed takes time.
type fieldTable struct {
	slots []uint16
	seed  uint64
	shift uint8
}

// fieldTable returns the table of the struct.
func (s *structProgram) fieldTable() *fieldTable {
	if t := s.table.Load(); t != nil {
		return t
	}
	t := s.newFieldTable() // another goroutine may also make one, but it is equal
	s.table.Store(t)
	return t
}

// newFieldTable searches for a seed without collisions. The table has no slots if the struct has no fields or more than
// mostHashed, or if the search fails, for example because two names have the same length and ends.
func (s *structProgram) newFieldTable() *fieldTable {
	if len(s.fields) == 0 || len(s.fields) > mostHashed {
		return new(fieldTable)
	}
	bits := uint8(2)
	for 1<<bits < 2*len(s.fields) {
		bits++
	}
	seed := uint64(keyMultiplier)
	for most := bits + 3; bits < most; bits++ {
		t := &fieldTable{slots: make([]uint16, 1<<bits), shift: 64 - bits}
		for range 100 {
			seed = seed*6364136223846793005 + 1442695040888963407 | 1 // the MMIX generator of Knuth, made odd
			if t.seed = seed; t.fill(s) {
				return t
			}
			clear(t.slots)
		}
	}
	return new(fieldTable)
}

// fill enters the fields, and reports whether each has a slot of its own.
func (t *fieldTable) fill(s *structProgram) bool {
	for i, ends := range s.decodeProgram().ends {
		slot := &t.slots[keyHash(ends.head, ends.tail, len(s.fields[i].name), t.seed)>>t.shift]
		if *slot != 0 {
			return false
		}
		*slot = uint16(i + 1)
	}
	return true
}

// structValue reads a map into the struct at q. The input has a byte at i.
func (e *decoding) structValue(n *node, q unsafe.Pointer, i int) int {
	start, count := i, 0
	if c := byteAt(e.base, i); c&0xf0 == format.Fixmap && 2*int(c&format.MaxFixcontainer) <= e.n-i-1-e.owed && e.depth < e.maxDepth {
		count = int(c & format.MaxFixcontainer)
		i++
		e.depth++
	} else if count, i = e.openMap(i); i < 0 {
		return e.handToPlan(n, q, start)
	}
	s := n.program
	owed := e.owed
	expected := &s.decodeProgram().fields[0]
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
		} else {
			e.owed = owed + 2*left - 1
			if f, i = e.unexpected(s, q, i, count-left); i < 0 {
				return i
			}
			if f == nil {
				continue
			}
		}
		expected = f.next
		p := unsafe.Add(q, f.offset)
		if i < e.n {
			c := byteAt(e.base, i)
			switch f.op {
			case opString:
				if l := int(c & format.MaxFixstr); c&0xe0 == format.Fixstr && l < e.n-i {
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
			i = e.structValue(f.node, p, i)
		default:
			i = e.value(f.node, p, i)
		}
		if i < 0 {
			return e.withinField(s, f)
		}
	}
	e.owed = owed
	e.depth--
	return i
}

// unexpected reads the key at i, of the entry with this index. The caller hasn't recognized the key as the expected
// one. unexpected returns the field with that name and where the value starts. If no field of the struct at q has that
// name, it lets unnamed read or skip the value, and returns nil and where the next entry starts.
func (e *decoding) unexpected(s *structProgram, q unsafe.Pointer, i, index int) (f *decodeField, at int) {
	found, at := e.find(s, i, index)
	if at < 0 {
		return nil, at
	}
	if found >= 0 {
		return &s.decodeProgram().fields[found], at
	}
	return nil, e.unnamed(s, q, i, at, index)
}

// unnamed reads the value at i, whose key is at the offset key and isn't the name of a field. If the key is another
// name of a field, such as an alias, the value goes into that field. Otherwise unnamed steps over the value, or refuses
// the entry if the settings reject unknown fields. index is the index of the entry.
func (e *decoding) unnamed(s *structProgram, q unsafe.Pointer, key, i, index int) int {
	if s.plan.others != nil {
		if found := e.otherName(s.plan.others, key); found >= 0 {
			f := &s.decodeProgram().fields[found]
			e.owed--
			if i = e.value(f.node, unsafe.Add(q, f.offset), i); i < 0 {
				return e.withinEntry(keyPlace{offset: key, asText: true}, index)
			}
			return i
		}
	}
	return e.skipUnknown(key, i, index)
}

// otherName returns the index of the field that has the key at i as another name, or -1.
func (e *decoding) otherName(o *others, i int) int {
	l, at := e.textHead(i)
	if at < 0 {
		if l, at = e.binName(i); at < 0 {
			return -1
		}
	}
	return o.find(e.bytesAt(at, l))
}

// skipUnknown steps over the value at i, or refuses the entry if the settings reject unknown fields. key is the offset
// of the key, which isn't the name of a field, and index is the index of the entry.
func (e *decoding) skipUnknown(key, i, index int) int {
	if e.settings.rejectUnknown {
		return e.failUnknown(key)
	}
	e.owed--
	if i = e.skip(i); i < 0 {
		return e.withinEntry(keyPlace{offset: key}, index)
	}
	return i
}

// tail returns the rest of the input from i on, at most 15 bytes, as two little-endian words padded with zeros.
func (e *decoding) tail(i int) (first, second uint64) {
	left := e.n - i
	switch {
	case e.n < 8:
		for k := range left {
			first |= uint64(byteAt(e.base, i+k)) << (8 * k)
		}
		return first, 0
	case left < 8:
		return littleEndian64(e.base, e.n-8) >> (8 * uint(8-left)), 0
	}
	return littleEndian64(e.base, i), littleEndian64(e.base, e.n-8) >> (8 * uint(16-left))
}

// follows reports whether the encoded key is at i. It also returns false if the encoded key is longer than the limit
// for a str, so that textHead checks the key.
func (e *decoding) follows(i int, key string) bool {
	limits := e.settings.lengths
	return e.n-i >= len(key) && string(e.bytesAt(i, len(key))) == key && (limits == nil || int64(len(key)) <= limits.text)
}

// withinField adds the path segment of a field, which is the field's name.
//
//go:noinline
func (e *decoding) withinField(s *structProgram, f *decodeField) int {
	return e.within(s.fields[f.index].name)
}

// find returns the index of the field that the key at i names, or -1 if no field has that name. It also returns where
// the value starts, or -1 if the key is faulty.
func (e *decoding) find(s *structProgram, i, next int) (index, value int) {
	l, at := e.textHead(i)
	if at < 0 {
		if l, at = e.binName(i); at < 0 {
			return -1, e.skipKey(i)
		}
	}
	return e.named(s, l, at, next), at + l
}

// named returns the index of the field whose name is the l bytes at i, or -1.
func (e *decoding) named(s *structProgram, l, i, next int) (index int) {
	t := s.fieldTable()
	if t.slots == nil {
		return s.plan.named(e.bytesAt(i, l), next)
	}
	head, tail := e.ends(i, l)
	index = int(t.slots[keyHash(head, tail, l, t.seed)>>(t.shift&63)]) - 1
	if index < 0 {
		return -1
	}
	ends, name := &s.decodeProgram().ends[index], s.fields[index].name
	if ends.head != head || ends.tail != tail || len(name) != l || l > 16 && string(e.bytesAt(i, l)) != name {
		return -1
	}
	return index
}

// skipKey lets the plans' Decoder step over the key at i.
//
//go:noinline
func (e *decoding) skipKey(i int) int {
	d := e.planAt(i)
	if err := d.skip(); err != nil {
		return e.failed(inKey(err))
	}
	return e.behind(d)
}

//go:noinline
func (e *decoding) failUnknown(key int) int {
	d := e.planAt(key)
	if !d.isName() {
		return e.failed(d.failUnknownKey(key))
	}
	name, _ := d.name()
	return e.failed(d.failUnknownField(key, name))
}

// Stepping over values that have no field

// skip steps over the value at i. If run gives up, Decoder.skip starts again at i.
func (e *decoding) skip(i int) int {
	allowed := e.allowed
	if j := e.run(1, i, e.owed, e.depth); j >= 0 {
		return j
	}
	e.allowed = allowed
	d := e.planAt(i)
	if err := d.skip(); err != nil {
		return e.failed(err)
	}
	return e.behind(d)
}

// A skipHead says how to step over a value with a certain head byte: over size bytes, and then over as many bytes or
// values as the head declares.
type skipHead struct {
	size     uint8 // bytes of the head, or of a whole number; 0 if only Decoder.skip can check the value
	length   uint8 // bytes of the length or count after the head byte
	perCount uint8 // values per element or entry: 1 in an array, 2 in a map; 0 if the head declares no count
}

var skipHeads = makeSkipHeads()

func makeSkipHeads() (heads [256]skipHead) {
	for c := range heads {
		length := uint8(0)
		size := 1 + arguments[c]
		switch families[c] {
		case familyStr, familyBin:
			length = arguments[c]
		case familyArray:
			length = arguments[c]
			heads[c].perCount = 1
		case familyMap:
			length = arguments[c]
			heads[c].perCount = 2
		case familyExt, familyReserved: // an ext may be a faulty timestamp or a record
			size = 0
		}
		heads[c].size, heads[c].length = size, length
	}
	return heads
}

// run steps over count values at i. depth is the number of containers around them. owed is the number of values that
// these containers still have to deliver after them. run returns the offset after the values, or -1 at the first value
// that may be faulty.
func (e *decoding) run(count, i, owed, depth int) int {
	base, end := e.base, e.n
	for ; count > 0; count-- {
		if i >= end {
			return -1
		}
		c := byteAt(base, i)
		h := skipHeads[c]
		if h.size == 0 || int(h.size) > end-i {
			return -1
		}
		declared := uint32(0)
		switch h.length {
		case 0:
			switch {
			case c&0xe0 == format.Fixstr:
				declared = uint32(c & format.MaxFixstr)
			case h.perCount != 0:
				declared = uint32(c & format.MaxFixcontainer)
			}
		case 1:
			declared = uint32(byteAt(base, i+1))
		case 2:
			declared = uint32(bigEndian16(base, i+1))
		case 4:
			declared = bigEndian32(base, i+1)
		}
		i += int(h.size)
		if h.perCount == 0 {
			if int64(declared) > int64(end-i) {
				return -1
			}
			if e.on && declared > 0 && !e.allowsBytes(c, i, int(declared)) {
				return -1
			}
			i += int(declared)
			continue
		}
		behind := owed + count - 1
		children := int64(declared) * int64(h.perCount)
		if depth >= e.maxDepth || children > int64(end-i-behind) {
			return -1
		}
		if e.limited && (h.perCount == 1 && !e.allowsArray(int64(declared)) || h.perCount == 2 && !e.allowsMap(int64(declared))) {
			return -1
		}
		if e.strict && h.perCount == 2 {
			if i = e.runUnique(int(declared), i, behind, depth+1); i < 0 {
				return -1
			}
			continue
		}
		if children > 0 {
			if i = e.run(int(children), i, behind, depth+1); i < 0 {
				return -1
			}
		}
	}
	return i
}
