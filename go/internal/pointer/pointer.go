// Package pointer builds the path of a faulty value, an RFC 6901 pointer (spec/07-errors.md#path).
package pointer

import (
	"strings"
	"unicode/utf8"
)

// maxPath is the largest length of a path, in bytes. morePath replaces the segments that don't fit and isn't counted.
// Without the limit, a path could be hundreds of times as long as the input. A record that nests in itself hundreds of
// times has the name of its field once in the input, but hundreds of times in the path.
const (
	maxPath  = 4096
	morePath = "/…"
)

// Of returns the pointer made of the segments, followed by rest, a finished pointer. The segments are given from the
// innermost to the outermost. Bytes of a segment that are not UTF-8 become U+FFFD.
func Of(segments []string, rest string) string {
	var b strings.Builder
	for i := len(segments) - 1; i >= 0; i-- {
		if !add(&b, escaper.Replace(readable(segments[i]))) {
			return b.String() + morePath
		}
	}
	if b.Len()+len(rest) <= maxPath {
		return b.String() + rest
	}
	rest, _ = strings.CutSuffix(rest, morePath)
	for _, segment := range strings.Split(rest, "/")[1:] {
		if !add(&b, segment) {
			break
		}
	}
	return b.String() + morePath
}

// add appends a segment, or returns false if the path would be too long.
func add(b *strings.Builder, segment string) bool {
	if b.Len()+1+len(segment) > maxPath {
		return false
	}
	b.WriteByte('/')
	b.WriteString(segment)
	return true
}

// escaper escapes a segment as required by RFC 6901, section 3.
var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// readable returns text with U+FFFD for bytes that are not UTF-8. There is one U+FFFD per maximal subpart, as the
// Unicode Standard (chapter 3, U+FFFD substitution) and the WHATWG encoding standard define it. So paths are the same
// in every Polypack library.
func readable(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, length := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && length == 1 {
			length = subpart(text)
		}
		b.WriteRune(r)
		text = text[length:]
	}
	return b.String()
}

// subpart returns the length, in bytes, of the maximal subpart at the start of text, which doesn't start with a valid
// character. The maximal subpart is the longest start of text that could begin a character by table 3-7 of the Unicode
// Standard. If no start of text could, it is the first byte alone.
func subpart(text string) int {
	continuations, low, high := 0, byte(0x80), byte(0xbf)
	switch lead := text[0]; {
	case lead >= 0xc2 && lead <= 0xdf:
		continuations = 1
	case lead >= 0xe0 && lead <= 0xef:
		continuations = 2
	case lead >= 0xf0 && lead <= 0xf4:
		continuations = 3
	}
	switch text[0] { // excludes overlong forms, surrogates, and code points above U+10FFFF
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	length := 1
	for length <= continuations && length < len(text) && text[length] >= low && text[length] <= high {
		length++
		low, high = 0x80, 0xbf
	}
	return length
}
