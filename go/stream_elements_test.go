package polypack_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	polypack "github.com/polypack/polypack/go"
)

func collect[T any](r io.Reader, opts ...polypack.Option) (all []T, err error) {
	for v, fault := range polypack.Elements[T](r, opts...) {
		if fault != nil {
			return all, fault
		}
		all = append(all, v)
	}
	return all, nil
}

func TestElements(t *testing.T) {
	want := streamMessages()
	for i, reader := range readers(mustMarshal(t, want)) {
		got, err := collect[any](reader())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("reader %d: %v, %v", i, got, err)
		}
	}
	type row struct{ A, B int }
	long := make([]row, 70_000)
	for i := range long {
		long[i] = row{i, -i}
	}
	got, err := collect[row](bytes.NewReader(mustMarshal(t, long)), polypack.MaxBytes(20))
	if err != nil || !reflect.DeepEqual(got, long) {
		t.Errorf("%d rows, %v", len(got), err)
	}
}

// TestElementsWhole asserts that what is no array is taken as Unmarshal takes it.
func TestElementsWhole(t *testing.T) {
	for in, want := range map[string][]byte{"c0": nil, "d40000": nil, "c403 010203": {1, 2, 3}, "90": nil, "93 01 02 03": {1, 2, 3}} {
		for _, reader := range readers(unhex(t, in)) {
			if got, err := collect[byte](reader()); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %x, %v", in, got, err)
			}
		}
	}
	n := 0
	for range polypack.Elements[byte](strings.NewReader("\xc4\x03abc")) {
		n++
		break
	}
	for range polypack.Elements[int](strings.NewReader("\x93\x01\x02\x03")) {
		n++
		break
	}
	if n != 2 {
		t.Errorf("%d elements before break", n)
	}
}

func TestElementsFaults(t *testing.T) {
	const inlineID = "d47240 92 a161 a162 01 02"
	for _, c := range []struct {
		in     string
		values int
		code   polypack.Code
		offset int64
		path   string
		opts   []polypack.Option
	}{
		{"", 0, polypack.CodeUnexpectedEnd, 0, "", nil},
		{"dc 00", 0, polypack.CodeUnexpectedEnd, 0, "", nil},
		{"a161", 0, polypack.CodeTypeMismatch, 0, "", nil},
		{"c1", 0, polypack.CodeReservedByte, 0, "", nil},
		{"93 01 02", 2, polypack.CodeUnexpectedEnd, 3, "/2", nil},
		{"dd ffffffff 01", 1, polypack.CodeUnexpectedEnd, 6, "/1", nil},
		{"93 01 92 02", 1, polypack.CodeUnexpectedEnd, 2, "/1", nil},
		{"93 01 02 03 04", 3, polypack.CodeTrailingData, 4, "", nil},
		{"c0 01", 0, polypack.CodeTrailingData, 1, "", nil},
		{"93 01 c1 03", 1, polypack.CodeReservedByte, 2, "/1", nil},
		{"93 01 81 a161 92 01 c1 03", 1, polypack.CodeReservedByte, 7, "/1/a/1", nil},
		{"92 01 81 a161 91 01", 1, polypack.CodeLimitExceeded, 5, "/1/a", []polypack.Option{polypack.MaxDepth(2)}},
		{"92 01 81 a161 01", 2, "", 0, "", []polypack.Option{polypack.MaxDepth(2)}},
		{"90", 0, polypack.CodeLimitExceeded, 0, "", []polypack.Option{polypack.MaxDepth(0)}},
		{"93 01 92 01 02 90", 3, "", 0, "", []polypack.Option{polypack.MaxValues(6)}},
		{"93 01 92 01 02 91 01", 2, polypack.CodeLimitExceeded, 5, "/2", []polypack.Option{polypack.MaxValues(6)}},
		{"93 01 02 03", 0, polypack.CodeLimitExceeded, 0, "", []polypack.Option{polypack.MaxValues(3)}},
		{"93 01 a3616263 a461626364", 2, polypack.CodeLimitExceeded, 6, "/2", []polypack.Option{polypack.MaxBytes(4)}},
		{"93 01 02 03", 0, polypack.CodeLimitExceeded, 0, "", []polypack.Option{polypack.DefaultConfig().WithMaxArrayLen(2)}},
		{"92 01 a1ff", 1, polypack.CodeInvalidUTF8, 2, "/1", []polypack.Option{polypack.Strict}},
		{"92 82 a161 01 a161 02 03", 0, polypack.CodeDuplicateKey, 5, "/0/a", []polypack.Option{polypack.Strict}},
		// A record declared in one element is an instance in the next.
		{"93" + inlineID + "40 03 04 05", 3, "", 0, "", []polypack.Option{inline}},
		{"93" + inlineID + "40 03 c1 05", 1, polypack.CodeReservedByte, 13, "/1/b", []polypack.Option{inline}},
		{"93" + inlineID + "40 03 91 a3", 1, polypack.CodeUnexpectedEnd, 14, "/1/b/0", []polypack.Option{inline}},
		{"93 d5726001 92 a161 a162 01 02  60 01 03 c1 05", 1, polypack.CodeReservedByte, 15, "/1/b", []polypack.Option{inline}},
		{"93 91" + inlineID + "81 40 01 02 03 40 04 05", 3, "", 0, "", []polypack.Option{inline, polypack.Lossless}},
		{"92" + inlineID + inlineID, 1, polypack.CodeLimitExceeded, 11, "/1", []polypack.Option{inline, polypack.MaxBytes(15)}},
	} {
		for i, reader := range readers(unhex(t, c.in)) {
			got, err := collect[any](reader(), c.opts...)
			if len(got) != c.values {
				t.Errorf("%s, reader %d: %d elements, then %v", c.in, i, len(got), err)
			}
			if c.code != "" {
				wantFault(t, err, c.code, c.offset, c.path)
			} else if err != nil {
				t.Errorf("%s, reader %d: %v", c.in, i, err)
			}
			if t.Failed() {
				t.Fatalf("%s, reader %d", c.in, i)
			}
		}
	}
}

