package polypack

// Plan of the file: keySet, which notices equal keys by their encoded bytes (spec/01-data-model.md#map); checkKey,
// which refuses kinds of keys that the target can't hold, before the rest of the key is read; hashableKey, which reads
// a key of type any; objectKey and skipKey, which notice that an equal key occurred before; and the errors.
//
// Other files read other keys: the plan of a Go map type reads its keys (readKey in unmarshal_map.go), and anyMap in
// decoder_any.go reads the str keys of a map that goes into an any. The engine reads the names of struct fields in
// engine_decode_struct.go (find), other keys that are str in engine_decode_strings.go (key), and integer keys in
// engine_decode_maps.go (plainKey). It leaves every other key to the plans.

import (
	"bytes"
	"hash/maphash"
	"math"
	"reflect"
	"slices"

	"github.com/polypack/polypack/go/internal/format"
)

// A keySet holds keys as spans of a buffer that the caller keeps. Up to fewKeys keys are compared one by one. With more
// keys, a hash table finds equal ones. The hash has a random seed, because an input could otherwise choose collisions.
type keySet struct {
	spans []keySpan
	table []uint32 // 1 + index of a span, or 0 for a free slot; the length is a power of two; at most half is in use
	seed  maphash.Seed
}

// A keySpan says where an encoded key starts and ends in the caller's buffer.
type keySpan struct{ start, end int }

// fewKeys is the largest number of keys that are compared one by one.
const fewKeys = 8

// add adds the key buf[start:end] if it is not in the set yet, and returns its index in the order of adding.
func (s *keySet) add(buf []byte, start, end int) (index int, added bool) {
	key := buf[start:end]
	if len(s.spans) < fewKeys {
		for i, span := range s.spans {
			if bytes.Equal(buf[span.start:span.end], key) {
				return i, false
			}
		}
		s.spans = append(s.spans, keySpan{start, end})
		return len(s.spans) - 1, true
	}
	if 2*len(s.spans) >= len(s.table) {
		s.grow(buf)
	}
	mask := uint64(len(s.table) - 1)
	slot := maphash.Bytes(s.seed, key) & mask
	for s.table[slot] != 0 {
		i := int(s.table[slot] - 1)
		if bytes.Equal(buf[s.spans[i].start:s.spans[i].end], key) {
			return i, false
		}
		slot = (slot + 1) & mask
	}
	if n := len(s.spans); n == cap(s.spans) {
		s.spans = slices.Grow(s.spans, 3*n) // append would grow in smaller steps, and so leave more garbage
	}
	s.spans = append(s.spans, keySpan{start, end})
	s.table[slot] = uint32(len(s.spans))
	return len(s.spans) - 1, true
}

// grow makes the table, or doubles it, and enters all keys in the new table.
func (s *keySet) grow(buf []byte) {
	if len(s.table) == 0 {
		s.seed = maphash.MakeSeed()
	}
	s.table = make([]uint32, max(4*fewKeys, 2*len(s.table)))
	mask := uint64(len(s.table) - 1)
	for i, span := range s.spans {
		slot := maphash.Bytes(s.seed, buf[span.start:span.end]) & mask
		for s.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		s.table[slot] = uint32(i + 1)
	}
}

// keyKinds says which values a key can hold, by their families. familyExt stands for timestamps, familyReserved for
// other exts, and familyMap includes records.
type keyKinds struct {
	always  family
	loosely family // only in the mode Default; an array must be empty, and counts as a map
}

// in returns the families that fit in the mode of d.
func (k keyKinds) in(d *Decoder) family {
	if d.checked() {
		return k.always
	}
	return k.always | k.loosely
}

// anyKey are the kinds of values that a Go map with keys of type any can hold.
var anyKey = keyKinds{familyNil | familyBool | familyInt | familyFloat | familyStr | familyExt, familyBin}

