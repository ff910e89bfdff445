package vmihailenco_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/guide"
	"github.com/polypack/polypack/go/x/vmihailenco"
)

var options = []polypack.Option{vmihailenco.Methods(), polypack.OmitEmptyAsksIsZero(true), polypack.ErrorsAsText(true)}

// A point writes itself as an array, with the Encoder of vmihailenco.
type point struct{ x, y int }

func (p *point) EncodeMsgpack(e *msgpack.Encoder) error { return e.EncodeMulti(p.x, p.y) }

func (p *point) DecodeMsgpack(d *msgpack.Decoder) error { return d.DecodeMulti(&p.x, &p.y) }

// A pair writes itself as one value, as it must.
type pair struct{ x, y int }

var errOdd = errors.New("odd")

func (p pair) EncodeMsgpack(e *msgpack.Encoder) error {
	if p.x < 0 {
		return errOdd
	}
	if err := e.EncodeArrayLen(2); err != nil {
		return err
	}
	return e.EncodeMulti(p.x, p.y)
}

func (p *pair) DecodeMsgpack(d *msgpack.Decoder) error {
	if n, err := d.DecodeArrayLen(); err != nil || n != 2 {
		return fmt.Errorf("%w: %d, %v", errOdd, n, err)
	}
	return d.DecodeMulti(&p.x, &p.y)
}

type amount struct{ Cents int }

func (a amount) IsZero() bool { return a.Cents < 100 }

type base struct {
	ID int `msgpack:"id"`
}

// Base is exported, so it can be nested although it is embedded.
type Base struct {
	ID   int
	Name string
}

type listed struct {
	//lint:ignore U1000 both libraries look at its tag
	_msgpack struct{} `msgpack:",as_array"`
	A, B     int
}

type order struct {
	base
	Pair    pair             `msgpack:"pair"`
	Pairs   []pair           `msgpack:"pairs"`
	ByName  map[string]*pair `msgpack:"by_name"`
	Name    string           `msgpack:"name,alias:title"`
	Balance amount           `msgpack:"balance,omitempty"`
	At      time.Time        `msgpack:"at"`
	Note    *string          `msgpack:"note,omitempty"`
	Any     any              `msgpack:"any"`
	List    listed           `msgpack:"list"`
	Raw     []byte           `msgpack:"raw"`
}

func someOrders() []order {
	note := "a note"
	at := time.Unix(1e9, 5).UTC()
	return []order{
		{},
		{base: base{7}, Pair: pair{1, 2}, Pairs: []pair{{3, 4}, {500, 60000}}, ByName: map[string]*pair{"a": {1, 1}, "b": nil}, Name: "Ada",
			Balance: amount{200}, At: at, Note: &note, Any: "text", List: listed{A: 1, B: 1 << 20}, Raw: []byte{0, 255}},
		{Any: map[string]any{"k": true}, At: at, Pairs: []pair{}},
	}
}

// TestFleet lets both libraries write into one store, and read what either has written.
func TestFleet(t *testing.T) {
	type library struct {
		name  string
		write func(v any) ([]byte, error)
		read  func(data []byte, v any) error
	}
	libraries := []library{
		{"vmihailenco", msgpack.Marshal, msgpack.Unmarshal},
		{"polypack", func(v any) ([]byte, error) { return polypack.Marshal(v, options...) },
			func(data []byte, v any) error { return polypack.Unmarshal(data, v, options...) }},
	}
	store := map[string][]byte{}
	for round := range 3 { // each rewrites what the other has left
		for i, o := range someOrders() {
			key := fmt.Sprint(i)
			writer, reader := libraries[(round+i)%2], libraries[(round+i+1)%2]
			if data, ok := store[key]; ok {
				var before order
				if err := writer.read(data, &before); err != nil {
					t.Fatalf("%s reads order %d: %v", writer.name, i, err)
				}
				o = before
			}
			data, err := writer.write(&o)
			if err != nil {
				t.Fatalf("%s writes order %d: %v", writer.name, i, err)
			}
			store[key] = data
			var got order
			if err := reader.read(data, &got); err != nil {
				t.Fatalf("%s reads order %d of %s: %v", reader.name, i, writer.name, err)
			}
			got.At = got.At.UTC()
			if got.Any == nil && o.Any == nil { // two ways to nothing
				got.Any = o.Any
			}
			o.At = o.At.UTC()
			if !reflect.DeepEqual(got, o) && !(o.At.IsZero() && got.At.Unix() == o.At.Unix()) {
				t.Errorf("%s wrote %+v, %s read %+v", writer.name, o, reader.name, got)
			}
		}
	}
}

