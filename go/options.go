package polypack

// Plan of the file: the type Option; the modes and the other options; then settings, the struct that newSettings makes
// from the options before any byte is read or written. A codec has its own copy of the settings.
//
// To add an option, write a function that sets a field of settings. newSettings decides whether the engine and
// generated methods may run with it. Limits of single values are in config.go.

import (
	"fmt"
	"math"
)

// An Option chooses behaviour or sets a limit. The modes Default, Strict and Lossless are options themselves. Options
// are immutable and may be shared by goroutines; if two contradict each other, the later one applies.
type Option interface {
	apply(*settings) error
}

// A Mode chooses how data of questionable meaning is treated and which Go types an any gets (spec/09-modes.md). It is
// an Option.
type Mode uint8

const (
	// Default is lenient. The bytes of a str are kept even if they are not UTF-8. The last of two equal keys wins. An
	// empty array is accepted for a map or struct. str and bin are accepted for each other.
	Default Mode = iota
	// Strict is for untrusted input. Invalid UTF-8, duplicate keys, an empty array for a map or struct, a bin for a
	// string, and a str for a []byte are errors.
	Strict
	// Lossless passes data through unchanged: decoding into any and encoding again gives the same canonical bytes for
	// every valid input. The errors listed for Strict are errors here, too. In an any, maps with keys other than str
	// become Object, timestamps outside the range of time.Time become Timestamp, and undefined becomes Ext.
	Lossless
)

// String returns "default", "strict" or "lossless", as the specification calls the modes.
func (m Mode) String() string { return nameOf("Mode", uint8(m), "default", "strict", "lossless") }

func (m Mode) apply(s *settings) error {
	if m > Lossless {
		return &UsageError{"Mode", fmt.Sprintf("%d is no mode; use Default, Strict or Lossless", m)}
	}
	s.mode = m
	return nil
}

// A RecordsMode says whether records (ext type 0x72, spec/05-records.md) are in use.
type RecordsMode uint8

const (
	// RecordsOff, the default, uses no records. A declaration in the input is CodeInvalidRecord.
	RecordsOff RecordsMode = iota
	// RecordsInline lets each message declare its records itself, so every message can be read on its own. An encoder
	// writes the integers 64 to 127 in two bytes, because one byte could be the id of a record.
	RecordsInline
	// RecordsShared is RecordsInline with a Dictionary of records that writer and reader know beforehand. An id that is
	// neither declared nor in the Dictionary is CodeUnknownRecord.
	RecordsShared
)

// String returns "off", "inline" or "shared", as the specification calls the modes.
func (m RecordsMode) String() string {
	return nameOf("RecordsMode", uint8(m), "off", "inline", "shared")
}

// Records chooses the records mode, RecordsOff by default. With records, the names of a struct's fields are usually
// written once in each message. Later structs with the same names have only their values. In map keys and in the output
// of MarshalMsgpackTo, structs remain maps. A struct with an inline map also remains a map. The reader must support
// records, like this package or msgpackr. RecordsShared also needs the option SharedRecords or StoredRecords.
func Records(mode RecordsMode) Option {
	return optionFunc(func(s *settings) error {
		if mode > RecordsShared {
			return &UsageError{"Records", fmt.Sprintf("%d is no records mode; use RecordsOff, RecordsInline or RecordsShared", mode)}
		}
		s.records = mode
		return nil
	})
}

// SharedRecords sets the records mode RecordsShared and the Dictionary, which must not be nil. Structs whose shape is
// in the Dictionary are written without any names. The message declares all other shapes itself. So every reader of
// records with this Dictionary, or with a larger one made by Append, understands the message.
func SharedRecords(dictionary *Dictionary) Option {
	return optionFunc(func(s *settings) error {
		if dictionary == nil {
			return &UsageError{"SharedRecords", "the Dictionary is nil; use NewDictionary"}
		}
		s.records, s.dictionary, s.stored = RecordsShared, dictionary, nil
		return nil
	})
}

// A StringsMode says where the strings of decoded values live.
type StringsMode uint8

const (
	// StringsArena, the default, lets short strings of a message share pieces of memory of at most 2 KiB. Each piece
	// lives as long as any of its strings.
	StringsArena StringsMode = iota
	// StringsSeparate gives each string separate memory. It is for programs that keep a few strings of a value much
	// longer than the rest of the value.
	StringsSeparate
	// StringsZeroCopy makes strings, including map keys, and byte slices views of the input instead of copies. Later
	// changes of the input change them, and changes of a byte slice change the input. Appending to a byte slice copies
	// it. RawMessages, the data of Exts and the names of records are copied anyway. With the build tag purego, strings
	// are copied, too. Streams refuse this mode, because they reuse their buffer.
	StringsZeroCopy
)

