package polypack_test

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"reflect"
	"sync"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

type column[T cmp.Ordered] struct {
	Values []T    `msgpack:"values"`
	MaxID  uint32 `msgpack:"max_id"`
}

// codecRoundTrip sends v through every call of the typed codecs of T and holds the results against Marshal.
func codecRoundTrip[T any](t *testing.T, v T) {
	t.Helper()
	want := mustMarshal(t, &v)
	codec := polypack.MustCodecOf[T]()
	encoder, decoder := polypack.GetStructEncoder[T](), polypack.GetStructDecoder[T](false)
	e := polypack.NewEncoder([]byte{1})
	withErr := encoder.EncodeWith(e, &v)
	encoded := map[string]func() ([]byte, error){
		"Codec.Marshal":            func() ([]byte, error) { return codec.Marshal(&v) },
		"Codec.Append":             func() ([]byte, error) { b, err := codec.Append([]byte{1, 2}, &v); return b[2:], err },
		"zero Codec":               func() ([]byte, error) { return new(polypack.Codec[T]).Marshal(&v) },
		"StructEncoder.Encode":     func() ([]byte, error) { return encoder.Encode(&v) },
		"StructEncoder.EncodeWith": func() ([]byte, error) { return e.Bytes()[1:], withErr },
	}
	for name, call := range encoded {
		if got, err := call(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s of %T: %x, %v; want %x", name, v, got, err, want)
		}
	}
	d := polypack.NewDecoder([]byte{0xc1})
	for name, call := range map[string]func(*T) error{
		"Codec.Unmarshal":          func(p *T) error { return codec.Unmarshal(want, p) },
		"StructDecoder.Decode":     func(p *T) error { return decoder.Decode(want, p) },
		"zero copy":                func(p *T) error { return decoder.ZeroCopy().Decode(want, p) },
		"StructDecoder.DecodeWith": func(p *T) error { return decoder.DecodeWith(d, want, p) },
	} {
		var got T
		if err := call(&got); err != nil {
			t.Errorf("%s into %T: %v", name, v, err)
		} else if again := mustMarshal(t, &got); !bytes.Equal(again, want) {
			t.Errorf("%s into %T: %x; want %x", name, v, again, want)
		}
		if err := call(nil); !isUsage(err) {
			t.Errorf("%s into a nil *%T: %v", name, got, err)
		}
	}
	for name, call := range map[string]func() ([]byte, error){
		"Codec.Marshal":        func() ([]byte, error) { return codec.Marshal(nil) },
		"StructEncoder.Encode": func() ([]byte, error) { return encoder.Encode(nil) },
	} {
		if got, err := call(); err != nil || !bytes.Equal(got, []byte{0xc0}) {
			t.Errorf("%s of a nil *%T: %x, %v; want nil", name, v, got, err)
		}
	}
}

func isUsage(err error) bool {
	var usage *polypack.UsageError
	return errors.As(err, &usage)
}

func TestCodecTypes(t *testing.T) {
	full := fullFuzzed()
	codecRoundTrip(t, full)
	codecRoundTrip(t, &full)
	pointer := &named{7}
	codecRoundTrip(t, pointer)
	codecRoundTrip(t, &pointer)
	codecRoundTrip[*named](t, nil)
	codecRoundTrip(t, 5)
	codecRoundTrip(t, "text")
	codecRoundTrip(t, [2]bool{true, false})
	codecRoundTrip(t, []named{{1}, {2}})
	codecRoundTrip(t, map[int]string{-1: "a", 300: "b"})
	codecRoundTrip(t, map[string]map[string][]int{"a": {"b": {1}}})
	codecRoundTrip[any](t, map[string]any{"a": []any{int64(1), nil}})
	codecRoundTrip[any](t, nil)
	codecRoundTrip[error](t, nil)
	codecRoundTrip(t, column[int64]{[]int64{1, -300}, 9})
	codecRoundTrip(t, column[string]{[]string{"a"}, 9})
	codecRoundTrip(t, struct{}{})
}

