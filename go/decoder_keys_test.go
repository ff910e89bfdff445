package polypack_test

import (
	"bytes"
	"errors"
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

type arrayKey struct {
	_ struct{} `msgpack:",as_array"`
	X int
	Y string
}

type mapKey struct{ X int }

// TestKeysAreReadLikeValues asserts that a key of a Go map accepts what a value of its type accepts, except nil.
func TestKeysAreReadLikeValues(t *testing.T) {
	for _, c := range []struct {
		key  string
		want any // a map with this key
		// strict is the code in the modes Strict and Lossless; "" if they accept the key.
		strict polypack.Code
	}{
		{"92 01 a178", map[arrayKey]int{{X: 1, Y: "x"}: 5}, ""},
		{"91 01", map[arrayKey]int{{X: 1}: 5}, ""},
		{"93 01 a178 c0", map[arrayKey]int{{X: 1, Y: "x"}: 5}, ""},
		{"82 a158 01 a159 a178", map[arrayKey]int{{X: 1, Y: "x"}: 5}, ""},
		{"90", map[arrayKey]int{{}: 5}, ""},
		{"91 92 01 a178", map[[1]arrayKey]int{{{X: 1, Y: "x"}}: 5}, ""},
		{"81 a158 01", map[mapKey]int{{1}: 5}, ""},
		{"90", map[mapKey]int{{}: 5}, polypack.CodeInvalidKey},
		{"dc0000", map[mapKey]int{{}: 5}, polypack.CodeInvalidKey},
		{"dd00000000", map[mapKey]int{{}: 5}, polypack.CodeInvalidKey},
		{"c402 6162", map[[2]byte]int{{'a', 'b'}: 5}, ""},
		{"a26162", map[[2]byte]int{{'a', 'b'}: 5}, polypack.CodeInvalidKey},
		{"a26162", map[string]int{"ab": 5}, ""},
		{"c402 6162", map[string]int{"ab": 5}, polypack.CodeInvalidKey},
		{"c402 6162", map[any]int{"ab": 5}, polypack.CodeInvalidKey},
		{"a9 3132372e302e302e31", map[netip.Addr]int{netip.AddrFrom4([4]byte{127, 0, 0, 1}): 5}, ""},
		{"c409 3132372e302e302e31", map[netip.Addr]int{netip.AddrFrom4([4]byte{127, 0, 0, 1}): 5}, polypack.CodeInvalidKey},
		{"cb3ff0000000000000", map[int]int{1: 5}, ""},
	} {
		data := append(append([]byte{0x81}, unhex(t, c.key)...), 5)
		for _, mode := range []polypack.Option{polypack.Default, polypack.Strict, polypack.Lossless} {
			target := reflect.New(reflect.TypeOf(c.want))
			err := polypack.Unmarshal(data, target.Interface(), mode)
			if mode != polypack.Default && c.strict != "" {
				wantFault(t, err, c.strict, 1, "")
			} else if err != nil || !reflect.DeepEqual(target.Elem().Interface(), c.want) {
				t.Errorf("%s in mode %v: %v, %v; want %v", c.key, mode, target.Elem(), err, c.want)
			}
		}
	}
	// As a pointer, the key is another one after each reading.
	var pointers map[*arrayKey]int
	if err := polypack.Unmarshal(unhex(t, "81 92 01 a178 05"), &pointers); err != nil || len(pointers) != 1 {
		t.Errorf("%v, %v", pointers, err)
	}
	for key, target := range map[string]any{
		"c0": new(map[arrayKey]int), "c2": new(map[mapKey]int), "91 01": new(map[mapKey]int), "dc0001 01": new(map[mapKey]int),
		"90": new(map[any]int), "93 01 02 03": new(map[[2]byte]int),
	} {
		wantFault(t, polypack.Unmarshal(append(append([]byte{0x81}, unhex(t, key)...), 5), target), polypack.CodeInvalidKey, 1, "")
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "81 dc00"), new(map[mapKey]int)), polypack.CodeUnexpectedEnd, 1, "")
	wantFault(t, polypack.Unmarshal(unhex(t, "81 a3616263 05"), new(map[[2]byte]int)), polypack.CodeTypeMismatch, 1, "")
	// The names of a record are str.
	record := unhex(t, "d47240 91 a26162 05")
	bytesOf := map[[2]byte]int{}
	if err := polypack.Unmarshal(record, &bytesOf, inline); err != nil || bytesOf[[2]byte{'a', 'b'}] != 5 {
		t.Errorf("%v, %v", bytesOf, err)
	}
	wantFault(t, polypack.Unmarshal(record, &bytesOf, inline, polypack.Strict), polypack.CodeInvalidKey, 0, "")
}

