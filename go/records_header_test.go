package polypack_test

// Plan of the file: headers and dictionaries that grow on every way in and out. The vectors have what a header may be;
// here each reader has one, a reader that must load its dictionary first among them.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// A memoryStore keeps a dictionary, and fails if it should.
type memoryStore struct {
	mutex   sync.Mutex
	content []byte
	failure error
	loads   int
	before  func() // runs once before Replace compares
}

func (s *memoryStore) Load(context.Context) ([]byte, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.loads++
	return s.content, s.failure
}

func (s *memoryStore) Replace(_ context.Context, expected, next []byte) (bool, error) {
	if before := s.before; before != nil {
		s.before = nil
		before()
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failure != nil {
		return false, s.failure
	}
	if !bytes.Equal(s.content, expected) || (s.content == nil) != (expected == nil) {
		return false, nil
	}
	s.content = slices.Clone(next)
	return true, nil
}

func storedIn(t testing.TB, store polypack.DictionaryStore) *polypack.StoredDictionary {
	t.Helper()
	stored, err := polypack.NewStoredDictionary(store, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

type (
	onlyA struct{ A int }
	onlyB struct{ B onlyA }
)

// headedReaders read {"B": {"A": 5}} with the options.
var headedReaders = map[string]func(data []byte, opts []polypack.Option) (onlyB, error){
	"Unmarshal": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		return v, polypack.Unmarshal(data, &v, opts...)
	},
	"Codec": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		return v, polypack.MustCodecOf[onlyB](opts...).Unmarshal(data, &v)
	},
	"UnmarshalRead": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		return v, polypack.UnmarshalRead(bytes.NewReader(data), &v, append(opts, polypack.MaxBytes(len(data)))...)
	},
	"Decoder": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		d := polypack.NewDecoder(data, opts...)
		if err := d.Decode(&v); err != nil {
			if d.Offset() != 0 {
				err = errors.New("the Decoder moved")
			}
			return v, err
		}
		return v, d.Finish()
	},
	"DecodeAny": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		return v, readSteps(data, opts, &v, func(d *polypack.Decoder) error {
			_, err := d.DecodeAny()
			return err
		})
	},
	"Decoder.Skip": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		return v, readSteps(data, opts, &v, (*polypack.Decoder).Skip)
	},
	"Decoder.Peek": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		return v, readSteps(data, opts, &v, func(d *polypack.Decoder) error {
			if kind, err := d.Peek(); err != nil || kind != polypack.KindRecord {
				return fmt.Errorf("%v, %w", kind, err)
			}
			return d.Skip()
		})
	},
	"StreamDecoder.Skip": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		s := polypack.NewStreamDecoder(&cutReader{data, 1}, opts...)
		if err := s.Skip(); err != nil {
			return v, err
		}
		return v, polypack.Unmarshal(data, &v, opts...)
	},
	"StreamDecoder.Peek": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		s := polypack.NewStreamDecoder(&cutReader{data, 1}, opts...)
		if kind, err := s.Peek(); err != nil || kind != polypack.KindRecord {
			return v, fmt.Errorf("%v, %w", kind, err)
		}
		return v, s.Decode(&v)
	},
	"StreamDecoder": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		s := polypack.NewStreamDecoder(&cutReader{data, 1}, opts...)
		if err := s.Decode(&v); err != nil {
			return v, err
		}
		if s.InputOffset() != int64(len(data)) {
			return v, errors.New("another offset")
		}
		if err := s.Decode(new(any)); err != io.EOF {
			return v, errors.New("the stream has not ended")
		}
		return v, nil
	},
	"Canonicalize": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		canonical, err := polypack.Canonicalize(data, opts...)
		if err != nil {
			return v, err
		}
		return v, polypack.Unmarshal(canonical, &v)
	},
	"Get": func(data []byte, opts []polypack.Option) (v onlyB, err error) {
		inner, err := polypack.Get(data, "/B", opts...)
		if err != nil {
			return v, err
		}
		return v, polypack.Unmarshal(inner, &v.B, opts...)
	},
}

// readSteps reads all of data with step, and then into v.
func readSteps(data []byte, opts []polypack.Option, v any, step func(*polypack.Decoder) error) error {
	d := polypack.NewDecoder(data, opts...)
	if err := step(d); err != nil {
		if d.Offset() != 0 {
			return errors.New("the Decoder moved")
		}
		return err
	}
	if err := d.Finish(); err != nil {
		return err
	}
	return polypack.Unmarshal(data, v, opts...)
}

