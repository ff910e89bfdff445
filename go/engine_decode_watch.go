//go:build !purego

package polypack

// Plan of the file: the additional checks of the engine in the modes Strict and Lossless and under the limits of
// MaxValues and Config. When a check fails, a plan or a method of Decoder makes the error. engine_decode_seen.go finds
// duplicate fields of a struct.

import (
	"unicode/utf8"
)

// beginWatch turns on the checks that the settings require. values is how many values the message has declared so far.
func (e *decoding) beginWatch(values int64) {
	e.watch, e.allowed = e.settings.watch, e.settings.maxValues-values
}

// allowsArray reports whether an array may have count elements, and counts them.
//
//go:noinline
func (e *decoding) allowsArray(count int64) bool {
	return (e.settings.lengths == nil || count <= e.settings.lengths.elements) && e.allows(count)
}

// allowsMap reports whether a map may have count entries, and counts their keys and values.
//
//go:noinline
func (e *decoding) allowsMap(count int64) bool {
	return (e.settings.lengths == nil || count <= e.settings.lengths.entries) && e.allows(2*count)
}

// allowsRecord reports whether a record may have count entries, and counts their values.
//
//go:noinline
func (e *decoding) allowsRecord(count int64) bool {
	return (e.settings.lengths == nil || count <= e.settings.lengths.entries) && e.allows(count)
}

// allows reports whether the message may have this many more values, and counts them.
func (e *decoding) allows(values int64) bool {
	if values > e.allowed {
		return false
	}
	e.allowed -= values
	return true
}

// judge reports whether the l bytes at i are allowed as a str.
//
//go:noinline
func (e *decoding) judge(i, l int) bool {
	if limits := e.settings.lengths; limits != nil && int64(l) > limits.text {
		return false
	}
	return !e.strict || e.isUTF8(i, l)
}

// asciiMasks has a mask for each length up to shortText: the high bits of that many bytes, as two little-endian words.
var asciiMasks = func() (masks [shortText + 1][2]uint64) {
	for l := range masks {
		for i := range l {
			masks[l][i/8] |= 0x80 << (8 * (i % 8))
		}
	}
	return masks
}()

// shortText is the largest length, in bytes, of a str that isShortASCII can check.
const shortText = 16

// isShortASCII reports whether the l bytes at i are ASCII, and so UTF-8. It reports false without a check if l is more
// than shortText or if the input has fewer than shortText bytes from i on.
func (e *decoding) isShortASCII(i, l int) bool {
	return l <= shortText && e.n-i >= shortText && littleEndian64(e.base, i)&asciiMasks[l][0]|littleEndian64(e.base, i+8)&asciiMasks[l][1] == 0
}

// isUTF8 reports whether the l bytes at i are UTF-8.
//
//go:noinline
func (e *decoding) isUTF8(i, l int) bool {
	if 8 <= l && l <= 4*8 { // words from both ends, which may overlap
		high := littleEndian64(e.base, i) | littleEndian64(e.base, i+l-8)
		if l > 2*8 {
			high |= littleEndian64(e.base, i+8) | littleEndian64(e.base, i+l-16)
		}
		if high&highBits == 0 {
			return true
		}
	}
	return utf8.Valid(e.bytesAt(i, l))
}

// failTwice makes the error for the duplicate key of the entry with this index. key is the offset of the key.
//
//go:noinline
func (e *decoding) failTwice(key, index int) int {
	d := e.planAt(key)
	return e.failed(d.withinEntry(d.failDuplicate(key), keyPlace{offset: key}, index))
}

// allowsBytes reports whether the l bytes at i, the body of a str or bin with the head byte c, are allowed.
//
//go:noinline
func (e *decoding) allowsBytes(c byte, i, l int) bool {
	if families[c] == familyBin {
		return e.allowsBin(l)
	}
	return !e.judged || e.judge(i, l)
}

// allowsBin reports whether a bin may have l bytes.
func (e *decoding) allowsBin(l int) bool {
	return e.settings.lengths == nil || int64(l) <= e.settings.lengths.bin
}

// mostCompared is the largest number of keys of a skipped map that runUnique compares with each other.
const mostCompared = 16

// runUnique steps over the entries of a map whose keys must be unique. It returns -1 if there are more than
// mostCompared entries, if a key isn't a str, if two keys are equal, or if an entry may be faulty.
func (e *decoding) runUnique(entries, i, owed, depth int) int {
	if entries > mostCompared {
		return -1
	}
	var keys [mostCompared]keySpan
	for k := range entries {
		l, at := e.textHead(i)
		if at < 0 {
			return -1
		}
		for _, before := range keys[:k] {
			if before.end-before.start == l && string(e.bytesAt(before.start, l)) == string(e.bytesAt(at, l)) {
				return -1
			}
		}
		keys[k] = keySpan{at, at + l}
		if i = e.run(1, at+l, owed+2*(entries-k)-2, depth); i < 0 {
			return -1
		}
	}
	return i
}
