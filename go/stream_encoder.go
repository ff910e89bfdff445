package polypack

// Plan of the file: StreamEncoder, which writes one message after the other to a writer; MarshalWrite, which writes a
// single message; and writeMessage, which both use.

import (
	"fmt"
	"io"
)

// keptBytes is the largest size, in bytes, of a buffer that a StreamEncoder keeps from one message to the next.
const keptBytes = 64 << 10

// A StreamEncoder writes messages one after the other to a writer, each with one call of Write. A StreamDecoder reads
// them.
//
// If a value can't be encoded, nothing is written, and the stream continues. An error of the writer ends the stream,
// because it is unknown how much of the message arrived. Every later call returns the error of the writer.
//
// A method or writer that Encode calls may call Encode for a message of its own. The message of a method comes before
// the message that is being encoded. A writer decides itself where its own message comes.
//
// A StreamEncoder must not be used by several goroutines at once.
type StreamEncoder struct {
	writer io.Writer
	settings
	buf []byte
	err error // the error that ended the stream, or the error of an invalid option
}

// NewStreamEncoder returns a StreamEncoder for w. Encode reports a nil w or an option out of its range as a UsageError.
func NewStreamEncoder(w io.Writer, opts ...Option) *StreamEncoder {
	s, err := newSettings(opts)
	if err == nil && w == nil {
		err = &UsageError{"NewStreamEncoder", "the writer is nil"}
	}
	return &StreamEncoder{writer: w, settings: s, err: err}
}

// Encode writes the encoding of v as the next message; see Marshal. Errors: those of Marshal. An error of the writer is
// returned as it is.
func (s *StreamEncoder) Encode(v any) error {
	if s.types == nil {
		return &UsageError{"StreamEncoder", "it has no writer; make it with NewStreamEncoder"}
	}
	if s.err != nil {
		return s.err
	}
	buf := s.buf
	s.buf = nil // a nested call needs a buffer of its own
	message, err := s.append(buf[:0], v)
	switch {
	case err != nil:
		s.buf = buf
		return err
	case s.err != nil: // the writer failed in a nested call
		return s.err
	}
	if err := writeMessage("NewStreamEncoder", s.writer, message); err != nil {
		s.err = err
		return err
	}
	if cap(message) <= keptBytes {
		s.buf = message
	}
	return nil
}

// MarshalWrite writes the encoding of v to w with one call of Write; see Marshal. If the value can't be encoded,
// nothing is written. Errors: those of Marshal. An error of the writer is returned as it is.
func MarshalWrite(w io.Writer, v any, opts ...Option) error {
	s, err := settingsOf(opts)
	if err != nil {
		return err
	}
	if w == nil {
		return &UsageError{"MarshalWrite", "the writer is nil"}
	}
	message, err := s.append(nil, v)
	if err != nil {
		return err
	}
	return writeMessage("MarshalWrite", w, message)
}

// writeMessage writes a whole message with one call of Write. call is the function that a UsageError names.
func writeMessage(call string, w io.Writer, message []byte) error {
	n, err := w.Write(message)
	switch {
	case n < 0 || n > len(message):
		return &UsageError{call, fmt.Sprintf("the writer claims to have written %d of %d bytes", n, len(message))}
	case err == nil && n < len(message):
		return io.ErrShortWrite
	}
	return err
}
