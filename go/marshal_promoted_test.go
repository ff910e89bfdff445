package polypack_test

import (
	"encoding/hex"
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type (
	Name  struct{ s string } // all by methods
	Event struct {
		time.Time
		Title string
	}
	Alone  struct{ Name }
	Person struct {
		Name
		Age int
	}
	PersonByPointer struct {
		*Name
		Age int
	}
	AloneByPointer struct{ *Name }
	OwnToo         struct {
		Name
		Age int
	}
	OwnOnPointer struct {
		Name
		Age int
	}
	GenericOwn[T any] struct {
		Name
		V T
	}
	GenericPromoted[T any] struct {
		GenericOwn[T]
		N int
	}
	Server struct {
		netip.Addr
		Port uint16
	}
	DeepPerson struct {
		Person
		Note string
	}
	Wrapped          struct{ Person }
	WrappedTwice     struct{ Wrapped }
	WrappedServer    struct{ Server }
	WrappedEvent     struct{ Event }
	WrappedByPointer struct{ PersonByPointer }
	WrappedAlone     struct{ Alone }
	WrappedOwn       struct{ OwnToo }
	WrappedOnPointer struct{ OwnOnPointer }
	WrappedGeneric   struct{ GenericPromoted[int] }
	WrappedUnnamed   struct {
		Field struct{ Person }
	}
)

func (n Name) MarshalText() ([]byte, error)     { return []byte(n.s), nil }
func (n *Name) UnmarshalText(text []byte) error { n.s = string(text); return nil }
func (o OwnToo) MarshalText() ([]byte, error)   { return []byte(o.s + "+"), nil }
func (o *OwnToo) UnmarshalText(text []byte) error {
	o.s, o.Age = string(text[:len(text)-1]), 5
	return nil
}
func (o *OwnOnPointer) MarshalText() ([]byte, error) { return []byte(o.s + "*"), nil }
func (o *OwnOnPointer) UnmarshalText(text []byte) error {
	o.s, o.Age = string(text[:len(text)-1]), 5
	return nil
}
func (g GenericOwn[T]) MarshalText() ([]byte, error) { return []byte(g.s + "g"), nil }
func (g *GenericOwn[T]) UnmarshalText(text []byte) error {
	g.s = string(text[:len(text)-1])
	return nil
}

// TestPromotedMethods checks that a struct does not lose its other fields to the methods of an embedded one.
func TestPromotedMethods(t *testing.T) {
	ann := Name{"ann"}
	for _, row := range []struct {
		value any
		want  string
	}{
		{Event{time.Unix(1, 0).UTC(), "x"}, "82a454696d65d6ff00000001a55469746c65a178"},
		{struct{ time.Time }{time.Unix(1, 0).UTC()}, "81a454696d65d6ff00000001"},
		{Alone{ann}, "a3616e6e"},
		{struct{ Name }{ann}, "a3616e6e"},
		{Person{ann, 5}, "82a44e616d65a3616e6ea341676505"},
		{PersonByPointer{&ann, 5}, "82a44e616d65a3616e6ea341676505"},
		{PersonByPointer{nil, 5}, "82a44e616d65c0a341676505"},
		{AloneByPointer{&ann}, "81a44e616d65a3616e6e"},
		{AloneByPointer{}, "81a44e616d65c0"},
		{OwnToo{ann, 5}, "a4616e6e2b"},
		{OwnOnPointer{ann, 5}, "a4616e6e2a"},
		{GenericOwn[int]{ann, 0}, "a4616e6e67"},
		{GenericOwn[string]{ann, ""}, "a4616e6e67"},
		{GenericPromoted[int]{GenericOwn[int]{ann, 0}, 7}, "82aa47656e657269634f776ea4616e6e67a14e07"},
		{Server{netip.MustParseAddr("192.0.2.1"), 80}, "82a441646472c404c0000201a4506f727450"},
		{DeepPerson{Person{ann, 5}, "n"}, "83a44e616d65a3616e6ea341676505a44e6f7465a16e"},
		{Wrapped{Person{ann, 5}}, "82a44e616d65a3616e6ea341676505"},
		{WrappedTwice{Wrapped{Person{ann, 5}}}, "82a44e616d65a3616e6ea341676505"},
		{WrappedServer{Server{netip.MustParseAddr("192.0.2.1"), 80}}, "82a441646472c404c0000201a4506f727450"},
		{WrappedEvent{Event{time.Unix(1, 0).UTC(), "x"}}, "82a454696d65d6ff00000001a55469746c65a178"},
		{WrappedByPointer{PersonByPointer{&ann, 5}}, "82a44e616d65a3616e6ea341676505"},
		{WrappedAlone{Alone{ann}}, "a3616e6e"},
		{WrappedOwn{OwnToo{ann, 5}}, "a4616e6e2b"},
		{WrappedOnPointer{OwnOnPointer{ann, 5}}, "a4616e6e2a"},
		{WrappedGeneric{GenericPromoted[int]{GenericOwn[int]{ann, 0}, 7}}, "82aa47656e657269634f776ea4616e6e67a14e07"},
		{WrappedUnnamed{struct{ Person }{Person{ann, 5}}}, "81a54669656c6482a44e616d65a3616e6ea341676505"},
	} {
		data := mustMarshal(t, row.value)
		if got := hex.EncodeToString(data); got != row.want {
			t.Errorf("%T: got %s, want %s", row.value, got, row.want)
		}
		back := reflect.New(reflect.TypeOf(row.value))
		if err := polypack.Unmarshal(data, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), row.value) {
			t.Errorf("%T: %+v, %v", row.value, back.Elem(), err)
		}
	}
	_, err := polypack.Marshal(struct {
		N Name `msgpack:",inline"`
	}{})
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "")
}

