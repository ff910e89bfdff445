package polypack

// Plan of the file: the Decoder, its bookkeeping for containers that a caller reads one call at a time (frames), the
// public typed methods, and the functions that make decoding errors. This file uses decoder_scalar.go (numbers, text,
// heads of containers), decoder_any.go (values into any), decoder_keys.go, decoder_skip.go, records.go, extension.go
// and timestamp.go. unmarshal.go uses this file.
//
// Invariants: 0 ≤ d.offset ≤ len(d.data). Unexported methods that read a value read it at d.offset and move past it,
// except extension, extensionHead and kind, which don't move. When such a method fails, d.offset is undefined, and the
// error has the offset of the fault. Results of public methods share memory with the input only with StringsZeroCopy.

import (
	"bytes"
	"fmt"
	"time"
)

// A Decoder reads values from a byte slice, one call per value. After DecodeArrayHeader has returned n, the next n
// values are the elements. After DecodeMapHeader has returned n, the next 2·n values are keys and values in turn. The
// data may hold several values one after the other; Finish reports bytes that are left over.
//
// All limits apply (spec/06-limits.md). A call that fails leaves the decoder where it was. When the caller reads a map
// entry by entry, duplicate keys go unnoticed in every mode.
//
// The zero Decoder has the default options and no data before Reset. A Decoder must not be used by several goroutines
// at once, nor by methods and Extensions that it calls, except by UnmarshalMsgpackFrom, which gets it as an argument.
type Decoder struct {
	data   []byte
	offset int
	base   int64 // offset of data[0] in the stream

	owed   int64 // values that open containers still have to deliver after the current one
	depth  int   // number of open containers
	values int64 // values of this message declared so far

	settings
	records *recordTable[shape] // records declared in this message; nil before the first
	trusted bool                // equal keys have been refused already, so keys needn't be compared
	state   coderState

	tally
	namesLimited bool // whether countNames limits the names of records

	comparing  bool                // whether canonical writes numbers for long names, see comparable
	numbers    map[string]uint32   // the numbers of long names, by encoded name
	shortNames map[*shape][][]byte // names of each shape, in the form in which keys are compared
	unique     bool                // whether canonical refuses equal keys in every mode
	folding    bool                // whether canonical writes integral floats as ints
	scratch    []byte              // copy of an encoded map while canonical sorts the map

	frames []frame // containers that the caller reads one call at a time, outermost first
	calls  int     // number of nested calls of UnmarshalMsgpackFrom
	lent   lent    // memory of the engine, for values that methods decode with this Decoder
	misuse error   // the UsageError for an invalid option or a forbidden Reset
}

// A tally has the counts that a failed Decode or DecodeAny restores.
type tally struct {
	hops        int   // number of pointers in interfaces that are being followed
	promised    int   // bytes of credit that containers have taken (see limits.go)
	namesBytes  int64 // bytes of the names of records so far, see countNames
	hashedBytes int64 // bytes of long names that maps have hashed, see countHashed; elements of a stream start below 0
}

// A frame is a container whose children are read one call at a time, or a call of UnmarshalMsgpackFrom.
type frame struct {
	kind  frameKind
	count int64    // children in all
	left  int64    // children still to come
	key   keyPlace // place of the latest key
}

type frameKind uint8

const (
	frameArray frameKind = iota
	frameMap
	frameRecord // used by stream_scanner.go only
	frameCall   // a running call of UnmarshalMsgpackFrom; its only child is the value that the call must read
)

// inKey reports whether the latest child is a key.
func (f *frame) inKey() bool { return f.kind == frameMap && (f.count-f.left)%2 == 1 }

// segment returns the path segment of the latest child.
func (f *frame) segment(data []byte) string {
	if f.kind == frameMap {
		return keySegment(data, f.key, int((f.count-f.left-1)/2))
	}
	return fmt.Sprint(f.count - f.left - 1)
}

// NewDecoder returns a Decoder for data. The Decoder doesn't change data. Results share memory with data only with
// StringsZeroCopy. If an option is out of its range, each call that reads a value returns a UsageError.
func NewDecoder(data []byte, opts ...Option) *Decoder {
	s, err := newSettings(opts)
	d := &Decoder{data: data, settings: s, misuse: err}
	if err != nil {
		d.state = misused
	}
	return d
}

// refusal returns the error of a Decoder that isn't ready.
func (d *Decoder) refusal() error {
	if d.state == inUse {
		return &UsageError{"Decoder", "it is decoding the value whose method or Extension has called it; use another one, or implement UnmarshalMsgpackFrom"}
	}
	return d.misuse
}

// choose sets the default options if d has no options yet, as in the zero Decoder.
func (d *Decoder) choose() {
	if d.types == nil {
		d.settings = defaults
	}
}

