package polypack

// Plan of the file: shapes, and the table of declared records; then recognizing an instance; record, which opens a
// declaration or an instance; and reading a declaration (spec/05-records.md). records_write.go writes records, and
// records_dictionary.go has the shapes that need no declaration.

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/polypack/polypack/go/internal/format"
)

const (
	firstRecordID = 0x40 // one-byte ids are 0x40 to 0x7f
	firstPairID   = 0x60 // two-byte ids start with 0x60 to 0x7f
	lastRecordID  = 0x7f

	manyNames = 16 // at most this many names of a record get memory before they arrive

	// The names of a record are long if the head and keys of a map with these names take more than longNames bytes. Per
	// message, maps may hash hashedPromise bytes of long names, and hashedPerByte bytes more for each byte read so far.
	longNames     = 1 << 10
	hashedPromise = 64 << 20
	hashedPerByte = 256
)

// A shape has the names of a record's fields, in order. They never change, so an instance that is being read keeps its
// names when its id is declared again.
type shape struct {
	names []string
	bytes int64 // length of the head and the keys of a map with these names
	// targets lists the structs that instances have been read into. It is atomic, because goroutines share the shapes
	// of a Dictionary.
	targets atomic.Pointer[shapeTarget]
	// again means that targets is worth filling, because the shape has been read before or belongs to a Dictionary.
	again bool
}

// newShape returns a shape with the names. It keeps the slice.
func newShape(names []string) *shape {
	s := &shape{names: names, bytes: int64(headBytes(len(names), format.MaxFixcontainer, format.MaxFixcontainer))}
	for _, name := range names {
		s.bytes += int64(headBytes(len(name), format.MaxFixstr, math.MaxUint8) + len(name))
	}
	return s
}

// headBytes returns how many bytes the head for a length or count n takes. Up to fix, that is one byte; up to short, it
// is two.
func headBytes(n, fix, short int) int {
	switch {
	case n <= fix:
		return 1
	case n <= short:
		return 2
	case n <= math.MaxUint16:
		return 3
	}
	return 5
}

// A shapeTarget has the index of a struct's field for each name of a shape, or -1 for a name that no field has.
type shapeTarget struct {
	plan    *structPlan
	indexes []int32
	next    *shapeTarget
	count   int // length of the list from this shapeTarget on
}

// maxTargets is how many shapeTargets a shape holds at most. Without a limit the list could grow forever, because each
// new set of extensions makes new plans for the same structs.
const maxTargets = 64

// indexes returns the index of the struct's field for each name of the shape, or -1 for a name that no field has. At
// the first call for a declared shape it returns nil, because the shape may never be read again.
func (s *shape) indexes(plan *structPlan) []int32 {
	first := s.targets.Load()
	for t := first; t != nil; t = t.next {
		if t.plan == plan {
			return t.indexes
		}
	}
	if !s.again {
		s.again = true
		return nil
	}
	indexes := make([]int32, len(s.names))
	for i, name := range s.names {
		indexes[i] = int32(plan.find([]byte(name), i))
	}
	target := &shapeTarget{plan: plan, indexes: indexes, count: 1}
	if first != nil && first.count < maxTargets { // else the list starts again
		target.next, target.count = first, first.count+1
	}
	// If another goroutine has stored a target in the meantime, a later call stores this one.
	s.targets.CompareAndSwap(first, target)
	return indexes
}

// A recordTable holds the declarations of one message, a shape of type S for each id. It doesn't hold the shapes of a
// Dictionary.
type recordTable[S any] struct {
	one  []*S                                      // declarations by id − 0x40; most messages have few
	pair *[lastRecordID - firstPairID + 1]*[256]*S // declarations by first byte − 0x60, then by second byte
	// Bit lo−0x60 of paired is set if ids that start with the byte lo have two bytes. The latest declaration with lo
	// decides this or, if there is none, the Dictionary.
	paired uint32

	logging bool // declarations are noted in log, so that undoTo can undo them
	log     []undo[S]
}

// An undo holds what a declaration replaced.
type undo[S any] struct {
	pair   bool
	lo, hi byte // only lo is used for a one-byte id
	old    *S
	paired uint32
}

// newRecordTable returns the table of a message that has declared nothing yet.
func newRecordTable[S any](dictionary *Dictionary) *recordTable[S] {
	return &recordTable[S]{paired: dictionary.pairs()}
}

