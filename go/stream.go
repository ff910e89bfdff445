package polypack

// Plan of the file: the StreamDecoder. It reads bytes, keeps the bytes of an incomplete message, and decodes the
// message once the scanner has seen its end. In stream_scanner.go, scan finds where a message ends and enforces
// MaxBytes.

import (
	"bytes"
	"fmt"
	"io"
)

// A StreamDecoder reads messages one after the other from a reader. The time is linear in the number of bytes, however
// the reader splits them. A StreamDecoder keeps at most the bytes of one message, limited by MaxBytes, and the bytes of
// one read.
//
// A StreamDecoder delivers every complete message before it reports a fault in a later one. An error in the data or
// from the reader ends the stream: every later call returns the same error, until Resume lets the stream go on. Offsets
// of errors count from the start of the stream. Paths start at the message.
//
// A method or reader that a StreamDecoder calls must not use that StreamDecoder. If it does, Decode, Skip and Peek
// return a UsageError.
//
// A StreamDecoder must not be used by several goroutines at once.
type StreamDecoder struct {
	reader io.Reader
	settings
	scanner scanner
	buf     []byte // buf[start:] has been read but not yet decoded
	start   int
	base    int64 // offset of buf[start] in the stream
	opened  bool  // open has read the header of the message, or has found that there is none
	// header is the length, in bytes, of the message's header (see the option Fingerprint), or 0. The header stays in
	// front of buf[start], because Buffered returns it until the message is consumed.
	header     int
	readErr    error // the latest error of the reader; the bytes read before it are decoded first
	err        error // the error that ended the stream, or the error of an invalid option
	refused    int   // length in bytes of the complete message that err is about; 0 if there is none
	readFailed bool  // err is an error of the reader
	inUse      bool  // a call is running
}

const (
	readBytes  = 4096
	maxNoReads = 100 // reads in a row without a byte or an error, before io.ErrNoProgress
)

// NewStreamDecoder returns a StreamDecoder for r. The StreamDecoder may read more of r than the message that it
// decodes. Decode, Skip and Peek report a nil r, StringsZeroCopy, or an option out of its range as a UsageError.
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

// Decode reads the next message into the value that v points to; see Unmarshal. v must be a pointer that isn't nil.
// Errors: io.EOF at the end of the input, CodeUnexpectedEnd if the input ends inside a message, CodeLimitExceeded for a
// message longer than MaxBytes, and those of Unmarshal except CodeTrailingData. An error of the reader is returned as
// it is. The UsageError for a v that isn't such a pointer leaves the stream as it was.
func (s *StreamDecoder) Decode(v any) error {
	if _, err := targetOf("StreamDecoder.Decode", v); err != nil {
		return err
	}
	if err := s.usable(); err != nil {
		return err
	}
	return s.next(v, func(s *settings, message []byte, base int64) error { return s.unmarshal(message, base, v) })
}

// streamInUse is the error for a method or reader that uses the StreamDecoder that has called it.
var streamInUse error = &UsageError{"StreamDecoder", "it is in a call already, which has called this method or reader; use the Decoder of UnmarshalMsgpackFrom"}

// begin and done mark the start and the end of a call, in which methods and readers can't use the stream.
func (s *StreamDecoder) begin() { s.inUse = true }
func (s *StreamDecoder) done()  { s.inUse = false }

// next reads until the next message is complete, and calls use with the message. If the input ends inside the message,
// ended decodes the message into target to get the error.
func (s *StreamDecoder) next(target any, use func(s *settings, message []byte, base int64) error) error {
	s.begin()
	defer s.done()
	for {
		complete, err := s.scan()
		switch {
		case err != nil:
			s.err = err
			return err
		case complete:
			message := s.buf[s.start : s.start+int(s.scanner.offset)]
			if err := use(s.message(), message, s.base); err != nil {
				s.err, s.refused = err, len(message)
				return err
			}
			s.consume(len(message))
			s.nextMessage()
			return nil
		case s.readErr != nil:
			return s.ended(target)
		}
		s.readErr = s.read()
	}
}