// TestArrayKeysRoundTrip writes maps whose keys are written as arrays, and reads them again.
func TestArrayKeysRoundTrip(t *testing.T) {
	want := map[arrayKey]int{{X: 120, Y: "x"}: 5, {X: -1}: 6}
	for _, mode := range []polypack.Option{polypack.Default, polypack.Strict, polypack.Lossless} {
		data := mustMarshal(t, want, mode)
		var got map[arrayKey]int
		if err := polypack.Unmarshal(data, &got, mode); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("mode %v, %x: %v, %v", mode, data, got, err)
		}
		if again := mustMarshal(t, got, mode); !bytes.Equal(again, data) {
			t.Errorf("mode %v: %x became %x", mode, data, again)
		}
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "82 9101 05 9101 06"), new(map[arrayKey]int), polypack.Strict), polypack.CodeDuplicateKey, 4, "/#1")
}

// A foldedName is a key whose method ignores case.
type foldedName string

func (n *foldedName) UnmarshalText(text []byte) error {
	*n = foldedName(strings.ToLower(string(text)))
	return nil
}

// What a method makes equal is a duplicate in maps and records.
func TestFoldedNamesOfRecords(t *testing.T) {
	inline := polypack.Records(polypack.RecordsInline)
	asMap, record, instance := unhex(t, "82 a161 01 a141 02"), unhex(t, "d47240 92 a161 a141 01 02"), unhex(t, "d47240 92 a161 a162 01 02")
	for _, mode := range []polypack.Option{polypack.Strict, polypack.Lossless} {
		wantFault(t, polypack.Unmarshal(asMap, new(map[foldedName]int), inline, mode), polypack.CodeDuplicateKey, 4, "/A")
		wantFault(t, polypack.Unmarshal(record, new(map[foldedName]int), inline, mode), polypack.CodeDuplicateKey, 0, "/A")
		// Entries from before the call aren't duplicates.
		used := map[foldedName]int{"a": 5, "c": 6}
		err := polypack.Unmarshal(instance, &used, inline, mode)
		if err != nil || !reflect.DeepEqual(used, map[foldedName]int{"a": 1, "b": 2, "c": 6}) {
			t.Errorf("%v, %v", used, err)
		}
	}
	folded := map[foldedName]int{"a": 5, "c": 6}
	if err := polypack.Unmarshal(record, &folded, inline); err != nil || folded["a"] != 2 || folded["c"] != 6 {
		t.Errorf("%v, %v", folded, err)
	}
}

// An unhashableName is a key whose method stores what Go can't hash.
type unhashableName struct{ V any }

func (n *unhashableName) UnmarshalText(text []byte) error {
	n.V = [][]byte{text}
	return nil
}

func TestUnhashableKeysOfMethods(t *testing.T) {
	inline := polypack.Records(polypack.RecordsInline)
	for _, mode := range []polypack.Option{polypack.Default, polypack.Strict} {
		wantFault(t, polypack.Unmarshal(unhex(t, "91 81 a161 01"), new([]map[unhashableName]int), inline, mode), polypack.CodeInvalidKey, 2, "/0")
		wantFault(t, polypack.Unmarshal(unhex(t, "91 d47240 91 a161 01"), new([]map[unhashableName]int), inline, mode), polypack.CodeInvalidKey, 1, "/0")
	}
}

