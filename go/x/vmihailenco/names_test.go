package vmihailenco_test

import (
	"bytes"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	polypack "github.com/polypack/polypack/go"
)

// An angle is an ext of type 9 in both libraries.
type angle struct{ degrees byte }

func (a angle) MarshalMsgpack() ([]byte, error) { return []byte{a.degrees}, nil }

func (a *angle) UnmarshalMsgpack(data []byte) error {
	a.degrees = data[0]
	return nil
}

// names execute the rows of "Names": what is named does the same with both.
var names = map[string]func(t *testing.T){
	"`msgpack.Marshal(v)`, `Unmarshal(data, &v)`": func(t *testing.T) {
		theirs, err := msgpack.Marshal("a")
		wantNil(t, err)
		ours, err := polypack.Marshal("a")
		wantNil(t, err)
		var one, other string
		wantNil(t, msgpack.Unmarshal(ours, &one))
		wantNil(t, polypack.Unmarshal(theirs, &other))
		wantSame(t, []string{string(theirs), one}, []string{string(ours), other})
	},
	"`msgpack.NewEncoder(w).Encode(v)`": func(t *testing.T) {
		var theirs, ours bytes.Buffer
		wantNil(t, msgpack.NewEncoder(&theirs).Encode("a"))
		wantNil(t, polypack.NewStreamEncoder(&ours).Encode("a"))
		appended := polypack.NewEncoder([]byte{1})
		wantNil(t, appended.Encode("a"))
		wantSame(t, []string{theirs.String(), "\x01" + theirs.String()}, []string{ours.String(), string(appended.Bytes())})
	},
	"`msgpack.NewDecoder(r).Decode(&v)`": func(t *testing.T) {
		var theirs, ours, of int
		wantNil(t, msgpack.NewDecoder(bytes.NewReader([]byte{5})).Decode(&theirs))
		wantNil(t, polypack.NewStreamDecoder(bytes.NewReader([]byte{5})).Decode(&ours))
		wantNil(t, polypack.NewDecoder([]byte{5}).Decode(&of))
		wantSame(t, []int{theirs, theirs}, []int{ours, of})
	},
	"`d.PeekCode()`": func(t *testing.T) {
		code, err := msgpack.NewDecoder(bytes.NewReader([]byte{0xc0})).PeekCode()
		wantNil(t, err)
		for _, peek := range []func() (polypack.Kind, error){
			polypack.NewDecoder([]byte{0xc0}).Peek, polypack.NewStreamDecoder(bytes.NewReader([]byte{0xc0})).Peek,
		} {
			if kind, err := peek(); err != nil || code != 0xc0 || kind != polypack.KindNil {
				t.Error(code, kind, err)
			}
		}
	},
	"`d.Skip()`": func(t *testing.T) {
		in := []byte("\x92\x01\x02\x05")
		theirs, ours := msgpack.NewDecoder(bytes.NewReader(in)), polypack.NewDecoder(in)
		wantNil(t, theirs.Skip())
		wantNil(t, ours.Skip())
		one, err := theirs.DecodeInt()
		wantNil(t, err)
		other, err := ours.DecodeInt()
		wantNil(t, err)
		wantSame(t, []int64{int64(one)}, []int64{int64(other)})
	},
	"`d.DecodeArrayLen()`, `DecodeMapLen()`": func(t *testing.T) {
		in := []byte("\x92\x01\x81\x02\x03")
		theirs, ours := msgpack.NewDecoder(bytes.NewReader(in)), polypack.NewDecoder(in)
		array, err := theirs.DecodeArrayLen()
		wantNil(t, err)
		wantNil(t, theirs.Skip())
		entries, err := theirs.DecodeMapLen()
		wantNil(t, err)
		count, err := ours.DecodeArrayHeader()
		wantNil(t, err)
		wantNil(t, ours.Skip())
		fields, err := ours.DecodeMapHeader()
		wantNil(t, err)
		wantSame(t, []int{array, entries}, []int{int(count), int(fields)})

		if length, err := msgpack.NewDecoder(bytes.NewReader([]byte{0xc0})).DecodeArrayLen(); err != nil || length != -1 {
			t.Error(length, err)
		}
		_, err = polypack.NewDecoder([]byte{0xc0}).DecodeArrayHeader()
		wantCode(t, err, polypack.CodeTypeMismatch)
		_, err = polypack.NewDecoder([]byte{0xc0}).DecodeMapHeader()
		wantCode(t, err, polypack.CodeTypeMismatch)
	},
	"`d.Query(\"a.b\")`": func(t *testing.T) {
		in := []byte("\x81\xa1a\x81\xa1b\x05")
		theirs, err := msgpack.NewDecoder(bytes.NewReader(in)).Query("a.b")
		wantNil(t, err)
		ours, err := polypack.Get(in, "/a/b")
		if err != nil || len(theirs) != 1 || theirs[0] != int8(5) || string(ours) != "\x05" {
			t.Error(theirs, ours, err)
		}
	},
	"`e.SetCustomStructTag(\"json\")`": func(t *testing.T) {
		v := struct {
			A int `json:"a"`
		}{5}
		with(t, v, func(e *msgpack.Encoder) { e.SetCustomStructTag("json") }, polypack.TagKeys("msgpack", "json"))
	},
	"`e.SetSortMapKeys(true)`": func(t *testing.T) {
		with(t, map[string]any{"b": "1", "a": "2", "c": "3"}, func(e *msgpack.Encoder) { e.SetSortMapKeys(true) })
	},
	"`e.UseArrayEncodedStructs(true)`": func(t *testing.T) {
		var theirs bytes.Buffer
		e := msgpack.NewEncoder(&theirs)
		e.UseArrayEncodedStructs(true)
		wantNil(t, e.Encode(struct{ A, B string }{"a", "b"}))
		ours, err := polypack.Marshal(struct {
			_    struct{} `msgpack:",as_array"`
			A, B string
		}{A: "a", B: "b"})
		wantNil(t, err)
		wantSame(t, theirs.Bytes(), ours)
	},
	"`d.DisallowUnknownFields(true)`": func(t *testing.T) {
		in := []byte("\x81\xa1z\x05")
		d := msgpack.NewDecoder(bytes.NewReader(in))
		d.DisallowUnknownFields(true)
		if d.Decode(&struct{ A int }{}) == nil {
			t.Error("theirs reads an unknown field")
		}
		wantCode(t, polypack.Unmarshal(in, &struct{ A int }{}, polypack.RejectUnknown(true)), polypack.CodeInvalidKey)
	},
	"`msgpack.RegisterExt(id, v)`": func(t *testing.T) {
		msgpack.RegisterExt(9, (*angle)(nil))
		defer msgpack.UnregisterExt(9)
		theirs, err := msgpack.Marshal(&angle{90})
		wantNil(t, err)
		option := polypack.Extensions(polypack.NewExtension(9,
			func(dst []byte, a angle) ([]byte, error) { return append(dst, a.degrees), nil },
			func(data []byte) (angle, error) { return angle{data[0]}, nil }))
		ours, err := polypack.Marshal(angle{90}, option)
		wantNil(t, err)
		var back angle
		wantNil(t, polypack.Unmarshal(theirs, &back, option))
		wantSame(t, append(theirs, 90), append(ours, back.degrees))
	},
	"`msgpack.RawMessage`": func(t *testing.T) {
		var theirs struct{ A msgpack.RawMessage }
		var ours struct{ A polypack.RawMessage }
		in := []byte("\x81\xa1A\x92\x01\x02")
		wantNil(t, msgpack.Unmarshal(in, &theirs))
		wantNil(t, polypack.Unmarshal(in, &ours))
		wantSame(t, theirs.A, ours.A)
		one, err := msgpack.Marshal(theirs)
		wantNil(t, err)
		other, err := polypack.Marshal(ours)
		wantNil(t, err)
		wantSame(t, one, other)
	},
}

// wantSame wants equal elements.
func wantSame[T comparable, A, B ~[]T](t *testing.T, theirs A, ours B) {
	t.Helper()
	if len(theirs) != len(ours) {
		t.Fatal(theirs, ours)
	}
	for i, element := range theirs {
		if element != ours[i] {
			t.Errorf("element %d: %v and %v", i, element, ours[i])
		}
	}
}

// with wants the same bytes from an Encoder that is set up and with options.
func with(t *testing.T, v any, setUp func(e *msgpack.Encoder), options ...polypack.Option) {
	t.Helper()
	var theirs bytes.Buffer
	e := msgpack.NewEncoder(&theirs)
	e.UseCompactInts(true)
	setUp(e)
	wantNil(t, e.Encode(v))
	ours, err := polypack.Marshal(v, options...)
	wantNil(t, err)
	wantSame(t, theirs.Bytes(), ours)
}
