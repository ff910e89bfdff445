package polypack

// Plan of the file: the version, the method canonical, and the public functions. canonical transcodes one value into
// its canonical form C1 (spec/08-canonical.md) in a single pass, without building Go values. It writes the entries of a
// map in wire order first, and sorts them when the map is complete.
//
// canonical checks the value by the rules of the decoder's mode. Canonicalize calls it in lossless mode. To compare
// keys (spec/01-data-model.md#map), Decoder.comparable and the Encoder.comparable of marshal.go call it. In default
// mode, the last of equal keys wins. But if Decoder.unique is set, equal keys are an error in every mode.

import (
	"bytes"
	"math"
	"slices"

	"github.com/polypack/polypack/go/internal/format"
)

// CanonicalVersion is the version of the canonical form C1. The form's name is polypack-c1. C1 bytes don't say what
// they are, so sign them together with the name: polypack-c1, a zero byte, then the bytes (spec/08-canonical.md).
const CanonicalVersion = 1

// canonical reads one value and appends its canonical form to dst. If d.comparing is set, it appends the form that
// comparable describes.
func (d *Decoder) canonical(dst []byte) ([]byte, error) {
	start := d.offset
	if start >= len(d.data) {
		return dst, d.failEnd()
	}
	c := d.data[start]
	switch families[c] {
	case familyNil, familyBool:
		d.offset++
		return append(dst, c), nil
	case familyInt:
		if c >= firstRecordID && c <= lastRecordID && d.inline() {
			s, err := d.record()
			if err != nil {
				return dst, err
			}
			if s != nil {
				return d.canonicalRecord(dst, s)
			}
		}
		return d.canonicalNumber(dst)
	case familyFloat:
		return d.canonicalNumber(dst)
	case familyStr:
		text, err := d.text()
		if err != nil {
			return dst, err
		}
		return append(appendStringHead(dst, len(text)), text...), nil
	case familyBin:
		b, err := d.bin()
		if err != nil {
			return dst, err
		}
		return appendBytes(dst, b), nil
	case familyArray:
		return d.canonicalArray(dst)
	case familyMap:
		return d.canonicalMap(dst)
	case familyExt:
		return d.canonicalExtension(dst)
	}
	return dst, d.failReserved(start)
}

func (d *Decoder) canonicalNumber(dst []byte) ([]byte, error) {
	bits, form, err := d.number()
	if err != nil {
		return dst, err
	}
	switch form {
	case formUnsigned:
		return appendUint(dst, bits), nil
	case formNegative:
		return appendInt(dst, int64(bits)), nil
	}
	f := math.Float64frombits(bits)
	if d.folding {
		if dst, ok := appendIntegral(dst, f); ok {
			return dst, nil
		}
	}
	return appendFloat64(dst, f), nil
}

// appendIntegral appends f as an int if it is integral and in the range of int64 or uint64
// (spec/08-canonical.md#integral-floats-as-ints). Otherwise it appends nothing.
func appendIntegral(dst []byte, f float64) (_ []byte, ok bool) {
	switch {
	case f != math.Trunc(f): // also true for NaN
		return dst, false
	case f >= -1<<63 && f < 0:
		return appendInt(dst, int64(f)), true
	case f >= 0 && f < 1<<64: // also true for −0
		return appendUint(dst, uint64(f)), true
	}
	return dst, false
}

func (d *Decoder) canonicalArray(dst []byte) ([]byte, error) {
	n, err := d.openArray()
	if err != nil {
		return dst, err
	}
	dst = appendArrayHead(dst, n)
	for i := range n {
		d.owed--
		if dst, err = d.canonical(dst); err != nil {
			return dst, withinIndex(err, i)
		}
	}
	d.close()
	return dst, nil
}

func (d *Decoder) canonicalExtension(dst []byte) ([]byte, error) {
	typ, data, end, err := d.extension("a value")
	if err != nil {
		return dst, err
	}
	switch {
	case typ == format.TimestampType:
		ts, err := d.timestamp()
		if err != nil {
			return dst, err
		}
		return appendTimestamp(dst, ts), nil
	case isDeclaration(typ, data):
		s, err := d.declaration()
		if err != nil {
			return dst, err
		}
		return d.canonicalRecord(dst, s)
	}
	d.offset = end
	return appendExt(dst, typ, data), nil
}

