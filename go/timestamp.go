package polypack

// Plan of the file: the Timestamp type and its conversion to and from time.Time, the three wire forms, then the public
// functions for timestamps alone (spec/04-timestamp.md). The engine and generated methods have their own code to read a
// time.Time: time in engine_decode_scalars.go, and Time in internal/wire/reader.go.

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/polypack/polypack/go/internal/format"
)

// A Timestamp is a moment as MessagePack counts it: seconds since 1970-01-01T00:00:00Z without leap seconds, plus 0 to
// 999 999 999 nanoseconds, also before 1970. It holds every timestamp of the format, including those outside the range
// of time.Time.
type Timestamp struct {
	Seconds     int64
	Nanoseconds uint32
}

// TimestampExtType is the extension type of timestamps.
const TimestampExtType int8 = -1

const (
	maxNanoseconds = 999_999_999

	// minTimeSeconds is the start of the year -292277022399, in which the calendar of time.Time begins. time.Time
	// counts the seconds from the year 1 in an int64, and maxTimeSeconds is the last second that fits.
	minTimeSeconds = -9223372028715321600
	maxTimeSeconds = 1<<63 - 1 - 62135596800

	timestamp32Bytes = 4
	timestamp64Bytes = 8
	timestamp96Bytes = 12
)

// TimestampOf returns the moment of t; the location of t is not kept.
func TimestampOf(t time.Time) Timestamp {
	return Timestamp{Seconds: t.Unix(), Nanoseconds: uint32(t.Nanosecond())}
}

// Time returns the moment in UTC. Moments outside the range of time.Time are CodeOutOfRange. More than 999 999 999
// nanoseconds are CodeInvalidTimestamp.
func (ts Timestamp) Time() (time.Time, error) {
	if ts.Nanoseconds > maxNanoseconds {
		return time.Time{}, nanosecondsOutOfRange(ts)
	}
	if !ts.fitsTime() {
		return time.Time{}, encodeError(CodeOutOfRange, timeRangeText(ts), timeRangeMend)
	}
	return ts.time(), nil
}

func (ts Timestamp) fitsTime() bool {
	return minTimeSeconds <= ts.Seconds && ts.Seconds <= maxTimeSeconds
}

func (ts Timestamp) time() time.Time { return time.Unix(ts.Seconds, int64(ts.Nanoseconds)).UTC() }

const timeRangeMend = "decode into a Timestamp or use the mode Lossless"

func timeRangeText(ts Timestamp) string {
	return fmt.Sprintf("timestamp of %d seconds is outside the range of time.Time", ts.Seconds)
}

func nanosecondsOutOfRange(ts Timestamp) error {
	return encodeError(CodeInvalidTimestamp, fmt.Sprintf("timestamp has %d nanoseconds", ts.Nanoseconds),
		"use 0 to 999999999 and carry into the seconds")
}

// appendTimestamp appends ts in the smallest form. ts must have at most 999 999 999 nanoseconds.
func appendTimestamp(dst []byte, ts Timestamp) []byte {
	switch {
	case ts.Nanoseconds == 0 && uint64(ts.Seconds) <= 1<<32-1:
		dst = append(dst, format.Fixext4, 0xff)
		return binary.BigEndian.AppendUint32(dst, uint32(ts.Seconds))
	case uint64(ts.Seconds) <= 1<<34-1: // false for negative seconds, which are larger as a uint64
		dst = append(dst, format.Fixext8, 0xff)
		return binary.BigEndian.AppendUint64(dst, uint64(ts.Nanoseconds)<<34|uint64(ts.Seconds))
	default:
		dst = append(dst, format.Ext8, timestamp96Bytes, 0xff)
		dst = binary.BigEndian.AppendUint32(dst, ts.Nanoseconds)
		return binary.BigEndian.AppendUint64(dst, uint64(ts.Seconds))
	}
}

