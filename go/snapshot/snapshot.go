// Package snapshot reads snapshots of PHP as data, for example from a cache that PHP and Go share. It looks up no class
// and runs no code of a class (spec/10-snapshot.md#elsewhere). It also verifies the signatures of snapshots
// (spec/11-envelope.md).
//
// A value of PHP becomes
//
//	null, bool, int, float, string   nil, bool, int64, float64, string (its bytes may be anything)
//	a list                           []any
//	any other array                  *Map, in PHP's order; keys are int64 or string
//	an object                        *Object
//	a case of an enum                Case
//
// If PHP has the same object twice, or two references to one array, the result has the same pointer or slice twice. So
// values may contain themselves. Errors in the data are *polypack.Error; wrong use of the package is
// *polypack.UsageError.
package snapshot

import (
	"fmt"
	"math"

	polypack "github.com/polypack/polypack/go"
)

// Plan of the package: options and entry points here; values.go has the types of results; reader.go and tables.go read
// values, with the help of columns.go, series.go and source.go; envelope.go verifies signatures; failure.go makes
// errors.

// An Option sets a limit, or says how a value is signed. Options are immutable.
type Option func(*settings) error

type settings struct {
	maxDepth    int
	maxElements int64
	purpose     string
	isPlain     bool
}

const (
	defaultMaxElements = 1 << 20
	maxDepthCeiling    = 10_000
)

// MaxDepth sets how many arrays and objects may be inside one another, 0 to 10 000, 512 by default. Exceeding the limit
// is CodeLimitExceeded.
func MaxDepth(depth int) Option {
	return func(s *settings) error {
		if depth < 0 || depth > maxDepthCeiling {
			return outOfRange("MaxDepth", depth, maxDepthCeiling)
		}
		s.maxDepth = depth
		return nil
	}
}

// MaxElements sets how many values may take less than a byte each, such as the values of a range or the cells of a
// constant column. The limit is at least 0, and 1 048 576 by default. Exceeding it is CodeLimitExceeded.
func MaxElements(elements int) Option {
	return func(s *settings) error {
		if elements < 0 {
			return outOfRange("MaxElements", elements, math.MaxInt)
		}
		s.maxElements = int64(elements)
		return nil
	}
}

// Purpose sets the purpose for which a value was signed, such as the name of a cache and the key of the value in it.
// The writer must have used the same purpose. A purpose has at most 2³²−1 bytes, and is empty by default.
func Purpose(purpose string) Option {
	return func(s *settings) error {
		if int64(len(purpose)) > math.MaxUint32 {
			return &polypack.UsageError{Call: "Purpose", Reason: "it is too long"}
		}
		s.purpose = purpose
		return nil
	}
}

// PlainFrame says that a signed value ends with its signature of 32 bytes, and has neither key id nor purpose
// (spec/11-envelope.md#plain-frame).
func PlainFrame() Option {
	return func(s *settings) error {
		s.isPlain = true
		return nil
	}
}

func outOfRange(option string, value, high int) error {
	return &polypack.UsageError{Call: option, Reason: fmt.Sprintf("%d is out of range; use 0 to %d", value, high)}
}

func newSettings(options []Option) (settings, error) {
	s := settings{maxDepth: polypack.DefaultMaxDepth, maxElements: defaultMaxElements}
	for _, option := range options {
		if option == nil {
			return s, &polypack.UsageError{Call: "Option", Reason: "an option is nil; leave it out"}
		}
		if err := option(&s); err != nil {
			return s, err
		}
	}
	if s.isPlain && s.purpose != "" {
		return s, &polypack.UsageError{Call: "PlainFrame", Reason: "a plain frame has no purpose; leave out Purpose"}
	}
	return s, nil
}

// Decode reads a snapshot. The data may come from an untrusted source. The result doesn't share memory with the data.
func Decode(data []byte, options ...Option) (any, error) {
	s, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	return read(data, 0, s)
}

// DecodeSigned checks the signature of a snapshot, and reads the snapshot only if the signature is valid. It compares
// signatures in constant time. Every fault of the signature is CodeInvalidSignature at offset 0.
func DecodeSigned(data []byte, keys Keys, options ...Option) (any, error) {
	s, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	if err := keys.check(); err != nil {
		return nil, err
	}
	payload, offset, err := verify(data, keys, s)
	if err != nil {
		return nil, err
	}
	return read(payload, offset, s)
}
