package polypack_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

var errOwn = errors.New("my own error")

// A writer encodes itself as its function says.
type (
	writer struct {
		to func(e *polypack.Encoder) error
	}
	rawWriter struct {
		data []byte
		err  error
	}
	appendWriter struct {
		add func(dst []byte) ([]byte, error)
	}
	textWriter     struct{ text string }
	binaryAppender struct {
		add func(dst []byte) ([]byte, error)
	}
	textAppender struct {
		add func(dst []byte) ([]byte, error)
	}
)

func (w writer) MarshalMsgpackTo(e *polypack.Encoder) error      { return w.to(e) }
func (w rawWriter) MarshalMsgpack() ([]byte, error)              { return w.data, w.err }
func (w appendWriter) AppendMsgpack(dst []byte) ([]byte, error)  { return w.add(dst) }
func (w textWriter) MarshalText() ([]byte, error)                { return []byte(w.text), nil }
func (w binaryAppender) AppendBinary(dst []byte) ([]byte, error) { return w.add(dst) }
func (w textAppender) AppendText(dst []byte) ([]byte, error)     { return w.add(dst) }
func (w binaryAppender) MarshalBinary() (data []byte, err error) { panic("AppendBinary comes first") }
func (w textAppender) MarshalText() (text []byte, err error)     { panic("AppendText comes first") }
func nothing(*polypack.Encoder) error                            { return nil }
func fails(*polypack.Encoder) error                              { return errOwn }
func foreign([]byte) ([]byte, error)                             { return []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, nil }
func shorter([]byte) ([]byte, error)                             { return nil, nil }
func failing(dst []byte) ([]byte, error)                         { return append(dst, 1), errOwn }
func appending(more ...byte) func([]byte) ([]byte, error) {
	return func(dst []byte) ([]byte, error) { return append(dst, more...), nil }
}

func TestWritingMethodsAreJudged(t *testing.T) {
	twice := func(e *polypack.Encoder) error {
		e.EncodeNil()
		return e.EncodeNil()
	}
	short := func(e *polypack.Encoder) error { return e.EncodeArrayHeader(1) }
	nested := func(e *polypack.Encoder) error { return e.Encode([]any{1, make(chan int)}) }
	wrapped := func(e *polypack.Encoder) error {
		return fmt.Errorf("in my words: %w", e.Encode([]any{1, make(chan int)}))
	}
	reset := func(e *polypack.Encoder) error {
		e.Reset(nil)
		return e.EncodeNil()
	}
	for _, row := range []struct {
		name string
		v    any
		code polypack.Code
		path string
	}{
		{"nothing", writer{nothing}, polypack.CodeUnexpectedEnd, ""},
		{"two values", writer{twice}, polypack.CodeTrailingData, ""},
		{"a head without its element", writer{short}, polypack.CodeUnexpectedEnd, ""},
		{"own error", writer{fails}, polypack.CodeUnsupportedValue, ""},
		{"error of a nested call", writer{nested}, polypack.CodeUnsupportedValue, "/1"},
		{"wrapped error of a nested call", writer{wrapped}, polypack.CodeUnsupportedValue, "/1"},
		{"Reset", writer{reset}, polypack.CodeUnsupportedValue, ""},
		{"no bytes", rawWriter{}, polypack.CodeUnexpectedEnd, ""},
		{"truncated bytes", rawWriter{data: []byte{0x92, 1}}, polypack.CodeUnexpectedEnd, ""},
		{"trailing bytes", rawWriter{data: []byte{1, 1}}, polypack.CodeTrailingData, ""},
		{"reserved byte", rawWriter{data: []byte{0xc1}}, polypack.CodeReservedByte, ""},
		{"a record", rawWriter{data: []byte{0xd4, 0x72, 0x40, 0x90}}, polypack.CodeInvalidRecord, ""},
		{"error with bytes", rawWriter{[]byte{1}, errOwn}, polypack.CodeUnsupportedValue, ""},
		{"a Marshal that failed", rawWriter{nil, &polypack.Error{Code: polypack.CodeOutOfRange, Path: "/x", Offset: -1}}, polypack.CodeOutOfRange, "/x"},
		{"a nil *Error", rawWriter{nil, (*polypack.Error)(nil)}, polypack.CodeUnsupportedValue, ""},
		{"deep bytes", rawWriter{data: []byte(strings.Repeat("\x91", 600) + "\x90")}, polypack.CodeLimitExceeded, ""},
		{"another slice", appendWriter{foreign}, polypack.CodeUnsupportedValue, ""},
		{"a shorter slice", appendWriter{shorter}, polypack.CodeUnsupportedValue, ""},
		{"append and an error", appendWriter{failing}, polypack.CodeUnsupportedValue, ""},
		{"append of nothing", appendWriter{appending()}, polypack.CodeUnexpectedEnd, ""},
		{"append of too much", appendWriter{appending(1, 1)}, polypack.CodeTrailingData, ""},
		{"another bin", binaryAppender{foreign}, polypack.CodeUnsupportedValue, ""},
		{"a bin and an error", binaryAppender{failing}, polypack.CodeUnsupportedValue, ""},
		{"another text", textAppender{foreign}, polypack.CodeUnsupportedValue, ""},
		{"a text and an error", textAppender{failing}, polypack.CodeUnsupportedValue, ""},
		{"no colour", colour(7), polypack.CodeUnsupportedValue, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			for prefix, v := range map[string]any{"": row.v, "/a/0": map[string]any{"a": []any{row.v}}, "/V": struct{ V any }{row.v}} {
				out, err := polypack.Append([]byte{0x55}, v)
				if len(out) != 1 || out[0] != 0x55 {
					t.Errorf("%x is left", out)
				}
				wantFault(t, err, row.code, -1, prefix+row.path)
				if strings.Contains(row.name, "own error") && !errors.Is(err, errOwn) {
					t.Errorf("the cause of %v is lost", err)
				}
				if err.Error() == "" {
					t.Error("no message")
				}
			}
		})
	}
	_, err := polypack.Marshal(textWriter{"\xff"})
	if err != nil {
		t.Error(err)
	}
	for _, v := range []any{textWriter{"\xff"}, textAppender{appending(0xff)}} {
		_, err = polypack.Marshal([]any{v}, polypack.Strict)
		wantFault(t, err, polypack.CodeInvalidUTF8, -1, "/0")
	}
	_, err = polypack.Marshal(map[writerKey]int{1: 1})
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "")
}

