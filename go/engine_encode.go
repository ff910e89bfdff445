//go:build !purego

package polypack

// Plan of the file: the entry points of the encoding engine, and encoding a value, also one in an any. Structs, slices
// and maps have separate files; engine_encode_plan.go hands values over to plans.
//
// Methods that encode take the position in the buffer and return the new one, so that the position stays in a register.
// A negative position is a failure. If e.err is still nil, something is too long, and a caller lets the plan make the
// error.

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/polypack/polypack/go/internal/wire"
)

// An engineEncoder encodes one value. It lives on the stack.
type engineEncoder struct {
	wire.Buffer
	depth, hops int // open containers; pointers that are being followed
	maxDepth    int
	checked     bool // strings must be UTF-8
	settings    *settings
	encoder     *Encoder          // for plans; nil until it is needed
	scratch     *mapScratch       // for the keys of maps; nil until it is needed
	outside     *generatedEncoder // for generated methods; nil until they need state or fail
	omitted     int               // in structs of over 15 fields: left-out fields so far, minus the expected number
	err         error
}

// failed is returned instead of a position if encoding has failed.
const failed = -1

// append is Append with settings instead of options. A Codec, which has the node of v already, calls appendNode.
func (s *settings) append(dst []byte, v any) ([]byte, error) {
	if !s.fast || v == nil {
		if s.unsettled {
			return s.appendUnsettled(dst, v)
		}
		if s.fastRecords && v != nil {
			return s.appendRecords(dst, v)
		}
		return s.appendByPlan(dst, v)
	}
	typ := (*eface)(unsafe.Pointer(&v)).typ
	node := s.types.programs.table.Load().find(typ)
	if node == nil {
		node = s.types.nodeFor(typ, reflect.TypeOf(v))
	}
	return s.appendNode(dst, node, v)
}

// appendNode is append for values that the engine encodes. node is the node of v's type.
func (s *settings) appendNode(dst []byte, node *node, v any) ([]byte, error) {
	held := (*eface)(unsafe.Pointer(&v))
	if nd, p := node.generatedTarget(v); nd != nil && s.generated {
		return s.appendGenerated(dst, node, nd, p)
	}
	e := engineEncoder{maxDepth: s.maxDepth, checked: s.checked(), settings: s}
	n, hint := len(dst), 0
	if dst == nil {
		hint = node.hint.expected()
		e.Reset(wire.NewBuffer(hint))
	} else {
		e.Reset(dst)
	}
	if node.op == opPointer && node.elem.op == opStruct && held.data != nil { // most values are pointers to structs
		e.hops = 1
		n = e.structValue(node.elem, n, held.data)
	} else {
		n = e.held(node, n, v)
	}
	if e.scratch != nil || e.outside != nil {
		e.release()
	}
	if n < 0 {
		return dst, located(e.err)
	}
	if dst == nil {
		return finish(e.Bytes(n), e.Peak(), &node.hint, n, hint), nil
	}
	return e.Bytes(n), nil
}

// finish returns a message that began in a new buffer. If the hint was too small, much too large or missing, finish
// notes how much memory the message needed. The caller may keep the message for a long time, so finish copies it if it
// takes less than about half of the buffer (wire.Wasteful).
func finish(b []byte, peak int, sizes *sizeHint, n, hint int) []byte {
	if peak != 0 || n < hint/4 || sizes.isNew() {
		sizes.note(max(peak, n))
	}
	b = b[:n]
	if wire.Wasteful(cap(b), n) {
		b = append(make([]byte, 0, n), b...)
	}
	return b
}

// encode encodes a value for Encoder.Encode. If during is ready, it encodes only types that run no user code, for which
// the Encoder needn't be inUse. If ok is false, it has done nothing. After a failure, the state of the Encoder is
// undefined.
func (e *Encoder) encode(v any, during coderState) (err error, ok bool) {
	if !e.fast || v == nil || e.keys > 0 {
		switch {
		case during == ready:
			return nil, false
		case e.fastRecords && v != nil && e.writesRecords():
			return e.encodeRecords(v), true
		}
		return e.value(v), true
	}
	node := e.types.nodeFor((*eface)(unsafe.Pointer(&v)).typ, reflect.TypeOf(v))
	if node.runsCode && during == ready {
		return nil, false
	}
	depth, hops := e.depth, e.hops
	engine := engineEncoder{depth: depth, hops: hops, maxDepth: e.maxDepth, checked: e.checked(), settings: &e.settings, encoder: e}
	n := engine.held(node, engine.Reset(e.buf), v)
	engine.release()
	if n < 0 {
		return engine.err, true
	}
	e.buf, e.depth, e.hops = engine.Bytes(n), depth, hops // plans may have changed depth and hops
	return nil, true
}

