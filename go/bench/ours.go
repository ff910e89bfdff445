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
	marshalled.reuse = func(calls int) (data []byte, err error) {
		for range calls {
			if data, err = polypack.Append(data[:0], w.value); err != nil {
				return nil, err
			}
		}
		return data, nil
	}
	return owns{general: marshalled, prepared: marshalled}
}
