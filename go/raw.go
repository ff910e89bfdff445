package polypack

// Plan of the file: RawMessage, a value that stays encoded; raw, which rewrites the records in a value as maps; and
// widened, which adapts a value without records to places where records may occur.

import (
	"math"
	"reflect"

	"github.com/polypack/polypack/go/internal/format"
)

// A RawMessage is one encoded value. Encoding checks that its bytes are one valid value that MaxDepth allows, and
// writes them unchanged. But with records on, it writes the integers 64 to 127 in two bytes. An empty RawMessage is
// written as nil. Decoding copies the bytes of the value. Records in the value become maps, so that the RawMessage can
// be decoded on its own.
type RawMessage []byte

var rawType = reflect.TypeFor[RawMessage]()

const noLimit = math.MaxInt64

func encodeRaw(e *Encoder, v reflect.Value) error { return e.rawMessage(v.Bytes()) }

func (e *Encoder) rawMessage(m RawMessage) error {
	if len(m) == 0 {
		e.buf = append(e.buf, format.Nil)
		return nil
	}
	return e.foreign(m, rawType, "")
}

func decodeRaw(d *Decoder, v reflect.Value) error {
	data, isView, err := d.raw()
	if err != nil {
		return err
	}
	if isView {
		data = append(sliceFor(v, len(data)), data...)
	}
	v.SetBytes(data)
	return nil
}

// raw steps over a value and returns its encoding without records. The result is a view of the input if records are
// off.
func (d *Decoder) raw() (data []byte, isView bool, err error) {
	start := d.offset
	if !d.inline() {
		if err := d.skip(); err != nil {
			return nil, false, err
		}
		return d.data[start:d.offset:d.offset], true, nil
	}
	// The first pass, skip, checks the value. The second pass, the plainWriter, copies it. Both start with the same
	// declared records.
	before := d.markRecords()
	limited := d.namesLimited
	d.namesLimited = true // MaxBytes limits the total length of record names in all raw values of a message
	err = d.skip()
	d.namesLimited = limited
	if err != nil {
		before.keep()
		return nil, false, err
	}
	d.undoRecords(before)
	again := Decoder{data: d.data, offset: start, base: d.base, settings: d.settings, depth: d.depth, records: d.records, trusted: true}
	again.maxValues = noLimit
	p := plainWriter{d: &again}
	if err := p.value(); err != nil {
		return nil, false, err
	}
	d.records = again.records
	return p.out, false, nil
}

// widened appends a value without records to a message that may have records. It writes the integers 64 to 127 in two
// bytes, because one byte could be the id of a record (spec/05-records.md#instance). data has been checked.
func (e *Encoder) widened(data []byte) error {
	s := e.settings
	s.records = RecordsOff
	s.maxDepth, s.maxValues, s.lengths = maxDepthCeiling, noLimit, nil
	p := plainWriter{d: &Decoder{data: data, settings: s, trusted: true}, out: e.buf, wide: true}
	err := p.value()
	e.buf = p.out
	return err
}

// A plainWriter copies a value that has been checked, head by head, and writes its records as maps.
type plainWriter struct {
	d    *Decoder
	out  []byte
	wide bool // write the integers 64 to 127 in two bytes
}

func (p *plainWriter) value() error {
	d := p.d
	start := d.offset
	switch d.next() {
	case familyArray:
		n, err := d.openArray()
		if err != nil {
			return err
		}
		p.out = append(p.out, d.data[start:d.offset]...)
		return p.children(n)
	case familyMap:
		n, err := d.openMap()
		if err != nil {
			return err
		}
		p.out = append(p.out, d.data[start:d.offset]...)
		return p.children(2 * n)
	case familyInt, familyExt:
		s, err := d.record()
		if err != nil {
			return err
		}
		if s != nil {
			return p.record(s)
		}
	}
	if err := d.skip(); err != nil {
		return err
	}
	if c := d.data[start]; p.wide && c >= firstRecordID && c <= lastRecordID {
		p.out = append(p.out, format.Uint8)
	}
	p.out = append(p.out, d.data[start:d.offset]...)
	return nil
}

func (p *plainWriter) children(n int) error {
	for range n {
		p.d.owed--
		if err := p.value(); err != nil {
			return err
		}
	}
	p.d.close()
	return nil
}

func (p *plainWriter) record(s *shape) error {
	p.out = appendMapHead(p.out, len(s.names))
	for _, name := range s.names {
		p.d.owed--
		p.out = appendString(p.out, name)
		if err := p.value(); err != nil {
			return err
		}
	}
	p.d.close()
	return nil
}