// anyValue are the kinds of all values. A pointer to an interface or a RawMessage can hold them, because Go hashes the
// pointer.
var anyValue = keyKinds{anyKey.always | familyBin | familyArray | familyMap | familyReserved, 0}

// keyKinds returns the kinds of values that checkKey accepts for a key of type t. With few exceptions, decoding into t
// accepts the same kinds. nil fits only in a pointer or interface, because in other types it would be the same key as
// the zero value.
func (ts *types) keyKinds(t reflect.Type) keyKinds {
	if t.Kind() != reflect.Pointer {
		return ts.kindsOf(t, anyKey)
	}
	for range maxHops {
		if t = t.Elem(); t.Kind() != reflect.Pointer {
			break
		}
	}
	kinds := ts.kindsOf(t, anyValue)
	kinds.always |= familyNil
	return kinds
}

// kindsOf returns the kinds for a type that isn't a pointer. inAny are those for the type any.
func (ts *types) kindsOf(t reflect.Type, inAny keyKinds) keyKinds {
	switch {
	case t == timeType || t == timestampType:
		return keyKinds{always: familyExt}
	case t == extType:
		return keyKinds{always: familyExt | familyReserved}
	case t == objectType:
		return keyKinds{familyMap, familyArray}
	case t == rawType:
		return anyValue
	case readsText(t):
		return keyKinds{familyStr, familyBin}
	}
	switch t.Kind() {
	case reflect.Bool:
		return keyKinds{always: familyBool}
	case reflect.String:
		return keyKinds{familyStr, familyBin}
	case reflect.Interface:
		return ts.interfaceKinds(t, inAny)
	case reflect.Array, reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 && !ts.planOf(t.Elem()).custom {
			return keyKinds{familyBin, familyStr}
		}
		return keyKinds{always: familyArray}
	case reflect.Map:
		return keyKinds{familyMap, familyArray}
	case reflect.Struct:
		if l, _ := ts.layoutOf(t); l.asArray {
			return keyKinds{always: familyMap | familyArray}
		}
		return keyKinds{familyMap, familyArray}
	}
	// The other kinds that have an encoding are numbers.
	return keyKinds{always: familyInt | familyFloat}
}

// interfaceKinds returns the kinds for an interface. For an interface with methods they are nil, timestamps if their
// types implement it, and str for the type error with the option ErrorsAsText.
func (ts *types) interfaceKinds(t reflect.Type, inAny keyKinds) keyKinds {
	if t.NumMethod() == 0 {
		return inAny
	}
	kinds := keyKinds{always: familyNil}
	if timeType.Implements(t) || timestampType.Implements(t) {
		kinds.always |= familyExt
	}
	if t == errorType && ts.rules.errorTexts {
		kinds.always, kinds.loosely = kinds.always|familyStr, familyBin
	}
	return kinds
}

// checkKey refuses a key that isn't of these kinds, before the rest of the key is read
// (spec/07-errors.md#which-fault-wins). A record counts as a map. If kinds lacks familyMap, checkKey refuses a record
// as a key even if the record has another fault. The kind of an ext depends on its type; see checkExtensionKey.
func (d *Decoder) checkKey(kinds keyKinds, target string) error {
	if d.offset >= len(d.data) {
		return d.failEnd()
	}
	start, holds := d.offset, kinds.in(d)
	switch f := families[d.data[start]]; {
	case f == familyReserved:
		return d.failReserved(start)
	case f == familyInt && d.inline():
		if holds&familyMap == 0 && d.isInstance(start) {
			return d.failKey(start, "a record as key does not fit "+target)
		}
		s, _, err := d.instanceAt(start)
		if err != nil {
			return err
		}
		if s == nil && holds&familyInt == 0 {
			return d.failKey(start, "int as key does not fit "+target)
		}
		return nil
	case f == familyExt:
		return d.checkExtensionKey(holds, target)
	case f&holds == 0:
		return d.failKey(start, formatName(d.data[start])+" as key does not fit "+target)
	case f == familyArray && kinds.always&familyArray == 0:
		count, err := d.arrayHead()
		if err != nil {
			return err
		}
		if d.offset = start; count > 0 {
			return d.failKey(start, formatName(d.data[start])+" as key does not fit "+target)
		}
	}
	return nil
}