// follow adapts the table to a larger Dictionary. An id that the message has declared with one byte keeps one byte,
// because declarations take precedence over the Dictionary. The table may be nil.
func (t *recordTable[S]) follow(larger *Dictionary) {
	if t == nil {
		return
	}
	for id := firstPairID; id <= lastRecordID; id++ {
		if bit := uint32(1) << (id - firstPairID); t.ofOne(byte(id)) == nil {
			t.paired |= larger.pairs() & bit
		}
	}
}

// ofOne returns the latest declaration of the one-byte id, or nil. The table may be nil.
func (t *recordTable[S]) ofOne(id byte) *S {
	if t == nil || int(id-firstRecordID) >= len(t.one) {
		return nil
	}
	return t.one[id-firstRecordID]
}

// ofPair returns the latest declaration of the two-byte id, or nil. The table may be nil.
func (t *recordTable[S]) ofPair(lo, hi byte) *S {
	if t == nil || t.pair == nil || t.pair[lo-firstPairID] == nil {
		return nil
	}
	return t.pair[lo-firstPairID][hi]
}

// declareOne stores s as the latest declaration of the one-byte id.
func (t *recordTable[S]) declareOne(id byte, s *S) {
	if t.logging {
		t.log = append(t.log, undo[S]{false, id, 0, t.ofOne(id), t.paired})
	}
	t.setOne(id, s)
	if id >= firstPairID {
		t.paired &^= 1 << (id - firstPairID)
	}
}

func (t *recordTable[S]) setOne(id byte, s *S) {
	i := int(id - firstRecordID)
	if i >= len(t.one) {
		t.one = append(t.one, make([]*S, i+1-len(t.one))...)
	}
	t.one[i] = s
}

// declarePair stores s as the latest declaration of the two-byte id.
func (t *recordTable[S]) declarePair(lo, hi byte, s *S) {
	if t.logging {
		t.log = append(t.log, undo[S]{true, lo, hi, t.ofPair(lo, hi), t.paired})
	}
	t.setPair(lo, hi, s)
	t.paired |= 1 << (lo - firstPairID)
}

func (t *recordTable[S]) setPair(lo, hi byte, s *S) {
	if t.pair == nil {
		t.pair = new([lastRecordID - firstPairID + 1]*[256]*S)
	}
	i := lo - firstPairID
	if t.pair[i] == nil {
		t.pair[i] = new([256]*S)
	}
	t.pair[i][hi] = s
}

// undoTo undoes the logged declarations from index length on, the latest first.
func (t *recordTable[S]) undoTo(length int) {
	for i := len(t.log) - 1; i >= length; i-- {
		u := &t.log[i]
		if u.pair {
			t.setPair(u.lo, u.hi, u.old)
		} else {
			t.setOne(u.lo, u.old)
		}
		t.paired = u.paired
	}
	t.log = t.log[:length]
}

// A recordMark is a place in the declarations of a message to which a Decoder may return. Marks may be nested.
type recordMark struct {
	table   *recordTable[shape] // nil before the first declaration
	length  int                 // length of the table's log at the mark
	logging bool                // whether declarations were logged before the mark
}

// markRecords starts to log declarations, so that undoRecords can undo them.
func (d *Decoder) markRecords() recordMark {
	t := d.records
	if t == nil {
		return recordMark{}
	}
	m := recordMark{t, len(t.log), t.logging}
	t.logging = true
	return m
}

// keep keeps the declarations since a mark, and drops the mark.
func (m recordMark) keep() {
	if t := m.table; t != nil && !m.logging {
		t.logging, t.log = false, t.log[:0]
	}
}

// undoRecords undoes the declarations since a mark, and drops the mark.
func (d *Decoder) undoRecords(m recordMark) {
	if d.records = m.table; m.table != nil {
		m.table.undoTo(m.length)
		m.keep()
	}
}

// isInstance reports whether the byte at start is a known one-byte id of a record, or starts a two-byte id, known or
// not.
func (d *Decoder) isInstance(start int) bool {
	c := d.data[start]
	if c < firstRecordID || c > lastRecordID || !d.inline() {
		return false
	}
	return d.isPair(c) || d.records.ofOne(c) != nil || d.dictionary.one(c) != nil
}

