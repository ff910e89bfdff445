package polypack_test

// Plan of the file: the encoding engine against the plans, construct by construct; engine_encode_fuzz_test.go does the
// same with values from a fuzzer.

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// sameEncoding encodes v by the engine and by plans, in every way in, and compares bytes and errors; without options
// also in the mode Strict.
func sameEncoding(t *testing.T, v any, opts ...polypack.Option) {
	t.Helper()
	if purego { // plans would be compared with themselves
		polypack.Marshal(v, opts...)
		return
	}
	if len(opts) == 0 {
		sameEncoding(t, v, polypack.Strict)
	}
	plans := append([]polypack.Option{polypack.PlansOnly()}, opts...)
	want, wantErr := polypack.Marshal(v, plans...)
	for _, spare := range []int{-1, 0, 1, 16, 1 << 10} {
		var dst []byte
		if spare >= 0 {
			dst = append(make([]byte, 0, 3+spare), "abc"...)
		}
		if direct, ok := v.(polypack.DirectMethods); ok && len(opts) == 0 {
			got, err := direct.AppendPolypack(dst)
			if !sameError(err, wantErr) {
				t.Fatalf("%.200T %.80v: AppendPolypack fails with %v, plans with %v", v, v, err, wantErr)
			}
			if wanted := append(dst[:len(dst):len(dst)], want...); !bytes.Equal(got, wanted) {
				t.Fatalf("%.200T: AppendPolypack writes\n%s, plans\n%s", v, differing(got, wanted), differing(wanted, got))
			}
		}
		got, err := polypack.Append(dst, v, opts...)
		if !sameError(err, wantErr) {
			t.Fatalf("%.200T %.80v: error %v, plans say %v", v, v, err, wantErr)
		}
		if err == nil && !bytes.Equal(got, append(dst[:len(dst):len(dst)], want...)) {
			t.Fatalf("%.200T:\n%s, plans write\n%s", v, differing(got[len(dst):], want), differing(want, got[len(dst):]))
		}
		if err != nil && !bytes.Equal(got, dst) {
			t.Fatalf("%T: a failure returned % x", v, got)
		}
	}
	e := polypack.NewEncoder([]byte("abc"), opts...)
	if err := e.EncodeArrayHeader(2); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := e.Encode(v); !sameError(err, wantErr) {
			t.Fatalf("%T %.80v: Encoder fails with %v, plans with %v", v, v, err, wantErr)
		}
	}
	if wantErr == nil && !bytes.Equal(e.Bytes(), bytes.Join([][]byte{[]byte("abc\x92"), want, want}, nil)) {
		t.Fatalf("%.200T: Encoder wrote %s", v, differing(e.Bytes()[4:], append(want[:len(want):len(want)], want...)))
	}
	if wantErr != nil && string(e.Bytes()) != "abc\x92" {
		t.Fatalf("%T: an Encoder that failed holds % x", v, e.Bytes())
	}
}

// differing returns the bytes of a from a little before where it differs from b, in hex.
func differing(a, b []byte) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("at byte %d of %d: … % .60x", i, len(a), a[max(0, i-20):min(len(a), i+40)])
}

// sameError compares two errors by everything that a user can see.
func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	var x, y *polypack.Error
	if errors.As(a, &x) != errors.As(b, &y) || a.Error() != b.Error() {
		return false
	}
	return x == nil || x.Code == y.Code && x.Offset == y.Offset && x.Path == y.Path
}

