package wire

// Plan of the file: the interface of the methods that polypack-gen writes. Then the hooks, the functions of package
// polypack that generated code calls. Then the Writer, which has the Buffer and counts open containers.

import (
	"slices"
	"strings"
	"time"
)

// Generated has the methods that polypack-gen gives a struct type. Generated code calls EncodeWire and DecodeWire.
// Package polypack calls AppendWire and ReadWire, which have the Writer or the Reader on their own stack. A Writer or
// Reader that package polypack passed through this interface would escape to the heap. To read a struct inside another
// value, package polypack calls DecodeWire with a Reader that it reuses.
type Generated interface {
	// AppendWire is EncodeWire with a new Writer that appends to dst. Writer.Begin takes the parameters, and Writer.End
	// returns the results.
	AppendWire(dst []byte, left, hops int, hooks WriterHooks) (buffer []byte, n, peak int, last WriterHooks)
	// EncodeWire writes the value at position n. It returns the position after the value, or a negative one if it
	// failed.
	EncodeWire(w *Writer, n int) int
	// ReadWire is DecodeWire with a new Reader, from the start of data. Reader.Begin takes the parameters. last has the
	// hooks, which may have been replaced.
	ReadWire(data []byte, limits ReaderLimits, hooks ReaderHooks) (end int, last ReaderHooks)
	// DecodeWire reads the value at position i. It returns the position after the value, or a negative one if it
	// failed.
	DecodeWire(r *Reader, i int) int
	// WireShape describes the struct that the methods were made for. Package polypack uses the methods only if this
	// shape still describes the type. The shape has a line for each field in the order of encoding. A line has the
	// quoted key, the Go selector, the options and the kind. The option omitzero:IsZero is an omitzero that calls
	// IsZero. If there is an inline map, the last line is "inline" and its selector. The kinds are
	//
	//	bool int int8 … uintptr float32 float64 string   these and types with such an underlying type
	//	bytes [N]byte                                    []byte and arrays of bytes
	//	time                                             time.Time
	//	*K []K [N]K map[string]K                         pointers, slices, arrays, maps of kind K
	//	@                                                a struct with generated methods
	//	?                                                all other types, and types that depend on a type parameter
	WireShape() string
}

// Embedding is a Generated whose struct type embeds other types. Their generated methods would be promoted to the
// struct if it had none of its own.
type Embedding interface {
	Generated
	// WireType returns a pointer of the type that the methods were made for.
	WireType() any
}

// WriterHooks are the functions of the library that a Writer calls. The Writer is passed and returned by value, so that
// it can be on the stack.
type WriterHooks interface {
	// Value writes the value that the pointer target points to.
	Value(w Writer, n int, target any) (Writer, int)
	// FieldValue writes the value of the field with this index, of the struct that target points to. The field's tag
	// options that change the encoding apply, such as as_array.
	FieldValue(w Writer, n int, target any, index int) (Writer, int)
	// Unsorted reports whether maps may be written in the order of iteration, because the option SortMaps is off.
	Unsorted() bool
	// Struct writes the struct that target points to without its generated methods, or makes the error if it can't be
	// written.
	Struct(w Writer, n int, target any) (Writer, int)
	// Refuse makes the error for the value that target points to, which can't be written.
	Refuse(w Writer, target any) Writer
	// Changed makes the error for the struct that target points to. A method has changed which of the struct's fields
	// are left out, after the head with their number was written.
	Changed(w Writer, target any) Writer
	// Field adds the name of a field or a map key to the path of the error, and Index adds the index of an element.
	Field(name string)
	Index(index int)
}

