package polypack

// Plan of the file: Codec, whose options are checked once; then StructEncoder and StructDecoder, codecs with the
// default options that the package caches per type.

import (
	"reflect"
	"sync"
)

// A Codec encodes and decodes values of the type T, which may be any type that Marshal and Unmarshal accept. CodecOf
// checks the options once; later calls don't check them again. The zero Codec has the default options.
//
// A Codec may be used by several goroutines at once.
type Codec[T any] struct {
	chosen   settings // in the zero Codec, chosen.types is nil
	prepared prepared
}

// codecOf returns the Codec with these settings.
func codecOf[T any](s settings) Codec[T] { return Codec[T]{s, s.prepare(reflect.TypeFor[T]())} }

// defaults holds the settings of calls and codecs without options; it never changes.
var defaults = defaultSettings()

// CodecOf returns a Codec with the given options. An option out of its range is a UsageError.
func CodecOf[T any](opts ...Option) (*Codec[T], error) {
	s, err := newSettings(opts)
	if err != nil {
		return nil, err
	}
	c := codecOf[T](s)
	return &c, nil
}

// MustCodecOf is CodecOf for package-level variables. It panics if CodecOf returns an error, for example because an
// option is out of its range.
func MustCodecOf[T any](opts ...Option) *Codec[T] {
	c, err := CodecOf[T](opts...)
	if err != nil {
		panic(err)
	}
	return c
}

// Marshal returns the encoding of the value that v points to, like the function Marshal. A nil pointer is encoded as
// nil. Errors: those of the function Marshal.
func (c *Codec[T]) Marshal(v *T) ([]byte, error) { return c.Append(nil, v) }

// Append encodes the value that v points to, appends the encoding to dst and returns the extended slice, like the
// function Append. A nil pointer is encoded as nil. When Append fails, it returns dst as it was. Errors: those of the
// function Marshal.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	if c == nil || c.chosen.types == nil {
		return defaults.append(dst, v)
	}
	return c.prepared.append(&c.chosen, dst, v)
}

// Unmarshal decodes the one value in data into the value that v points to; see the function Unmarshal. Errors: those of
// the function Unmarshal; a nil v is a UsageError.
func (c *Codec[T]) Unmarshal(data []byte, v *T) error {
	if v == nil {
		return nilTarget[T]("Codec.Unmarshal")
	}
	return c.unmarshal(data, v)
}

func (c *Codec[T]) unmarshal(data []byte, v *T) error {
	if c == nil || c.chosen.types == nil {
		return defaults.unmarshal(data, 0, v)
	}
	return c.prepared.unmarshal(&c.chosen, data, v)
}

func nilTarget[T any](call string) error {
	return &UsageError{call, "the target " + reflect.TypeFor[*T]().String() + " is a nil pointer; pass the address of a variable"}
}

// structCodecs caches the StructEncoder and the StructDecoders of each type T. Under the reflect.Type of
// StructEncoder[T] it has a *StructEncoder[T]. Under the reflect.Type of StructDecoder[T] it has a *structDecoders[T].
// Entries stay forever.
var structCodecs sync.Map

// A StructEncoder encodes values of the type T, usually a struct, with the default options. For other options use a
// Codec.
//
// A StructEncoder may be used by several goroutines at once.
type StructEncoder[T any] struct {
	codec Codec[T]
}

// GetStructEncoder returns the StructEncoder of T, the same one in every call.
func GetStructEncoder[T any]() *StructEncoder[T] {
	key := reflect.TypeFor[StructEncoder[T]]()
	if known, ok := structCodecs.Load(key); ok {
		return known.(*StructEncoder[T])
	}
	kept, _ := structCodecs.LoadOrStore(key, &StructEncoder[T]{codecOf[T](defaults)})
	return kept.(*StructEncoder[T])
}

// Encode returns the encoding of the value that src points to. A nil pointer is encoded as nil. The caller owns the
// bytes. See Marshal. Errors: those of Marshal.
func (s *StructEncoder[T]) Encode(src *T) ([]byte, error) { return s.codec.Marshal(src) }

// EncodeWith encodes the value that src points to and appends the encoding to e, with the options of e. A nil pointer
// is encoded as nil. For most structs, EncodeWith allocates nothing if the memory of e is large enough. When EncodeWith
// fails, it appends nothing. Errors: those of Encoder.Encode; a nil e is a UsageError.
func (s *StructEncoder[T]) EncodeWith(e *Encoder, src *T) error {
	if e == nil {
		return &UsageError{"StructEncoder.EncodeWith", "the Encoder is nil; pass one of NewEncoder"}
	}
	return e.Encode(src)
}

// A StructDecoder decodes values of the type T, usually a struct, with the default options or with strings that are
// views of the input. For other options use a Codec.
//
// A StructDecoder may be used by several goroutines at once.
type StructDecoder[T any] struct {
	codec Codec[T]
}

// structDecoders holds both decoders of a type.
type structDecoders[T any] struct{ copying, zeroCopy StructDecoder[T] }

func structDecodersOf[T any]() *structDecoders[T] {
	key := reflect.TypeFor[StructDecoder[T]]()
	if known, ok := structCodecs.Load(key); ok {
		return known.(*structDecoders[T])
	}
	both := &structDecoders[T]{StructDecoder[T]{codecOf[T](defaults)}, StructDecoder[T]{codecOf[T](defaults)}}
	both.zeroCopy.codec.chosen.strings = StringsZeroCopy
	kept, _ := structCodecs.LoadOrStore(key, both)
	return kept.(*structDecoders[T])
}

// GetStructDecoder returns the StructDecoder of T, the same one in every call with the same zeroCopy. With zeroCopy,
// decoded strings and byte slices are views of the input, which must not change while they are in use; see
// StringsZeroCopy.
func GetStructDecoder[T any](zeroCopy bool) *StructDecoder[T] {
	both := structDecodersOf[T]()
	if zeroCopy {
		return &both.zeroCopy
	}
	return &both.copying
}

// ZeroCopy returns the StructDecoder of T whose strings and byte slices are views of the input. ZeroCopy doesn't change
// s.
func (s *StructDecoder[T]) ZeroCopy() *StructDecoder[T] { return GetStructDecoder[T](true) }

// Decode decodes the one value in data into the value that dst points to; see Unmarshal. Errors: those of Unmarshal; a
// nil dst is a UsageError.
func (s *StructDecoder[T]) Decode(data []byte, dst *T) error {
	if dst == nil {
		return nilTarget[T]("StructDecoder.Decode")
	}
	return s.codec.unmarshal(data, dst)
}

// DecodeWith resets d to data and decodes the one value in data into the value that dst points to, with the options of
// d. Decoded strings and byte slices are views of the input if either s or d has StringsZeroCopy. Errors: those of
// Unmarshal; a nil d or dst is a UsageError.
func (s *StructDecoder[T]) DecodeWith(d *Decoder, data []byte, dst *T) error {
	if d == nil {
		return &UsageError{"StructDecoder.DecodeWith", "the Decoder is nil; pass one of NewDecoder"}
	}
	if dst == nil {
		return nilTarget[T]("StructDecoder.DecodeWith")
	}
	d.Reset(data)
	chosen := d.strings
	if s.codec.chosen.strings == StringsZeroCopy {
		d.strings = StringsZeroCopy
	}
	err := d.Decode(dst)
	d.strings = chosen
	if err != nil {
		return err
	}
	return d.Finish()
}
