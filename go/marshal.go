package polypack

// Plan of the file: Marshal and Append; value, which encodes the most common types without reflection; then functions
// that encode by reflection, for each kind of Go type. After a failure, each call for a container adds its segment to
// the path of the error while it returns.

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/polypack/polypack/go/internal/format"
)

// Marshal returns the encoding of v, with the shortest heads. Exceptions are RawMessages, the output of methods, and
// ints with the option Records.
//
//	bool                                 bool
//	intN, uintN, uintptr                 int
//	float32, float64                     float 32, float 64; never an int; NaN is always a float 64
//	string                               str
//	[]byte, [N]byte                      bin
//	slices, arrays                       array
//	maps, structs, Object                map
//	time.Time, Timestamp                 timestamp
//	Ext                                  ext
//	pointers, interfaces                 the value that they lead to
//	nil pointer, interface, slice, map   nil; for slices and maps see NilAsEmpty
//	RawMessage                           the value that it holds
//
// A type may encode itself by a method on the value or on its pointer. If it has several such methods, Marshal calls
// the first in this order: MarshalerTo, Appender, Marshaler; encoding.BinaryAppender, encoding.BinaryMarshaler, which
// give a bin; encoding.TextAppender, encoding.TextMarshaler, which give a str. A nil pointer is encoded as nil, without
// a call. For a map key, Marshal calls a text method if there is one, otherwise one of the first three, which must give
// a str. If the key has none of these methods, the kind of its type decides. Marshal checks the output of methods. The
// types of this package and time.Time are encoded as listed above, also as keys.
//
// Other named types are encoded like their underlying types. Structs write their fields in the order of declaration. Go
// maps write their entries in the order of canonical keys (spec/08-canonical.md), so equal maps give equal bytes; the
// option SortMaps changes this. A field's tag `msgpack:"name"` sets its name and `msgpack:"-"` leaves it out; see
// TagKeys. The tag option omitempty leaves out a field that is false, 0, "", nil or the zero time, or has no elements.
// The tag option omitzero leaves out a field whose method IsZero returns true. Without such a method, omitzero leaves
// out Go's zero value. Fields that are not exported are left out. Embedded structs follow the rules of encoding/json,
// but ambiguous names are an error. Two fields of one struct must not have the same name. A struct with unexported
// fields and no field to encode, such as the types of sync/atomic, has no encoding, because {} would silently lose its
// value. If all its unexported fields have the tag `msgpack:"-"`, it is encoded as {}.
//
// The tag option inline treats a struct, or a pointer to a struct, as if it were embedded. One map with string keys per
// struct may also be inline. This map holds the entries that have no field. They are written after the fields; an entry
// that would be read into a field isn't written. The tag option as_array writes the structs that a field holds as
// arrays of all their fields in order. A struct with a field `_ struct{}` or `_msgpack struct{}` that has the tag
// `msgpack:",as_array"` is always written as such an array. An unknown option in a msgpack tag is an error.
//
// Errors are *Error with Offset -1. CodeUnsupportedValue is for channels, functions, complex numbers, types with faulty
// tags, and methods that failed or wrote no value. CodeLimitExceeded means that v contains itself or nests deeper than
// MaxDepth. CodeInvalidUTF8 means that a string is not UTF-8, in the modes Strict and Lossless. CodeDuplicateKey means
// that two keys of a map are equal as MessagePack. CodeInvalidRecord and CodeInvalidTimestamp are for Ext and Timestamp
// values that no decoder accepts. CodeOutOfRange is for more than 2³²−1 bytes or elements. An option out of its range
// is a UsageError.
func Marshal(v any, opts ...Option) ([]byte, error) { return Append(nil, v, opts...) }

// Append appends the encoding of v to dst and returns the extended slice; see Marshal. When it fails, it returns dst as
// it was. Memory after the end of the returned slice, up to its capacity, may have been overwritten. Errors: those of
// Marshal.
func Append(dst []byte, v any, opts ...Option) ([]byte, error) {
	if len(opts) == 0 {
		return defaults.append(dst, v)
	}
	s, err := settingsOf(opts)
	if err != nil {
		return dst, err
	}
	return s.append(dst, v)
}

