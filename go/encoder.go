package polypack

// Plan of the file: the append functions, which write each kind with the shortest head (spec/02-wire.md) and cannot
// fail; then the Encoder with its public typed methods. marshal.go decides how Go values are encoded.

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"github.com/polypack/polypack/go/internal/format"
)

// maxLength is the largest length or count of the format.
const maxLength = 1<<32 - 1

// tooLong reports whether n, a length or count that is not negative, exceeds maxLength.
func tooLong(n int) bool { return uint64(n) > maxLength }

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, format.True)
	}
	return append(dst, format.False)
}

func appendUint(dst []byte, n uint64) []byte {
	switch {
	case n <= format.LastPositiveFixint:
		return append(dst, byte(n))
	case n <= math.MaxUint8:
		return append(dst, format.Uint8, byte(n))
	case n <= math.MaxUint16:
		return append(dst, format.Uint16, byte(n>>8), byte(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, format.Uint32), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, format.Uint64), n)
}

func appendInt(dst []byte, n int64) []byte {
	switch {
	case n >= 0:
		return appendUint(dst, uint64(n))
	case n >= -32:
		return append(dst, byte(n))
	case n >= math.MinInt8:
		return append(dst, format.Int8, byte(n))
	case n >= math.MinInt16:
		return append(dst, format.Int16, byte(n>>8), byte(n))
	case n >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(dst, format.Int32), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, format.Int64), uint64(n))
}

// appendFloat64 appends a float 64. It writes every NaN as the one NaN of the data model.
func appendFloat64(dst []byte, f float64) []byte {
	bits := math.Float64bits(f)
	if f != f {
		bits = format.CanonicalNaN
	}
	return binary.BigEndian.AppendUint64(append(dst, format.Float64), bits)
}

// appendFloat32 appends a float 32, but NaN as float 64 (spec/02-wire.md#float).
func appendFloat32(dst []byte, f float32) []byte {
	if f != f {
		return appendFloat64(dst, math.NaN())
	}
	return binary.BigEndian.AppendUint32(append(dst, format.Float32), math.Float32bits(f))
}

