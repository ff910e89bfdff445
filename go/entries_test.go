package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"testing/iotest"

	polypack "github.com/polypack/polypack/go"
)

// oneValue are the ways to decode the one value in data into what v points to. All must say the same.
var oneValue = map[string]func(data []byte, v any, opts ...polypack.Option) error{
	"Unmarshal": polypack.Unmarshal,
	"Codec": func(data []byte, v any, opts ...polypack.Option) error {
		p, isAny := v.(*any)
		if !isAny {
			return polypack.Unmarshal(data, v, opts...)
		}
		codec, err := polypack.CodecOf[any](opts...)
		if err != nil {
			return err
		}
		return codec.Unmarshal(data, p)
	},
	"Decoder": func(data []byte, v any, opts ...polypack.Option) error {
		d := polypack.NewDecoder(data, opts...)
		if err := d.Decode(v); err != nil {
			return err
		}
		return d.Finish()
	},
	"StructDecoder.DecodeWith": func(data []byte, v any, opts ...polypack.Option) error {
		p, isAny := v.(*any)
		if !isAny {
			return polypack.Unmarshal(data, v, opts...)
		}
		return polypack.GetStructDecoder[any](false).DecodeWith(polypack.NewDecoder([]byte{1, 2}, opts...), data, p)
	},
	"zero copy": func(data []byte, v any, opts ...polypack.Option) error {
		return polypack.Unmarshal(bytes.Clone(data), v, with(opts, polypack.Strings(polypack.StringsZeroCopy))...)
	},
	"UnmarshalRead": func(data []byte, v any, opts ...polypack.Option) error {
		return polypack.UnmarshalRead(iotest.HalfReader(bytes.NewReader(data)), v, with(opts, polypack.MaxBytes(1<<30))...)
	},
	"RawMessage": func(data []byte, v any, opts ...polypack.Option) error {
		if len(data) == 0 { // means nil there
			return polypack.Unmarshal(data, v, opts...)
		}
		return polypack.RawMessage(data).Unmarshal(v, opts...)
	},
}

// decodeEveryWay decodes data in all ways and returns what Unmarshal says, or what another way says instead.
func decodeEveryWay(data []byte, target func() any, opts ...polypack.Option) (v any, err error) {
	v = target()
	err = polypack.Unmarshal(data, v, opts...)
	for name, decode := range oneValue {
		other := target()
		if got := decode(data, other, opts...); errorText(got) != errorText(err) {
			return other, fmt.Errorf("%s says %v, Unmarshal %v", name, got, err)
		}
		if err == nil {
			a, errA := polypack.Marshal(v)
			b, errB := polypack.Marshal(other)
			if !bytes.Equal(a, b) || errorText(errA) != errorText(errB) {
				return other, errors.New(name + " gives another value than Unmarshal")
			}
		}
	}
	return v, err
}

// FuzzEntries asserts that all ways to decode one value say the same.
func FuzzEntries(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range optionSets() {
			for _, target := range []func() any{func() any { return new(any) }, func() any { return new(fuzzed) }, func() any { return new([]string) }} {
				v, err := decodeEveryWay(data, target, opts...)
				if err != nil {
					checkFault(t, err, data)
				} else if _, err := polypack.Marshal(v); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
