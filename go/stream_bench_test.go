package polypack_test

import (
	"bytes"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// BenchmarkStream reads messages of one row each.
func BenchmarkStream(b *testing.B) {
	var stream bytes.Buffer
	out := polypack.NewStreamEncoder(&stream)
	const rows = 1000
	for i := range rows {
		if err := out.Encode(account{Name: "Alice", Age: i, Email: "alice@example.org"}); err != nil {
			b.Fatal(err)
		}
	}
	data := stream.Bytes()
	b.Run("Values", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			for _, err := range polypack.Values[account](bytes.NewReader(data)) {
				if err != nil {
					b.Fatal(err)
				}
				n++
			}
			if n != rows {
				b.Fatal(n)
			}
		}
	})
	array := append([]byte{0xdc, rows >> 8, rows & 0xff}, data...)
	b.Run("Elements", func(b *testing.B) {
		b.SetBytes(int64(len(array)))
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range polypack.Elements[account](bytes.NewReader(array)) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("UnmarshalRead", func(b *testing.B) {
		b.SetBytes(int64(len(array)))
		b.ReportAllocs()
		for b.Loop() {
			var all []account
			if err := polypack.UnmarshalRead(bytes.NewReader(array), &all); err != nil {
				b.Fatal(err)
			}
		}
	})
}
