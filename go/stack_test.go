package polypack_test

// Plan of the file: the stack. How deep it gets at the highest MaxDepth, with deep input and deep or endless values, on
// every way in and out; and that it may move while the library works on variables that lie on it.

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

const deepest = 100_000 // the highest MaxDepth

// Types that lead to themselves, one for every way of nesting.
type (
	deepSlice  []deepSlice
	deepMap    map[string]deepMap
	deepKinds  map[int8]*deepKinds
	deepStruct struct {
		N *deepStruct
	}
	deepHolder struct {
		N []deepHolder
	}
	deepMethod struct {
		N *deepMethod
	}
	deepArray struct {
		N [1]*deepArray
	}
	deepAny   struct{ N any }
	deepTuple struct {
		_ struct{} `msgpack:",as_array"`
		N *deepTuple
	}
	deepInline struct {
		Rest map[string]deepInline `msgpack:",inline"`
	}
)

func (m *deepMethod) MarshalMsgpackTo(e *polypack.Encoder) error {
	return e.Encode(deepMethodShape{m.N})
}
func (m *deepMethod) UnmarshalMsgpackFrom(d *polypack.Decoder) error {
	var shape deepMethodShape
	err := d.Decode(&shape)
	m.N = shape.N
	return err
}

type deepMethodShape struct{ N *deepMethod }

func deepTargets() []any {
	return []any{new(any), new([]any), new(map[string]any), new(deepSlice), new(deepMap), new(deepKinds), new(deepStruct), new(deepHolder),
		new(deepMethod), new(deepArray), new(deepAny), new(deepTuple), new(deepInline), new(polypack.Object), new(polypack.RawMessage), new(struct{}),
		new(map[any]any), new(interface{ Error() string })}
}

// deepInputs are messages that nest without end, of at least n containers, and what their innermost value is followed
// by.
func deepInputs(n int) map[string][]byte {
	inputs := map[string][]byte{}
	for _, unit := range []string{"\x91", "\x92\xc0", "\x81\xa1N", "\x81\xa1N\x91", "\x81\x01", "\x81\xa1u\x81", "\x82\xa1u\xc0\xa1N", "\x81\xa1k", "\xdd\x00\x00\x00\x01"} {
		inputs[fmt.Sprintf("%x", unit)] = append(bytes.Repeat([]byte(unit), n), 0xc0)
	}
	return inputs
}

// deepOptions are the engines, and the modes that only plans know, all as deep as can be.
func deepOptions(depth int) map[string][]polypack.Option {
	limit := polypack.MaxDepth(depth)
	return map[string][]polypack.Option{
		"engine": {limit}, "plans": {limit, polypack.PlansOnly()}, "strict": {limit, polypack.Strict}, "lossless": {limit, polypack.Lossless},
		"records": {limit, polypack.Records(polypack.RecordsInline)},
	}
}

// packageError asserts that an error is one of the package's.
func packageError(t *testing.T, what string, err error) {
	t.Helper()
	var e *polypack.Error
	if err != nil && !errors.As(err, &e) && !errors.Is(err, polypack.ErrNotFound) {
		t.Errorf("%s: %T %v", what, err, err)
	}
}

func TestDeepInput(t *testing.T) {
	defer deepStacks()()
	for name, opts := range deepOptions(1000) {
		deepInput(t, name, 1000-3, opts)
		deepInput(t, name, 1000+10, opts)
	}
	if goesDeepest() {
		for name := range engines {
			deepInput(t, name, deepest-3, deepOptions(deepest)[name])
		}
	}
}

// deepStacks lets the collector run less often until the test has ended, because each time it scans the deep stack. So
// these tests do not run beside others.
func deepStacks() (end func()) {
	percent := debug.SetGCPercent(800)
	return func() { debug.SetGCPercent(percent) }
}

// goesDeepest reports whether the highest MaxDepth is tried, which takes seconds. It says nothing new in instrumented
// builds, nor in one without the engine: the plain build tries plans as deep. On 32-bit machines a stack may be a
// quarter as large.
func goesDeepest() bool { return !testing.Short() && !instrumented && !purego }

