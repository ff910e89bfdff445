package polypack

// Plan of the file: Unmarshal and Decode, then the decode half of the plans of plan.go, by kind. Every decode function
// of a plan reads one value into v, which is settable. The function copies the data that it keeps, except with
// StringsZeroCopy.
//
// Unmarshal first calls unmarshalFast in engine_decode.go. The engine decodes a map with one of three methods: anyMap
// in engine_decode_any.go for an any, mapping in engine_decode_maps.go for a Go map, or structValue in
// engine_decode_struct.go for a struct. With additional checks, such as those of strict mode, watchedStruct replaces
// structValue. If the engine declines, and always under the build tag purego, a plan decodes the map. The code of the
// three plans is in decoder_any.go, unmarshal_map.go and marshal_structs.go.

import (
	"fmt"
	"reflect"
)

// Unmarshal decodes the one value in data into the value that v points to. v must be a pointer that isn't nil.
// Unmarshal is the inverse of Marshal, and also accepts other values for a type:
//
//   - ints go into every integer type that holds the number, and into floats that hold it exactly. Integral floats go
//     into integer types. A float 64 is rounded to a float32. A number that doesn't fit is CodeOutOfRange.
//   - nil and undefined set pointers, interfaces, slices and maps to nil, and every other type to its zero value. But a
//     RawMessage keeps both. An Ext keeps undefined, and so does an any in the mode Lossless.
//   - maps and records go into structs, maps and Object. Entries without a field go into the inline map, or are
//     skipped. With RejectUnknown, an entry that would be skipped is CodeInvalidKey.
//     The name and the aliases of a field are different keys, and the last one wins, even in the modes Strict and
//     Lossless.
//   - in the mode Default, an empty array counts as an empty map, bin goes into string and str into []byte.
//   - arrays go into structs with the tag option as_array. Fields that a shorter array lacks keep their values.
//     Additional elements of a longer array are skipped, or are a CodeTypeMismatch with RejectUnknown.
//   - arrays go into slices, and into Go arrays that are long enough. The remaining elements of a Go array become zero.
//     But slices and arrays of bytes take a bin, not an array.
//   - a key of a map accepts what a value of its type accepts. Another kind of key is CodeInvalidKey, and a key of the
//     right kind has the error of a value, such as CodeOutOfRange. But nil fits only in a pointer or interface. A key
//     of type any can't be an array, a map or an Ext, which Go can't hash, and takes a bin only in the mode Default, as
//     a string. A method that decodes keys gets a str or, in the mode Default, a bin.
//
// In the mode Default, the last of equal keys wins. But a key with NaN inside a struct or array is a new entry each
// time, as in every Go map, and so is a NaN if the map had one before the call. Marshal refuses a map with such equal
// keys.
//
// Decoding merges. Fields that don't occur keep their values. Entries are added to a map that is not nil. A pointer
// that is not nil is followed. The memory of a slice is reused, but its elements, those of a Go array and the values of
// a map are set to zero before they are read, also if they are pointers or structs. A pointer in an interface is
// followed even there, for example in a field, in an existing entry of a map, or in an existing element of an array or
// slice. Pointers that lead back to their interface are replaced, and so are pointers that a registered Extension
// makes, and all other values in an interface.
//
// A type may decode itself by a method on its pointer. An UnmarshalerFrom, or else an Unmarshaler, gets every value,
// even nil. Otherwise encoding.BinaryUnmarshaler gets a bin and encoding.TextUnmarshaler a str. If a type has only one
// of the last two, that one gets both bin and str in the mode Default. nil sets a pointer to a type with any of these
// methods to nil, without a call.
//
// An any gets nil, bool, int64, uint64 for an int above the range of int64, float64, float32 for a float 32, string,
// []byte, []any, map[string]any, map[any]any for a map with other keys, time.Time in UTC, or Ext. A registered
// Extension may give it other types. For the mode Lossless, see that constant.
//
// No decoded value shares memory with data, except strings and byte slices with StringsZeroCopy. If Unmarshal fails, v
// may hold values that were decoded before the fault.
//
// Errors in the data are *Error with any code except CodeInvalidSnapshot and CodeInvalidSignature. An error of a
// method becomes the Err of a CodeTypeMismatch, but keeps its code if it is from a nested call of this package. An
// error of an Extension becomes the Err of a CodeUnsupportedValue. If v isn't a pointer or is nil, or an option is out
// of its range, the error is a UsageError.
func Unmarshal(data []byte, v any, opts ...Option) error {
	s, err := settingsOf(opts)
	if err != nil {
		return err
	}
	return s.unmarshal(data, 0, v)
}

