package polypack_test

// Plan of the file: types and methods that mean trouble: structs that an interface holds without a pointer, methods
// that write through their receiver, change what is being encoded or decoded meanwhile, panic, or use the library again
// from inside. Nothing of it may reach memory that is not the value's own, leave a scratch in a bad state, or give
// bytes that are no message.

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
)

// engines are the options that choose who does the work.
var engines = map[string][]polypack.Option{"engine": nil, "plans": {polypack.PlansOnly()}}

// Which structs and arrays an interface holds in its data word is the compiler's choice, and it has changed: since Go
// 1.26 fields without size do not count.
func TestStructsThatInterfacesHoldDirectly(t *testing.T) {
	type empty struct{}
	x := 7
	m := map[string]int{"a": 1}
	for _, c := range []struct {
		value any
		want  string
	}{
		{struct{ P *int }{&x}, "81a15007"},
		{struct {
			_ struct{}
			P *int
		}{P: &x}, "81a15007"},
		{struct {
			P *int
			E empty
		}{P: &x}, "82a15007a14580"},
		{struct {
			_ [0]func()
			M map[string]int
		}{M: m}, "81a14d81a16101"},
		{struct {
			E [0]int
			P *int
		}{P: nil}, "82a14590a150c0"},
		{[1]struct {
			_ struct{}
			P *int
		}{{P: &x}}, "9181a15007"},
		{[1]*int{&x}, "9107"},
		{struct{ A [1]map[string]int }{[1]map[string]int{m}}, "81a1419181a16101"},
		{struct {
			_ [0]*int
			S struct {
				_ struct{}
				P *int
			}
		}{}, "81a15381a150c0"},
		{struct{ U uintptr }{7}, "81a15507"},
		{[0]*int{}, "90"},
		{struct{}{}, "80"},
	} {
		for name, opts := range engines {
			for _, v := range []any{c.value, []any{c.value}, struct{ V any }{c.value}, map[string]any{"k": c.value}} {
				data, err := polypack.Marshal(v, opts...)
				if err != nil || !strings.HasSuffix(fmt.Sprintf("%x", data), c.want) {
					t.Errorf("%s: Marshal(%T) = %x, %v; want %s", name, v, data, err, c.want)
				}
			}
		}
	}
}

// A stamp counts in its receiver how often it is written.
type stamp struct{ Writes int }

func (s *stamp) MarshalMsgpackTo(e *polypack.Encoder) error {
	s.Writes++
	return e.EncodeInt(int64(s.Writes))
}

// The nodes of these are compiled while the node of the other is not complete.
type (
	loop struct {
		Next  *loopHolder
		Array *[1]loop
		Stamp stamp
	}
	loopHolder struct{ Ring loop }
)

func TestMethodsCannotWriteIntoAnInterface(t *testing.T) {
	mustMarshal(t, loop{}) // compiles loopHolder first of all, from within loop
	type flat struct{ Stamp stamp }
	for name, opts := range engines {
		for _, v := range []any{flat{}, [1]flat{}, loop{}, loopHolder{}, [1]loopHolder{}, [1]loop{}, stamp{}, struct{ A [2]stamp }{}} {
			for _, held := range []any{v, []any{v}, map[string]any{"k": v}} {
				first := mustMarshal(t, held, opts...)
				if second := mustMarshal(t, held, opts...); !bytes.Equal(first, second) {
					t.Errorf("%s: a method changed %T, which an interface holds: %x, then %x", name, held, first, second)
				}
			}
		}
	}
}

// A changer calls its function when it is written or read.
type changer struct{ change func() }

func (c changer) MarshalMsgpackTo(e *polypack.Encoder) error {
	if c.change != nil {
		c.change()
	}
	return e.EncodeNil()
}

