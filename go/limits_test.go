package polypack_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// bombs are invalid messages under 100 KB made to cost more than they weigh.
func bombs() map[string][]byte {
	nested := func(unit []byte, length int) []byte { return bytes.Repeat(unit, length/len(unit)) }
	nearly := func(head byte, each, length int) []byte { // every head promises what would just fit
		var b []byte
		for left := length; left > 16; left -= 5 {
			b = binary.BigEndian.AppendUint32(append(b, head), uint32(min(each, (left-5)/2)))
		}
		return append(b, make([]byte, length-len(b))...)
	}
	return map[string][]byte{
		"array of four billion": {0xdd, 0xff, 0xff, 0xff, 0xff},
		"map of four billion":   {0xdf, 0xff, 0xff, 0xff, 0xff},
		"str of four billion":   {0xdb, 0xff, 0xff, 0xff, 0xff},
		"bin of four billion":   {0xc6, 0xff, 0xff, 0xff, 0xff},
		"ext of four billion":   {0xc9, 0xff, 0xff, 0xff, 0xff, 0x05},
		"arrays in arrays":      nested([]byte{0xdc, 0xff, 0xff}, 72_000),
		"arrays that fit":       nearly(0xdd, 1024, 99_000),
		"maps that fit":         append(nearly(0xdf, 512, 90_000), 0xc1),
		"fixarrays":             nested([]byte{0x91}, 99_000),
		"maps as keys":          nested([]byte{0x81}, 99_000),
		"keys that nest":        keysThatNest(),
		"int keys, then c1":     intKeys(),
		"long names in keys":    longNamesInKeys(),
	}
}

// longNamesInKeys declares a record with a long name and repeats instances of it inside two equal keys: written out,
// the keys would take 600 MB.
func longNamesInKeys() []byte {
	b := append([]byte{0x92, 0xd4, 0x72, 0x40, 0x91, 0xda, 0x75, 0x30}, bytes.Repeat([]byte{'a'}, 30_000)...)
	b = append(b, 0xc0, 0x82)
	for range 2 {
		b = append(append(b, 0xdc, 0x27, 0x10), bytes.Repeat([]byte{0x40, 0xc0}, 10_000)...)
		b = append(b, 0xc0)
	}
	return b
}

// keysThatNest is a map whose key is a map whose key … is a long array, with a fault near its end.
func keysThatNest() []byte {
	b := append(bytes.Repeat([]byte{0x81}, 500), 0xdd, 0, 1, 0x5f, 0x90)
	b = append(b, make([]byte, 90_000-1)...)
	return append(append(b, 0xc1), make([]byte, 500)...)
}

// intKeys is a map with distinct keys and a fault at the end.
func intKeys() []byte {
	b := []byte{0xde, 0x75, 0x30}
	for i := range 30_000 - 1 {
		b = append(b, 0xcd, byte(i>>8), byte(i), 0xc0)
		if len(b) > 99_000 {
			b[1], b[2] = byte((i+2)>>8), byte(i+2)
			break
		}
	}
	return append(b, 0xc1, 0xc0)
}

// TestBombs refuses bombs on every way in, quickly and without taking memory on their word
// (spec/06-limits.md#cost-of-bad-input).
func TestBombs(t *testing.T) {
	type node struct {
		A []node
		M map[string]node
		N map[int][]any
	}
	targets := map[string]func() any{
		"any": func() any { return new(any) }, "Object": func() any { return new(polypack.Object) }, "struct": func() any { return new(node) },
		"[]int64": func() any { return new([]int64) }, "[][128]int64": func() any { return new([][128]int64) },
		"map[string]any": func() any { return new(map[string]any) }, "map[any]any": func() any { return new(map[any]any) },
		"[][][]string": func() any { return new([][][]string) },
	}
	for name, data := range bombs() {
		for _, opts := range [][]polypack.Option{{}, {polypack.Strict}, {polypack.Lossless}, {polypack.Lossless, polypack.Records(polypack.RecordsInline)}} {
			label := fmt.Sprintf("%s, %d options", name, len(opts))
			for target, make := range targets {
				refuse(t, label+", into "+target, data, func() error { return polypack.Unmarshal(data, make(), opts...) })
			}
			refuse(t, label+", skip", data, func() error { return polypack.NewDecoder(data, opts...).Skip() })
			refuse(t, label+", canonical", data, func() error { _, err := polypack.Canonicalize(data, opts...); return err })
			refuse(t, label+", stream", data, func() error {
				return polypack.NewStreamDecoder(bytes.NewReader(data), opts...).Decode(new(any))
			})
		}
	}
}