// Keys with NaN inside, and a NaN in a map that has one, are new entries in the mode Default, as the doc of Unmarshal
// says.
func TestNaNKeysThatStay(t *testing.T) {
	type holder struct{ F float64 }
	var inside map[holder]int
	nan := "cb7ff8000000000000"
	if err := polypack.Unmarshal(unhex(t, "82 81a146"+nan+"01 81a146"+nan+"02"), &inside); err != nil || len(inside) != 2 {
		t.Error(inside, err)
	}
	used := map[float64]int{math.NaN(): 1}
	if err := polypack.Unmarshal(unhex(t, "82"+nan+"02"+nan+"03"), &used); err != nil || len(used) != 2 {
		t.Error(used, err)
	}
	for _, m := range []any{inside, used} {
		if _, err := polypack.Marshal(m); !errors.Is(err, polypack.CodeDuplicateKey) {
			t.Errorf("%v: %v", m, err)
		}
	}
}

type (
	byteWithExtension uint8
	keyWithMethod     interface{ Area() int }
)

var byteExtension = polypack.Extensions(polypack.NewExtension(6,
	func(dst []byte, b byteWithExtension) ([]byte, error) { return append(dst, byte(b)), nil },
	func(data []byte) (byteWithExtension, error) { return byteWithExtension(data[0]), nil }))

// TestWrittenKeysAreRead reads keys that Marshal writes, also those behind pointers, which Go can hash whatever they
// point to. The keys of the maps are pointers, so their contents are compared as bytes.
func TestWrittenKeysAreRead(t *testing.T) {
	text, number := "x", 5
	textPointer := &text
	var held any = []int{1, 2}
	var nothing any
	for _, opts := range [][]polypack.Option{
		{byteExtension}, {byteExtension, polypack.Strict}, {byteExtension, polypack.Lossless}, {byteExtension, inline}, {byteExtension, polypack.PlansOnly()},
	} {
		for _, m := range []any{
			map[[2]byteWithExtension]int{{1, 2}: 3}, map[*[]byteWithExtension]int{{1, 2}: 3}, map[struct{ B byteWithExtension }]int{{1}: 3},
			map[*byteWithExtension]int{new(byteWithExtension): 3},
			map[*[]int]int{{1}: 3}, map[*[]int]int{{}: 3, nil: 4}, map[*[]byte]int{{'x'}: 3}, map[*map[string]int]int{{"a": 1}: 3},
			map[*polypack.Ext]int{{Type: 5, Data: []byte{1}}: 3}, map[*polypack.Ext]int{{Type: 0x72, Data: []byte{1, 2, 3}}: 3},
			map[*polypack.Object]int{{{Key: "a", Value: 1}}: 3}, map[*polypack.RawMessage]int{{0x91, 0xc0}: 3}, map[*polypack.RawMessage]int{{0xc7, 0, 9}: 3},
			map[*any]int{&held: 3}, map[*any]int{&nothing: 3}, map[**string]int{&textPointer: 3}, map[***int]int{ptr(ptr(&number)): 3},
			map[*[2][]int]int{{{1}, nil}: 3}, map[*struct{ A []int }]int{{A: []int{1}}: 3},
		} {
			data := mustMarshal(t, m, opts...)
			back := reflect.New(reflect.TypeOf(m))
			if err := polypack.Unmarshal(data, back.Interface(), opts...); err != nil {
				t.Errorf("%T %v, % x: %v", m, opts, data, err)
			} else if again := mustMarshal(t, back.Interface(), opts...); !bytes.Equal(again, data) {
				t.Errorf("%T %v: % x became % x", m, opts, data, again)
			}
		}
	}
}