// ReaderHooks are the functions of the library that a Reader calls. The Reader is passed and returned by value, so that
// it can be on the stack.
type ReaderHooks interface {
	// ReadValue reads the value at position i into the value that the pointer target points to.
	ReadValue(r Reader, i int, target any) (Reader, int)
	// ReadField reads the value at position i into the field with this index, of the struct that target points to. The
	// field's tag options that change the encoding apply, such as as_array.
	ReadField(r Reader, i int, target any, index int) (Reader, int)
	// ReadRest reads the map entry at i into the inline map of the struct that target points to, because no field has
	// the entry's key. index is the entry's index, and r.Owed counts its key and value.
	ReadRest(r Reader, i, index int, target any) (Reader, int)
	// ReadPlan is ReadValue without generated methods, for values that generated methods can't read.
	ReadPlan(r Reader, i int, target any) (Reader, int)
	// ReadKey reads the key at position i, which isn't a str, for the map that target points to.
	ReadKey(r Reader, i int, target any) (Reader, string, int)
	// ReadEntry steps over the map entry at i, because no field has its key. With the option RejectUnknown it refuses
	// the entry. index is the entry's index, and r.Owed counts its key and value.
	ReadEntry(r Reader, i, index int) (Reader, int)
	// Field adds the name of a field or a map key to the path of the error, and Index adds the index of an element.
	Field(name string)
	Index(index int)
}

// A Writer is a Buffer with counts and hooks, for generated code.
type Writer struct {
	buffer Buffer
	left   int // how many more containers may be opened, one inside the other
	hops   int // how many pointers were followed to get here
	Hooks  WriterHooks
}

// BufferOf returns the Buffer of w.
func BufferOf(w *Writer) *Buffer { return &w.buffer }

// CountsOf returns how many more containers w may open, one inside the other, and how many pointers it followed.
func CountsOf(w *Writer) (left, hops int) { return w.left, w.hops }

// Begin makes w ready to append to dst, and returns the position after dst. left is how many more containers may be
// opened, one inside the other. hops is how many pointers were followed so far.
func (w *Writer) Begin(dst []byte, left, hops int, hooks WriterHooks) int {
	w.left, w.hops, w.Hooks = left, hops, hooks
	return w.buffer.Reset(dst)
}

// End returns four things: the memory as a slice of length 0, the position n, the result of Buffer.Peak, and the hooks,
// which may have been replaced.
func (w *Writer) End(n int) (buffer []byte, end, peak int, last WriterHooks) {
	return w.buffer.Bytes(0), n, w.buffer.peak, w.Hooks
}

// Full reports whether no further container may be opened.
func (w *Writer) Full() bool { return w.left <= 0 }

// Open enters a struct. The caller must check [Writer.Full] first.
func (w *Writer) Open() { w.left-- }

// Close leaves the container that was entered last.
func (w *Writer) Close() { w.left++ }

// OpenArray enters an array of count elements and writes its head. The position is negative if the count is too large
// or w is Full.
func (w *Writer) OpenArray(n, count int) int {
	if w.left <= 0 || TooLong(count) {
		return -1
	}
	w.left--
	w.buffer.Reserve(n, Scalar)
	return w.buffer.ArrayHead(n, count)
}

// OpenMap enters a map of count entries and writes its head. The position is negative if the count is too large or w is
// Full.
func (w *Writer) OpenMap(n, count int) int {
	if w.left <= 0 || TooLong(count) {
		return -1
	}
	w.left--
	w.buffer.Reserve(n, Scalar)
	return w.buffer.MapHead(n, count)
}

// Unsorted reports whether maps may be written in the order of iteration, because the option SortMaps is off. Then
// generated code leaves most maps to the library.
func (w *Writer) Unsorted() bool { return w.Hooks.Unsorted() }

// FewKeys is the largest number of map keys that generated code sorts on the stack.
const FewKeys = 16

// SortedKeys returns the keys of m in canonical order. It appends them to space, which must have length 0.
func SortedKeys[M ~map[K]V, K ~string, V any](m M, space []string) []string {
	for key := range m {
		space = append(space, string(key))
	}
	if len(space) > FewKeys {
		slices.SortFunc(space, compareKeys)
		return space
	}
	for i := 1; i < len(space); i++ {
		key, j := space[i], i
		for ; j > 0 && compareKeys(key, space[j-1]) < 0; j-- {
			space[j] = space[j-1]
		}
		space[j] = key
	}
	return space
}