// refuse asserts that call fails with an *Error, in memory that is bounded. Time is not measured, because other
// processes take part of it: quadratic work takes seconds in one call, and in all of them longer than go test waits.
func refuse(t *testing.T, name string, data []byte, call func() error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := call()
	runtime.ReadMemStats(&after)
	if _, ok := err.(*polypack.Error); !ok {
		t.Errorf("%s: %v", name, err)
	}
	// What was decoded before the fault may weigh about 80 times its bytes (an entry with an int as key and nil).
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<20+80*uint64(len(data)) {
		t.Errorf("%s: %d bytes allocated for %d bytes of input", name, spent, len(data))
	}
}

// TestCountsBeyondInt declares counts and lengths that no int of 32 bits holds: made an int before it is compared, such
// a number is negative and seems to fit.
func TestCountsBeyondInt(t *testing.T) {
	type target struct {
		Array  []int
		Map    map[string]int
		Text   string
		Bytes  []byte
		Fixed  [4]int
		Nested *target
	}
	for _, head := range []byte{0xdd, 0xdf, 0xdb, 0xc6, 0xc9} {
		for _, count := range []uint32{1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 2, 1<<32 - 1} {
			value := append(binary.BigEndian.AppendUint32([]byte{head}, count), make([]byte, 40)...)
			ways := map[string]func([]byte) error{"Skip": func(data []byte) error { return polypack.NewDecoder(data).Skip() }}
			for _, into := range []func() any{func() any { return new(any) }, func() any { return new([]any) }, func() any { return new([]string) },
				func() any { return new([]int) }, func() any { return new(map[string]any) }, func() any { return new(map[int]string) },
				func() any { return new(string) }, func() any { return new([]byte) }, func() any { return new([2]int) }, func() any { return new(target) },
				func() any { return new(polypack.RawMessage) }, func() any { return new(polypack.Ext) }, func() any { return new(polypack.Object) }} {
				for _, opts := range [][]polypack.Option{nil, {polypack.PlansOnly()}, {polypack.Strict}, {polypack.Lossless}, {polypack.Records(polypack.RecordsInline)}} {
					ways[fmt.Sprintf("%T with %d options", into(), len(opts))] = func(data []byte) error { return polypack.Unmarshal(data, into(), opts...) }
				}
			}
			for name, way := range ways {
				if err := way(value); err == nil {
					t.Errorf("%s reads % x", name, value[:5])
				}
			}
			wantFault(t, polypack.Unmarshal(value, new(any)), polypack.CodeUnexpectedEnd, 0, "")
			wantFault(t, polypack.NewDecoder(value).Skip(), polypack.CodeUnexpectedEnd, 0, "")
			wantFault(t, polypack.Unmarshal(append([]byte{0x81, 0xa1, 'x'}, value...), new(struct{})), polypack.CodeUnexpectedEnd, 3, "/x")
			_, _, err := polypack.IsCanonical(value)
			wantFault(t, err, polypack.CodeUnexpectedEnd, 0, "")
			for _, field := range []string{"Array", "Map", "Text", "Bytes", "Fixed"} {
				data := append([]byte{0x81, 0xa0 | byte(len(field))}, field...)
				if polypack.Unmarshal(append(data, value...), new(target)) == nil {
					t.Errorf("field %s reads % x", field, value[:5])
				}
			}
		}
	}
	record := append([]byte{0xd4, 0x72, 0x40, 0xdd, 0x80, 0, 0, 1}, make([]byte, 20)...)
	wantFault(t, polypack.Unmarshal(record, new(any), polypack.Records(polypack.RecordsInline)), polypack.CodeUnexpectedEnd, 3, "")
}