// checkExtensionKey refuses an ext as key if its kind isn't in holds. A timestamp needs familyExt, a record needs
// familyMap, and undefined needs familyNil. The type and the data of an ext tell whether it is undefined or a record.
func (d *Decoder) checkExtensionKey(holds family, target string) error {
	start := d.offset
	typ, length, body, err := d.extensionHead("a key")
	if err != nil {
		return err
	}
	switch {
	case typ == format.TimestampType && holds&familyExt != 0:
		return nil
	case typ != format.RecordType && typ != format.TimestampType && holds&familyReserved != 0:
		return nil
	case typ == format.RecordType && length != 1 && length != 2 && holds&familyReserved != 0:
		return nil
	case typ == format.UndefinedType && length == 1 && holds&familyNil != 0:
		if body >= len(d.data) {
			return d.failBody(start, body, length)
		}
		if d.data[body] == 0 {
			return nil
		}
	case typ == format.RecordType && (length == 1 || length == 2) && holds&familyMap != 0:
		if length > int64(len(d.data)-body) {
			return d.failBody(start, body, length)
		}
		if !d.inline() {
			return d.failRecordsOff(start)
		}
		return nil
	}
	return d.failKey(start, "an ext as key does not fit "+target)
}

// hashableKey reads a key into an any that Go can hash. A float 32 becomes a float64, because a Go map would treat
// equal numbers of the types float32 and float64 as different keys.
func (d *Decoder) hashableKey(target string) (any, error) {
	if err := d.checkKey(anyKey, target); err != nil {
		return nil, err
	}
	if d.isName() {
		return d.string()
	}
	start := d.offset
	key, err := d.value()
	if err != nil {
		return nil, err
	}
	switch k := key.(type) {
	case float32:
		return float64(k), nil
	case Ext: // undefined, which lossless mode keeps as an Ext
		return nil, d.failKey(start, "undefined as key does not fit "+target)
	}
	return key, nil
}

// objectKeys holds the keys of one map in the form in which keys are compared, one after the other.
type objectKeys struct {
	set   keySet
	bytes []byte
	again *Decoder // reads keys that have been checked, see uniqueKey
}

// add adds a key that is a str if no equal key is known. added reports whether it was added.
func (k *objectKeys) add(text []byte) (added bool) {
	start := len(k.bytes)
	k.bytes = append(appendStringHead(k.bytes, len(text)), text...)
	_, added = k.set.add(k.bytes, start, len(k.bytes))
	return added
}

// objectKey reads a key of any kind. added is false if an equal key has been read before; index is then the index of
// that key's entry. Keys aren't compared if d.trusted is set, or if the map has only one.
func (d *Decoder) objectKey(known *objectKeys, count int) (key any, index int, added bool, err error) {
	if d.trusted || count == 1 {
		key, err = d.keyValue()
		return key, len(known.set.spans), true, err
	}
	index, added, err = d.uniqueKey(known, func(again *Decoder) (err error) {
		key, err = again.keyValue()
		return err
	})
	return key, index, added, err
}

// keyValue reads a key of any kind. An ext becomes an Ext even if its type is registered, because Extensions aren't
// used for keys, and writing the key again must give the same ext.
func (d *Decoder) keyValue() (any, error) {
	if d.types.registered != nil && d.next() == familyExt {
		if typ, data, end, err := d.extension("a key"); err == nil && !isDeclaration(typ, data) && d.registeredFor(typ, data) != nil {
			d.offset = end
			return Ext{Type: typ, Data: copyBytes(data)}, nil
		}
	}
	return d.value()
}

