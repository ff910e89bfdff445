//go:build !purego

package polypack

// Plan of the file: the nodes (compiled types, see engine_program.go) that a Codec keeps, so that its calls need not
// look them up.

import (
	"reflect"
	"unsafe"
)

// A prepared holds the nodes that a Codec[T] uses: writes is the node of *T, and reads is the node of T. If a node is
// nil, settings.append or settings.unmarshal is called instead.
type prepared struct{ writes, reads *node }

// prepare returns the nodes that a Codec for the type t uses.
func (s *settings) prepare(t reflect.Type) (p prepared) {
	if !s.fast {
		return p
	}
	pointer := reflect.PointerTo(t)
	p.writes = s.types.nodeFor(typePointer(pointer), pointer)
	if s.reads && p.writes.op == opPointer {
		p.reads = p.writes.elem
	}
	return p
}

// append does what settings.append does. v is a *T, where T is the type of the Codec.
func (p *prepared) append(s *settings, dst []byte, v any) ([]byte, error) {
	if p.writes == nil {
		return s.append(dst, v)
	}
	return s.appendNode(dst, p.writes, v)
}

// unmarshal does what settings.unmarshal does. v is a *T that isn't nil, where T is the type of the Codec.
func (p *prepared) unmarshal(s *settings, data []byte, v any) error {
	if p.reads == nil {
		return s.unmarshal(data, 0, v)
	}
	return s.unmarshalNode(data, 0, p.reads, (*eface)(unsafe.Pointer(&v)).data)
}
