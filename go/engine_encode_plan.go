//go:build !purego

package polypack

// Plan of the file: how the engine hands a value over to the plan of its type, at the same position and with the same
// counts, and how an error gets its path while it unwinds through the engine. None of this is on the fast path.

import (
	"reflect"
	"unsafe"
)

// plan encodes the value at p with the plan of its type. The plan gets an addressable value, because methods with
// pointer receivers need one.
//
//go:noinline
func (e *engineEncoder) plan(nd *node, n int, p unsafe.Pointer) int {
	encoder := e.lend(n)
	return e.takeBack(nd.plan.encode(encoder, reflect.NewAt(nd.typ, p).Elem()))
}

// planHeld encodes the value in v with the plan of its type.
//
//go:noinline
func (e *engineEncoder) planHeld(nd *node, n int, v any) int {
	encoder := e.lend(n)
	return e.takeBack(nd.plan.encode(encoder, reflect.ValueOf(v)))
}

// planValue encodes a value of any type with plans.
//
//go:noinline
func (e *engineEncoder) planValue(n int, v any) int {
	encoder := e.lend(n)
	return e.takeBack(encoder.value(v))
}

// lend returns the Encoder for plans, with the engine's buffer and counts. It makes the Encoder if there is none yet.
func (e *engineEncoder) lend(n int) *Encoder {
	if e.encoder == nil {
		e.encoder = &Encoder{settings: *e.settings}
	}
	e.encoder.buf, e.encoder.depth, e.encoder.hops = e.Bytes(n), e.depth, e.hops
	return e.encoder
}

// takeBack continues after the bytes that a plan has written. If err isn't nil, it stores err instead.
func (e *engineEncoder) takeBack(err error) int {
	if err != nil {
		e.err = err
		return failed
	}
	return e.Reset(e.encoder.buf)
}

// pointerTo returns p as a value of the pointer type t.
func pointerTo(t reflect.Type, p unsafe.Pointer) any {
	return reflect.NewAt(t.Elem(), p).Convert(t).Interface()
}

// within adds a segment to the path of the error while the engine unwinds.
//
//go:noinline
func (e *engineEncoder) within(segment string) int {
	e.err = within(e.err, segment)
	return failed
}

//go:noinline
func (e *engineEncoder) withinIndex(index int) int {
	e.err = withinIndex(e.err, index)
	return failed
}
