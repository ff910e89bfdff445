package polypack_test

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type (
	tuple struct {
		_ struct{} `msgpack:",as_array"`
		A int
		B string `msgpack:"b,omitempty"`
		C []int
	}
	tupleOld struct {
		_msgpack struct{} `msgpack:",as_array"`
		A        int
	}
	tupleList struct {
		_    struct{} `msgpack:",as_array"`
		N    int
		Next *tupleList
	}
	couple   struct{ X, Y int }
	byFields struct {
		P couple             `msgpack:"p,as_array"`
		Q *couple            `msgpack:"q,as_array"`
		L []couple           `msgpack:"l,as_array"`
		M map[string]*couple `msgpack:"m,as_array"`
		N couple             `msgpack:"n"`
	}
	ring struct {
		V    int
		Next *ring `msgpack:",as_array"`
	}
	embeddedTuple struct {
		_ struct{} `msgpack:",as_array"`
		*couple
		Z int
	}
)

func TestAsArray(t *testing.T) {
	_ = tupleOld{}._msgpack
	for _, row := range []struct {
		value any
		want  string
	}{
		{tuple{A: 1, B: "x", C: []int{2}}, "9301a1789102"},
		{tuple{}, "9300a0c0"},
		{tupleOld{A: 1}, "9101"},
		{[]tuple{{A: 1}}, "919301a0c0"},
		{tupleList{N: 1, Next: &tupleList{N: 2}}, "92019202c0"},
		{byFields{P: couple{1, 2}}, "85a170920102a171c0a16cc0a16dc0a16e82a15800a15900"},
		{byFields{Q: &couple{1, 2}, L: []couple{{3, 4}}, M: map[string]*couple{"k": {5, 6}, "l": nil}},
			"85a170920000a171920102a16c91920304a16d82a16b920506a16cc0a16e82a15800a15900"},
		{ring{1, &ring{2, &ring{V: 3}}}, "82a15601a44e6578749202" + "9203c0"},
		{struct {
			_ struct{} `msgpack:",as_array"`
		}{}, "90"},
		{embeddedTuple{Z: 3}, "93c0c003"},
	} {
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Records(polypack.RecordsOff)}} {
			data := mustMarshal(t, row.value, opts...)
			if got := hex.EncodeToString(data); got != row.want {
				t.Errorf("%T: got %s, want %s", row.value, got, row.want)
			}
			if reflect.TypeOf(row.value) == reflect.TypeFor[embeddedTuple]() {
				continue
			}
			back := reflect.New(reflect.TypeOf(row.value))
			if err := polypack.Unmarshal(data, back.Interface(), opts...); err != nil || !reflect.DeepEqual(back.Elem().Interface(), row.value) {
				t.Errorf("%T: %+v, %v", row.value, back.Elem(), err)
			}
		}
	}
	// In records, a tuple is the array that it is elsewhere.
	got := hex.EncodeToString(mustMarshal(t, []any{couple{1, 2}, tupleOld{A: 3}}, polypack.Records(polypack.RecordsInline)))
	if want := "92d4724092a158a15901029103"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestAsArrayEvolution reads tuples that have more, fewer or named fields.
func TestAsArrayEvolution(t *testing.T) {
	before := tuple{A: 7, B: "keep", C: []int{1}}
	reject := []polypack.Option{polypack.RejectUnknown(true)}
	for _, row := range []struct {
		in   string
		opts []polypack.Option
		want tuple
		code polypack.Code
	}{
		{"90", nil, before, ""},
		{"9105", nil, tuple{A: 5, B: "keep", C: []int{1}}, ""},
		{"9205a16e", nil, tuple{A: 5, B: "n", C: []int{1}}, ""},
		{"92c0c0", nil, tuple{C: []int{1}}, ""},
		{"9505a16e9102 81a17801 c3", nil, tuple{A: 5, B: "n", C: []int{2}}, ""},
		{"9305a16e9102", reject, tuple{A: 5, B: "n", C: []int{2}}, ""},
		{"9405a16e9102c0", reject, before, polypack.CodeTypeMismatch},
		{"82a14105a162a16e", nil, tuple{A: 5, B: "n", C: []int{1}}, ""},
		{"80", nil, before, ""},
		{"c0", nil, tuple{}, ""},
		{"05", nil, before, polypack.CodeTypeMismatch},
		{"90", []polypack.Option{polypack.Strict}, before, ""},
		{"d4724091a14105", []polypack.Option{polypack.Records(polypack.RecordsInline)}, tuple{A: 5, B: "keep", C: []int{1}}, ""},
	} {
		v := tuple{A: 7, B: "keep", C: []int{1}}
		err := polypack.Unmarshal(unhex(t, row.in), &v, row.opts...)
		if row.code != "" {
			wantFault(t, err, row.code, 0, "")
		} else if err != nil {
			t.Errorf("%s: %v", row.in, err)
		}
		if !reflect.DeepEqual(v, row.want) {
			t.Errorf("%s: %+v, want %+v", row.in, v, row.want)
		}
	}
	var v []tuple
	wantFault(t, polypack.Unmarshal(unhex(t, "91 92 05 c2"), &v), polypack.CodeTypeMismatch, 3, "/0/1")
	wantFault(t, polypack.Unmarshal(unhex(t, "91 dc ffff"), &v), polypack.CodeUnexpectedEnd, 1, "/0")
	_, err := polypack.Marshal(struct {
		_ struct{} `msgpack:",as_array"`
		A int
		B any
	}{B: make(chan int)})
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "/1")
}

