package polypack_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	polypack "github.com/polypack/polypack/go"
)

func TestStreamTyped(t *testing.T) {
	data := append(mustMarshal(t, named{1}), mustMarshal(t, named{2})...)
	s := polypack.NewStreamDecoder(iotest.OneByteReader(bytes.NewReader(data)))
	for want := 1; want <= 2; want++ {
		var v named
		if err := s.Decode(&v); err != nil || v.N != want {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	for range 2 {
		if err := s.Decode(new(named)); err != io.EOF {
			t.Fatal(err)
		}
	}
}

// TestStreamFaults asserts that offsets count from the start of the stream, and that an error ends it.
func TestStreamFaults(t *testing.T) {
	for _, c := range []struct {
		in       string
		messages int
		code     polypack.Code
		offset   int64
		path     string
		opts     []polypack.Option
	}{
		{"01 02 93 01 c1", 2, polypack.CodeReservedByte, 4, "/1", nil},
		{"01 92 a161", 1, polypack.CodeUnexpectedEnd, 4, "/1", nil},
		{"01 93 a161", 1, polypack.CodeUnexpectedEnd, 1, "", nil},
		{"01 81 c3 91 91 01", 1, polypack.CodeLimitExceeded, 4, "/#0/0", []polypack.Option{polypack.MaxDepth(2)}},
		{"c0 92 01 db00000010", 1, polypack.CodeLimitExceeded, 3, "/1", []polypack.Option{polypack.MaxBytes(20)}},
		{"c0 dd00000010", 1, polypack.CodeLimitExceeded, 1, "", []polypack.Option{polypack.MaxBytes(20)}},
		{"c0 91 cf", 1, polypack.CodeUnexpectedEnd, 2, "/0", []polypack.Option{polypack.MaxBytes(3)}},
		{"91 a1ff 05", 0, polypack.CodeInvalidUTF8, 1, "/0", []polypack.Option{polypack.Strict}},
		// Heads are judged first.
		{"92 a1ff c1", 0, polypack.CodeReservedByte, 3, "/1", []polypack.Option{polypack.Strict}},
		{"81 81 01 c1 02", 0, polypack.CodeReservedByte, 3, "", nil},
	} {
		for cut := 1; cut <= 8; cut++ {
			s := polypack.NewStreamDecoder(&cutReader{unhex(t, c.in), cut}, c.opts...)
			var v any
			for i := range c.messages {
				if err := s.Decode(&v); err != nil {
					t.Fatalf("%s, message %d: %v", c.in, i, err)
				}
			}
			err := s.Decode(&v)
			wantFault(t, err, c.code, c.offset, c.path)
			if again := s.Decode(&v); again != err {
				t.Errorf("%s: the stream goes on with %v", c.in, again)
			}
		}
	}
}

func TestStreamReader(t *testing.T) {
	broken := errors.New("broken")
	s := polypack.NewStreamDecoder(io.MultiReader(bytes.NewReader([]byte{1, 0x91}), iotest.ErrReader(broken)))
	var v any
	if err := s.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if err := s.Decode(&v); err != broken {
		t.Errorf("%v; want the reader's error", err)
	}
	s = polypack.NewStreamDecoder(iotest.DataErrReader(bytes.NewReader([]byte{1})))
	if err := s.Decode(&v); err != nil {
		t.Errorf("a last byte that comes with io.EOF: %v", err)
	}
	if err := polypack.NewStreamDecoder(lazyReader{}).Decode(&v); err != io.ErrNoProgress {
		t.Errorf("a reader that reads nothing: %v", err)
	}
	wantUsage(t, polypack.NewStreamDecoder(lyingReader{}).Decode(&v), "NewStreamDecoder")
}

type lazyReader struct{}

func (lazyReader) Read([]byte) (int, error) { return 0, nil }

type lyingReader struct{}

func (lyingReader) Read(p []byte) (int, error) { return len(p) + 1, nil }

// TestStreamLinear reads a long message byte by byte, which takes a second. If each read cost as much as what has
// arrived before it, the test would run into the time-out of go test, however fast the machine is.
// stream_scanner_test.go counts how often bytes are looked at and moved.
func TestStreamLinear(t *testing.T) {
	n := 1 << 22
	if fewRounds() {
		n = 1 << 16
	}
	data := append([]byte{0xdd, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, make([]byte, n)...)
	var v []int8
	if err := polypack.NewStreamDecoder(&cutReader{data, 1}).Decode(&v); err != nil || len(v) != n {
		t.Fatal(len(v), err)
	}
}

// A readCallback reads a value with the function.
type readCallback struct {
	f func(d *polypack.Decoder) error
}

func (r *readCallback) UnmarshalMsgpackFrom(d *polypack.Decoder) error { return r.f(d) }

// Methods and readers can't use the stream that calls them, and don't change it.
func TestStreamDecoderNestedCalls(t *testing.T) {
	s := polypack.NewStreamDecoder(strings.NewReader("\x91\x01\xa3abc"))
	refused := func() {
		t.Helper()
		wantUsage(t, s.Decode(new(any)), "StreamDecoder")
		wantUsage(t, s.Skip(), "StreamDecoder")
		_, err := s.Peek()
		wantUsage(t, err, "StreamDecoder")
		if s.Resume() {
			t.Error("Resume went on")
		}
	}
	v := []*readCallback{{func(d *polypack.Decoder) error { refused(); return d.Skip() }}}
	target := []any{v[0]}
	if err := s.Decode(&target); err != nil {
		t.Fatal(err)
	}
	var text string
	if err := s.Decode(&text); err != nil || text != "abc" {
		t.Error(text, err)
	}
	if err := s.Decode(&text); err != io.EOF {
		t.Error(err)
	}

	parts := 0
	s = polypack.NewStreamDecoder(readerFunc(func(p []byte) (int, error) {
		refused()
		parts++
		return copy(p, []string{"\xa3a", "bc", "\x92", "\x01\x02"}[parts-1]), nil
	}))
	if err := s.Decode(&text); err != nil || text != "abc" {
		t.Error(text, err)
	}
	if kind, err := s.Peek(); err != nil || kind != polypack.KindArray {
		t.Error(kind, err)
	}
	if err := s.Skip(); err != nil {
		t.Error(err)
	}

	// A method that panics leaves the stream usable, before the message.
	s = polypack.NewStreamDecoder(strings.NewReader("\x91\x01"))
	v[0].f = func(d *polypack.Decoder) error { panic("own") }
	func() {
		defer func() { _ = recover() }()
		_ = s.Decode(&target)
	}()
	if err := s.Skip(); err != nil {
		t.Error(err)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