// Reset lets the Decoder read data from its start, with the same options, as if it were new. A method or Extension that
// the Decoder is calling must not call Reset. If it does, Reset does nothing, and every later call that reads a value
// reports a UsageError.
func (d *Decoder) Reset(data []byte) {
	if d.calls > 0 || d.state >= inUse {
		d.state, d.misuse = spoiled, &UsageError{"Reset", "the Decoder is reading a value around this one; use another one"}
		return
	}
	d.choose()
	*d = Decoder{data: data, settings: d.settings, state: d.state, misuse: d.misuse, frames: d.frames[:0]}
}

// A mark is the state that a failed call restores.
type mark struct {
	offset, depth int
	owed, values  int64
	records       recordMark
}

// begin starts a public call that reads one value. It closes complete containers, and counts the value as a child of
// the innermost open container.
func (d *Decoder) begin() (mark, error) {
	if d.state != ready {
		return mark{}, d.refusal()
	}
	d.leave()
	if len(d.frames) == 0 {
		d.values, d.records, d.namesBytes, d.hashedBytes, d.promised = 1, nil, 0, 0, 0
		m := mark{d.offset, d.depth, d.owed, d.values, recordMark{}}
		if d.unsettled {
			return m, d.openMessage(m)
		}
		return m, nil
	}
	// Later calls in the container need the records that this call declares. But if this call fails, it must remove
	// them, so markRecords logs them. The log takes a few machine words per declaration until the end of the message.
	m := mark{d.offset, d.depth, d.owed, d.values, d.markRecords()}
	f := &d.frames[len(d.frames)-1]
	if f.left == 0 {
		return mark{}, &UsageError{"UnmarshalMsgpackFrom", "a second value is read; it must read exactly one"}
	}
	f.left--
	if f.inKey() {
		f.key = d.keyPlace()
	}
	d.owed--
	return m, nil
}

// leave closes each open container whose children have all been read.
func (d *Decoder) leave() {
	for n := len(d.frames); n > 0 && d.frames[n-1].left == 0 && d.frames[n-1].kind != frameCall; n = len(d.frames) {
		d.frames = d.frames[:n-1]
		d.close()
	}
}

// end finishes a call that began with begin. If the call failed, end rewinds the decoder.
func (d *Decoder) end(m mark, err error) error {
	if err == nil {
		return nil
	}
	return d.rewind(m, err)
}

// rewind puts the decoder back to where it was before a failed call and completes the path of the error.
func (d *Decoder) rewind(m mark, err error) error {
	for i := len(d.frames) - 1; i >= 0 && d.frames[i].kind != frameCall; i-- {
		f := &d.frames[i]
		if f.inKey() {
			err = inKey(err)
		} else {
			err = within(err, f.segment(d.data))
		}
	}
	d.restore(m)
	return located(err)
}

// restore undoes begin and everything that was read since. m is the mark that begin returned.
func (d *Decoder) restore(m mark) {
	if n := len(d.frames); n > 0 {
		d.frames[n-1].left++
	}
	d.offset, d.owed, d.depth, d.values = m.offset, m.owed, m.depth, m.values
	d.undoRecords(m.records)
}

// Offset returns how many bytes of the data have been read.
func (d *Decoder) Offset() int { return d.offset }

// More reports whether the innermost container that is being read has children left. If no container is being read, it
// reports whether bytes are left.
func (d *Decoder) More() bool {
	if d.state < inUse {
		d.leave()
	}
	if n := len(d.frames); n > 0 {
		return d.frames[n-1].left > 0
	}
	return d.offset < len(d.data)
}

// Finish reports unread input: CodeTrailingData for bytes after the last value, CodeUnexpectedEnd for a container whose
// children were not all read.
func (d *Decoder) Finish() error {
	if d.state != ready {
		return d.refusal()
	}
	d.leave()
	if n := len(d.frames); n > 0 {
		if d.frames[n-1].left == 0 { // UnmarshalMsgpackFrom has read its value; later bytes aren't part of it
			return nil
		}
		return d.fail(CodeUnexpectedEnd, d.offset, fmt.Sprintf("a container lacks %d values", d.frames[n-1].left),
			"read every child, or step over it with Skip")
	}
	return d.noMore()
}

// DecodeNil reads nil, or undefined. Errors: CodeTypeMismatch for another value, CodeUnexpectedEnd, CodeReservedByte,
// CodeLimitExceeded, and at an ext or a record CodeInvalidTimestamp, CodeInvalidRecord and CodeUnknownRecord. After an
// error, the decoder stays before the value. An option out of its range is a UsageError.
func (d *Decoder) DecodeNil() error {
	m, err := d.begin()
	if err != nil {
		return err
	}
	if !d.skipNil() {
		err = d.failKind(d.offset, "nil")
	}
	return d.end(m, err)
}

