package polypack

// Plan of the file: the scanner, which finds where a message of a stream ends.
//
// A scanner keeps a stack of open containers and continues where it stopped. So its time is linear in the bytes,
// however they are split. It reports only the faults that must be found before a message is complete, see
// spec/06-limits.md#streams. It leaves all other faults to the decoder, which gets the complete message.

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/polypack/polypack/go/internal/format"
)

// A scanner goes through the heads of one message. Offsets count from the start of the message.
type scanner struct {
	maxDepth int
	maxBytes int64
	inline   bool
	depth    int   // 1 if the message is an element of an array, see stream_elements.go; otherwise 0
	index    int64 // index of the element in its array

	offset int64       // offset of the next head, after all bodies so far; it may be beyond the bytes read
	begun  bool        // the head of the top value has been seen
	owed   int64       // values that open containers still have to deliver
	stack  []scanFrame // open containers, outermost first
	// records holds the shape of each declared record; nil before the first declaration.
	records    *recordTable[scanShape]
	dictionary *Dictionary
}

// A scanFrame is an open container. A declared record is one container that goes through the stages stageNames,
// stageName and stageChildren.
type scanFrame struct {
	frame
	stage scanStage
	id    [2]byte // of the record that is declared; id[1] is used if pair is set
	pair  bool
	names scanShape // of a record
}

type scanStage uint8

const (
	stageChildren scanStage = iota
	stageNames              // the array of names is next
	stageName               // one of the names is next
)

// A scanShape says how many names a record has, and where they are.
type scanShape struct {
	offset int
	count  int64
	known  *shape // a shape of the Dictionary or of an earlier element; nil if the names are in the message, at offset
}

// scan continues through data, the bytes of the message so far, and reports whether the message is complete. A complete
// message ends at s.offset.
func (s *scanner) scan(data []byte) (complete bool, err error) {
	if !s.begun && !s.inline { // the fast path, because a message is usually complete and valid
		if end := run(data, 0, 1, 0, s.depth, s.maxDepth); end >= 0 && int64(end) <= s.maxBytes {
			s.begun, s.offset = true, int64(end)
			return true, nil
		}
	}
	for {
		s.leave()
		if s.begun && len(s.stack) == 0 {
			return s.offset <= int64(len(data)), nil
		}
		if s.offset >= int64(len(data)) {
			return false, nil
		}
		more, err := s.head(data, int(s.offset))
		if err != nil || !more {
			return false, err
		}
	}
}

// leave closes the containers that are complete, and declares a record once all its names have been seen.
func (s *scanner) leave() {
	for n := len(s.stack); n > 0; n = len(s.stack) {
		f := &s.stack[n-1]
		if f.left > 0 {
			return
		}
		if f.stage != stageName {
			s.stack = s.stack[:n-1]
			continue
		}
		shape := f.names
		if s.records == nil {
			s.records = newRecordTable[scanShape](s.dictionary)
			s.records.logging = s.depth > 0
		}
		if f.pair {
			s.records.declarePair(f.id[0], f.id[1], &shape)
		} else {
			s.records.declareOne(f.id[0], &shape)
		}
		f.stage, f.count, f.left = stageChildren, shape.count, shape.count
	}
}

// head looks at the head that starts at data[at]. more is false if there is an error, or if the head or its record id
// is still incomplete.
func (s *scanner) head(data []byte, at int) (more bool, err error) {
	c := data[at]
	stage := stageChildren
	if n := len(s.stack); n > 0 {
		stage = s.stack[n-1].stage
	}
	fam := families[c]
	if fam == familyReserved {
		s.enterChild(at, false)
		return false, s.fail(data, CodeReservedByte, at, "0xc1 is never a value", "the input is damaged or not MessagePack")
	}
	switch {
	case stage == stageNames && fam != familyArray:
		return false, s.failRecord(data, at, "what follows a record id is not an array")
	case stage == stageName && fam != familyStr:
		return false, s.failRecord(data, at, "a name of a record is not a str")
	}
	end := at + 1 + int(arguments[c])
	if end > len(data) {
		return false, nil
	}
	body, children := int64(0), int64(0)
	opens := frameKind(0)
	container := false
	var record scanFrame
	switch fam {
	case familyStr, familyBin:
		body = declared(c, data[at+1:end])
	case familyArray:
		children, opens, container = declared(c, data[at+1:end]), frameArray, stage != stageNames
	case familyMap:
		children, opens, container = 2*declared(c, data[at+1:end]), frameMap, true
	case familyExt:
		body = declared(c, data[at+1:end])
		if s.inline && int8(data[end-1]) == format.RecordType && (body == 1 || body == 2) {
			if int64(len(data)-end) < body {
				return false, nil
			}
			switch {
			case c != format.Fixext1 && c != format.Fixext2:
				return false, s.failRecord(data, at, "a record is declared behind "+formatName(c))
			case !validID(c, data[end:]):
				return false, s.failRecord(data, at, fmt.Sprintf("record id 0x%02x is out of range", data[end]))
			}
			record = scanFrame{stage: stageNames, pair: body == 2}
			copy(record.id[:], data[end:end+int(body)])
			children, opens, container = 1, frameRecord, true
		}
	case familyInt:
		if !s.inline || c < firstRecordID || c > lastRecordID {
			break
		}
		shape, pair := s.instance(c, data[end:])
		switch {
		case pair && end == len(data):
			return false, nil
		case pair && shape == nil:
			return false, s.failUnknownRecord(data, at, fmt.Sprintf("0x%02x%02x", c, data[end]))
		case shape == nil && s.dictionary != nil:
			return false, s.failUnknownRecord(data, at, fmt.Sprintf("0x%02x", c))
		case shape != nil:
			if pair {
				end++
			}
			record = scanFrame{names: *shape}
			children, opens, container = shape.count, frameRecord, true
		}
	}
	s.enterChild(at, opens == frameRecord)
	if depth := s.depth + len(s.stack); container && depth >= s.maxDepth {
		return false, s.fail(data, CodeLimitExceeded, at, fmt.Sprintf("depth %d exceeds the limit %d", depth+1, s.maxDepth),
			"raise MaxDepth if the source is trusted")
	}
	promised := children
	if stage == stageNames {
		promised = 2 * children // each name, and a value for each name
	}
	s.owed += promised
	if int64(end)+body+s.owed > s.maxBytes {
		return false, s.fail(data, CodeLimitExceeded, at, fmt.Sprintf("the message is longer than the limit %d bytes", s.maxBytes),
			"raise MaxBytes if the source is trusted")
	}
	s.offset = int64(end) + body
	switch {
	case container:
		record.frame = frame{kind: opens, count: children, left: children}
		s.stack = append(s.stack, record)
	case stage == stageNames:
		f := &s.stack[len(s.stack)-1]
		f.stage, f.count, f.left = stageName, children, children
		f.names = scanShape{offset: end, count: children}
	}
	return true, nil
}

