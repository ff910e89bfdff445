package polypack

// Plan of the file: Elements, the iterator over one long array; then elements, which does the work of Elements without
// knowing T. Each element is scanned like a message. One Decoder decodes all elements, as after a call of
// DecodeArrayHeader. The Decoder keeps the declared records and the count of values of all elements.

import (
	"fmt"
	"io"
	"iter"
	"strconv"
)

// Elements returns an iterator over the elements of the one array in r. Each element is decoded into a new T as soon as
// it has arrived. No more than one element and the bytes of one read are held, so the array may be larger than memory.
// A value that isn't an array is decoded as Unmarshal decodes it into a []T, so nil has no elements.
//
// MaxBytes bounds each element, and the total length of the elements that declare records. MaxValues bounds all
// elements together.
//
// An error, including one of the reader or an option, comes with the zero T as the last pair. Offsets of errors count
// from the start of the input. Paths start at the array, for example "/17/name". If the input is truncated, the error
// is CodeUnexpectedEnd at the incomplete value, or an earlier fault in the same element. Bytes after the array are
// CodeTrailingData, reported after the last element.
//
// Use the iterator for one loop only, because the loop reads from r.
func Elements[T any](r io.Reader, opts ...Option) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		if err := eachElement(NewStreamDecoder(r, opts...), yield); err != nil {
			yield(zero, err)
		}
	}
}

// eachElement yields every element, and returns the error that ended the iteration. It returns nil at the end of the
// array, or if the loop ended early.
func eachElement[T any](s *StreamDecoder, yield func(T, error) bool) error {
	e := elements{stream: s}
	isArray, err := e.open()
	if err != nil {
		return err
	}
	if !isArray {
		var all []T
		if err := s.Decode(&all); err == io.EOF {
			return (&Decoder{}).failEnd()
		} else if err != nil {
			return err
		}
		for _, v := range all {
			if !yield(v, nil) {
				return nil
			}
		}
		return s.atEnd()
	}
	var v, zero T // the decoder fills v; the loop gets copies of v
	for e.left > 0 {
		v = zero
		if err := e.next(&v); err != nil {
			return err
		}
		if !yield(v, nil) {
			return nil
		}
	}
	return s.atEnd()
}

// elements reads an array in a stream. The next element has the index count−left.
type elements struct {
	stream      *StreamDecoder
	decoder     Decoder
	count, left int64
	declaring   int64 // bytes of the elements that declared records
	compared    int64 // bytes of the elements since boundKept last dropped the names in keys
}

// open reads the head of the array. If the input has another value, or ends or fails before the head is complete, open
// returns false, and the StreamDecoder must handle the input.
func (e *elements) open() (isArray bool, err error) {
	s := e.stream
	for {
		if s.err != nil {
			return false, nil
		}
		opened := true
		if s.unsettled && !s.opened {
			if opened, err = s.open(); err != nil {
				s.err = err
				return false, nil
			}
		}
		if rest := s.buf[s.start:]; opened && len(rest) > 0 {
			if families[rest[0]] != familyArray {
				return false, nil
			}
			if head := 1 + int(arguments[rest[0]]); len(rest) >= head {
				return true, e.begin(rest[:head])
			}
		}
		if s.readErr != nil {
			return false, nil
		}
		s.readErr = s.read()
	}
}

// begin opens the array with the given head. It can't compare the count with the bytes that remain, because the rest of
// the input is unknown. Each element is checked when it arrives.
func (e *elements) begin(head []byte) error {
	s, d := e.stream, &e.decoder
	*d = Decoder{data: head, base: s.base, settings: *s.message(), values: 1, tally: tally{hashedBytes: -hashedPerByte * int64(len(head))}}
	count, err := d.arrayHead()
	switch {
	case err != nil:
		return err
	case d.maxDepth < 1:
		return d.failDepth(0)
	case count > d.maxValues-d.values:
		return d.failValues(0)
	case d.lengths != nil && count > d.lengths.elements:
		return d.failLength(0, count, d.lengths.elements, "MaxArrayLen")
	}
	e.count, e.left = count, count
	d.values += count
	d.depth = 1
	d.frames = append(d.frames, frame{kind: frameArray, count: count, left: count})
	s.consume(len(head))
	s.scanner.depth = d.depth
	return nil
}