// DecodeBool reads a bool. Errors: those of DecodeNil.
func (d *Decoder) DecodeBool() (bool, error) {
	m, err := d.begin()
	if err != nil {
		return false, err
	}
	b, err := d.bool()
	return b, d.end(m, err)
}

// DecodeInt reads an int, or a float that is integral. Errors: those of DecodeNil, and CodeOutOfRange for other floats
// and for numbers outside the range of int64.
func (d *Decoder) DecodeInt() (int64, error) {
	m, err := d.begin()
	if err != nil {
		return 0, err
	}
	n, err := d.int64()
	return n, d.end(m, err)
}

// DecodeUint reads an int, or a float that is integral. Errors: those of DecodeNil, and CodeOutOfRange for other floats
// and for numbers outside the range of uint64.
func (d *Decoder) DecodeUint() (uint64, error) {
	m, err := d.begin()
	if err != nil {
		return 0, err
	}
	n, err := d.uint64()
	return n, d.end(m, err)
}

// DecodeFloat32 reads a float, rounded to the nearest float32, or an int that a float32 holds exactly. Errors: those of
// DecodeNil, and CodeOutOfRange for other ints and for floats that overflow.
func (d *Decoder) DecodeFloat32() (float32, error) {
	m, err := d.begin()
	if err != nil {
		return 0, err
	}
	f, err := d.float32()
	return f, d.end(m, err)
}

// DecodeFloat64 reads a float, or an int that a float64 holds exactly. Errors: those of DecodeNil, and CodeOutOfRange
// for other ints.
func (d *Decoder) DecodeFloat64() (float64, error) {
	m, err := d.begin()
	if err != nil {
		return 0, err
	}
	f, err := d.float64()
	return f, d.end(m, err)
}

// DecodeString reads a str; in the mode Default also a bin. Errors: those of DecodeNil, and CodeInvalidUTF8 in the
// modes Strict and Lossless.
func (d *Decoder) DecodeString() (string, error) {
	m, err := d.begin()
	if err != nil {
		return "", err
	}
	s, err := d.string()
	return s, d.end(m, err)
}

// DecodeBytes reads a bin; in the mode Default also a str. The result is a copy, or a view of the input with
// StringsZeroCopy. Errors: those of DecodeNil.
func (d *Decoder) DecodeBytes() ([]byte, error) {
	m, err := d.begin()
	if err != nil {
		return nil, err
	}
	b, err := d.bytes()
	if err != nil {
		return nil, d.end(m, err)
	}
	return d.keepBytes(b), nil
}

// DecodeArrayHeader reads the head of an array and returns how many elements follow. Errors: those of DecodeNil.
func (d *Decoder) DecodeArrayHeader() (int, error) { return d.header(frameArray) }

// DecodeMapHeader reads the head of a map and returns how many entries follow, each a key and a value. It refuses a
// record, which Decode and DecodeAny can read. Errors: those of DecodeNil.
func (d *Decoder) DecodeMapHeader() (int, error) { return d.header(frameMap) }

func (d *Decoder) header(kind frameKind) (int, error) {
	m, err := d.begin()
	if err != nil {
		return 0, err
	}
	var n int
	children := int64(1)
	if kind == frameMap {
		n, err = d.openMap()
		children = 2
	} else {
		n, err = d.openArray()
	}
	if err != nil {
		return 0, d.end(m, err)
	}
	children *= int64(n)
	d.frames = append(d.frames, frame{kind: kind, count: children, left: children})
	return n, nil
}

// DecodeExt reads an ext, which may be a timestamp but not the declaration of a record. Errors: those of DecodeNil.
func (d *Decoder) DecodeExt() (Ext, error) {
	m, err := d.begin()
	if err != nil {
		return Ext{}, err
	}
	e, err := d.ext()
	return e, d.end(m, err)
}

// DecodeTimestamp reads a timestamp as a time in UTC. Errors: those of DecodeNil, and CodeOutOfRange for moments
// outside the range of time.Time. Decode can read such moments into a Timestamp.
func (d *Decoder) DecodeTimestamp() (time.Time, error) {
	m, err := d.begin()
	if err != nil {
		return time.Time{}, err
	}
	t, err := d.time()
	return t, d.end(m, err)
}

// DecodeAny reads a value of any kind into the type the mode chooses for it; see Unmarshal. An error of a registered
// Extension becomes the Err of a CodeUnsupportedValue. Errors: those of Skip; in the modes Default and Strict also
// CodeInvalidKey for a map key that Go cannot hash, and CodeOutOfRange for moments outside the range of time.Time.
func (d *Decoder) DecodeAny() (any, error) {
	m, err := d.begin()
	if err != nil {
		return nil, err
	}
	if d.types == nil || d.types.registered == nil && !d.unsettled {
		before := d.tally
		v, err := d.value()
		if err != nil {
			d.tally = before
			return nil, d.end(m, err)
		}
		return v, nil
	}
	return d.anyInUse(m)
}