// everyWay puts a value where values can be: in an any, behind pointers, in slices, arrays, maps and structs.
func everyWay[T any](v T) []any {
	type named struct {
		A string
		V T
		Z string
	}
	pointer := &v
	return []any{
		v, &v, &pointer, []T{v, v}, []*T{&v, nil}, [2]T{v, v}, [1]T{v}, [1]*T{&v}, struct{ V T }{v}, struct{ P *T }{&v}, struct{ P *T }{},
		map[string]T{"k": v, "long key of a map": v}, map[string]*T{"k": &v, "n": nil}, map[int]T{7: v, -7: v},
		any(v), []any{v, &v}, map[string]any{"v": v, "p": &v}, named{"a", v, "z"}, &named{"a", v, "z"}, []named{{"a", v, "z"}},
		struct {
			Nothing [0]int
			M       map[string]T
		}{M: map[string]T{"k": v}}, struct {
			P       *T
			nothing struct{}
		}{P: &v}, struct {
			nothing struct{}
			P       [1]*T
		}{P: [1]*T{&v}},
		struct{ V any }{v}, struct {
			V []T `msgpack:",omitempty"`
			W T   `msgpack:",omitempty"`
			X T   `msgpack:",omitzero"`
		}{W: v, X: v}, map[string][]T{"k": {v}}, map[string][1]*T{"k": {&v}}, [][]T{{v}, nil, {}},
	}
}

type (
	ownInt         int
	ownString      string
	ownBytes       []byte
	ownMap         map[string]any
	ownAny         any
	ownText        struct{ text string }
	ownPointerText struct{ Calls int }
)

func (v ownText) MarshalText() ([]byte, error) { return []byte(v.text), nil }

func (v *ownPointerText) MarshalText() ([]byte, error) {
	v.Calls++
	return fmt.Appendf(nil, "call %d", v.Calls), nil
}

// TestEngineEncodesKinds has values of every kind in every place.
func TestEngineEncodesKinds(t *testing.T) {
	t.Parallel()
	var all []any
	add := func(more []any) { all = append(all, more...) }
	for _, v := range []int64{0, 1, -1, 31, -32, -33, 127, 128, 255, 256, 65535, 65536, math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MinInt64} {
		add(everyWay(v))
		add(everyWay(int8(v)))
		add(everyWay(int16(v)))
		add(everyWay(int32(v)))
		add(everyWay(int(v)))
		add(everyWay(uint8(v)))
		add(everyWay(uint16(v)))
		add(everyWay(uint32(v)))
		add(everyWay(uint64(v)))
		add(everyWay(uint(v)))
		add(everyWay(uintptr(v)))
		add(everyWay(ownInt(v)))
		add(everyWay(time.Duration(v)))
	}
	for _, v := range []float64{0, math.Copysign(0, -1), 1.5, math.NaN(), math.Inf(1)} {
		add(everyWay(v))
		add(everyWay(float32(v)))
	}
	for _, length := range []int{0, 1, 5, 8, 31, 32, 255, 256, 70_000} {
		text := strings.Repeat("ü", length)
		add(everyWay(text))
		add(everyWay(ownString(text)))
		add(everyWay([]byte(text)))
		add(everyWay(ownBytes(text)))
	}
	add(everyWay(true))
	add(everyWay(false))
	add(everyWay([]byte(nil)))
	add(everyWay([4]byte{1, 2}))
	add(everyWay([0]byte{}))
	add(everyWay([0]int{}))
	add(everyWay(struct{}{}))
	add(everyWay(any(nil)))
	add(everyWay(ownAny(3)))
	add(everyWay(time.Time{}))
	add(everyWay(time.Unix(1e10, 5)))
	add(everyWay(time.Unix(1, 0).In(time.FixedZone("", 3600))))
	add(everyWay(polypack.Timestamp{Seconds: 1, Nanoseconds: 2}))
	add(everyWay(polypack.Timestamp{Nanoseconds: 1e9}))
	add(everyWay(polypack.Ext{Type: 5, Data: []byte("x")}))
	add(everyWay(polypack.Object{{Key: 1, Value: 2}}))
	add(everyWay(polypack.RawMessage{1}))
	add(everyWay(polypack.RawMessage{0x93}))
	add(everyWay([]int(nil)))
	add(everyWay([]int{1, 2, 300}))
	add(everyWay([]any(nil)))
	add(everyWay([]any{1, "a", nil, []any{}}))
	add(everyWay(map[string]any(nil)))
	add(everyWay(map[string]any{}))
	add(everyWay(ownMap{"a": 1, "b": ownMap{}}))
	add(everyWay(map[string]string{"a": "x", "b": ""}))
	add(everyWay(map[string]int{"a": 1}))
	add(everyWay(map[string]int64{"a": 1}))
	add(everyWay(map[string]float64{"a": 1}))
	add(everyWay(map[string]bool{"a": true, "b": false}))
	add(everyWay(map[ownString]int{"a": 1}))
	add(everyWay(map[int]any{5: "a", -5: nil}))
	add(everyWay(map[any]any{5: "a", "b": nil}))
	add(everyWay(map[[2]int]string{{1, 2}: "a"}))
	add(everyWay(ownText{"text"}))
	add(everyWay(errors.New("error")))
	add(everyWay(complex(1, 2)))
	add(everyWay(make(chan int)))
	for _, v := range sample(all, 7) {
		sameEncoding(t, v)
		sameEncoding(t, v, polypack.NilAsEmpty(true))
		sameEncoding(t, v, polypack.MaxDepth(1))
		sameEncoding(t, v, polypack.MaxDepth(0))
	}
}

