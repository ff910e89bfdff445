// Package wire holds primitives that write and read MessagePack. Package polypack calls them directly. The code that
// polypack-gen generates calls them through the package go/wire. Most of them rely on the caller to reserve memory and
// to keep counts.
//
// A position is an offset into the buffer or the input, in bytes. Most functions take a position and return the
// position after the bytes that they wrote or read, so that the position stays in a register. A negative position means
// that the function can't write or read the value. Package polypack then handles the value again from its start, and
// makes the error if there is one. But if the function has called WriterHooks or ReaderHooks, the error has been made
// already.
//
// With the build tag purego, everything works on slices, without package unsafe.
package wire

// MaxLength is the largest length or count of the format (spec/02-wire.md).
const MaxLength = 1<<32 - 1

// TooLong reports whether the length or count n exceeds MaxLength. n must not be negative.
func TooLong(n int) bool { return uint64(n) > MaxLength }
