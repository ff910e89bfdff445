//go:build !purego

package polypack

// Plan of the file: what a Codec caches for its type, so that calls look nothing up.

import (
	"reflect"
	"unsafe"
)

// A prepared has the nodes of a pointer type, for writing and reading; a node is nil where plans do the work.
type prepared struct{ writes, reads *node }

// prepare returns the nodes for pointers to t.
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

// append is settings.append for v, a pointer of the prepared type.
func (p *prepared) append(s *settings, dst []byte, v any) ([]byte, error) {
	if p.writes == nil {
		return s.append(dst, v)
	}
	return s.appendNode(dst, p.writes, v)
}

// unmarshal is settings.unmarshal for v, a pointer of the prepared type that is not nil.
func (p *prepared) unmarshal(s *settings, data []byte, v any) error {
	if p.reads == nil {
		return s.unmarshal(data, 0, v)
	}
	return s.unmarshalNode(data, 0, p.reads, (*eface)(unsafe.Pointer(&v)).data)
}