// validOrFailed asserts that data is one whole value, or that there is an error of the package.
func validOrFailed(t *testing.T, what string, data []byte, err error) {
	t.Helper()
	if err != nil {
		var e *polypack.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	d := polypack.NewDecoder(data)
	if err := errors.Join(d.Skip(), d.Finish()); err != nil {
		t.Errorf("%s: wrote %x, which is no message: %v", what, data, err)
	}
}

func TestMethodsThatChangeWhatIsEncoded(t *testing.T) {
	for name, opts := range engines {
		for _, sorted := range []bool{true, false} {
			opts := append([]polypack.Option{polypack.SortMaps(sorted)}, opts...)
			for size := range 40 {
				m := map[string]any{}
				for i := range size {
					m[fmt.Sprint("key", i)] = i
				}
				m["grow"] = changer{func() {
					for i := range 100 {
						m[fmt.Sprint("new", i)] = i
					}
				}}
				m["shrink"] = changer{func() { clear(m) }}
				data, err := polypack.Marshal(m, opts...)
				validOrFailed(t, fmt.Sprint(name, " map of ", size, " sorted ", sorted), data, err)

				type named map[string]any
				n := named{"a": 1, "b": changer{}, "c": 3}
				n["b"] = changer{func() { clear(n) }}
				data, err = polypack.Marshal(n, opts...)
				validOrFailed(t, name+" named map", data, err)

				ints := map[int]any{1: 1, 2: 2}
				ints[0] = changer{func() { maps.Copy(ints, map[int]any{3: 3, 4: 4, 5: 5}); delete(ints, 1) }}
				data, err = polypack.Marshal(ints, opts...)
				validOrFailed(t, name+" map[int]any", data, err)

				s := []any{1, nil, 3}
				s[1] = changer{func() { s = append(s, 4)[:1] }}
				data, err = polypack.Marshal(&s, opts...)
				validOrFailed(t, name+" []any", data, err)
			}
		}
		// Fields that are left out, or not, because of what a method before them did.
		type few struct {
			A changer
			B int  `msgpack:",omitempty"`
			C *int `msgpack:",omitempty"`
		}
		type many struct {
			A                                              changer
			B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q int `msgpack:",omitempty"`
		}
		f := few{B: 1}
		f.A.change = func() { f.B, f.C = 0, new(int) }
		data, err := polypack.Marshal(&f, opts...)
		validOrFailed(t, name+" few fields", data, err)
		f.A.change = func() { f.B, f.C = 5, new(int) }
		data, err = polypack.Marshal(&f, opts...)
		validOrFailed(t, name+" few fields, more", data, err)
		m := many{B: 1, C: 2}
		m.A.change = func() { m.B, m.D, m.E = 0, 1, 1 }
		data, err = polypack.Marshal(&m, opts...)
		validOrFailed(t, name+" many fields", data, err)
		g := gentest.Changing{B: 1, C: 2}
		g.Changer.Change = func() { g.B, g.D, g.E = 0, 1, 1 }
		data, err = polypack.Marshal(&g, opts...)
		validOrFailed(t, name+" many fields, generated", data, err)
		g = gentest.Changing{B: 1}
		g.Changer.Change = func() { g.B, g.D = 0, 1 }
		if _, err = polypack.Marshal(&g, opts...); err != nil {
			t.Errorf("%s: as many fields as before: %v", name, err)
		}
		for _, mode := range []polypack.Option{polypack.Records(polypack.RecordsInline)} {
			f, m := few{B: 1}, many{B: 1, C: 2}
			f.A.change = func() { f.B, f.C = 0, new(int) }
			m.A.change = func() { m.B, m.D, m.E = 0, 1, 1 }
			for _, v := range []any{&f, &m} {
				data, err := polypack.Marshal(v, append([]polypack.Option{mode}, opts...)...)
				if err == nil {
					var back any
					err = polypack.Unmarshal(data, &back, mode)
				}
				if err != nil {
					t.Errorf("%s: records of %T: %v", name, v, err)
				}
			}
		}
	}
}

// A meddler calls its function when it is read.
var meddle func()

type meddler struct{ N int64 }

func (m *meddler) UnmarshalMsgpackFrom(d *polypack.Decoder) (err error) {
	m.N, err = d.DecodeInt()
	if meddle != nil {
		meddle()
	}
	return err
}

func TestMethodsThatChangeWhatIsDecoded(t *testing.T) {
	defer func() { meddle = nil }()
	numbers := make([]int, 100)
	data := mustMarshal(t, numbers)
	for name, opts := range engines {
		var slice []meddler
		calls := 0
		for _, change := range []func(){
			func() { slice = nil },
			func() { slice = make([]meddler, 1) },
			func() { slice = slice[:0:0] },
			func() {
				if calls++; calls%50 == 0 {
					runtime.GC()
				}
			},
		} {
			for _, start := range [][]meddler{nil, {}, make([]meddler, 100), make([]meddler, 0, 200)} {
				slice, meddle = start, change
				err := polypack.Unmarshal(data, &slice, opts...)
				if err != nil || len(slice) > cap(slice) {
					t.Errorf("%s: %v", name, err)
				}
				meddle = nil
				slice = append(slice, meddler{})
				for i := range slice {
					slice[i].N++
				}
			}
		}
		var holder struct{ P *struct{ M [3]meddler } }
		meddle = func() { holder.P = nil }
		if err := polypack.Unmarshal(unhex(t, "81 a150 81a14d 93 01 02 03"), &holder, opts...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var m map[string]meddler
		meddle = func() { m = nil }
		if err := polypack.Unmarshal(unhex(t, "83 a150 01 a151 02 a152 03"), &m, opts...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A panicker panics when it is written or read.
type panicker struct{ V any }

func (panicker) MarshalMsgpackTo(*polypack.Encoder) error        { panic("written") }
func (*panicker) UnmarshalMsgpackFrom(d *polypack.Decoder) error { panic("read") }

func TestPanicsLeaveNothingBehind(t *testing.T) {
	rows := func(last any) map[string]any {
		return map[string]any{"a": 1, "b": map[string]any{"a": 1, "b": []any{map[string]int{"x": 1}}, "c": last}, "c": "text"}
	}
	want := mustMarshal(t, rows(nil))
	long := mustMarshal(t, map[string]any{"pad": strings.Repeat("x", 2000), "key": 1})
	for name, opts := range engines {
		for range 50 {
			func() {
				defer func() { _ = recover() }()
				_, _ = polypack.Marshal(rows(panicker{}), opts...)
				t.Errorf("%s: no panic", name)
			}()
			func() {
				defer func() { _ = recover() }()
				var v struct {
					Key panicker `msgpack:"key"`
				}
				_ = polypack.Unmarshal(long, &v, opts...)
				t.Errorf("%s: no panic", name)
			}()
			if got := mustMarshal(t, rows(nil), opts...); !bytes.Equal(got, want) {
				t.Fatalf("%s: after a panic %x, want %x", name, got, want)
			}
		}
	}
}

// A nest writes and reads itself with calls of the package from inside its methods.
type nest struct {
	Text  string
	Inner []any
}

func (n *nest) MarshalMsgpackTo(e *polypack.Encoder) error {
	for range 3 { // in other buffers
		data, err := polypack.Marshal(map[string]any{"i": n.Inner, "t": n.Text})
		if err != nil {
			return err
		}
		var back any
		if err := polypack.Unmarshal(data, &back); err != nil {
			return err
		}
	}
	return e.Encode(map[string]any{"t": n.Text, "i": n.Inner})
}

func (n *nest) UnmarshalMsgpackFrom(d *polypack.Decoder) error {
	var v struct {
		T string `msgpack:"t"`
		I []any  `msgpack:"i"`
	}
	if err := d.Decode(&v); err != nil {
		return err
	}
	if data, err := polypack.Marshal(v); err != nil {
		return err
	} else if err := polypack.Unmarshal(data, &v); err != nil {
		return err
	}
	n.Text, n.Inner = v.T, v.I
	return nil
}

func TestTheLibraryFromInsideItsMethods(t *testing.T) {
	type outer struct {
		Rows []nest
		Map  map[string]*nest
		Any  map[string]any
	}
	build := func() outer {
		var o outer
		o.Map, o.Any = map[string]*nest{}, map[string]any{}
		for i := range 20 {
			key := fmt.Sprint("a long enough key ", i)
			n := nest{key, []any{int64(i + 1000), key, map[string]any{"x": 1.5, "y": key}}}
			o.Rows = append(o.Rows, n)
			o.Map[key] = &n
			o.Any[key] = n.Inner
		}
		return o
	}
	want := build()
	var first []byte
	for name, opts := range engines {
		data, err := polypack.Marshal(build(), opts...)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if !bytes.Equal(first, data) {
			t.Errorf("%s: other bytes", name)
		}
		for other, opts := range engines {
			var got outer
			if err := polypack.Unmarshal(data, &got, opts...); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, read by %s: got %v", name, other, got)
			}
		}
	}
}
