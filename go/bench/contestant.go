package main

// Plan of the file: who takes part, and the loops that most libraries share. A library is one file that calls
// enter in its init: ours.go, standard.go, and peer_*.go, which are behind build tags because they need modules
// that this one does not require.

// codec is how a contestant treats one workload. Each function repeats its operation and returns the last result. The
// loop belongs to the contestant, so that a target can stay on the stack when the contestant's functions let it, and
// nobody pays for a closure around each call.
type codec struct {
	encode   func(calls int) ([]byte, error)           // into new memory each time
	reuse    func(calls int) ([]byte, error)           // into the memory of the call before; may be nil
	decode   func(data []byte, calls int) (any, error) // into new zero values; returns a pointer to the last one
	zeroCopy func(data []byte, calls int) (any, error) // as decode, with texts that lie in data; may be nil
}

// contestant is a library, or one way to use it.
type contestant struct {
	name string
	// prepared says that it looks at a type before the clock runs: cached codecs and generated code. Ours is prepared
	// as well when it is compared with such a one.
	prepared bool
	// allowed is what may come back other than it was, because this library is like that.
	allowed rules
	// codecOf returns nil when the contestant does not take part in a workload.
	codecOf func(w *workload) *codec
}

// peers are the contestants that ours is compared with. It is only added to by init functions.
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