type writerKey int

func (writerKey) MarshalText() ([]byte, error) { return nil, errOwn }

// TestMethodsKeepTheError checks that an error that a method returns is not changed: it may be shared.
func TestMethodsKeepTheError(t *testing.T) {
	shared := &polypack.Error{Code: polypack.CodeOutOfRange, Path: "/x", Offset: -1}
	before := *shared
	_, err := polypack.Marshal([]any{rawWriter{nil, shared}})
	wantFault(t, err, polypack.CodeOutOfRange, -1, "/0/x")
	var target []reader
	err = polypack.Unmarshal([]byte{0x91, 0x90}, &target)
	if err == nil {
		t.Error("no error")
	}
	if fmt.Sprint(*shared) != fmt.Sprint(before) {
		t.Errorf("the method's error has become %v", shared)
	}
}

// An encoder that has failed inside a method goes on as if the call had not been.
func TestMethodsMayRecover(t *testing.T) {
	tries := writer{func(e *polypack.Encoder) error {
		if e.EncodeArrayHeader(2) != nil || e.Encode([]any{1, make(chan int)}) == nil || e.Encode(map[any]any{make(chan int): 1}) == nil {
			return errOwn
		}
		e.EncodeNil()
		return e.Encode([]int{7})
	}}
	if got := mustMarshal(t, map[string]any{"k": tries}); string(got) != "\x81\xa1k\x92\xc0\x91\x07" {
		t.Errorf("%x", got)
	}
	e := polypack.NewEncoder(nil)
	if err := e.Encode([]any{writer{fails}}); err == nil || len(e.Bytes()) != 0 {
		t.Errorf("%v, %x", err, e.Bytes())
	}
	if err := e.Encode(tries); err != nil {
		t.Error(err)
	}
}

// A cell contains itself through methods only.
type cell struct {
	next  *cell
	alone bool // without a container of its own
}

func (c *cell) MarshalMsgpackTo(e *polypack.Encoder) error {
	if !c.alone {
		e.EncodeArrayHeader(1)
	}
	return e.Encode(c.next)
}

func (c *cell) UnmarshalMsgpackFrom(d *polypack.Decoder) error {
	if !c.alone {
		if _, err := d.DecodeArrayHeader(); err != nil {
			return err
		}
		return d.Decode(&c.next)
	}
	return d.Decode(c) // without end
}

