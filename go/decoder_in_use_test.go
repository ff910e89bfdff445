package polypack_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// intruder is what the methods of the types below call, or nil.
var intruder func()

func intrude() {
	if intruder != nil {
		intruder()
	}
}

type (
	byText     struct{ S string }
	byBinary   struct{ S string }
	byMsgpack  struct{ S string }
	byForeign  struct{ S string } // with an Extension
	fromItself struct{ S string }
	keyText    string
)

func (v *byText) UnmarshalText(b []byte) error       { intrude(); v.S = string(b); return nil }
func (v byText) MarshalText() ([]byte, error)        { intrude(); return []byte(v.S), nil }
func (v *byBinary) UnmarshalBinary(b []byte) error   { intrude(); v.S = string(b); return nil }
func (v *byMsgpack) UnmarshalMsgpack(b []byte) error { intrude(); v.S = string(b[1:]); return nil }
func (v *keyText) UnmarshalText(b []byte) error      { intrude(); *v = keyText(b); return nil }
func (v *fromItself) UnmarshalMsgpackFrom(d *polypack.Decoder) (err error) {
	intrude()
	v.S, err = d.DecodeString()
	return err
}

var byExtension = polypack.Extensions(polypack.NewExtension(5, encodeNothing[byForeign], func(data []byte) (byForeign, error) {
	intrude()
	return byForeign{string(data)}, nil
}))

// decoderCalls are the calls that a method must not make.
var decoderCalls = map[string]func(d *polypack.Decoder) error{
	"Decode":            func(d *polypack.Decoder) error { return d.Decode(new(any)) },
	"Decode of data":    func(d *polypack.Decoder) error { return d.Decode(new(string)) },
	"DecodeAny":         func(d *polypack.Decoder) error { _, err := d.DecodeAny(); return err },
	"DecodeString":      func(d *polypack.Decoder) error { _, err := d.DecodeString(); return err },
	"DecodeBytes":       func(d *polypack.Decoder) error { _, err := d.DecodeBytes(); return err },
	"DecodeArrayHeader": func(d *polypack.Decoder) error { _, err := d.DecodeArrayHeader(); return err },
	"DecodeNil":         func(d *polypack.Decoder) error { return d.DecodeNil() },
	"Skip":              func(d *polypack.Decoder) error { return d.Skip() },
	"Peek":              func(d *polypack.Decoder) error { _, err := d.Peek(); return err },
	"Finish":            func(d *polypack.Decoder) error { return d.Finish() },
	"More":              func(d *polypack.Decoder) error { d.More(); return new(polypack.UsageError) },
	"Offset":            func(d *polypack.Decoder) error { d.Offset(); return new(polypack.UsageError) },
}

type inUseRow struct {
	message string
	target  func() any
	any     bool // DecodeAny reads it, too
}

var inUseRows = []inUseRow{
	{"92 a161 a162", func() any { return new([]byText) }, false},
	{"92 c40161 c40162", func() any { return new([]byBinary) }, false},
	{"92 a161 a162", func() any { return new([]byMsgpack) }, false},
	{"92 d40561 d40562", func() any { return new([]byForeign) }, false},
	{"92 d40561 d40562", func() any { return new(any) }, true},
	{"92 d40561 d40562", func() any { return new([2]any) }, false},
	{"82 a161 01 a162 02", func() any { return new(map[keyText]int) }, false},
	{"81 a153 a161", func() any { return new(struct{ S *byText }) }, false},
	{"a161", func() any { return new(byText) }, false},
	{"91 a161", func() any { var v any = new(byText); return &[]any{v} }, false},
}

