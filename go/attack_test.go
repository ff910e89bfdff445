package polypack_test

// Plan of the file: hostile input on every way in. The attacks are those that libraries of this kind have fallen to:
// counts and lengths near 2³² with nothing behind them, nested promises, keys that Go cannot hash, numbers that do not
// fit, interfaces that nothing fits, cut extensions. Each must end with the error that the specification has for it,
// and may take no more memory than the input allows.

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
)

// Targets that attacks aim at.
type (
	withError    struct{ E error }
	withStringer struct{ E fmt.Stringer }
	withTime     struct{ T time.Time }
	withAnyKeys  struct{ M map[any]any }
	withDeepMaps struct {
		M map[string]map[string][]byte
	}
	withPointers struct {
		P *int
		Q *withPointers
		R **string
	}
	noFields struct{}
	small    struct {
		I8  int8
		U32 uint32
		I64 int64
		U64 uint64
		F32 float32
		I   int
		U   uint
	}
)

const succeeds = polypack.Code("")

// An attack is an input, and what decoding it into targets must give.
type attack struct {
	name    string
	data    string // hex
	targets []any  // values of the types to decode into
	want    polypack.Code
}

func attacks() []attack {
	everything := []any{any(nil), []int64(nil), []any(nil), []string(nil), [][]int64(nil), map[string]any(nil), map[string]string(nil), map[int8]string(nil),
		[4]int64{}, []withPointers(nil), polypack.Object(nil), polypack.RawMessage(nil), small{}, noFields{}, map[any]any(nil), []methodTree(nil), methodAny{}, gentest.Small{}, gentest.Tree{}, []gentest.Nested(nil)}
	anything := []any{any(nil), polypack.RawMessage(nil), methodAny{}}
	arrays := []any{any(nil), []int8(nil), []int16(nil), []int32(nil), []int64(nil), []int(nil), []uint16(nil), []uint32(nil), []uint64(nil), []float32(nil), []float64(nil),
		[]bool(nil), []string(nil), []any(nil), [][]byte(nil), []small(nil), []*small(nil), []noFields(nil), []struct{}{}, [][0]int{}, [3]int{}, []map[string]int(nil),
		[]time.Time(nil), []methodTree(nil), [][128]int64(nil), polypack.RawMessage(nil)}
	maps := []any{any(nil), map[string]any(nil), map[string]string(nil), map[string]int(nil), map[string]int64(nil), map[string]float64(nil), map[string]bool(nil),
		map[int]string(nil), map[uint64]small(nil), map[any]any(nil), map[[2]int]string(nil), map[string]map[string][]byte(nil), map[string][128]int64(nil), small{}, noFields{},
		polypack.Object(nil), polypack.RawMessage(nil), gentest.Small{}, gentest.Nested{}}
	blobs := []any{any(nil), "", []byte(nil), [16]byte{}, polypack.RawMessage(nil)}
	return []attack{
		{"an array of 2³²−1", "ddffffffff", arrays, polypack.CodeUnexpectedEnd},
		{"an array of 2³¹", "dd80000000", arrays, polypack.CodeUnexpectedEnd},
		{"an array of 2³¹−1", "dd7fffffff c0", arrays, polypack.CodeUnexpectedEnd},
		{"an array of 100 million", "dd05f5e100", arrays, polypack.CodeUnexpectedEnd},
		{"an array of 65535", "dcffff 01 02", arrays, polypack.CodeUnexpectedEnd},
		{"a map of 2³²−1", "dfffffffff", maps, polypack.CodeUnexpectedEnd},
		{"a map of 2³¹", "df80000000", maps, polypack.CodeUnexpectedEnd},
		{"a map of 2³¹−1", "df7fffffff a0 c0", maps, polypack.CodeUnexpectedEnd},
		{"a map of 2³⁰, twice which is 2³¹", "df40000000", maps, polypack.CodeUnexpectedEnd},
		{"a map of 100 million", "df05f5e100", maps, polypack.CodeUnexpectedEnd},
		{"a str of 2³²−1", "dbffffffff 61", blobs, polypack.CodeUnexpectedEnd},
		{"a str of 2³¹", "db80000000 61", blobs, polypack.CodeUnexpectedEnd},
		{"a bin of 2³²−1", "c6ffffffff 61", blobs, polypack.CodeUnexpectedEnd},
		{"a bin of 2³¹−1", "c67fffffff 61", blobs, polypack.CodeUnexpectedEnd},
		{"an ext of 2³²−1", "c9ffffffff05 61", append(anything, polypack.Ext{}), polypack.CodeUnexpectedEnd},
		{"an ext of 2³¹−1", "c97fffffff05 61", append(anything, polypack.Ext{}), polypack.CodeUnexpectedEnd},
		{"a timestamp of 2³²−1", "c9ffffffffff 61", append(anything, time.Time{}, polypack.Timestamp{}), polypack.CodeUnexpectedEnd},
		{"a field's array of 2³²−1", "81a149 ddffffffff", []any{any(nil), map[string]any(nil), struct{ I []int }{}, map[string][]small(nil)}, polypack.CodeUnexpectedEnd},
		{"an unknown array of 2³²−1", "81a158 ddffffffff", []any{small{}, noFields{}, withTime{}, gentest.Small{}, gentest.Wide{}}, polypack.CodeUnexpectedEnd},
		{"an unknown str of 2³²−1", "81a158 dbffffffff", []any{small{}, noFields{}, withTime{}, gentest.Small{}, gentest.Wide{}}, polypack.CodeUnexpectedEnd},
		{"an inner map of 2²⁸", "81a14d 81a16b df10000000", []any{withDeepMaps{}, map[string]map[string]map[string][]byte{}, any(nil)}, polypack.CodeUnexpectedEnd},
		{"an array as key", "81 9101 02", []any{any(nil), map[any]any(nil)}, polypack.CodeInvalidKey},
		{"an array as key of a field", "81a14d 81 9101 02", []any{withAnyKeys{}}, polypack.CodeInvalidKey},
		{"a map as key", "81 8101 02", []any{any(nil), map[any]any(nil)}, polypack.CodeInvalidKey},
		{"a map with an int as key", "810102", []any{any(nil), map[any]any(nil), map[int8]int(nil), polypack.Object(nil)}, succeeds},
		{"an unknown ext", "d5050102", append(anything, polypack.Ext{}), succeeds},
		{"a timestamp", "d6ff00000001", append(anything, time.Time{}, polypack.Timestamp{}), succeeds},
		{"bytes behind the value", "01c0c0", []any{any(nil), 0, polypack.RawMessage(nil), methodAny{}}, polypack.CodeTrailingData},
		{"300 for an int8", "cd012c", []any{int8(0)}, polypack.CodeOutOfRange},
		{"300 for a field", "81a24938 cd012c", []any{small{}}, polypack.CodeOutOfRange},
		{"−1 for a uint", "ff", []any{uint16(0), uint32(0), uint64(0), uint(0)}, polypack.CodeOutOfRange},
		{"2⁶⁴−1 for an int64", "cfffffffffffffffff", []any{int64(0), int(0), int32(0)}, polypack.CodeOutOfRange},
		{"−1000 for a uint64", "81a3553634 d1fc18", []any{small{}}, polypack.CodeOutOfRange},
		{"1e300 for a float32", "cb7e37e43c8800759c", []any{float32(0)}, polypack.CodeOutOfRange},
		{"an int for a float64", "05", []any{float64(0), float32(0)}, succeeds},
		{"an integral float for an int", "cb4014000000000000", []any{0, int8(0), uint64(0)}, succeeds},
		{"a str for an error", "81a145 a161", []any{withError{}, withStringer{}}, polypack.CodeTypeMismatch},
		{"an int for a Stringer", "81a145 01", []any{withError{}, withStringer{}}, polypack.CodeTypeMismatch},
		{"nanoseconds of 2³⁰−1", "d7ff fffffffc00000000", []any{time.Time{}, any(nil), polypack.Timestamp{}}, polypack.CodeInvalidTimestamp},
		{"nil for a time", "81a154c0", []any{withTime{}, struct{ T *time.Time }{}}, succeeds},
		{"nil for pointers", "83 a150c0 a151c0 a152c0", []any{withPointers{}}, succeeds},
		{"a cut timestamp 32", "d6ff", append(anything, time.Time{}), polypack.CodeUnexpectedEnd},
		{"a cut timestamp 64", "d7ff", append(anything, time.Time{}), polypack.CodeUnexpectedEnd},
		{"a cut ext 8", "c7", append(anything, time.Time{}, polypack.Ext{}), polypack.CodeUnexpectedEnd},
		{"a cut ext 8 without type", "c700", append(anything, time.Time{}, polypack.Ext{}), polypack.CodeUnexpectedEnd},
		{"a cut timestamp as field", "81a154 d7ff", []any{withTime{}, any(nil)}, polypack.CodeUnexpectedEnd},
		{"a cut timestamp as element", "91d6ff", []any{[]time.Time(nil), any(nil)}, polypack.CodeUnexpectedEnd},
		{"a cut ext as value of an unknown key", "8100c7", []any{noFields{}, any(nil)}, polypack.CodeUnexpectedEnd},
		{"nothing", "", everything, polypack.CodeUnexpectedEnd},
		{"the reserved byte", "c1", everything, polypack.CodeReservedByte},
		{"a declaration of a record", "d47241", everything, polypack.CodeInvalidRecord},
	}
}

