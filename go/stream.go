package polypack

// Plan of the file: the scanner, which finds out where a message ends, and the StreamDecoder around it, which reads,
// keeps the bytes of the message that is incomplete, and decodes it once it is whole.
//
// The scanner looks at each head once, however the bytes are cut: it keeps its own stack and goes on where it stopped.
// It reports the faults that spec/06-limits.md#streams wants reported early, before every other fault of the message;
// everything else is left to the decoder, which sees the message as a one-shot call would.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"

	"github.com/polypack/polypack/go/internal/format"
)

// A scanner goes through the heads of one message. Offsets count from the start of the message.
type scanner struct {
	maxDepth int
	maxBytes int64
	inline   bool
	depth    int   // containers around the message: 1 when it is an element, see stream_elements.go
	index    int64 // of that element

	offset int64       // where the next head starts: behind all bodies seen so far, maybe beyond the bytes at hand
	begun  bool        // the head of the top value has been seen
	owed   int64       // values still to come
	stack  []scanFrame // open containers, outermost first
	// records holds the count of names of each declared record; nil before the first.
	records    *recordTable[scanShape]
	dictionary *Dictionary
}

// A scanFrame is an open container. A record is one container in three stages.
type scanFrame struct {
	frame
	stage scanStage
	id    [2]byte // of the declaration; id[1] counts when pair is set
	pair  bool
	names scanShape // of a record
}

type scanStage uint8

const (
	stageChildren scanStage = iota
	stageNames              // the array of names is next
	stageName               // one of the names is next
)

// A scanShape is where the names of a record are, and how many.
type scanShape struct {
	offset int
	count  int64
	known  *shape // of the Dictionary; nil when the names are at offset
}

// scan goes on through data, the bytes of the message so far, and reports whether the message is complete: it ends at
// s.offset.
func (s *scanner) scan(data []byte) (complete bool, err error) {
	if !s.begun && !s.inline { // mostly the whole message is at hand, and nothing wrong with it
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

// leave closes the containers that are complete, and declares the records whose names are.
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

// head looks at the head that starts at data[at]. more is false when the head is not all there yet.
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
		promised = 2 * children // each name, and the value for it
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

// declared returns the length or count in a head: of the head byte c and the argument behind it.
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
		argument = argument[:len(argument)-1] // the type
	}
	switch len(argument) {
	case 1:
		return int64(argument[0])
	case 2:
		return int64(binary.BigEndian.Uint16(argument))
	}
	return int64(binary.BigEndian.Uint32(argument))
}

// instance returns the shape that the byte c, which may be an id, or c and the byte behind it (pair) is the id of. A
// pair without a shape is either incomplete or unknown.
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
		f.key = keyPlace{at, record}
	}
}

// failUnknownRecord reports an id that nobody declared. What follows it cannot be counted either.
func (s *scanner) failUnknownRecord(data []byte, at int, id string) error {
	s.enterChild(at, true)
	return s.fail(data, CodeUnknownRecord, at, unknownRecordText(id, s.dictionary), unknownRecordMend(s.dictionary))
}

// failRecord reports a fault of a declaration. What follows it cannot be counted, so the message has no known end.
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
		case f.stage != stageChildren: // in the declaration: the path is that of the record
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

// fieldName finds the name of the field of a record whose value was begun last.
func (f *scanFrame) fieldName(data []byte) string {
	if f.names.known != nil {
		return readable([]byte(f.names.known.names[f.count-f.left-1]))
	}
	d := Decoder{data: data, offset: f.names.offset, settings: defaultSettings()}
	for range f.count - f.left - 1 {
		_ = d.skip()
	}
	name, _ := d.text()
	return readable(name)
}

// A StreamDecoder reads messages one after the other from a reader. It costs time linear in the bytes, however the
// reader cuts them, and keeps at most one message, MaxBytes long, and one read.
//
// Every message that is complete is delivered before a fault behind it is reported. An error ends the stream: it is
// returned by every later call. Offsets of errors count from the start of the stream, paths start at the message.
//
// A StreamDecoder must not be used by several goroutines at once.
type StreamDecoder struct {
	reader io.Reader
	settings
	scanner scanner
	buf     []byte // read and not yet decoded bytes are buf[start:]
	start   int
	base    int64 // offset of buf[start] in the stream
	readErr error // what the reader said last; its bytes come first
	err     error // what ended the stream
}

const (
	readBytes  = 4096
	maxNoReads = 100 // reads in a row that brought nothing
)

