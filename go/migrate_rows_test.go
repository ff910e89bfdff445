package polypack_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type migrateBase struct{ ID int }

type migrateAll struct {
	migrateBase
	Named  migrateBase `msgpack:"base"`
	List   []migrateBase
	Set    map[string]migrateBase
	To     *migrateBase
	Pair   [2]int8
	Any    any
	At     time.Time
	Absent []int
}

// migrateRows checks the column "Polypack" of the table "What changes", by what stands first in its rows.
var migrateRows = map[string]func(t *testing.T){
	"struct codecs and `Marshal`": func(t *testing.T) {
		v := migrateAll{migrateBase: migrateBase{1}, Any: "a"}
		data, err := polypack.GetStructEncoder[migrateAll]().Encode(&v)
		if err != nil || !bytes.Equal(data, mustMarshal(t, v)) {
			t.Fatalf("%x, %v", data, err)
		}
		var one, other migrateAll
		err = errors.Join(polypack.GetStructDecoder[migrateAll](false).Decode(data, &one), polypack.Unmarshal(data, &other))
		if err != nil || !reflect.DeepEqual(one, other) {
			t.Error(one, other, err)
		}
	},
	"slices and maps of structs, pointers, arrays, `any`, `time.Time` in a struct codec": func(t *testing.T) {
		v := migrateAll{
			migrateBase{1}, migrateBase{2}, []migrateBase{{3}}, map[string]migrateBase{"a": {4}}, &migrateBase{5}, [2]int8{6, 7}, "b",
			time.Unix(8, 9).UTC(), []int{10},
		}
		data, err := polypack.GetStructEncoder[migrateAll]().Encode(&v)
		var back migrateAll
		err = errors.Join(err, polypack.GetStructDecoder[migrateAll](false).Decode(data, &back))
		if err != nil || !reflect.DeepEqual(v, back) {
			t.Error(back, err)
		}
	},
	"type parameters such as `*User`, `int`, `any`": func(t *testing.T) {
		pointer, n, value := &migrateBase{1}, 5, any("a")
		one, err1 := polypack.GetStructEncoder[*migrateBase]().Encode(&pointer)
		two, err2 := polypack.GetStructEncoder[int]().Encode(&n)
		three, err3 := polypack.GetStructEncoder[any]().Encode(&value)
		if got := slices.Concat(one, two, three); !bytes.Equal(got, unhex(t, "81a2494401 05 a161")) {
			t.Errorf("%x, %v", got, errors.Join(err1, err2, err3))
		}
	},
	"number that doesn't fit the target": func(t *testing.T) {
		wantFault(t, polypack.Unmarshal(unhex(t, "cd012c"), new(int8)), polypack.CodeOutOfRange, 0, "")
	},
	"int and float": func(t *testing.T) {
		var f float64
		var n int
		if err := errors.Join(polypack.Unmarshal([]byte{5}, &f), polypack.Unmarshal(unhex(t, "cb4000000000000000"), &n)); err != nil || f != 5 || n != 2 {
			t.Error(f, n, err)
		}
		wantFault(t, polypack.Unmarshal(unhex(t, "cf0020000000000001"), &f), polypack.CodeOutOfRange, 0, "")
		if polypack.Unmarshal(unhex(t, "cb3ff8000000000000"), &n) == nil {
			t.Error("1.5 becomes an int")
		}
	},
	"`time.Time` field": func(t *testing.T) {
		data := mustMarshal(t, struct{ At time.Time }{time.Unix(1, 0)})
		if !bytes.Equal(data, unhex(t, "81 a24174 d6ff00000001")) {
			t.Errorf("%x", data)
		}
	},
	"`,omitempty` without a name, options in another order": func(t *testing.T) {
		data := mustMarshal(t, struct {
			A int `msgpack:",omitempty"`
			B int `msgpack:"b,omitzero,omitempty"`
			C int `msgpack:"c,omitempty,omitzero"`
		}{})
		if !bytes.Equal(data, []byte{0x80}) {
			t.Errorf("%x", data)
		}
	},
	"embedded struct": func(t *testing.T) {
		flat := mustMarshal(t, struct{ migrateBase }{migrateBase{1}})
		type Base = migrateBaseExported
		named := mustMarshal(t, struct {
			Base `msgpack:"base"`
		}{Base{1}})
		if !bytes.Equal(flat, unhex(t, "81 a24944 01")) || !bytes.Equal(named, unhex(t, "81 a462617365 81 a24944 01")) {
			t.Errorf("%x %x", flat, named)
		}
	},
	"nil slice or map": func(t *testing.T) {
		v := struct {
			S []int
			M map[string]int
		}{}
		given, empty := mustMarshal(t, v), mustMarshal(t, v, polypack.NilAsEmpty(true))
		if !bytes.Equal(given, unhex(t, "82 a153 c0 a14d c0")) || !bytes.Equal(empty, unhex(t, "82 a153 90 a14d 80")) {
			t.Errorf("%x %x", given, empty)
		}
	},
	"entries of a map": func(t *testing.T) {
		v := map[string]int{"b": 2, "a": 1, "aa": 3}
		for range 20 {
			if data := mustMarshal(t, v); !bytes.Equal(data, unhex(t, "83 a16101 a16202 a2616103")) {
				t.Fatalf("%x", data)
			}
		}
		var back map[string]int
		if err := polypack.Unmarshal(mustMarshal(t, v, polypack.SortMaps(false)), &back); err != nil || !reflect.DeepEqual(v, back) {
			t.Error(back, err)
		}
	},
	"results of `Unmarshal`": func(t *testing.T) {
		type all struct {
			S string
			B []byte
			R polypack.RawMessage
			A any
			X polypack.Ext
		}
		in := unhex(t, "85 a153 a568656c6c6f a142 c40162 a152 a163 a141 c40164 a158 d40565")
		var copied, viewing all
		if err := errors.Join(polypack.Unmarshal(in, &copied), polypack.Unmarshal(in, &viewing, polypack.Strings(polypack.StringsZeroCopy))); err != nil {
			t.Fatal(err)
		}
		want := all{"hello", []byte("b"), polypack.RawMessage("\xa1c"), []byte("d"), polypack.Ext{Type: 5, Data: []byte("e")}}
		clear(in)
		if !reflect.DeepEqual(copied, want) {
			t.Errorf("%+v", copied)
		}
		if viewing.B[0] != 0 || viewing.A.([]byte)[0] != 0 || (viewing.S == want.S) != purego {
			t.Errorf("%+v", viewing)
		}
	},
	"`dec.ZeroCopy()`": func(t *testing.T) {
		in, v := unhex(t, "a568656c6c6f"), ""
		decoder := polypack.GetStructDecoder[string](false)
		if decoder.ZeroCopy() == decoder {
			t.Error("the same decoder")
		}
		if err := decoder.Decode(in, &v); err != nil {
			t.Fatal(err)
		}
		if clear(in); v != "hello" {
			t.Errorf("%q", v)
		}
	},
	"bytes behind the value": func(t *testing.T) {
		wantFault(t, polypack.Unmarshal([]byte{1, 2}, new(int)), polypack.CodeTrailingData, 1, "")
		var got []int
		for v, err := range polypack.Values[int](bytes.NewReader([]byte{1, 2})) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		d := polypack.NewDecoder([]byte{1, 2})
		one, err1 := d.DecodeInt()
		two, err2 := d.DecodeInt()
		if !slices.Equal(got, []int{1, 2}) || one != 1 || two != 2 || errors.Join(err1, err2) != nil {
			t.Error(got, one, two, err1, err2)
		}
	},
	"float 32 into an `any`": func(t *testing.T) { wantAny(t, "ca3fc00000", float32(1.5)) },
	"map with a key that isn't a str into an `any`": func(t *testing.T) {
		wantAny(t, "810102", map[any]any{int64(1): int64(2)})
	},
	"`MaxDepth`": func(t *testing.T) {
		deep := append(bytes.Repeat([]byte{0x91}, 513), 0xc0)
		wantFault(t, polypack.Unmarshal(deep, new(any)), polypack.CodeLimitExceeded, 512, strings.Repeat("/0", 512))
		if err := polypack.Unmarshal(deep, new(any), polypack.MaxDepth(100_000)); err != nil {
			t.Error(err)
		}
		var usage *polypack.UsageError
		if err := polypack.Unmarshal(deep, new(any), polypack.MaxDepth(100_001)); !errors.As(err, &usage) {
			t.Error(err)
		}
	},
	"counts and lengths": func(t *testing.T) {
		wantFault(t, polypack.Unmarshal(unhex(t, "ddffffffff"), new(any)), polypack.CodeUnexpectedEnd, 0, "")
	},
}

type migrateBaseExported struct{ ID int }

func wantAny(t *testing.T, in string, want any) {
	t.Helper()
	var got any
	if err := polypack.Unmarshal(unhex(t, in), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, %v", got, err)
	}
}