// TestStreams sends messages of both libraries through one connection.
func TestStreams(t *testing.T) {
	var connection bytes.Buffer
	theirs, ours := msgpack.NewEncoder(&connection), polypack.NewStreamEncoder(&connection, options...)
	for i := range 4 {
		if err := theirs.Encode(pair{i, 1}); err != nil {
			t.Fatal(err)
		}
		if err := ours.Encode(pair{i, 2}); err != nil {
			t.Fatal(err)
		}
	}
	in := polypack.NewStreamDecoder(&connection, options...)
	for i := range 8 {
		var p pair
		if err := in.Decode(&p); err != nil || p != (pair{i / 2, i%2 + 1}) {
			t.Fatal(p, err)
		}
	}
}

// TestMethodsAreChecked asserts that what methods do wrong is a typed error with a path.
func TestMethodsAreChecked(t *testing.T) {
	_, err := polypack.Marshal([]any{1, &point{1, 2}}, options...)
	var fault *polypack.Error
	if !errors.As(err, &fault) || fault.Code != polypack.CodeTrailingData || fault.Path != "/1" {
		t.Errorf("two values: %v", err)
	}
	if _, err := polypack.Marshal([]any{pair{-1, 0}}, options...); !errors.Is(err, errOdd) || !errors.Is(err, polypack.CodeUnsupportedValue) {
		t.Errorf("an error of a method: %v", err)
	}
	for in, code := range map[string]polypack.Code{
		"\x91\x93\x01\x02\x03": polypack.CodeTypeMismatch, "\x91\x92\x01": polypack.CodeUnexpectedEnd, "\x91\xdd\xff\xff\xff\xff": polypack.CodeUnexpectedEnd,
	} {
		if err := polypack.Unmarshal([]byte(in), new([]pair), options...); !errors.Is(err, code) {
			t.Errorf("% x: %v", in, err)
		}
	}
	if err := polypack.Unmarshal([]byte("\x91\x93\x01\x02\x03"), new([]point), options...); !errors.Is(err, polypack.CodeTypeMismatch) {
		t.Errorf("an array for a method that reads ints: %v", err)
	}
	list := []*pair{{1, 2}}
	if err := polypack.Unmarshal([]byte("\x91\xc0"), &list, options...); err != nil || list[0] != nil {
		t.Error(list, err)
	}
	data, err := polypack.Marshal(map[string]any{"a": struct {
		pair
		N int
	}{N: 1}}, options...)
	if err != nil || !bytes.Equal(data, []byte("\x81\xa1a\x81\xa1N\x01")) {
		t.Errorf("a promoted method hides the other field: %q, %v", data, err)
	}
}

