package polypack_test

// Plan of the file: pointers in interfaces. They are decoded into wherever an interface may stand, by every engine, and
// never without end. Extensions make pointers, too, and those are replaced.

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

type heldBody struct {
	A int
	B *int8
	C any
}

type heldEnvelope struct {
	ID     int
	Result any
	Err    fmt.Stringer
}

func (b *heldBody) String() string { return fmt.Sprint(b.A) }

// heldRest has an inline map.
type heldRest struct {
	ID   int
	Rest map[string]any `msgpack:",inline"`
}

type heldTuple struct {
	_    struct{} `msgpack:",as_array"`
	X, Y any
}

// heldWays are the ways in: each engine, mode and records.
func heldWays() map[string]func(data []byte, v any) error {
	with := func(opts ...polypack.Option) func([]byte, any) error {
		return func(data []byte, v any) error { return polypack.Unmarshal(data, v, opts...) }
	}
	return map[string]func([]byte, any) error{
		"engine": with(), "plans": with(polypack.PlansOnly()), "strict": with(polypack.Strict), "lossless": with(polypack.Lossless),
		"limits": with(polypack.MaxValues(10_000)), "records": with(inline), "records by plans": with(inline, polypack.PlansOnly()),
		"shared": with(fuzzShared), "zero copy": with(polypack.Strings(polypack.StringsZeroCopy)),
		"decoder": func(data []byte, v any) error {
			d := polypack.NewDecoder(data)
			if err := d.Decode(v); err != nil {
				return err
			}
			return d.Finish()
		},
		"stream": func(data []byte, v any) error {
			return polypack.NewStreamDecoder(&cutReader{data, 3}).Decode(v)
		},
		"reader": func(data []byte, v any) error { return polypack.UnmarshalRead(bytes.NewReader(data), v) },
	}
}

func TestPointersInInterfacesAreFilled(t *testing.T) {
	// Each case makes a target with a pointer to the body, and says what else it becomes.
	const body = "82 a141 07 a143 a178" // A: 7, C: "x"
	full := heldBody{A: 7, C: "x"}
	for name, c := range map[string]struct {
		in     string
		target func(b *heldBody) any
		want   any // what the target points to afterwards, where B stands for the pointer
	}{
		"top":       {body, func(b *heldBody) any { var v any = b; return &v }, "B"},
		"field":     {"82 a24944 01 a6526573756c74 " + body, func(b *heldBody) any { return &heldEnvelope{Result: b} }, "{1 B <nil>}"},
		"interface": {"81 a3457272 " + body, func(b *heldBody) any { return &heldEnvelope{Err: b} }, "{0 <nil> B}"},
		"pointer":   {body, func(b *heldBody) any { var v any = b; p := &v; return &p }, "B"},
		"double":    {body, func(b *heldBody) any { var v any = &b; return &v }, "PB"},
		"slice":     {"93 01 " + body + " 03", func(b *heldBody) any { return &[]any{nil, b} }, "[1 B 3]"},
		"slices":    {"91 " + body, func(b *heldBody) any { return &[]fmt.Stringer{b, b} }, "[B]"},
		"array":     {"92 01 " + body, func(b *heldBody) any { return &[3]any{4, b, b} }, "[1 B <nil>]"},
		"map":       {"82 a16b " + body + "a16c 01", func(b *heldBody) any { return &map[string]any{"k": b, "o": 1} }, "map[k:B l:1 o:1]"},
		"numbers":   {"82 05 " + body + "06 01", func(b *heldBody) any { return &map[int]any{5: b, 4: b} }, "map[4:B 5:B 6:1]"},
		"any keys":  {"82 05 " + body + "06 01", func(b *heldBody) any { return &map[any]any{int64(5): b} }, "map[5:B 6:1]"},
		"stringers": {"81 a16b " + body, func(b *heldBody) any { return &map[string]fmt.Stringer{"k": b} }, "map[k:B]"},
		"inline":    {"82 a24944 01 a16b " + body, func(b *heldBody) any { return &heldRest{Rest: map[string]any{"k": b}} }, "{1 map[k:B]}"},
		"tuple":     {"92 01 " + body, func(b *heldBody) any { return &heldTuple{X: b, Y: b} }, "MISMATCH"},
		"tuples":    {"92 c0 " + body, func(b *heldBody) any { return &heldTuple{X: b, Y: b} }, "{{} <nil> B}"},
		"inside":    {"81 a143 81 a143 " + body, func(b *heldBody) any { return &heldBody{C: &heldBody{C: b}} }, "{0 <nil> PA0}"},
		"twice":     {"92 81 a141 05 " + body, func(b *heldBody) any { return &[]any{b, b} }, "[B B]"},
	} {
		for way, unmarshal := range heldWays() {
			b := new(heldBody)
			target := c.target(b)
			err := unmarshal(unhex(t, c.in), target)
			if c.want == "MISMATCH" {
				wantFault(t, err, polypack.CodeTypeMismatch, 1, "/0")
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, way, err)
				continue
			}
			if got := showHeld(reflect.ValueOf(target).Elem(), b); got != c.want {
				t.Errorf("%s, %s: %s; want %s", name, way, got, c.want)
			}
			if !reflect.DeepEqual(*b, full) {
				t.Errorf("%s, %s: the body is %+v", name, way, *b)
			}
		}
	}
}

