//go:build !purego

package wire

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTexts reads strings among other bytes, by both calls as generated code does, and compares them with slices of the input.
// Their share of it and what is expected vary, so that windows and chunks of every size begin and end everywhere.
func TestTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		var data []byte
		var starts []int
		var want []string
		dense := round%4 != 0
		for len(data) < round {
			if share := random.IntN(8); share == 0 || !dense && share < 7 { // something else: a bin, of which nothing is kept
				data = append(data, headBin8, byte(random.IntN(60)))
				data = append(data, make([]byte, data[len(data)-1])...)
				continue
			}
			starts = append(starts, len(data))
			length := [...]int{random.IntN(4), random.IntN(12), random.IntN(32), random.IntN(40), random.IntN(300)}[random.IntN(5)]
			want = append(want, strings.Repeat(string(rune('a'+len(want)%26)), length))
			switch {
			case length <= maxFixstr:
				data = append(data, headFixstr|byte(length))
			case length < 256:
				data = append(data, headStr8, byte(length))
			default:
				data = append(data, headStr16, byte(length>>8), byte(length))
			}
			data = append(data, want[len(want)-1]...)
		}
		limits := ReaderLimits{Expected: [...]int{0, 1, 40, 400, 4000}[random.IntN(5)], Separate: round%16 == 1, ZeroCopy: round%16 == 2}
		var r Reader
		r.Begin(data, limits, nil)
		got := make([]string, len(want))
		for k, i := range starts {
			s, at := r.Short(i)
			if at < 0 {
				if s, at = r.String(i); at < 0 {
					t.Fatalf("round %d: there is no string at %d", round, i)
				}
			}
			if k+1 < len(starts) && at > starts[k+1] || at > len(data) {
				t.Fatalf("round %d: the string at %d ends at %d", round, i, at)
			}
			if window := len(r.Texts.Window); !limits.ZeroCopy && (window > arenaChunk || window > 0 && r.Texts.Chunk != nil || r.Texts.Size > arenaChunk) {
				t.Fatalf("round %d: a window of %d bytes, a chunk of %d", round, window, r.Texts.Size)
			}
			got[k] = s
		}
		if !limits.ZeroCopy {
			clear(data)
		}
		for k := range got {
			if got[k] != want[k] {
				t.Fatalf("round %d: %q instead of %q", round, got[k], want[k])
			}
		}
	}
}

// TestTextsLearn reads messages with few strings and with many. What one has needed makes the next one take no more than four times
// of it, and then there is nothing to learn.
func TestTextsLearn(t *testing.T) {
	for _, numbers := range []int{0, 10, 80, 200, 1000} {
		data := append([]byte("\xa5Hello\xa5world"), make([]byte, numbers)...)
		expected := 0
		for again := range 3 {
			var r Reader
			r.Begin(data, ReaderLimits{Expected: expected}, nil)
			for _, i := range []int{0, 6} {
				if _, at := r.Short(i); at < 0 {
					r.String(i)
				}
			}
			if again > 0 && (r.Texts.Odd() || len(r.Texts.Window)+r.Texts.Size > 4*(10+textsSpare)+3) {
				t.Errorf("%d numbers: a window of %d bytes, a chunk of %d", numbers, len(r.Texts.Window), r.Texts.Size)
			}
			if r.Texts.Odd() {
				expected = r.Texts.Room()
			}
		}
	}
}