// waysIn are the ways in that decode into a target of any type. Those that know how long the data is refuse what
// follows the value.
var waysIn = map[string]func(data []byte, target any, opts []polypack.Option) error{
	"Unmarshal": func(data []byte, target any, opts []polypack.Option) error {
		return polypack.Unmarshal(data, target, opts...)
	},
	"UnmarshalPolypack": func(data []byte, target any, opts []polypack.Option) error {
		if direct, ok := target.(polypack.DirectMethods); ok && len(opts) == 0 {
			return direct.UnmarshalPolypack(data)
		}
		return polypack.Unmarshal(data, target, opts...)
	},
	"Decoder": func(data []byte, target any, opts []polypack.Option) error {
		d := polypack.NewDecoder(data, opts...)
		if err := d.Decode(target); err != nil {
			if d.Offset() != 0 {
				return fmt.Errorf("the Decoder moved to %d: %w", d.Offset(), err)
			}
			return err
		}
		return d.Finish()
	},
	"RawMessage": func(data []byte, target any, opts []polypack.Option) error {
		if len(data) == 0 {
			return polypack.CodeUnexpectedEnd // an empty RawMessage is nil
		}
		return polypack.RawMessage(data).Unmarshal(target, opts...)
	},
	"UnmarshalRead": func(data []byte, target any, opts []polypack.Option) error {
		return polypack.UnmarshalRead(bytes.NewReader(data), target, opts...)
	},
	"StreamDecoder": func(data []byte, target any, opts []polypack.Option) error {
		s := polypack.NewStreamDecoder(oneByOne{bytes.NewReader(data)}, opts...)
		if err := s.Decode(target); err != nil {
			return err
		}
		if s.InputOffset() < int64(len(data)) {
			return polypack.CodeTrailingData // a stream may go on
		}
		return nil
	},
	"an element": func(data []byte, target any, opts []polypack.Option) error {
		list := reflect.New(reflect.SliceOf(reflect.TypeOf(target).Elem()))
		return polypack.Unmarshal(append([]byte{0x91}, data...), list.Interface(), opts...)
	},
	"a value of a map": func(data []byte, target any, opts []polypack.Option) error {
		m := reflect.New(reflect.MapOf(reflect.TypeFor[string](), reflect.TypeOf(target).Elem()))
		return polypack.Unmarshal(append([]byte{0x81, 0xa1, 'k'}, data...), m.Interface(), opts...)
	},
	"a field": func(data []byte, target any, opts []polypack.Option) error {
		s := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "K", Type: reflect.TypeOf(target)}}))
		return polypack.Unmarshal(append([]byte{0x81, 0xa1, 'K'}, data...), s.Interface(), opts...)
	},
}

