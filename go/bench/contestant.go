package main

// Plan of the file: what a contestant is, and the loops that most libraries share. Peers call enter in the init
// functions of standard.go, jsonv2.go and peer_*.go. The peer files are behind build tags, because they need modules
// that this one does not require. ours.go has our own library.

import "github.com/polypack/polypack/go/bench/payload"

// A codec holds the functions with which a contestant encodes and decodes one workload. Each function runs its
// operation calls times and returns the last result. The loop is in the function, so that the harness calls no closure
// for each operation, and a target can stay on the stack if the contestant's API allows that.
type codec struct {
	encode   func(calls int) ([]byte, error)           // into new memory each time
	reuse    func(calls int) ([]byte, error)           // into the memory of the previous call; may be nil
	decode   func(data []byte, calls int) (any, error) // into new zero values; returns a pointer to the last one
	zeroCopy func(data []byte, calls int) (any, error) // as decode, with strings that are views of data; may be nil
}

// A contestant is a library, or one way to use it.
type contestant struct {
	name string
	// prepared means that it looks at a type before the clock runs, as cached codecs and generated code do. It is
	// compared with our prepared codec.
	prepared bool
	// allowed lists the changes to a value that count as correct, because this library makes them on purpose.
	allowed payload.Rules
	// codecOf returns nil if the contestant doesn't support a workload.
	codecOf func(w *workload) *codec
}

// peers are the contestants that ours is compared with. Only init functions add to it.
var peers []contestant

func enter(c contestant) { peers = append(peers, c) }

// general returns the codec of a library that takes any value.
func general(marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) func(*workload) *codec {
	return func(w *workload) *codec {
		return &codec{encode: encodeLoop(w.value, marshal), decode: decodeLoop(w.target, unmarshal)}
	}
}

func encodeLoop(value any, marshal func(any) ([]byte, error)) func(calls int) ([]byte, error) {
	return func(calls int) (data []byte, err error) {
		for range calls {
			if data, err = marshal(value); err != nil {
				return nil, err
			}
		}
		return data, nil
	}
}

func decodeLoop(target func() any, unmarshal func([]byte, any) error) func(data []byte, calls int) (any, error) {
	return func(data []byte, calls int) (last any, err error) {
		for range calls {
			last = target()
			if err := unmarshal(data, last); err != nil {
				return nil, err
			}
		}
		return last, nil
	}
}
