package polypack_test

// What the engine watches for in strict and lossless mode and under limits, beyond what engine_decode_fuzz_test.go
// makes up.

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// twiceTargets have keys that are fields, and keys that are not.
func twiceTargets() []any {
	type inner struct{ A, B int }
	return []any{
		new(struct{ A, B, C int }), new(struct{ B, A any }), new(any), new(map[string]any), new(map[string]int), new(map[namedString]*inner),
		new(map[namedString][]any), new(map[any]any), new(struct{}), new([]struct{ B, C, A string }),
	}
}

// TestEngineSeesKeysTwice tries all short sequences of a few keys.
func TestEngineSeesKeysTwice(t *testing.T) {
	t.Parallel()
	keys := []string{"\xa1A", "\xa1B", "\xa1C", "\xd9\x01A", "\xa1x", "\xa0", "\x01", "\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", "\xa1\xff"}
	values := []string{"\x05", "\x81\xa1A\x01", "\xa1\xc3", "\xc1"}
	most := 4
	if fewRounds() {
		most = 3
	}
	var try func(data string, count int)
	try = func(data string, count int) {
		message := string([]byte{0x80 | byte(count)}) + data
		for _, in := range []string{message, "\x91" + message, "\x82\xa1x" + message + "\xa1x\x01", "\x82\xa1A" + message + "\xa1A\x01"} {
			fast, slow := twiceTargets(), twiceTargets()
			which := (len(in) + int(in[len(in)-1])) % len(fast)
			sameDecoding(t, []byte(in), fast[which], slow[which], polypack.Strict)
			sameDecoding(t, []byte(in), new(struct{ A, B, C any }), new(struct{ A, B, C any }), polypack.Strict)
		}
		if count == most {
			return
		}
		for i, key := range keys {
			try(data+key+values[(i*3+count+len(data))%len(values)%(1+count)], count+1)
		}
	}
	try("", 0)
}

// TestEngineSeesFieldsTwice has structs of every width at which something else is done, whose fields come in any order.
func TestEngineSeesFieldsTwice(t *testing.T) {
	t.Parallel()
	r, rounds := rand.New(rand.NewPCG(7, 7)), 60
	if fewRounds() {
		rounds = 6
	}
	for _, count := range []int{1, 2, 63, 64, 65, 128, 129, 200, 201, 300} {
		names := make([]string, count)
		for i := range names {
			names[i] = fmt.Sprint("field ", i)
		}
		for range rounds {
			keys := append([]string(nil), names...)
			for range r.IntN(4) { // leave some out
				at := r.IntN(len(keys))
				keys = append(keys[:at], keys[min(len(keys), at+1+r.IntN(3)):]...)
				keys = append(keys, names[r.IntN(count)])
			}
			for range r.IntN(4) {
				i, j := r.IntN(len(keys)), r.IntN(len(keys))
				keys[i], keys[j] = keys[j], keys[i]
			}
			for i := range r.IntN(20) {
				at := r.IntN(len(keys) + 1)
				keys = append(keys[:at:at], append([]string{fmt.Sprint("unknown ", i)}, keys[at:]...)...)
			}
			for range r.IntN(3) {
				at := r.IntN(len(keys) + 1)
				keys = append(keys[:at:at], append([]string{keys[r.IntN(len(keys))]}, keys[at:]...)...)
			}
			sameDecoding(t, entries(t, keys...), structNamed(names), structNamed(names), polypack.Strict)
		}
	}
}

// A counted is read by a method, which notes what it reads in countedCalls.
type counted struct{}

var countedCalls []string

func (c *counted) UnmarshalMsgpack(data []byte) error {
	countedCalls = append(countedCalls, fmt.Sprintf("%x", data))
	return nil
}