// showHeld prints v with B for the pointer b, and P for each pointer to it.
func showHeld(v reflect.Value, b *heldBody) string {
	switch v.Kind() {
	case reflect.Pointer:
		switch {
		case v.Interface() == any(b):
			return "B"
		case v.Type() == reflect.TypeFor[*heldBody]() && !v.IsNil():
			return "PA" + fmt.Sprint(v.Elem().Field(0).Int())
		case !v.IsNil() && v.Elem().Kind() == reflect.Interface:
			return showHeld(v.Elem(), b)
		case !v.IsNil():
			return "P" + showHeld(v.Elem(), b)
		}
	case reflect.Interface:
		if !v.IsNil() {
			return showHeld(v.Elem(), b)
		}
	case reflect.Struct:
		text := "{"
		for i := range v.NumField() {
			if i > 0 {
				text += " "
			}
			text += showHeld(v.Field(i), b)
		}
		return text + "}"
	case reflect.Slice, reflect.Array:
		text := "["
		for i := range v.Len() {
			if i > 0 {
				text += " "
			}
			text += showHeld(v.Index(i), b)
		}
		return text + "]"
	case reflect.Map:
		shown := map[any]shownHeld{}
		for it := v.MapRange(); it.Next(); {
			shown[it.Key().Interface()] = shownHeld(showHeld(it.Value(), b))
		}
		return fmt.Sprint(shown)
	}
	return fmt.Sprint(v)
}

type shownHeld string

// TestWhatPointersInInterfacesBecome asserts what happens where the value isn't simply decoded: nil, values that don't
// fit, elements that the slice hasn't, and pointers that are nil.
func TestWhatPointersInInterfacesBecome(t *testing.T) {
	for way, unmarshal := range heldWays() {
		for in, want := range map[string]any{"c0": nil, "d40000": nil, "a178": "x"} {
			if in == "d40000" && way == "lossless" {
				want = polypack.Ext{Type: 0, Data: []byte{0}}
			}
			s := "old"
			for _, held := range []any{nil, (*heldBody)(nil), 5, heldBody{A: 1}, &s, ptr(any(1))} {
				e := heldEnvelope{Result: held}
				if err := unmarshal(append(unhex(t, "81 a6526573756c74"), unhex(t, in)...), &e); err != nil {
					t.Errorf("%s, %s into %T: %v", way, in, held, err)
				}
				if p, ok := held.(*any); ok && in == "a178" {
					if e.Result != any(p) || *p != "x" {
						t.Errorf("%s, %s into %T: %v", way, in, held, e.Result)
					}
				} else if p, ok := held.(*string); ok && in == "a178" {
					if e.Result != any(p) || s != "x" {
						t.Errorf("%s, %s into %T: %v", way, in, held, e.Result)
					}
				} else if !reflect.DeepEqual(e.Result, want) {
					t.Errorf("%s, %s into %T: %v", way, in, held, e.Result)
				}
			}
		}
		n := 3
		err := unmarshal(unhex(t, "81 a6526573756c74 a178"), &heldEnvelope{Result: &n})
		wantFault(t, err, polypack.CodeTypeMismatch, 8, "/Result")
		// Behind its length, a slice has no elements.
		s := []any{&n, &n}[:1]
		if err := unmarshal(unhex(t, "93 01 02 03"), &s); err != nil || s[0] != any(&n) || n != 1 || fmt.Sprint(s[1:]) != "[2 3]" {
			t.Errorf("%s: %v, %v", way, s, err)
		}
		m := map[string]any{"a": &n}
		if err := unmarshal(unhex(t, "81 a162 02"), &m); err != nil || m["a"] != any(&n) || n != 1 || m["b"] != int64(2) {
			t.Errorf("%s: %v, %v", way, m, err)
		}
		err = unmarshal(unhex(t, "82 a162 02 a161 a178"), &m)
		wantFault(t, err, polypack.CodeTypeMismatch, 6, "/a")
	}
}

