package polypack

// Plan of the file: UnmarshalRead, which decodes a whole input as one value, and Values, which turns a StreamDecoder
// into an iterator. stream_elements.go has the iterator over a long array.

import (
	"fmt"
	"io"
	"iter"
	"math"
)

// UnmarshalRead reads r up to io.EOF and decodes the one value in it into the value that v points to; see Unmarshal. v
// must be a pointer that isn't nil. If the input has no end or holds several values, use NewStreamDecoder.
//
// Errors: those of Unmarshal, and CodeLimitExceeded for a value longer than MaxBytes, at the head that would exceed it.
// An error of the reader is returned as it is, and v stays as it was.
func UnmarshalRead(r io.Reader, v any, opts ...Option) error {
	s, err := settingsOf(opts)
	if err != nil {
		return err
	}
	if r == nil {
		return &UsageError{"UnmarshalRead", "the reader is nil"}
	}
	if _, err := targetOf("UnmarshalRead", v); err != nil {
		return err
	}
	data, err := readAll(r, int(min(s.maxBytes, math.MaxInt-bytesBeyond)+bytesBeyond))
	if err != nil {
		return err
	}
	if s.unsettled {
		return s.eachDictionary(data, 0, func(s *settings, data []byte, base int64) error { return s.unmarshalAll(data, base, v) })
	}
	return s.unmarshalAll(data, 0, v)
}

// bytesBeyond is how many bytes UnmarshalRead reads at most beyond MaxBytes: the header of the option Fingerprint,
// which MaxBytes doesn't count, and the head with which a message exceeds MaxBytes. The longest heads, those of 64-bit
// numbers, have 9 bytes.
const bytesBeyond = headerBytes + 9

// unmarshalAll is unmarshal for data from readAll, which may be longer than maxBytes.
func (s *settings) unmarshalAll(data []byte, base int64, v any) error {
	if int64(len(data)) > s.maxBytes {
		return s.tooLong(data, base, v)
	}
	return s.unmarshal(data, base, v)
}

// readAll reads r up to its end, or up to most bytes.
func readAll(r io.Reader, most int) ([]byte, error) {
	size := readBytes
	if sized, ok := r.(interface{ Len() int }); ok { // such as a bytes.Reader
		size = min(max(sized.Len(), 0), maxHint-1) + 1
	}
	buf := make([]byte, 0, min(size, most))
	for empty := 0; len(buf) < most; {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, min(2*cap(buf)+readBytes, most)), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		if n < 0 || n > cap(buf)-len(buf) {
			return nil, &UsageError{"UnmarshalRead", fmt.Sprintf("the reader claims to have read %d bytes", n)}
		}
		buf = buf[:len(buf)+n]
		switch {
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return nil, err
		case n > 0:
			empty = 0
		default:
			if empty++; empty == maxNoReads {
				return nil, io.ErrNoProgress
			}
		}
	}
	return buf, nil
}

// maxHint is the most memory, in bytes, that is allocated because a reader's Len method says so.
const maxHint = 1 << 20

// tooLong returns the error for data longer than maxBytes. If the value is too long, the scanner returns the error.
// Otherwise bytes follow the value, and unmarshal returns the error.
func (s *settings) tooLong(data []byte, base int64, v any) error {
	scan := s.newScanner()
	if _, err := scan.scan(data); err != nil {
		if e, ok := err.(*Error); ok {
			e.Offset += base
		}
		return err
	}
	return s.unmarshal(data, base, v)
}

// Values returns an iterator over the messages of a stream, each decoded into a new T; see StreamDecoder. The iterator
// ends at the end of the input. An error, including one of the reader or an option, comes with the zero T as the last
// pair.
//
// Use the iterator for one loop only. It may read beyond the message that it yields, so a loop that breaks leaves an
// unknown part of r unread. If you need the rest, use a StreamDecoder and its method Buffered.
func Values[T any](r io.Reader, opts ...Option) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		s := NewStreamDecoder(r, opts...)
		var v, zero T // the decoder fills v; the loop gets copies of v
		for {
			v = zero
			switch err := s.Decode(&v); {
			case err == io.EOF:
				return
			case err != nil:
				yield(zero, err)
				return
			case !yield(v, nil):
				return
			}
		}
	}
}
