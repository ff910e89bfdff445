package polypack

// Plan of the file: for each interface with which a type writes itself, a function that makes an encodeFunc; then the
// checks of what methods wrote, and the errors of methods.

import (
	"bytes"
	"encoding"
	"errors"
	"reflect"
	"unicode/utf8"

	"github.com/polypack/polypack/go/internal/format"
)

// A receiver converts a reflect.Value to the interface that a method is called on.
type receiver struct {
	byValue bool // a value has the method, not only a pointer to it
}

func receiverOf(t, of reflect.Type) receiver { return receiver{t.Implements(of)} }

func (r receiver) of(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	if r.byValue {
		return v.Interface()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

func marshalerToEncoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, marshalerToType)
	return func(e *Encoder, v reflect.Value) error {
		if e.calls > e.maxDepth+maxHops {
			return encodeError(CodeLimitExceeded, "methods MarshalMsgpackTo call each other without end", "look for a value that contains itself")
		}
		before, state := len(e.buf), e.state
		e.state = ready
		e.calls++
		err := r.of(v).(MarshalerTo).MarshalMsgpackTo(e)
		e.calls--
		if e.state == ready {
			e.state = state
		}
		switch {
		case err != nil:
			return methodFailed(t, "MarshalMsgpackTo", err)
		case e.state == spoiled: // the method has called Reset
			return methodFailed(t, "MarshalMsgpackTo", e.misuse)
		case e.calls > 0 && len(e.buf) > before:
			return nil // the outermost call checks everything
		}
		return e.judge(e.buf[before:], e.settings, t, "MarshalMsgpackTo wrote")
	}
}

func appenderEncoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, appenderType)
	return func(e *Encoder, v reflect.Value) error {
		before := len(e.buf)
		out, err := r.of(v).(Appender).AppendMsgpack(e.buf)
		if err != nil {
			return methodFailed(t, "AppendMsgpack", err)
		}
		if !extends(out, e.buf) {
			return unsupportedType(t, "its method AppendMsgpack did not append")
		}
		if e.inline() {
			return e.foreign(bytes.Clone(out[before:]), t, "AppendMsgpack wrote")
		}
		e.buf = out
		return e.judge(out[before:], e.settings, t, "AppendMsgpack wrote")
	}
}

func marshalerEncoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, marshalerType)
	return func(e *Encoder, v reflect.Value) error {
		out, err := r.of(v).(Marshaler).MarshalMsgpack()
		if err != nil {
			return methodFailed(t, "MarshalMsgpack", err)
		}
		return e.foreign(out, t, "MarshalMsgpack returned")
	}
}

func binaryAppenderEncoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, binaryAppenderType)
	return func(e *Encoder, v reflect.Value) error {
		const reserved = 2 // enough for the head of a bin of up to 255 bytes
		before := len(e.buf)
		dst := append(e.buf, make([]byte, reserved)...)
		out, err := r.of(v).(encoding.BinaryAppender).AppendBinary(dst)
		if err != nil {
			return methodFailed(t, "AppendBinary", err)
		}
		if !extends(out, dst) {
			return unsupportedType(t, "its method AppendBinary did not append")
		}
		n := len(out) - len(dst)
		if tooLong(n) {
			return lengthOutOfRange("bin", n)
		}
		var head [8]byte
		e.buf = placeHead(out, before, reserved, appendBytesHead(head[:0], n))
		return nil
	}
}

func binaryMarshalerEncoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, binaryMarshalerType)
	return func(e *Encoder, v reflect.Value) error {
		out, err := r.of(v).(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			return methodFailed(t, "MarshalBinary", err)
		}
		return e.bytes(out)
	}
}

func textAppenderEncoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, textAppenderType)
	return func(e *Encoder, v reflect.Value) error {
		const reserved = 1
		before := len(e.buf)
		dst := append(e.buf, make([]byte, reserved)...)
		out, err := r.of(v).(encoding.TextAppender).AppendText(dst)
		if err != nil {
			return methodFailed(t, "AppendText", err)
		}
		if !extends(out, dst) {
			return unsupportedType(t, "its method AppendText did not append")
		}
		text := out[len(dst):]
		if err := e.judgeText(text); err != nil {
			return err
		}
		var head [8]byte
		e.buf = placeHead(out, before, reserved, appendStringHead(head[:0], len(text)))
		return nil
	}
}

func textMarshalerEncoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, textMarshalerType)
	return func(e *Encoder, v reflect.Value) error {
		text, err := r.of(v).(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return methodFailed(t, "MarshalText", err)
		}
		if err := e.judgeText(text); err != nil {
			return err
		}
		e.buf = append(appendStringHead(e.buf, len(text)), text...)
		return nil
	}
}

