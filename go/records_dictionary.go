package polypack

// Plan of the file: the Dictionary of shared records; then the ids of its shapes and the ids that are left for the
// declarations of a message (spec/05-records.md#shared). The caller saves a Dictionary as the list that Shapes returns
// and NewDictionary accepts, or uses a StoredDictionary (records_stored.go).

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

const (
	// maxShapes is the largest number of shapes in a Dictionary. It leaves ids for declarations.
	maxShapes = 8160
	// oneByteShapes is the largest number of shapes that have one-byte ids. Further shapes have two-byte ids.
	oneByteShapes = firstPairID - firstRecordID
)

// A Dictionary holds the shapes of records that writer and reader know beforehand. A shape is the names of a record's
// fields, in order. Use a Dictionary with SharedRecords. The position of a shape determines its id in the bytes, so
// Append returns a larger Dictionary that has the new shapes at its end.
//
// A Dictionary never changes and may be shared by goroutines. Give a new one to every reader before the first writer
// uses it. A reader with an older one reports records that it doesn't know as CodeUnknownRecord. A reader whose shapes
// are in another order reads values under wrong names; the option Fingerprint prevents this.
type Dictionary struct {
	shapes []*shape       // by number; nil at positions without a shape
	byName map[string]int // number of each shape, by its encoded names
	paired uint32         // for each first byte lo of a two-byte id, bit lo−0x60 is set
	// fingerprints has at index i the fingerprint of the first i+1 shapes.
	fingerprints []uint64
}

// NewDictionary returns a Dictionary with at most 8,160 shapes, each given by its field names. The names of a shape
// must differ and be UTF-8. Otherwise, or if there are more shapes, the error is a UsageError. A nil shape only
// occupies a position. If several shapes are equal, encoders use the last, and decoders accept all. The option
// structures of msgpackr takes the same list.
func NewDictionary(shapes [][]string) (*Dictionary, error) {
	d := &Dictionary{byName: make(map[string]int, len(shapes))}
	if err := d.add("NewDictionary", shapes); err != nil {
		return nil, err
	}
	return d, nil
}

// Append returns a Dictionary with these shapes after those of d, except for nil shapes and shapes that d has already.
// d doesn't change. Errors: a UsageError for shapes that break the rules of NewDictionary.
func (d *Dictionary) Append(shapes ...[]string) (*Dictionary, error) {
	return d.with(d.missing(shapes))
}

// missing returns the shapes that d lacks, each once and without nil shapes.
func (d *Dictionary) missing(shapes [][]string) (missing [][]string) {
	seen := make(map[string]bool, len(shapes))
	for _, names := range shapes {
		encoded := string(encodedNames(names))
		if _, known := d.byName[encoded]; known || names == nil || seen[encoded] {
			continue
		}
		seen[encoded] = true
		missing = append(missing, names)
	}
	return missing
}

// with returns a Dictionary with the missing shapes after those of d.
func (d *Dictionary) with(missing [][]string) (*Dictionary, error) {
	larger := &Dictionary{shapes: slices.Clip(d.shapes), byName: make(map[string]int, len(d.byName)+len(missing)), fingerprints: slices.Clip(d.fingerprints)}
	for names, number := range d.byName {
		larger.byName[names] = number
	}
	if err := larger.add("Dictionary.Append", missing); err != nil {
		return nil, err
	}
	return larger, nil
}

// AppendShapesOf returns a Dictionary that adds the shapes of structs in values to d. It adds each shape that the
// values would declare when written with SharedRecords(d), in the order of first use. A struct that leaves fields out
// has the shape of the fields that it writes. Errors are those of Marshal, and of Append.
func (d *Dictionary) AppendShapesOf(values ...any) (*Dictionary, error) {
	shapes, err := d.shapesOf(values)
	if err != nil {
		return nil, err
	}
	return d.Append(shapes...)
}

// shapesOf returns the shapes that values would declare when written with d.
func (d *Dictionary) shapesOf(values []any) ([][]string, error) {
	s := defaultSettings()
	s.records, s.dictionary = RecordsShared, d
	e := Encoder{settings: s, shapes: newRecordWriter(d)}
	e.shapes.keepsOrder = true
	for i, v := range values {
		if err := e.value(v); err != nil {
			return nil, located(withinIndex(err, i))
		}
		e.buf = e.buf[:0]
	}
	shapes := make([][]string, len(e.shapes.order))
	for i, shape := range e.shapes.order {
		shapes[i] = make([]string, 0, shape.count)
		names := Decoder{data: []byte(shape.names), settings: s}
		for range shape.count {
			name, err := names.text()
			if err != nil {
				return nil, err
			}
			shapes[i] = append(shapes[i], string(name))
		}
	}
	return shapes, nil
}

