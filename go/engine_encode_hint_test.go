//go:build !purego

package polypack

import (
	"math"
	"testing"
)

func TestSizeHint(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		want  int
	}{
		{nil, firstHint},
		{[]int{40}, 40},
		{[]int{10_000}, 10_000}, // the only size counts; nothing stands against it
		{[]int{10_000, 10_000}, 10_000},
		{[]int{10_000, 6000}, 10_000},
		{[]int{10_000, 4000}, 4000},
		{[]int{4000, 10_000}, 4000},
		{[]int{500, 10}, 500},
		{[]int{10_000, 10_000, 80}, 80},
		{[]int{1 << 30}, loneHint}, // too much to allocate after a single message
		{[]int{1 << 30, 1 << 30}, 1 << 30},
	} {
		var h sizeHint
		for _, size := range c.sizes {
			h.note(size)
		}
		if got := h.expected(); got != c.want || h.isNew() != (c.sizes == nil) {
			t.Errorf("after %v: %d, want %d", c.sizes, got, c.want)
		}
	}
	if uint64(math.MaxInt) > math.MaxUint32 {
		var h sizeHint
		if h.note(math.MaxInt); h.expected() != firstHint {
			t.Error("a size of more than 32 bits was noted")
		}
	}
}