// deepInput reads messages that nest n deep in every way.
func deepInput(t *testing.T, name string, n int, opts []polypack.Option) {
	for unit, data := range deepInputs(n) {
		if n > 10_000 && unit != "91" && unit != "81a14e" && unit != "8101" {
			continue // an array, a struct and a map are enough for the stack
		}
		what := fmt.Sprint(name, " ", n, " × ", unit)
		for _, target := range deepTargets() {
			packageError(t, what, polypack.Unmarshal(data, target, opts...))
		}
		packageError(t, what, polypack.NewDecoder(data, opts...).Skip())
		_, err := polypack.Canonicalize(data, opts...)
		packageError(t, what, err)
		_, _, err = polypack.IsCanonical(data, opts...)
		packageError(t, what, err)
		packageError(t, what, polypack.NewStreamDecoder(bytes.NewReader(data), opts...).Decode(new(any)))
		_, err = polypack.Get(data, strings.Repeat("/0", n/2), opts...)
		packageError(t, what, err)
		_, err = polypack.Get(data, strings.Repeat("/N", n), opts...)
		packageError(t, what, err)
	}
}

// chained returns an any that is the end of hops pointers.
func chained(v any, hops int) any {
	for range hops {
		inner := v
		v = &inner
	}
	return v
}

type (
	pointerToItself   *pointerToItself
	interfaceToItself interface{}
)

// endless returns values that contain themselves.
func endless() map[string]any {
	values := map[string]any{}
	slice := deepSlice{nil}
	slice[0] = slice
	values["slice"] = slice
	m := deepMap{}
	m["N"] = m
	values["map"] = m
	kinds := deepKinds{}
	kinds[1] = &kinds
	values["map by ints"] = kinds
	s := &deepStruct{}
	s.N = s
	values["struct"] = s
	method := &deepMethod{}
	method.N = method
	values["method"] = method
	array := &deepArray{}
	array.N[0] = array
	values["array"] = array
	held := &deepAny{}
	held.N = held
	values["any"] = held
	tuple := &deepTuple{N: nil}
	tuple.N = tuple
	values["tuple"] = tuple
	inline := deepInline{map[string]deepInline{}}
	inline.Rest["N"] = inline
	values["inline"] = inline
	list := []any{nil}
	list[0] = list
	values["[]any"] = list
	anys := map[string]any{}
	anys["N"] = anys
	values["map[string]any"] = anys
	byAny := map[any]any{}
	byAny[1] = byAny
	values["map[any]any"] = byAny
	var i interfaceToItself
	i = &i
	values["pointer to any"] = i
	object := polypack.Object{{Key: "N"}}
	object[0].Value = object
	values["Object"] = object
	// As many pointers between containers as may be.
	for _, hops := range []int{1, 2, 5, 63} {
		far := []any{nil}
		far[0] = chained(far, hops)
		values[fmt.Sprint("[]any behind ", hops, " pointers")] = far
		farMap := map[string]any{}
		farMap["N"] = chained(farMap, hops)
		values[fmt.Sprint("map behind ", hops, " pointers")] = farMap
		farStruct := &deepAny{}
		farStruct.N = chained(farStruct, hops)
		values[fmt.Sprint("struct behind ", hops, " pointers")] = farStruct
	}
	return values
}

func TestEndlessValues(t *testing.T) {
	defer deepStacks()()
	refused := func(what, name string, depth int, v any) {
		_, err := polypack.Marshal(v, deepOptions(depth)[name]...)
		if !errors.Is(err, polypack.CodeLimitExceeded) {
			text := fmt.Sprint(err)
			t.Errorf("%s, %s, depth %d: %s; want CodeLimitExceeded", what, name, depth, text[:min(len(text), 300)])
		}
	}
	for what, v := range endless() {
		for _, depth := range []int{0, 1, 512} {
			for name := range deepOptions(depth) {
				refused(what, name, depth, v)
			}
		}
		for name := range engines {
			if goesDeepest() {
				refused(what, name, deepest, v)
			}
		}
		if _, err := polypack.MarshalCanonical(v); !errors.Is(err, polypack.CodeLimitExceeded) {
			t.Errorf("%s: MarshalCanonical: %v", what, err)
		}
	}
}

// Targets that lead back to themselves.
func TestEndlessTargets(t *testing.T) {
	for name, opts := range engines {
		var p pointerToItself
		p = &p
		packageError(t, name, polypack.Unmarshal([]byte{1}, &p, opts...))
		var i any
		i = &i
		packageError(t, name, polypack.Unmarshal([]byte{1}, &i, opts...))
		s := &deepStruct{}
		s.N = s
		packageError(t, name, polypack.Unmarshal(append(bytes.Repeat([]byte("\x81\xa1N"), 100), 0x80), s, opts...))
		packageError(t, name, polypack.Unmarshal(append(bytes.Repeat([]byte("\x81\xa1N"), 1000), 0x80), s, opts...))
	}
}