// release returns memory to its pools.
func (e *engineEncoder) release() {
	if e.scratch != nil {
		e.scratch.release()
	}
	if e.outside != nil {
		e.outside.release()
	}
}

// held encodes the value in v, which is not nil. nd is the node of its type.
func (e *engineEncoder) held(nd *node, n int, v any) int {
	data := (*eface)(unsafe.Pointer(&v)).data
	switch nd.op {
	case opPointer:
		return e.pointer(nd, n, data)
	case opPlan:
		return e.planHeld(nd, n, v)
	case opMapStringString, opMapStringAny, opMapStringInt, opMapStringInt64, opMapStringFloat64, opMapStringBool:
		return e.textMap(nd, n, data)
	}
	switch {
	case nd.direct: // the value is in v itself, which may be on the stack; plans must not have pointers to the stack
		box := new(unsafe.Pointer)
		*box = data
		data = unsafe.Pointer(box)
	case nd.holdsPlan: // a method with a pointer receiver must not get the address of a value in an any
		box := reflect.New(nd.typ)
		box.Elem().Set(reflect.ValueOf(v))
		data = box.UnsafePointer()
	}
	return e.value(nd, n, data)
}

// value encodes the value of the node's type at p.
func (e *engineEncoder) value(nd *node, n int, p unsafe.Pointer) int {
	e.Reserve(n, wire.Scalar)
	switch nd.op {
	case opBool:
		return e.Bool(n, *(*bool)(p))
	case opInt8:
		return e.Int(n, int64(*(*int8)(p)))
	case opInt16:
		return e.Int(n, int64(*(*int16)(p)))
	case opInt32:
		return e.Int(n, int64(*(*int32)(p)))
	case opInt64:
		return e.Int(n, *(*int64)(p))
	case opUint8:
		return e.Uint(n, uint64(*(*uint8)(p)))
	case opUint16:
		return e.Uint(n, uint64(*(*uint16)(p)))
	case opUint32:
		return e.Uint(n, uint64(*(*uint32)(p)))
	case opUint64:
		return e.Uint(n, *(*uint64)(p))
	case opFloat32:
		return e.Float32(n, *(*float32)(p))
	case opFloat64:
		return e.Float64(n, *(*float64)(p))
	case opTime:
		return e.Time(n, *(*time.Time)(p))
	case opString:
		s := *(*string)(p)
		e.ReserveFor(n, len(s), wire.Scalar)
		if n = e.text(n, s); n < 0 {
			return e.plan(nd, 0, p)
		}
		return n
	case opAny:
		return e.any(n, *(*any)(p))
	case opStruct:
		return e.structValue(nd, n, p)
	case opGenerated:
		if !e.settings.generated {
			return e.structValue(nd, n, p)
		}
		return e.generated(nd, n, p)
	case opGeneratedRest:
		if !e.settings.generated {
			return e.plan(nd, n, p)
		}
		return e.generated(nd, n, p)
	case opPointer:
		return e.pointer(nd, n, *(*unsafe.Pointer)(p))
	case opPlan:
		return e.plan(nd, n, p)
	}
	return e.sequence(nd, n, p)
}

// pointer encodes what p points to; nd is the node of the pointer's type.
func (e *engineEncoder) pointer(nd *node, n int, p unsafe.Pointer) int {
	if p == nil {
		e.Reserve(n, 1)
		return e.Nil(n)
	}
	if e.hops >= maxHops+deeperHops*e.depth {
		return e.planHeld(nd, n, pointerTo(nd.typ, p))
	}
	e.hops++
	if nd.elem.op == opStruct {
		n = e.structValue(nd.elem, n, p)
	} else {
		n = e.value(nd.elem, n, p)
	}
	e.hops--
	return n
}

// any encodes a value of any type. It handles the most common types without looking up a node.
func (e *engineEncoder) any(n int, v any) int {
	e.Reserve(n, wire.Scalar)
	switch v := v.(type) {
	case nil:
		return e.Nil(n)
	case string:
		at := n
		e.ReserveFor(n, len(v), wire.Scalar)
		if n = e.text(n, v); n < 0 {
			return e.planValue(at, v)
		}
		return n
	case int:
		return e.Int(n, int64(v))
	case int64:
		return e.Int(n, v)
	case float64:
		return e.Float64(n, v)
	case bool:
		return e.Bool(n, v)
	case []any:
		return e.anySlice(n, v)
	}
	return e.held(e.settings.types.nodeFor((*eface)(unsafe.Pointer(&v)).typ, reflect.TypeOf(v)), n, v)
}
