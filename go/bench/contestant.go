package main

// Plan of the file: what a contestant is, and the loops that most libraries share. Peers call enter in the init
// functions of standard.go, jsonv2.go and peer_*.go. The peer files have build tags, because they need modules that
// this module does not require. ours.go has our own library.

import "github.com/polypack/polypack/go/bench/payload"

// A codec holds the functions with which a contestant encodes and decodes one workload. Each function repeats its
// operation, as often as its parameter calls says, and returns the last result. Because the loop is inside the
// function, the harness calls no closure per operation. A decoding target can also stay on the stack if the
// contestant's API allows that.
type codec struct {
	encode   func(calls int) ([]byte, error)           // into new memory each time
	reuse    func(calls int) ([]byte, error)           // into the memory of the previous call; nil if not measured
	decode   func(data []byte, calls int) (any, error) // into new zero values; returns a pointer to the last one
	zeroCopy func(data []byte, calls int) (any, error) // the same, but strings are views of data; nil if not measured
}

// A contestant is a library, or one way to use it.
type contestant struct {
	name string
	// prepared means that the contestant looks at a type before the clock runs, as cached codecs and generated code do.
	// The bench compares a prepared contestant with our prepared codec.
	prepared bool
	// allowed lists the changes to a value that count as correct, because the contestant makes them on purpose.
	allowed payload.Rules
	// codecOf returns nil if the contestant doesn't support a workload.
	codecOf func(w *workload) *codec
}

// peers are the contestants that our library is compared with. Only init functions add to this list.
var peers []contestant

func enter(c contestant) { peers = append(peers, c) }

// general returns the function codecOf for a library that accepts any value.
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