func TestDeepValues(t *testing.T) {
	defer deepStacks()()
	depth := deepest - 1
	if !goesDeepest() {
		depth = 5000
	}
	values := map[string]any{}
	var anys any
	var maps any
	var s *deepStruct
	var m *deepMethod
	var list deepSlice
	for range depth {
		anys, maps, s, m, list = []any{anys}, map[string]any{"N": maps}, &deepStruct{s}, &deepMethod{m}, deepSlice{list}
	}
	values["[]any"], values["map[string]any"], values["struct"], values["method"], values["slice"] = anys, maps, s, m, list
	for what, v := range values {
		for name, opts := range deepOptions(deepest) {
			data, err := polypack.Marshal(v, opts...)
			if err != nil {
				t.Errorf("%s, %s: %v", what, name, err)
				continue
			}
			if err := polypack.NewDecoder(data, opts...).Skip(); err != nil {
				t.Errorf("%s, %s: %v", what, name, err)
			}
		}
	}
}

// The stack moves

// A mover lets the stack grow while it is written or read, and lets it shrink again.
type mover struct{ N int64 }

//go:noinline
func dive(depth int) int {
	var frame [256]byte
	if depth == 0 {
		return 0
	}
	frame[depth%256] = byte(depth)
	return dive(depth-1) + int(frame[depth%256]) - int(byte(depth)) + int(frame[(depth+1)%256])
}

func (m *mover) move() {
	dive(50 + int(m.N%7)*40)
	if m.N%13 == 0 {
		runtime.GC() // which shrinks stacks
	}
}

func (m *mover) MarshalMsgpackTo(e *polypack.Encoder) error {
	m.move()
	return e.EncodeInt(m.N)
}

func (m *mover) UnmarshalMsgpackFrom(d *polypack.Decoder) (err error) {
	m.N, err = d.DecodeInt()
	m.move()
	return err
}

type moving struct {
	A     int64
	Name  string
	Moved mover
	After [4]int64
	Next  *mover
	List  []mover
	Tags  []string
	Map   map[string]mover
	Any   any
	Last  string
}

func newMoving(n int64) moving {
	text := strings.Repeat("text", int(n%9))
	return moving{A: n, Name: text, Moved: mover{n + 1}, After: [4]int64{n, -n, n << 20, 3}, Next: &mover{n + 2}, List: []mover{{n + 3}, {n + 4}, {n + 5}},
		Tags: []string{text, "x", text + text}, Map: map[string]mover{"a": {n}, "b": {n + 6}}, Any: []any{n + 1000, text, float64(n) / 3}, Last: text + "!"}
}

// onStack encodes and decodes variables that may lie on the stack, which moves meanwhile.
func onStack(n int64, codec *polypack.Codec[moving], opts []polypack.Option) error {
	local := newMoving(n)
	var buffer [2048]byte
	data, err := codec.Append(buffer[:0], &local)
	if err != nil {
		return err
	}
	if again, err := polypack.Marshal(local, opts...); err != nil || !bytes.Equal(again, data) {
		return fmt.Errorf("%x, then %x, %v", data, again, err)
	}
	var got moving
	if err := codec.Unmarshal(data, &got); err != nil {
		return err
	}
	array := [2]moving{newMoving(n + 1), newMoving(n + 2)}
	both, err := polypack.Append(nil, &array, opts...)
	if err != nil {
		return err
	}
	var gotArray [2]moving
	if err := polypack.Unmarshal(both, &gotArray, opts...); err != nil {
		return err
	}
	var small struct {
		A     int64
		Moved mover
		Last  string
	}
	if err := polypack.NewDecoder(data, opts...).Decode(&small); err != nil {
		return err
	}
	want := newMoving(n)
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(local, want) || !reflect.DeepEqual(gotArray, [2]moving{newMoving(n + 1), newMoving(n + 2)}) ||
		small.A != n || small.Moved.N != n+1 || small.Last != want.Last {
		return fmt.Errorf("got %v, %v, %v; want %v", got, gotArray, small, want)
	}
	return nil
}

func TestStackMoves(t *testing.T) {
	count := 300
	if fewRounds() {
		count = 60
	}
	for name, opts := range engines {
		codec := polypack.MustCodecOf[moving](opts...)
		var group sync.WaitGroup
		var mutex sync.Mutex
		var failures []string
		for i := range count { // each on a stack of its own, as small as it gets
			group.Add(1)
			go func() {
				defer group.Done()
				if err := onStack(int64(i), codec, opts); err != nil {
					mutex.Lock()
					failures = append(failures, err.Error())
					mutex.Unlock()
				}
			}()
		}
		group.Wait()
		slices.Sort(failures)
		if len(failures) > 0 {
			t.Errorf("%s: %d of %d failed, as %s", name, len(failures), count, failures[0])
		}
	}
}