// unmarshal is Unmarshal with settings instead of options. data starts at offset base of a stream.
func (s *settings) unmarshal(data []byte, base int64, v any) error {
	if s.unsettled {
		return s.eachDictionary(data, base, func(s *settings, data []byte, base int64) error { return s.unmarshal(data, base, v) })
	}
	if err, ok := s.unmarshalFast(data, base, v); ok {
		return err
	}
	target, err := targetOf("Unmarshal", v)
	if err != nil {
		return err
	}
	d := Decoder{data: data, base: base, settings: *s, values: 1}
	if err := d.into(target); err != nil {
		return located(err)
	}
	return d.noMore()
}

// Decode reads one value into the value that v points to; see Unmarshal. v must be a pointer that isn't nil. Errors:
// those of Unmarshal, except CodeTrailingData.
func (d *Decoder) Decode(v any) error {
	target, err := targetOf("Decode", v)
	if err != nil {
		return err
	}
	d.choose()
	m, err := d.begin()
	if err != nil {
		return err
	}
	before := d.tally
	err, ok := d.intoData(v)
	if !ok {
		err = d.inUse(&m, func() error {
			err, ok := d.intoFast(v)
			if !ok {
				err = d.into(target)
			}
			return err
		})
	}
	if err != nil && d.unsettled {
		d.tally = before
		if m, err = d.reload(m, err); err == nil {
			err = d.inUse(&m, func() error { return d.into(target) })
		}
	}
	if err != nil {
		d.tally = before
	}
	return d.end(m, err)
}

// inUse calls read, which may run methods, Extensions and a DictionaryStore. They can't use d, except
// UnmarshalMsgpackFrom. If one of them panics, d is back at m.
func (d *Decoder) inUse(m *mark, read func() error) (err error) {
	before, frames, calls, running := d.tally, len(d.frames), d.calls, true
	defer func() {
		if running {
			d.frames, d.calls, d.tally = d.frames[:frames], calls, before
			d.restore(*m)
		}
		if d.state == inUse {
			d.state = ready
		} else if err == nil { // one of them has called Reset
			err = d.misuse
		}
	}()
	d.state = inUse
	err = read()
	running = false
	return err
}

// targetOf returns the value that the pointer v points to. If v isn't a pointer or is nil, the error is a UsageError.
func targetOf(call string, v any) (reflect.Value, error) {
	if v == nil {
		return reflect.Value{}, &UsageError{call, "the target is nil; pass a pointer"}
	}
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer {
		return reflect.Value{}, &UsageError{call, "the target " + p.Type().String() + " is no pointer; pass its address"}
	}
	if p.IsNil() {
		return reflect.Value{}, &UsageError{call, "the target " + p.Type().String() + " is a nil pointer; pass the address of a variable"}
	}
	return p.Elem(), nil
}

func (d *Decoder) into(v reflect.Value) error {
	return d.types.planOf(v.Type()).decode(d, v)
}

func decodeBool(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	b, err := d.bool()
	if err != nil {
		return err
	}
	v.SetBool(b)
	return nil
}