// isPair reports whether the byte lo starts a two-byte id.
func (t *recordTable[S]) isPair(lo byte) bool {
	return lo >= firstPairID && t.paired>>(lo-firstPairID)&1 == 1
}

// validID reports whether data starts with a valid record id. The head byte c, fixext 1 or fixext 2, says how many
// bytes the id has.
func validID(c byte, data []byte) bool {
	if c == format.Fixext1 {
		return data[0] >= firstRecordID && data[0] <= lastRecordID
	}
	return data[0] >= firstPairID && data[0] <= lastRecordID
}

// instanceAt returns the shape of the record whose id is at start, and the length of the id in bytes. It returns nil if
// another value is there. The input must have a byte at start.
func (d *Decoder) instanceAt(start int) (s *shape, length int, err error) {
	c := d.data[start]
	if c < firstRecordID || c > lastRecordID || !d.inline() {
		return nil, 0, nil
	}
	if d.isPair(c) {
		if start+1 >= len(d.data) {
			return nil, 0, d.fail(CodeUnexpectedEnd, start, "the second byte of a record id is missing",
				"the input is truncated")
		}
		hi := d.data[start+1]
		if s = d.records.ofPair(c, hi); s == nil {
			s = d.dictionary.pair(c, hi)
		}
		if s == nil {
			return nil, 0, d.failUnknownRecord(start, fmt.Sprintf("0x%02x%02x", c, hi))
		}
		return s, 2, nil
	}
	if s = d.records.ofOne(c); s == nil {
		s = d.dictionary.one(c)
	}
	if s == nil && (d.mode == Strict || d.settings.records == RecordsShared) {
		return nil, 0, d.failUnknownRecord(start, fmt.Sprintf("0x%02x", c))
	}
	return s, 1, nil
}

// isPair reports whether the byte lo starts a two-byte id.
func (d *Decoder) isPair(lo byte) bool {
	if d.records != nil {
		return d.records.isPair(lo)
	}
	return lo >= firstPairID && d.dictionary.pairs()>>(lo-firstPairID)&1 == 1
}

// record opens the record at d.offset, a declaration or an instance, and returns its shape. Then d.offset is at the
// value of the first field. If the next value isn't a record, record returns nil without moving.
func (d *Decoder) record() (*shape, error) {
	start := d.offset
	switch d.next() {
	case familyInt:
		s, length, err := d.instanceAt(start)
		if s == nil || err != nil {
			return nil, err
		}
		d.offset += length
		count := int64(len(s.names))
		if err := d.open(start, count); err != nil {
			return nil, err
		}
		// Only a shape of the Dictionary can have too many names, because recordNames has checked declared shapes.
		if d.lengths != nil && count > d.lengths.entries {
			return nil, d.fail(CodeLimitExceeded, start, fmt.Sprintf("a record has %d entries but the limit is %d", count, d.lengths.entries),
				"raise MaxMapLen if the source is trusted")
		}
		return s, d.countNames(start, s)
	case familyExt:
		typ, data, _, err := d.extension("a map")
		if err != nil {
			return nil, err
		}
		if !isDeclaration(typ, data) {
			return nil, nil
		}
		return d.declaration()
	}
	return nil, nil
}

// declaration reads the declaration at d.offset, whose ext is complete. It also opens the record, because the values of
// the first instance follow the declaration.
func (d *Decoder) declaration() (*shape, error) {
	start := d.offset
	_, id, end, err := d.extension("a record")
	if err != nil {
		return nil, err
	}
	c := d.data[start]
	switch {
	case !d.inline():
		return nil, d.failRecordsOff(start)
	case c != format.Fixext1 && c != format.Fixext2:
		return nil, d.failRecord(start, "a record is declared behind "+formatName(c), "fixext 1 and fixext 2 declare records")
	case !validID(c, id):
		return nil, d.failRecord(start, fmt.Sprintf("record id 0x%x is out of range", id), "ids are 40 to 7f")
	case d.depth >= d.maxDepth:
		return nil, d.failDepth(start)
	}
	d.offset = end
	names, err := d.recordNames(start)
	if err != nil {
		return nil, err
	}
	if d.records == nil {
		d.records = newRecordTable[shape](d.dictionary)
	}
	s := newShape(names)
	if len(id) == 1 {
		d.records.declareOne(id[0], s)
	} else {
		d.records.declarePair(id[0], id[1], s)
	}
	d.enter(int64(len(names))) // recordNames has checked the limits
	return s, d.countNames(start, s)
}

