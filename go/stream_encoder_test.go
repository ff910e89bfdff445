package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// A writeLog keeps each write.
type writeLog struct{ writes [][]byte }

func (w *writeLog) Write(p []byte) (int, error) {
	w.writes = append(w.writes, bytes.Clone(p))
	return len(p), nil
}

func TestStreamEncoder(t *testing.T) {
	var log writeLog
	s := polypack.NewStreamEncoder(&log, polypack.Strict)
	values := []any{1, "text", []int{1, 2}, nil, named{3}, bytes.Repeat([]byte{7}, 1<<20), map[string]int{"a": 1}}
	for _, v := range values {
		if err := s.Encode(v); err != nil {
			t.Fatal(err)
		}
		wantFault(t, s.Encode([]any{1, "\xff"}), polypack.CodeInvalidUTF8, -1, "/1") // leaves the stream as it is
	}
	if len(log.writes) != len(values) {
		t.Fatalf("%d writes for %d messages", len(log.writes), len(values))
	}
	for i, v := range values {
		if want := mustMarshal(t, v); !bytes.Equal(log.writes[i], want) {
			t.Errorf("message %d is %.20x…, want %.20x…", i, log.writes[i], want)
		}
	}
	d := polypack.NewStreamDecoder(bytes.NewReader(bytes.Join(log.writes, nil)))
	for i := range values {
		if err := d.Decode(new(any)); err != nil {
			t.Errorf("message %d: %v", i, err)
		}
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestStreamEncoderWriters(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		writer writerFunc
		want   error // nil: a UsageError
	}{
		"error":       {func(p []byte) (int, error) { return 0, broken }, broken},
		"short":       {func(p []byte) (int, error) { return len(p) - 1, nil }, io.ErrShortWrite},
		"short error": {func(p []byte) (int, error) { return len(p) - 1, broken }, broken},
		"too much":    {func(p []byte) (int, error) { return len(p) + 1, nil }, nil},
		"negative":    {func(p []byte) (int, error) { return -1, nil }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			s := polypack.NewStreamEncoder(writerFunc(func(p []byte) (int, error) { calls++; return c.writer(p) }))
			err := s.Encode(5)
			if again := s.Encode(6); again != err || calls != 1 {
				t.Errorf("after %v the stream goes on with %v, %d writes", err, again, calls)
			}
			once := polypack.MarshalWrite(c.writer, 5)
			if c.want == nil {
				wantUsage(t, err, "NewStreamEncoder")
				wantUsage(t, once, "MarshalWrite")
			} else if err != c.want || once != c.want {
				t.Errorf("%v and %v; want %v", err, once, c.want)
			}
		})
	}
}

func TestStreamEncoderMisuse(t *testing.T) {
	wantUsage(t, polypack.NewStreamEncoder(io.Discard, polypack.MaxDepth(-1)).Encode(1), "MaxDepth")
	wantUsage(t, polypack.NewStreamEncoder(nil).Encode(1), "NewStreamEncoder")
	wantUsage(t, polypack.MarshalWrite(io.Discard, 1, polypack.MaxDepth(-1)), "MaxDepth")
	wantUsage(t, polypack.MarshalWrite(nil, 1), "MarshalWrite")
	var log writeLog
	if err := polypack.MarshalWrite(&log, map[string]any{"f": func() {}}); err == nil || len(log.writes) != 0 {
		t.Errorf("what cannot be encoded: %v, %d writes", err, len(log.writes))
	}
	if err := polypack.MarshalWrite(&log, "a"); err != nil || !bytes.Equal(log.writes[0], []byte("\xa1a")) {
		t.Error(log.writes, err)
	}
}

// A callback writes nil, after a call of the function.
type callback func()

func (f callback) MarshalMsgpack() ([]byte, error) {
	f()
	return []byte{0xc0}, nil
}

// Methods and writers may write messages of their own with the StreamEncoder that calls them.
func TestStreamEncoderNestedCalls(t *testing.T) {
	var log writeLog
	s := polypack.NewStreamEncoder(&log)
	for range 2 { // the second time there is a buffer to use again
		log.writes = nil
		if err := s.Encode([]any{1, 2, callback(func() { _ = s.Encode("hello") }), 4}); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%q", log.writes); got != `["\xa5hello" "\x94\x01\x02\xc0\x04"]` {
			t.Error(got)
		}
	}
	calls, broken := 0, errors.New("broken")
	s = polypack.NewStreamEncoder(writerFunc(func(p []byte) (int, error) {
		if calls++; calls == 2 {
			_ = s.Encode("log")
		}
		return log.Write(p)
	}))
	log.writes = nil
	for _, v := range []any{"first", []int{1, 2, 3, 4, 5}} {
		if err := s.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprintf("%q", log.writes); got != `["\xa5first" "\xa3log" "\x95\x01\x02\x03\x04\x05"]` {
		t.Error(got)
	}
	s = polypack.NewStreamEncoder(writerFunc(func(p []byte) (int, error) { return 0, broken }))
	if err := s.Encode(callback(func() { _ = s.Encode(1) })); err != broken {
		t.Errorf("after a nested call that failed: %v", err)
	}
}

// TestStreamEncoderMemory asserts that the buffer is used again, but not kept when a message was large.
func TestStreamEncoderMemory(t *testing.T) {
	s := polypack.NewStreamEncoder(io.Discard)
	text := string(bytes.Repeat([]byte{'x'}, 1<<10))
	var boxed any = text
	if n := testing.AllocsPerRun(100, func() { _ = s.Encode(boxed) }); n > 1 {
		t.Errorf("%v allocations per message of 1 KiB", n)
	}
}
