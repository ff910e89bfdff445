//go:build purego

package wire

// Plan of the file: the functions of buffer_put.go without package unsafe.

import "time"

// A Base is the memory of a Buffer, valid until the Buffer grows.
type Base = []byte

// Base returns the Buffer's memory.
func (w *Buffer) Base() Base { return w.buffer }

// BaseOf returns the memory of dst, up to its capacity.
func BaseOf(dst []byte) Base { return dst[:cap(dst)] }

// PutByte stores one byte, such as a head byte. It doesn't return a new position.
func PutByte(b Base, n int, v byte) { b[n] = v }

// PutWord stores word as eight bytes, the lowest byte first. It doesn't return a new position.
func PutWord(b Base, n int, word uint64) { (&Buffer{buffer: b}).Word(n, word) }

// PutBool stores a bool, one byte.
func PutBool(b Base, n int, v bool) { (&Buffer{buffer: b}).Bool(n, v) }

// PutFloat64 stores a float 64, nine bytes.
func PutFloat64(b Base, n int, f float64) { (&Buffer{buffer: b}).Float64(n, f) }

// PutFloat32 writes a float 32, or NaN as float 64 (spec/02-wire.md#float).
func PutFloat32(b Base, n int, f float32) int { return (&Buffer{buffer: b}).Float32(n, f) }

// PutInt writes int64(v) as an int in the shortest form.
func PutInt(b Base, n int, v uint64) int { return (&Buffer{buffer: b}).Int(n, int64(v)) }

// PutUint writes an int in the shortest form.
func PutUint(b Base, n int, v uint64) int { return (&Buffer{buffer: b}).Uint(n, v) }

// PutTime writes the moment of t in the shortest form.
func PutTime(b Base, n int, t time.Time) int { return (&Buffer{buffer: b}).Time(n, t) }

// PutMapHead writes the head of a map of count entries. The position is negative if the count is too large.
func PutMapHead(b Base, n, count int) int { return (&Buffer{buffer: b}).MapHead(n, count) }

// PutString writes a str. The position is negative if the str is too long.
func PutString(b Base, n int, s string) int {
	if n = (&Buffer{buffer: b}).StringHead(n, len(s)); n < 0 {
		return n
	}
	return n + copy(b[n:], s)
}

// IsShort reports whether s has 4 to 16 bytes, like most names and words. PutWords or PutHalves can write such an s.
func IsShort(s string) bool { return uint(len(s))-4 <= 12 }

// PutWords writes a str of 8 to 16 bytes.
func PutWords(b Base, n int, s string) int { return PutString(b, n, s) }

// PutHalves writes a str of 4 to 8 bytes.
func PutHalves(b Base, n int, s string) int { return PutString(b, n, s) }
