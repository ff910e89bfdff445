// Package wire is what code that polypack-gen generates calls, and nothing else. It is not for use by hand: its calls
// trust their caller to have reserved memory and to keep counts. docs/internals/go-engine.md says how it works.
//
// A position is an offset into the buffer or the input. Calls take one and return the one behind what they wrote or
// read, so that it stays in a register. A negative position means that the value has no encoding, or isn't a common
// one: package polypack then looks at it again and words the error.
package wire

// Plan of the file: names for package internal/wire, which has the code and the comments. Package polypack uses more of
// that package than generated code does, so it imports it directly. The functions are small enough to be inlined; those
// that would not be are in wire_unsafe.go.

import (
	"time"

	"github.com/polypack/polypack/go/internal/wire"
)

// Version1 is there as long as this package has what code of that version calls. Generated code mentions its version,
// so that code which is too old or too new for the library fails to compile at the line that says what to do.
const Version1 = true

// The types by which generated code and package polypack meet.
type (
	Reader       = wire.Reader
	ReaderHooks  = wire.ReaderHooks
	ReaderLimits = wire.ReaderLimits
	Writer       = wire.Writer
	WriterHooks  = wire.WriterHooks
)

const (
	FewKeys      = wire.FewKeys      // how many keys of a map generated code has memory of its own for
	ShortMessage = wire.ShortMessage // how long a message may be that is read without a Reader

	IsNil   = wire.IsNil   // a Presence: nil
	IsValue = wire.IsValue // a Presence: neither nil nor what may be undefined
)

// BaseOf returns the memory of dst, up to its capacity.
func BaseOf(dst []byte) wire.Base { return wire.BaseOf(dst) }

// Grow returns dst with a capacity for need more bytes, which it doesn't have yet.
func Grow(dst []byte, need int) []byte { return wire.Grow(dst, need) }

// Wasteful reports whether a new message of n bytes should not keep memory of that capacity.
func Wasteful(capacity, n int) bool { return wire.Wasteful(capacity, n) }

// Long reports whether one of several strings is for the library; lengths is all of their lengths, or-ed.
func Long(lengths int) bool { return wire.Long(lengths) }

// PutByte stores one byte: a head that is known. It does not move.
func PutByte(b wire.Base, n int, v byte) { wire.PutByte(b, n, v) }

// PutWord stores eight bytes, the lowest first. It does not move.
func PutWord(b wire.Base, n int, word uint64) { wire.PutWord(b, n, word) }

// PutBool stores a bool, one byte.
func PutBool(b wire.Base, n int, v bool) { wire.PutBool(b, n, v) }

// PutFloat64 stores a float 64, nine bytes.
func PutFloat64(b wire.Base, n int, f float64) { wire.PutFloat64(b, n, f) }

// PutFloat32 writes a float 32, or NaN as float 64.
func PutFloat32(b wire.Base, n int, f float32) int { return wire.PutFloat32(b, n, f) }

// PutTime writes the moment of t in the smallest form.
func PutTime(b wire.Base, n int, t time.Time) int { return wire.PutTime(b, n, t) }

// PutMapHead writes the head of a map of count entries.
func PutMapHead(b wire.Base, n, count int) int { return wire.PutMapHead(b, n, count) }

// IsShort reports whether a str takes PutWords or PutHalves, 4 to 16 bytes, into which most names and words fit.
func IsShort(s string) bool { return wire.IsShort(s) }

// PutWords is PutString of 8 to 16 bytes.
func PutWords(b wire.Base, n int, s string) int { return wire.PutWords(b, n, s) }

// PutHalves is PutString of 4 to 8 bytes.
func PutHalves(b wire.Base, n int, s string) int { return wire.PutHalves(b, n, s) }

// PutString writes a str. The position is negative if it is too long.
func PutString(b wire.Base, n int, s string) int { return wire.PutString(b, n, s) }

// Ints writes an array of ints.
func Ints[T ~int8 | ~int16 | ~int32 | ~int64 | ~int](w *Writer, n int, s []T) int {
	return wire.Ints(wire.BufferOf(w), n, s)
}