type ownInner struct {
	Text ownPointerText
	N    int
}

// TestEngineKeepsBoxedValues has a method with a pointer receiver write to its value: what an any holds must not
// change.
func TestEngineKeepsBoxedValues(t *testing.T) {
	for _, v := range []any{ownPointerText{}, ownInner{}, [2]ownInner{}, struct{ I ownInner }{}, map[string]ownInner{"k": {}}} {
		before := fmt.Sprintf("%+v", v)
		for range 2 {
			sameEncoding(t, v)
			sameEncoding(t, []any{v})
			sameEncoding(t, map[string]any{"v": v})
		}
		if after := fmt.Sprintf("%+v", v); after != before {
			t.Errorf("encoding turned %s into %s", before, after)
		}
	}
}

type ownEmbedded struct {
	Deep  int `msgpack:",omitempty"`
	Other string
}

type ownPointed struct{ Pointed int }

// ownOmissions has more fields than a fixmap holds entries, and every test of omitempty and omitzero.
type ownOmissions struct {
	A                  bool            `msgpack:",omitempty"`
	B                  int8            `msgpack:",omitempty"`
	C                  int16           `msgpack:",omitempty"`
	D                  int32           `msgpack:",omitempty"`
	E                  int64           `msgpack:",omitempty"`
	F                  float32         `msgpack:",omitempty"`
	G                  float64         `msgpack:",omitzero"`
	H                  string          `msgpack:",omitempty"`
	I                  []int           `msgpack:",omitempty"`
	J                  []int           `msgpack:",omitzero"`
	K                  map[string]int  `msgpack:",omitempty"`
	L                  map[string]int  `msgpack:",omitzero"`
	M                  *int            `msgpack:",omitempty"`
	N                  any             `msgpack:",omitempty"`
	O                  time.Time       `msgpack:",omitempty"`
	P                  time.Time       `msgpack:",omitzero"`
	Q                  [2]int          `msgpack:",omitempty"`
	R                  [2]int          `msgpack:",omitzero"`
	S                  [0]int          `msgpack:",omitempty"`
	T                  ownEmbedded     `msgpack:",omitempty"`
	U                  ownEmbedded     `msgpack:",omitzero"`
	V                  uint16          `msgpack:",omitempty,omitzero"`
	W                  polypack.Object `msgpack:",omitempty"`
	X                  fmt.Stringer    `msgpack:",omitempty"`
	Y                  ownZero         `msgpack:",omitzero"`
	Z                  *ownZero        `msgpack:",omitzero"`
	AnUnusuallyLongKey int             `msgpack:",omitempty"`
	ownEmbedded
}

type ownZero struct{ N int }

func (z ownZero) IsZero() bool { return z.N == 7 }

