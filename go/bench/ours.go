package main

// Plan of the file: the ways to use this library that are measured.

import polypack "github.com/polypack/polypack/go"

// owns are our codecs for a workload. The peers that take any value are compared with general, the prepared ones with prepared.
type owns struct {
	general, prepared *codec
	generated         *codec // nil where no code is generated for the type
}

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

func ownsOf[T any](w *workload, _ *T) owns {
	marshalled := general(func(v any) ([]byte, error) { return polypack.Marshal(v) },
		func(data []byte, target any) error { return polypack.Unmarshal(data, target) })(w)
	var buffer []byte
	marshalled.reuse = func(calls int) ([]byte, error) {
		for range calls {
			var err error
			if buffer, err = polypack.Append(buffer[:0], w.value); err != nil {
				return nil, err
			}
		}
		return buffer, nil
	}
	return owns{general: marshalled, prepared: marshalled}
}