func decodeInt(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	start := d.offset
	bits, form, err := d.number()
	if err != nil {
		return err
	}
	n, ok := asInt64(bits, form)
	if !ok || v.OverflowInt(n) {
		return d.failNumber(start, numberText(bits, form), v.Type().String())
	}
	v.SetInt(n)
	return nil
}

func decodeUint(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	start := d.offset
	bits, form, err := d.number()
	if err != nil {
		return err
	}
	n, ok := asUint64(bits, form)
	if !ok || v.OverflowUint(n) {
		return d.failNumber(start, numberText(bits, form), v.Type().String())
	}
	v.SetUint(n)
	return nil
}

func decodeFloat32(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	f, err := d.float32()
	if err != nil {
		return err
	}
	v.SetFloat(float64(f))
	return nil
}

func decodeFloat64(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	f, err := d.float64()
	if err != nil {
		return err
	}
	v.SetFloat(f)
	return nil
}

func decodeString(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	s, err := d.string()
	if err != nil {
		return err
	}
	v.SetString(s)
	return nil
}

func decodeBytes(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	b, err := d.bytes()
	if err != nil {
		return err
	}
	if d.strings == StringsZeroCopy {
		v.SetBytes(d.keepBytes(b))
	} else {
		v.SetBytes(append(sliceFor(v, len(b)), b...))
	}
	return nil
}

// sliceFor returns an empty slice with capacity for n bytes, never nil. It reuses the memory of the []byte v if that is
// large enough.
func sliceFor(v reflect.Value, n int) []byte {
	if old := v.Bytes(); old != nil && cap(old) >= n {
		return old[:0]
	}
	return make([]byte, 0, n)
}

func decodeByteArray(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	start := d.offset
	b, err := d.bytes()
	if err != nil {
		return err
	}
	if len(b) > v.Len() {
		return d.failArrayLength(start, len(b), v)
	}
	v.SetZero()
	copy(v.Bytes(), b)
	return nil
}

func (d *Decoder) failArrayLength(start, n int, v reflect.Value) error {
	return d.failMismatch(start, fmt.Sprintf("%s of %d", formatName(d.data[start]), n), "a value for "+v.Type().String())
}

func decodeTime(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	t, err := d.time()
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(t))
	return nil
}

func decodeTimestamp(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	ts, err := d.timestamp()
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(ts))
	return nil
}

// decodeExt reads an ext. It keeps undefined as an Ext, instead of treating undefined as nil.
func decodeExt(d *Decoder, v reflect.Value) error {
	if d.next() == familyNil {
		d.offset++
		v.SetZero()
		return nil
	}
	x, err := d.ext()
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(x))
	return nil
}

func decodeObject(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	if skipped, err := d.skipEmptyArray(); err != nil {
		return err
	} else if skipped {
		v.Set(reflect.ValueOf(Object{}))
		return nil
	}
	o, err := d.object()
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(o))
	return nil
}

// skipEmptyArray steps over an empty array in default mode, where it counts as an empty map (spec/09-modes.md). It
// returns false if there is no array or in other modes, and an error for an array with elements.
func (d *Decoder) skipEmptyArray() (bool, error) {
	if d.checked() || d.next() != familyArray {
		return false, nil
	}
	start := d.offset
	count, err := d.arrayHead()
	if err != nil {
		return false, err
	}
	if count > 0 {
		return false, d.failKind(start, "a map")
	}
	if err := d.open(start, 0); err != nil {
		return false, err
	}
	d.close()
	return true, nil
}

func interfaceDecoder(t reflect.Type) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		if pointer, ok := d.held(v); ok {
			return d.fill(pointer)
		}
		start := d.offset
		value, err := d.value()
		if err != nil {
			return err
		}
		if value == nil {
			v.SetZero()
			return nil
		}
		rv := reflect.ValueOf(value)
		if t.NumMethod() > 0 && !rv.Type().Implements(t) {
			return d.failMismatch(start, formatName(d.data[start]), "a value for "+t.String())
		}
		v.Set(rv)
		return nil
	}
}

