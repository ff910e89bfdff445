package main

// Plan of the file: the ways to use this library that the bench measures.

import polypack "github.com/polypack/polypack/go"

// owns holds our codecs for a workload. The bench compares prepared with prepared peers, general with all other peers,
// and generated with every peer.
type owns struct {
	general, prepared *codec
	generated         *codec // nil if the type has no generated code in this build
}

// ways has the names of our codecs. They are the arguments of owns.named.
var ways = []string{"general", "prepared", "generated"}

func (o owns) named(name string) *codec {
	switch name {
	case "general":
		return o.general
	case "prepared":
		return o.prepared
	default:
		return o.generated
	}
}

func ownsOf[T any](w *workload, v *T) owns {
	o := owns{general: functions(w), prepared: preparedCodec(v)}
	if generatedOf != nil {
		o.generated = generatedOf(w.value)
	}
	return o
}

// generatedOf returns the codec that calls the generated methods of a value, or nil if the value has none. The variable
// itself is nil in a build without generated code.
var generatedOf func(value any) *codec

// functions returns the codec that calls Marshal, Append and Unmarshal.
func functions(w *workload) *codec {
	c := general(func(v any) ([]byte, error) { return polypack.Marshal(v) },
		func(data []byte, target any) error { return polypack.Unmarshal(data, target) })(w)
	var buffer []byte
	c.reuse = func(calls int) ([]byte, error) {
		for range calls {
			var err error
			if buffer, err = polypack.Append(buffer[:0], w.value); err != nil {
				return nil, err
			}
		}
		return buffer, nil
	}
	return c
}

// preparedCodec returns the codec that calls a polypack.Codec. Its zeroCopy calls a second polypack.Codec, which has
// the option StringsZeroCopy.
func preparedCodec[T any](v *T) *codec {
	kept, aliasing := polypack.MustCodecOf[T](), polypack.MustCodecOf[T](polypack.Strings(polypack.StringsZeroCopy))
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = kept.Marshal(v); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = kept.Append(buffer[:0], v); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode:   codecLoop(kept),
		zeroCopy: codecLoop(aliasing),
	}
}

func codecLoop[T any](kept *polypack.Codec[T]) func(data []byte, calls int) (any, error) {
	return func(data []byte, calls int) (any, error) {
		var v, zero T
		for range calls {
			v = zero
			if err := kept.Unmarshal(data, &v); err != nil {
				return nil, err
			}
		}
		last := v
		return &last, nil
	}
}