func TestHeaders(t *testing.T) {
	store := &memoryStore{}
	writer := storedIn(t, store)
	value := onlyB{onlyA{5}}
	if err := writer.PublishShapesOf(context.Background(), value); err != nil {
		t.Fatal(err)
	}
	if want := unhex(t, "92 91a142 91a141"); !bytes.Equal(store.content, want) {
		t.Fatalf("the store has %x, want %x", store.content, want)
	}
	for _, fingerprint := range []bool{false, true} {
		var also []polypack.Option
		if fingerprint {
			also = []polypack.Option{polypack.Fingerprint()}
		}
		data := mustMarshal(t, value, append(also, polypack.StoredRecords(writer))...)
		if behind := data[len(data)-3:]; !bytes.Equal(behind, []byte{0x40, 0x41, 5}) || fingerprint != (len(data) == 13) {
			t.Fatalf("written %x", data)
		}
		first, err := polypack.NewDictionary([][]string{{"B"}})
		if err != nil {
			t.Fatal(err)
		}
		for name, read := range headedReaders {
			got, err := read(data, append(also, polypack.SharedRecords(writer.Dictionary())))
			if err != nil || got != value {
				t.Errorf("%s, fingerprint %v: %v, %v", name, fingerprint, got, err)
			}
			before := store.loads
			got, err = read(data, append(also, polypack.StoredRecords(storedIn(t, store))))
			if err != nil || got != value || store.loads != before+1 {
				t.Errorf("%s of a store, fingerprint %v: %v, %v, %d loads", name, fingerprint, got, err, store.loads-before)
			}
			code, offset := polypack.CodeUnknownRecord, int64(1)
			if fingerprint {
				code, offset = polypack.CodeInvalidRecord, 0
			}
			var fault *polypack.Error
			if _, err := read(data, append(also, polypack.SharedRecords(first))); !errors.As(err, &fault) || fault.Code != code || fault.Offset != offset {
				t.Errorf("%s with an older dictionary, fingerprint %v: %v", name, fingerprint, err)
			}
			failing := &memoryStore{failure: io.ErrClosedPipe}
			if _, err := read(data, append(also, polypack.StoredRecords(storedIn(t, failing)))); !errors.Is(err, polypack.CodeUnsupportedValue) || !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s of a failing store: %v", name, err)
			}
			if _, err := read(data[:len(data)-1], append(also, polypack.StoredRecords(writer))); !errors.Is(err, polypack.CodeUnexpectedEnd) {
				t.Errorf("%s of cut input: %v", name, err)
			}
		}
	}
}

// TestStoreIsAskedOnceInVain counts what messages of strangers cost the store. Only a header and an id that are both
// new to a reader make it ask twice, and only while it knows less than the store.
func TestStoreIsAskedOnceInVain(t *testing.T) {
	store := &memoryStore{}
	writer := storedIn(t, store)
	if err := writer.PublishShapesOf(context.Background(), onlyB{}); err != nil {
		t.Fatal(err)
	}
	header := mustMarshal(t, onlyB{}, polypack.StoredRecords(writer), polypack.Fingerprint())[:10]
	for _, c := range []struct {
		name   string
		data   []byte
		code   polypack.Code
		offset int64
		first  int // how often a reader that knows nothing asks
	}{
		{"an id", []byte{0x5f}, polypack.CodeUnknownRecord, 0, 1},
		{"a fingerprint", unhex(t, "c150 0102030405060708 c0"), polypack.CodeInvalidRecord, 0, 1},
		{"an id behind a fingerprint", append(slices.Clone(header), 0x5f), polypack.CodeUnknownRecord, 10, 2},
		{"an id inside, behind a fingerprint", append(slices.Clone(header), 0x40, 0x5f), polypack.CodeUnknownRecord, 11, 2},
	} {
		for name, read := range headedReaders {
			opts := []polypack.Option{polypack.StoredRecords(storedIn(t, store)), polypack.Fingerprint()}
			for i, want := range []int{c.first, 1, 1} {
				before := store.loads
				_, err := read(c.data, opts)
				if e := (*polypack.Error)(nil); !errors.As(err, &e) || e.Code != c.code || e.Offset != c.offset {
					t.Errorf("%s, %s: %v", c.name, name, err)
				}
				if got := store.loads - before; got != want {
					t.Errorf("%s, %s, message %d: the store was asked %d times, want %d", c.name, name, i, got, want)
				}
			}
		}
	}
}