// ended returns the error of the reader, or io.EOF at the end of the input. If the input ends inside a message, ended
// decodes the incomplete message into v, which gives the error.
func (s *StreamDecoder) ended(v any) error {
	rest := s.buf[s.start:]
	switch {
	case s.readErr != io.EOF:
		s.err, s.readFailed = s.readErr, true
		return s.err
	case len(rest) == 0 && s.header == 0:
		s.err = io.EOF
		return s.err
	}
	if s.unsettled && !s.opened {
		s.err = s.unmarshal(rest, s.base, v)
	} else {
		s.err = s.message().unmarshal(rest, s.base, v)
	}
	if s.err == nil { // unreachable, because the decoder refuses an incomplete message
		d := Decoder{data: rest, base: s.base}
		s.err = d.failEnd()
	}
	return s.err
}

// scan continues through the message and reports whether the message is complete. If the message has an unknown record
// and the store of StoredRecords has a larger Dictionary, scan starts the message again with the larger Dictionary.
func (s *StreamDecoder) scan() (complete bool, err error) {
	if s.unsettled && !s.opened {
		if opened, err := s.open(); err != nil || !opened {
			return false, err
		}
	}
	complete, err = s.scanner.scan(s.buf[s.start:])
	if s.stored != nil && err != nil {
		reloaded, loadErr := s.reload(err)
		switch {
		case loadErr != nil:
			return false, loadErr
		case reloaded:
			complete, err = s.scanner.scan(s.buf[s.start:])
		}
	}
	if e, ok := err.(*Error); ok {
		e.Offset += s.base
	}
	return complete, err
}

// reload reports whether err is an unknown record and the store has a larger Dictionary. If so, the scanner starts the
// message, or the element of Elements, again with the larger Dictionary.
func (s *StreamDecoder) reload(err error) (reloaded bool, loadErr error) {
	larger, loadErr := s.larger(s.scanner.dictionary, err)
	if larger == nil {
		return false, loadErr
	}
	s.scanner.follow(larger)
	return true, nil
}

// open chooses the Dictionary of the next message and reads the header of the message, if there is one. It returns
// false if more bytes must arrive first.
func (s *StreamDecoder) open() (opened bool, err error) {
	rest := s.buf[s.start:]
	dictionary := s.settings.dictionary
	if s.stored != nil {
		dictionary = s.stored.Dictionary()
	}
	header := 0
	if s.fingerprint {
		if len(rest) == 0 || mayBeHeader(rest) && len(rest) < headerBytes {
			return false, nil
		}
		if header, dictionary, err = s.openHeader(rest, s.base, dictionary); err != nil {
			return false, err
		}
	}
	s.scanner.dictionary = dictionary
	s.consume(header)
	s.opened, s.header = true, header
	return true, nil
}

// message returns the settings for the current message, with the Dictionary that open or reload has chosen for it.
func (s *StreamDecoder) message() *settings {
	if !s.unsettled {
		return &s.settings
	}
	own := s.settled()
	own.dictionary = s.scanner.dictionary
	return &own
}

// InputOffset returns the offset in the stream where the next message starts. A header (see Fingerprint) is part of its
// message.
func (s *StreamDecoder) InputOffset() int64 { return s.base - int64(s.header) }

// Buffered returns a reader of the bytes that have been read already, from InputOffset on. The returned reader is valid
// until the next call of Decode, Skip or Peek.
func (s *StreamDecoder) Buffered() io.Reader { return bytes.NewReader(s.buf[s.start-s.header:]) }

// nextMessage prepares for the message at buf[start].
func (s *StreamDecoder) nextMessage() {
	s.scanner.restart()
	s.scanner.records = nil
	s.opened = false
}

// read reads until the reader returns bytes or an error, at most maxNoReads times. Copying takes time linear in the
// bytes read: buffered bytes move to the front only after earlier bytes were consumed, and the buffer at least doubles
// when it grows.
func (s *StreamDecoder) read() error {
	if cap(s.buf)-len(s.buf) < readBytes/2 {
		if from := s.start - s.header; from > 0 {
			s.buf = s.buf[:copy(s.buf, s.buf[from:])]
			s.start = s.header
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
