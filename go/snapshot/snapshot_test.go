package snapshot_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/described"
	"github.com/polypack/polypack/go/snapshot"
)

func decode(t testing.TB, text string, options ...snapshot.Option) any {
	t.Helper()
	value, err := snapshot.Decode(unhex(t, "c1530100"+text), options...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func TestArrays(t *testing.T) {
	for text, want := range map[string]any{
		"82 05 c8 000000000000f83f": []any{int64(5), 1.5},
		"80":                        []any{},
		"ce 02 42 6964 41 61 07 c3": &snapshot.Map{Keys: []any{"id", "a"}, Values: []any{int64(7), true}},
		"d6 02 00 05 41 78 01 02":   &snapshot.Map{Keys: []any{int64(5), "x"}, Values: []any{int64(1), int64(2)}},
		"d6 02 00 00 01 01 02":      []any{int64(1), int64(2)},
		"d6 01 00 41 ff 05":         &snapshot.Map{Keys: []any{"\xff"}, Values: []any{int64(5)}},
		"d4 02 02 00 40 ffffffffffffffff 0000000000000080": []any{int64(-1), int64(math.MinInt64)},
		"d4 02 03 02 02 00":                                 []any{int64(1), int64(2)},
		"d4 02 01 81 05":                                    []any{[]any{int64(5)}, []any{int64(5)}},
		"82 d2 44 53756974 41 48 d2 90 41 48":               []any{snapshot.Case{Class: "Suit", Name: "H"}, snapshot.Case{Class: "Suit", Name: "H"}},
		"d7 02 00 05 06 82 01 00 08 07":                     &snapshot.Map{Keys: []any{int64(5), int64(6)}, Values: []any{int64(7), nil}},
		"d8 01 00 41 78 ce 01 41 61 00 05":                  &snapshot.Map{Keys: []any{"x"}, Values: []any{&snapshot.Map{Keys: []any{"a"}, Values: []any{int64(5)}}}},
		"d5 02 ce 02 41 61 41 62 02 00 08 01 02 01 42 7878": []any{row(1, "xx"), row(2, "xx")},
		"d6 02 07 01 01 01 78 79 c0 c3":                     &snapshot.Map{Keys: []any{"x", "y"}, Values: []any{nil, true}},
		"d4 09 02 00 07 80 00 e0 1f 00 00 02 01":            []any{int64(0), int64(1), int64(0), int64(127), int64(1), int64(0), int64(0), int64(1), int64(1)},
		"d4 01 02 01 38 ff ff ff ff ff ff ff":               []any{int64(1)<<56 - 2},
		"ca 02 6162":                                        "ab",
	} {
		if got := decode(t, text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", text, described.Of(got), described.Of(want))
		}
	}
}

func row(a int64, b string) *snapshot.Map {
	return &snapshot.Map{Keys: []any{"a", "b"}, Values: []any{a, b}}
}

func TestMapMethods(t *testing.T) {
	m := decode(t, "d6 02 00 05 41 78 01 02").(*snapshot.Map)
	if value, ok := m.Get(int64(5)); value != int64(1) || !ok {
		t.Errorf("got %v %v", value, ok)
	}
	if value, ok := m.Get("5"); ok {
		t.Errorf("got %v", value)
	}
	var keys []any
	for key := range m.All() {
		keys = append(keys, key)
	}
	if !slices.Equal(keys, []any{int64(5), "x"}) {
		t.Errorf("got %v", keys)
	}
	for range m.All() {
		break
	}
}

func TestObjects(t *testing.T) {
	o := decode(t, "cf 43 417070 00 02 02 01 43 005800 41 35 41 63 01 02").(*snapshot.Object)
	want := snapshot.Class{Name: "App", Properties: []string{"\x00X\x00", "5"}, Absent: []string{"c"}}
	if !reflect.DeepEqual(*o.Class, want) || !slices.Equal(o.Values, []any{int64(1), int64(2)}) {
		t.Errorf("got %v %v", o.Class, o.Values)
	}
	if value, ok := o.Get("5"); value != int64(2) || !ok {
		t.Errorf("got %v %v", value, ok)
	}
	if _, ok := o.Get("c"); ok {
		t.Error("an absent property has a value")
	}
	data := decode(t, "d0 41 41 00 82 01 02").(*snapshot.Object)
	if value, ok := data.Data(); !ok || !reflect.DeepEqual(value, []any{int64(1), int64(2)}) {
		t.Errorf("got %v", value)
	}
	if _, ok := data.Get(""); ok {
		t.Error("data are no properties")
	}
	old := decode(t, "d1 41 41 42 6162").(*snapshot.Object)
	if text, ok := old.Bytes(); !ok || text != "ab" {
		t.Errorf("got %q", text)
	}
	if _, ok := old.Data(); ok {
		t.Error("bytes are no data")
	}
	many := decode(t, "d0 41 41 01 d6 02 00 05 41 78 01 02").(*snapshot.Object)
	if value, ok := many.Get("5"); !ok || value != int64(1) {
		t.Errorf("got %v", value)
	}
	if _, ok := many.Bytes(); ok {
		t.Error("properties are no bytes")
	}
}

func TestIdentity(t *testing.T) {
	o := decode(t, "cf 41 41 00 01 01 00 41 6f dc 00").(*snapshot.Object)
	if value, _ := o.Get("o"); value != o {
		t.Error("an object in itself is another")
	}
	list := decode(t, "82 da 82 05 db 00 db 00").([]any)
	inner := list[0].([]any)
	inner[0] = "changed"
	if list[1].([]any)[0] != "changed" || inner[1].([]any)[0] != "changed" {
		t.Error("a referenced list is not the same list")
	}
	for _, text := range []string{"81 da ce 01 41 61 db 00", "81 da d6 01 00 05 db 00"} {
		m := decode(t, text).([]any)[0].(*snapshot.Map)
		if m.Values[0] != m {
			t.Errorf("%s: a map in itself is another", text)
		}
	}
	rows := decode(t, "81 da d5 01 ce 01 41 61 00 db 00").([]any)[0].([]any)
	if again := rows[0].(*snapshot.Map).Values[0].([]any); again[0] != rows[0] {
		t.Error("a table in itself is another")
	}
	equal := decode(t, "82 ce 01 41 61 81 05 60 d9").([]any)
	first, _ := equal[0].(*snapshot.Map).Get("a")
	first.([]any)[0] = "changed"
	if second, _ := equal[1].(*snapshot.Map).Get("a"); second.([]any)[0] != int64(5) {
		t.Error("equal arrays are one")
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	_, err := snapshot.Decode(unhex(t, "c1530100 8105c0"))
	want := `polypack: trailing_data, at byte 6: 1 bytes follow the value; the input is damaged, or was not written by Polypack`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	_, err = snapshot.Decode(nil)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, polypack.CodeUnexpectedEnd) {
		t.Errorf("got %v", err)
	}
	_, err = snapshot.Decode(unhex(t, "c14501"))
	if err == nil || !strings.Contains(err.Error(), "DecodeSigned") {
		t.Errorf("got %v", err)
	}
}

func TestASnapshotWithoutASignatureIsNamed(t *testing.T) {
	_, err := snapshot.DecodeSigned(unhex(t, "c1530100c0"), snapshot.Keys{"": make([]byte, 16)})
	var fault *polypack.Error
	if !errors.As(err, &fault) || fault.Code != polypack.CodeInvalidSignature || !strings.Contains(err.Error(), "a snapshot without a signature") {
		t.Errorf("got %v", err)
	}
}

func TestWrongUse(t *testing.T) {
	key := make([]byte, 16)
	data := unhex(t, "c1530100c0")
	for name, keys := range map[string]snapshot.Keys{
		"none": {}, "short": {"": key[:15]}, "space": {"a b": key}, "long id": {strings.Repeat("a", 33): key},
	} {
		var usage *polypack.UsageError
		if _, err := snapshot.DecodeSigned(data, keys); !errors.As(err, &usage) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	var usage *polypack.UsageError
	if _, err := snapshot.DecodeSigned(data, snapshot.Keys{"": key}, snapshot.PlainFrame(), snapshot.Purpose("p")); !errors.As(err, &usage) {
		t.Errorf("a plain frame with a purpose: got %v", err)
	}
	for name, option := range map[string]snapshot.Option{
		"nil": nil, "depth": snapshot.MaxDepth(-1), "deep": snapshot.MaxDepth(10_001), "elements": snapshot.MaxElements(-1),
	} {
		var usage *polypack.UsageError
		if _, err := snapshot.Decode(data, option); !errors.As(err, &usage) {
			t.Errorf("%s: got %v", name, err)
		}
		if _, err := snapshot.DecodeSigned(data, snapshot.Keys{"": key}, option); !errors.As(err, &usage) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// repeated returns a list of a first value and copies of a unit.
func repeated(t testing.TB, first, unit string, times int) []byte {
	count := times
	if first != "" {
		count++
	}
	data := binary.AppendUvarint(unhex(t, "c1530100 d3"), uint64(count))
	data = append(data, unhex(t, first)...)
	return append(data, slices.Repeat(unhex(t, unit), times)...)
}

// The most that a byte of input and a value that costs none may take, as SECURITY.md says. A byte is two containers at
// worst: a row of a table, and what stands in its only cell.
const (
	mostPerByte    = 125
	mostPerElement = 50
)

// cellsOf returns a table with a mixed column, of which each cell is the same byte, behind values that come first.
func cellsOf(t testing.TB, before, shape, cell string, times int) []byte {
	data := binary.AppendUvarint(unhex(t, "c1530100"+before+"d5"), uint64(times))
	return slices.Concat(data, unhex(t, shape+"00"), slices.Repeat(unhex(t, cell), times))
}

// wideTable returns a table of arrays with a column that costs a byte for each row, and columns that are charged.
func wideTable(t testing.TB, rows, columns int, charged string) []byte {
	data := binary.AppendUvarint(unhex(t, "c1530100 d5"), uint64(rows))
	data = append(data, 0xce, byte(columns+1))
	for i := range columns + 1 {
		data = append(data, 0x41, 0x80+byte(i))
	}
	data = slices.Concat(data, unhex(t, "02 00 08"), bytes.Repeat([]byte{5}, rows))
	return append(data, unhex(t, strings.Repeat(charged, columns))...)
}

func TestMemoryPerByte(t *testing.T) {
	for name, unit := range map[string][2]string{
		"ints": {"", "05"}, "empty lists": {"", "80"}, "lists": {"", "81 05"}, "rows": {"ce 01 41 61 05", "60 05"},
		"objects": {"cf 41 41 00 01 01 00 41 61 05", "60 05"}, "empty objects": {"cf 41 41 00 00 00 00", "60"},
		"strings": {"", "42 7878"}, "strings again": {"42 7878", "90"}, "maps": {"", "d6 01 00 05 05"},
		"shapes": {"", "ce 01 41 61 05"}, "cases": {"", "d2 40 40"}, "objects of bytes": {"", "d1 40 40"},
		"references": {"", "da 05"}, "data": {"d0 41 41 00 80", "60 80"}, "wide ints": {"", "c5 0001"},
		"many properties": {"d0 41 41 01 80", "60 80"},
	} {
		checkMemory(t, name, repeated(t, unit[0], unit[1], 100_000), 0)
	}
	row, object, empty := "ce 01 41 61", "cf 41 41 00 01 00 00 41 61", "82 cf 41 41 00 00 00 00"
	checkMemory(t, "table of nulls", cellsOf(t, "", row, "c0", 100_000), 0)
	checkMemory(t, "table of empty lists", cellsOf(t, "", object, "80", 100_000), 0)
	checkMemory(t, "table of rows with objects", cellsOf(t, empty, row, "60", 100_000), 0)
	checkMemory(t, "table of objects with objects", cellsOf(t, empty, object, "60", 100_000), 0)
	checkMemory(t, "arrays again", repeated(t, "ce 01 41 61 81 05", "60 d9", 100_000), 2*100_000)
	for name, column := range map[string]string{"map": "01 d6 01 00 05 05", "list": "01 81 05"} {
		checkMemory(t, "constant "+name, wideTable(t, 1<<13, 31, column), 2*31<<13)
	}
	for name, column := range map[string]string{
		"range": "03 fe ff ff ff ff ff ff ff ff 01 00 00", "decimals": "06 01 03 00 02 00", "empty list": "01 80",
	} {
		checkMemory(t, name, wideTable(t, 1<<14, 31, column), 31<<14)
	}
}

// checkMemory decodes data, in which so many values cost no bytes, and compares what that allocates with the bound.
func checkMemory(t *testing.T, name string, data []byte, charged int) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	value, err := snapshot.Decode(data)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	used := float64(after.TotalAlloc - before.TotalAlloc)
	most := mostPerByte*float64(len(data)) + mostPerElement*float64(charged)
	t.Logf("%s: %.1f bytes for each of the input, %.0f %% of the bound", name, used/float64(len(data)), 100*used/most)
	if used > most {
		t.Errorf("%s: %.0f bytes, more than %.0f", name, used, most)
	}
	runtime.KeepAlive(value)
}

func TestCountsAreLiesUntilTheBytesArrive(t *testing.T) {
	for _, text := range []string{
		"d3 ffffffff0f c0", "d4 ffffffff0f 05 00", "d4 ffffffff0f 07 04 00", "d5 ffffffff0f ce 01 41 61 00 05", "d4 ffffffff0f 82",
		"d6 ffffffff0f 00 05", "d4 ffffffff0f 01 c0", "d4 ffffffff0f 03 00 02 00", "d4 ffffffff0f 08 00 40 00", "ca ffffffff0f",
		strings.Repeat("d3 80808001", 400) + "c0",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		value, err := snapshot.Decode(unhex(t, "c1530100"+text))
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%.40s: got %v", text, value)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%.40s: %d bytes for an error", text, used)
		}
	}
}

// TestLengthsThatExceedTheInput asserts that lengths of texts are added up only until they exceed the input. More than
// 2³¹ of them would overflow, which takes 8 GiB of input to show.
func TestLengthsThatExceedTheInput(t *testing.T) {
	_, err := snapshot.Decode(unhex(t, "c1530100 d4 03 07 04 ffffffff ffffffff ffffffff"))
	want := "polypack: unexpected_end, at byte 6: a value takes 4294967295 bytes but 0 remain; the input is truncated"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestTruncated ends every valid snapshot of the vectors after each of its bytes, long ones after some of them.
func TestTruncated(t *testing.T) {
	vectors, _ := filepath.Glob("../../vectors/snapshot/*.json")
	cut := 0
	for _, path := range vectors {
		for _, v := range vectorsIn(t, path) {
			data := unhex(t, v.Bytes)
			if _, err := snapshot.Decode(data); err != nil {
				continue
			}
			for end := 0; end < len(data); end += 1 + len(data)/500 {
				var e *polypack.Error
				if _, err := snapshot.Decode(data[:end]); !errors.As(err, &e) || e.Code != polypack.CodeUnexpectedEnd || e.Offset > int64(end) {
					t.Fatalf("%s, the first %d of %d bytes: %v", v.Name, end, len(data), err)
				}
				cut++
			}
		}
	}
	if cut == 0 {
		t.Fatal("no valid snapshot")
	}
}

func TestDeepNesting(t *testing.T) {
	deep := append(unhex(t, "c1530100"), slices.Repeat([]byte{0x81}, 10_000)...)
	if _, err := snapshot.Decode(append(deep, 0xc0), snapshot.MaxDepth(10_000)); err != nil {
		t.Error(err)
	}
	var e *polypack.Error
	if _, err := snapshot.Decode(append(deep, 0x81, 0xc0), snapshot.MaxDepth(10_000)); !errors.As(err, &e) || len(e.Path) > 4100 {
		t.Errorf("got %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, room := range []string{"values", "objects", "accepted", "invalid"} {
		for _, v := range vectorsOf(f, room) {
			if len(v.Bytes) < 2000 {
				f.Add(unhex(f, v.Bytes))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := snapshot.Decode(data, snapshot.MaxElements(10_000))
		if err == nil {
			described.Of(value)
			return
		}
		var e *polypack.Error
		if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(data)) {
			t.Errorf("got %v for %d bytes", err, len(data))
		}
	})
}

// Numbers of objects, references and strings that the reader keeps in chunks of 256.
func TestManyNumbers(t *testing.T) {
	for _, count := range []int{1, 4, 5, 255, 256, 257, 512, 513, 1000} {
		data := binary.AppendUvarint(unhex(t, "c1530100 d3"), uint64(3*count+3))
		data = append(data, unhex(t, "d0 41 41 00 81 05")...)
		for i := 1; i < count; i++ {
			data = append(data, 0x60, 0x81, 5)
		}
		for i := range count {
			data = append(data, 0xda, 0x81, byte(i%64))
		}
		for i := range count {
			data = append(data, 0x44, 't', byte('a'+i%26), byte('a'+i/26%26), byte('a'+i/676))
		}
		last := uint64(count - 1)
		data = binary.AppendUvarint(append(data, 0xdc), last)
		data = binary.AppendUvarint(append(data, 0xdb), last)
		body := data
		if last < 48 {
			data = append(data, 0x90+byte(last))
		} else if last < 304 {
			data = append(data, 0xcb, byte(last-48))
		} else {
			data = binary.AppendUvarint(append(data, 0xcc), last-304)
		}
		value, err := snapshot.Decode(data)
		if err != nil {
			t.Fatalf("%d: %v", count, err)
		}
		list := value.([]any)
		again := list[3*count:]
		if again[0] != list[count-1] || again[2] != list[3*count-1] {
			t.Errorf("%d: got object %v and string %v again", count, again[0], again[2])
		}
		if reference := list[2*count-1].([]any); &again[1].([]any)[0] != &reference[0] {
			t.Errorf("%d: got another array for the reference", count)
		}
		for _, head := range []byte{0xdc, 0xdb} {
			var e *polypack.Error
			_, err := snapshot.Decode(binary.AppendUvarint(append(slices.Clone(body), head), last+1))
			if !errors.As(err, &e) || e.Code != polypack.CodeInvalidSnapshot || e.Offset != int64(len(body)) {
				t.Errorf("%d: got %v for number %d of 0x%02x", count, err, last+1, head)
			}
		}
	}
}