// countNames adds the names of a record to the total of the message, and refuses more than MaxBytes. It counts only if
// records are rewritten as maps, for example for a RawMessage, because then every instance repeats the names.
func (d *Decoder) countNames(start int, s *shape) error {
	if !d.namesLimited {
		return nil
	}
	if d.namesBytes += s.bytes; d.namesBytes > d.maxBytes {
		return d.fail(CodeLimitExceeded, start, fmt.Sprintf("written out, the names of the records are longer than the limit %d bytes", d.maxBytes),
			"raise MaxBytes if the source is trusted")
	}
	return nil
}

// countHashed limits the time that maps need to hash long names. For each instance of a record, a map hashes all names
// again, but the instance may have only one byte per name.
func (d *Decoder) countHashed(start int, s *shape) error {
	if s.bytes <= longNames {
		return nil
	}
	if d.hashedBytes += s.bytes; d.hashedBytes > hashedPromise+hashedPerByte*int64(d.offset) {
		return d.fail(CodeLimitExceeded, start, "the names of the records are long, and too often stored in maps",
			"decode into structs or Object, which don't hash names")
	}
	return nil
}

// recordNames reads the array of names of the declaration at start.
func (d *Decoder) recordNames(start int) ([]string, error) {
	array := d.offset
	if f := d.next(); f != familyArray {
		return nil, d.failDeclaration(array, "what follows a record id is not an array")
	}
	count, err := d.arrayHead()
	if err != nil {
		return nil, err
	}
	if 2*count > d.available() {
		return nil, d.failCount(array, 2*count)
	}
	if count > d.maxValues-d.values {
		return nil, d.failValues(start)
	}
	if d.lengths != nil && count > d.lengths.entries {
		return nil, d.failLength(start, count, d.lengths.entries, "MaxMapLen")
	}
	known := keySet{spans: make([]keySpan, 0, min(count, manyNames))}
	first := d.offset
	for i := range int(count) {
		at := d.offset
		if d.next() != familyStr {
			return nil, d.failDeclaration(at, fmt.Sprintf("name %d of a record is not a str", i))
		}
		name, err := d.text()
		if err != nil {
			return nil, err
		}
		if _, added := known.add(d.data, d.offset-len(name), d.offset); !added {
			return nil, d.failRecord(at, "a record names the field "+quote(string(name))+" twice", "the writer is at fault")
		}
	}
	// The names are parts of one string. They are usually kept or dropped together.
	text := string(d.data[first:d.offset])
	names := make([]string, len(known.spans))
	for i, span := range known.spans {
		names[i] = text[span.start-first : span.end-first]
	}
	return names, nil
}

// failDeclaration returns the error for a value of the wrong kind at d.offset in a declaration. A reserved byte or the
// end of the input there has its own error.
func (d *Decoder) failDeclaration(at int, what string) error {
	switch d.next() {
	case 0:
		return d.failEnd()
	case familyReserved:
		return d.failReserved(at)
	}
	return d.failRecord(at, what, "the writer is at fault")
}

func (d *Decoder) failRecord(offset int, what, mend string) error {
	return d.fail(CodeInvalidRecord, offset, what, mend)
}

func (d *Decoder) failRecordsOff(start int) error {
	return d.failRecord(start, "the input declares a record", "use the option Records(RecordsInline)")
}

func (d *Decoder) failUnknownRecord(start int, id string) error {
	return d.fail(CodeUnknownRecord, start, unknownRecordText(id, d.dictionary), unknownRecordMend(d.dictionary))
}

func unknownRecordText(id string, dictionary *Dictionary) string {
	if dictionary != nil {
		return fmt.Sprintf("record %s is neither declared in this message nor one of the %d of the Dictionary", id, dictionary.Len())
	}
	return "record " + id + " was never declared in this message"
}

func unknownRecordMend(dictionary *Dictionary) string {
	if dictionary != nil {
		return "load the Dictionary of the writer"
	}
	return "messages with records must be kept in order and whole"
}
