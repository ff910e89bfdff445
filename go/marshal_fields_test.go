package polypack_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type (
	EmbA struct{ X, A int }
	EmbB struct{ X, B int }
	EmbC struct {
		EmbA
		C int
	}
	EmbD struct {
		EmbA
		D int
	}
	EmbTagged struct {
		X int `msgpack:"X" json:"X"`
	}
	EmbSelf struct {
		*EmbSelf
		S int
	}
	unexportedStruct struct{ U int }
	EmbInt           int
	zeroer           struct{ N int }
)

func (z zeroer) IsZero() bool { return z.N == 42 }

// TestFieldRules compares the names of encoded fields with those of encoding/json, whose rules hold here too.
func TestFieldRules(t *testing.T) {
	for _, v := range []any{
		struct{ EmbA }{}, struct {
			EmbA
			X string
		}{}, struct {
			EmbA
			EmbB
			X string
		}{}, struct {
			EmbA
			EmbTagged
		}{}, struct {
			EmbC
			*EmbA
		}{}, struct{ *EmbA }{}, struct{ *EmbA }{&EmbA{}}, EmbSelf{}, EmbSelf{EmbSelf: &EmbSelf{}}, struct{ unexportedStruct }{},
		struct{ *unexportedStruct }{}, struct{ *unexportedStruct }{&unexportedStruct{}}, struct{ EmbInt }{}, struct {
			EmbA `msgpack:"named" json:"named"`
			Y    int
		}{}, struct {
			A int `msgpack:"-" json:"-"`
			C int `msgpack:"c" json:"c"`
			d int
			E int `msgpack:"C" json:"C"`
		}{}, struct {
			Z int
			EmbA
			Y int
		}{}, struct {
			S string            `msgpack:",omitempty" json:",omitempty"`
			I int               `msgpack:",omitempty" json:",omitempty"`
			F float64           `msgpack:"f,omitempty" json:"f,omitempty"`
			L []int             `msgpack:",omitempty" json:",omitempty"`
			M map[string]int    `msgpack:",omitempty" json:",omitempty"`
			P *int              `msgpack:",omitempty" json:",omitempty"`
			A any               `msgpack:",omitempty" json:",omitempty"`
			T struct{}          `msgpack:",omitempty" json:",omitempty"`
			Z struct{ N int }   `msgpack:",omitzero" json:",omitzero"`
			Q zeroer            `msgpack:",omitzero" json:",omitzero"`
			W [0]int            `msgpack:",omitempty" json:",omitempty"`
			V map[string]string `msgpack:",omitzero" json:",omitzero"`
		}{Q: zeroer{42}},
	} {
		t.Run(reflect.TypeOf(v).String(), func(t *testing.T) {
			var ours, theirs map[string]any
			if err := polypack.Unmarshal(mustMarshal(t, v), &ours); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &theirs); err != nil {
				t.Fatal(err)
			}
			if got, want := sortedKeys(ours), sortedKeys(theirs); !slices.Equal(got, want) {
				t.Errorf("fields %q, want %q", got, want)
			}
		})
	}
}

type (
	hid    struct{ A, B int }
	hidden struct {
		hid  `msgpack:"in"`
		More map[string]any `msgpack:",inline"`
	}
	shown struct {
		In   hid            `msgpack:"in"`
		More map[string]any `msgpack:",inline"`
	}
	hiding    struct{ hidden }
	showing   struct{ shown }
	hiddenRow struct {
		_   struct{} `msgpack:",as_array"`
		hid `msgpack:"k"`
		N   int
	}
	shownRow struct {
		_ struct{} `msgpack:",as_array"`
		K hid      `msgpack:"k"`
		N int
	}
)