func TestEngineEncodesOmissions(t *testing.T) {
	n := 1
	full := ownOmissions{
		true, 1, 2, 3, 4, 5, 6, "h", []int{1}, []int{}, map[string]int{"k": 1}, map[string]int{}, &n, "n", time.Unix(1, 2), time.Unix(3, 4),
		[2]int{1}, [2]int{2}, [0]int{}, ownEmbedded{Deep: 1}, ownEmbedded{Deep: 2}, 22, polypack.Object{{Key: 1, Value: 2}},
		time.Second, ownZero{8}, &ownZero{9}, 27, ownEmbedded{28, "o"},
	}
	for _, v := range everyWay(ownOmissions{}) {
		sameEncoding(t, v)
	}
	for _, v := range everyWay(full) {
		sameEncoding(t, v)
	}
	seven := full
	seven.Y, seven.Z = ownZero{7}, &ownZero{7}
	seven.F, seven.G = float32(math.Copysign(0, -1)), math.Copysign(0, -1)
	seven.I, seven.K = []int{}, map[string]int{}
	sameEncoding(t, seven)
	type few struct {
		A, B int `msgpack:",omitempty"`
		C    string
		*ownPointed
	}
	for _, v := range []few{{}, {A: 1}, {B: 1000}, {A: 1, B: 2, C: "c"}, {ownPointed: &ownPointed{5}}} {
		sameEncoding(t, v)
		sameEncoding(t, []few{v, {}, v})
	}
}

// TestEngineEncodesMaps sorts as plans do, also when maps of one size but with other keys are inside each other.
func TestEngineEncodesMaps(t *testing.T) {
	keys := []string{"", "a", "b", "aa", "ab", "ba", "abc", "abd", "abcd", "abce", "abcdefg", "abcdefh", "abcdefgh", "abcdefgi", "abcdefghi",
		"ü", "üü", "\xff", "\x00", "\x00\x00", strings.Repeat("x", 254), strings.Repeat("x", 255), strings.Repeat("x", 256),
		strings.Repeat("x", 300), "y" + strings.Repeat("x", 299), strings.Repeat("x", 299) + "y", "a~b/c"}
	for count := range len(keys) + 1 {
		step := 1 + count/4
		if fewRounds() {
			step *= 4
		}
		for from := 0; from+count <= len(keys); from += step {
			anys, texts, ints, int64s := map[string]any{}, map[string]string{}, map[string]int{}, map[string]int64{}
			floats, bools, lists, structs := map[string]float64{}, map[string]bool{}, map[string][]int{}, map[ownString]ownEmbedded{}
			for i, key := range keys[from : from+count] {
				anys[key], texts[key], ints[key], int64s[key] = i, key, i-5, int64(i)<<40
				floats[key], bools[key], lists[key], structs[ownString(key)] = float64(i), i%2 == 0, []int{i}, ownEmbedded{i, key}
			}
			all := []any{anys, texts, ints, int64s, floats, bools, lists, structs}
			for _, v := range all {
				sameEncoding(t, v)
				sameEncoding(t, []any{v, v})
			}
			sameEncoding(t, append(all, all...))
			sameEncoding(t, append(all, complex(1, 2)))
			anys["deep"] = map[string]any{"x": anys["a"], "y": complex(1, 2)}
			sameEncoding(t, anys)
		}
	}
	nested := map[string]any{"a": 1, "b": map[string]any{"c": 2, "d": map[string]any{"a": 3, "b": 4}}}
	sameEncoding(t, []any{nested, nested, nested["b"], nested, map[string]any{"a": 1, "c": 2}, nested})
	many := map[string]any{}
	for i := range 3000 {
		many[fmt.Sprint("key ", i)] = map[string]any{fmt.Sprint(i): i}
	}
	sameEncoding(t, many)
	sameEncoding(t, map[string]any{"a~b/c": map[string]any{"\xff": []any{complex(1, 2)}}})
	for _, key := range []string{"\xff", "short\xff", "\xffa key of 16 byt", strings.Repeat("long ", 60) + "\x80"} {
		for range 2 * mapsUntilKnown { // keys that are known in the mode Default
			sameEncoding(t, map[string]int{key: 1})
			sameEncoding(t, map[string]string{key: "a", "b": "c"})
			sameEncoding(t, map[string]string{"b": key, "c": "d"})
			sameEncoding(t, map[string]any{key: "a", "b": key})
			sameEncoding(t, map[string]any{"a": []string{"b", key}, "c": map[ownString]any{"d": key}, "e": map[ownString]any{ownString(key): 1}})
		}
		sameEncoding(t, map[string]any{"a": []any{key}}, polypack.Strict, polypack.SortMaps(false))
		sameEncoding(t, map[string]string{"a": key}, polypack.Lossless, polypack.SortMaps(false))
		sameEncoding(t, map[string]string{key: "a"}, polypack.Strict, polypack.SortMaps(false))
		sameEncoding(t, everyWay(key), polypack.Strict)
	}
	for range 3 { // one entry has one order
		sameEncoding(t, map[string]any{"a": map[string]string{"b": "c"}}, polypack.SortMaps(false))
		sameEncoding(t, map[string]any{"a": []any{complex(1, 2)}}, polypack.SortMaps(false))
	}
}

