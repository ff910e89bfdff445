//go:build !purego

package polypack

// Plan of the file: how long the next message of a type will be, so that its buffer is allocated once.

import (
	"math"
	"sync/atomic"
)

// A sizeHint remembers how many bytes the last two messages of a type took, 32 bits each. It is a guess: goroutines may
// overwrite each other's notes.
type sizeHint struct{ lastTwo atomic.Uint64 }

const (
	// firstHint is for a type that has not been seen.
	firstHint = 64
	// if the two sizes are similar, the larger one is expected; up to smallHint that costs nothing.
	smallHint = 512
)

// expected returns how many bytes the next message probably takes. If the two sizes differ much it is the smaller one:
// growing costs less than wasting.
func (h *sizeHint) expected() int {
	both := h.lastTwo.Load()
	low, high := int64(both>>32), int64(both&math.MaxUint32)
	if low > high {
		low, high = high, low
	}
	if high > smallHint && high > 2*low {
		high = low
	}
	if high == 0 {
		high = firstHint
	}
	return int(min(high, math.MaxInt))
}

// isNew reports whether no message has been noted yet.
func (h *sizeHint) isNew() bool { return h.lastTwo.Load() == 0 }

// note remembers how many bytes a message took.
func (h *sizeHint) note(size int) {
	if uint64(size) <= math.MaxUint32 {
		h.lastTwo.Store(h.lastTwo.Load()<<32 | uint64(size))
	}
}
