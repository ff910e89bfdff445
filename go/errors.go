package polypack

// Plan of the file: the codes and the two error types; then the constructors of errors that several files share; then
// building the path of an error while the calls return.

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polypack/polypack/go/internal/pointer"
)

// A Code names what is wrong with data, with the same words in every Polypack library (spec/07-errors.md). It is an
// error itself, so that errors.Is(err, polypack.CodeUnexpectedEnd) works.
type Code string

// The codes of this package and of package snapshot (spec/07-errors.md).
const (
	CodeUnexpectedEnd    Code = "unexpected_end"    // the input ends too early, or declares more than it has
	CodeTrailingData     Code = "trailing_data"     // bytes follow the one value asked for
	CodeReservedByte     Code = "reserved_byte"     // head byte 0xc1
	CodeInvalidUTF8      Code = "invalid_utf8"      // a str or Go string is not UTF-8 (strict and lossless mode)
	CodeInvalidKey       Code = "invalid_key"       // a key's kind doesn't fit the target, or RejectUnknown refuses it
	CodeDuplicateKey     Code = "duplicate_key"     // a key occurs twice in a map; decoding in mode Default allows it
	CodeLimitExceeded    Code = "limit_exceeded"    // a limit of spec/06-limits.md is exceeded; the text names it
	CodeOutOfRange       Code = "out_of_range"      // a number, length or moment does not fit
	CodeInvalidTimestamp Code = "invalid_timestamp" // a timestamp has a wrong length or too many nanoseconds
	CodeUnknownRecord    Code = "unknown_record"    // an instance has the id of an undeclared record
	CodeInvalidRecord    Code = "invalid_record"    // a declaration, Dictionary or fingerprint is wrong, or not allowed
	CodeUnsupportedValue Code = "unsupported_value" // no encoding, or an encoding method, Extension or store fails
	CodeTypeMismatch     Code = "type_mismatch"     // the target can't hold the kind, or its method can't decode it
	CodeInvalidSnapshot  Code = "invalid_snapshot"  // package snapshot: the bytes are not a snapshot
	CodeInvalidSignature Code = "invalid_signature" // package snapshot: wrong key or purpose, or changed bytes
)

// Error returns the code itself.
func (c Code) Error() string { return string(c) }

// Error reports what is wrong with data: bytes that cannot be decoded, or a value that cannot be encoded. Programs may
// rely on the fields; the text is for people and may change.
type Error struct {
	// Code says what is wrong; errors.Is(err, code) compares it. For CodeUnexpectedEnd, errors.Is also accepts
	// io.ErrUnexpectedEOF.
	Code Code
	// Offset is where the fault is, in bytes from the start of the input or stream. Usually it is the offset of the
	// faulty value's head byte (spec/07-errors.md#offset). It is -1 if the error has no offset, for example when
	// encoding.
	Offset int64
	// Path is an RFC 6901 pointer to the faulty value, "" for the top value (spec/07-errors.md#path).
	Path string
	// Err is the cause, if another error caused this one.
	Err error

	what, mend string
	// segments is the path while it is being built: one segment per container, innermost first.
	segments []string
}

