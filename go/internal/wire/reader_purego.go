//go:build purego

package wire

// Plan of the file: the functions of reader_unsafe.go for the build tag purego, without package unsafe.

import (
	"encoding/binary"
	"reflect"
	"strings"
)

func byteAt(data []byte, i int) byte { return data[i] }

func bigEndian16(data []byte, i int) uint16 { return binary.BigEndian.Uint16(data[i:]) }

func bigEndian32(data []byte, i int) uint32 { return binary.BigEndian.Uint32(data[i:]) }

func bigEndian64(data []byte, i int) uint64 { return binary.BigEndian.Uint64(data[i:]) }

// Texts has the settings for allocating strings. Without package unsafe, each string gets separate memory in any mode.
type Texts struct {
	ZeroCopy, Separate bool
	Expected           int // not used with the build tag purego
}

// String reads a str, or a bin as if it were a str.
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