func TestLimitOrder(t *testing.T) {
	for _, c := range []struct {
		in     string
		code   polypack.Code
		offset int64
		path   string
		opts   []polypack.Option
	}{
		{"93 a161 91 01", polypack.CodeUnexpectedEnd, 3, "/1", nil},
		{"91 9a", polypack.CodeLimitExceeded, 1, "/0", []polypack.Option{polypack.MaxDepth(1)}},
		{"91 dc00", polypack.CodeUnexpectedEnd, 1, "/0", []polypack.Option{polypack.MaxDepth(1)}},
		{"92 9a 00", polypack.CodeUnexpectedEnd, 1, "/0", []polypack.Option{polypack.MaxValues(3)}},
		{"92 91 01 00", polypack.CodeLimitExceeded, 1, "/0", []polypack.Option{polypack.MaxValues(3)}},
		{"81 a161 9101", polypack.CodeLimitExceeded, 3, "/a", []polypack.Option{polypack.MaxValues(3)}},
	} {
		for _, target := range []any{new(any), new(polypack.Object), &map[string]any{}, &map[string][]int{}, &struct{ A []int }{}, &[]any{}, &[][]int{}} {
			err := polypack.Unmarshal(unhex(t, c.in), target, c.opts...)
			if e, ok := err.(*polypack.Error); ok && e.Code == polypack.CodeTypeMismatch && e.Offset < c.offset {
				continue
			}
			wantFault(t, err, c.code, c.offset, c.path)
		}
		wantFault(t, polypack.NewDecoder(unhex(t, c.in), c.opts...).Skip(), c.code, c.offset, c.path)
		_, err := polypack.Canonicalize(unhex(t, c.in), c.opts...)
		wantFault(t, err, c.code, c.offset, c.path)
	}
}

// TestDeepest opens as many containers as can be asked for: the stack must hold on every machine.
func TestDeepest(t *testing.T) {
	type list struct{ L *list }
	const depth = 100_000
	deep := polypack.MaxDepth(depth)
	arrays := append(bytes.Repeat([]byte{0x91}, depth), 0xc0)
	lists := append(bytes.Repeat([]byte{0x81, 0xa1, 'L'}, depth), 0xc0)
	var v any
	if err := polypack.Unmarshal(arrays, &v, deep); err != nil {
		t.Fatal(err)
	}
	if got := mustMarshal(t, v, deep); !bytes.Equal(got, arrays) {
		t.Error("arrays came back different")
	}
	var l list
	if err := polypack.Unmarshal(lists, &l, deep); err != nil {
		t.Fatal(err)
	}
	if got := mustMarshal(t, l, deep); !bytes.Equal(got, lists) {
		t.Error("structs came back different")
	}
	if err := polypack.NewDecoder(lists, deep).Skip(); err != nil {
		t.Error(err)
	}
	if got, err := polypack.Canonicalize(lists, deep); err != nil || !bytes.Equal(got, lists) {
		t.Error(err)
	}
	wantFault(t, polypack.Unmarshal(append([]byte{0x91}, arrays...), &v, deep), polypack.CodeLimitExceeded, depth, string(bytes.Repeat([]byte("/0"), 2048))+"/…")
}

// TestGrowthInBytes asserts that big elements are not preallocated by the thousand.
func TestGrowthInBytes(t *testing.T) {
	data := append([]byte{0xdc, 0x03, 0xff}, bytes.Repeat([]byte{0xc3}, 1023)...) // 1023 bools
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var v [][4096]int64
	wantFault(t, polypack.Unmarshal(data, &v), polypack.CodeTypeMismatch, 3, "/0")
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 256<<10 {
		t.Errorf("%d bytes allocated before the first element", spent)
	}
}

// Containers larger than what is preallocated lose nothing when they grow.
func TestLargeContainers(t *testing.T) {
	const count = 20_000
	array := make([]any, count)
	names, numbers, ordered := make(map[string]any, count), make(map[any]any, count), make(polypack.Object, count)
	for i := range count {
		n := int64(i)
		array[i], names[fmt.Sprint(i)], numbers[n], ordered[i] = n, n, n, polypack.Entry{Key: n, Value: n}
	}
	for _, test := range []struct {
		value any
		opt   polypack.Option
	}{
		{array, polypack.Default}, {names, polypack.Strict}, {names, polypack.Lossless}, {numbers, polypack.Default},
		{ordered, polypack.Lossless},
	} {
		var got any
		if err := polypack.Unmarshal(mustMarshal(t, test.value), &got, test.opt); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, test.value) {
			t.Errorf("%T is another after a round trip", test.value)
		}
	}
}
