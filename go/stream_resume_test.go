package polypack_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
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

	// After a fault that Peek has found, the stream can go on where it can after Decode.
	s = polypack.NewStreamDecoder(bytes.NewReader(unhex(t, "40 07 c1")), inline, polypack.Strict)
	_, err := s.Peek()
	wantFault(t, err, polypack.CodeUnknownRecord, 0, "")
	if again := s.Skip(); again != err || !s.Resume() {
		t.Errorf("after Peek: %v; want %v", again, err)
	}
	if kind, err := s.Peek(); kind != polypack.KindInt || err != nil || s.Skip() != nil {
		t.Errorf("behind the fault: %v, %v", kind, err)
	}
	_, err = s.Peek()
	wantFault(t, err, polypack.CodeReservedByte, 2, "")
	if s.Resume() {
		t.Error("nobody knows where the message ends")
	}
	if _, err := new(polypack.StreamDecoder).Peek(); err == nil {
		t.Error("Peek without a reader")
	}
}

// streamMethods are the methods that read a message. Each returns the error of one call that fails.
var streamMethods = map[string]func(*polypack.StreamDecoder) error{
	"Decode":        func(s *polypack.StreamDecoder) error { return s.Decode(new(any)) },
	"Decode of int": func(s *polypack.StreamDecoder) error { return s.Decode(new(int)) },
	"Skip":          func(s *polypack.StreamDecoder) error { return s.Skip() },
	"Peek, Decode": func(s *polypack.StreamDecoder) error {
		if _, err := s.Peek(); err != nil {
			return err
		}
		return s.Decode(new(any))
	},
	"Peek, Skip": func(s *polypack.StreamDecoder) error {
		if _, err := s.Peek(); err != nil {
			return err
		}
		return s.Skip()
	},
}

// A brokenStream is a stream with a fault, and options to read it with.
type brokenStream struct {
	data []byte
	opts []polypack.Option
}

// brokenStreams returns the faults of the vectors as streams: alone, cut in half, and in front of other messages. A
// store without shapes stands for the stored dictionaries.
func brokenStreams(t *testing.T) (streams []brokenStream) {
	store := &memoryStore{}
	for kind, step := range map[string]int{"invalid": 20, "records": 2, "stream": 1} {
		if fewRounds() {
			step *= 5
		}
		n := 0
		eachVector(t, kind, func(t *testing.T, c *vectorCase) {
			if n++; c.Error == nil || len(c.Bytes) > 1000 || n%step != 0 {
				return
			}
			for _, mode := range []polypack.Mode{polypack.Default, polypack.Strict} {
				choices := [][]polypack.Option{c.options(mode)}
				if c.Records == "shared" {
					choices = append(choices, c.options(mode, polypack.StoredRecords(storedIn(t, store))))
				}
				for _, opts := range choices {
					streams = append(streams, brokenStream{c.Bytes, opts}, brokenStream{c.Bytes[:len(c.Bytes)/2], opts},
						brokenStream{append(bytes.Clone(c.Bytes), "\x07\x92\x01\xa1a\x40\x60"...), opts})
				}
			}
		})
	}
	return streams
}

// A streamFault is an error of a stream, and whether Resume has left it behind.
type streamFault struct {
	code    polypack.Code // none at the end of the input
	offset  int64
	resumed bool
}

// faults calls a method, and resumes after each error, until the stream ends.
func (in brokenStream) faults(t *testing.T, cut int, method string) (faults []streamFault) {
	s := polypack.NewStreamDecoder(&cutReader{in.data, cut}, in.opts...)
	for range len(in.data) + 2 {
		err := streamMethods[method](s)
		if err == nil {
			continue
		}
		f := streamFault{offset: -1}
		if e, ok := err.(*polypack.Error); ok {
			f.code, f.offset = e.Code, e.Offset
		} else if err != io.EOF {
			t.Fatalf("%s of %x: %v", method, in.data, err)
		}
		for again, read := range streamMethods {
			if got := read(s); got != err {
				t.Fatalf("%s of %x, then %s: %v; want %v", method, in.data, again, got, err)
			}
		}
		f.resumed = s.Resume()
		if faults = append(faults, f); !f.resumed {
			return faults
		}
	}
	t.Fatalf("%s of %x in cuts of %d has no end: %v", method, in.data, cut, faults)
	return nil
}

// TestStreamResumeEnds asserts that a loop that resumes after each error ends, for every method that reads. It also
// asserts that Peek reports a fault in a head as the other methods do, and leaves the same way to go on.
func TestStreamResumeEnds(t *testing.T) {
	streams := brokenStreams(t)
	if len(streams) < 100 {
		t.Fatalf("%d streams", len(streams))
	}
	for _, in := range streams {
		for _, cut := range []int{1, len(in.data) + 1} {
			in.faults(t, cut, "Decode of int")
			for _, method := range []string{"Decode", "Skip"} {
				want := in.faults(t, cut, method)
				if got := in.faults(t, cut, "Peek, "+method); !slices.Equal(got, want) {
					t.Errorf("%x in cuts of %d: Peek and %s have %v; want %v", in.data, cut, method, got, want)
				}
			}
		}
		for name, values := range map[string]iter.Seq2[any, error]{
			"Values":   polypack.Values[any](bytes.NewReader(in.data), in.opts...),
			"Elements": polypack.Elements[any](bytes.NewReader(in.data), in.opts...),
		} {
			steps := 0
			for _, err := range values {
				if steps++; steps > len(in.data)+1 {
					t.Fatalf("%s of %x has no end: %v", name, in.data, err)
				}
			}
		}
	}
}