func TestElementsTyped(t *testing.T) {
	type row struct {
		ID   int    `msgpack:"id"`
		Name string `msgpack:"name"`
	}
	got, err := collect[row](bytes.NewReader(unhex(t, "92 82 a26964 01 a46e616d65 a161  82 a26964 02 a46e616d65 05")))
	if len(got) != 1 || got[0] != (row{1, "a"}) {
		t.Errorf("%+v", got)
	}
	wantFault(t, err, polypack.CodeTypeMismatch, 23, "/1/name")
	_, err = collect[chan int](strings.NewReader("\x92\xc0\x01"))
	wantFault(t, err, polypack.CodeTypeMismatch, 2, "/1")
	rows := []row{{1, "a"}, {2, "b"}, {3, "c"}}
	got, err = collect[row](iotest.OneByteReader(bytes.NewReader(mustMarshal(t, rows, inline))), inline)
	if err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestElementsReaders(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		reader io.Reader
		values int
		want   error
	}{
		{io.MultiReader(strings.NewReader("\x93\x01\x02"), iotest.ErrReader(broken)), 2, broken},
		{io.MultiReader(strings.NewReader("\x92\x01\x02"), iotest.ErrReader(broken)), 2, broken},
		{io.MultiReader(strings.NewReader("\xdc\x01"), iotest.ErrReader(broken)), 0, broken},
		{iotest.ErrReader(broken), 0, broken},
		{lazyReader{}, 0, io.ErrNoProgress},
	} {
		if got, err := collect[int](c.reader); err != c.want || len(got) != c.values {
			t.Errorf("%v, %v; want %d elements, then %v", got, err, c.values, c.want)
		}
	}
	_, err := collect[int](nil)
	wantUsage(t, err, "NewStreamDecoder")
	_, err = collect[int](lyingReader{})
	wantUsage(t, err, "NewStreamDecoder")
}

