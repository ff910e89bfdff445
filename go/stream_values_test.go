package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	polypack "github.com/polypack/polypack/go"
)

// streamMessages are messages whose heads and bodies are of every length.
func streamMessages() []any {
	return []any{nil, true, int64(5), int64(300), int64(-70000), uint64(1 << 63), 1.5, "", "text", strings.Repeat("x", 40), []byte{1, 2},
		[]any{}, []any{"a", []any{int64(1)}}, map[string]any{"k": map[string]any{"l": "m"}}, polypack.Ext{Type: 5, Data: []byte{1, 2, 3}}}
}

func joined(t *testing.T, messages []any) []byte {
	var stream []byte
	for _, v := range messages {
		stream = append(stream, mustMarshal(t, v)...)
	}
	return stream
}

// readers returns ways to cut data: at every place in two, byte by byte, with the end in the last read.
func readers(data []byte) []func() io.Reader {
	all := []func() io.Reader{
		func() io.Reader { return bytes.NewReader(data) },
		func() io.Reader { return iotest.OneByteReader(bytes.NewReader(data)) },
		func() io.Reader { return iotest.HalfReader(bytes.NewReader(data)) },
		func() io.Reader { return iotest.DataErrReader(bytes.NewReader(data)) },
	}
	for cut := range data {
		all = append(all, func() io.Reader { return io.MultiReader(bytes.NewReader(data[:cut]), bytes.NewReader(data[cut:])) })
	}
	return all
}

func TestValues(t *testing.T) {
	want := streamMessages()
	data := joined(t, want)
	for i, reader := range readers(data) {
		var got []any
		for v, err := range polypack.Values[any](reader()) {
			if err != nil {
				t.Fatalf("reader %d: %v", i, err)
			}
			got = append(got, v)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("reader %d: %v", i, got)
		}
	}
}

func TestValuesFresh(t *testing.T) {
	data := unhex(t, "81 a141 01  81 a142 02")
	var got []struct{ A, B int }
	for v, err := range polypack.Values[struct{ A, B int }](bytes.NewReader(data)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v)
	}
	if len(got) != 2 || got[0].A != 1 || got[1].A != 0 || got[1].B != 2 {
		t.Errorf("%+v", got)
	}
}

func TestValuesEnd(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		reader io.Reader
		values int
		check  func(error)
	}{
		"fault":     {bytes.NewReader(unhex(t, "01 02 91 a161 03")), 2, func(err error) { wantFault(t, err, polypack.CodeTypeMismatch, 2, "") }},
		"truncated": {bytes.NewReader(unhex(t, "01 cd 01")), 1, func(err error) { wantFault(t, err, polypack.CodeUnexpectedEnd, 1, "") }},
		"reader": {io.MultiReader(bytes.NewReader([]byte{1, 2}), iotest.ErrReader(broken)), 2, func(err error) {
			if err != broken {
				t.Error(err)
			}
		}},
		"time-out": {iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader([]byte{1, 2}))), 1, func(err error) {
			if err != iotest.ErrTimeout {
				t.Error(err)
			}
		}},
		"nil": {nil, 0, func(err error) { wantUsage(t, err, "NewStreamDecoder") }},
	} {
		values, errs := 0, 0
		for v, err := range polypack.Values[int](c.reader) {
			if err == nil {
				values++
				continue
			}
			errs++
			c.check(err)
			if v != 0 {
				t.Errorf("%s: %d comes with the error", name, v)
			}
		}
		if values != c.values || errs != 1 {
			t.Errorf("%s: %d values, %d errors", name, values, errs)
		}
	}
	for range polypack.Values[int](bytes.NewReader([]byte{1, 2, 3})) {
		break
	}
}

func TestStreamDecoderOffset(t *testing.T) {
	s := polypack.NewStreamDecoder(bytes.NewReader(unhex(t, "92 01 02  a3616263  05 06")))
	for i, want := range []struct {
		offset int64
		rest   string
	}{{3, "a3616263 05 06"}, {7, "05 06"}, {8, "06"}, {9, ""}} {
		if err := s.Decode(new(any)); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(s.Buffered())
		if s.InputOffset() != want.offset || err != nil || !bytes.Equal(rest, unhex(t, want.rest)) {
			t.Errorf("after message %d: offset %d, buffered %x, %v", i, s.InputOffset(), rest, err)
		}
	}
	wantUsage(t, polypack.NewStreamDecoder(nil).Decode(new(any)), "NewStreamDecoder")
}