// anyInUse is DecodeAny with Extensions or a StoredDictionary.
func (d *Decoder) anyInUse(m mark) (v any, err error) {
	read := func() (err error) {
		v, err = d.value()
		return err
	}
	before := d.tally
	if err = d.inUse(&m, read); err != nil && d.unsettled {
		d.tally = before
		if m, err = d.reload(m, err); err == nil {
			err = d.inUse(&m, read)
		}
	}
	if err != nil {
		d.tally = before
		return nil, d.end(m, err)
	}
	return v, nil
}

// Skip steps over one value of any kind. It checks the value like DecodeAny, but the value needn't fit Go's types, and
// long names of records may come again as often as they like, because Skip hashes none. In the mode Default, it
// allocates memory only for declarations of records. Errors: CodeUnexpectedEnd, CodeReservedByte,
// CodeLimitExceeded, CodeInvalidTimestamp, CodeInvalidRecord, CodeUnknownRecord; in the modes Strict and Lossless also
// CodeInvalidUTF8 and CodeDuplicateKey. An option out of its range is a UsageError.
func (d *Decoder) Skip() error {
	m, err := d.begin()
	if err != nil {
		return err
	}
	err = d.skip()
	if err != nil && d.unsettled {
		if m, err = d.reload(m, err); err == nil {
			err = d.skip()
		}
	}
	return d.end(m, err)
}

// noMore returns an error if bytes follow the value that has been read.
func (d *Decoder) noMore() error {
	if d.offset == len(d.data) {
		return nil
	}
	mend := "use NewDecoder or NewStreamDecoder for several values"
	if d.offset == 1 {
		mend = d.mendForText(mend)
	}
	return d.fail(CodeTrailingData, d.offset, fmt.Sprintf("%d bytes follow the value", len(d.data)-d.offset), mend)
}

// mendForText returns mend, unless the whole input seems to be JSON, HTML or XML, whose first byte is a positive fixint
// in MessagePack. Servers send such bodies for errors.
func (d *Decoder) mendForText(mend string) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(d.data, []byte("\ufeff")), " \t\r\n")
	if d.base != 0 || len(d.data) < 2 || len(text) == 0 {
		return mend
	}
	switch text[0] {
	case '{', '[', '"':
		return "the input looks like JSON, not MessagePack"
	case '<':
		return "the input looks like HTML or XML, not MessagePack"
	}
	return mend
}

func (d *Decoder) fail(code Code, offset int, what, mend string) error {
	return &Error{Code: code, Offset: d.base + int64(offset), what: what, mend: mend}
}

// failEnd reports that a value should start but the input has ended.
func (d *Decoder) failEnd() error {
	return d.fail(CodeUnexpectedEnd, len(d.data), "a value is missing", "the input is truncated")
}

// failHead reports an incomplete head: bytes of its length, count, type or number are missing.
func (d *Decoder) failHead(start int) error {
	c := d.data[start]
	return d.fail(CodeUnexpectedEnd, start, fmt.Sprintf("%s needs %d bytes after its head byte but %d remain",
		formatName(c), arguments[c], len(d.data)-start-1), "the input is truncated")
}

// failBody reports that the value at start has an incomplete body. The body starts at the offset body.
func (d *Decoder) failBody(start, body int, length int64) error {
	return d.fail(CodeUnexpectedEnd, start, fmt.Sprintf("%s declares %d bytes but %d remain",
		formatName(d.data[start]), length, len(d.data)-body), "the input is truncated")
}

func (d *Decoder) failReserved(start int) error {
	return d.fail(CodeReservedByte, start, "0xc1 is never a value", "the input is damaged or not MessagePack")
}

func (d *Decoder) failMismatch(start int, got, want string) error {
	mend := "change the type of the target"
	if start == 0 {
		mend = d.mendForText(mend)
	}
	return d.fail(CodeTypeMismatch, start, got+" is not "+want, mend)
}

// failKind reports that the value at start isn't of the wanted kind, or why its kind can't be determined.
func (d *Decoder) failKind(start int, want string) error {
	if start >= len(d.data) {
		return d.failEnd()
	}
	c := d.data[start]
	switch families[c] {
	case familyReserved:
		return d.failReserved(start)
	case familyExt:
		typ, data, _, err := d.extension(want)
		if err != nil {
			return err
		}
		return d.failExtension(start, typ, data, want)
	case familyInt:
		if s, _, err := d.instanceAt(start); err != nil {
			return err
		} else if s != nil {
			return d.failMismatch(start, "a record", want)
		}
	}
	return d.failMismatch(start, formatName(c), want)
}

func (d *Decoder) failNumber(start int, number, target string) error {
	return d.fail(CodeOutOfRange, start, number+" does not fit "+target, "choose a wider type")
}
