//go:build !purego

package polypack

// Plan of the file: the compiled form of a struct for the encoder: for each field, the encoded key as words, the op,
// and how many bytes to reserve for the rest of the struct; then the tests for omitted fields.

import (
	"encoding/binary"
	"reflect"

	"github.com/polypack/polypack/go/internal/format"
	"github.com/polypack/polypack/go/internal/wire"
)

// An encodeProgram is the compiled form of a struct for writing.
type encodeProgram struct {
	fields  []encodeField
	first   *encodeField // linked list of the fields; nil if there are none
	reserve int          // for the head and the fixed part of every field
	head    byte         // of a map with all fields; 0 if they don't fit in a fixmap
	omits   bool         // some fields may be left out
	omitted []int        // the indexes of these fields
}

// An encodeField is a field: its offset, its key, and the field that follows.
type encodeField struct {
	key0, key1 uint64 // the first 16 bytes of the encoded key, lowest byte first
	offset     uintptr
	// rest is how many bytes to reserve for the fixed part of this value and of all keys and values after it. It counts
	// every byte that their stores may write. Values that reserve for themselves have no fixed part.
	rest   int
	length uint32 // of the encoded key
	op     op
	omit   omission
	next   *encodeField // nil after the last
	node   *node
	field  *field
}

// An omission says when a field is left out. All but omitAsPlan are tests of the field's memory alone.
type omission uint8

const (
	omitNever      omission = iota
	omitZero8               // an integer or bool of 8 bits that is 0 or false
	omitZero16              // an integer of 16 bits that is 0
	omitZero32              // an integer of 32 bits that is 0
	omitZero64              // an integer of 64 bits that is 0
	omitFloat32             // a float32 that is 0 or -0
	omitFloat64             // a float64 that is 0 or -0
	omitNil                 // pointers, slices, maps and interfaces whose first word is nil
	omitNoElements          // strings and slices of length 0
	omitNoEntries           // maps of length 0
	omitTime                // the zero time
	omitAsPlan              // decided by the same functions as in the plan
)

// longKey is the largest length of an encoded key, in bytes, that is stored as two words.
const longKey = 16

// encodeProgram returns the program that writes the struct.
func (s *structProgram) encodeProgram() *encodeProgram {
	if p := s.encode.Load(); p != nil {
		return p
	}
	return s.newEncodeProgram()
}

func (s *structProgram) newEncodeProgram() *encodeProgram {
	fields := make([]encodeField, len(s.fields))
	p := &encodeProgram{fields: fields}
	fixed := 0
	for i := len(fields) - 1; i >= 0; i-- {
		f := &s.fields[i]
		key := f.head
		var words [longKey]byte
		copy(words[:], key)
		fixed += fixedBytes(f.node)
		fields[i] = encodeField{
			key0:   binary.LittleEndian.Uint64(words[:8]),
			key1:   binary.LittleEndian.Uint64(words[8:]),
			offset: f.offset,
			rest:   fixed,
			length: uint32(len(key)),
			op:     f.node.op,
			omit:   omissionOf(f),
			next:   p.first,
			node:   f.node,
			field:  f.field,
		}
		p.first = &fields[i]
		fixed = max(fixed+len(key), longKey) // even a short key is stored as two words
		if p.first.omit != omitNever {
			p.omits = true
			p.omitted = append(p.omitted, i)
		}
	}
	p.reserve = fixed + 5
	if len(fields) <= format.MaxFixcontainer {
		p.head, p.reserve = format.Fixmap|byte(len(fields)), fixed+1
	}
	s.encode.CompareAndSwap(nil, p) // another goroutine may have made one
	return s.encode.Load()
}

// longerHead is the difference, in bytes, between the longest and the shortest head of a str.
const longerHead = wire.TextHead - 1

// fixedBytes returns how many bytes a struct reserves for the fixed part of a field's value: as many as its store may
// write, which is nine for every int.
func fixedBytes(n *node) int {
	switch n.op {
	case opBool:
		return 1
	case opInt8, opInt16, opInt32, opInt64, opUint8, opUint16, opUint32, opUint64, opFloat32, opFloat64:
		return 9
	case opTime:
		return 15
	case opString:
		return 1
	}
	return 0
}

// zeroOmissions has the omissions of integers and bools by their size in bytes.
var zeroOmissions = map[uintptr]omission{1: omitZero8, 2: omitZero16, 4: omitZero32, 8: omitZero64}

func omissionOf(f *programField) omission {
	if !f.omitEmpty && !f.omitZero {
		return omitNever
	}
	if f.omitZero && f.typ != timeType && hasIsZero(f.typ) {
		return omitAsPlan
	}
	// The test of omitempty also covers omitzero, because a zero value is empty. Structs are the exception: of them,
	// only the zero time is empty.
	switch f.typ.Kind() {
	case reflect.Float32:
		return omitFloat32
	case reflect.Float64:
		return omitFloat64
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return zeroOmissions[f.typ.Size()]
	case reflect.String:
		return omitNoElements
	case reflect.Slice:
		if f.omitEmpty {
			return omitNoElements
		}
		return omitNil
	case reflect.Map:
		if f.omitEmpty {
			return omitNoEntries
		}
		return omitNil
	case reflect.Pointer, reflect.Interface:
		return omitNil
	case reflect.Struct:
		if f.typ == timeType {
			return omitTime
		}
		if !f.omitZero {
			return omitNever
		}
	}
	return omitAsPlan
}
