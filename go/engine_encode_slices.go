//go:build !purego

package polypack

// Plan of the file: encoding slices and arrays. Package wire has the loops for slices of scalars and strings.

import (
	"unsafe"

	"github.com/polypack/polypack/go/internal/wire"
)

// sequence encodes the slice, array or map at p. The caller has reserved wire.Scalar bytes.
func (e *engineEncoder) sequence(nd *node, n int, p unsafe.Pointer) int {
	switch nd.op {
	case opMap:
		return e.otherMap(nd, n, p)
	case opMapStringString, opMapStringAny, opMapStringInt, opMapStringInt64, opMapStringFloat64, opMapStringBool:
		return e.textMap(nd, n, *(*unsafe.Pointer)(p))
	case opByteArray:
		if n = e.Bin(n, unsafe.Slice((*byte)(p), nd.length), wire.Scalar); n < 0 {
			return e.plan(nd, 0, p)
		}
		return n
	case opArray:
		return e.elements(nd, n, p, p, nd.length)
	}
	s := *(*[]byte)(p)
	if s == nil && !e.settings.nilAsEmpty {
		return e.Nil(n)
	}
	if nd.op == opBytes {
		if n = e.Bin(n, s, wire.Scalar); n < 0 {
			return e.plan(nd, 0, p)
		}
		return n
	}
	switch nd.op {
	case opSliceAny:
		return e.anySlice(n, *(*[]any)(p))
	case opSlice:
		return e.elements(nd, n, p, unsafe.Pointer(unsafe.SliceData(s)), len(s))
	}
	if e.depth >= e.maxDepth {
		return e.plan(nd, n, p)
	}
	switch nd.op {
	case opSliceInt8:
		n = wire.Ints(&e.Buffer, n, *(*[]int8)(p))
	case opSliceInt16:
		n = wire.Ints(&e.Buffer, n, *(*[]int16)(p))
	case opSliceInt32:
		n = wire.Ints(&e.Buffer, n, *(*[]int32)(p))
	case opSliceInt64:
		n = wire.Ints(&e.Buffer, n, *(*[]int64)(p))
	case opSliceUint16:
		n = wire.Uint16s(&e.Buffer, n, *(*[]uint16)(p))
	case opSliceUint32:
		n = wire.Uints(&e.Buffer, n, *(*[]uint32)(p))
	case opSliceUint64:
		n = wire.Uints(&e.Buffer, n, *(*[]uint64)(p))
	case opSliceFloat32:
		n = wire.Float32s(&e.Buffer, n, *(*[]float32)(p))
	case opSliceFloat64:
		n = wire.Float64s(&e.Buffer, n, *(*[]float64)(p))
	case opSliceBool:
		n = wire.Bools(&e.Buffer, n, *(*[]bool)(p))
	case opSliceString:
		return e.stringSlice(nd, n, p)
	}
	if n < 0 { // the slice is too long, so the plan makes the error
		return e.plan(nd, 0, p)
	}
	return n
}

// stringSlice encodes the slice at p. Its elements have the type string or a type defined as string.
func (e *engineEncoder) stringSlice(nd *node, n int, p unsafe.Pointer) int {
	s := *(*[]string)(p)
	e.Reserve(n, wire.Scalar)
	if s == nil && !e.settings.nilAsEmpty {
		return e.Nil(n)
	}
	if e.depth >= e.maxDepth || e.checked && !areUTF8(s) {
		return e.plan(nd, n, p)
	}
	if n = wire.Strings(&e.Buffer, n, s); n < 0 {
		return e.plan(nd, 0, p)
	}
	return n
}

// anySlice encodes a []any. The caller has reserved wire.Scalar bytes.
func (e *engineEncoder) anySlice(n int, s []any) int {
	if s == nil && !e.settings.nilAsEmpty {
		return e.Nil(n)
	}
	if e.depth >= e.maxDepth || wire.TooLong(len(s)) {
		return e.planValue(n, s)
	}
	e.depth++
	n = e.ArrayHead(n, len(s))
	for i, v := range s {
		if n = e.any(n, v); n < 0 {
			return e.withinIndex(i)
		}
	}
	e.depth--
	return n
}

// elements encodes the slice or array at p. Its elements, count in number, start at base. The caller has reserved
// wire.Scalar bytes.
func (e *engineEncoder) elements(nd *node, n int, p, base unsafe.Pointer, count int) int {
	if e.depth >= e.maxDepth || wire.TooLong(count) {
		return e.plan(nd, n, p)
	}
	e.depth++
	elem := nd.elem
	n = e.ArrayHead(n, count)
	switch {
	case elem.op == opStruct:
		for i := range count { // don't move a pointer instead: it would end past the elements, which unsafe forbids
			if n = e.structValue(elem, n, unsafe.Add(base, uintptr(i)*elem.size)); n < 0 {
				return e.withinIndex(i)
			}
		}
	default:
		for i := range count {
			if n = e.value(elem, n, unsafe.Add(base, uintptr(i)*elem.size)); n < 0 {
				return e.withinIndex(i)
			}
		}
	}
	e.depth--
	return n
}