// Uints writes an array of ints.
func Uints[T ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr](w *Writer, n int, s []T) int {
	return wire.Uints(wire.BufferOf(w), n, s)
}

// Uint16s writes an array of ints.
func Uint16s[T ~uint16](w *Writer, n int, s []T) int { return wire.Uint16s(wire.BufferOf(w), n, s) }

// Float64s writes an array of floats.
func Float64s[T ~float64](w *Writer, n int, s []T) int { return wire.Float64s(wire.BufferOf(w), n, s) }

// Float32s writes an array of floats; NaN takes nine bytes.
func Float32s[T ~float32](w *Writer, n int, s []T) int { return wire.Float32s(wire.BufferOf(w), n, s) }

// Bools writes an array of bools.
func Bools[T ~bool](w *Writer, n int, s []T) int { return wire.Bools(wire.BufferOf(w), n, s) }

// Strings writes an array of strs. The position is negative if one of them is too long.
func Strings[T ~string](w *Writer, n int, s []T) int { return wire.Strings(wire.BufferOf(w), n, s) }

// SortedKeys returns the keys of m in the order in which they are written, in space if they fit.
func SortedKeys[M ~map[K]V, K ~string, V any](m M, space []string) []string {
	return wire.SortedKeys(m, space)
}

// InputOf returns data as an Input, which reads numbers and times.
func InputOf(data []byte) wire.Input { return wire.InputOf(data) }

// IsBool reports whether there is a bool at i, true if the byte is 0xc3.
func IsBool(b []byte, i int) bool { return wire.IsBool(b, i) }

// IsFloat64 reports whether there is a float 64 at i.
func IsFloat64(b []byte, i int) bool { return wire.IsFloat64(b, i) }

// Float64At returns the float 64 that is at i.
func Float64At(b []byte, i int) float64 { return wire.Float64At(b, i) }

// View returns data as a string, which is only one as long as nobody changes data.
func View(data []byte) string { return wire.View(data) }

// Text returns the str at i of the message m, unless it is longer than the strings that may share memory.
func Text(m string, i int) (s string, at int) { return wire.Text(m, i) }

// Own returns s with memory of its own.
func Own(s string) string { return wire.Own(s) }

// Join returns the texts one behind the other, in memory of their own.
func Join(texts ...string) string { return wire.Join(texts...) }

// Elements returns memory for count elements to come, or for as many as may be promised: old, if that is enough. All
// elements of the slice, which is not nil, are zero. The second result is for More and Reader.Arrived.
func Elements[T any](r *Reader, old []T, count int) (s []T, promised int) {
	return wire.Elements(r, old, count)
}

// StringElements is Elements for strings.
func StringElements(r *Reader, old []string, count int) (s []string, promised int) {
	return wire.StringElements(r, old, count)
}

// More returns s, whose elements have all arrived, with memory for more elements of the count to come.
func More[T any](r *Reader, s []T, count, promised int) ([]T, int) {
	return wire.More(r, s, count, promised)
}

// Entries returns a map for count entries to come: old, unless it is nil. The second result is for Reader.Arrived.
func Entries[M ~map[K]V, K ~string, V any](r *Reader, old M, count int) (m M, promised int) {
	return wire.Entries(r, old, count)
}

// The compiler inlines a method of another package only if it finds its body in a package that is imported directly. It
// passes a body on when the package itself has inlined it, so this function calls the methods that are short enough.
var _ = func(w *Writer, r *Reader) {
	n := w.Begin(nil, 0, 0, nil)
	w.Room(n, 0)
	w.RoomFor(n, 0, 0)
	w.Open()
	w.Follow()
	w.Unfollow()
	w.Close()
	if w.Full() || w.Unsorted() {
		n = w.Nil(n)
	}
	n = w.Time(w.Value(w.Float64(w.Bool(n, true), 0), nil), time.Time{})
	PutByte(w.Base(), n, 0)
	w.End(len(w.Bytes(n)))

	r.Begin(nil, ReaderLimits{}, nil)
	i := r.OpenFields(0)
	r.Close()
	if r.IsNil(i) || r.Presence(i) == IsValue {
		r.Arrived(len(r.Data()))
	}
	r.Value(i, nil)
}