// TestHiddenFields compares structs that embed a struct of unexported type under a name with structs that have an
// exported field of this name, and otherwise the same layout in memory.
func TestHiddenFields(t *testing.T) {
	for _, row := range []struct{ shown, hidden any }{
		{struct {
			K hid `msgpack:"k"`
			N int
		}{hid{1, 2}, 3}, struct {
			hid `msgpack:"k"`
			N   int
		}{}},
		{struct {
			K hid `msgpack:"hid"`
		}{hid{1, 2}}, struct {
			hid `msgpack:",noinline"`
		}{}},
		{struct {
			K hid `msgpack:"k,as_array,omitempty"`
		}{hid{1, 2}}, struct {
			hid `msgpack:"k,as_array,omitempty"`
		}{}},
		{struct {
			K hid `msgpack:"k,omitzero,alias:l"`
		}{hid{}}, struct {
			hid `msgpack:"k,omitzero,alias:l"`
		}{}},
		{struct {
			K zeroer `msgpack:"k,omitzero"`
			N int
		}{zeroer{42}, 1}, struct {
			zeroer `msgpack:"k,omitzero"`
			N      int
		}{}},
		{struct {
			K hidden `msgpack:"k"`
		}{hidden{hid{1, 2}, nil}}, struct {
			hidden `msgpack:"k"`
		}{}},
		{shown{hid{1, 2}, map[string]any{"x": true}}, hidden{}},
		{showing{shown{hid{1, 2}, map[string]any{"x": true}}}, hiding{}},
		{shownRow{K: hid{1, 2}, N: 3}, hiddenRow{}},
	} {
		for _, opts := range [][]polypack.Option{
			nil, {polypack.Strict}, {polypack.Lossless}, {inline}, {neverReached}, {noExtensions},
		} {
			full := reflect.New(reflect.TypeOf(row.shown))
			full.Elem().Set(reflect.ValueOf(row.shown))
			asHidden := func(p reflect.Value) reflect.Value {
				return reflect.NewAt(reflect.TypeOf(row.hidden), p.UnsafePointer())
			}
			want := mustMarshal(t, row.shown, opts...)
			for _, v := range []any{asHidden(full).Interface(), asHidden(full).Elem().Interface()} {
				if got := mustMarshal(t, v, opts...); !bytes.Equal(got, want) {
					t.Errorf("%T %v: % x, want % x", v, opts, got, want)
				}
			}
			for _, message := range []string{
				hex.EncodeToString(want), "c0", "81 a16b c0", "81 a16b 80", "81 a16b 81 a14107", "81 a16b 9107", "81 a3686964 c0", "81 a16c c0",
				"81 a2696e c0", "81 a2696e 81a14205", "81 a16b 81a2696e c0", "91 c0", "92 81a14109 07", "81 a16b 05", "81 a16b 81a14101",
			} {
				data := unhex(t, message)
				a, b := reflect.New(full.Type().Elem()), reflect.New(full.Type().Elem())
				if err := errors.Join(polypack.Unmarshal(want, a.Interface(), opts...), polypack.Unmarshal(want, b.Interface(), opts...)); err != nil {
					t.Fatal(err)
				}
				errA, errB := polypack.Unmarshal(data, a.Interface(), opts...), polypack.Unmarshal(data, asHidden(b).Interface(), opts...)
				if !reflect.DeepEqual(a.Elem().Interface(), b.Elem().Interface()) || faultText(errA) != faultText(errB) {
					t.Errorf("%T %v, %s: %+v, %v, want %+v, %v", row.hidden, opts, message, b.Elem(), errB, a.Elem(), errA)
				}
			}
		}
	}
}

// faultText returns the text of err without the names of types, which differ between the structs of TestHiddenFields.
func faultText(err error) string {
	var e *polypack.Error
	if !errors.As(err, &e) {
		return ""
	}
	return fmt.Sprint(e.Code, e.Offset, e.Path)
}

// TestHiddenPointers follows pointers to structs of unexported type, but doesn't set them.
func TestHiddenPointers(t *testing.T) {
	type T struct {
		*hid `msgpack:"k"`
		N    int
	}
	for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Lossless}, {inline}, {neverReached}, {noExtensions}} {
		for _, v := range []T{{&hid{1, 2}, 3}, {nil, 3}} {
			want := mustMarshal(t, struct {
				K *hid `msgpack:"k"`
				N int
			}{v.hid, 3}, opts...)
			for _, v := range []any{v, &v, map[int]T{0: v}[0]} {
				if got := mustMarshal(t, v, opts...); !bytes.Equal(got, want) {
					t.Errorf("%v: % x, want % x", opts, got, want)
				}
			}
			before := v.hid
			for message, want := range map[string]struct {
				set, unset polypack.Code
				a          int
			}{
				"82 a16b 81a14107 a14e05": {"", polypack.CodeTypeMismatch, 7},
				"82 a16b c0 a14e05":       {polypack.CodeTypeMismatch, "", 1},
				"82 a16b d40000 a14e05":   {polypack.CodeTypeMismatch, "", 1},
				"81 a14e 05":              {"", "", 1},
			} {
				code := want.unset
				if before != nil {
					before.A, code = 1, want.set
				}
				into := T{hid: before}
				err := polypack.Unmarshal(unhex(t, message), &into, opts...)
				if code != "" {
					wantFault(t, err, code, 3, "/k")
				} else if err != nil || into.N != 5 {
					t.Errorf("%v, %s: %v, %v", opts, message, into, err)
				}
				if into.hid != before || before != nil && before.A != want.a {
					t.Errorf("%v, %s: %v, want %d", opts, message, before, want.a)
				}
			}
		}
	}
}