// cases execute the rows of "What changes": what each library does.
var cases = map[string]func(t *testing.T){
	"`EncodeMsgpack`, `DecodeMsgpack`": func(t *testing.T) { same(t, pair{1, 2}) },
	"`omitempty` and `IsZero`": func(t *testing.T) {
		same(t, struct {
			A amount `msgpack:",omitempty"`
		}{amount{5}})
	},
	"a value of type `error`": func(t *testing.T) { same(t, struct{ E error }{errOdd}) },
	"`alias:old`": func(t *testing.T) {
		type row struct {
			N int `msgpack:"new,alias:old"`
		}
		var theirs, ours row
		wantNil(t, msgpack.Unmarshal([]byte("\x81\xa3old\x05"), &theirs))
		wantNil(t, polypack.Unmarshal([]byte("\x81\xa3old\x05"), &ours, options...))
		if theirs != ours || ours.N != 5 {
			t.Error(theirs, ours)
		}
	},
	"`noinline`": func(t *testing.T) {
		type Inner struct{ N int }
		same(t, struct {
			Inner `msgpack:",noinline"`
		}{Inner{1}})
	},
	"embedded struct with the name of an earlier field": func(t *testing.T) {
		differ(t, struct {
			ID string
			Base
		}{"a", Base{1, "n"}}, "\x82\xa2ID\xa1a\xa4Base\x82\xa2ID\x01\xa4Name\xa1n", "\x82\xa2ID\xa1a\xa4Name\xa1n")
		same(t, struct {
			ID   string
			Base `msgpack:",noinline"`
		}{"a", Base{1, "n"}})
	},
	"`inline` on a field that isn't embedded": func(t *testing.T) {
		differ(t, struct {
			B Base `msgpack:",inline"`
		}{Base{1, "n"}}, "\x81\xa1B\x82\xa2ID\x01\xa4Name\xa1n", "\x82\xa2ID\x01\xa4Name\xa1n")
		same(t, struct{ B Base }{Base{1, "n"}})
	},
	"`as_array`": func(t *testing.T) { same(t, listed{A: 1, B: 2}) },
	"`asArray` or `omitempty` on `_msgpack`": func(t *testing.T) {
		refused(t, struct {
			//lint:ignore U1000 both libraries look at its tag
			_msgpack struct{} `msgpack:",asArray"`
			A        int
		}{A: 1}, "\x91\x01")
		refused(t, struct {
			//lint:ignore U1000 both libraries look at its tag
			_msgpack struct{} `msgpack:",omitempty"`
			A        int
		}{}, "\x80")
	},
	"a name in quotes, `'c,d'`": func(t *testing.T) {
		refused(t, struct {
			A int `msgpack:"'c,d'"`
		}{1}, "\x81\xa3c,d\x01")
	},
	"ints of fixed types": func(t *testing.T) {
		differ(t, int32(5), "\xd2\x00\x00\x00\x05", "\x05")
	},
	"int that doesn't fit the target": func(t *testing.T) {
		var theirs, ours int8
		wantNil(t, msgpack.Unmarshal([]byte("\xcd\x01\x01"), &theirs))
		wantCode(t, polypack.Unmarshal([]byte("\xcd\x01\x01"), &ours, options...), polypack.CodeOutOfRange)
		if theirs != 1 {
			t.Error(theirs)
		}
	},
	"int into an `any`": func(t *testing.T) { anyOf(t, "\xcc\xff", uint8(255), int64(255)) },
	"str into `time.Time`": func(t *testing.T) {
		var at time.Time
		in := []byte("\xb42001-09-09T01:46:40Z")
		wantNil(t, msgpack.Unmarshal(in, &at))
		if at.Unix() != 1e9 {
			t.Error(at)
		}
		wantCode(t, polypack.Unmarshal(in, &at, options...), polypack.CodeTypeMismatch)
	},
	"time zone": func(t *testing.T) {
		var theirs, ours time.Time
		in := []byte("\xd6\xff\x00\x00\x00\x01")
		wantNil(t, msgpack.Unmarshal(in, &theirs))
		wantNil(t, polypack.Unmarshal(in, &ours, options...))
		if theirs.Location() != time.Local || ours.Location() != time.UTC {
			t.Error(theirs.Location(), ours.Location())
		}
	},
	"`intern`": func(t *testing.T) {
		type row struct {
			S string `msgpack:",intern"`
		}
		if _, err := msgpack.Marshal(row{"a"}); err != nil {
			t.Error(err)
		}
		_, err := polypack.Marshal(row{"a"}, options...)
		wantCode(t, err, polypack.CodeUnsupportedValue)
	},
	"order of a map": func(t *testing.T) {
		m := map[string]int{}
		for i := range 20 {
			m[fmt.Sprint(i)] = i
		}
		theirs := map[string]bool{}
		var ours []byte
		for range 20 {
			a, _ := msgpack.Marshal(m)
			b, _ := polypack.Marshal(m, options...)
			theirs[string(a)] = true
			if ours != nil && !bytes.Equal(ours, b) {
				t.Error("ours differ")
			}
			ours = b
		}
		if len(theirs) == 1 {
			t.Error("theirs do not differ")
		}
	},
	"bytes after the value": func(t *testing.T) {
		var n int
		wantNil(t, msgpack.Unmarshal([]byte("\x01\x02"), &n))
		wantCode(t, polypack.Unmarshal([]byte("\x01\x02"), &n, options...), polypack.CodeTrailingData)
	},
}

func wantNil(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

func wantCode(t *testing.T, err error, code polypack.Code) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("%v; want %v", err, code)
	}
}

// same wants the same bytes from both.
func same(t *testing.T, v any) {
	t.Helper()
	var theirs bytes.Buffer
	e := msgpack.NewEncoder(&theirs)
	e.UseCompactInts(true)
	wantNil(t, e.Encode(v))
	ours, err := polypack.Marshal(v, options...)
	if err != nil || !bytes.Equal(theirs.Bytes(), ours) {
		t.Errorf("%q and %q, %v", theirs.Bytes(), ours, err)
	}
}

func differ(t *testing.T, v any, theirs, ours string) {
	t.Helper()
	a, err := msgpack.Marshal(v)
	wantNil(t, err)
	b, err := polypack.Marshal(v, options...)
	if err != nil || string(a) != theirs || string(b) != ours {
		t.Errorf("%q and %q, %v", a, b, err)
	}
}

// refused wants these bytes from vmihailenco, and an error from polypack.
func refused(t *testing.T, v any, theirs string) {
	t.Helper()
	var a bytes.Buffer
	e := msgpack.NewEncoder(&a)
	e.UseCompactInts(true)
	wantNil(t, e.Encode(v))
	_, err := polypack.Marshal(v, options...)
	if a.String() != theirs {
		t.Errorf("%q", a.String())
	}
	wantCode(t, err, polypack.CodeUnsupportedValue)
}

func anyOf(t *testing.T, in string, theirs, ours any) {
	t.Helper()
	var a, b any
	wantNil(t, msgpack.Unmarshal([]byte(in), &a))
	wantNil(t, polypack.Unmarshal([]byte(in), &b, options...))
	if a != theirs || b != ours {
		t.Errorf("%T and %T", a, b)
	}
}

// TestGuide executes each row of the guide's tables, and fails for a row that has no case.
func TestGuide(t *testing.T) {
	guide.Check(t, "../../../docs", "migrating-from-vmihailenco.md", "Names", names)
	guide.Check(t, "../../../docs", "migrating-from-vmihailenco.md", "What changes", cases)
}
