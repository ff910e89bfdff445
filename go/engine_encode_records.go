//go:build !purego

package polypack

// Plan of the file: how the engine encodes with settings under which structs become records (spec/05-records.md). It
// writes structs, and the pointers, slices and arrays that lead to structs. It uses the programs of
// engine_encode_program.go but leaves out the keys. records_write.go provides shapes and ids.
//
// An integer from 64 to 127 takes two bytes here, because one byte would be the id of a record. recordInt and
// recordUint write the integer fields of structs in this way. Values that can't contain integers, such as strings and
// []float64, are written in the same way as without records. Everything else is handed over to plans.

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
	"github.com/polypack/polypack/go/internal/wire"
)

// appendRecords is settings.append for settings under which structs become records.
func (s *settings) appendRecords(dst []byte, v any) ([]byte, error) {
	e := engineEncoder{maxDepth: s.maxDepth, checked: s.checked(), settings: s, encoder: &Encoder{settings: *s}}
	n := e.recordsHeld(e.Reset(dst), v)
	if e.scratch != nil {
		e.scratch.release()
	}
	e.encoder.releaseShapes()
	if n < 0 {
		return dst, located(e.err)
	}
	return e.Bytes(n), nil
}

// encodeRecords is Encoder.encode for settings under which structs become records.
func (e *Encoder) encodeRecords(v any) error {
	depth, hops := e.depth, e.hops
	engine := engineEncoder{depth: depth, hops: hops, maxDepth: e.maxDepth, checked: e.checked(), settings: &e.settings, encoder: e}
	n := engine.recordsHeld(engine.Reset(e.buf), v)
	if engine.scratch != nil {
		engine.scratch.release()
	}
	if n < 0 {
		return engine.err
	}
	e.buf, e.depth, e.hops = engine.Bytes(n), depth, hops
	return nil
}

// recordsHeld encodes the value in v, which is not nil.
func (e *engineEncoder) recordsHeld(n int, v any) int {
	word := (*eface)(unsafe.Pointer(&v))
	nd := e.settings.types.nodeFor(word.typ, reflect.TypeOf(v))
	switch {
	case nd.op == opPointer && nd.elem.op.isStruct():
		return e.recordPointer(nd, n, word.data)
	case nd.direct || nd.holdsPlan || !nd.op.isStruct() && nd.op != opSlice && nd.op != opArray:
		return e.planHeld(nd, n, v)
	}
	return e.recordValue(nd, n, word.data)
}

// recordValue encodes the value of the node's type at p.
func (e *engineEncoder) recordValue(nd *node, n int, p unsafe.Pointer) int {
	switch nd.op {
	case opStruct, opGenerated:
		return e.record(nd, n, p)
	case opPointer:
		return e.recordPointer(nd, n, *(*unsafe.Pointer)(p))
	case opSlice:
		s := *(*[]byte)(p)
		if s != nil {
			return e.recordElements(nd, n, p, unsafe.Pointer(unsafe.SliceData(s)), len(s))
		}
	case opArray:
		return e.recordElements(nd, n, p, p, nd.length)
	case opString, opFloat32, opFloat64, opBool, opTime, opBytes, opByteArray, opSliceString, opSliceFloat32, opSliceFloat64, opSliceBool,
		opMapStringString, opMapStringFloat64, opMapStringBool:
		return e.value(nd, n, p)
	}
	return e.plan(nd, n, p)
}

func (e *engineEncoder) recordPointer(nd *node, n int, p unsafe.Pointer) int {
	if p == nil {
		e.Reserve(n, 1)
		return e.Nil(n)
	}
	if e.hops >= maxHops+deeperHops*e.depth {
		return e.planHeld(nd, n, pointerTo(nd.typ, p))
	}
	e.hops++
	n = e.recordValue(nd.elem, n, p)
	e.hops--
	return n
}

