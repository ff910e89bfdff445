package wire

// Plan of the file: how generated code reads a short message of scalars, strings and timestamps, without a Reader. It
// looks at the message as a string. The strings in it are parts of that until all of it is read; then they get memory
// of their own, together. A negative position means that something is not what AppendPolypack mostly writes there: that
// is for a Reader.

import (
	"strings"

	"github.com/polypack/polypack/go/internal/format"
)

// ShortMessage is how long a message may be that is read so: as long as the memory that strings may share.
const ShortMessage = 2048

// Text returns the str at i of the message m, unless it is longer than the strings that may share memory.
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

// Join returns the texts one behind the other, in memory of their own.
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