// compareKeys orders keys by their canonical encodings. These start with the length, so shorter keys come first.
func compareKeys(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// Follow counts a pointer that is followed. It needn't check the limit for pointers: generated code opens a container
// between any two pointers, and each open container raises the limit.
func (w *Writer) Follow() { w.hops++ }

// Unfollow undoes one call of Follow.
func (w *Writer) Unfollow() { w.hops-- }

// Value lets the library write the value that target points to.
func (w *Writer) Value(n int, target any) int {
	*w, n = w.Hooks.Value(*w, n, target)
	return n
}

// Grow returns dst with capacity for at least need more bytes.
//
//go:noinline
func Grow(dst []byte, need int) []byte {
	var w Buffer
	n := w.Reset(dst)
	w.Reserve(n, need)
	return w.Bytes(n)
}

// FieldValue lets the library write the field with this index, of the struct that target points to.
func (w *Writer) FieldValue(n int, target any, index int) int {
	*w, n = w.Hooks.FieldValue(*w, n, target, index)
	return n
}

// spareBytes is for Wasteful: memory for a message of n bytes may have up to 2n + spareBytes bytes.
const spareBytes = 128

// Wasteful reports whether memory of this capacity is too large for a new message of n bytes.
func Wasteful(capacity, n int) bool { return capacity > 2*n+spareBytes }

// longText is the smallest length, in bytes, of a string for which Long returns true. If ManyTexts strings are shorter
// than that, the sum of their lengths fits in an int, even on 32-bit machines.
const longText = 1 << 24

// ManyTexts is the largest number of strings of a struct that generated code reserves memory for at once.
const ManyTexts = 64

// Long reports whether one of several strings is so long that their struct must be left to the library. lengths is the
// bitwise OR of the lengths of the strings in bytes.
func Long(lengths int) bool { return uint(lengths) >= longText }

// Struct lets the library write the struct that target points to, because generated code can't write it.
//
//go:noinline
func (w *Writer) Struct(n int, target any) int {
	*w, n = w.Hooks.Struct(*w, n, target)
	return n
}

// Refuse ends the encoding with an error for the value that target points to.
//
//go:noinline
func (w *Writer) Refuse(target any) int {
	*w = w.Hooks.Refuse(*w, target)
	return -1
}

// Changed ends the encoding with an error for the struct that target points to. A method has changed which of the
// struct's fields are left out, after the head with their number was written.
//
//go:noinline
func (w *Writer) Changed(target any) int {
	*w = w.Hooks.Changed(*w, target)
	return -1
}

// Field adds the name of a field or a map key to the path of the error, and returns -1.
//
//go:noinline
func (w *Writer) Field(name string) int {
	w.Hooks.Field(name)
	return -1
}

// Index adds the index of an element to the path of the error, and returns -1.
//
//go:noinline
func (w *Writer) Index(index int) int {
	w.Hooks.Index(index)
	return -1
}

// The methods of the Buffer, under the names that generated code calls. Bin reserves memory itself. Before the other
// methods that write, generated code reserves memory.

// Base returns the memory of the Buffer.
func (w *Writer) Base() Base { return w.buffer.Base() }

// Bytes returns the buffer up to position n.
func (w *Writer) Bytes(n int) []byte { return w.buffer.Bytes(n) }

// Room ensures that there are need bytes after position n.
func (w *Writer) Room(n, need int) { w.buffer.Reserve(n, need) }

// RoomFor ensures that there are need + rest bytes after position n.
func (w *Writer) RoomFor(n, need, rest int) { w.buffer.ReserveFor(n, need, rest) }

// Nil writes nil.
func (w *Writer) Nil(n int) int { return w.buffer.Nil(n) }

// Bool writes a bool.
func (w *Writer) Bool(n int, b bool) int { return w.buffer.Bool(n, b) }

// Uint writes an int in the shortest form.
func (w *Writer) Uint(n int, v uint64) int { return w.buffer.Uint(n, v) }

// Float32 writes a float 32, or NaN as float 64 (spec/02-wire.md#float).
func (w *Writer) Float32(n int, f float32) int { return w.buffer.Float32(n, f) }

// Int writes an int in the shortest form.
func (w *Writer) Int(n int, v int64) int { return w.buffer.Int(n, v) }

// Float64 writes a float 64.
func (w *Writer) Float64(n int, f float64) int { return w.buffer.Float64(n, f) }

// Time writes the moment of t in the shortest form.
func (w *Writer) Time(n int, t time.Time) int { return w.buffer.Time(n, t) }

// Bin writes a bin. It reserves len(b) + rest bytes. rest must be at least TextHead, for the head.
func (w *Writer) Bin(n int, b []byte, rest int) int { return w.buffer.Bin(n, b, rest) }