// textKeyEncoder returns an encodeFunc that calls encode for a key and refuses results that aren't a str.
func textKeyEncoder(t reflect.Type, encode encodeFunc) encodeFunc {
	return func(e *Encoder, v reflect.Value) error {
		before := len(e.buf)
		if err := encode(e, v); err != nil {
			return err
		}
		if c := e.buf[before]; families[c] != familyStr {
			return unsupportedType(t, "its methods write a "+formatName(c)+" as the key of a map, which must be a str")
		}
		return nil
	}
}

// encodeInterfaceKey encodes a map key whose type is an interface, by the type of the value in the interface.
func encodeInterfaceKey(e *Encoder, v reflect.Value) error {
	if v.IsNil() {
		e.buf = append(e.buf, format.Nil)
		return nil
	}
	v = v.Elem()
	return e.types.keyOf(v.Type()).encode(e, v)
}

// extends reports whether out starts with before.
func extends(out, before []byte) bool {
	n := len(before)
	if len(out) < n {
		return false
	}
	return n == 0 || &out[0] == &before[0] || bytes.Equal(out[:n], before)
}

// placeHead writes head at out[at:], where reserved bytes are free. If head is longer, placeHead first moves the bytes
// after them.
func placeHead(out []byte, at, reserved int, head []byte) []byte {
	if more := len(head) - reserved; more > 0 {
		out = append(out, head[:more]...)
		copy(out[at+len(head):], out[at+reserved:])
	}
	copy(out[at:], head)
	return out
}

func (e *Encoder) judgeText(text []byte) error {
	if e.checked() && !utf8.Valid(text) {
		return hostTextNotUTF8(string(text))
	}
	if tooLong(len(text)) {
		return lengthOutOfRange("string", len(text))
	}
	return nil
}

// foreign appends data that was made without this Encoder. It first checks that data is one value without records.
func (e *Encoder) foreign(data []byte, t reflect.Type, did string) error {
	s := e.settings
	s.records = RecordsOff
	if err := e.judge(data, s, t, did); err != nil {
		return err
	}
	if e.inline() {
		return e.widened(data)
	}
	e.buf = append(e.buf, data...)
	return nil
}

// judge returns an error if data isn't exactly one valid value, or nests deeper than MaxDepth allows at this depth. The
// error has the code of the fault in data, but not its place.
func (e *Encoder) judge(data []byte, s settings, t reflect.Type, did string) error {
	d := Decoder{data: data, settings: s, values: 1}
	d.maxDepth -= e.depth
	d.maxValues, d.lengths = noLimit, nil
	err := d.skip()
	if err == nil {
		err = d.noMore()
	}
	if err == nil {
		return nil
	}
	err = located(err)
	fault := err.(*Error) // a Decoder makes no other errors
	if fault.Code == CodeLimitExceeded {
		return encodeDepthExceeded(e.maxDepth)
	}
	what := "what " + did + " for " + t.String() + " is not one value"
	if t == rawType {
		what = "the RawMessage is not one value"
	}
	return &Error{Code: fault.Code, Offset: -1, Err: fault, what: what}
}

func methodFailed(t reflect.Type, name string, cause error) error {
	return methodFault(CodeUnsupportedValue, -1, t, name, cause)
}

func methodFault(code Code, offset int64, t reflect.Type, name string, cause error) *Error {
	return causedFault(code, offset, "the method "+name+" of "+t.String()+" failed", cause)
}

// causedFault makes an error from the error of user code. Errors of nested calls of this package keep their code and
// path. But in encoding, errors of decoding don't, because they are about other bytes.
func causedFault(code Code, offset int64, what string, cause error) *Error {
	fault, nested := withCause(code, offset, what, cause)
	if nested == nil || (offset < 0 && nested.Offset >= 0) {
		return fault
	}
	fault.Code, fault.Path = nested.Code, nested.Path
	if cause == error(nested) { // not wrapped
		fault.what, fault.mend, fault.Err = nested.what, nested.mend, nested.Err
	}
	return fault
}

// withCause makes an error from the error of user code. nested is the *Error that cause is or wraps, or nil. The cause
// is not changed, because it may be shared.
func withCause(code Code, offset int64, what string, cause error) (fault, nested *Error) {
	fault = &Error{Code: code, Offset: offset, Err: cause, what: what}
	if errors.As(cause, &nested) && nested == nil {
		fault.Err = nil // a typed nil, which has no text and whose methods may panic
	}
	return fault, nested
}