// TestPointersBackToTheirInterface asserts that an interface that leads back to itself, at once or through others, is
// replaced, and that one inside the value it leads to is followed only as deep as the message nests.
func TestPointersBackToTheirInterface(t *testing.T) {
	for way, unmarshal := range heldWays() {
		var self any
		self = &self
		if err := unmarshal(unhex(t, "92 01 a178"), &self); err != nil || fmt.Sprint(self) != "[1 x]" {
			t.Errorf("%s: %v, %v", way, self, err)
		}
		var a, b, c any
		a, b, c = &b, ptr(ptr(&c)), &a
		if err := unmarshal(unhex(t, "92 01 a178"), &a); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		replaced := 0
		for _, v := range []any{a, b, c} {
			if s, ok := v.([]any); ok && fmt.Sprint(s) == "[1 x]" {
				replaced++
			}
		}
		if replaced != 1 {
			t.Errorf("%s: %d of three interfaces were replaced", way, replaced)
		}
		loop := new(heldBody)
		loop.C = loop
		if err := unmarshal(unhex(t, "81 a143 81 a143 82 a141 05 a143 c0"), loop); err != nil || loop.A != 5 || loop.C != nil {
			t.Errorf("%s: %v, %v", way, loop.A, err)
		}
		loop.C = loop
		deep := append(bytes.Repeat([]byte("\x81\xa1C"), 511), "\x81\xa1A\x07"...)
		if err := unmarshal(deep, loop); err != nil || loop.A != 7 || loop.C != any(loop) {
			t.Errorf("%s: %v, %v", way, loop.A, err)
		}
		wantFault(t, unmarshal(append([]byte("\x81\xa1C"), deep...), loop), polypack.CodeLimitExceeded, 512*3, pathOf("/C", 512))
		slice := []any{nil}
		slice[0] = &slice
		if err := unmarshal(unhex(t, "91 91 91 c0"), &slice); err != nil || len(slice) != 1 || slice[0] != nil {
			t.Errorf("%s: %v, %v", way, slice, err)
		}
		m := map[string]any{}
		m["m"] = &m
		if err := unmarshal(unhex(t, "81 a16d 81 a16d 81 a178 05"), &m); err != nil || len(m) != 2 || m["x"] != int64(5) {
			t.Errorf("%s: %d, %v", way, len(m), err)
		}
	}
}

func pathOf(segment string, times int) string { return string(bytes.Repeat([]byte(segment), times)) }

// TestPointersOfExtensions asserts that a pointer that an extension has made is replaced by the next message: the
// program may still use it.
func TestPointersOfExtensions(t *testing.T) {
	byPointer := polypack.Extensions(polypack.NewExtension(9,
		func(dst []byte, p *Point) ([]byte, error) { return append(dst, byte(p.N)), nil },
		func(data []byte) (*Point, error) { return &Point{int(data[0])}, nil }))
	byValue := polypack.Extensions(polypack.NewExtension(9,
		func(dst []byte, p Point) ([]byte, error) { return append(dst, byte(p.N)), nil },
		func(data []byte) (Point, error) { return Point{int(data[0])}, nil }))
	for _, engine := range [][]polypack.Option{nil, {polypack.PlansOnly()}, {polypack.Strict}, {inline}} {
		var seen []any
		s := polypack.NewStreamDecoder(bytes.NewReader(unhex(t, "d40901 d40902 91d40903 91d40904")), with(engine, byPointer)...)
		var v any
		for s.Decode(&v) == nil {
			seen = append(seen, v)
		}
		if *seen[0].(*Point) != (Point{1}) || *seen[1].(*Point) != (Point{2}) {
			t.Errorf("%v", seen)
		}
		list := seen[2].([]any)
		if err := polypack.Unmarshal(unhex(t, "91d40905"), &list, with(engine, byPointer)...); err != nil || *list[0].(*Point) != (Point{5}) {
			t.Error(list, err)
		}
		// A pointer to a type whose extension makes values is the program's own.
		p := new(Point)
		v = p
		if err := polypack.Unmarshal(unhex(t, "d40906"), &v, with(engine, byValue)...); err != nil || v != any(p) || p.N != 6 {
			t.Error(v, err)
		}
	}
}

