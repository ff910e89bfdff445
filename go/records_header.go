package polypack

// Plan of the file: the option Fingerprint; fingerprints of a Dictionary; then the code that chooses the Dictionary of
// each message. The choice depends on the header of the message (spec/05-records.md#header) and on the shapes that a
// StoredDictionary has by then.

import (
	"encoding/binary"
	"slices"

	"github.com/polypack/polypack/go/internal/format"
)

const (
	headerMark  = 0x50 // second byte of a header; the first is format.Reserved
	headerBytes = 10   // format.Reserved, headerMark and the 8 bytes of the fingerprint

	// The constants of 64-bit FNV-1a.
	fingerprintBasis uint64 = 0xcbf29ce484222325
	fingerprintPrime uint64 = 0x100000001b3
)

// Fingerprint puts a header of ten bytes in front of each message, even if the message has no records. The header
// identifies the Dictionary of the writer. A reader with this option accepts the header if the reader's Dictionary
// equals the writer's or begins with it. With StoredRecords, the reader loads a larger Dictionary first if it doesn't
// know the header's fingerprint. The reader refuses any other header as CodeInvalidRecord, instead of reading values
// under wrong names. It also accepts messages without a header. Readers without the option refuse the header as
// CodeReservedByte. Fingerprint needs SharedRecords or StoredRecords. An Encoder doesn't support the option, because it
// doesn't know where messages begin.
func Fingerprint() Option {
	return optionFunc(func(s *settings) error {
		s.fingerprint = true
		return nil
	})
}

// extended returns the fingerprint of a Dictionary after the shape s has been added. The parameter fingerprint is the
// one before s is added. A nil s stands for a position without a shape.
func extended(fingerprint uint64, s *shape) uint64 {
	encoded := []byte{format.Nil}
	if s != nil {
		encoded = append(appendArrayHead(encoded[:0], len(s.names)), encodedNames(s.names)...)
	}
	for _, b := range encoded {
		fingerprint = (fingerprint ^ uint64(b)) * fingerprintPrime
	}
	return fingerprint
}

// fingerprint returns the fingerprint of d, which covers all its shapes.
func (d *Dictionary) fingerprint() uint64 {
	if n := len(d.fingerprints); n > 0 {
		return d.fingerprints[n-1]
	}
	return fingerprintBasis
}

// recognizes reports whether the fingerprint belongs to d, to a smaller Dictionary with which d begins, or to an empty
// Dictionary.
func (d *Dictionary) recognizes(fingerprint uint64) bool {
	return fingerprint == d.fingerprint() || fingerprint == fingerprintBasis || slices.Contains(d.fingerprints, fingerprint)
}

// settled returns the settings for the values of one message, without Fingerprint and StoredRecords. If there is a
// StoredDictionary, the settings have its current Dictionary.
func (s *settings) settled() settings {
	own := *s
	own.fingerprint, own.stored, own.unsettled = false, nil, false
	if s.stored != nil {
		own.dictionary = s.stored.Dictionary()
	}
	return own
}

// eachDictionary calls read with the message in data, after the header that the option Fingerprint allows. If read
// fails with CodeUnknownRecord and the store has a larger Dictionary, eachDictionary calls read again with the larger
// Dictionary. data starts at offset base of a stream.
func (s *settings) eachDictionary(data []byte, base int64, read func(s *settings, data []byte, base int64) error) error {
	own := s.settled()
	header := 0
	if s.fingerprint {
		var err error
		if header, own.dictionary, err = s.openHeader(data, base, own.dictionary); err != nil {
			return err
		}
	}
	err := read(&own, data[header:], base+int64(header))
	if larger, loadErr := s.larger(own.dictionary, err); loadErr != nil {
		return loadErr
	} else if larger != nil {
		own.dictionary = larger
		err = read(&own, data[header:], base+int64(header))
	}
	return err
}