// oneByOne reads one byte at a time.
type oneByOne struct{ r *bytes.Reader }

func (o oneByOne) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

func TestAttacks(t *testing.T) {
	for _, a := range attacks() {
		data := unhex(t, a.data)
		for engine, opts := range engines {
			for way, decode := range waysIn {
				for _, target := range a.targets {
					p := reflect.New(reflect.TypeFor[any]())
					if target != nil {
						p = reflect.New(reflect.TypeOf(target))
					}
					err := decode(data, p.Interface(), opts)
					want := a.want
					if len(data) == 0 && (way == "StreamDecoder" || way == "UnmarshalRead") {
						continue // the end of a stream is io.EOF
					}
					if want == succeeds && err == nil || want != succeeds && errors.Is(err, want) {
						continue
					}
					if want == polypack.CodeUnexpectedEnd && way == "StreamDecoder" && errors.Is(err, polypack.CodeLimitExceeded) {
						continue // more is announced than MaxBytes lets a stream wait for
					}
					t.Errorf("%s, %s, %s into %T: %v; want %q", a.name, engine, way, target, err, want)
				}
			}
		}
	}
}

// The ways in that have no target of their own.
func TestAttacksWithoutTarget(t *testing.T) {
	for _, a := range attacks() {
		data := unhex(t, a.data)
		if a.want == polypack.CodeInvalidKey || a.want == polypack.CodeOutOfRange || a.want == polypack.CodeTypeMismatch || a.want == polypack.CodeTrailingData {
			a.want = "" // sound as it is, or for some targets only
		}
		for mode, opts := range map[string][]polypack.Option{"default": nil, "strict": {polypack.Strict}, "lossless": {polypack.Lossless}} {
			for way, read := range map[string]func() error{
				"Skip":         func() error { return polypack.NewDecoder(data, opts...).Skip() },
				"Canonicalize": func() error { _, err := polypack.Canonicalize(data, opts...); return err },
				"IsCanonical":  func() error { _, _, err := polypack.IsCanonical(data, opts...); return err },
				"Get":          func() error { _, err := polypack.Get(data, "", opts...); return err },
				"DecodeAny":    func() error { _, err := polypack.NewDecoder(data, opts...).DecodeAny(); return err },
				"Decode into a RawMessage": func() error {
					return polypack.NewDecoder(data, opts...).Decode(new(polypack.RawMessage))
				},
				"typed calls": func() error {
					d := polypack.NewDecoder(data, opts...)
					for _, call := range []func() error{d.DecodeNil, func() error { _, err := d.DecodeBool(); return err },
						func() error { _, err := d.DecodeInt(); return err }, func() error { _, err := d.DecodeUint(); return err },
						func() error { _, err := d.DecodeFloat32(); return err }, func() error { _, err := d.DecodeFloat64(); return err },
						func() error { _, err := d.DecodeString(); return err }, func() error { _, err := d.DecodeBytes(); return err },
						func() error { _, err := d.DecodeExt(); return err }, func() error { _, err := d.DecodeTimestamp(); return err },
						func() error { _, err := d.DecodeArrayHeader(); return err }, func() error { _, err := d.DecodeMapHeader(); return err }} {
						if err := call(); err != nil {
							packageError(t, a.name, err)
							if d.Offset() != 0 {
								t.Errorf("%s: a typed call that failed moved to %d", a.name, d.Offset())
							}
							continue
						}
						d.Reset(data)
					}
					return nil
				},
				"Values": func() error {
					for _, err := range polypack.Values[any](bytes.NewReader(data), opts...) {
						if err != nil {
							return err
						}
					}
					return nil
				},
				"Elements": func() error {
					for _, err := range polypack.Elements[any](bytes.NewReader(data), opts...) {
						if err != nil {
							return err
						}
					}
					return nil
				},
			} {
				err := read()
				packageError(t, a.name+" "+way, err)
				exact := way == "Skip" || way == "Canonicalize" || way == "Get" || way == "DecodeAny" && mode == "default"
				if exact && a.want != "" && !errors.Is(err, a.want) {
					t.Errorf("%s, %s, %s: %v; want %s", a.name, mode, way, err, a.want)
				}
			}
		}
	}
}

