package polypack_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"

	polypack "github.com/polypack/polypack/go"
)

// TestStreamResume asserts that a stream goes on behind a faulty message if its end is known, and only then.
func TestStreamResume(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int // the number after the faulty message; 0 if the stream cannot go on
		code polypack.Code
		opts []polypack.Option
	}{
		{"a161 07", 7, polypack.CodeTypeMismatch, nil},
		{"cfffffffffffffffff 07", 7, polypack.CodeOutOfRange, nil},
		{"93a1ffc0c0 07", 7, polypack.CodeTypeMismatch, []polypack.Option{polypack.Strict}},
		{"d6ff 07", 0, polypack.CodeUnexpectedEnd, nil},
		{"c1 07", 0, polypack.CodeReservedByte, nil},
		{"92c1 07", 0, polypack.CodeReservedByte, nil},
		{"91 91 01 07", 0, polypack.CodeLimitExceeded, []polypack.Option{polypack.MaxDepth(1)}},
		{"a3616161 07", 0, polypack.CodeLimitExceeded, []polypack.Option{polypack.MaxBytes(3)}},
	} {
		for cut := 1; cut <= 4; cut++ {
			s := polypack.NewStreamDecoder(&cutReader{unhex(t, c.in), cut}, c.opts...)
			var n int
			err := s.Decode(&n)
			if !errors.Is(err, c.code) {
				t.Fatalf("%s: %v", c.in, err)
			}
			if resumed := s.Resume(); resumed != (c.want != 0) {
				t.Errorf("%s: Resume is %v", c.in, resumed)
			}
			if c.want == 0 {
				if again := s.Decode(&n); again != err {
					t.Errorf("%s: the stream goes on with %v", c.in, again)
				}
				continue
			}
			if err := s.Decode(&n); err != nil || n != c.want || s.InputOffset() != int64(len(unhex(t, c.in))) {
				t.Errorf("%s: %d, %v", c.in, n, err)
			}
			if err := s.Decode(&n); err != io.EOF || s.Resume() {
				t.Errorf("%s: after the end: %v", c.in, err)
			}
		}
	}
	if new(polypack.StreamDecoder).Resume() {
		t.Error("a StreamDecoder without a reader resumes")
	}
}

// TestStreamDeadline interrupts a message by a read deadline, which loses nothing.
func TestStreamDeadline(t *testing.T) {
	message := mustMarshal(t, map[string]int{"one": 1, "two": 2})
	for cut := range message {
		s := polypack.NewStreamDecoder(&interruptedReader{parts: [][]byte{message[:cut], nil, message[cut:]}})
		var v map[string]int
		for range 2 {
			if err := s.Decode(&v); !errors.Is(err, os.ErrDeadlineExceeded) || !s.Resume() {
				t.Fatal(cut, err)
			}
		}
		if err := s.Decode(&v); err != nil || v["two"] != 2 {
			t.Fatal(cut, v, err)
		}
		if err := s.Decode(&v); err != io.EOF {
			t.Fatal(cut, err)
		}

		s = polypack.NewStreamDecoder(&interruptedReader{parts: [][]byte{{}, message[:cut], message[cut:]}})
		for range 2 {
			if kind, err := s.Peek(); err == nil {
				if kind != polypack.KindMap || cut == 0 || s.Skip() == nil {
					t.Fatal(cut, kind)
				}
			} else if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal(cut, err)
			}
			if !s.Resume() {
				t.Fatal(cut, "no way to go on")
			}
		}
		if err := s.Skip(); err != nil {
			t.Fatal(cut, err)
		}
	}

	// Any other error of the reader is final, also one that cannot be compared.
	s := polypack.NewStreamDecoder(iotest.ErrReader(incomparable{nil}))
	if err := s.Decode(new(any)); err == nil || s.Resume() {
		t.Error(err)
	}
}

// An interruptedReader returns its parts with a timeout between them.
type interruptedReader struct {
	parts [][]byte
	late  bool
}

func (r *interruptedReader) Read(p []byte) (int, error) {
	if r.late {
		r.late = false
		return 0, os.ErrDeadlineExceeded
	}
	if len(r.parts) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.parts[0])
	r.parts = r.parts[1:]
	if r.late = len(r.parts) > 0; n == 0 && r.late {
		r.late = false
		return 0, os.ErrDeadlineExceeded
	}
	return n, nil
}

type incomparable struct{ list []int }

func (incomparable) Error() string { return "broken" }

// TestStreamPeekSkip asserts that Peek waits for the head, and Skip checks and steps over a message.
func TestStreamPeekSkip(t *testing.T) {
	in := unhex(t, "93010203 d6ff00000000 a16b c0 cb00000000000000f0")
	for cut := 1; cut <= 4; cut++ {
		s := polypack.NewStreamDecoder(&cutReader{bytes.Clone(in), cut})
		for _, want := range []polypack.Kind{polypack.KindArray, polypack.KindTimestamp, polypack.KindStr, polypack.KindNil, polypack.KindFloat} {
			if kind, err := s.Peek(); kind != want || err != nil {
				t.Fatalf("%v, %v; want %v", kind, err, want)
			}
			if err := s.Skip(); err != nil {
				t.Fatal(err)
			}
		}
		if kind, err := s.Peek(); kind != polypack.KindInvalid || err != io.EOF {
			t.Errorf("%v, %v at the end", kind, err)
		}
	}
	s := polypack.NewStreamDecoder(bytes.NewReader(unhex(t, "c7")))
	if kind, err := s.Peek(); kind != polypack.KindInvalid || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, %v", kind, err)
	}
	s = polypack.NewStreamDecoder(bytes.NewReader(unhex(t, "91a1ff 82a16101a16102 05")), polypack.Strict)
	wantFault(t, s.Skip(), polypack.CodeInvalidUTF8, 1, "/0")
	if !s.Resume() {
		t.Fatal("the end was known")
	}
	wantFault(t, s.Skip(), polypack.CodeDuplicateKey, 7, "/a")
	if !s.Resume() || s.Skip() != nil || s.Skip() != io.EOF {
		t.Error("the stream did not go on")
	}
	if _, err := new(polypack.StreamDecoder).Peek(); err == nil {
		t.Error("Peek without a reader")
	}
}