// TestContestedFields refuses structs where encoding/json drops fields: those of one name at equal depth, or all.
func TestContestedFields(t *testing.T) {
	for _, row := range []struct {
		value any
		says  string
	}{
		{struct {
			EmbA
			EmbB
		}{}, `its fields EmbA.X and EmbB.X have both the name "X" and would be lost`},
		{struct {
			*EmbA
			E EmbB `msgpack:",inline"`
		}{}, `its fields EmbA.X and E.X have both the name "X"`},
		{struct {
			A int `msgpack:"-"`
			b int
		}{}, "none of its fields is encoded, and at least one is not exported"},
		{struct {
			EmbC
			EmbD
		}{}, "its field EmbC.EmbA.A is embedded more than once and would be lost"},
		{struct {
			EmbTagged
			E EmbTagged `msgpack:",inline"`
		}{}, "its field EmbTagged.X is embedded more than once and would be lost"},
	} {
		v := row.value
		_, err := polypack.Marshal(v)
		wantFault(t, err, polypack.CodeUnsupportedValue, -1, "")
		if !strings.Contains(err.Error(), row.says) {
			t.Errorf("%T: %v, want %q", v, err, row.says)
		}
		if _, err := polypack.Marshal([]any{v}, polypack.Strict); err == nil {
			t.Errorf("%T in an any is written", v)
		}
		err = polypack.Unmarshal([]byte{0x80}, reflect.New(reflect.TypeOf(v)).Interface())
		if err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%T is read: %v", v, err)
		}
	}
}

func sortedKeys(m map[string]any) []string {
	keys := []string{}
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func TestFieldOrder(t *testing.T) {
	v := struct {
		Z int
		EmbA
		B int `msgpack:"b"`
	}{1, EmbA{2, 3}, 4}
	if got := hex.EncodeToString(mustMarshal(t, v)); got != "84a15a01a15802a14103a16204" {
		t.Errorf("got %s", got)
	}
}

func TestFieldNamedDash(t *testing.T) {
	v := struct {
		A int `msgpack:"-,"`
		B int `msgpack:"-"`
	}{1, 2}
	if got := hex.EncodeToString(mustMarshal(t, v)); got != "81a12d01" {
		t.Errorf("got %s", got)
	}
}

func TestEmbeddedPointers(t *testing.T) {
	type outer struct {
		*EmbA
		Y int
	}
	roundTrip(t, outer{&EmbA{1, 2}, 3})
	roundTrip(t, outer{nil, 3})
	var hidden struct{ *unexportedStruct }
	err := polypack.Unmarshal(mustMarshal(t, map[string]int{"U": 1}), &hidden)
	wantFault(t, err, polypack.CodeTypeMismatch, 3, "/U")
	hidden.unexportedStruct = &unexportedStruct{}
	if err := polypack.Unmarshal(mustMarshal(t, map[string]int{"U": 1}), &hidden); err != nil || hidden.U != 1 {
		t.Errorf("%v, %+v", err, hidden.unexportedStruct)
	}
}

type hiddenFields struct {
	At  time.Time
	Any any
	Ext polypack.Ext
	M   map[any]time.Time
	Z   zeroer `msgpack:",omitzero"`
}

// TestHiddenEmbedding reads exported fields through embedded structs that are not exported: reflection allows that, but
// only just.
func TestHiddenEmbedding(t *testing.T) {
	full := hiddenFields{time.Unix(1, 0).UTC(), "x", polypack.Ext{Type: 1, Data: []byte{2}}, map[any]time.Time{"k": time.Unix(2, 0).UTC()}, zeroer{1}}
	roundTrip(t, struct{ hiddenFields }{full})
	v := struct{ *hiddenFields }{&full}
	back := struct{ *hiddenFields }{&hiddenFields{}}
	if err := polypack.Unmarshal(mustMarshal(t, v), &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back.hiddenFields, err)
	}
}

func TestOmitEmptyTime(t *testing.T) {
	type T struct {
		At time.Time `msgpack:"at,omitempty"`
	}
	if got := mustMarshal(t, T{}); len(got) != 1 {
		t.Errorf("the zero time is written: %x", got)
	}
	roundTrip(t, T{time.Unix(1, 0).UTC()})
}

// rank has its method on the pointer, and rankPointer is a defined pointer type, which has no methods.
type (
	rank        int
	rankPointer *rank
)

func (r *rank) IsZero() bool { return *r == 42 }

func TestOmitZeroOfPointers(t *testing.T) {
	type ranks struct {
		A rank        `msgpack:",omitzero"`
		B *rank       `msgpack:",omitzero"`
		C rankPointer `msgpack:",omitzero"`
	}
	answer := rank(42)
	data, err := polypack.Marshal(&ranks{A: 42, B: &answer, C: &answer})
	if want := unhex(t, "81 a143 2a"); err != nil || !bytes.Equal(data, want) {
		t.Errorf("% x, %v; want % x", data, err, want)
	}
	data, err = polypack.Marshal(&ranks{})
	if want := unhex(t, "81 a141 00"); err != nil || !bytes.Equal(data, want) {
		t.Errorf("% x, %v; want % x", data, err, want)
	}
}

func TestOmitEmptyLeavesOutTheZeroTimeOfAnyZone(t *testing.T) {
	type visit struct {
		At time.Time `msgpack:",omitempty"`
	}
	v := visit{time.Time{}.In(time.FixedZone("x", 3600))}
	for _, value := range []any{v, &v, map[string]any{"a": v}, map[any]any{"a": v}} {
		data, err := polypack.Marshal(value)
		if err != nil || data[len(data)-1] != 0x80 {
			t.Errorf("%T: % x, %v", value, data, err)
		}
	}
}