// String returns "arena", "separate" or "zero copy".
func (m StringsMode) String() string {
	return nameOf("StringsMode", uint8(m), "arena", "separate", "zero copy")
}

// nameOf returns the name of a mode, or its number if it has none.
func nameOf(typ string, mode uint8, names ...string) string {
	if int(mode) < len(names) {
		return names[mode]
	}
	return fmt.Sprintf("%s(%d)", typ, mode)
}

// Strings chooses where the strings of decoded values live, StringsArena by default.
func Strings(mode StringsMode) Option {
	return optionFunc(func(s *settings) error {
		if mode > StringsZeroCopy {
			return &UsageError{"Strings", fmt.Sprintf("%d is no strings mode; use StringsArena, StringsSeparate or StringsZeroCopy", mode)}
		}
		s.strings = mode
		return nil
	})
}

// MaxDepth sets how many containers may be open at once, 0 to 100 000, 512 by default. It bounds the stack that a call
// needs, and stops the encoding of values that contain themselves. Exceeding it is CodeLimitExceeded.
func MaxDepth(containers int) Option {
	return optionFunc(func(s *settings) error {
		if containers < 0 || containers > maxDepthCeiling {
			return outOfRange("MaxDepth", containers, 0, maxDepthCeiling)
		}
		s.maxDepth = containers
		return nil
	})
}

// MaxValues sets how many values one message may hold when it is decoded, at least 1, unlimited by default. It counts
// one for the top value, one per element, two per entry, and one per field of a record (spec/06-limits.md#maxvalues).
// Exceeding it is CodeLimitExceeded.
func MaxValues(values int) Option {
	return optionFunc(func(s *settings) error {
		if values < 1 {
			return outOfRange("MaxValues", values, 1, math.MaxInt)
		}
		s.maxValues = int64(values)
		return nil
	})
}

// MaxBytes sets how many bytes a message of a StreamDecoder, the value of UnmarshalRead or one element of Elements may
// have, at least 1, 64 MiB by default. It also bounds the total length of the names of records that are rewritten as
// maps, for example by Canonicalize and for a RawMessage (spec/06-limits.md#names-of-records). Exceeding MaxBytes is
// CodeLimitExceeded.
func MaxBytes(bytes int) Option {
	return optionFunc(func(s *settings) error {
		if bytes < 1 {
			return outOfRange("MaxBytes", bytes, 1, math.MaxInt)
		}
		s.maxBytes = int64(bytes)
		return nil
	})
}

// SortMaps says whether Go maps are written in the order of canonical keys (spec/08-canonical.md), so that equal maps
// give equal bytes; true by default. With false, they are written in the random order of Go's iteration, which saves
// sorting. MarshalCanonical always sorts.
func SortMaps(sort bool) Option {
	return optionFunc(func(s *settings) error {
		s.unsorted = !sort
		return nil
	})
}

// NilAsEmpty says whether a nil slice, map, []byte or Object is written as an empty array, map or bin instead of nil;
// false by default. Nil pointers, nil interfaces and nil RawMessages are written as nil anyway. The option has no
// effect on reading.
func NilAsEmpty(empty bool) Option {
	return optionFunc(func(s *settings) error {
		s.nilAsEmpty = empty
		return nil
	})
}

// RejectUnknown says whether it is an error if a struct has no field for an entry; false by default. With true, the
// error is CodeInvalidKey. With false, the entry is skipped. In both cases, an inline map takes such an entry if the
// key is a str or, in the mode Default, a bin. For a struct that is read from an array, RejectUnknown makes additional
// elements a CodeTypeMismatch.
func RejectUnknown(reject bool) Option {
	return optionFunc(func(s *settings) error {
		s.rejectUnknown = reject
		return nil
	})
}

// IntegralFloatsAsInts says whether the canonical form writes integral floats as ints; false by default. With true,
// each float whose value is an int from -2⁶³ to 2⁶⁴-1 is written as that int, and -0 as 0. Then the same numbers give
// the same bytes in all languages, also in JavaScript, which has one number type. Both sides of a signature must choose
// the same setting. The option concerns only MarshalCanonical, Canonicalize and IsCanonical
// (spec/08-canonical.md#integral-floats-as-ints).
func IntegralFloatsAsInts(ints bool) Option {
	return optionFunc(func(s *settings) error {
		s.integralFloatsAsInts = ints
		return nil
	})
}

func outOfRange(option string, value, low, high int) error {
	return &UsageError{option, fmt.Sprintf("%d is out of range; use %d to %d", value, low, high)}
}