func TestCodecUnsupported(t *testing.T) {
	_, err := polypack.MustCodecOf[chan int]().Marshal(new(chan int))
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "")
	_, err = polypack.GetStructEncoder[struct{ F func() }]().Encode(new(struct{ F func() }))
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "/F")
	wantFault(t, polypack.GetStructDecoder[complex128](false).Decode([]byte{1}, new(complex128)), polypack.CodeTypeMismatch, 0, "")
	dst := []byte{1, 2}
	got, err := polypack.MustCodecOf[chan int]().Append(dst, new(chan int))
	if err == nil || !bytes.Equal(got, dst) {
		t.Errorf("a failed Append returns %x", got)
	}
	wantUsage(t, polypack.GetStructEncoder[int]().EncodeWith(nil, new(int)), "StructEncoder.EncodeWith")
	wantUsage(t, polypack.GetStructDecoder[int](false).DecodeWith(nil, []byte{1}, new(int)), "StructDecoder.DecodeWith")
}

func TestCodecOptions(t *testing.T) {
	_, err := polypack.CodecOf[int](polypack.MaxDepth(-1))
	wantUsage(t, err, "MaxDepth")
	strict := polypack.MustCodecOf[map[string]int](polypack.Strict)
	twice := unhex(t, "82 a161 01 a161 02")
	wantFault(t, strict.Unmarshal(twice, new(map[string]int)), polypack.CodeDuplicateKey, 4, "/a")
	wantFault(t, strict.Unmarshal([]byte{0x80, 1}, new(map[string]int)), polypack.CodeTrailingData, 1, "")
	defer func() {
		if err, ok := recover().(error); !ok || !isUsage(err) {
			t.Errorf("MustCodecOf panics with %v", err)
		}
	}()
	polypack.MustCodecOf[int](nil)
}

func TestStructDecoderZeroCopy(t *testing.T) {
	type text struct{ S string }
	copying := polypack.GetStructDecoder[text](false)
	viewing := copying.ZeroCopy()
	if viewing == copying || viewing != polypack.GetStructDecoder[text](true) || copying != polypack.GetStructDecoder[text](false) {
		t.Error("a decoder is not the one kept for its type and mode")
	}
	data := mustMarshal(t, text{"content"})
	d := polypack.NewDecoder(nil)
	for _, c := range []struct {
		name string
		call func(*text) error
		view bool
	}{
		{"Decode", func(v *text) error { return copying.Decode(data, v) }, false},
		{"ZeroCopy.Decode", func(v *text) error { return viewing.Decode(data, v) }, !purego},
		{"ZeroCopy.DecodeWith", func(v *text) error { return viewing.DecodeWith(d, data, v) }, !purego},
		{"DecodeWith", func(v *text) error { return copying.DecodeWith(d, data, v) }, false},
	} {
		var v text
		if err := c.call(&v); err != nil || v.S != "content" || within(v.S, data) != c.view {
			t.Errorf("%s: %q, %v; want a view: %v", c.name, v.S, err, c.view)
		}
	}
	wantFault(t, viewing.DecodeWith(d, append(data, 1), new(text)), polypack.CodeTrailingData, int64(len(data)), "")
}

func TestDecoderReset(t *testing.T) {
	d := polypack.NewDecoder(unhex(t, "92 01"), polypack.Strict)
	if _, err := d.DecodeArrayHeader(); err == nil {
		t.Fatal("the count does not fit")
	}
	d.Reset(unhex(t, "93 01 02 03"))
	if n, err := d.DecodeArrayHeader(); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	d.Reset(unhex(t, "a1ff"))
	_, err := d.DecodeString()
	wantFault(t, err, polypack.CodeInvalidUTF8, 0, "")
	d.Reset([]byte{7})
	if n, err := d.DecodeInt(); n != 7 || err != nil || d.Finish() != nil {
		t.Error(n, err, d.Finish())
	}
}

