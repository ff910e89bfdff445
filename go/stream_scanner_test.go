package polypack

import (
	"bytes"
	"io"
	"testing"
	"unsafe"
)

// scannerMessage is a message with heads of every length, nested, and n elements.
func scannerMessage(t *testing.T, n int) []byte {
	row := map[string]any{"id": 70_000, "name": "text", "tags": []string{"a", "b"}, "big": string(make([]byte, 300)), "at": Ext{Type: 5, Data: make([]byte, 20)}}
	rows := make([]any, n)
	for i := range rows {
		rows[i] = row
	}
	data, err := Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestScannerLinear feeds a message byte by byte. Whatever has arrived is behind the scanner but for the head that is
// incomplete, and every look at a head but the last of a call moves it forward: so the looks are at most the bytes and
// the calls.
func TestScannerLinear(t *testing.T) {
	data := scannerMessage(t, 50)
	const longestHead = 6
	settings := defaultSettings()
	s := settings.newScanner()
	last := int64(0)
	for end := range data {
		complete, err := s.scan(data[:end])
		if err != nil || complete {
			t.Fatalf("after %d of %d bytes: complete %v, %v", end, len(data), complete, err)
		}
		if s.offset < last || s.offset < int64(end)-longestHead {
			t.Fatalf("after %d bytes the scanner is at %d, it was at %d", end, s.offset, last)
		}
		last = s.offset
	}
	if complete, err := s.scan(data); !complete || err != nil || s.offset != int64(len(data)) {
		t.Fatalf("complete %v, %v, at %d of %d", complete, err, s.offset, len(data))
	}
}

// A placeReader delivers data in small cuts and adds up what moving the bytes at hand to where it is to read must have
// cost.
type placeReader struct {
	data      []byte
	cut       int
	last      uintptr // where the last read ended
	delivered int
	consumed  func() int64
	moved     int64
}

func (r *placeReader) Read(p []byte) (int, error) {
	if at := uintptr(unsafe.Pointer(unsafe.SliceData(p))); at != r.last {
		r.moved += int64(r.delivered) - r.consumed()
	}
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data[:min(r.cut, len(r.data))])
	r.data = r.data[n:]
	r.delivered += n
	r.last = uintptr(unsafe.Pointer(unsafe.SliceData(p))) + uintptr(n)
	return n, nil
}

// TestStreamMoves asserts that moving bytes inside the buffer costs at most three times what is read, for short and
// long messages.
func TestStreamMoves(t *testing.T) {
	for _, data := range [][]byte{
		bytes.Repeat(scannerMessage(t, 1), 500),
		bytes.Repeat(scannerMessage(t, 20), 20),
		scannerMessage(t, 500),
	} {
		r := &placeReader{data: data, cut: 7}
		s := NewStreamDecoder(r)
		r.consumed = s.InputOffset
		for {
			var v any
			err := s.Decode(&v)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if r.moved > 3*int64(len(data)) {
			t.Errorf("%d bytes were moved to read %d", r.moved, len(data))
		}
	}
}