func TestHeadersInStreams(t *testing.T) {
	store := &memoryStore{}
	writer, reader := storedIn(t, store), storedIn(t, store)
	opts := []polypack.Option{polypack.StoredRecords(writer), polypack.Fingerprint()}
	var stream bytes.Buffer
	out := polypack.NewStreamEncoder(&stream, opts...)
	for _, v := range []any{onlyA{1}, onlyB{onlyA{2}}, struct{ C int }{3}} {
		if err := errors.Join(writer.PublishShapesOf(context.Background(), v), out.Encode(v)); err != nil {
			t.Fatal(err)
		}
	}
	stream.WriteString("\x40\x04") // a message without a header
	data := stream.Bytes()
	stream.WriteString("\xc1\x50")
	in := polypack.NewStreamDecoder(&cutReader{stream.Bytes(), 1}, polypack.StoredRecords(reader), polypack.Fingerprint())
	values := polypack.NewDecoder(data, opts...)
	for _, want := range []any{map[string]any{"A": int64(1)}, map[string]any{"B": map[string]any{"A": int64(2)}}, map[string]any{"C": int64(3)}, map[string]any{"A": int64(4)}} {
		var streamed, read any
		if err := in.Decode(&streamed); err != nil || !reflect.DeepEqual(streamed, want) {
			t.Errorf("%v, %v; want %v", streamed, err, want)
		}
		if err := values.Decode(&read); err != nil || !reflect.DeepEqual(read, want) {
			t.Errorf("%v, %v; want %v", read, err, want)
		}
	}
	var fault *polypack.Error
	if err := in.Decode(new(any)); !errors.As(err, &fault) || fault.Code != polypack.CodeUnexpectedEnd || fault.Offset != int64(len(data)) {
		t.Errorf("a cut header: %v", err)
	}
	if err := values.Finish(); err != nil || store.loads != 2 { // one of the writer, one of the reader
		t.Errorf("%v, %d loads", err, store.loads)
	}
}

func TestHeaderOfElements(t *testing.T) {
	store := &memoryStore{}
	writer := storedIn(t, store)
	values := []onlyA{{1}, {2}}
	if err := writer.PublishShapesOf(context.Background(), values); err != nil {
		t.Fatal(err)
	}
	for _, also := range [][]polypack.Option{nil, {polypack.Fingerprint()}} {
		data := mustMarshal(t, values, append(also, polypack.StoredRecords(writer))...)
		var got []onlyA
		for v, err := range polypack.Elements[onlyA](&cutReader{data, 1}, append(also, polypack.StoredRecords(storedIn(t, store)))...) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if !reflect.DeepEqual(got, values) {
			t.Errorf("%v from %x", got, data)
		}
		for cut := range data {
			var last error
			for _, last = range polypack.Elements[onlyA](&cutReader{data[:cut], 1}, append(also, polypack.StoredRecords(writer))...) {
			}
			if !errors.Is(last, polypack.CodeUnexpectedEnd) {
				t.Errorf("cut at %d: %v", cut, last)
			}
		}
	}
}

func TestFingerprintNeedsSharedRecords(t *testing.T) {
	var usage *polypack.UsageError
	if _, err := polypack.Marshal(1, polypack.Fingerprint()); !errors.As(err, &usage) {
		t.Error(err)
	}
	dictionary, _ := polypack.NewDictionary(nil)
	e := polypack.NewEncoder(nil, polypack.SharedRecords(dictionary), polypack.Fingerprint())
	if err := e.EncodeNil(); !errors.As(err, &usage) {
		t.Error(err)
	}
}

// TestFingerprintOfEveryMessage writes values that rely on no shape. They have headers, too.
func TestFingerprintOfEveryMessage(t *testing.T) {
	dictionary, err := polypack.NewDictionary([][]string{{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	opts := []polypack.Option{polypack.SharedRecords(dictionary), polypack.Fingerprint()}
	for _, v := range []any{nil, true, int64(1), 1.5, "a", []byte{1}, []any{}, map[string]any{"b": int64(2)}} {
		header, plain := unhex(t, "c150 aeb58c1b28938032"), mustMarshal(t, v)
		wantBytes(t, mustMarshal(t, v, opts...), nil, append(header, plain...))
		for _, data := range [][]byte{plain, append(header, plain...)} {
			var back any
			if err := polypack.Unmarshal(data, &back, opts...); err != nil || !reflect.DeepEqual(back, v) {
				t.Errorf("%x: %v, %v; want %v", data, back, err, v)
			}
		}
	}
}
