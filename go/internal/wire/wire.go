// Package wire holds the primitives that write and read MessagePack for the engine of package polypack and, through the
// package go/wire, for the code that polypack-gen generates. Its calls trust their caller to have reserved memory and
// to keep counts.
//
// A position is an offset into the buffer. Calls take one and return the one behind what they wrote, so that it stays
// in a register. A negative position means that the value has no encoding: a string, slice or map of more than
// [MaxLength] bytes or elements. Package polypack words that error.
//
// Under the build tag purego everything is done on slices, without package unsafe.
package wire

// MaxLength is the largest length or count of the format (spec/02-wire.md).
const MaxLength = 1<<32 - 1

// TooLong reports whether no head holds the length or count n, which is not negative.
func TooLong(n int) bool { return uint64(n) > MaxLength }