// add adds shapes to a Dictionary that isn't in use yet.
func (d *Dictionary) add(call string, shapes [][]string) error {
	if len(shapes) > maxShapes-len(d.shapes) {
		return &UsageError{call, fmt.Sprintf("%d shapes are more than the %d that have ids", len(d.shapes)+len(shapes), maxShapes)}
	}
	if err := checkShapes(call, shapes); err != nil {
		return err
	}
	for _, names := range shapes {
		if names == nil {
			d.append(nil)
			continue
		}
		d.byName[string(encodedNames(names))] = len(d.shapes)
		s := newShape(slices.Clone(names))
		s.again = true
		d.append(s)
	}
	d.paired = 0
	if n := len(d.shapes); n > oneByteShapes {
		d.paired = uint32(1<<min(n-oneByteShapes, 32) - 1)
	}
	return nil
}

// checkShapes returns a UsageError if a name isn't UTF-8, or if a shape has a name twice.
func checkShapes(call string, shapes [][]string) error {
	for i, names := range shapes {
		seen := make(map[string]bool, len(names))
		for _, name := range names {
			switch {
			case !utf8.ValidString(name):
				return &UsageError{call, fmt.Sprintf("shape %d has a name that is not UTF-8: %s", i, quote(name))}
			case seen[name]:
				return &UsageError{call, fmt.Sprintf("shape %d names the field %s twice", i, quote(name))}
			}
			seen[name] = true
		}
	}
	return nil
}

// append adds a shape, or a position without one.
func (d *Dictionary) append(s *shape) {
	d.shapes = append(d.shapes, s)
	d.fingerprints = append(d.fingerprints, extended(d.fingerprint(), s))
}

// startsWith reports whether d begins with the shapes of smaller, which must not have more shapes than d.
func (d *Dictionary) startsWith(smaller *Dictionary) bool {
	for i, s := range smaller.shapes {
		if known := d.shapes[i]; (s == nil) != (known == nil) || s != nil && !slices.Equal(s.names, known.names) {
			return false
		}
	}
	return true
}

// encodedNames returns the names as encoded strs, one after the other.
func encodedNames(names []string) (encoded []byte) {
	for _, name := range names {
		encoded = appendString(encoded, name)
	}
	return encoded
}

// Len returns how many shapes d has, including positions without a shape.
func (d *Dictionary) Len() int { return len(d.shapes) }

// Shapes returns a copy of the names of each shape, in the form that NewDictionary accepts.
func (d *Dictionary) Shapes() [][]string {
	shapes := make([][]string, len(d.shapes))
	for i, s := range d.shapes {
		if s != nil {
			shapes[i] = append([]string{}, s.names...)
		}
	}
	return shapes
}

// idOf returns the id of the shape with the encoded names.
func (d *Dictionary) idOf(names string) (id recordID, ok bool) {
	number, ok := d.byName[names]
	if !ok {
		return recordID{}, false
	}
	return d.id(number), true
}

// id returns the id with this number, counted from 0. It has two bytes if d has more than oneByteShapes shapes and
// number is at least oneByteShapes.
func (d *Dictionary) id(number int) recordID {
	if number < oneByteShapes || d.size() <= oneByteShapes {
		return recordID{lo: firstRecordID + byte(number)}
	}
	return recordID{lo: firstPairID | byte(number)&(oneByteShapes-1), hi: byte(number/oneByteShapes - 1), pair: true}
}

// ownIDs returns which ids an encoder may declare: the ids with the numbers from first up to first+count-1, see id.
// None of them is the id of a shape of d.
func (d *Dictionary) ownIDs() (first, count int) {
	n := d.size()
	if n <= oneByteShapes {
		return n, ownRecordIDs - n
	}
	// A pair is a two-byte id. Declared pairs start only with bytes that also start pairs of the Dictionary. So a byte
	// either always starts a pair or never does, as msgpackr requires. Numbers below 64 are skipped, because
	// msgpackr 1.11 can't read declared pairs that end in 00.
	return max(n, ownRecordIDs), min(n-oneByteShapes, oneByteShapes)
}

// size returns the number of shapes, which is 0 for a nil Dictionary.
func (d *Dictionary) size() int {
	if d == nil {
		return 0
	}
	return len(d.shapes)
}

// pairs returns which bytes a two-byte id of d can start with. Bit n stands for the byte 0x60 + n.
func (d *Dictionary) pairs() uint32 {
	if d == nil {
		return 0
	}
	return d.paired
}

// one returns the shape with the one-byte id, or nil.
func (d *Dictionary) one(id byte) *shape {
	return d.numbered(int(id)-firstRecordID, id < firstPairID)
}

// pair returns the shape with the two-byte id, or nil.
func (d *Dictionary) pair(lo, hi byte) *shape {
	return d.numbered(int(lo-firstPairID)+oneByteShapes*(int(hi)+1), true)
}

func (d *Dictionary) numbered(number int, hasID bool) *shape {
	if number >= d.size() || !hasID {
		return nil
	}
	return d.shapes[number]
}