func (d *Decoder) canonicalMap(dst []byte) ([]byte, error) {
	n, err := d.openMap()
	if err != nil {
		return dst, err
	}
	head := len(dst)
	dst = appendMapHead(dst, n)
	entries := canonicalEntries{ends: make([]int, 0, d.preallocate(n, 8))}
	for i := range n {
		d.owed--
		place, key := d.keyPlace(), len(dst)
		if dst, err = d.canonical(dst); err != nil {
			return dst, inKey(err)
		}
		dst = d.shortened(dst, key)
		at, added := entries.keys.add(dst, key, len(dst))
		if !added && d.folding { // canonicalize has refused equal keys; these are equal only as ints
			return dst, within(foldedKeys(), keySegment(dst, keyPlace{offset: key}, i))
		}
		if !added && (d.checked() || d.unique) {
			return dst, d.withinEntry(d.failDuplicate(place.offset), place, i)
		}
		d.owed--
		if dst, err = d.canonical(dst); err != nil && d.folding {
			return dst, within(err, keySegment(dst, keyPlace{offset: key}, i)) // the path has the canonical key
		} else if err != nil {
			return dst, d.withinEntry(err, place, i)
		}
		if added {
			entries.ends = append(entries.ends, len(dst))
		} else {
			entries.replace(at, key, dst)
		}
	}
	d.close()
	return entries.sort(d, dst, head), nil
}

func (d *Decoder) canonicalRecord(dst []byte, s *shape) ([]byte, error) {
	head := len(dst)
	dst = appendMapHead(dst, len(s.names))
	entries := canonicalEntries{}
	var comparable [][]byte
	if d.comparing {
		comparable = d.comparableNames(s)
	}
	for i, name := range s.names {
		d.owed--
		key := len(dst)
		if d.comparing {
			dst = append(dst, comparable[i]...)
		} else {
			dst = appendString(dst, name)
		}
		entries.keys.spans = append(entries.keys.spans, keySpan{key, len(dst)}) // the names of a shape are unique
		var err error
		if dst, err = d.canonical(dst); err != nil {
			return dst, within(err, name)
		}
		entries.ends = append(entries.ends, len(dst))
	}
	d.close()
	return entries.sort(d, dst, head), nil
}

// comparable reads a key and appends the form in which keys are compared. This is the canonical form, except for maps
// and records in the key: there, a number replaces each long str that is a key or name. Without the numbers, a short
// key of many records could need gigabytes, because the canonical form repeats the names in each record.
func (d *Decoder) comparable(dst []byte) ([]byte, error) {
	d.comparing = true
	dst, err := d.canonical(dst)
	d.comparing = false
	return dst, err
}

// longName is the largest length of an encoded name, in bytes, that shortened leaves as it is.
const longName = 16

// shortened returns dst. If d.comparing is set and the key at dst[key:] is a str of more than longName bytes, a number
// replaces the key.
func (d *Decoder) shortened(dst []byte, key int) []byte {
	if !d.comparing || len(dst)-key <= longName || families[dst[key]] != familyStr {
		return dst
	}
	number, known := d.numbers[string(dst[key:])]
	if !known {
		if d.numbers == nil {
			d.numbers = make(map[string]uint32)
		}
		number = uint32(len(d.numbers))
		d.numbers[string(dst[key:])] = number
	}
	return append(dst[:key], format.Reserved, byte(number>>24), byte(number>>16), byte(number>>8), byte(number))
}

// comparableNames returns the names of a shape as comparable writes them: encoded, and shortened if they are long.
func (d *Decoder) comparableNames(s *shape) [][]byte {
	if names, known := d.shortNames[s]; known {
		return names
	}
	names := make([][]byte, len(s.names))
	for i, name := range s.names {
		names[i] = d.shortened(appendString(nil, name), 0)
	}
	if d.shortNames == nil {
		d.shortNames = make(map[*shape][][]byte)
	}
	d.shortNames[s] = names
	return names
}

// canonicalEntries says where the entries of a map are in the output. The key of entry i is keys.spans[i]; its value
// follows the key and ends at ends[i].
type canonicalEntries struct {
	keys     keySet
	ends     []int
	replaced bool // an entry was replaced, so the output still has the old entry
}

// replace replaces entry i with the one at dst[key:], whose key is equal. The bytes of the old entry stay in dst until
// sort removes them.
func (e *canonicalEntries) replace(i, key int, dst []byte) {
	span := &e.keys.spans[i]
	span.end += key - span.start
	span.start = key
	e.ends[i] = len(dst)
	e.replaced = true
}