type hiddenHalf struct{ X, Y int }

// Fields of a nil embedded pointer are written as nil, which leaves the pointer nil.
func TestAsArrayNilEmbedded(t *testing.T) {
	type Half struct{ V, W int }
	type whole struct {
		_ struct{} `msgpack:",as_array"`
		*hiddenHalf
		*Half
		Z int
	}
	data := mustMarshal(t, whole{Z: 1})
	if !bytes.Equal(data, unhex(t, "95 c0 c0 c0 c0 01")) {
		t.Errorf("%x", data)
	}
	var got whole
	if err := polypack.Unmarshal(data, &got); err != nil || got != (whole{Z: 1}) {
		t.Error(got, err)
	}
	if err := polypack.Unmarshal(unhex(t, "95 c0 c0 c0 07 01"), &got); err != nil || got.Half == nil || *got.Half != (Half{0, 7}) {
		t.Error(got, err)
	}
	got = whole{hiddenHalf: &hiddenHalf{5, 6}, Half: &Half{7, 8}}
	if err := polypack.Unmarshal(data, &got); err != nil || *got.hiddenHalf != (hiddenHalf{}) || *got.Half != (Half{}) {
		t.Error(got, err)
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "95 c0 05 c0 c0 01"), new(whole)), polypack.CodeTypeMismatch, 2, "/1")
}

type (
	Meta struct {
		ID   int
		Note string `msgpack:",omitempty"`
	}
	inlined struct {
		Head Meta `msgpack:",inline"`
		Body int
	}
	inlinedPointer struct {
		*Hidden
		Head *Meta `msgpack:",inline"`
		Body int
	}
	Hidden  struct{ H int }
	withAny struct {
		A    int
		B    int            `msgpack:"b,omitempty"`
		Rest map[string]any `msgpack:",inline"`
	}
	withRaw struct {
		Rest map[textKey]polypack.RawMessage `msgpack:",inline"`
		A    int
	}
	textKey  string
	deepRest struct {
		withInts
		Z int
	}
	withInts struct {
		Ints map[string]int `msgpack:",inline"`
	}
)

