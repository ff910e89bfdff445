package polypack

// Plan of the file: ErrNotFound and Get; the methods of RawMessage; the parsing of a pointer; then the finder, which
// enters the containers on the path and steps over all other values.

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/polypack/polypack/go/internal/format"
)

// ErrNotFound reports that Get found no value at the path. A key is missing, an index is beyond the array, or a value
// on the path isn't a container.
var ErrNotFound = errors.New("polypack: no value at the path")

// Get returns the encoding of the value at path in data, without decoding it. This value is the one that Unmarshal into
// an any, with the same options, would give at the path. Without records (see below), the result is a view of data
// without spare capacity, and Get usually allocates nothing in the mode Default.
//
// The path is an RFC 6901 pointer, like Error.Path. For example, "" is the whole value, and "/users/3/name" is an entry
// of a map in an array in a map. "~0" stands for "~" and "~1" for "/". An element of an array is named by its index in
// decimal, and a field of a record by its name. An entry of a map is named by its key. The forms of keys are tried in
// this order, and the first one that fits wins:
//
//  1. a str by its text; in the mode Default also a bin, which becomes a string there
//  2. an int in decimal
//  3. a bin as 0x and its bytes in lowercase hex
//  4. any other key as # and the index of its entry in data
//
// If a map has the key several times, or several keys that are one key in Go, such as nil and undefined, the last entry
// counts.
//
// Get reads no further than it must. If the path leads only through arrays, it stops at the end of the value. Otherwise
// it stops at the end of the outermost map or record on the path, because a later entry may have the same key. On the
// bytes that it reads, it makes the checks of Decoder.Skip, in all modes and with all limits. If it has read a record
// declaration, or there is a Dictionary, the result is a copy without records.
//
// Errors: ErrNotFound; those of Decoder.Skip; a UsageError for a path that isn't a pointer or for an option out of its
// range.
func Get(data []byte, path string, opts ...Option) (RawMessage, error) {
	s, err := settingsOf(opts)
	if err != nil {
		return nil, err
	}
	if !isPointer(path) {
		return nil, notPointer(path)
	}
	if s.unsettled {
		var found RawMessage
		err := s.eachDictionary(data, 0, func(s *settings, data []byte, base int64) (err error) {
			found, err = s.get(data, base, path)
			return err
		})
		return found, err
	}
	return s.get(data, 0, path)
}

// get is Get for a message without a dictionary header. The message starts at offset base of the input.
func (s *settings) get(data []byte, base int64, path string) (RawMessage, error) {
	f := finder{d: Decoder{data: data, base: base, settings: *s, values: 1}, want: -1}
	found, err := f.value(path, true)
	switch {
	case err != nil:
		return nil, located(err)
	case !found:
		return nil, ErrNotFound
	case f.d.records == nil && f.d.dictionary == nil:
		return data[f.start:f.end:f.end], nil
	}
	return f.withoutRecords(path)
}

// Get returns the encoding of the value at path in m; see the function Get. Errors: those of the function Get.
func (m RawMessage) Get(path string, opts ...Option) (RawMessage, error) {
	return Get(m.orNil(), path, opts...)
}

// Unmarshal decodes m into the value that v points to. v must be a pointer that isn't nil; see the function Unmarshal.
// Errors: those of the function Unmarshal.
func (m RawMessage) Unmarshal(v any, opts ...Option) error { return Unmarshal(m.orNil(), v, opts...) }

// orNil returns m, or the encoding of nil if m has no bytes.
func (m RawMessage) orNil() []byte {
	if len(m) == 0 {
		return []byte{format.Nil}
	}
	return m
}

// isPointer reports whether path is an RFC 6901 pointer.
func isPointer(path string) bool {
	if path != "" && path[0] != '/' {
		return false
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '~' && (i+1 == len(path) || path[i+1] != '0' && path[i+1] != '1') {
			return false
		}
	}
	return true
}

func notPointer(path string) error {
	return &UsageError{"Get", "the path " + quote(path) + ` is no RFC 6901 pointer; use "" or "/token/…", and ~0 and ~1 for ~ and / in a token`}
}

