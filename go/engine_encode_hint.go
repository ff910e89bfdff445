//go:build !purego

package polypack

// Plan of the file: guessing how long the next message of a type will be, so that its buffer is allocated only once.

import (
	"math"
	"sync/atomic"
)

// A sizeHint remembers the last two sizes, in bytes, that were noted for messages of a type or for their strings. Each
// size has 32 bits. Goroutines may overwrite each other's notes, because a hint needn't be right.
type sizeHint struct{ lastTwo atomic.Uint64 }

const (
	// firstHint is the expected size of the first message of a type, in bytes.
	firstHint = 64
	// smallHint is the size, in bytes, up to which the larger of the two sizes is expected even if they differ much.
	smallHint = 512
	// loneHint is the largest size, in bytes, that is expected after a single message, which may be an exception.
	loneHint = 64 << 10
)

// expected returns how many bytes the next message probably takes: the larger of the two sizes. If the larger one is
// more than smallHint and more than twice the smaller one, expected returns the smaller one, because growing costs less
// than wasting memory. If only one size has been noted, expected returns that one, but at most loneHint. It returns
// firstHint instead of 0.
func (h *sizeHint) expected() int {
	both := h.lastTwo.Load()
	older, latest := int64(both>>32), int64(both&math.MaxUint32)
	size, other := max(older, latest), min(older, latest)
	switch {
	case older == 0:
		size = min(latest, loneHint)
	case size > smallHint && size > 2*other:
		size = other
	}
	if size == 0 {
		size = firstHint
	}
	return int(min(size, math.MaxInt))
}

// isNew reports whether no message has been noted yet.
func (h *sizeHint) isNew() bool { return h.lastTwo.Load() == 0 }

// note remembers the size of a message, in bytes, if 32 bits hold it.
func (h *sizeHint) note(size int) {
	if uint64(size) <= math.MaxUint32 {
		h.lastTwo.Store(h.lastTwo.Load()<<32 | uint64(size))
	}
}