// next decodes the next element into the value that v points to.
func (e *elements) next(v any) error {
	s := e.stream
	s.scanner.index = e.count - e.left
	for {
		rest := s.buf[s.start:]
		complete, err := s.scan()
		switch {
		case err != nil:
			return err
		case complete:
			return e.decode(rest[:s.scanner.offset], v)
		case s.readErr == io.EOF:
			return e.decode(rest, v) // returns the error of the incomplete element
		case s.readErr != nil:
			return s.readErr
		}
		s.readErr = s.read()
	}
}

// decode decodes an element, and prepares for the next one.
func (e *elements) decode(element []byte, v any) error {
	s, d := e.stream, &e.decoder
	d.data, d.base, d.offset = element, s.base, 0
	d.namesBytes = 0
	if larger := s.scanner.dictionary; larger != d.dictionary {
		d.follow(larger)
	}
	d.owed = 1 // only this element, because d.data ends after it
	if err := d.Decode(v); err != nil {
		return err
	}
	e.left--
	d.hashedBytes -= hashedPerByte * int64(len(element)) // its bytes raise the limit for later elements, too
	if err := e.boundKept(int64(len(element))); err != nil {
		return err
	}
	s.consume(len(element))
	s.scanner.nextElement(d)
	return nil
}

// boundKept limits the memory that is kept for earlier elements: the names of records, and the names in keys that
// Decoder.comparable keeps. It fails if elements that declare records have more than MaxBytes together. It drops the
// names in keys whenever elements of more than MaxBytes have been read.
func (e *elements) boundKept(element int64) error {
	d := &e.decoder
	if e.compared += element; e.compared > d.maxBytes {
		d.numbers, d.shortNames, e.compared = nil, nil, 0
	}
	if r := e.stream.scanner.records; r == nil || len(r.log) == 0 {
		return nil
	}
	if e.declaring += element; e.declaring <= d.maxBytes {
		return nil
	}
	err := d.fail(CodeLimitExceeded, 0, fmt.Sprintf("the elements that declare records are longer than the limit %d bytes", d.maxBytes),
		"raise MaxBytes if the source is trusted")
	return located(within(err, strconv.FormatInt(e.count-e.left-1, 10)))
}

// nextElement prepares for the next element of an array. Records stay declared. The bytes of the decoded element may be
// overwritten soon, so the records that it declared get their names from d, which has copied the names.
func (s *scanner) nextElement(d *Decoder) {
	s.restart()
	if s.records == nil || d.records == nil {
		return
	}
	for _, declared := range s.records.log {
		if declared.pair {
			s.records.ofPair(declared.lo, declared.hi).known = d.records.ofPair(declared.lo, declared.hi)
		} else {
			s.records.ofOne(declared.lo).known = d.records.ofOne(declared.lo)
		}
	}
	s.records.log = s.records.log[:0]
}

// consume moves past the next n bytes of the buffer, and past the header before them.
func (s *StreamDecoder) consume(n int) {
	s.start += n
	s.base += int64(n)
	s.header = 0
}

// atEnd reports bytes after the value. If the reader fails instead of reporting io.EOF, atEnd returns the reader's
// error.
func (s *StreamDecoder) atEnd() error {
	for {
		switch {
		case len(s.buf) > s.start:
			d := Decoder{base: s.base}
			return d.fail(CodeTrailingData, 0, "bytes follow the value", "use Values or NewStreamDecoder for several values")
		case s.readErr == io.EOF:
			return nil
		case s.readErr != nil:
			return s.readErr
		}
		s.readErr = s.read()
	}
}