// pointerUnescaper turns ~1 into / and ~0 into ~, as RFC 6901 requires.
var pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")

// A token is one step of a pointer.
type token struct {
	text string
	// isInt means that the text is an int in decimal without a plus sign or leading zeros. Then negative and bits have
	// its sign and its value in two's complement.
	isInt, negative bool
	bits            uint64
}

// cutToken returns the first token of pointer, and the rest of pointer. pointer must not be empty.
func cutToken(pointer string) (t token, rest string) {
	t.text = pointer[1:]
	if i := strings.IndexByte(t.text, '/'); i >= 0 {
		t.text, rest = t.text[:i], t.text[i:]
	}
	if strings.IndexByte(t.text, '~') >= 0 {
		t.text = pointerUnescaper.Replace(t.text)
	}
	digits := t.text
	if t.negative = strings.HasPrefix(digits, "-"); t.negative {
		digits = digits[1:]
	}
	if digits == "" || digits[0] < '0' || digits[0] > '9' || digits[0] == '0' && (len(digits) > 1 || t.negative) {
		return t, rest
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || t.negative && n > 1<<63 {
		return t, rest
	}
	t.isInt, t.bits = true, n
	if t.negative {
		t.bits = -n
	}
	return t, rest
}

// A rank says how well a key fits a token. The entry whose key fits best wins. If several fit equally well, the last
// one wins.
type rank uint8

const (
	fitsNot rank = iota
	fitsIndex
	fitsBin
	fitsInt
	fitsStr
)

// fits returns how well the key of the entry with this index fits the token. key is the encoded key, which has been
// checked.
func (t *token) fits(key []byte, isRecord bool, index int, mode Mode) rank {
	fam := families[key[0]]
	body := key[min(len(key), 1+int(arguments[key[0]])):]
	switch {
	case isRecord:
	case fam == familyStr || fam == familyBin && mode == Default:
		if t.text == string(body) {
			return fitsStr
		}
		return fitsNot
	case fam == familyInt:
		if !t.isInt {
			return fitsNot
		}
		d := Decoder{data: key}
		if bits, form, err := d.number(); err == nil && bits == t.bits && (form == formNegative) == t.negative {
			return fitsInt
		}
		return fitsNot
	case fam == familyBin:
		if t.isHex(body) {
			return fitsBin
		}
		return fitsNot
	}
	if n, ok := strings.CutPrefix(t.text, "#"); ok && n == strconv.Itoa(index) {
		return fitsIndex
	}
	return fitsNot
}

// A goKey is a comparable form of a key that is neither a str nor an int. A map[any]any gets only one entry for keys
// with equal goKeys.
type goKey struct {
	of    family
	value uint64
	more  uint32 // nanoseconds of a timestamp
}

// goKeyOf returns the goKey of an encoded key. ok is false for a str, an int, or a key that a map[any]any can't hold.
func goKeyOf(key []byte) (k goKey, ok bool) {
	d := Decoder{data: key, settings: defaultSettings()}
	switch d.next() {
	case familyNil:
		return goKey{of: familyNil}, true
	case familyBool:
		return goKey{of: familyBool, value: uint64(key[0])}, true
	case familyFloat:
		bits, _, err := d.number()
		if f := math.Float64frombits(bits); f == 0 {
			bits = 0
		} else if f != f {
			bits = format.CanonicalNaN
		}
		return goKey{of: familyFloat, value: bits}, err == nil
	case familyExt:
		if d.skipUndefined() {
			return goKey{of: familyNil}, true
		}
		ts, err := d.timestamp()
		return goKey{familyExt, uint64(ts.Seconds), ts.Nanoseconds}, err == nil
	}
	return goKey{}, false
}

// isHex reports whether the token is 0x and body in lowercase hex.
func (t *token) isHex(body []byte) bool {
	const digits = "0123456789abcdef"
	text, ok := strings.CutPrefix(t.text, "0x")
	if !ok || len(text) != 2*len(body) {
		return false
	}
	for i, b := range body {
		if text[2*i] != digits[b>>4] || text[2*i+1] != digits[b&0xf] {
			return false
		}
	}
	return true
}

// A finder looks for the value that a pointer names, and stores the value's offsets in start and end. If it finds
// several, the last one stays, because the last of equal keys wins.
type finder struct {
	d          Decoder
	start, end int
	// want is the offset of the value that the second search encodes without records. It is -1 in the first search.
	want  int
	plain []byte // the encoding of the value at want without records
}

// errFound ends the second search; it never leaves the package.
const errFound = Code("found")

// value searches the next value for the rest of the pointer, and steps over it. If early is set, bytes after the wanted
// value don't matter. Then the search ends after the wanted value and leaves the offset of the decoder undefined.
func (f *finder) value(pointer string, early bool) (found bool, err error) {
	d := &f.d
	if pointer == "" {
		if d.offset == f.want {
			if f.plain, _, err = d.raw(); err == nil {
				err = errFound
			}
			return false, err
		}
		f.start = d.offset
		err = d.skip()
		f.end = d.offset
		return err == nil, err
	}
	switch d.next() {
	case familyArray:
		return f.array(pointer, early)
	case familyMap:
		return f.entries(pointer)
	case familyInt, familyExt:
		if d.inline() {
			s, err := d.record()
			if err != nil {
				return false, err
			}
			if s != nil {
				return f.record(s, pointer)
			}
		}
	}
	return false, d.skip()
}

func (f *finder) array(pointer string, early bool) (found bool, err error) {
	d := &f.d
	n, err := d.openArray()
	if err != nil {
		return false, err
	}
	t, rest := cutToken(pointer)
	index := -1
	if t.isInt && !t.negative && t.bits < uint64(n) {
		index = int(t.bits)
	} else if early {
		return false, nil
	}
	for i := range n {
		d.owed--
		if i == index {
			found, err = f.value(rest, early)
			if early && err == nil {
				return found, nil
			}
		} else {
			err = d.skip()
		}
		if err != nil {
			return false, withinIndex(err, i)
		}
	}
	d.close()
	return found, nil
}

func (f *finder) entries(pointer string) (found bool, err error) {
	d := &f.d
	n, err := d.openMap()
	if err != nil {
		return false, err
	}
	t, rest := cutToken(pointer)
	best := fitsNot
	folds := d.mode != Lossless && strings.HasPrefix(t.text, "#")
	var named goKey // if isNamed, the key that the token names by # and an index
	isNamed := false
	quick := d.runs() // if true, no check for duplicate keys is needed
	var known objectKeys
	for i := range n {
		d.owed--
		place := d.keyPlace()
		if quick {
			err = d.skip()
		} else {
			err = d.skipKey(&known)
		}
		if err != nil {
			if err == errTwice {
				return false, d.withinEntry(d.failDuplicate(place.offset), place, i)
			}
			return false, inKey(err)
		}
		d.owed--
		key := d.data[place.offset:d.offset]
		fit := t.fits(key, place.record, i, d.mode)
		if folds && fit == fitsIndex {
			named, isNamed = goKeyOf(key)
		} else if isNamed && fit == fitsNot {
			if k, ok := goKeyOf(key); ok && k == named {
				fit = fitsIndex
			}
		}
		if fit > fitsNot && fit >= best {
			best = fit
			found, err = f.value(rest, false)
		} else {
			err = d.skip()
		}
		if err != nil {
			return false, d.withinEntry(err, place, i)
		}
	}
	d.close()
	return found, nil
}

func (f *finder) record(s *shape, pointer string) (found bool, err error) {
	d := &f.d
	t, rest := cutToken(pointer)
	for _, name := range s.names {
		d.owed--
		if name == t.text {
			found, err = f.value(rest, false)
		} else {
			err = d.skip()
		}
		if err != nil {
			return false, within(err, name)
		}
	}
	d.close()
	return found, nil
}

// withoutRecords returns the encoding, without records, of the value that was found. It searches for the value again,
// so that only the records declared before it are known.
func (f *finder) withoutRecords(path string) (RawMessage, error) {
	again := finder{d: Decoder{data: f.d.data, base: f.d.base, settings: f.d.settings, values: 1}, want: f.start}
	_, err := again.value(path, true)
	if err != errFound {
		return nil, located(err)
	}
	return again.plain, nil
}