// TestKindsOfKeys asserts that a key of another kind is CodeInvalidKey, and a key of the right kind has the error of a
// value.
func TestKindsOfKeys(t *testing.T) {
	text := polypack.ErrorsAsText(true)
	for _, row := range []struct {
		message string
		target  any
		code    polypack.Code
		opts    []polypack.Option
	}{
		{"81 05 01", new(map[keyWithMethod]int), polypack.CodeInvalidKey, nil},
		{"81 a178 01", new(map[keyWithMethod]int), polypack.CodeInvalidKey, nil},
		{"81 d6ff00000001 01", new(map[keyWithMethod]int), polypack.CodeInvalidKey, nil},
		{"81 c0 01", new(map[keyWithMethod]int), "", nil},
		{"81 d6ff00000001 01", new(map[interface{ String() string }]int), "", nil},
		{"81 05 01", new(map[interface{ String() string }]int), polypack.CodeInvalidKey, nil},
		{"81 05 01", new(map[error]int), polypack.CodeInvalidKey, []polypack.Option{text}},
		{"81 a178 01", new(map[error]int), "", []polypack.Option{text}},
		{"81 a178 01", new(map[error]int), polypack.CodeInvalidKey, nil},
		{"81 05 01", new(map[*[]int]int), polypack.CodeInvalidKey, nil},
		{"81 d40501 01", new(map[*polypack.Object]int), polypack.CodeInvalidKey, nil},
		{"81 d47240 90 01", new(map[*polypack.Ext]int), polypack.CodeInvalidKey, []polypack.Option{inline}},
		{"81 92a178a178 01", new(map[[2]int]int), polypack.CodeTypeMismatch, nil},
		{"81 c403010203 01", new(map[[2]byte]int), polypack.CodeTypeMismatch, nil},
		{"81 cd0100 01", new(map[uint8]int), polypack.CodeOutOfRange, nil},
	} {
		for _, mode := range []polypack.Option{polypack.Default, polypack.Strict, polypack.Lossless} {
			err := polypack.Unmarshal(unhex(t, row.message), row.target, append(row.opts, mode)...)
			var e *polypack.Error
			if row.code == "" && err != nil || row.code != "" && (!errors.As(err, &e) || e.Code != row.code || e.Path != "") {
				t.Errorf("%s into %T: %v, want %q", row.message, row.target, err, row.code)
			}
		}
	}
}