// TestDecoderInUse uses a Decoder in the methods and Extensions that it calls.
func TestDecoderInUse(t *testing.T) {
	defer func() { intruder = nil }()
	for _, row := range inUseRows {
		for _, opts := range [][]polypack.Option{{byExtension}, {byExtension, polypack.Strict}, {byExtension, inline}, {byExtension, polypack.PlansOnly()}} {
			want := row.target()
			intruder = nil
			message := unhex(t, row.message)
			if err := polypack.Unmarshal(message, want, opts...); err != nil {
				t.Fatal(err)
			}
			reads := []func(d *polypack.Decoder) (any, error){
				func(d *polypack.Decoder) (any, error) { v := row.target(); return v, d.Decode(v) },
			}
			if row.any {
				reads = append(reads, func(d *polypack.Decoder) (any, error) { v, err := d.DecodeAny(); return &v, err })
			}
			for way, read := range reads {
				for called, call := range decoderCalls {
					for _, head := range [][]byte{nil, {0x92}} {
						d := polypack.NewDecoder(append(append(append(head, message...), message...), 0xa1, 'z'), opts...)
						if head != nil {
							if n, err := d.DecodeArrayHeader(); n != 2 || err != nil {
								t.Fatal(err)
							}
						}
						for range 2 {
							calls := 0
							intruder = func() {
								calls++
								var usage *polypack.UsageError
								if err := call(d); !errors.As(err, &usage) {
									t.Errorf("%T, way %d, %s: %v", want, way, called, err)
								}
							}
							v, err := read(d)
							if intruder = nil; err != nil || calls == 0 || !reflect.DeepEqual(v, want) {
								t.Errorf("%T, way %d, %s: %+v, %v, %d calls, want %+v", want, way, called, v, err, calls, want)
							}
						}
						if s, err := d.DecodeString(); s != "z" || err != nil || d.Finish() != nil {
							t.Errorf("%T, way %d, %s: then %q, %v", want, way, called, s, err)
						}
					}
				}
			}
		}
	}
}

// TestDecoderResetInUse resets a Decoder in the methods and Extensions that it calls, which makes it unusable.
func TestDecoderResetInUse(t *testing.T) {
	defer func() { intruder = nil }()
	rows := append([]inUseRow{{"92 a161 a162", func() any { return new([]fromItself) }, false}, {"a161", func() any { return new(fromItself) }, false}}, inUseRows...)
	for _, row := range rows {
		for _, with := range [][]byte{nil, {1}, {0x93, 1, 2, 3}} {
			for _, opts := range [][]polypack.Option{{byExtension}, {byExtension, polypack.Strict}, {byExtension, polypack.PlansOnly()}} {
				data := append([]byte{0x82, 0xa1, 'A'}, append(unhex(t, row.message), 0xa1, 'B', 5)...)
				d := polypack.NewDecoder(data, opts...)
				_, err1 := d.DecodeMapHeader()
				_, err2 := d.DecodeString()
				intruder = func() { d.Reset(with) }
				var usage *polypack.UsageError
				if err := errors.Join(err1, err2); err != nil {
					t.Fatal(err)
				} else if err := d.Decode(row.target()); !errors.As(err, &usage) || usage.Call != "Reset" {
					t.Errorf("%T: %v", row.target(), err)
				}
				intruder = nil
				d.Reset(data)
				if err := d.Skip(); !errors.As(err, &usage) || usage.Call != "Reset" {
					t.Errorf("%T: afterwards %v", row.target(), err)
				}
				d.More()
			}
		}
	}
}

// An intrudedStore is user code that a Decoder calls when it doesn't know a record or a fingerprint.
type intrudedStore struct{ memoryStore }

func (s *intrudedStore) Load(ctx context.Context) ([]byte, error) {
	intrude()
	return s.memoryStore.Load(ctx)
}