// TestPointersOnTheStack fills a variable that an any of the caller points to, while the stack grows and moves.
func TestPointersOnTheStack(t *testing.T) {
	var fill func(depth int) (sum int)
	fill = func(depth int) (sum int) {
		var body heldBody
		e := heldEnvelope{Result: &body}
		if err := polypack.Unmarshal([]byte("\x81\xa6Result\x82\xa1A\x07\xa1C\x92\xa1x\x01"), &e); err != nil {
			t.Fatal(err)
		}
		if depth > 0 {
			sum = fill(depth - 1)
		} else {
			runtime.GC()
		}
		if fmt.Sprint(body.C) != "[x 1]" {
			t.Errorf("%v", body.C)
		}
		return sum + body.A
	}
	done := make(chan int)
	go func() { done <- fill(300) }()
	if sum := <-done; sum != 301*7 {
		t.Error(sum)
	}
}

// TestHeldByMethods lets a method decode into an interface that holds a pointer, and into one of its own receiver.
func TestHeldByMethods(t *testing.T) {
	for _, opts := range [][]polypack.Option{nil, {polypack.PlansOnly()}} {
		h := new(heldMethod)
		e := heldEnvelope{Result: h}
		if err := polypack.Unmarshal(unhex(t, "81 a6526573756c74 92 05 81 a141 06"), &e, opts...); err != nil || h.n != 5 || h.body.A != 6 || e.Result != any(h) {
			t.Error(h, err)
		}
		d := polypack.NewDecoder(unhex(t, "a178"), opts...)
		n := 0
		if err := d.Decode(ptr(any(&n))); err == nil {
			t.Error("a str has become an int")
		}
		var s any = new(string) // the Decoder is in front of the value again
		if err := d.Decode(&s); err != nil || *s.(*string) != "x" || d.Finish() != nil {
			t.Error(s, err)
		}
		if err := d.Decode(&s); err == nil || err == io.EOF {
			t.Error(err)
		}
	}
}

type heldMethod struct {
	n    int
	body heldBody
}

func (h *heldMethod) UnmarshalMsgpackFrom(d *polypack.Decoder) error {
	if _, err := d.DecodeArrayHeader(); err != nil {
		return err
	}
	var n, body any = &h.n, &h.body
	if err := d.Decode(&n); err != nil {
		return err
	}
	return d.Decode(&body)
}

// TestElementsStartAtZero reads into elements and values of maps that have values already.
func TestElementsStartAtZero(t *testing.T) {
	type S struct{ A, B int }
	message := unhex(t, "91 81 a14109")
	asMap := unhex(t, "81 a161 81 a14109")
	for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {inline}, {polypack.PlansOnly()}} {
		slice, pointers, array, both := []S{{1, 2}}, []*S{{1, 2}}, [2]S{{1, 2}, {3, 4}}, [2]*S{{1, 2}, {3, 4}}
		values, behind := map[string]S{"a": {1, 2}}, map[string]*S{"a": {1, 2}}
		first, second, third := pointers[0], both[0], behind["a"]
		for _, target := range []any{&slice, &pointers, &array, &both} {
			if err := polypack.Unmarshal(message, target, opts...); err != nil {
				t.Fatal(err)
			}
		}
		for _, target := range []any{&values, &behind} {
			if err := polypack.Unmarshal(asMap, target, opts...); err != nil {
				t.Fatal(err)
			}
		}
		want := S{9, 0}
		if slice[0] != want || *pointers[0] != want || array[0] != want || array[1] != (S{}) || *both[0] != want || both[1] != nil ||
			values["a"] != want || *behind["a"] != want {
			t.Error(opts, slice, *pointers[0], array, *both[0], values, *behind["a"])
		}
		old := S{1, 2}
		if *first != old || *second != old || *third != old {
			t.Error(opts, first, second, third)
		}
	}
}