func TestMethodsAndDepth(t *testing.T) {
	chain := func(n int) *cell {
		var c *cell
		for range n {
			c = &cell{next: c}
		}
		return c
	}
	data := mustMarshal(t, chain(512))
	if len(data) != 513 {
		t.Fatalf("%d bytes", len(data))
	}
	var back *cell
	if err := polypack.Unmarshal(data, &back); err != nil {
		t.Error(err)
	}
	_, err := polypack.Marshal(chain(513))
	wantFault(t, err, polypack.CodeLimitExceeded, -1, "")
	err = polypack.Unmarshal(append([]byte{0x91}, data...), &back)
	wantFault(t, err, polypack.CodeLimitExceeded, 512, strings.Repeat("/0", 512))
	err = polypack.Unmarshal([]byte{0x91, 0x91, 0xc0}, &back, polypack.MaxDepth(1))
	wantFault(t, err, polypack.CodeLimitExceeded, 1, "/0")
	for _, c := range []*cell{{}, {alone: true}} {
		c.next = c
		_, err := polypack.Marshal(c)
		wantFault(t, err, polypack.CodeLimitExceeded, -1, "")
	}
	err = polypack.Unmarshal([]byte{0x90}, &cell{alone: true})
	wantFault(t, err, polypack.CodeLimitExceeded, 0, "")
}

// A reader decodes itself as its function says.
type reader struct {
	from func(d *polypack.Decoder) error
}

func (r *reader) UnmarshalMsgpackFrom(d *polypack.Decoder) error {
	if r.from == nil {
		return errOwn
	}
	return r.from(d)
}

type rawReader struct{ read func(data []byte) error }

func (r *rawReader) UnmarshalMsgpack(data []byte) error { return r.read(data) }

func TestReadingMethodsAreJudged(t *testing.T) {
	var ints []int8
	type holder struct {
		R *reader
		A int
	}
	for _, row := range []struct {
		name, in string
		from     func(d *polypack.Decoder) error
		code     polypack.Code // "": no error
		offset   int64
		path     string
	}{
		{"nothing", "01", func(d *polypack.Decoder) error { return nil }, polypack.CodeTypeMismatch, 0, ""},
		{"skip", "9101", func(d *polypack.Decoder) error { return d.Skip() }, "", 0, ""},
		{"two", "01", func(d *polypack.Decoder) error { return errors.Join(d.Skip(), d.Skip()) }, polypack.CodeTypeMismatch, 0, ""},
		{"half", "920102", func(d *polypack.Decoder) error {
			d.DecodeArrayHeader()
			return d.Skip()
		}, polypack.CodeTypeMismatch, 0, ""},
		{"whole", "920102", func(d *polypack.Decoder) error {
			d.DecodeArrayHeader()
			return errors.Join(d.Skip(), d.Skip())
		}, "", 0, ""},
		{"more than whole", "920102", func(d *polypack.Decoder) error {
			d.DecodeArrayHeader()
			return errors.Join(d.Skip(), d.Skip(), d.Skip())
		}, polypack.CodeTypeMismatch, 0, ""},
		{"while there is more", "920102", func(d *polypack.Decoder) error {
			d.DecodeArrayHeader()
			for range 3 {
				if d.More() {
					d.Skip()
				}
			}
			return d.Finish()
		}, "", 0, ""},
		{"try again", "a161", func(d *polypack.Decoder) error {
			if _, err := d.DecodeInt(); err == nil {
				return errOwn
			}
			if d.Finish() == nil || !d.More() {
				return errOwn
			}
			_, err := d.DecodeString()
			return err
		}, "", 0, ""},
		{"nested error", "93 01 cd012c 03", func(d *polypack.Decoder) error { return d.Decode(&ints) }, polypack.CodeOutOfRange, 2, "/1"},
		{"wrapped nested error", "93 01 cd012c 03", func(d *polypack.Decoder) error { return fmt.Errorf("mine: %w", d.Decode(&ints)) }, polypack.CodeOutOfRange, 2, "/1"},
		{"nested error by hand", "81 a16b 91 cd012c", func(d *polypack.Decoder) error {
			d.DecodeMapHeader()
			d.DecodeString()
			return d.Decode(&ints)
		}, polypack.CodeOutOfRange, 4, "/k/0"},
		{"own error", "9101", func(d *polypack.Decoder) error { return errOwn }, polypack.CodeTypeMismatch, 0, ""},
		{"own error late", "9101", func(d *polypack.Decoder) error {
			d.DecodeArrayHeader()
			return errOwn
		}, polypack.CodeTypeMismatch, 0, ""},
		{"truncated", "9201", func(d *polypack.Decoder) error { return d.Skip() }, polypack.CodeUnexpectedEnd, 0, ""},
		{"missing", "", func(d *polypack.Decoder) error { return d.Skip() }, polypack.CodeUnexpectedEnd, 0, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			check := func(err error, shift int, prefix string) {
				t.Helper()
				switch {
				case row.code == "" && err != nil:
					t.Errorf("%s: %v", prefix, err)
				case row.code != "":
					wantFault(t, err, row.code, row.offset+int64(shift), prefix+row.path)
				}
			}
			check(polypack.Unmarshal(unhex(t, row.in), &reader{row.from}), 0, "")
			if row.name == "missing" || row.name == "truncated" {
				return
			}
			v := holder{R: &reader{row.from}}
			err := polypack.Unmarshal(unhex(t, "82 a152"+row.in+"a14105"), &v)
			check(err, 3, "/R")
			if row.code == "" && v.A != 5 {
				t.Errorf("what follows is %d", v.A)
			}
			// Inside what the caller reads by hand.
			d := polypack.NewDecoder(unhex(t, "92"+row.in+"05"))
			if _, err := d.DecodeArrayHeader(); err != nil {
				t.Fatal(err)
			}
			err = d.Decode(&reader{row.from})
			check(err, 1, "/0")
			if row.code != "" {
				if d.Offset() != 1 {
					t.Errorf("a failed call moved to %d", d.Offset())
				}
				if err := d.Skip(); err != nil {
					t.Error(err)
				}
			}
			if n, err := d.DecodeInt(); n != 5 || err != nil || d.Finish() != nil {
				t.Errorf("what follows is %d, %v, %v", n, err, d.Finish())
			}
		})
	}
}

