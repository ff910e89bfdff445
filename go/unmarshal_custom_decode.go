package polypack

// Plan of the file: functions that make the decodeFunc of a type that decodes itself, one for each decoding interface
// in marshal_custom.go. A decodeFunc calls the method of its interface. methodFailed makes the errors of the methods.
//
// For nil and undefined, only UnmarshalMsgpackFrom and UnmarshalMsgpack are called, because nil or undefined may mean
// something to the type. If a type has only other methods, nil and undefined set the value to Go's zero value without a
// call. A pointer to a type with any of the methods becomes nil, also without a call.

import (
	"bytes"
	"encoding"
	"errors"
	"reflect"
)

func unmarshalerFromDecoder(t reflect.Type) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		start := d.offset
		if start >= len(d.data) {
			return d.failEnd()
		}
		if d.calls > d.maxDepth+maxHops {
			return d.fail(CodeLimitExceeded, start, "methods UnmarshalMsgpackFrom call each other without end",
				"a method must not decode into its own receiver")
		}
		outer := len(d.frames)
		d.frames = append(d.frames, frame{kind: frameCall, count: 1, left: 1})
		d.owed++ // the value itself, until the method begins to read it
		d.calls++
		d.state = ready
		err := v.Addr().Interface().(UnmarshalerFrom).UnmarshalMsgpackFrom(d)
		d.calls--
		if d.state == spoiled { // the method has called Reset
			d.frames = d.frames[:outer]
			if err == nil {
				err = d.misuse
			}
			return d.methodFailed(start, t, "UnmarshalMsgpackFrom", err)
		}
		d.state = inUse // stays so after Unmarshal, because the method may have kept d
		d.leave()
		whole := len(d.frames) == outer+1 && d.frames[outer].left == 0
		d.frames = d.frames[:outer]
		if err != nil {
			return d.methodFailed(start, t, "UnmarshalMsgpackFrom", err)
		}
		if !whole {
			return d.fail(CodeTypeMismatch, start, "the method UnmarshalMsgpackFrom of "+t.String()+" did not read exactly one value",
				"it must read or skip every child")
		}
		return nil
	}
}

func unmarshalerDecoder(t reflect.Type) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		start := d.offset
		data, _, err := d.raw()
		if err != nil {
			return err
		}
		if err := v.Addr().Interface().(Unmarshaler).UnmarshalMsgpack(data); err != nil {
			return d.methodFailedIn(data, start, t, "UnmarshalMsgpack", err)
		}
		return nil
	}
}

// binaryTextDecoder makes a decodeFunc for a type that has both methods: UnmarshalText, which gets a str, and
// UnmarshalBinary, which gets a bin.
func binaryTextDecoder(t reflect.Type) decodeFunc {
	binary, text := binaryDecoder(t), textDecoder(t)
	return func(d *Decoder, v reflect.Value) error {
		if d.next() == familyStr {
			return text(d, v)
		}
		return binary(d, v)
	}
}

func binaryDecoder(t reflect.Type) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		if d.skipNil() {
			v.SetZero()
			return nil
		}
		start := d.offset
		data, err := d.bytes()
		if err != nil {
			return err
		}
		if err := v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(data[:len(data):len(data)]); err != nil {
			return d.methodFailedIn(data, start, t, "UnmarshalBinary", err)
		}
		return nil
	}
}

func textDecoder(t reflect.Type) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		if d.skipNil() {
			v.SetZero()
			return nil
		}
		start := d.offset
		text, err := d.textual()
		if err != nil {
			return err
		}
		if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(text[:len(text):len(text)]); err != nil {
			return d.methodFailedIn(text, start, t, "UnmarshalText", err)
		}
		return nil
	}
}

// textual reads a str as a view of the input. In default mode it also reads a bin.
func (d *Decoder) textual() ([]byte, error) {
	if !d.checked() && d.next() == familyBin {
		return d.bin()
	}
	return d.text()
}

// methodFailed makes the error for a method that failed to read the value at start. The error of a nested call of this
// package keeps its offset if the offset is between d.offset and the end of the input. Any other offset means that the
// nested call has read other bytes, so the error gets the offset start.
func (d *Decoder) methodFailed(start int, t reflect.Type, name string, cause error) error {
	return d.methodFault(start, t, name, cause, 0, d.base+int64(d.offset), d.base+int64(len(d.data)))
}

// methodFailedIn is methodFailed for a method that got the bytes given. Offsets of nested errors count from the start
// of given, so methodFailedIn adds the offset of given in the input. If given isn't the end of the value, because raw
// has rewritten records in it, the error gets the offset start.
func (d *Decoder) methodFailedIn(given []byte, start int, t reflect.Type, name string, cause error) error {
	if !bytes.HasSuffix(d.data[start:d.offset], given) {
		return d.methodFault(start, t, name, cause, 0, 0, -1)
	}
	return d.methodFault(start, t, name, cause, d.base+int64(d.offset-len(given)), 0, int64(len(given)))
}

// methodFault makes the error for a method that failed to read the value at start. If the offset of a nested error is
// from low to high, the new error gets this offset plus origin. Otherwise the new error gets the offset of the value.
func (d *Decoder) methodFault(start int, t reflect.Type, name string, cause error, origin, low, high int64) error {
	fault := methodFault(CodeTypeMismatch, d.base+int64(start), t, name, cause)
	var nested *Error
	if errors.As(cause, &nested) && nested != nil && low <= nested.Offset && nested.Offset <= high {
		fault.Offset = origin + nested.Offset
	}
	return fault
}
