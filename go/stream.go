package polypack

// Plan of the file: the StreamDecoder. It reads bytes, keeps those of an incomplete message, and decodes the message
// once the scanner has seen its end. In stream_scanner.go, scan finds where a message ends and enforces MaxBytes.

import (
	"bytes"
	"fmt"
	"io"
)

// A StreamDecoder reads messages one after the other from a reader. It takes time linear in the bytes, however the
// reader splits them. It keeps at most the bytes of one message, limited by MaxBytes, and of one read.
//
// Every complete message is delivered before a fault after it is reported. An error ends the stream: every later call
// returns it, unless Resume goes on. Offsets of errors count from the start of the stream; paths start at the message.
//
// A StreamDecoder must not be used by several goroutines at once.
type StreamDecoder struct {
	reader io.Reader
	settings
	scanner scanner
	buf     []byte // buf[start:] has been read but not yet decoded
	start   int
	base    int64 // offset of buf[start] in the stream
	// opened means that the header of the message was read, or that it has none; behindHeader, that it had one.
	opened, behindHeader bool
	readErr              error // the latest error of the reader; the bytes read before it are decoded first
	err                  error // what ended the stream
	refused              int   // bytes of the complete message that ended it; 0 if something else did
	readFailed           bool  // err is that of the reader
}

const (
	readBytes  = 4096
	maxNoReads = 100 // reads in a row without a byte or an error
)

// NewStreamDecoder returns a StreamDecoder for r. It may read beyond the message that it returns. An option out of its
// range is reported as a UsageError by every call.
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

// Decode reads the next message into the value that v, a pointer that is not nil, points to; see Unmarshal. Errors:
// io.EOF at the end of the input, CodeUnexpectedEnd inside a message, CodeLimitExceeded for a message longer than
// MaxBytes, and those of Unmarshal except CodeTrailingData. An error of the reader is returned as it is.
func (s *StreamDecoder) Decode(v any) error {
	if _, err := targetOf("StreamDecoder.Decode", v); err != nil {
		return err
	}
	if err := s.usable(); err != nil {
		return err
	}
	return s.next(v, func(s *settings, message []byte, base int64) error { return s.unmarshal(message, base, v) })
}

// next waits for the next message and lets use read it. target is what use decodes into.
func (s *StreamDecoder) next(target any, use func(s *settings, message []byte, base int64) error) error {
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

// ended reports the end of the input, which may be inside a message.
func (s *StreamDecoder) ended(v any) error {
	rest := s.buf[s.start:]
	switch {
	case s.readErr != io.EOF:
		s.err, s.readFailed = s.readErr, true
		return s.err
	case len(rest) == 0 && !s.behindHeader:
		s.err = io.EOF
		return s.err
	}
	if s.unsettled && !s.opened {
		s.err = s.unmarshal(rest, s.base, v)
	} else {
		s.err = s.message().unmarshal(rest, s.base, v)
	}
	if s.err == nil { // unreachable: what the scanner calls incomplete, the decoder refuses
		d := Decoder{data: rest, base: s.base}
		s.err = d.failEnd()
	}
	return s.err
}

// scan continues through the message and reports whether it is complete.
func (s *StreamDecoder) scan() (complete bool, err error) {
	if s.unsettled && !s.opened {
		if opened, err := s.open(); err != nil || !opened {
			return false, err
		}
	}
	complete, err = s.scanner.scan(s.buf[s.start:])
	if s.stored != nil && err != nil && (s.scanner.depth == 0 || s.scanner.records == nil) {
		larger, loadErr := s.larger(s.scanner.dictionary, err)
		switch {
		case loadErr != nil:
			return false, loadErr
		case larger != nil:
			s.scanner.dictionary, s.scanner.records = larger, nil
			s.scanner.restart()
			complete, err = s.scanner.scan(s.buf[s.start:])
		}
	}
	if e, ok := err.(*Error); ok {
		e.Offset += s.base
	}
	return complete, err
}

// open settles the Dictionary of the next message, and reads its header. It returns false if the header has not arrived
// yet.
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
	s.opened, s.behindHeader = true, header > 0
	return true, nil
}

// message returns the settings for a message whose header was read.
func (s *StreamDecoder) message() *settings {
	if !s.unsettled {
		return &s.settings
	}
	own := s.settled()
	own.dictionary = s.scanner.dictionary
	return &own
}

// InputOffset returns the offset in the stream where the next message starts.
func (s *StreamDecoder) InputOffset() int64 { return s.base }

// Buffered returns a reader of the bytes that have been read after the latest decoded message. It is valid
// until the next call of Decode.
func (s *StreamDecoder) Buffered() io.Reader { return bytes.NewReader(s.buf[s.start:]) }

// nextMessage prepares for the message at buf[start].
func (s *StreamDecoder) nextMessage() {
	s.scanner.restart()
	s.scanner.records = nil
	s.opened, s.behindHeader = false, false
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
