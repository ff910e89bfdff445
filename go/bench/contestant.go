package main

// Plan of the file: the types codec and contestant, and the loops that most libraries share. The init functions of
// standard.go, jsonv2.go and peer_*.go add peers. The files peer_*.go have build tags, because they need modules that
// this module does not require. Our own library is in ours.go and ours_generated.go.

import "github.com/polypack/polypack/go/bench/payload"

// A codec holds the functions with which a contestant encodes and decodes one workload. Each function repeats its
// operation calls times and returns the last result. The loop is inside the function, so it can call the contestant
// directly and keep the decoding target on the stack.
type codec struct {
	encode   func(calls int) ([]byte, error)           // encodes into new memory each time
	reuse    func(calls int) ([]byte, error)           // encodes into the previous call's memory; nil if not measured
	decode   func(data []byte, calls int) (any, error) // returns a pointer to the last decoded value
	zeroCopy func(data []byte, calls int) (any, error) // decodes with strings as views of data; nil if not measured
}

// A contestant is a library, or one way to use it.
type contestant struct {
	name string
	// prepared means that the contestant doesn't look at the type in each call, because it has a cached codec or
	// generated code. The bench compares a prepared contestant with our prepared codec instead of our general one.
	prepared bool
	// allowed lists the changes to a value that count as correct, because the contestant makes them on purpose.
	allowed payload.Rules
	// codecOf returns nil if the contestant doesn't support a workload.
	codecOf func(w *workload) *codec
}

// peers are the contestants that our library is compared with. The init functions fill the list.
var peers []contestant

func enter(c contestant) { peers = append(peers, c) }

// general returns a codecOf function for a library whose functions accept any value.
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
