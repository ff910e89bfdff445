package main

import "testing"

var held []byte

func TestThePeakHasWhatIsHeldButNoGarbageThatWasCollected(t *testing.T) {
	const mb, runtimeOwn = 1 << 20, 16 << 10 // the runtime allocates and frees a little beside
	for _, example := range []struct {
		name      string
		call      func()
		low, high uint64
	}{
		{"nothing", func() {}, 0, 0},
		{"the result", func() { held = make([]byte, mb) }, mb, mb + mb/10},
		{"a large result", func() { held = make([]byte, 64*mb) }, 64 * mb, 66 * mb},
		{"garbage", func() {
			for range 500 {
				held = make([]byte, mb)
				held[0] = 1
			}
		}, mb, 100 * mb},
		{"what is held meanwhile", func() {
			first := make([]byte, 32*mb)
			for range 200 {
				held = make([]byte, mb)
			}
			first[0], held = 1, first[:1:1]
		}, 32 * mb, 150 * mb},
	} {
		held = nil
		got, err := peak(func() error { example.call(); return nil })
		if err != nil || got+runtimeOwn < example.low || got > example.high+runtimeOwn {
			t.Errorf("%s: %d bytes, not %d to %d; %v", example.name, got, example.low, example.high, err)
		}
	}
}
