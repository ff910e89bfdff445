//go:build !purego

package polypack

// Plan of the file: the loop over the fields of a struct, with one switch over ops. Then the conditions under which the
// options omitempty and omitzero leave out a field.

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
	"github.com/polypack/polypack/go/internal/wire"
)

// structValue encodes the struct at p.
//
// Before it writes the first field, it reserves memory for all keys and all fixed parts (fixedBytes). A field of
// variable length then reserves memory for itself and for the keys and fixed parts after it. So keys and scalars are
// written without a check of the capacity.
func (e *engineEncoder) structValue(nd *node, n int, p unsafe.Pointer) int {
	program := nd.program.encodeProgram()
	if e.depth >= e.maxDepth {
		return e.plan(nd, n, p)
	}
	e.depth++
	e.Reserve(n, program.reserve)
	start := n
	if program.head != 0 {
		n = e.Byte(n, program.head)
	} else {
		count := program.count(p)
		n = e.MapHead(n, count)
		start, e.omitted = e.omitted, count-len(program.fields)
	}
	// A call has to save the variables that are alive across iterations, so this loop keeps few. That's why the fields
	// are a linked list, and why calls take and return the position.
	for f := program.first; f != nil; f = f.next {
		q := unsafe.Add(p, f.offset)
		if f.omit != omitNever {
			if n = f.leftOut(n, q); n < 0 {
				n = ^n
				if program.head != 0 {
					e.Less(start)
				} else {
					e.omitted++
				}
				continue
			}
		}
		e.Word(n, f.key0)
		e.Word(n+8, f.key1)
		if f.length > longKey {
			n = e.longKey(n, f)
		}
		n += int(f.length)
		switch f.op {
		case opBool:
			n = e.Bool(n, *(*bool)(q))
		case opInt8:
			n = e.Int(n, int64(*(*int8)(q)))
		case opInt16:
			n = e.Int(n, int64(*(*int16)(q)))
		case opInt32:
			n = e.Int(n, int64(*(*int32)(q)))
		case opInt64:
			n = e.Int(n, *(*int64)(q))
		case opUint8:
			n = e.Uint(n, uint64(*(*uint8)(q)))
		case opUint16:
			n = e.Uint(n, uint64(*(*uint16)(q)))
		case opUint32:
			n = e.Uint(n, uint64(*(*uint32)(q)))
		case opUint64:
			n = e.Uint(n, *(*uint64)(q))
		case opFloat32:
			n = e.Float32(n, *(*float32)(q))
		case opFloat64:
			n = e.Float64(n, *(*float64)(q))
		case opTime:
			n = e.Time(n, *(*time.Time)(q))
		case opString:
			s := *(*string)(q)
			if e.checked && !isUTF8(s) {
				e.notUTF8(s)
				return e.within(f.field.name)
			}
			if wire.IsShort(s) {
				e.Reserve(n, len(s)+f.rest)
				if len(s) >= 8 {
					n = wire.PutWords(e.Base(), n, s)
				} else {
					n = wire.PutHalves(e.Base(), n, s)
				}
				continue
			}
			rest := f.rest
			if len(s) > format.MaxFixstr {
				rest += longerHead
			}
			e.ReserveFor(n, len(s), rest)
			if n = wire.PutString(e.Base(), n, s); n < 0 {
				e.plan(f.node, 0, q)
				return e.within(f.field.name)
			}
		case opMapStringString, opMapStringAny, opMapStringInt, opMapStringInt64, opMapStringFloat64, opMapStringBool:
			if n = e.textMap(f.node, n, *(*unsafe.Pointer)(q)); n < 0 {
				return e.within(f.field.name)
			}
			e.Reserve(n, f.rest)
		case opSliceString:
			if n = e.stringSlice(f.node, n, q); n < 0 {
				return e.within(f.field.name)
			}
			e.Reserve(n, f.rest)
		default:
			if n = e.value(f.node, n, q); n < 0 {
				return e.within(f.field.name)
			}
			e.Reserve(n, f.rest)
		}
	}
	if program.head == 0 {
		if e.omitted != 0 {
			e.err = fieldsChanged(nd.typ)
			return failed
		}
		e.omitted = start
	}
	e.depth--
	return n
}

// longKey writes a key of more than 16 bytes at position n. It returns n, not the position after the key.
//
//go:noinline
func (e *engineEncoder) longKey(n int, f *encodeField) int {
	e.Raw(n, f.field.head, 0)
	return n
}

// count returns how many fields of the struct at p are written. It is for structs with more than 15 fields, which is
// the largest count of a fixmap.
//
//go:noinline
func (program *encodeProgram) count(p unsafe.Pointer) int {
	count := len(program.fields)
	if program.omits {
		for f := program.first; f != nil; f = f.next {
			if f.omit != omitNever && f.leftOut(0, unsafe.Add(p, f.offset)) < 0 {
				count--
			}
		}
	}
	return count
}

// leftOut returns n, or the bitwise complement of n if the field is left out. The field's value is at p.
//
//go:noinline
func (f *encodeField) leftOut(n int, p unsafe.Pointer) int {
	out := false
	switch f.omit {
	case omitZero8:
		out = *(*uint8)(p) == 0
	case omitZero16:
		out = *(*uint16)(p) == 0
	case omitZero32:
		out = *(*uint32)(p) == 0
	case omitZero64:
		out = *(*uint64)(p) == 0
	case omitFloat32:
		out = *(*float32)(p) == 0
	case omitFloat64:
		out = *(*float64)(p) == 0
	case omitNil:
		out = *(*unsafe.Pointer)(p) == nil
	case omitNoElements:
		out = len(*(*string)(p)) == 0
	case omitNoEntries:
		out = len(*(*map[string]string)(p)) == 0
	case omitTime:
		out = (*time.Time)(p).IsZero()
	default:
		v := reflect.NewAt(f.field.typ, p).Elem()
		out = f.field.omitEmpty && isEmpty(v) || f.field.omitZero && f.field.isZero(v)
	}
	if out {
		return ^n
	}
	return n
}