// Every prefix of every message, and every message with one byte changed, on the ways that generic code takes.
func TestDamagedMessages(t *testing.T) {
	data := keeperData(t, 1, 1)
	if len(data) > 900 {
		data = append(data[:300:300], data[len(data)-400:]...)
	}
	rounds := len(data)
	if fewRounds() {
		rounds = min(rounds, 200)
	}
	try := func(damaged []byte) {
		codec := polypack.MustCodecOf[keeper]()
		decoder := polypack.GetStructDecoder[keeper](true)
		for name, opts := range engines {
			var v keeper
			var a any
			packageError(t, name, polypack.Unmarshal(damaged, &v, opts...))
			packageError(t, name, polypack.Unmarshal(damaged, &a, opts...))
		}
		var v keeper
		packageError(t, "Codec", codec.Unmarshal(damaged, &v))
		packageError(t, "StructDecoder", decoder.Decode(damaged, &v))
		packageError(t, "Skip", polypack.NewDecoder(damaged).Skip())
		_, err := polypack.Get(damaged, "/Rows/0/Name")
		packageError(t, "Get", err)
		_, err = polypack.Canonicalize(damaged)
		packageError(t, "Canonicalize", err)
	}
	for i := range rounds {
		try(data[:i:i])
		for _, c := range []byte{0x00, 0x9f, 0xc1, 0xc7, 0xdd, 0xdf, 0xff, data[i] + 1} {
			damaged := bytes.Clone(data)
			damaged[i] = c
			try(damaged)
		}
	}
}