// uniqueKey steps over a key. If the key is new, uniqueKey calls read for it.
//
// First comparable encodes the key, which checks the whole key in one pass. Then the function read decodes the key from
// the same input bytes. In strict and lossless mode, this second reading doesn't compare keys of maps inside the key,
// because the first has refused equal ones. In default mode, these maps can have only scalar keys. Either way the cost
// is linear in the length of the key, however deep keys nest.
//
// If one of the two readings fails, the error is the leftmost fault (spec/07-errors.md#which-fault-wins), as if the key
// had been read once.
func (d *Decoder) uniqueKey(known *objectKeys, read func(*Decoder) error) (index int, added bool, err error) {
	m, length := mark{d.offset, d.depth, d.owed, d.values, d.markRecords()}, len(known.bytes)
	known.bytes, err = d.comparable(known.bytes)
	if err == nil {
		index, added = known.set.add(known.bytes, length, len(known.bytes))
	}
	if !added {
		known.bytes = known.bytes[:length]
		if err != nil {
			return 0, false, d.leftmostFault(known, m, err, read)
		}
		m.records.keep()
		return index, false, nil
	}
	again := d.secondReading(known, m)
	again.settings.maxValues = math.MaxInt64
	err = read(again)
	d.records, d.hashedBytes = again.records, again.hashedBytes
	return index, true, inKey(err)
}

// secondReading returns a Decoder for the key at m, which comparable has read. It declares the same records again.
func (d *Decoder) secondReading(known *objectKeys, m mark) *Decoder {
	if known.again == nil {
		known.again = new(Decoder)
	}
	d.undoRecords(m.records)
	*known.again = Decoder{data: d.data, offset: m.offset, base: d.base, settings: d.settings, depth: m.depth, records: d.records, trusted: d.checked(), tally: tally{promised: d.promised, hashedBytes: d.hashedBytes}}
	return known.again
}

// leftmostFault returns the error for a key in which comparable has found the fault err. The target may refuse
// something to the left of err, so leftmostFault also calls read. In strict and lossless mode, read doesn't compare
// keys inside the key, because the cost would grow with the square of the depth. So if err is a duplicate, a fault that
// read finds counts only if it is to the left of the end of the duplicate.
func (d *Decoder) leftmostFault(known *objectKeys, m mark, err error, read func(*Decoder) error) error {
	again := d.secondReading(known, m)
	again.owed, again.values = m.owed, m.values
	first, ok := read(again).(*Error)
	d.records = again.records
	if e, isError := err.(*Error); !ok || isError && e.Code == CodeDuplicateKey &&
		(again.offset > d.offset || first.Offset >= d.base+int64(d.offset)) {
		return inKey(err)
	}
	return inKey(first)
}

// nameFault changes the offset of an error in the name of a record to start, the head of the record.
func (d *Decoder) nameFault(start int, err error) error {
	if e, ok := err.(*Error); ok {
		e.Offset = d.base + int64(start)
	}
	return inKey(err)
}

// errTwice is what skipKey returns for a duplicate. The callers of skipKey return the error of failDuplicate instead.
const errTwice = CodeDuplicateKey

// skipKey steps over a key. In strict and lossless mode, it adds the key to known, and returns errTwice if known has it
// already. If d.trusted is set, it only steps over the key.
func (d *Decoder) skipKey(known *objectKeys) error {
	if !d.checked() || d.trusted {
		return d.skipValue()
	}
	start := len(known.bytes)
	var err error
	known.bytes, err = d.comparable(known.bytes)
	if err != nil {
		return err
	}
	if _, added := known.set.add(known.bytes, start, len(known.bytes)); !added {
		return errTwice
	}
	return nil
}

func (d *Decoder) failKey(start int, what string) error {
	return d.fail(CodeInvalidKey, start, what, "decode into an Object, which holds every key")
}

func (d *Decoder) failDuplicate(start int) error {
	return d.fail(CodeDuplicateKey, start, "the key occurs twice in its map", "use the mode Default to let the last one win")
}