// TestDuplicatesAndMethods asserts that a method or function runs as often as it does without the engine, whatever is
// at fault.
func TestDuplicatesAndMethods(t *testing.T) {
	extension := polypack.NewExtension(9, encodeNothing[unowned], func(data []byte) (unowned, error) {
		countedCalls = append(countedCalls, fmt.Sprintf("extension %x", data))
		return unowned{}, nil
	})
	type holder struct {
		A counted
		M map[string]counted
		N map[namedString][]counted
		I map[int]*counted
		X any
		Y map[string]any
		Z map[namedString]any
	}
	const ext = "\xd4\x09\x01"
	for _, in := range []string{
		"\x82\xa1A\x01\xa1A\x02", "\x83\xa1A\x01\xa1B\x02\xa1A\x03", "\x83\xa1M\x82\xa1a\x01\xa1b\x02\xa1A\x03\xa1M\x80",
		"\x81\xa1M\x83\xa1a\x01\xa1b\x02\xa1a\x03", "\x81\xa1N\x83\xa1a\x92\x01\x02\xa1b\x91\x02\xa1a\x91\x03", "\x81\xa1N\x82\xa1a\x91\x02\xa1a\x91\xc1",
		"\x81\xa1I\x83\x01\x01\x02\x02\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00\x03", "\x81\xa1I\x83\x01\x01\x02\x02\xd0\x01\x03",
		"\x81\xa1X\x82\xa1a" + ext + "\xa1a" + ext, "\x81\xa1Y\x82\xa1a" + ext + "\xa1a" + ext, "\x81\xa1Z\x82\xa1a\x91" + ext + "\xa1a\x91" + ext,
		"\x81\xa1X\x81\xa1k\x82\xa1a" + ext + "\xa1a\xc1", "\x81\xa1Y\x83\xa1a" + ext + "\xa1b\x81\x01" + ext + "\xa1a" + ext,
	} {
		for _, opts := range [][]polypack.Option{{polypack.Strict}, {polypack.Lossless}, {polypack.Strict, polypack.Extensions(extension)},
			{polypack.Strict, polypack.MaxValues(8), polypack.Extensions(extension)}, nil} {
			var found [2]string
			for i, more := range [][]polypack.Option{nil, {polypack.PlansOnly()}} {
				countedCalls = nil
				var v holder
				err := polypack.Unmarshal([]byte(in), &v, append(append([]polypack.Option{}, opts...), more...)...)
				found[i] = fmt.Sprintf("%v %v %+v", countedCalls, err, reflect.ValueOf(v.M))
			}
			if found[0] != found[1] {
				t.Errorf("%x: the engine\n%s\nthe plan\n%s", in, found[0], found[1])
			}
		}
	}
}

// TestWatchCountsValuesOfMethods has MaxValues hold for what methods decode with the Decoder that they get, to the last
// value.
func TestWatchCountsValuesOfMethods(t *testing.T) {
	data := mustMarshal(t, []any{[]any{1, 2, map[string]any{"a": []any{"b"}}}, "text", []any{[]any{}, []any{1}}})
	for most := 1; most < 20; most++ {
		for _, target := range []func() any{
			func() any { return new([]methodAny) }, func() any { return new([]any) }, func() any { return new([3]any) },
			func() any { return new([]polypack.RawMessage) }, func() any { return new([2]any) },
		} {
			sameDecoding(t, data, target(), target(), polypack.MaxValues(most))
			sameDecoding(t, data, target(), target(), polypack.MaxValues(most), polypack.Strict, polypack.Config{MaxArrayLen: 2})
		}
	}
}

// TestWatchOfNames has fields whose names are longer than a str may be, or not UTF-8.
func TestWatchOfNames(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, names := range [][]string{{"a", long, "b"}, {"a", `\xff`, "b"}, {"a", "\\xc3" + strings.Repeat("y", 20), "b"}} {
		keys := make([]string, len(names))
		for i, name := range names {
			keys[i] = strings.NewReplacer(`\xff`, "\xff", `\xc3`, "\xc3").Replace(name)
		}
		data := entries(t, keys...)
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Config{MaxStringLen: 39}}, {polypack.Config{MaxStringLen: 40}},
			{polypack.Config{MaxStringLen: 41}}, {polypack.Strict, polypack.RejectUnknown(true)}} {
			sameDecoding(t, data, structNamed(names), structNamed(names), opts...)
		}
	}
}
