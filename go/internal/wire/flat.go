package wire

// Plan of the file: how generated code reads a short message of scalars, strings and timestamps without a Reader. It
// treats the message as a string. While it reads, the strings in the message are slices of that string. At the end, it
// copies them all into one piece of memory. A negative position means that a value isn't in the form that
// AppendPolypack usually writes. Then generated code reads the message again with a Reader.

import (
	"strings"

	"github.com/polypack/polypack/go/internal/format"
)

// ShortMessage is the largest length, in bytes, of a message that generated code reads without a Reader. All strings of
// such a message share memory. Strings that a Reader reads share at most arenaChunk bytes, which is the same number.
const ShortMessage = 2048

// Text returns the str at i of the message m, and the position after it. The position is negative if another value is
// there or the str is truncated. It is also negative for str 16 and str 32, because long strings must not share memory.
func Text(m string, i int) (s string, at int) {
	if i < len(m) && m[i]&^format.MaxFixstr == format.Fixstr {
		if at = i + 1 + int(m[i]&format.MaxFixstr); at <= len(m) {
			return m[i+1 : at], at
		}
	}
	return text8(m, i)
}

func text8(m string, i int) (s string, at int) {
	if len(m)-i >= 2 && m[i] == format.Str8 {
		if at = i + 2 + int(m[i+1]); at <= len(m) {
			return m[i+2 : at], at
		}
	}
	return "", -1
}

// Join returns the concatenation of the texts, in new memory.
func Join(texts ...string) string {
	var joined strings.Builder
	length := 0
	for _, s := range texts {
		length += len(s)
	}
	joined.Grow(length)
	for _, s := range texts {
		joined.WriteString(s)
	}
	return joined.String()
}