// appendByPlan does what settings.append does, without the engine.
func (s *settings) appendByPlan(dst []byte, v any) ([]byte, error) {
	e := Encoder{buf: dst, settings: *s}
	err := e.value(v)
	e.releaseShapes()
	if err != nil {
		return dst, located(err)
	}
	return e.buf, nil
}

// value encodes a value of any type.
func (e *Encoder) value(v any) error {
	switch v := v.(type) {
	case nil:
		e.buf = append(e.buf, format.Nil)
	case bool:
		e.buf = appendBool(e.buf, v)
	case int:
		e.int(int64(v))
	case int64:
		e.int(v)
	case uint64:
		e.uint(v)
	case float32:
		e.buf = appendFloat32(e.buf, v)
	case float64:
		e.buf = appendFloat64(e.buf, v)
	case string:
		return e.string(v)
	case []byte:
		if v == nil && !e.nilAsEmpty {
			e.buf = append(e.buf, format.Nil)
			return nil
		}
		return e.bytes(v)
	case []any:
		return e.anySlice(v)
	case map[string]any:
		return e.anyMap(v)
	case Object:
		return e.object(v)
	case time.Time:
		e.buf = appendTimestamp(e.buf, TimestampOf(v))
	case Timestamp:
		return e.timestamp(v)
	case Ext:
		return e.ext(v)
	default:
		rv := reflect.ValueOf(v)
		return e.types.planOf(rv.Type()).encode(e, rv)
	}
	return nil
}

func (e *Encoder) anySlice(s []any) error {
	if s == nil && !e.nilAsEmpty {
		e.buf = append(e.buf, format.Nil)
		return nil
	}
	if err := e.enter("slice", len(s)); err != nil {
		return err
	}
	e.buf = appendArrayHead(e.buf, len(s))
	for i, element := range s {
		if err := e.value(element); err != nil {
			return withinIndex(err, i)
		}
	}
	e.leave()
	return nil
}