type optionFunc func(*settings) error

func (f optionFunc) apply(s *settings) error { return f(s) }

// settings holds all options of a codec.
type settings struct {
	types      *types
	rules      rules // after all options, newSettings replaces types by the cache for these rules
	mode       Mode
	records    RecordsMode
	strings    StringsMode
	dictionary *Dictionary       // for RecordsShared
	stored     *StoredDictionary // if not nil, each message uses its current Dictionary instead of dictionary
	lengths    *lengths          // limits of a Config; nil if it sets none
	maxDepth   int
	maxValues  int64
	maxBytes   int64

	fingerprint   bool // each message is written with a header, and may have one when it is read
	unsettled     bool // fingerprint or stored is set, see records_header.go
	unsorted      bool // maps are written in Go's random order of iteration
	nilAsEmpty    bool // nil slices and maps are written as empty ones
	rejectUnknown bool // an entry without a field is an error

	integralFloatsAsInts bool // the canonical form writes integral floats as ints

	plans bool // never use the engine, so that tests can compare it with plans
	fast  bool // the engine may write, and records are off
	// fastRecords means that the engine may write, and structs become records.
	fastRecords bool
	// reads means that the engine may read, and records are off; readsRecords that it may read, and records are on.
	reads, readsRecords bool
	watch               watch
	// generated means that generated methods may write. They support only the mode Default, neither records nor
	// NilAsEmpty, and MaxDepth only up to deepestGenerated.
	generated bool
	// readsGenerated means that generated methods may also read. They support no limits except MaxDepth.
	readsGenerated bool
}

func defaultSettings() settings {
	return settings{types: &commonTypes, maxDepth: defaultMaxDepth, maxValues: noLimit, maxBytes: defaultMaxBytes, fast: true, reads: true, generated: true, readsGenerated: true}
}

func newSettings(opts []Option) (settings, error) {
	if len(opts) == 0 {
		return defaultSettings(), nil
	}
	s := new(settings)
	*s = defaultSettings()
	for _, option := range opts {
		if option == nil {
			return *s, &UsageError{"Option", "an option is nil; leave it out"}
		}
		if err := option.apply(s); err != nil {
			return *s, err
		}
	}
	switch {
	case s.records == RecordsShared && s.dictionary == nil:
		return *s, &UsageError{"Records", "RecordsShared needs a Dictionary; use SharedRecords"}
	case s.records != RecordsShared && s.fingerprint:
		return *s, &UsageError{"Fingerprint", "headers belong to shared records; use SharedRecords or StoredRecords"}
	case s.records != RecordsShared:
		s.dictionary, s.stored = nil, nil
	}
	s.types = s.types.under(s.rules)
	s.unsettled = s.fingerprint || s.stored != nil
	s.fast = !s.plans && s.records == RecordsOff
	s.fastRecords = !s.plans && s.records != RecordsOff
	s.generated = s.fast && s.mode == Default && !s.nilAsEmpty && s.maxDepth <= deepestGenerated
	s.watch = s.newWatch()
	known := s.lengths == nil || s.lengths.engineReads()
	s.reads, s.readsRecords = s.fast && known, s.fastRecords && known
	s.readsGenerated = s.generated && !s.watch.on
	return *s, nil
}

// A watch says which additional checks the engine makes when it reads. The mode Default needs none of them if only
// MaxDepth is limited.
type watch struct {
	on       bool // whether any of the following is set
	strict   bool // str is UTF-8, keys are unique, and bin and str aren't accepted for each other
	lossless bool // strict is also set, and plans read all maps in an any
	careful  bool // strict is set, and functions of extensions may run while an any is read
	judged   bool // the UTF-8 or the length of each str is checked
	limited  bool // MaxValues and the limits of a Config for containers and bins are checked
}

func (s *settings) newWatch() watch {
	strict, limited := s.checked(), s.lengths != nil || s.maxValues != noLimit
	return watch{
		on: strict || limited, strict: strict, lossless: s.mode == Lossless, careful: strict && s.types.registered != nil,
		judged: strict || s.lengths != nil, limited: limited,
	}
}

// settingsOf returns the settings for one call. Without options it allocates nothing. The caller must not change them.
func settingsOf(opts []Option) (*settings, error) {
	if len(opts) == 0 {
		return &defaults, nil
	}
	s, err := newSettings(opts)
	return &s, err
}

// checked reports whether text and keys are checked, as in strict and lossless mode (spec/09-modes.md).
func (s *settings) checked() bool { return s.mode != Default }

// inline reports whether records may occur.
func (s *settings) inline() bool { return s.records != RecordsOff }