// TestCodecConcurrency is for the race detector.
func TestCodecConcurrency(t *testing.T) {
	type fresh struct {
		A int
		B map[string]string
		C *fresh
	}
	codec := polypack.MustCodecOf[fresh](polypack.Strict)
	var group sync.WaitGroup
	for i := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			v := fresh{i, map[string]string{"k": "v"}, &fresh{A: i}}
			data, err := polypack.GetStructEncoder[fresh]().Encode(&v)
			if err != nil {
				t.Error(err)
				return
			}
			var a, b, c fresh
			err = errors.Join(codec.Unmarshal(data, &a), polypack.GetStructDecoder[fresh](true).Decode(data, &b),
				polypack.GetStructDecoder[fresh](false).ZeroCopy().Decode(data, &c))
			if err != nil || !reflect.DeepEqual([]fresh{a, b, c}, []fresh{v, v, v}) {
				t.Errorf("%+v %+v %+v %v", a, b, c, err)
			}
		}()
	}
	group.Wait()
}

func TestEncoderStringBytes(t *testing.T) {
	for _, text := range []string{"", "text", string(bytes.Repeat([]byte("é"), 200))} {
		e := polypack.NewEncoder(nil, polypack.Strict)
		if err := e.EncodeStringBytes([]byte(text)); err != nil || !bytes.Equal(e.Bytes(), mustMarshal(t, text)) || e.Len() != len(e.Bytes()) {
			t.Errorf("%q: %x, %v", text, e.Bytes(), err)
		}
	}
	e := polypack.NewEncoder([]byte{1}, polypack.Strict)
	wantFault(t, e.EncodeStringBytes([]byte{0xff}), polypack.CodeInvalidUTF8, -1, "")
	if e.Len() != 1 {
		t.Errorf("a failed call appended %x", e.Bytes())
	}
	wantUsage(t, polypack.NewEncoder(nil, polypack.MaxDepth(-1)).EncodeStringBytes(nil), "MaxDepth")
}

// TestCodecAllocations asserts what a plain struct costs in memory once its memory is there.
func TestCodecAllocations(t *testing.T) {
	if purego {
		t.Skip("plans allocate")
	}
	a := account{Name: "Alice", Age: 30, Email: "alice@example.org"}
	codec := polypack.MustCodecOf[account]()
	encoder, viewing := polypack.GetStructEncoder[account](), polypack.GetStructDecoder[account](true)
	data, err := codec.Marshal(&a)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, 100)
	e, stream := polypack.NewEncoder(nil), polypack.NewStreamEncoder(io.Discard)
	var out account
	for name, c := range map[string]struct {
		want float64
		call func() error
	}{
		"Codec.Append":             {0, func() (err error) { buf, err = codec.Append(buf[:0], &a); return err }},
		"StructEncoder.EncodeWith": {0, func() error { e.Reset(buf[:0]); return encoder.EncodeWith(e, &a) }},
		"StreamEncoder.Encode":     {0, func() error { return stream.Encode(&a) }},
		"Append":                   {0, func() (err error) { buf, err = polypack.Append(buf[:0], &a); return err }},
		"Marshal":                  {1, func() (err error) { _, err = polypack.Marshal(&a); return err }},
		"Unmarshal":                {1, func() error { return polypack.Unmarshal(data, &out) }},
		"Codec.Marshal":            {1, func() (err error) { _, err = codec.Marshal(&a); return err }},
		"StructEncoder.Encode":     {1, func() (err error) { _, err = encoder.Encode(&a); return err }},
		"Codec.Unmarshal":          {1, func() error { return codec.Unmarshal(data, &out) }}, // its strings
		"StructDecoder.Decode":     {0, func() error { return viewing.Decode(data, &out) }},
		"GetStructEncoder":         {0, func() error { _ = polypack.GetStructEncoder[account](); return nil }},
		"GetStructDecoder":         {0, func() error { _ = polypack.GetStructDecoder[account](true); return nil }},
	} {
		if got := testing.AllocsPerRun(100, func() { err = errors.Join(err, c.call()) }); got > c.want || err != nil {
			t.Errorf("%s: %v allocations, %v; want %v", name, got, err, c.want)
		}
	}
}
