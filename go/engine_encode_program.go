//go:build !purego

package polypack

// Plan of the file: the compiled form of a struct for the encoder. For each field it has the encoded key, the op
// (engine_program.go), and how many bytes to reserve. Then comes omissionOf, which chooses the test for leaving a field
// out.

import (
	"encoding/binary"
	"reflect"

	"github.com/polypack/polypack/go/internal/format"
	"github.com/polypack/polypack/go/internal/wire"
)

// An encodeProgram is the compiled form of a struct for writing.
type encodeProgram struct {
	fields  []encodeField
	first   *encodeField // starts the linked list of fields; nil if there are none
	reserve int          // bytes to reserve for the head, all keys and all fixed parts (fixedBytes)
	head    byte         // the fixmap head that counts all fields; 0 if a fixmap can't hold them
	omits   bool         // some fields may be left out
	omitted []int        // indexes of the fields that may be left out
}

// An encodeField is the compiled form of a field for writing.
type encodeField struct {
	key0, key1 uint64 // the first 16 bytes of the encoded key, as little-endian words
	offset     uintptr
	// rest is how many bytes to reserve for the fixed part of this field's value (fixedBytes), and for the keys and
	// fixed parts of the fields after it.
	rest   int
	length uint32 // bytes of the encoded key
	op     op
	omit   omission
	next   *encodeField // the field that follows; nil for the last field
	node   *node
	field  *field
}

// An omission says when a field is left out. Only omitAsPlan needs reflection.
type omission uint8

const (
	omitNever      omission = iota
	omitZero8               // an integer or bool of 8 bits that is 0 or false
	omitZero16              // an integer of 16 bits that is 0
	omitZero32              // an integer of 32 bits that is 0
	omitZero64              // an integer of 64 bits that is 0
	omitFloat32             // a float32 that is 0 or -0
	omitFloat64             // a float64 that is 0 or -0
	omitNil                 // a pointer, slice, map or interface whose first word is nil
	omitNoElements          // a string or slice of length 0
	omitNoEntries           // a map of length 0
	omitTime                // the zero time
	omitAsPlan              // isEmpty and the field's isZero decide
)

// longKey is the length, in bytes, of the longest encoded key that two words hold.
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
	s.encode.CompareAndSwap(nil, p) // another goroutine may have stored its program first
	return s.encode.Load()
}

// longerHead is the difference, in bytes, between the longest and the shortest head of a str.
const longerHead = wire.TextHead - 1

// fixedBytes returns the size of the fixed part of a field's value: how many bytes the struct reserves for it in
// advance. A number gets nine bytes, because writing it may store nine bytes and keep fewer. A string gets one byte,
// for the shortest head. A value that reserves its memory itself gets none.
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
	if f.callsIsZero() {
		return omitAsPlan
	}
	// A field with both omitempty and omitzero needs only the test for omitempty, because a zero value is empty.
	// Structs and arrays are exceptions: a struct is empty only if it is the zero time, and an array only if it has no
	// elements.
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