type ownNode struct {
	Next  *ownNode
	Nodes []ownNode
	Map   map[string]*ownNode
	Any   any
}

type ownPointerLoop *ownPointerLoop

// TestEngineEncodesCycles has values that contain themselves, and deep ones.
func TestEngineEncodesCycles(t *testing.T) {
	t.Parallel()
	next, list, mapped, held := &ownNode{}, &ownNode{}, &ownNode{}, &ownNode{}
	next.Next = next
	list.Nodes = []ownNode{{}, {}}
	list.Nodes[1].Nodes = list.Nodes
	mapped.Map = map[string]*ownNode{"a": {}, "b": mapped}
	held.Any = held
	var loop any
	loop = &loop
	anys := []any{1, nil}
	anys[1] = anys
	keyed := map[string]any{}
	keyed["k"] = keyed
	var pointers ownPointerLoop
	pointers = &pointers
	var end any = 1
	for range 80 {
		held := end
		end = &held
	}
	deep := &ownNode{}
	depth := 99_990
	if !goesDeepest() {
		depth = 5000
	}
	for range depth {
		deep = &ownNode{Next: deep}
	}
	for _, v := range []any{next, list, mapped, held, loop, anys, keyed, pointers, end, []any{end}} {
		sameEncoding(t, v)
		sameEncoding(t, v, polypack.MaxDepth(3))
	}
	for i, v := range []any{deep, list, mapped, held, anys, keyed} {
		most := depth + 10
		if i > 0 {
			most = 5000 // one value is enough for the deepest stack
		}
		got, err := polypack.Marshal(v, polypack.MaxDepth(most))
		want, wantErr := polypack.Marshal(v, polypack.MaxDepth(most), polypack.PlansOnly())
		if !bytes.Equal(got, want) || !sameError(err, wantErr) {
			t.Fatalf("%T: %d bytes, error %v; plans: %d bytes, error %v", v, len(got), err, len(want), wantErr)
		}
	}
}

// TestEngineEncodesLengths has lengths that no head holds.
func TestEngineEncodesLengths(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("no slice is too long on a 32-bit machine")
	}
	type empty struct{}
	length := uint64(1) << 33
	tooMany := make([]empty, int(length))
	sameEncoding(t, tooMany)
	sameEncoding(t, map[string]any{"a": tooMany})
}

// TestEngineEncodesAtOnce has goroutines that meet the same types at the same time.
func TestEngineEncodesAtOnce(t *testing.T) {
	type row struct {
		Map  map[string]any
		Ints map[string]int
		List []any
	}
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for j := range 300 {
				key := fmt.Sprint("key ", (i+j)%3)
				v := row{map[string]any{key: j, "b": key}, map[string]int{key: i, "c": j}, make([]any, j)}
				got, err := polypack.Marshal(&v)
				want, wantErr := polypack.Marshal(&v, polypack.PlansOnly())
				if err != nil || wantErr != nil || !bytes.Equal(got, want) {
					t.Errorf("%v: % x, error %v; plans: % x, error %v", v, got, err, want, wantErr)
					return
				}
			}
		}()
	}
	wait.Wait()
}
