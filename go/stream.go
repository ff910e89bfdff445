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
// returns it. Offsets of errors count from the start of the stream; paths start at the message.
//
// A StreamDecoder must not be used by several goroutines at once.
type StreamDecoder struct {
	reader io.Reader
	settings
	scanner scanner
	buf     []byte // buf[start:] has been read but not yet decoded
	start   int
	base    int64 // offset of buf[start] in the stream
	readErr error // the latest error of the reader; the bytes read before it are decoded first
	err     error // what ended the stream
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

// InputOffset returns the offset in the stream where the next message starts.
func (s *StreamDecoder) InputOffset() int64 { return s.base }

// Buffered returns a reader of the bytes that have been read after the latest decoded message. It is valid
// until the next call of Decode.
func (s *StreamDecoder) Buffered() io.Reader { return bytes.NewReader(s.buf[s.start:]) }

// nextMessage prepares for the message at buf[start].
func (s *StreamDecoder) nextMessage() {
	s.scanner.restart()
	s.scanner.records = nil
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