// recordElements encodes the slice or array at p, whose count elements start at base.
func (e *engineEncoder) recordElements(nd *node, n int, p, base unsafe.Pointer, count int) int {
	if e.depth >= e.maxDepth || wire.TooLong(count) {
		return e.plan(nd, n, p)
	}
	e.depth++
	e.Reserve(n, wire.Scalar)
	n = e.ArrayHead(n, count)
	elem := nd.elem
	for i := range count {
		if q := unsafe.Add(base, uintptr(i)*elem.size); elem.op == opStruct {
			n = e.record(elem, n, q)
		} else {
			n = e.recordValue(elem, n, q)
		}
		if n < 0 {
			return e.withinIndex(i)
		}
	}
	e.depth--
	return n
}

// record encodes the struct at p as a record.
func (e *engineEncoder) record(nd *node, n int, p unsafe.Pointer) int {
	program := nd.program.encodeProgram()
	fields := program.fields
	if e.depth >= e.maxDepth || len(fields) == 0 || len(fields) > maxMarked {
		return e.plan(nd, n, p)
	}
	key, present := shapeKey{plan: nd.program.plan}, ^uint64(0)
	if !key.plan.plain {
		present = 1<<len(fields) - 1
		for _, i := range program.omitted {
			if f := &fields[i]; f.leftOut(0, unsafe.Add(p, f.offset)) < 0 {
				present &^= 1 << i
			}
		}
		key.present = present
	}
	w := e.encoder.recordWriter()
	shape := w.lastShape
	if w.last != key {
		shape = w.shape(key)
	}
	e.depth++
	if shape.shared || shape.message == w.message {
		e.Reserve(n, program.reserve+1) // program.reserve counts a map head, which may be one byte shorter than an id
		n = e.Byte(n, shape.id.lo)
		if shape.id.pair {
			n = e.Byte(n, shape.id.hi)
		}
	} else {
		n = e.declaration(shape, n)
		e.Reserve(n, program.reserve)
	}
	for i := range fields {
		if present>>i&1 == 0 {
			continue
		}
		f := &fields[i]
		q := unsafe.Add(p, f.offset)
		switch f.op {
		case opBool:
			n = e.Bool(n, *(*bool)(q))
		case opInt8:
			n = e.recordInt(n, int64(*(*int8)(q)))
		case opInt16:
			n = e.recordInt(n, int64(*(*int16)(q)))
		case opInt32:
			n = e.recordInt(n, int64(*(*int32)(q)))
		case opInt64:
			n = e.recordInt(n, *(*int64)(q))
		case opUint8:
			n = e.recordUint(n, uint64(*(*uint8)(q)))
		case opUint16:
			n = e.recordUint(n, uint64(*(*uint16)(q)))
		case opUint32:
			n = e.recordUint(n, uint64(*(*uint32)(q)))
		case opUint64:
			n = e.recordUint(n, *(*uint64)(q))
		case opFloat32:
			n = e.Float32(n, *(*float32)(q))
		case opFloat64:
			n = e.Float64(n, *(*float64)(q))
		case opTime:
			n = e.Time(n, *(*time.Time)(q))
		case opString:
			s := *(*string)(q)
			e.ReserveFor(n, len(s), f.rest+longerHead)
			if n = e.text(n, s); n < 0 {
				e.plan(f.node, 0, q)
				return e.within(f.field.name)
			}
		default:
			if n = e.recordValue(f.node, n, q); n < 0 {
				return e.within(f.field.name)
			}
			e.Reserve(n, f.rest)
		}
	}
	e.depth--
	return n
}

// declaration writes the declaration of a shape.
//
//go:noinline
func (e *engineEncoder) declaration(s *writtenShape, n int) int {
	encoder := e.lend(n)
	encoder.buf = encoder.shapes.declare(encoder.buf, s)
	return e.takeBack(nil)
}

func (e *engineEncoder) recordInt(n int, v int64) int {
	if uint64(v)-firstRecordID <= lastRecordID-firstRecordID {
		return e.Byte(e.Byte(n, format.Uint8), byte(v))
	}
	return e.Int(n, v)
}

func (e *engineEncoder) recordUint(n int, v uint64) int {
	if v-firstRecordID <= lastRecordID-firstRecordID {
		return e.Byte(e.Byte(n, format.Uint8), byte(v))
	}
	return e.Uint(n, v)
}
