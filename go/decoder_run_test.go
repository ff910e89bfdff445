package polypack

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// FuzzRun asserts that run takes exactly what skip takes value by value.
func FuzzRun(f *testing.F) {
	for _, in := range []string{"\x01", "\xc1", "\x93\x01\xa1a\xcb", "\xdd\xff\xff\xff\xff", "\x82\xa1a\x91\x91\x01\xa1b\xc7\x02\x05ab", "\xd6\xff\x00\x00\x00\x01", "\xd4\x72\x40\x90",
		"\xc7\x0c\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00", "\xde\x00\x01\x01\x02", "\xc6\x00\x00\x00\x01a", "\xd9\x01", "\xc9\x00\x00\x00\x02\x72\x40\x40"} {
		f.Add([]byte(in))
	}
	f.Fuzz(checkRun)
}

func checkRun(t *testing.T, data []byte) {
	for _, around := range []struct {
		owed            int64
		depth, maxDepth int
	}{{0, 0, 512}, {2, 1, 3}, {0, 0, 0}} {
		d := Decoder{data: data, settings: defaultSettings(), owed: around.owed, depth: around.depth}
		d.maxDepth = around.maxDepth
		end := run(data, 0, 1, around.owed, around.depth, around.maxDepth)
		err := d.skipValue()
		if (end < 0) != (err != nil) || err == nil && (end != d.offset || d.owed != around.owed || d.depth != around.depth) {
			t.Fatalf("%x with %+v: run ends at %d, skip at %d, %v", data, around, end, d.offset, err)
		}
	}
}

// TestRun spoils valid messages at every place, in many ways.
func TestRun(t *testing.T) {
	message, err := Marshal([]any{1, -70000, uint64(1) << 63, 1.5, float32(1.5), true, nil, "text", string(make([]byte, 40)), string(make([]byte, 300)),
		[]byte{1}, make([]byte, 300), map[string]any{"a": []int{}, "b": map[int]any{1: "x"}}, Ext{5, []byte{1, 2, 3}}, Ext{5, make([]byte, 16)},
		Timestamp{1, 1}, Timestamp{-1, 1}, make([]any, 20), Ext{6, make([]byte, 300)}})
	if err != nil {
		t.Fatal(err)
	}
	checkRun(t, message)
	random := rand.New(rand.NewPCG(1, 2))
	for at := range message {
		checkRun(t, message[:at])
		for range 40 {
			spoiled := bytes.Clone(message)
			spoiled[at] = byte(random.Uint32())
			checkRun(t, spoiled)
		}
	}
	for c := range 256 {
		for _, rest := range []string{"", "\x00", "\xff\x00", "\x02\xff\x00\x01\x02", "\x00\x00\x00\x01\x72\x40\x01"} {
			checkRun(t, append([]byte{byte(c)}, rest...))
		}
	}
}
