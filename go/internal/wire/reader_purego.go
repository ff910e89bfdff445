//go:build purego

package wire

// Plan of the file: what reader_unsafe.go does, for the build tag purego, without package unsafe.

import (
	"encoding/binary"
	"reflect"
	"strings"
)

func byteAt(data []byte, i int) byte { return data[i] }

func bigEndian16(data []byte, i int) uint16 { return binary.BigEndian.Uint16(data[i:]) }

func bigEndian32(data []byte, i int) uint32 { return binary.BigEndian.Uint32(data[i:]) }

func bigEndian64(data []byte, i int) uint64 { return binary.BigEndian.Uint64(data[i:]) }

// Texts has the settings for allocating strings. With the build tag purego, each string gets separate memory, whatever
// the settings are. The method Bytes uses ZeroCopy.
type Texts struct {
	ZeroCopy, Separate bool
	Expected           int
}

// String reads the str or bin at i as a string. It also returns the position after it, or -1 on failure.
func (r *Reader) String(i int) (string, int) {
	length, at := r.blobHead(i)
	if at < 0 {
		return "", -1
	}
	return string(r.data[at : at+length]), at + length
}

// View returns a copy of data as a string.
func View(data []byte) string { return string(data) }

// Own returns a copy of s in separate memory.
func Own(s string) string { return strings.Clone(s) }

func sizeOf[T any]() int { return int(reflect.TypeFor[T]().Size()) }

func (r *Reader) text(i, length int) string { return string(r.data[i : i+length]) }