type (
	PointerZero struct{ N int }
	Stamped     struct {
		time.Time
		Title string
	}
	WrappedStamped struct{ Stamped }
	WrappedZero    struct{ PointerZero }
)

func (p *PointerZero) IsZero() bool { return p.N == 42 }

// TestOmitZeroMethods checks whose IsZero decides.
func TestOmitZeroMethods(t *testing.T) {
	type T struct {
		P PointerZero                `msgpack:"p,omitzero"`
		Q *PointerZero               `msgpack:"q,omitzero"`
		R *Stamped                   `msgpack:"r,omitzero"`
		S Stamped                    `msgpack:"s,omitzero"`
		A time.Time                  `msgpack:"a,omitzero"`
		I interface{ IsZero() bool } `msgpack:"i,omitzero"`
		W WrappedStamped             `msgpack:"w,omitzero"`
		X *WrappedStamped            `msgpack:"x,omitzero"`
		Y WrappedZero                `msgpack:"y,omitzero"`
	}
	zero := WrappedZero{PointerZero{42}}
	titled := WrappedStamped{Stamped{Title: "x"}}
	for _, row := range []struct {
		value T
		want  []string
	}{
		{T{}, []string{"p", "y"}},
		{T{P: PointerZero{42}, Q: &PointerZero{42}, I: &PointerZero{42}, Y: zero}, []string{}},
		{T{P: PointerZero{42}, Q: &PointerZero{1}, R: &Stamped{Title: "x"}, S: Stamped{Title: "x"}, A: time.Unix(0, 0), I: time.Unix(0, 0), Y: zero}, []string{"a", "i", "q", "r", "s"}},
		{T{P: PointerZero{42}, A: time.Time{}.Local(), Y: zero}, []string{}},
		{T{P: PointerZero{42}, W: titled, X: &titled, Y: zero}, []string{"w", "x"}},
	} {
		for _, v := range []any{row.value, &row.value, map[int]T{1: row.value}} {
			for _, opts := range [][]polypack.Option{nil, {polypack.Strict}} {
				var got map[string]any
				data := mustMarshal(t, v, opts...)
				if _, isMap := v.(map[int]T); isMap {
					data = data[2:]
				}
				if err := polypack.Unmarshal(data, &got); err != nil || !slices.Equal(sortedKeys(got), row.want) {
					t.Errorf("%T %v: fields %q, want %q, %v", v, opts, sortedKeys(got), row.want, err)
				}
			}
		}
	}
}