func appendStringHead(dst []byte, n int) []byte {
	switch {
	case n <= format.MaxFixstr:
		return append(dst, format.Fixstr|byte(n))
	case n <= math.MaxUint8:
		return append(dst, format.Str8, byte(n))
	case n <= math.MaxUint16:
		return append(dst, format.Str16, byte(n>>8), byte(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, format.Str32), uint32(n))
}

func appendString(dst []byte, s string) []byte {
	return append(appendStringHead(dst, len(s)), s...)
}

func appendBytesHead(dst []byte, n int) []byte {
	switch {
	case n <= math.MaxUint8:
		return append(dst, format.Bin8, byte(n))
	case n <= math.MaxUint16:
		return append(dst, format.Bin16, byte(n>>8), byte(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, format.Bin32), uint32(n))
}

func appendBytes(dst, b []byte) []byte {
	return append(appendBytesHead(dst, len(b)), b...)
}

func appendArrayHead(dst []byte, n int) []byte {
	switch {
	case n <= format.MaxFixcontainer:
		return append(dst, format.Fixarray|byte(n))
	case n <= math.MaxUint16:
		return append(dst, format.Array16, byte(n>>8), byte(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, format.Array32), uint32(n))
}

func appendMapHead(dst []byte, n int) []byte {
	switch {
	case n <= format.MaxFixcontainer:
		return append(dst, format.Fixmap|byte(n))
	case n <= math.MaxUint16:
		return append(dst, format.Map16, byte(n>>8), byte(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, format.Map32), uint32(n))
}

// An Encoder appends values to a byte slice, one call per value. After EncodeArrayHeader(n), the next n values are the
// elements; after EncodeMapHeader(n), the next 2·n values are keys and values in turn. The caller must write all
// children, and must not write a key twice in one map.
//
// A call that fails appends nothing. The zero Encoder has the default options. An Encoder must not be used by several
// goroutines at once, nor by methods and Extensions that it calls, except by MarshalMsgpackTo, which gets it as an
// argument.
type Encoder struct {
	buf   []byte
	depth int // open containers; EncodeArrayHeader and EncodeMapHeader don't count
	hops  int // pointers that are being followed
	keys  int // nested map keys being encoded
	calls int // nested calls of MarshalMsgpackTo
	settings
	shapes *recordWriter // shapes of records; nil before the first record
	state  coderState
	misuse error // the error to return in the states misused and spoiled
}

// A coderState says whether methods of an Encoder or Decoder may be called.
type coderState uint8

const (
	ready   coderState = iota
	misused            // an option is invalid
	inUse              // a call may be running methods or Extensions that must not use the Encoder or Decoder
	spoiled            // a method or Extension has called Reset
)

// refusal returns the error of an Encoder that isn't ready.
func (e *Encoder) refusal() error {
	if e.state == inUse {
		return &UsageError{"Encoder", "it is encoding the value whose method has called it; use another one, or implement MarshalMsgpackTo"}
	}
	return e.misuse
}

// NewEncoder returns an Encoder that appends to dst, which may be nil. Every Encode method reports an invalid option,
// or the option Fingerprint, as a UsageError.
func NewEncoder(dst []byte, opts ...Option) *Encoder {
	s, err := newSettings(opts)
	if err == nil && s.fingerprint {
		err = &UsageError{"NewEncoder", "an Encoder doesn't know where messages begin; leave Fingerprint out, or use Marshal"}
	}
	e := &Encoder{buf: dst, settings: s, misuse: err}
	if err != nil {
		e.state = misused
	}
	return e
}

// Bytes returns the dst of NewEncoder or Reset with everything that has been appended to it. The result is valid until
// the next call of the Encoder.
func (e *Encoder) Bytes() []byte { return e.buf }

// Len returns how many bytes Bytes returns.
func (e *Encoder) Len() int { return len(e.buf) }

// Reset lets the Encoder append to dst from now on, with the same options. A method or Extension that the Encoder is
// calling must not call Reset. If it does, Reset does nothing, and every later call of an Encode method reports a
// UsageError.
func (e *Encoder) Reset(dst []byte) {
	if e.calls > 0 || e.state >= inUse {
		e.state, e.misuse = spoiled, &UsageError{"Reset", "the Encoder is writing a value around this one; use another one"}
		return
	}
	e.buf = dst
}

// EncodeNil appends nil. Errors: only a UsageError, for an invalid option, for the option Fingerprint, for a call by a
// method or Extension that must not use the Encoder, or after a forbidden Reset.
func (e *Encoder) EncodeNil() error {
	if e.state != ready {
		return e.refusal()
	}
	e.buf = append(e.buf, format.Nil)
	return nil
}

// EncodeBool appends a bool. Errors: those of EncodeNil.
func (e *Encoder) EncodeBool(b bool) error {
	if e.state != ready {
		return e.refusal()
	}
	e.buf = appendBool(e.buf, b)
	return nil
}

// EncodeInt appends an int. Errors: those of EncodeNil.
func (e *Encoder) EncodeInt(n int64) error {
	if e.state != ready {
		return e.refusal()
	}
	e.int(n)
	return nil
}

// EncodeUint appends an int. Errors: those of EncodeNil.
func (e *Encoder) EncodeUint(n uint64) error {
	if e.state != ready {
		return e.refusal()
	}
	e.uint(n)
	return nil
}

// EncodeFloat32 appends a float 32 of five bytes, or NaN as a float 64 of nine bytes. Errors: those of EncodeNil.
func (e *Encoder) EncodeFloat32(f float32) error {
	if e.state != ready {
		return e.refusal()
	}
	e.buf = appendFloat32(e.buf, f)
	return nil
}

// EncodeFloat64 appends a float 64 of nine bytes, even if f is integral. Errors: those of EncodeNil.
func (e *Encoder) EncodeFloat64(f float64) error {
	if e.state != ready {
		return e.refusal()
	}
	e.buf = appendFloat64(e.buf, f)
	return nil
}

// EncodeString appends a str. Errors: those of EncodeNil, CodeInvalidUTF8 in the modes Strict and Lossless for a string
// that is not UTF-8, and CodeOutOfRange for a string of more than 2³²−1 bytes.
func (e *Encoder) EncodeString(s string) error {
	if e.state != ready {
		return e.refusal()
	}
	return e.string(s)
}

// EncodeStringBytes appends the text as a str. It is like EncodeString, but saves converting a []byte to a string.
// Errors: those of EncodeString.
func (e *Encoder) EncodeStringBytes(text []byte) error {
	switch {
	case e.state != ready:
		return e.refusal()
	case e.checked() && !utf8.Valid(text):
		return hostTextNotUTF8(string(text))
	case tooLong(len(text)):
		return lengthOutOfRange("string", len(text))
	}
	e.buf = append(appendStringHead(e.buf, len(text)), text...)
	return nil
}

// EncodeBytes appends a bin; nil becomes an empty bin. Errors: those of EncodeNil, and CodeOutOfRange for more than
// 2³²−1 bytes.
func (e *Encoder) EncodeBytes(b []byte) error {
	if e.state != ready {
		return e.refusal()
	}
	return e.bytes(b)
}

// EncodeArrayHeader appends the head of an array of n elements, 0 to 2³²−1. Errors: those of EncodeNil, and a
// UsageError for any other n.
func (e *Encoder) EncodeArrayHeader(n int) error {
	if err := e.header("EncodeArrayHeader", n); err != nil {
		return err
	}
	e.buf = appendArrayHead(e.buf, n)
	return nil
}

// EncodeMapHeader appends the head of a map of n entries, 0 to 2³²−1. Errors: those of EncodeNil, and a UsageError for
// any other n.
func (e *Encoder) EncodeMapHeader(n int) error {
	if err := e.header("EncodeMapHeader", n); err != nil {
		return err
	}
	e.buf = appendMapHead(e.buf, n)
	return nil
}

func (e *Encoder) header(call string, n int) error {
	if e.state != ready {
		return e.refusal()
	}
	if n < 0 || tooLong(n) {
		return &UsageError{call, fmt.Sprintf("%d is out of range; use 0 to 2³²−1", n)}
	}
	return nil
}

// EncodeExt appends an ext. Errors: those of EncodeNil, CodeInvalidRecord for an ext that would declare a record,
// CodeInvalidTimestamp for type -1 with data that isn't a timestamp (spec/03-extensions.md), and CodeOutOfRange for
// more than 2³²−1 bytes.
func (e *Encoder) EncodeExt(x Ext) error {
	if e.state != ready {
		return e.refusal()
	}
	return e.ext(x)
}

// EncodeTimestamp appends the moment of t in the smallest form that holds it; the location is not kept. Errors: those
// of EncodeNil.
func (e *Encoder) EncodeTimestamp(t time.Time) error {
	if e.state != ready {
		return e.refusal()
	}
	e.buf = appendTimestamp(e.buf, TimestampOf(t))
	return nil
}

// Encode appends a value of any type. It encodes the value like Marshal. With records, each call declares its records,
// except those of the Dictionary, even if an earlier call has declared them. Errors: those of Marshal and those of
// EncodeNil.
func (e *Encoder) Encode(v any) error {
	if e.state != ready {
		return e.refusal()
	}
	if e.types == nil { // the zero Encoder
		e.settings = defaults
	}
	before, depth, hops, keys, calls := len(e.buf), e.depth, e.hops, e.keys, e.calls
	if depth == 0 && calls == 0 {
		e.newMessage()
	}
	err, ok := e.encode(v, ready)
	if !ok {
		err = e.encodeInUse(v)
	}
	if err != nil {
		e.undo(before, depth, hops, keys, calls)
		return located(err)
	}
	return nil
}

// encodeInUse encodes v. While it runs, methods or Extensions may try to use e, or panic.
func (e *Encoder) encodeInUse(v any) (err error) {
	before, depth, hops, keys, calls, running := len(e.buf), e.depth, e.hops, e.keys, e.calls, true
	defer func() {
		if running {
			e.undo(before, depth, hops, keys, calls)
		}
		if e.state == inUse {
			e.state = ready
		} else if err == nil { // a method or Extension has called Reset
			err = e.misuse
		}
	}()
	e.state = inUse
	err, _ = e.encode(v, inUse)
	running = false
	return err
}

// undo puts the Encoder back to where it was before a call of Encode. It also forgets the declared records, because the
// dropped bytes may contain their declarations.
func (e *Encoder) undo(before, depth, hops, keys, calls int) {
	e.buf, e.depth, e.hops, e.keys, e.calls = e.buf[:before], depth, hops, keys, calls
	e.newMessage()
}

func (e *Encoder) int(n int64) {
	if n >= 0 {
		e.uint(uint64(n))
		return
	}
	e.buf = appendInt(e.buf, n)
}

// uint appends an int. Where records may occur, the bytes 0x40–0x7f are record ids, so the integers 64 to 127 take two
// bytes (spec/05-records.md#instance).
func (e *Encoder) uint(n uint64) {
	if e.inline() && n >= firstRecordID && n <= lastRecordID {
		e.buf = append(e.buf, format.Uint8, byte(n))
		return
	}
	e.buf = appendUint(e.buf, n)
}

func (e *Encoder) string(s string) error {
	if e.checked() && !utf8.ValidString(s) {
		return hostTextNotUTF8(s)
	}
	if tooLong(len(s)) {
		return lengthOutOfRange("string", len(s))
	}
	e.buf = appendString(e.buf, s)
	return nil
}

func (e *Encoder) bytes(b []byte) error {
	if tooLong(len(b)) {
		return lengthOutOfRange("[]byte", len(b))
	}
	e.buf = appendBytes(e.buf, b)
	return nil
}

func (e *Encoder) ext(x Ext) error {
	if err := x.check(); err != nil {
		return err
	}
	e.buf = appendExt(e.buf, x.Type, x.Data)
	return nil
}

func (e *Encoder) timestamp(ts Timestamp) error {
	if ts.Nanoseconds > maxNanoseconds {
		return nanosecondsOutOfRange(ts)
	}
	e.buf = appendTimestamp(e.buf, ts)
	return nil
}

// enter opens a container of count elements or entries; leave closes it. The parameter what is the name of the
// container in errors.
func (e *Encoder) enter(what string, count int) error {
	if e.depth >= e.maxDepth {
		return encodeDepthExceeded(e.maxDepth)
	}
	if tooLong(count) {
		return lengthOutOfRange(what, count)
	}
	e.depth++
	return nil
}

func (e *Encoder) leave() { e.depth-- }

// maxHops is how many pointers may be followed to reach a value outside all containers. Each container around the value
// allows deeperHops more, and so does each running call of MarshalMsgpackTo. This limit stops a pointer that leads back
// to itself. No reasonable type needs more pointers, and the stack is large enough for this many at every MaxDepth.
const maxHops, deeperHops = 64, 4

// follow counts a pointer before it is followed; unfollow takes it off the count.
func (e *Encoder) follow() error {
	if e.hops >= maxHops+deeperHops*(e.depth+e.calls) {
		return encodeError(CodeLimitExceeded, "too many pointers follow each other", "look for a pointer that leads back to itself")
	}
	e.hops++
	return nil
}

func (e *Encoder) unfollow() { e.hops-- }