func TestInline(t *testing.T) {
	for _, row := range []struct {
		value any
		want  string
	}{
		{inlined{Meta{1, "n"}, 2}, "83a2494401a44e6f7465a16ea4426f647902"},
		{inlined{Meta{ID: 1}, 2}, "82a2494401a4426f647902"},
		{inlinedPointer{&Hidden{3}, &Meta{ID: 1}, 2}, "83a14803a2494401a4426f647902"},
		{inlinedPointer{Body: 2}, "81a4426f647902"},
		{withAny{A: 1}, "81a14101"},
		{withAny{1, 2, map[string]any{"z": int64(3), "y": nil, "long": "x"}}, "85a14101a16202a179c0a17a03a46c6f6e67a178"},
		{withRaw{map[textKey]polypack.RawMessage{"k": {0x91, 1}}, 2}, "82a14102a16b9101"},
		{deepRest{withInts{map[string]int{"k": 1}}, 2}, "82a15a02a16b01"},
	} {
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Lossless}, {polypack.RejectUnknown(true)}, {polypack.SortMaps(false)}, {polypack.Records(polypack.RecordsInline)}} {
			data := mustMarshal(t, row.value, opts...)
			if got := hex.EncodeToString(data); opts == nil && got != row.want {
				t.Errorf("%T: got %s, want %s", row.value, got, row.want)
			}
			back := reflect.New(reflect.TypeOf(row.value))
			if err := polypack.Unmarshal(data, back.Interface(), opts...); err != nil || !reflect.DeepEqual(back.Elem().Interface(), row.value) {
				t.Errorf("%T: %+v, %v", row.value, back.Elem(), err)
			}
		}
	}
	// A field shadows an entry with its name, also when it is left out.
	if got := hex.EncodeToString(mustMarshal(t, withAny{1, 0, map[string]any{"A": 9, "b": 9, "c": 9}})); got != "82a14101a16309" {
		t.Errorf("got %s", got)
	}
	v := withAny{Rest: map[string]any{"old": 1, "z": 2}}
	if err := polypack.Unmarshal(unhex(t, "83 a17a05 a14107 01c3"), &v); err != nil || v.A != 7 || !reflect.DeepEqual(v.Rest, map[string]any{"old": 1, "z": int64(5)}) {
		t.Errorf("%+v, %v", v, err)
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "82 a17a05 01c3"), &v, polypack.RejectUnknown(true)), polypack.CodeInvalidKey, 4, "")
	wantFault(t, polypack.Unmarshal(unhex(t, "82 a17a05 a17a06"), &v, polypack.Strict), polypack.CodeDuplicateKey, 4, "/z")
	if err := polypack.Unmarshal(unhex(t, "82 a17a05 a17a06"), &v); err != nil || v.Rest["z"] != int64(6) {
		t.Errorf("%+v, %v", v, err)
	}
	var ints deepRest
	wantFault(t, polypack.Unmarshal(unhex(t, "81 a17aa0"), &ints), polypack.CodeTypeMismatch, 3, "/z")
	if err := polypack.Unmarshal(unhex(t, "d4724092a15aa16b0506"), &ints, polypack.Records(polypack.RecordsInline)); err != nil || ints.Z != 5 || ints.Ints["k"] != 6 {
		t.Errorf("%+v, %v", ints, err)
	}
	_, err := polypack.Marshal(withAny{Rest: map[string]any{"a/b": make(chan int)}})
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "/a~1b")
	_, err = polypack.Marshal(withAny{Rest: map[string]any{"\xff": 1}}, polypack.Strict)
	wantFault(t, err, polypack.CodeInvalidUTF8, -1, "")
}

// TestFaultyTags checks that tags that mean nothing are refused, not passed over.
func TestFaultyTags(t *testing.T) {
	for _, v := range []any{
		struct {
			A int `msgpack:",inline"`
		}{}, struct {
			A map[int]int `msgpack:",inline"`
		}{}, struct {
			A map[string]int `msgpack:"a,inline"`
		}{}, struct {
			A time.Time `msgpack:",inline"`
		}{}, struct {
			A textValue `msgpack:",inline"`
		}{}, struct {
			A **Meta `msgpack:",inline"`
		}{}, struct {
			A map[string]int `msgpack:",inline"`
			B map[string]int `msgpack:",inline"`
		}{}, struct {
			withInts
			B map[string]int `msgpack:",inline"`
		}{}, struct {
			_ struct{}       `msgpack:",as_array"`
			B map[string]int `msgpack:",inline"`
		}{}, struct {
			A withInts `msgpack:",as_array"`
		}{A: withInts{}}, struct {
			A int `msgpack:",as_array"`
		}{}, struct {
			A any `msgpack:",as_array"`
		}{}, struct {
			A time.Time `msgpack:",as_array"`
		}{}, struct {
			A textPointer `msgpack:",as_array"`
		}{}, struct {
			A couple `msgpack:",as_array,inline"`
		}{}, struct {
			_ struct{} `msgpack:",as_aray"`
		}{}, struct {
			A loopOfSlices `msgpack:",as_array"`
		}{}, struct {
			A int `msgpack:"a,string"`
		}{},
	} {
		_, err := polypack.Marshal(v)
		var e *polypack.Error
		if !asError(err, &e) || e.Code != polypack.CodeUnsupportedValue {
			t.Errorf("%T: %v", v, err)
		}
		if err := polypack.Unmarshal([]byte{0x80}, reflect.New(reflect.TypeOf(v)).Interface()); err == nil {
			// The fault may lie in a field, which an empty map does not mention.
			if err := polypack.Unmarshal(unhex(t, "81a14180"), reflect.New(reflect.TypeOf(v)).Interface()); err == nil {
				t.Errorf("%T is decoded", v)
			}
		}
	}
}

type loopOfSlices []loopOfSlices

func asError(err error, e **polypack.Error) (ok bool) {
	*e, ok = err.(*polypack.Error)
	return ok
}