// NewStreamDecoder returns a StreamDecoder for r. It may read beyond the message that it returns. An option out of its
// range is reported as a UsageError by the first call.
func NewStreamDecoder(r io.Reader, opts ...Option) *StreamDecoder {
	s, err := newSettings(opts)
	switch {
	case err != nil:
	case r == nil:
		err = &UsageError{"NewStreamDecoder", "the reader is nil"}
	case s.strings == StringsZeroCopy:
		err = &UsageError{"NewStreamDecoder", "the buffer of a stream is used again, so strings cannot be views of it; leave StringsZeroCopy out"}
	}
	d := &StreamDecoder{reader: r, settings: s, err: err}
	d.scanner = d.newScanner()
	return d
}

// Decode reads the next message into what v, a pointer that is not nil, points to; see Unmarshal. At the end of the
// input it returns io.EOF; inside a message, that is CodeUnexpectedEnd. An error of the reader is returned as it is.
func (s *StreamDecoder) Decode(v any) error {
	if _, err := targetOf("StreamDecoder.Decode", v); err != nil {
		return err
	}
	if s.types == nil {
		return &UsageError{"StreamDecoder", "it has no reader; make it with NewStreamDecoder"}
	}
	if s.err != nil {
		return s.err
	}
	for {
		complete, err := s.scanner.scan(s.buf[s.start:])
		switch {
		case err != nil:
			return s.end(err)
		case complete:
			message := s.buf[s.start : s.start+int(s.scanner.offset)]
			if err := s.unmarshal(message, s.base, v); err != nil {
				s.err = err
				return err
			}
			s.consume(len(message))
			s.nextMessage()
			return nil
		case s.readErr != nil:
			return s.ended(v)
		}
		s.readErr = s.read()
	}
}

// ended reports the end of the input, which may be inside a message.
func (s *StreamDecoder) ended(v any) error {
	rest := s.buf[s.start:]
	switch {
	case s.readErr != io.EOF:
		s.err = s.readErr
		return s.err
	case len(rest) == 0:
		s.err = io.EOF
		return s.err
	}
	s.err = s.unmarshal(rest, s.base, v)
	if s.err == nil { // unreachable: what the scanner calls incomplete, the decoder refuses
		d := Decoder{data: rest, base: s.base}
		s.err = d.failEnd()
	}
	return s.err
}

// end ends the stream with a fault of the scanner.
func (s *StreamDecoder) end(err error) error {
	if e, ok := err.(*Error); ok {
		e.Offset += s.base
	}
	s.err = err
	return err
}

// InputOffset returns how many bytes of the stream the messages decoded so far are long: where the next one starts.
func (s *StreamDecoder) InputOffset() int64 { return s.base }

// Buffered returns a reader of the bytes that have been read behind the last message that was decoded. It is valid
// until the next call of Decode.
func (s *StreamDecoder) Buffered() io.Reader { return bytes.NewReader(s.buf[s.start:]) }

// nextMessage prepares for the message at buf[start].
func (s *StreamDecoder) nextMessage() {
	s.scanner.restart()
	s.scanner.records = nil
}

// restart prepares for another value, in which the records declared so far count.
func (s *scanner) restart() {
	s.offset, s.begun, s.owed, s.stack = 0, false, 0, s.stack[:0]
}

// newScanner returns a scanner with the limits of s.
func (s *settings) newScanner() scanner {
	return scanner{maxDepth: s.maxDepth, maxBytes: s.maxBytes, inline: s.inline(), dictionary: s.dictionary}
}

// read reads once more. The bytes at hand move to the front at most once per message, and memory doubles only when it
// is full, so both stay linear in the bytes read.
func (s *StreamDecoder) read() error {
	if cap(s.buf)-len(s.buf) < readBytes/2 {
		if s.start > 0 {
			s.buf = s.buf[:copy(s.buf, s.buf[s.start:])]
			s.start = 0
		}
		if cap(s.buf)-len(s.buf) < readBytes/2 {
			s.buf = append(make([]byte, 0, 2*cap(s.buf)+readBytes), s.buf...)
		}
	}
	for range maxNoReads {
		n, err := s.reader.Read(s.buf[len(s.buf):cap(s.buf)])
		if n < 0 || n > cap(s.buf)-len(s.buf) {
			return &UsageError{"NewStreamDecoder", fmt.Sprintf("the reader claims to have read %d bytes", n)}
		}
		s.buf = s.buf[:len(s.buf)+n]
		if n > 0 || err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}
