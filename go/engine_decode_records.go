//go:build !purego

package polypack

// Plan of the file: how the engine decodes where records may occur (spec/05-records.md). It reads records into structs
// and into structs behind pointers. It also reads scalars, and slices except those of numbers, bools and any. Ints that
// could be ids of records, and all other values, are left to the plan. So apart from records, this file reads only
// values whose meaning no declaration can change. The plans' Decoder keeps the declarations.

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// unmarshalRecords is settings.unmarshal where records may occur. ok is false, and nothing is done, if this file
// doesn't read the value.
func (s *settings) unmarshalRecords(data []byte, base int64, v any) (err error, ok bool) {
	n, q := s.recordTarget(v)
	if n == nil {
		return nil, false
	}
	var e decoding
	e.begin(s, data, base)
	if s.watch.on {
		e.beginWatch(1)
	}
	i := e.recordValue(n, q, 0)
	e.known.release()
	if i < 0 {
		return located(e.err), true
	}
	if i < len(data) {
		return e.planAt(i).noMore(), true
	}
	return nil, true
}

// intoRecords is Decoder.into where records may occur. ok is false, and nothing is done, if this file doesn't read the
// value.
func (d *Decoder) intoRecords(v any) (err error, ok bool) {
	n, q := d.recordTarget(v)
	if n == nil {
		return nil, false
	}
	var e decoding
	promised := e.enter(d)
	i := e.recordValue(n, q, d.offset)
	return e.leave(i, promised), true
}

// recordTarget returns the node and address of the value that v points to, or nil if this file doesn't read that value.
func (s *settings) recordTarget(v any) (n *node, q unsafe.Pointer) {
	if !s.readsRecords || v == nil {
		return nil, nil
	}
	target := (*eface)(unsafe.Pointer(&v))
	n = s.types.nodeFor(target.typ, reflect.TypeOf(v))
	if n.op != opPointer || target.data == nil || n.elem.op != opStruct && n.elem.op != opSlice {
		return nil, nil
	}
	return n.elem, target.data
}

// recordValue reads the value at i into the memory at q, which is of n's type.
func (e *decoding) recordValue(n *node, q unsafe.Pointer, i int) int {
	if i >= e.n {
		return e.handToPlan(n, q, i)
	}
	switch n.op {
	case opStruct:
		return e.record(n, q, i)
	case opPointer:
		return e.recordPointer(n, q, i)
	case opSlice:
		return e.recordSlice(n, q, i)
	case opSliceString:
		return e.strings(n, q, i)
	case opBool, opInt8, opInt16, opInt32, opInt64, opUint8, opUint16, opUint32, opUint64, opFloat32, opFloat64, opString, opBytes,
		opByteArray, opTime:
		if !isRecordByte(byteAt(e.base, i)) {
			return e.scalar(n, q, i)
		}
	}
	return e.handToPlan(n, q, i)
}

// isRecordByte reports whether c may be the id of a record, or the first byte of an id of two bytes.
func isRecordByte(c byte) bool { return c-firstRecordID <= lastRecordID-firstRecordID }

func (e *decoding) recordPointer(n *node, q unsafe.Pointer, i int) int {
	p := (*unsafe.Pointer)(q)
	c := byteAt(e.base, i)
	if c == format.Nil {
		*p = nil
		return i + 1
	}
	if n.elem.op != opStruct || !isRecordByte(c) && !e.declares(i) {
		return e.handToPlan(n, q, i)
	}
	if *p == nil {
		*p = reflect.New(n.elem.typ).UnsafePointer()
	}
	return e.record(n.elem, *p, i)
}

// declares reports whether the value at i looks like a declaration.
func (e *decoding) declares(i int) bool {
	c := byteAt(e.base, i)
	return (c == format.Fixext1 || c == format.Fixext2) && i+1 < e.n && byteAt(e.base, i+1) == format.RecordType
}

// recordSlice does what slice does, but where records may occur.
func (e *decoding) recordSlice(n *node, q unsafe.Pointer, i int) int {
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
		if i = e.recordValue(elem, unsafe.Add(x.data, uintptr(k)*size), i); i < 0 {
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

// openInstance opens the instance at i if its id has one byte, the plans' Decoder knows the id, and no limit is
// exceeded. It returns the shape and the offset of the first value, or nil and i.
func (e *decoding) openInstance(i int) (s *shape, at int) {
	c, d := byteAt(e.base, i), e.plans
	if d == nil || !isRecordByte(c) || d.isPair(c) {
		return nil, i
	}
	if s = d.records.ofOne(c); s == nil {
		s = d.dictionary.one(c)
	}
	count := 0
	if s != nil {
		count = len(s.names)
	}
	if s == nil || count > e.n-i-1-e.owed || e.depth >= e.maxDepth || e.limited && !e.allowsRecord(int64(count)) {
		return nil, i
	}
	e.depth++
	return s, i + 1
}

// record reads the record at i into the struct at q. It leaves every other value to the plan.
func (e *decoding) record(n *node, q unsafe.Pointer, i int) int {
	if !isRecordByte(byteAt(e.base, i)) && !e.declares(i) {
		return e.handToPlan(n, q, i)
	}
	start := i
	shape, i := e.openInstance(i)
	if shape == nil {
		d := e.planAt(i)
		var err error
		if shape, err = d.record(); err != nil {
			return e.failed(err)
		}
		if shape == nil {
			return e.handToPlan(n, q, i)
		}
		i, e.depth = e.behind(d), d.depth
	}
	s := n.program
	fields, indexes := s.decodeProgram().fields, shape.indexes(s.plan)
	base, end, owed := e.base, e.n, e.owed
	for k, name := range shape.names {
		index := 0
		if indexes != nil {
			index = int(indexes[k])
		} else {
			index = s.plan.find([]byte(name), k)
		}
		if index < 0 {
			e.owed = owed + len(shape.names) - k - 1
			if e.settings.rejectUnknown {
				return e.failed(e.planAt(start).failUnknownField(start, []byte(name)))
			}
			d := e.planAt(i)
			if err := d.skip(); err != nil {
				return e.failed(within(err, name))
			}
			i = e.behind(d)
			continue
		}
		f := &fields[index]
		p := unsafe.Add(q, f.offset)
		if i < end {
			c := byteAt(base, i)
			switch f.op {
			case opString:
				if l := int(c & format.MaxFixstr); c&0xe0 == format.Fixstr && l < end-i && (!e.strict || e.isShortASCII(i+1, l) || e.isUTF8(i+1, l)) {
					*(*string)(p) = e.text(i+1, l)
					i += 1 + l
					continue
				}
			case opBool:
				if c&^1 == format.False {
					*(*bool)(p) = c == format.True
					i++
					continue
				}
			case opInt64:
				if h := &numberHeads[c]; h.Size != 0 && end-i >= 9 && !isRecordByte(c) {
					if v := h.Value(bigEndian64(base, i+1)); !h.IsBig(v) {
						*(*int64)(p) = v
						i += int(h.Size)
						continue
					}
				}
			case opFloat64:
				if c == format.Float64 && end-i >= 9 {
					*(*float64)(p) = math.Float64frombits(bigEndian64(base, i+1))
					i += 9
					continue
				}
			}
		}
		e.owed = owed + len(shape.names) - k - 1
		if i = e.recordValue(f.node, p, i); i < 0 {
			return e.within(name)
		}
	}
	e.owed = owed
	e.depth--
	return i
}