func pointerDecoder(t reflect.Type, elem *plan) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		if d.skipNil() {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			v.Set(reflect.New(t.Elem()))
		}
		return elem.decode(d, v.Elem())
	}
}

// Pointers in interfaces

// follows reports whether a pointer of type t in an interface is followed. A pointer that a registered extension has
// put there is replaced instead, because the pointer from an earlier message may still be in use.
func (ts *types) follows(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer {
		return false
	}
	x := ts.extensionFor(t.Elem())
	return x == nil || x.of.Kind() != reflect.Pointer && x.of.Kind() != reflect.Interface
}

// held returns the pointer in the interface v. ok reports whether the next value must be decoded into the value that
// the pointer points to. ok is false if v has no pointer to follow, or if the next value is nil or undefined. ok is
// also false after too many pointers without a container between them, because such pointers probably lead back to v.
func (d *Decoder) held(v reflect.Value) (pointer reflect.Value, ok bool) {
	if v.IsNil() {
		return v, false
	}
	pointer = v.Elem()
	if !d.types.follows(pointer.Type()) || pointer.IsNil() || !d.mayFollow() {
		return v, false
	}
	start := d.offset
	isNil := d.skipNil()
	d.offset = start
	return pointer, !isNil
}

func (d *Decoder) mayFollow() bool { return d.hops < maxHops+deeperHops*d.depth }

// fill decodes into the value that a pointer from an interface points to.
func (d *Decoder) fill(pointer reflect.Value) error {
	d.hops++
	err, ok := d.intoFast(pointer.Interface())
	if !ok {
		err = d.into(pointer.Elem())
	}
	d.hops--
	return err
}

// holdsPointer reports whether any element of a slice or array is an interface with a pointer that may be followed.
func (ts *types) holdsPointer(v reflect.Value) bool {
	if v.Type().Elem().Kind() != reflect.Interface {
		return false
	}
	for i := range v.Len() {
		if element := v.Index(i); !element.IsNil() && ts.follows(element.Elem().Type()) {
			return true
		}
	}
	return false
}

func sliceDecoder(t reflect.Type, elem *plan) decodeFunc {
	elementBytes := t.Elem().Size()
	return func(d *Decoder, v reflect.Value) error {
		if d.skipNil() {
			v.SetZero()
			return nil
		}
		n, err := d.openArray()
		if err != nil {
			return err
		}
		if v.IsNil() {
			v.Set(reflect.MakeSlice(t, 0, d.preallocate(n, elementBytes)))
		}
		kept := 0 // how many old elements aren't set to zero, because they may hold pointers
		if d.types.holdsPointer(v) {
			kept = v.Len()
		}
		v.SetLen(0)
		for i := range n {
			d.owed--
			if i >= v.Cap() {
				v.Grow(max(min(n-i, max(1, i)), i+1-v.Len())) // a method may have replaced the slice by a shorter one
			}
			v.SetLen(i + 1)
			element := v.Index(i)
			if i >= kept {
				element.SetZero()
			}
			if err := elem.decode(d, element); err != nil {
				return withinIndex(err, i)
			}
		}
		d.close()
		return nil
	}
}

func arrayDecoder(elem *plan) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		if d.skipNil() {
			v.SetZero()
			return nil
		}
		start := d.offset
		n, err := d.openArray()
		if err != nil {
			return err
		}
		if n > v.Len() {
			return d.failArrayLength(start, n, v)
		}
		if d.types.holdsPointer(v) {
			for i := n; i < v.Len(); i++ {
				v.Index(i).SetZero()
			}
		} else {
			v.SetZero()
		}
		for i := range n {
			d.owed--
			if err := elem.decode(d, v.Index(i)); err != nil {
				return withinIndex(err, i)
			}
		}
		d.close()
		return nil
	}
}