// parseTimestamp reads the data of an ext of type -1. ok is false if the data isn't a timestamp
// (spec/04-timestamp.md#invalid).
func parseTimestamp(data []byte) (ts Timestamp, ok bool) {
	switch len(data) {
	case timestamp32Bytes:
		ts.Seconds = int64(binary.BigEndian.Uint32(data))
	case timestamp64Bytes:
		word := binary.BigEndian.Uint64(data)
		ts.Seconds, ts.Nanoseconds = int64(word&(1<<34-1)), uint32(word>>34)
	case timestamp96Bytes:
		ts.Seconds, ts.Nanoseconds = int64(binary.BigEndian.Uint64(data[4:])), binary.BigEndian.Uint32(data)
	default:
		return ts, false
	}
	return ts, ts.Nanoseconds <= maxNanoseconds
}

func invalidTimestampText(data []byte) string {
	switch len(data) {
	case timestamp32Bytes, timestamp64Bytes, timestamp96Bytes:
		return "timestamp has more than 999999999 nanoseconds"
	}
	return fmt.Sprintf("timestamp of %d bytes, not 4, 8 or 12", len(data))
}

func (d *Decoder) timestamp() (Timestamp, error) {
	start := d.offset
	typ, data, end, err := d.extension("a timestamp")
	if err != nil {
		return Timestamp{}, err
	}
	if typ != format.TimestampType {
		return Timestamp{}, d.failExtension(start, typ, data, "a timestamp")
	}
	ts, ok := parseTimestamp(data)
	if !ok {
		return Timestamp{}, d.failTimestamp(start, data)
	}
	d.offset = end
	return ts, nil
}

// time reads a timestamp at d.offset as time.Time.
func (d *Decoder) time() (time.Time, error) {
	start := d.offset
	ts, err := d.timestamp()
	if err != nil {
		return time.Time{}, err
	}
	if !ts.fitsTime() {
		return time.Time{}, d.fail(CodeOutOfRange, start, timeRangeText(ts), timeRangeMend)
	}
	return ts.time(), nil
}

func (d *Decoder) failTimestamp(start int, data []byte) error {
	return d.fail(CodeInvalidTimestamp, start, invalidTimestampText(data), "the writer is at fault")
}

// MarshalTimestamp returns t as a MessagePack timestamp in its smallest form, 6 to 15 bytes.
func MarshalTimestamp(t time.Time) []byte {
	return appendTimestamp(make([]byte, 0, 15), TimestampOf(t))
}

// UnmarshalTimestamp returns the one timestamp in data as a time in UTC. Errors: CodeTypeMismatch if data holds another
// value, CodeInvalidTimestamp, CodeOutOfRange, CodeUnexpectedEnd, CodeTrailingData, CodeReservedByte,
// CodeInvalidRecord.
func UnmarshalTimestamp(data []byte) (time.Time, error) {
	d := Decoder{data: data, settings: defaultSettings()}
	t, err := d.time()
	if err == nil {
		err = d.noMore()
	}
	if err != nil {
		return time.Time{}, err
	}
	return t, nil
}

// IsTimestamp reports whether e has the extension type of timestamps, -1. It doesn't check the data; ExtToTimestamp
// does.
func IsTimestamp(e Ext) bool { return e.Type == format.TimestampType }

// ExtToTimestamp returns the moment in e as a time in UTC. Errors: CodeTypeMismatch if e has another type,
// CodeInvalidTimestamp, CodeOutOfRange.
func ExtToTimestamp(e Ext) (time.Time, error) {
	if e.Type != format.TimestampType {
		return time.Time{}, encodeError(CodeTypeMismatch, fmt.Sprintf("ext of type %d is no timestamp", e.Type),
			"ask IsTimestamp first")
	}
	ts, ok := parseTimestamp(e.Data)
	if !ok {
		return time.Time{}, encodeError(CodeInvalidTimestamp, invalidTimestampText(e.Data), "the writer is at fault")
	}
	return ts.Time()
}