// sort sorts the entries of the map at dst[head:] by their keys, and removes replaced entries.
func (e *canonicalEntries) sort(d *Decoder, dst []byte, head int) []byte {
	order := e.keys.spans
	inOrder := func(i, j int) int {
		return bytes.Compare(dst[order[i].start:order[i].end], dst[order[j].start:order[j].end])
	}
	sorted := !e.replaced
	for i := 1; sorted && i < len(order); i++ {
		sorted = inOrder(i-1, i) < 0
	}
	if sorted {
		return dst
	}
	indexes := make([]int, len(order))
	for i := range indexes {
		indexes[i] = i
	}
	slices.SortFunc(indexes, inOrder)
	d.scratch = append(d.scratch[:0], dst[head:]...)
	dst = appendMapHead(dst[:head], len(order))
	for _, i := range indexes {
		dst = append(dst, d.scratch[order[i].start-head:e.ends[i]-head]...)
	}
	return dst
}

// Canonicalize returns the canonical form (spec/08-canonical.md) of the one value in data, which must be valid but
// needn't be canonical. Two values are equal exactly when their canonical forms are equal. The result is less than
// twice as long as data if data has no records. With records it may be longer, because each record becomes a map with
// all its names. If these maps need more than MaxBytes for their names, the error is CodeLimitExceeded. The mode is
// Lossless whatever the options say; limits, Records and IntegralFloatsAsInts apply. Errors: those of Unmarshal into an
// any in the mode Lossless. With IntegralFloatsAsInts, also CodeDuplicateKey without an Offset, if keys are equal only
// as ints.
func Canonicalize(data []byte, opts ...Option) ([]byte, error) {
	s, err := newSettings(opts)
	if err != nil {
		return nil, err
	}
	s.mode = Lossless
	var out []byte
	err = s.eachDictionary(data, 0, func(s *settings, data []byte, base int64) (err error) {
		out, err = s.canonicalize(data, base)
		return err
	})
	return out, err
}

// canonicalize is Canonicalize for a message without a dictionary header. The message starts at offset base of the
// input.
func (s *settings) canonicalize(data []byte, base int64) ([]byte, error) {
	d := Decoder{data: data, base: base, settings: *s, values: 1}
	if s.inline() || s.integralFloatsAsInts {
		// The first pass checks that the input is valid, and that the names of its records fit in MaxBytes, counted
		// once for each record. Keys that are equal only as ints are reported after all faults of the input.
		d.namesLimited = true
		err := d.skip()
		if err == nil {
			err = d.noMore()
		}
		if err != nil {
			return nil, located(err)
		}
		d = Decoder{data: data, base: base, settings: *s, values: 1, folding: s.integralFloatsAsInts}
	}
	out, err := d.canonical(make([]byte, 0, len(data)))
	if err == nil {
		err = d.noMore()
	}
	if err != nil {
		return nil, located(err)
	}
	return out, nil
}

// foldedKeys makes the error for two keys that IntegralFloatsAsInts has made equal.
func foldedKeys() error {
	return encodeError(CodeDuplicateKey, "the key occurs twice in its map when floats are written as ints",
		"leave out IntegralFloatsAsInts, or one of the two")
}

// MarshalCanonical returns the canonical form of v. It calls Marshal in the mode Lossless and then Canonicalize, both
// with opts. Errors: those of Marshal, and those of Canonicalize.
func MarshalCanonical(v any, opts ...Option) ([]byte, error) {
	opts = append(slices.Clip(opts), Lossless)
	data, err := Marshal(v, opts...)
	if err != nil {
		return nil, err
	}
	out, err := Canonicalize(data, opts...)
	if e, ok := err.(*Error); ok {
		e.Offset = -1 // the caller doesn't have these bytes
	}
	return out, err
}

// IsCanonical reports whether data is one valid value in canonical form. If data is valid but not canonical, departure
// is the offset of the first byte that differs from the canonical form. Otherwise departure is -1. Options and errors
// are those of Canonicalize.
func IsCanonical(data []byte, opts ...Option) (departure int, ok bool, err error) {
	want, err := Canonicalize(data, opts...)
	if err != nil {
		return -1, false, err
	}
	for i := range min(len(data), len(want)) {
		if data[i] != want[i] {
			return i, false, nil
		}
	}
	if len(data) != len(want) {
		return min(len(data), len(want)), false, nil
	}
	return -1, true, nil
}