// Error returns a text that says what is wrong, where, and how to mend it.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("polypack: ")
	if e.what != "" {
		b.WriteString(e.what)
	} else {
		b.WriteString(string(e.Code))
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ", at byte %d", e.Offset)
	}
	if e.Path != "" {
		fmt.Fprintf(&b, " (path %s)", quote(e.Path))
	}
	if e.mend != "" {
		b.WriteString("; ")
		b.WriteString(e.mend)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's code, or io.ErrUnexpectedEOF for CodeUnexpectedEnd.
func (e *Error) Is(target error) bool {
	if target == io.ErrUnexpectedEOF {
		return e.Code == CodeUnexpectedEnd
	}
	code, ok := target.(Code)
	return ok && code == e.Code
}

// UsageError reports wrong use of this package, for example an option out of its range or a target that is not a
// pointer. It says nothing about the data and has no code (spec/07-errors.md#codes).
type UsageError struct {
	// Call is the function or option that was used wrongly.
	Call string
	// Reason says what is wrong and how to mend it.
	Reason string
}

func (e *UsageError) Error() string { return "polypack: " + e.Call + ": " + e.Reason }

// quotedBytes is the largest number of bytes of a text that quote shows.
const quotedBytes = 100

// quote shortens text to at most quotedBytes, escapes it and adds quotes, for the text of an error.
func quote(text string) string {
	if len(text) <= quotedBytes {
		return strconv.Quote(text)
	}
	cut := quotedBytes
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.Quote(text[:cut]) + "…"
}

// encodeError makes an error without an offset, usually for a value that can't be encoded.
func encodeError(code Code, what, mend string) error {
	return &Error{Code: code, Offset: -1, what: what, mend: mend}
}

func unsupportedType(t reflect.Type, why string) error {
	return encodeError(CodeUnsupportedValue, "cannot encode "+t.String()+": "+why, "convert the value or drop the field")
}

func hostTextNotUTF8(text string) error {
	return encodeError(CodeInvalidUTF8, "string "+quote(text)+" is not UTF-8", "pass binary data as []byte")
}

func lengthOutOfRange(what string, length int) error {
	return encodeError(CodeOutOfRange, fmt.Sprintf("%s of %d exceeds 2³²−1", what, length), "split the value")
}

func encodeDepthExceeded(limit int) error {
	return encodeError(CodeLimitExceeded, fmt.Sprintf("depth %d exceeds the limit %d", limit+1, limit),
		"look for a value that contains itself, or raise MaxDepth")
}

// within adds the segment of one container to the path of err, and returns err.
func within(err error, segment string) error {
	if e, ok := err.(*Error); ok {
		e.segments = append(e.segments, segment)
	}
	return err
}

// inKey gives an error inside a map's key the path of the map (spec/07-errors.md#path).
func inKey(err error) error {
	if e, ok := err.(*Error); ok {
		e.segments, e.Path = nil, "" // a call of this package inside user code may have set Path
	}
	return err
}

func withinIndex(err error, index int) error { return within(err, strconv.Itoa(index)) }

// located turns the collected segments into Path, with U+FFFD for bytes that are not UTF-8. Public functions whose
// errors may have segments call it once, before they return.
func located(err error) error {
	e, ok := err.(*Error)
	if !ok || len(e.segments) == 0 {
		return err
	}
	e.Path, e.segments = pointer.Of(e.segments, e.Path), nil
	return e
}

// A keyPlace says where a key is in the input, and whether the key is an instance of a record. It must be made before
// the entry is read. The entry may declare the key's first byte as the id of a record, and then an int would look like
// an instance.
type keyPlace struct {
	offset int
	record bool // the key is an instance of a record
	asText bool // a bin key is text in the path; for Go keys of string kind, and for fields
}

// keyPlace returns the place of the key at d.offset.
func (d *Decoder) keyPlace() keyPlace {
	place := keyPlace{offset: d.offset}
	if (d.records != nil || d.dictionary != nil) && d.next() == familyInt {
		s, _, _ := d.instanceAt(d.offset)
		place.record = s != nil
	}
	return place
}

// withinEntry adds the path segment of the entry with this index, whose key is at place.
func (d *Decoder) withinEntry(err error, place keyPlace, index int) error {
	return within(err, keySegment(d.data, place, index))
}

// keySegment returns the path segment of the entry whose complete encoded key starts at data[place.offset]
// (spec/07-errors.md#path). A str key is its text, and an int key is decimal. A bin key is hex, or its text if
// place.asText is set. Any other key is # and the index of the entry. The segment may contain bytes that are not UTF-8.
// The function located replaces them.
func keySegment(data []byte, place keyPlace, index int) string {
	if place.record {
		return "#" + strconv.Itoa(index)
	}
	key := Decoder{data: data, offset: place.offset, settings: defaultSettings()}
	switch families[data[place.offset]] {
	case familyStr:
		if text, err := key.text(); err == nil {
			return string(text)
		}
	case familyInt:
		if bits, form, err := key.number(); err == nil {
			if form == formNegative {
				return strconv.FormatInt(int64(bits), 10)
			}
			return strconv.FormatUint(bits, 10)
		}
	case familyBin:
		if bin, err := key.bin(); err == nil && place.asText {
			return string(bin)
		} else if err == nil {
			return fmt.Sprintf("0x%x", bin)
		}
	}
	return "#" + strconv.Itoa(index)
}