// last returns the error with which a loop ends.
func last[T any](values iter.Seq2[T, error]) (err error) {
	for _, err = range values {
	}
	return err
}

// What attacks take before their elements arrive: less than four times the input and 64 KiB, on every way in.
func TestMemoryOfAttacks(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates for itself")
	}
	nested := promising(64<<10, 900, 30, 0xdd, nil)
	unknown := append([]byte("\x81\xa1X"), promising(64<<10, 900, 30, 0xdd, nil)...)
	nils := append([]byte{0x81, 0xa1, 'X', 0xdd, 0, 0x10, 0, 0}, bytes.Repeat([]byte{0xc0}, 1<<20)...)
	deep := polypack.MaxDepth(2000)
	for name, c := range map[string]struct {
		data []byte
		call func(data []byte) error
	}{
		"nested into any":           {nested, func(b []byte) error { return polypack.Unmarshal(b, new(any), deep) }},
		"nested into any by plans":  {nested, func(b []byte) error { return polypack.Unmarshal(b, new(any), deep, polypack.PlansOnly()) }},
		"nested into any, strict":   {nested, func(b []byte) error { return polypack.Unmarshal(b, new(any), deep, polypack.Strict) }},
		"nested into any, lossless": {nested, func(b []byte) error { return polypack.Unmarshal(b, new(any), deep, polypack.Lossless) }},
		"nested into slices":        {nested, func(b []byte) error { return polypack.Unmarshal(b, new(deepSlice), deep) }},
		"nested, skipped":           {nested, func(b []byte) error { return polypack.NewDecoder(b, deep).Skip() }},
		"nested, Get":               {nested, func(b []byte) error { _, err := polypack.Get(b, "/0/0/0/1", deep); return err }},
		"nested, canonical":         {nested, func(b []byte) error { _, err := polypack.Canonicalize(b, deep); return err }},
		"nested in an unknown field": {unknown, func(b []byte) error {
			return polypack.Unmarshal(b, new(small), deep)
		}},
		"a million nils in an unknown field":          {nils, func(b []byte) error { return polypack.Unmarshal(b, new(small)) }},
		"a million nils in an unknown field by plans": {nils, func(b []byte) error { return polypack.Unmarshal(b, new(small), polypack.PlansOnly()) }},
		"nested, UnmarshalRead":                       {nested, func(b []byte) error { return polypack.UnmarshalRead(bytes.NewReader(b), new(any), deep) }},
		"nested, StreamDecoder":                       {nested, func(b []byte) error { return polypack.NewStreamDecoder(bytes.NewReader(b), deep).Decode(new(any)) }},
		"nested, Values":                              {nested, func(b []byte) error { return last(polypack.Values[any](bytes.NewReader(b), deep)) }},
		"nested, Elements":                            {nested, func(b []byte) error { return last(polypack.Elements[any](bytes.NewReader(b), deep)) }},
		"nested in an unknown field, UnmarshalRead": {unknown, func(b []byte) error {
			return polypack.UnmarshalRead(bytes.NewReader(b), new(small), deep)
		}},
		"nested in an unknown field, UnmarshalPolypack": {unknown, func(b []byte) error {
			return new(gentest.Small).UnmarshalPolypack(b)
		}},
		"a million nils in an unknown field, UnmarshalPolypack": {nils, func(b []byte) error { return new(gentest.Small).UnmarshalPolypack(b) }},
		"a million nils in an unknown field, UnmarshalRead":     {nils, func(b []byte) error { return polypack.UnmarshalRead(bytes.NewReader(b), new(small)) }},
		"a million nils in an unknown field, Values":            {nils, func(b []byte) error { return last(polypack.Values[small](bytes.NewReader(b))) }},
	} {
		got := spent(func() { packageError(t, name, c.call(c.data)) })
		// The path of the error has hundreds of segments.
		if most := uint64(4*len(c.data) + 64<<10 + 128<<10); got > most {
			t.Errorf("%s: %d bytes allocated for %d, at most %d", name, got, len(c.data), most)
		}
	}
}