// declared returns the length or count that a head declares. The head consists of the head byte c and the argument.
func declared(c byte, argument []byte) int64 {
	switch {
	case c <= format.LastFixarray:
		return int64(c & format.MaxFixcontainer)
	case c <= format.LastFixstr:
		return int64(c & format.MaxFixstr)
	case c >= format.Fixext1 && c <= format.Fixext16:
		return 1 << (c - format.Fixext1)
	}
	if families[c] == familyExt {
		argument = argument[:len(argument)-1] // drop the extension type
	}
	switch len(argument) {
	case 1:
		return int64(argument[0])
	case 2:
		return int64(binary.BigEndian.Uint16(argument))
	}
	return int64(binary.BigEndian.Uint32(argument))
}

// instance looks up the record whose id starts with the byte c. behind is the input after c. pair reports whether the
// id has a second byte, behind[0]. found is nil if there is no such record, or if the second byte is missing.
func (s *scanner) instance(c byte, behind []byte) (found *scanShape, pair bool) {
	if s.records != nil {
		pair = s.records.isPair(c)
	} else {
		pair = c >= firstPairID && s.dictionary.pairs()>>(c-firstPairID)&1 == 1
	}
	if pair && len(behind) == 0 {
		return nil, true
	}
	var known *shape
	if pair {
		found = s.records.ofPair(c, behind[0])
		known = s.dictionary.pair(c, behind[0])
	} else {
		found = s.records.ofOne(c)
		known = s.dictionary.one(c)
	}
	if found == nil && known != nil {
		found = &scanShape{count: int64(len(known.names)), known: known}
	}
	return found, pair
}

// enterChild notes that the value at offset at begins, and whether it is a record.
func (s *scanner) enterChild(at int, record bool) {
	s.begun = true
	n := len(s.stack)
	if n == 0 {
		return
	}
	f := &s.stack[n-1]
	f.left--
	s.owed--
	if f.inKey() {
		f.key = keyPlace{offset: at, record: record}
	}
}

// failUnknownRecord reports an id that is neither declared nor in the Dictionary. The values of such a record can't be
// counted, so the message has no known end.
func (s *scanner) failUnknownRecord(data []byte, at int, id string) error {
	s.enterChild(at, true)
	return s.fail(data, CodeUnknownRecord, at, unknownRecordText(id, s.dictionary), unknownRecordMend(s.dictionary))
}

// failRecord reports a fault in a declaration. The values of such a record can't be counted, so the message has no
// known end.
func (s *scanner) failRecord(data []byte, at int, what string) error {
	s.enterChild(at, true)
	return s.fail(data, CodeInvalidRecord, at, what, "the writer is at fault")
}

func (s *scanner) fail(data []byte, code Code, at int, what, mend string) error {
	var err error = &Error{Code: code, Offset: int64(at), what: what, mend: mend}
	for i := len(s.stack) - 1; i >= 0; i-- {
		f := &s.stack[i]
		switch {
		case f.inKey():
			err = inKey(err)
		case f.stage != stageChildren: // a fault in a declaration has the path of the record
		case f.kind == frameRecord:
			err = within(err, f.fieldName(data))
		default:
			err = within(err, f.segment(data))
		}
	}
	if s.depth > 0 {
		err = within(err, strconv.FormatInt(s.index, 10))
	}
	return located(err)
}

// fieldName returns the name of the record's field whose value was begun last.
func (f *scanFrame) fieldName(data []byte) string {
	if f.names.known != nil {
		return f.names.known.names[f.count-f.left-1]
	}
	d := Decoder{data: data, offset: f.names.offset, settings: defaultSettings()}
	for range f.count - f.left - 1 {
		_ = d.skip()
	}
	name, _ := d.text()
	return string(name)
}

// restart prepares for another value. The records declared so far stay declared.
func (s *scanner) restart() {
	s.offset, s.begun, s.owed, s.stack = 0, false, 0, s.stack[:0]
}

// follow prepares for the same value with a larger Dictionary. It undoes the declarations in this value. It keeps the
// declarations in earlier elements of an array.
func (s *scanner) follow(larger *Dictionary) {
	s.restart()
	s.dictionary = larger
	if s.depth == 0 {
		s.records = nil
	} else if s.records != nil {
		s.records.undoTo(0)
		s.records.follow(larger)
	}
}

// newScanner returns a scanner with the limits and the Dictionary of s.
func (s *settings) newScanner() scanner {
	return scanner{maxDepth: s.maxDepth, maxBytes: s.maxBytes, inline: s.inline(), dictionary: s.dictionary}
}
