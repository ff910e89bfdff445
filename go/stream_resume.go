package polypack

// Plan of the file: the methods of StreamDecoder that tell the kind of the next message, step over it, and go on after
// an error.

import "errors"

// Peek returns the Kind of the next message as soon as enough bytes of the message have arrived. It doesn't step over
// the message. Errors: io.EOF at the end of the input, and those of Decoder.Peek. An error of the reader is returned as
// it is.
func (s *StreamDecoder) Peek() (Kind, error) {
	if err := s.usable(); err != nil {
		return KindInvalid, err
	}
	s.begin()
	defer s.done()
	for mayReload := true; ; {
		opened := true
		if s.unsettled && !s.opened {
			var err error
			if opened, err = s.open(); err != nil {
				s.err = err
				return KindInvalid, err
			}
		}
		if rest := s.buf[s.start:]; opened && len(rest) > 0 {
			d := Decoder{data: rest, base: s.base, settings: *s.message(), values: 1}
			kind, err := d.kind()
			if err == nil {
				return kind, nil
			}
			if !errors.Is(err, CodeUnexpectedEnd) {
				if mayReload {
					reloaded, loadErr := s.reload(err)
					if reloaded {
						mayReload = false
						continue
					}
					if loadErr != nil {
						err = loadErr
					}
				}
				return KindInvalid, s.faulty(err)
			}
		}
		if s.readErr != nil {
			return KindInvalid, s.ended(new(any))
		}
		s.readErr = s.read()
	}
}

// faulty ends the stream with err, a fault in the head of the next message. It also finds out whether Resume can step
// over the message. Resume can do so if the whole message has been read and the scanner accepts it.
func (s *StreamDecoder) faulty(err error) error {
	s.err = err
	if complete, _ := s.scanner.scan(s.buf[s.start:]); complete {
		s.refused = int(s.scanner.offset)
	}
	return err
}

// Skip steps over the next message. It checks the message like Decode, but the values needn't fit Go types. Errors:
// those of StreamDecoder.Decode. CodeTypeMismatch, CodeOutOfRange and CodeInvalidKey occur only if the input ends
// inside the message.
func (s *StreamDecoder) Skip() error {
	if err := s.usable(); err != nil {
		return err
	}
	return s.next(new(any), func(s *settings, message []byte, base int64) error {
		d := Decoder{data: message, base: base, settings: *s, values: 1}
		return located(d.skip())
	})
}

// usable returns the error that every call must return, or nil if the stream can go on.
func (s *StreamDecoder) usable() error {
	if s.types == nil && s.err == nil {
		return &UsageError{"StreamDecoder", "it has no reader; make it with NewStreamDecoder"}
	}
	if s.inUse {
		return streamInUse
	}
	return s.err
}

// Resume lets the stream go on after an error, and reports whether the stream can go on.
//
// The stream can go on if the end of the faulty message is known. Examples are a value that doesn't fit the target,
// invalid UTF-8 and equal keys. Then the next call reads the message after the faulty one. The stream can also go on
// after an error of the reader whose method Timeout reports true, for example at a read deadline. Nothing was lost, so
// the next call waits for the rest of the message that has begun.
//
// The stream can't go on if the start of the next message is unknown. Examples are the byte c1, which starts no value,
// and a message longer than MaxBytes. It also can't go on after the end of the input, or after any other error of the
// reader.
func (s *StreamDecoder) Resume() bool {
	var timeout interface{ Timeout() bool }
	switch {
	case s.inUse:
		return false
	case s.err == nil:
		return s.types != nil
	case s.refused > 0:
		s.consume(s.refused)
		s.nextMessage()
	case s.readFailed && errors.As(s.err, &timeout) && timeout.Timeout():
		s.readErr = nil
	default:
		return false
	}
	s.err, s.refused, s.readFailed = nil, 0, false
	return true
}