func TestUnmarshalerFaults(t *testing.T) {
	var ints []int8
	nested := &rawReader{func(data []byte) error { return polypack.Unmarshal(data, &ints) }}
	v := struct {
		A *rawReader `msgpack:"a"`
	}{nested}
	err := polypack.Unmarshal(unhex(t, "81 a161 93 01 cd012c 03"), &v)
	wantFault(t, err, polypack.CodeOutOfRange, 5, "/a/1")
	err = polypack.Unmarshal(unhex(t, "81 a161 92 01"), &v)
	wantFault(t, err, polypack.CodeUnexpectedEnd, 3, "/a")
	v.A = &rawReader{func(data []byte) error { return errOwn }}
	err = polypack.Unmarshal(unhex(t, "81 a161 92 01 02"), &v)
	wantFault(t, err, polypack.CodeTypeMismatch, 3, "/a")
	if !errors.Is(err, errOwn) {
		t.Error("the cause is lost")
	}
	var c struct{ C []colour }
	err = polypack.Unmarshal(unhex(t, "81 a143 92 a3726564 a0"), &c)
	wantFault(t, err, polypack.CodeTypeMismatch, 8, "/C/1")
	if !errors.Is(err, errNoColour) {
		t.Error("the cause is lost")
	}
	// The bytes that a method gets hold no records.
	var got []string
	var r struct{ A, B rawReader }
	r.A.read = func(data []byte) error {
		got = append(got, hex.EncodeToString(data))
		return nil
	}
	r.B = r.A
	for _, opt := range []polypack.Option{polypack.Default, polypack.Strict} {
		got = nil
		err = polypack.Unmarshal(unhex(t, "82 a141 d4724091a16107 a142 924041cc42"), &r, polypack.Records(polypack.RecordsInline), opt)
		if opt == polypack.Strict {
			wantFault(t, err, polypack.CodeUnknownRecord, 14, "/B/0/a")
			continue
		}
		if want := []string{"81a16107", "9281a16141cc42"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("got %q, want %q, %v", got, want, err)
		}
	}
}

type (
	binaryReader struct{ read func(data []byte) error }
	textReader   struct{ read func(text []byte) error }
)

func (r *binaryReader) UnmarshalBinary(data []byte) error { return r.read(data) }
func (r *textReader) UnmarshalText(text []byte) error     { return r.read(text) }

