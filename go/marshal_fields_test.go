package polypack_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
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

// TestContestedFields refuses structs where encoding/json drops fields: those of one name at equal depth.
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