// Values that other encoders write wrongly, lose, or die of.
func TestHardValues(t *testing.T) {
	type point struct{ X, Y int8 }
	seven, text := 7, "text"
	pointer := &text
	type hard struct {
		IntKeys    map[int]string
		StructKeys map[point]int
		ArrayKeys  map[[2]int]string
		BoolKeys   map[bool]int
		Nested     map[string]map[string]int
		Pointer    *int
		Pointers   **string
		Structs    []point
		Nils       []*point
		Array      [3]int
		Grid       [][]bool
		Bytes      [][]byte
		Any        any
		Time       time.Time
		Times      []*time.Time
		Old        time.Time
		Max        uint64
		Min        int64
		NoName     string `msgpack:",omitempty"`
		NilSlice   []int
		Empty      []int
		NilMap     map[string]int
		EmptyMap   map[string]int
		NilBytes   []byte
		Self       *hard
	}
	now, old := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), time.Date(1066, 10, 14, 9, 0, 0, 1, time.UTC)
	want := hard{map[int]string{1: "a", -5: "b"}, map[point]int{{1, 2}: 3}, map[[2]int]string{{1, 2}: "x"}, map[bool]int{true: 1}, map[string]map[string]int{"a": {"b": 1}},
		&seven, &pointer, []point{{1, 2}}, []*point{nil, {3, 4}}, [3]int{1, 2, 3}, [][]bool{{true}, {}, nil}, [][]byte{{1}, {}, nil}, []any{"x", int64(5)}, now,
		[]*time.Time{nil, &now}, old, math.MaxUint64, math.MinInt64, "named", nil, []int{}, nil, map[string]int{}, nil, &hard{Max: 1}}
	var first []byte
	for name, opts := range engines {
		data, err := polypack.Marshal(&want, opts...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if first != nil && !bytes.Equal(first, data) {
			t.Errorf("%s: other bytes", name)
		}
		first = data
		var got hard
		if err := polypack.Unmarshal(data, &got, opts...); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, got %+v", name, err, got)
		}
	}
	for _, v := range []any{complex(1, 2), make(chan int), func() {}, struct{ C complex64 }{}, []any{complex(1, 2)}} {
		for name, opts := range engines {
			if _, err := polypack.Marshal(v, opts...); !errors.Is(err, polypack.CodeUnsupportedValue) {
				t.Errorf("%s: %T: %v; want CodeUnsupportedValue", name, v, err)
			}
		}
	}
}