// TestDecoderInUseByStore uses a Decoder in the store that it asks, resets it there, and panics there.
func TestDecoderInUseByStore(t *testing.T) {
	defer func() { intruder = nil }()
	value := []onlyA{{1}, {2}}
	reads := map[string]func(d *polypack.Decoder) error{
		"Decode":    func(d *polypack.Decoder) error { return d.Decode(new([]onlyA)) },
		"of any":    func(d *polypack.Decoder) error { return d.Decode(new(any)) },
		"DecodeAny": func(d *polypack.Decoder) error { _, err := d.DecodeAny(); return err },
		"Skip":      func(d *polypack.Decoder) error { return d.Skip() },
		"Peek":      func(d *polypack.Decoder) error { _, err := d.Peek(); return err },
		"DecodeInt": func(d *polypack.Decoder) error { _, err := d.DecodeInt(); return err },
	}
	for _, also := range [][]polypack.Option{nil, {polypack.Fingerprint()}, {byExtension}, {polypack.Strict, polypack.Fingerprint()}} {
		store := &intrudedStore{}
		writer := storedIn(t, store)
		if err := writer.PublishShapesOf(context.Background(), value); err != nil {
			t.Fatal(err)
		}
		message := mustMarshal(t, value, append(also, polypack.StoredRecords(writer))...)
		data := append(bytes.Clone(message), message...)
		for way, read := range reads {
			for place, skipped := range map[string]int{"whole": 0, "in an array": 1} {
				begin := func() *polypack.Decoder {
					d := polypack.NewDecoder(data, append(also, polypack.StoredRecords(storedIn(t, store)))...)
					for range skipped {
						if way == "DecodeInt" || len(also) > 0 { // the head asks the store, too
							return nil
						}
						if _, err := d.DecodeArrayHeader(); err != nil {
							t.Fatal(err)
						}
					}
					return d
				}
				asked := 0
				for called, call := range decoderCalls {
					d := begin()
					if d == nil {
						break
					}
					intruder = func() {
						asked++
						var usage *polypack.UsageError
						if err := call(d); !errors.As(err, &usage) {
							t.Errorf("%s %s, %s: %v", way, place, called, err)
						}
					}
					err := read(d)
					intruder = nil
					if place == "whole" && way != "DecodeInt" && err != nil {
						t.Errorf("%s %s, %s: %v", way, place, called, err)
					}
				}
				if asked == 0 {
					continue // DecodeInt without fingerprints, and Peek of an array
				}
				d := begin()
				before := d.Offset()
				func() {
					intruder = func() { panic("own") }
					defer func() {
						if r := recover(); r != "own" || d.Offset() != before {
							t.Errorf("%s %s: %v, at %d, want %d", way, place, r, d.Offset(), before)
						}
						intruder = nil
					}()
					_ = read(d)
				}()
				var got, want any
				fresh := begin()
				if err, err2 := d.Decode(&got), fresh.Decode(&want); err != nil || err2 != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s %s: then %v, %v, want %v, %v", way, place, got, err, want, err2)
				}
				d = begin()
				intruder = func() { d.Reset([]byte{1, 2, 3}) }
				var usage *polypack.UsageError
				if err := read(d); !errors.As(err, &usage) || usage.Call != "Reset" || d.Offset() != before {
					t.Errorf("%s %s: Reset: %v, at %d", way, place, err, d.Offset())
				}
				intruder = nil
				if err := d.Skip(); !errors.As(err, &usage) || usage.Call != "Reset" {
					t.Errorf("%s %s: after Reset %v", way, place, err)
				}
			}
		}
	}
}

// TestPanicsInMethods recovers panics of methods. The Decoder and the Encoder are where they were before.
func TestPanicsInMethods(t *testing.T) {
	defer func() { intruder = nil }()
	recovered := func(f func()) (r any) {
		defer func() { r = recover() }()
		f()
		return nil
	}
	rows := append([]inUseRow{{"92 a161 a162", func() any { return new([]fromItself) }, false}}, inUseRows...)
	for _, row := range rows {
		for _, opts := range [][]polypack.Option{{byExtension}, {byExtension, polypack.Strict}, {byExtension, polypack.PlansOnly()}} {
			d := polypack.NewDecoder(append([]byte{0x92, 1}, unhex(t, row.message)...), opts...)
			if _, err := d.DecodeArrayHeader(); err != nil || d.Skip() != nil {
				t.Fatal(err)
			}
			intruder = func() { panic("own") }
			reads := []func(){func() { _ = d.Decode(row.target()) }}
			if row.any {
				reads = append(reads, func() { _, _ = d.DecodeAny() })
			}
			for _, read := range reads {
				if r := recovered(read); r != "own" || d.Offset() != 2 {
					t.Errorf("%T: %v, at %d", row.target(), r, d.Offset())
				}
			}
			intruder = nil
			if err := errors.Join(d.Decode(row.target()), d.Finish()); err != nil {
				t.Errorf("%T: %v", row.target(), err)
			}
		}
	}
	for _, v := range []any{byText{"a"}, []any{1, []byText{{"a"}}}, map[string]any{"k": byText{"a"}}, panicsInside{}, []panicsInside{{}}} {
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {inline}, {polypack.PlansOnly()}, {polypack.MaxDepth(4)}} {
			e := polypack.NewEncoder(nil, opts...)
			for range 100 {
				intruder = func() { panic("own") }
				if r := recovered(func() { _ = e.Encode([]any{1, v}) }); r != "own" || e.Len() != 0 {
					t.Fatalf("%T: %v, %x", v, r, e.Bytes())
				}
			}
			intruder = nil
			want := mustMarshal(t, v, opts...)
			if err := e.Encode(v); err != nil || !bytes.Equal(e.Bytes(), want) {
				t.Errorf("%T: %v, %x, want %x", v, err, e.Bytes(), want)
			}
			if e.Reset(nil); e.EncodeInt(1) != nil || !bytes.Equal(e.Bytes(), []byte{1}) {
				t.Errorf("%T: %x", v, e.Bytes())
			}
		}
	}
}

// panicsInside writes an array with an element whose method may panic.
type panicsInside struct{}

func (panicsInside) MarshalMsgpackTo(e *polypack.Encoder) error { return e.Encode([]byText{{"a"}}) }