// TestOffsetsOfNestedCalls checks where in the input the fault is that a method found in the bytes it was given.
func TestOffsetsOfNestedCalls(t *testing.T) {
	whole := func(data []byte) error { return polypack.Unmarshal(data, new(any)) }
	wrapped := func(data []byte) error { return fmt.Errorf("mine: %w", whole(data)) }
	inner := func(data []byte) error { return polypack.Unmarshal(data, &binaryReader{whole}) }
	bytesOf := func(d *polypack.Decoder) error {
		data, err := d.DecodeBytes()
		return errors.Join(err, whole(data))
	}
	rawOf := func(d *polypack.Decoder) error {
		var raw polypack.RawMessage
		err := d.Decode(&raw)
		return errors.Join(err, polypack.Unmarshal(raw, new(string)))
	}
	failed := polypack.Extensions(polypack.NewExtension(5, func(dst []byte, v extended) ([]byte, error) { return dst, nil },
		func(data []byte) (extended, error) { return extended{}, whole(data) }))
	inline := polypack.Records(polypack.RecordsInline)
	for _, row := range []struct {
		name, in string
		target   any
		opts     []polypack.Option
		code     polypack.Code
		offset   int64
		path     string
	}{
		{"a bin", "c405 93010203 c1", &binaryReader{whole}, nil, polypack.CodeTrailingData, 6, ""},
		{"inside of a bin", "c404 930102 c1", &binaryReader{whole}, nil, polypack.CodeReservedByte, 5, "/2"},
		{"a bin with a longer head", "c60000 0002 91c1", &binaryReader{wrapped}, nil, polypack.CodeReservedByte, 6, "/0"},
		{"an empty bin", "c400", &binaryReader{whole}, nil, polypack.CodeUnexpectedEnd, 2, ""},
		{"a str for a bin", "a2 91c1", &binaryReader{whole}, nil, polypack.CodeReservedByte, 2, "/0"},
		{"a bin in a bin", "c404 c40291c1", &binaryReader{inner}, nil, polypack.CodeReservedByte, 5, "/0"},
		{"a str", "a3 920ac1", &textReader{whole}, nil, polypack.CodeReservedByte, 3, "/1"},
		{"an empty str", "a0", &textReader{whole}, nil, polypack.CodeUnexpectedEnd, 1, ""},
		{"a value", "c40291c1", &rawReader{func(data []byte) error { return polypack.Unmarshal(data, &binaryReader{whole}) }}, nil, polypack.CodeReservedByte, 3, "/0"},
		{"a value without records", "92c30a", &rawReader{func(data []byte) error { return polypack.Unmarshal(data, new([]bool)) }}, []polypack.Option{inline}, polypack.CodeTypeMismatch, 2, "/1"},
		{"a value with records", "d4724091a1610a", &rawReader{func(data []byte) error { return polypack.Unmarshal(data, new(map[string]string)) }}, []polypack.Option{inline}, polypack.CodeTypeMismatch, 0, "/a"},
		{"bytes read by hand", "c404 930102c1", &reader{bytesOf}, nil, polypack.CodeReservedByte, 0, "/2"},
		{"a RawMessage", "920a0b", &reader{rawOf}, nil, polypack.CodeTypeMismatch, 0, ""},
		{"an extension", "c70405 930102c1", &extended{}, []polypack.Option{failed}, polypack.CodeUnsupportedValue, 0, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			data := unhex(t, row.in)
			for name, opts := range engines {
				opts = append(slices.Clone(opts), row.opts...)
				wantFault(t, polypack.Unmarshal(data, row.target, opts...), row.code, row.offset, row.path)
				longer := slices.Concat([]byte{0x92, 0xc0}, data)
				wantFault(t, polypack.Unmarshal(longer, &[]any{nil, row.target}, opts...), row.code, row.offset+2, "/1"+row.path)
				s := polypack.NewStreamDecoder(bytes.NewReader(slices.Concat([]byte{0x93, 1, 2, 3}, longer)), opts...)
				if err := s.Skip(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				wantFault(t, s.Decode(&[]any{nil, row.target}), row.code, row.offset+6, "/1"+row.path)
			}
		})
	}
}

type extended struct{ N int }

// Methods can't use the Encoder that is writing their value, unless they get it as an argument.
func TestEncoderNestedCalls(t *testing.T) {
	e := polypack.NewEncoder(nil)
	refused := callback(func() {
		t.Helper()
		wantUsage(t, e.Encode(1), "Encoder")
		wantUsage(t, e.EncodeString("zzz"), "Encoder")
		wantUsage(t, e.EncodeArrayHeader(1), "Encoder")
		wantUsage(t, polypack.GetStructEncoder[int]().EncodeWith(e, new(int)), "Encoder")
	})
	within := writer{func(e *polypack.Encoder) error { return e.Encode([]any{refused}) }}
	if err := e.Encode([]any{1, refused, within, 2}); err != nil || string(e.Bytes()) != "\x94\x01\xc0\x91\xc0\x02" {
		t.Errorf("%x, %v", e.Bytes(), err)
	}
	if err := e.EncodeNil(); err != nil {
		t.Error(err)
	}

	before := string(e.Bytes())
	wantUsage(t, e.Encode([]any{1, callback(func() { e.Reset(nil) }), 2}), "Reset")
	if string(e.Bytes()) != before {
		t.Errorf("%x", e.Bytes())
	}
	wantUsage(t, e.EncodeNil(), "Reset")
}