// TestStreamDecoderOffsetOfHeader asserts that a header stays in front of its message until the message is consumed.
// Whoever reads on gets it from Buffered.
func TestStreamDecoderOffsetOfHeader(t *testing.T) {
	dictionary, err := polypack.NewDictionary([][]string{{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	opts := []polypack.Option{polypack.SharedRecords(dictionary), polypack.Fingerprint()}
	message := mustMarshal(t, struct {
		A int `msgpack:"a"`
	}{1}, opts...) // 10 bytes of header, 40 01
	data := append(append(mustMarshal(t, make([]byte, 5000)), message...), message...)
	first := int64(len(data) - 2*len(message))
	for _, cut := range []int{1, 7, len(data)} {
		s := polypack.NewStreamDecoder(&cutReader{data, cut}, opts...)
		if err := s.Skip(); err != nil {
			t.Fatal(err)
		}
		for _, want := range []int64{first, first + int64(len(message))} {
			for range 2 {
				if kind, err := s.Peek(); err != nil || kind != polypack.KindRecord || s.InputOffset() != want {
					t.Errorf("cut %d: Peek gives %v, %v, offset %d; want offset %d", cut, kind, err, s.InputOffset(), want)
				}
				rest, err := io.ReadAll(s.Buffered())
				if err != nil || len(rest) < 11 || !bytes.HasPrefix(data[want:], rest) {
					t.Errorf("cut %d: buffered %x, %v", cut, rest, err)
				}
			}
			if err := s.Decode(new(any)); err != nil {
				t.Fatal(err)
			}
		}
		if rest, err := io.ReadAll(s.Buffered()); len(rest) > 0 || err != nil || s.InputOffset() != int64(len(data)) {
			t.Errorf("cut %d: at the end: offset %d, buffered %x, %v", cut, s.InputOffset(), rest, err)
		}
	}
	// An error leaves the faulty message as the next one, until Resume steps over it.
	s := polypack.NewStreamDecoder(bytes.NewReader(data[first:]), opts...)
	if err := s.Decode(new(int)); !errors.Is(err, polypack.CodeTypeMismatch) || s.InputOffset() != 0 {
		t.Errorf("%v, offset %d", err, s.InputOffset())
	}
	if !s.Resume() || s.InputOffset() != int64(len(message)) {
		t.Errorf("resumed at %d", s.InputOffset())
	}
}

func TestUnmarshalRead(t *testing.T) {
	want := map[string]any{"name": "value", "list": []any{int64(1), strings.Repeat("x", 100)}}
	for i, reader := range readers(mustMarshal(t, want)) {
		var v any
		if err := polypack.UnmarshalRead(reader(), &v); err != nil || !reflect.DeepEqual(v, want) {
			t.Fatalf("reader %d: %v, %v", i, v, err)
		}
	}
	long := mustMarshal(t, bytes.Repeat([]byte{1}, 3<<20))
	for _, r := range []io.Reader{bytes.NewReader(long), io.MultiReader(bytes.NewReader(long))} {
		var b []byte
		if err := polypack.UnmarshalRead(r, &b); err != nil || len(b) != 3<<20 {
			t.Errorf("%d bytes, %v", len(b), err)
		}
	}
	var s string
	if err := polypack.UnmarshalRead(strings.NewReader("\xa5hello"), &s, polypack.Strings(polypack.StringsZeroCopy)); err != nil || s != "hello" {
		t.Error(s, err)
	}
}

func TestUnmarshalReadFaults(t *testing.T) {
	for _, c := range []struct {
		in     string
		limit  int
		code   polypack.Code // "" for none
		offset int64
		path   string
	}{
		{"", 100, polypack.CodeUnexpectedEnd, 0, ""},
		{"92 01", 100, polypack.CodeUnexpectedEnd, 0, ""},
		{"92 01 02 03", 100, polypack.CodeTrailingData, 3, ""},
		{"92 01 c1 03", 100, polypack.CodeReservedByte, 2, "/1"},
		{"92 01 02", 3, "", 0, ""},
		{"93 01 02 03", 3, polypack.CodeLimitExceeded, 0, ""},
		{"92 01 a26162", 4, polypack.CodeLimitExceeded, 2, "/1"},
		{"92 01 02 03 04 05", 3, polypack.CodeTrailingData, 3, ""},
	} {
		for _, reader := range readers(unhex(t, c.in)) {
			err := polypack.UnmarshalRead(reader(), new(any), polypack.MaxBytes(c.limit))
			if c.code != "" {
				wantFault(t, err, c.code, c.offset, c.path)
			} else if err != nil {
				t.Errorf("%s: %v", c.in, err)
			}
		}
	}
	wantFault(t, polypack.UnmarshalRead(&endlessReader{}, new(any), polypack.MaxBytes(1<<20)), polypack.CodeTrailingData, 1, "")
	broken := errors.New("broken")
	v := any("kept")
	if err := polypack.UnmarshalRead(io.MultiReader(bytes.NewReader([]byte{1}), iotest.ErrReader(broken)), &v); err != broken || v != "kept" {
		t.Error(v, err)
	}
	if err := polypack.UnmarshalRead(lazyReader{}, new(any)); err != io.ErrNoProgress {
		t.Error(err)
	}
	wantUsage(t, polypack.UnmarshalRead(lyingReader{}, new(any)), "UnmarshalRead")
	wantUsage(t, polypack.UnmarshalRead(nil, new(any)), "UnmarshalRead")
	wantUsage(t, polypack.UnmarshalRead(bytes.NewReader(nil), 5), "UnmarshalRead")
	wantUsage(t, polypack.UnmarshalRead(bytes.NewReader(nil), new(any), polypack.MaxDepth(-1)), "MaxDepth")
	if err := polypack.UnmarshalRead(boastfulReader{bytes.NewReader([]byte{5})}, &v); err != nil || v != int64(5) {
		t.Errorf("a reader that lies about its length: %v, %v", v, err)
	}
}

// TestUnmarshalReadAtTheLimit tries every MaxBytes for whole messages, for messages that are cut off anywhere, and for
// messages that others follow. UnmarshalRead says what a StreamDecoder says if the input is longer than MaxBytes, and
// else what Unmarshal says.
func TestUnmarshalReadAtTheLimit(t *testing.T) {
	type message struct {
		data   []byte
		opts   []polypack.Option
		header int // bytes that MaxBytes leaves out
	}
	messages := []message{{data: unhex(t, "92 c0 dd 00000000")}, {data: unhex(t, "93 c0 c9 00000000 05 db 00000001 78")}}
	for _, v := range append(streamMessages(), []any{1.5, float32(1.5), "twelve bytes", int64(1 << 40), uint64(1 << 63), polypack.Ext{Type: 5, Data: make([]byte, 16)}}) {
		messages = append(messages, message{data: mustMarshal(t, v)})
	}
	inline := polypack.Records(polypack.RecordsInline)
	rows := []struct {
		A int
		B []string
	}{{1, []string{"x"}}, {1000, nil}}
	messages = append(messages, message{mustMarshal(t, rows, inline), []polypack.Option{inline}, 0},
		message{unhex(t, "92 c9 00000002 72 4001 90 c9 00000001 72 40 90"), []polypack.Option{inline}, 0})
	var shapes [][]string
	for i := range 40 {
		shapes = append(shapes, []string{fmt.Sprint("f", i)})
	}
	dictionary, err := polypack.NewDictionary(shapes)
	if err != nil {
		t.Fatal(err)
	}
	shared := polypack.SharedRecords(dictionary)
	paired := unhex(t, "92 6100 05 6000 cd0100")
	messages = append(messages, message{paired, []polypack.Option{shared}, 0},
		message{mustMarshal(t, []struct{ F int }{{300}}, shared, polypack.Fingerprint()), []polypack.Option{shared, polypack.Fingerprint()}, 10})
	for _, m := range messages {
		inputs := [][]byte{m.data, append(slices.Clone(m.data), 0xdd), append(slices.Clone(m.data), make([]byte, 20)...)}
		for cut := range m.data {
			inputs = append(inputs, m.data[:cut])
		}
		for _, in := range inputs {
			for limit := 1; limit <= len(m.data)+1; limit++ {
				opts := append([]polypack.Option{polypack.MaxBytes(limit)}, m.opts...)
				want := polypack.Unmarshal(in, new(any), opts...)
				if len(in)-m.header > limit {
					if err := polypack.NewStreamDecoder(bytes.NewReader(in), opts...).Decode(new(any)); err != nil {
						want = err
					}
				}
				for _, r := range []io.Reader{bytes.NewReader(in), iotest.OneByteReader(bytes.NewReader(in))} {
					if got := polypack.UnmarshalRead(r, new(any), opts...); factsOf(got) != factsOf(want) {
						t.Errorf("%x, at most %d bytes: %v, want %v", in, limit, got, want)
					}
				}
			}
		}
	}
}

// factsOf returns the code, the offset and the path of an error.
func factsOf(err error) string {
	if e, ok := err.(*polypack.Error); ok {
		return fmt.Sprint(e.Code, e.Offset, e.Path)
	}
	return fmt.Sprint(err)
}

// An endlessReader never ends.
type endlessReader struct{}

func (*endlessReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// A boastfulReader claims to have more than it has.
type boastfulReader struct{ io.Reader }

func (boastfulReader) Len() int { return math.MaxInt }