// TestFaultsInKeys asserts that a fault in a key is the one that reading the key as a value finds, however many entries
// the map has and wherever the key stands (spec/07-errors.md#which-fault-wins).
func TestFaultsInKeys(t *testing.T) {
	type pair struct {
		A int8 `msgpack:"a"`
		B any  `msgpack:"b"`
	}
	pieces := []string{
		"01", "a178", "81 a178 01", "c1", "a1ff", "d4 05 01", "d5 ff 0000", "cd 012c", "c0", "82 01 02 01 03", "82 90 02 90 03", "81 90 01",
		"c7 0c ff 00000000 7fffffffffffffff", "d4 72 01", "91 91 cd012c", "82 81a178c1 01 02 03", "a0",
	}
	var keys []string
	for _, p := range pieces {
		for _, q := range pieces {
			keys = append(keys, "92"+p+q, "91 92"+p+q, "82 a161"+p+"a162"+q, "82"+p+"01"+q+"01", "81 92"+p+q+"01", "82 91"+p+"01 91"+p+q)
		}
	}
	failing := polypack.Extensions(polypack.NewExtension(5, encodeNothing[extended],
		func([]byte) (extended, error) { return extended{}, errOwn }))
	for _, row := range []struct {
		target, key any // the target is a map whose keys are read like key
		good        string
		opts        []polypack.Option
	}{
		{new(any), new(any), "07", []polypack.Option{polypack.Lossless}},
		{new(polypack.Object), new(any), "07", nil},
		{new(polypack.Object), new(any), "07", []polypack.Option{polypack.Strict}},
		{new(polypack.Object), new(any), "07", []polypack.Option{polypack.Lossless}},
		{new(map[*any]int), new(any), "07", nil},
		{new(map[*any]int), new(any), "07", []polypack.Option{polypack.Strict}},
		{new(map[*any]int), new(any), "07", []polypack.Option{polypack.Lossless}},
		{new(map[*polypack.Object]int), new(polypack.Object), "80", nil},
		{new(map[*polypack.Object]int), new(polypack.Object), "80", []polypack.Option{polypack.Strict}},
		{new(map[[2]int8]int), new([2]int8), "920709", nil},
		{new(map[[2]int8]int), new([2]int8), "920709", []polypack.Option{polypack.Strict}},
		{new(map[[1][2]int8]int), new([1][2]int8), "91920709", []polypack.Option{polypack.Strict}},
		{new(map[pair]int), new(pair), "81a16109", nil},
		{new(map[pair]int), new(pair), "81a16109", []polypack.Option{polypack.Strict}},
		{new(map[*map[[2]int8]int]int), new(map[[2]int8]int), "80", []polypack.Option{polypack.Lossless}},
		{new(map[*polypack.RawMessage]int), new(polypack.RawMessage), "80", []polypack.Option{polypack.Lossless}},
	} {
		for engine, opts := range engines {
			opts = append(append(slices.Clone(opts), failing, polypack.Records(polypack.RecordsInline)), row.opts...)
			checked := 0
			for _, key := range keys {
				data := unhex(t, key)
				value := reflect.New(reflect.TypeOf(row.key).Elem()).Interface()
				var want, got *polypack.Error
				if !errors.As(polypack.Unmarshal(data, value, opts...), &want) {
					continue
				}
				for _, around := range []struct{ before, after string }{
					{"81", "01"}, {"82", "01" + row.good + "02"}, {"82" + row.good + "02", "01"},
				} {
					message := around.before + key + around.after
					err := polypack.Unmarshal(unhex(t, message), reflect.New(reflect.TypeOf(row.target).Elem()).Interface(), opts...)
					if !errors.As(err, &got) {
						t.Fatalf("%s into %T: %v", message, row.target, err)
					}
					offset := int64(len(around.before) / 2)
					if got.Code == polypack.CodeInvalidKey && got.Offset == offset && want.Code == polypack.CodeTypeMismatch && want.Offset == 0 {
						continue // the whole key
					}
					checked++
					if got.Code != want.Code || got.Offset != want.Offset+offset || got.Path != "" {
						t.Errorf("%s, %s into %T %v: %v, as a value %v", engine, message, row.target, row.opts, got, want)
					}
				}
			}
			if checked < 100 {
				t.Errorf("only %d faults for %T", checked, row.target)
			}
		}
	}
}

// TestLimitsInKeys asserts that the head of a key that exceeds a limit is the fault, not what the key holds.
func TestLimitsInKeys(t *testing.T) {
	for _, row := range []struct {
		message string
		opt     polypack.Option
		code    polypack.Code
		offset  int64
	}{
		{"82 93 c0 c0 c1 01 02 03", polypack.MaxValues(7), polypack.CodeLimitExceeded, 1},
		{"82 93 c0 c0 c1 01 02 03", polypack.MaxValues(8), polypack.CodeReservedByte, 4},
		{"82 01 02 91 91 c1 03", polypack.MaxDepth(2), polypack.CodeLimitExceeded, 4},
		{"82 01 02 91 91 c1 03", polypack.MaxDepth(3), polypack.CodeReservedByte, 5},
		{"82 91 93 c0 c1 01", polypack.MaxDepth(9), polypack.CodeUnexpectedEnd, 2},
		{"82 91 93 c0 c1 01 01 01 01", polypack.MaxDepth(9), polypack.CodeReservedByte, 4},
	} {
		for _, target := range []any{new(any), new(polypack.Object), new(map[*any]int)} {
			wantFault(t, polypack.Unmarshal(unhex(t, row.message), target, polypack.Lossless, row.opt), row.code, row.offset, "")
		}
	}
}