// compareText orders strings by their canonical encodings. These start with the length, so shorter strings come first.
func compareText(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func (e *Encoder) anyMap(m map[string]any) error {
	if m == nil && !e.nilAsEmpty {
		e.buf = append(e.buf, format.Nil)
		return nil
	}
	if err := e.enter("map", len(m)); err != nil {
		return err
	}
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	if !e.unsorted {
		slices.SortFunc(keys, compareText)
	}
	e.buf = appendMapHead(e.buf, len(keys))
	for _, key := range keys {
		if err := e.string(key); err != nil {
			return err
		}
		if err := e.value(m[key]); err != nil {
			return within(err, key)
		}
	}
	e.leave()
	return nil
}

func (e *Encoder) object(o Object) error {
	if o == nil && !e.nilAsEmpty {
		e.buf = append(e.buf, format.Nil)
		return nil
	}
	if err := e.enter("Object", len(o)); err != nil {
		return err
	}
	e.buf = appendMapHead(e.buf, len(o))
	var known objectKeys
	for i, entry := range o {
		start := len(e.buf)
		e.keys++
		if err := e.key(entry.Key); err != nil {
			return inKey(err)
		}
		e.keys--
		canonical, err := e.comparable(e.buf[start:])
		if err != nil {
			return err
		}
		if !known.addCanonical(canonical) {
			return within(duplicateKey(), keySegment(e.buf, keyPlace{offset: start}, i))
		}
		if err := e.value(entry.Value); err != nil {
			return within(err, keySegment(e.buf, keyPlace{offset: start}, i))
		}
	}
	e.leave()
	return nil
}

// key encodes the key of an entry of an Object.
func (e *Encoder) key(key any) error {
	switch key.(type) {
	case nil, bool, int, int64, uint64, float32, float64, string:
		return e.value(key)
	}
	v := reflect.ValueOf(key)
	return e.types.keyOf(v.Type()).encode(e, v)
}

func duplicateKey() error {
	return encodeError(CodeDuplicateKey, "the key occurs twice in its map", "equal numbers of different Go types are one key")
}

func encodeBool(e *Encoder, v reflect.Value) error {
	e.buf = appendBool(e.buf, v.Bool())
	return nil
}

func encodeInt(e *Encoder, v reflect.Value) error {
	e.int(v.Int())
	return nil
}

func encodeUint(e *Encoder, v reflect.Value) error {
	e.uint(v.Uint())
	return nil
}

func encodeFloat32(e *Encoder, v reflect.Value) error {
	e.buf = appendFloat32(e.buf, float32(v.Float()))
	return nil
}

func encodeFloat64(e *Encoder, v reflect.Value) error {
	e.buf = appendFloat64(e.buf, v.Float())
	return nil
}

func encodeString(e *Encoder, v reflect.Value) error { return e.string(v.String()) }

func encodeBytes(e *Encoder, v reflect.Value) error {
	if v.IsNil() && !e.nilAsEmpty {
		e.buf = append(e.buf, format.Nil)
		return nil
	}
	return e.bytes(v.Bytes())
}

func encodeByteArray(e *Encoder, v reflect.Value) error {
	if v.CanAddr() {
		return e.bytes(v.Bytes())
	}
	addressable := reflect.New(v.Type()).Elem()
	addressable.Set(v)
	return e.bytes(addressable.Bytes())
}

func encodeTime(e *Encoder, v reflect.Value) error { return e.value(v.Interface()) }

func encodeTimestamp(e *Encoder, v reflect.Value) error { return e.value(v.Interface()) }

func encodeExt(e *Encoder, v reflect.Value) error { return e.value(v.Interface()) }

func encodeObject(e *Encoder, v reflect.Value) error { return e.value(v.Interface()) }

func encodeInterface(e *Encoder, v reflect.Value) error {
	if v.IsNil() {
		e.buf = append(e.buf, format.Nil)
		return nil
	}
	return e.value(v.Interface())
}

func pointerEncoder(elem *plan) encodeFunc {
	return func(e *Encoder, v reflect.Value) error {
		if v.IsNil() {
			e.buf = append(e.buf, format.Nil)
			return nil
		}
		if err := e.follow(); err != nil {
			return err
		}
		err := elem.encode(e, v.Elem())
		e.unfollow()
		return err
	}
}

func sliceEncoder(elem *plan) encodeFunc {
	array := arrayEncoder(elem)
	return func(e *Encoder, v reflect.Value) error {
		if v.IsNil() && !e.nilAsEmpty {
			e.buf = append(e.buf, format.Nil)
			return nil
		}
		return array(e, v)
	}
}

func arrayEncoder(elem *plan) encodeFunc {
	return func(e *Encoder, v reflect.Value) error {
		n := v.Len()
		if err := e.enter(v.Kind().String(), n); err != nil {
			return err
		}
		e.buf = appendArrayHead(e.buf, n)
		for i := range n {
			if i >= v.Len() {
				return unsupportedType(v.Type(), "while it was written, a method made it shorter")
			}
			if err := elem.encode(e, v.Index(i)); err != nil {
				return withinIndex(err, i)
			}
		}
		e.leave()
		return nil
	}
}

// comparable returns the canonical form of an encoded key. For a key inside another key it returns nil, because the
// outermost key is checked as a whole. So the cost is linear, even if keys nest deeply.
func (e *Encoder) comparable(encoded []byte) ([]byte, error) {
	if e.keys > 0 {
		return nil, nil
	}
	d := Decoder{data: encoded, settings: defaultSettings(), unique: true}
	d.maxDepth = maxDepthCeiling // the encoder has checked the depth
	canonical, err := d.canonical(make([]byte, 0, len(encoded)))
	if err != nil { // the encoder wrote the key, so only equal keys inside it can be the cause
		return nil, duplicateKey()
	}
	return canonical, nil
}

// addCanonical adds the canonical form of a key to the set, and reports false if the set has it already. If canonical
// is nil, as comparable returns it inside another key, addCanonical only reports true.
func (k *objectKeys) addCanonical(canonical []byte) (added bool) {
	if canonical == nil {
		return true
	}
	start := len(k.bytes)
	k.bytes = append(k.bytes, canonical...)
	_, added = k.set.add(k.bytes, start, len(k.bytes))
	return added
}