// An arrayReader writes the head of an array of n elements and then elements without end.
type arrayReader struct {
	head, element []byte
	longest       int // the longest buffer it was given
}

func (r *arrayReader) Read(p []byte) (n int, err error) {
	r.longest = max(r.longest, len(p))
	if len(r.head) > 0 {
		n = copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	for n+len(r.element) <= len(p) {
		n += copy(p[n:], r.element)
	}
	return n, nil
}

// TestElementsMemory asserts that an array longer than memory is read with a small buffer.
func TestElementsMemory(t *testing.T) {
	r := &arrayReader{head: unhex(t, "dd ffffffff"), element: unhex(t, "93 01 a3616263 c0")}
	n := 0
	for v, err := range polypack.Elements[[]any](r) {
		if err != nil || len(v) != 3 {
			t.Fatal(v, err)
		}
		if n++; n == 200_000 {
			break
		}
	}
	if r.longest > 1<<14 {
		t.Errorf("a buffer of %d bytes", r.longest)
	}
}

// FuzzElements asserts that the elements of an array are those that Unmarshal gives, however it is cut, and that
// nothing but valid arrays has no fault.
func FuzzElements(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range optionSets() {
			whole, fault := collect[any](bytes.NewReader(data), opts...)
			for _, cut := range []int{1, 3} {
				again, err := collect[any](&cutReader{data, cut}, opts...)
				if len(again) != len(whole) || errorText(err) != errorText(fault) {
					t.Fatalf("%x in cuts of %d: %d elements, then %v; whole: %d elements, then %v", data, cut, len(again), err, len(whole), fault)
				}
			}
			var want []any
			err := polypack.Unmarshal(data, &want, opts...)
			if (err == nil) != (fault == nil) {
				t.Fatalf("%x: %v; Unmarshal: %v", data, fault, err)
			}
			if fault != nil {
				checkFault(t, fault, data)
				continue
			}
			a, b := mustMarshal(t, append([]any{}, whole...)), mustMarshal(t, append([]any{}, want...))
			if !bytes.Equal(a, b) {
				t.Fatalf("%x: %x; Unmarshal: %x", data, a, b)
			}
		}
	})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestSharedRecords reads records whose names are in a Dictionary, element by element, message by message and lazily.
func TestSharedRecords(t *testing.T) {
	type row struct {
		ID   int    `msgpack:"id"`
		Name string `msgpack:"name"`
	}
	dictionary, err := polypack.NewDictionary([][]string{{"id", "name"}})
	if err != nil {
		t.Fatal(err)
	}
	shared := []polypack.Option{polypack.Records(polypack.RecordsShared), polypack.SharedRecords(dictionary)}
	rows := []row{{1, "a"}, {70, "b"}, {3, "c"}}
	data := mustMarshal(t, rows, shared...)
	for i, reader := range readers(data) {
		if got, err := collect[row](reader(), shared...); err != nil || !reflect.DeepEqual(got, rows) {
			t.Fatalf("reader %d: %+v, %v", i, got, err)
		}
	}
	_, err = collect[row](bytes.NewReader(append(data[:len(data)-2], 0xc1, 0xc0)), shared...)
	wantFault(t, err, polypack.CodeReservedByte, int64(len(data)-2), "/2/name")
	for path, want := range map[string]string{"/1/id": "cc46", "/1": "82 a26964 cc46 a46e616d65 a162"} {
		if got, err := polypack.Get(data, path, shared...); err != nil || !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%s: %x, %v; want %s", path, got, err, want)
		}
	}

	var stream bytes.Buffer
	out := polypack.NewStreamEncoder(&stream, shared...)
	for _, r := range rows {
		if err := out.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	var got []row
	for r, err := range polypack.Values[row](iotest.OneByteReader(&stream), shared...) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if !reflect.DeepEqual(got, rows) {
		t.Errorf("%+v", got)
	}
}