// larger asks the store for a Dictionary that is larger than known, if err is CodeUnknownRecord. It returns nil for any
// other err, without a store, or if the store has no larger Dictionary.
func (s *settings) larger(known *Dictionary, err error) (*Dictionary, error) {
	e, ok := err.(*Error)
	if !ok || e.Code != CodeUnknownRecord || s.stored == nil {
		return nil, nil
	}
	return s.stored.larger(known)
}

// mayBeHeader reports whether data starts with a header, complete or not.
func mayBeHeader(data []byte) bool {
	return len(data) > 0 && data[0] == format.Reserved && (len(data) == 1 || data[1] == headerMark)
}

// openHeader reads the header at the start of data, and returns the header's length, or 0 if there is none. It also
// returns the Dictionary for the message: known, or a larger one from the store if known lacks the fingerprint.
func (s *settings) openHeader(data []byte, base int64, known *Dictionary) (length int, dictionary *Dictionary, err error) {
	if !mayBeHeader(data) {
		return 0, known, nil
	}
	d := Decoder{data: data, base: base}
	if len(data) < headerBytes {
		return 0, nil, d.fail(CodeUnexpectedEnd, 0, "the header is cut off", "the input is truncated")
	}
	fingerprint := binary.BigEndian.Uint64(data[2:])
	if !known.recognizes(fingerprint) && s.stored != nil {
		larger, err := s.stored.larger(known)
		if err != nil {
			return 0, nil, err
		}
		if larger != nil {
			known = larger
		}
	}
	if !known.recognizes(fingerprint) {
		return 0, nil, d.failRecord(0, "the message has the fingerprint of another Dictionary", "load the Dictionary of the writer")
	}
	return headerBytes, known, nil
}

// appendUnsettled does what the method append does, for settings with Fingerprint or StoredRecords.
func (s *settings) appendUnsettled(dst []byte, v any) ([]byte, error) {
	own := s.settled()
	out := dst
	if s.fingerprint {
		out = append(dst, format.Reserved, headerMark)
		out = binary.BigEndian.AppendUint64(out, own.dictionary.fingerprint())
	}
	out, err := own.append(out, v)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// openMessage prepares d for the next message. It takes the Dictionary that the StoredDictionary has now, if there is
// one. With Fingerprint, it steps over the header of the message, if there is one. m is the mark of begin.
func (d *Decoder) openMessage(m mark) error {
	if d.stored != nil {
		d.dictionary = d.stored.Dictionary()
	}
	if !d.settings.fingerprint {
		return nil
	}
	var length int
	var dictionary *Dictionary
	err := d.inUse(&m, func() (err error) { // it may ask the store, which is user code
		length, dictionary, err = d.openHeader(d.data[d.offset:], d.base+int64(d.offset), d.dictionary)
		return err
	})
	if err != nil {
		return err
	}
	d.offset += length
	d.dictionary = dictionary
	return nil
}

// reload is called when the reading that began with m has failed with err. If err is CodeUnknownRecord and the store
// has a larger Dictionary, reload goes back to m with this Dictionary. If it returns no error, the caller reads again.
// Otherwise it returns err, or the error of the store.
func (d *Decoder) reload(m mark, err error) (mark, error) {
	if d.calls > 0 { // inside a method UnmarshalMsgpackFrom; the caller of the method reads again
		return m, err
	}
	var larger *Dictionary
	loadErr := d.inUse(&m, func() (loadErr error) { // the store is user code
		larger, loadErr = d.larger(d.dictionary, err)
		return loadErr
	})
	switch {
	case loadErr != nil:
		return m, loadErr
	case larger == nil:
		return m, err
	}
	d.restore(m)
	d.follow(larger)
	return d.begin()
}

// follow switches to a larger Dictionary for the rest of the message.
func (d *Decoder) follow(larger *Dictionary) {
	d.dictionary = larger
	d.records.follow(larger)
}
