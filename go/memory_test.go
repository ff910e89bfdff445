package polypack_test

// Plan of the file: what decoding by methods, which start the library anew for every value, takes on promises and for
// what has arrived; then that decoded values share memory with nothing: not with the input, not with each other,
// whatever the collector does meanwhile.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// A methodTree reads its children with the Decoder it is read with.
type methodTree struct {
	Children []methodTree
	Pad      [4]int64
}

func (m *methodTree) UnmarshalMsgpackFrom(d *polypack.Decoder) error { return d.Decode(&m.Children) }

// A methodText reads a text, and a methodAny any value, each with a call of its own.
type (
	methodText struct{ S string }
	methodAny  struct{ V any }
	methodNest struct {
		S    string
		Next []methodNest
	}
)

func (m *methodText) UnmarshalMsgpackFrom(d *polypack.Decoder) error { return d.Decode(&m.S) }
func (m *methodAny) UnmarshalMsgpackFrom(d *polypack.Decoder) error  { return d.Decode(&m.V) }

func (m *methodNest) UnmarshalMsgpackFrom(d *polypack.Decoder) error {
	var v struct {
		S string `msgpack:"s"`
		N []methodNest
	}
	err := d.Decode(&v)
	m.S, m.Next = v.S, v.N
	return err
}

// Methods that decode with their Decoder do not get a promise of their own.
func TestPromisedMemoryOfMethods(t *testing.T) {
	for _, n := range []int{1000, 20_000, 200_000} {
		data := promising(n, 500, 20, 0xdd, nil)
		for name, opts := range engines {
			got := spent(func() {
				var v methodTree
				if polypack.Unmarshal(data, &v, opts...) == nil {
					t.Error("no error")
				}
			})
			const call = 2 << 10 // what each of the methods called takes for itself
			if most := uint64(4*n + 64<<10 + 500*call); got > most {
				t.Errorf("%s: %d bytes: %d bytes allocated, at most %d", name, n, got, most)
			}
		}
	}
}

// Values that methods decode one by one share chunks, as others do.
func TestArrivedMemoryOfMethods(t *testing.T) {
	const count = 2000
	texts := binary.BigEndian.AppendUint16([]byte{0xdc}, count)
	for range count {
		texts = append(texts, "\xa1a"...)
	}
	nested := bytes.Repeat([]byte("\x82\xa1s\xa1a\xa1N\x91"), 200)
	nested = append(nested, "\x81\xa1s\xa1a"...)
	for _, c := range []struct {
		target func() any
		data   []byte
		each   int
	}{
		{func() any { return new([]methodText) }, texts, 500},
		{func() any { return new([]methodAny) }, texts, 500},
		{func() any { return new(methodNest) }, nested, 500},
	} {
		for name, opts := range engines {
			got := spent(func() {
				if err := polypack.Unmarshal(c.data, c.target(), opts...); err != nil {
					t.Error(err)
				}
			})
			if most := uint64(c.each * len(c.data)); got > most {
				t.Errorf("%s: %d bytes into %T: %d bytes allocated, at most %d", name, len(c.data), c.target(), got, most)
			}
		}
	}
}

// A keeper has everything that gets memory of some kind: arenas, boxes, interned keys, slices and bytes.
type keeper struct {
	Text  string
	Long  string
	Bytes []byte
	Blobs [][]byte
	Texts []string
	Ints  []int64
	Any   any
	Map   map[string]any
	Names map[string]string
	Rows  []struct {
		ID   int64
		Name string
		Tags []string
		Data []byte
		Next *methodText
	}
	Raw polypack.RawMessage
	Ext polypack.Ext
	Own []methodText
}

// keeperData returns the encoding of a keeper that is different for every seed.
func keeperData(t testing.TB, seed, rows int) []byte {
	type m = map[string]any
	text := func(i int) string { return fmt.Sprint("text ", seed, "/", i) }
	long := strings.Repeat(text(0), 100)
	row := func(i int) m {
		return m{"ID": seed + i, "Name": text(i), "Tags": []string{text(i + 1), "", text(i + 2)}, "Data": []byte(text(i + 3)), "Next": text(i + 4)}
	}
	v := m{"Text": text(1), "Long": long, "Bytes": []byte(text(2)), "Blobs": [][]byte{[]byte(text(3)), {}, []byte(text(4))},
		"Texts": []string{text(5), text(6), long}, "Ints": []int64{int64(seed), 1 << 40, -1}, "Raw": text(7),
		"Ext": polypack.Ext{Type: 5, Data: []byte(text(8))}, "Own": []string{text(9), text(10), long}}
	var list []any
	named, names := m{}, m{}
	for i := range rows {
		list = append(list, row(i), i*1000, float64(i)/3, text(i), []byte(text(i)), []any{text(i)})
		named[text(i)] = m{"key": text(i), "a longer key": i}
		names[text(i)] = text(-i)
	}
	v["Any"], v["Map"], v["Names"] = list, named, names
	data := []any{}
	for i := range rows {
		data = append(data, row(i))
	}
	v["Rows"] = data
	return mustMarshal(t, v)
}

// deepClone copies a decoded value so that it shares nothing with the original.
func deepClone(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		c.SetString(strings.Clone(v.String()))
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				c.Index(i).Set(deepClone(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			c.Set(reflect.MakeMap(v.Type()))
			for it := v.MapRange(); it.Next(); {
				c.SetMapIndex(deepClone(it.Key()), deepClone(it.Value()))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			c.Field(i).Set(deepClone(v.Field(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(deepClone(v.Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			c.Set(deepClone(v.Elem()))
		}
	default:
		c.Set(v)
	}
	return c
}

// keeperWays are the ways in whose results must stand alone.
func keeperWays(opts []polypack.Option) map[string]func([]byte, any) error {
	return map[string]func([]byte, any) error{
		"Unmarshal": func(data []byte, v any) error { return polypack.Unmarshal(data, v, opts...) },
		"Decoder":   func(data []byte, v any) error { return polypack.NewDecoder(data, opts...).Decode(v) },
		"a Decoder used again": func(data []byte, v any) error {
			d := polypack.NewDecoder(slices.Concat(data, data), opts...)
			var other keeper
			if err := d.Decode(&other); err != nil {
				return err
			}
			return d.Decode(v)
		},
		"UnmarshalRead": func(data []byte, v any) error { return polypack.UnmarshalRead(bytes.NewReader(data), v, opts...) },
		"StreamDecoder": func(data []byte, v any) error {
			return polypack.NewStreamDecoder(bytes.NewReader(data), opts...).Decode(v)
		},
	}
}

func TestDecodedValuesShareNothing(t *testing.T) {
	for name, base := range engines {
		for _, mode := range []polypack.StringsMode{polypack.StringsArena, polypack.StringsSeparate} {
			opts := append([]polypack.Option{polypack.Strings(mode)}, base...)
			for way, decode := range keeperWays(opts) {
				for _, target := range []func() any{func() any { return new(keeper) }, func() any { return new(any) }} {
					data := keeperData(t, 1, 30)
					v := target()
					if err := decode(data, v); err != nil {
						t.Fatalf("%s, %s: %v", name, way, err)
					}
					want := deepClone(reflect.ValueOf(v)).Interface()
					for i := range data { // the input
						data[i] = 0xff
					}
					for _, seed := range sample([]int{2, 3, 4, 5}, 4) { // what is decoded after it
						if err := decode(keeperData(t, seed, 30), target()); err != nil {
							t.Fatal(err)
						}
						runtime.GC()
					}
					if !reflect.DeepEqual(v, want) {
						t.Errorf("%s, %s, mode %d: %T changed afterwards", name, way, mode, v)
					}
				}
			}
		}
	}
}

// appendEverywhere appends to every slice in v and writes into what it gets.
func appendEverywhere(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			appendEverywhere(v.Index(i))
		}
		longer := reflect.Append(v, reflect.Zero(v.Type().Elem()), reflect.Zero(v.Type().Elem()))
		if e := longer.Index(longer.Len() - 1); e.Kind() == reflect.Uint8 {
			e.SetUint(0xee)
			longer.Index(v.Len()).SetUint(0xee)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			appendEverywhere(it.Value())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			appendEverywhere(v.Field(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			appendEverywhere(v.Elem())
		}
	}
}

func TestAppendingHarmsNoNeighbour(t *testing.T) {
	for name, base := range engines {
		for _, mode := range []polypack.StringsMode{polypack.StringsArena, polypack.StringsSeparate, polypack.StringsZeroCopy} {
			for _, target := range []func() any{func() any { return new(keeper) }, func() any { return new(any) }} {
				data, v := keeperData(t, 1, 10), target()
				if err := polypack.Unmarshal(data, v, append([]polypack.Option{polypack.Strings(mode)}, base...)...); err != nil {
					t.Fatal(err)
				}
				want, input := deepClone(reflect.ValueOf(v)).Interface(), slices.Clone(data)
				appendEverywhere(reflect.ValueOf(v))
				if !reflect.DeepEqual(v, want) || !bytes.Equal(data, input) {
					t.Errorf("%s, mode %d: appending to a slice in %T changed another value", name, mode, v)
				}
			}
		}
	}
}

// A collector that never rests finds pointers that are not where it looks for them.
func TestDecodingUnderTheCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	rounds := 20
	if fewRounds() {
		rounds = 3
	}
	for name, opts := range engines {
		kept := map[int][2]any{}
		for seed := range rounds {
			data := keeperData(t, seed, 40)
			for i, target := range []func() any{func() any { return new(keeper) }, func() any { return new(any) }, func() any { return new(map[string]any) }} {
				v := target()
				if err := polypack.Unmarshal(data, v, opts...); err != nil {
					t.Fatal(err)
				}
				kept[seed*3+i] = [2]any{v, deepClone(reflect.ValueOf(v)).Interface()}
			}
			clear(data)
		}
		for _, k := range slices.Sorted(maps.Keys(kept)) {
			if !reflect.DeepEqual(kept[k][0], kept[k][1]) {
				t.Errorf("%s: value %d was harmed", name, k)
			}
		}
	}
}

// One short string that is kept must not keep the message, nor a large part of its values.
func TestKeptStringsKeepLittle(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has memory of its own")
	}
	messages := 200
	if fewRounds() {
		messages = 20
	}
	for name, opts := range engines {
		for _, way := range []string{"texts", "any", "keys"} {
			kept := make([]any, 0, messages)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for i := range messages {
				text := make([]string, 2000)
				for j := range text {
					text[j] = fmt.Sprint("text ", i, " ", j)
				}
				switch way {
				case "texts":
					var v []string
					if err := polypack.Unmarshal(mustMarshal(t, text), &v, opts...); err != nil {
						t.Fatal(err)
					}
					kept = append(kept, v[1000])
				case "any":
					var v any
					if err := polypack.Unmarshal(mustMarshal(t, text), &v, opts...); err != nil {
						t.Fatal(err)
					}
					kept = append(kept, v.([]any)[1000])
				case "keys":
					m := map[string]int64{}
					for j, s := range text {
						m[s] = int64(j)
					}
					data := mustMarshal(t, m)
					clear(m)
					if err := polypack.Unmarshal(data, &m, opts...); err != nil {
						t.Fatal(err)
					}
					for key := range m {
						kept = append(kept, key)
						break
					}
				}
			}
			runtime.GC()
			runtime.GC()
			runtime.ReadMemStats(&after)
			if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > int64(messages)*4<<10+256<<10 {
				t.Errorf("%s, %s: %d kept strings keep %d bytes", name, way, messages, got)
			}
			runtime.KeepAlive(kept)
		}
	}
}

// TestShortSlicesKeepLittle keeps all short []string of a message but one, which has a long element.
func TestShortSlicesKeepLittle(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has memory of its own")
	}
	const long = 4 << 20
	for name, opts := range engines {
		for _, head := range []string{"\xc6\x00\x40\x00\x00", "\xdb\x00\x40\x00\x00"} {
			for _, behind := range []string{"", "\x01"} { // a number is no string
				data := []byte{0xdc, 0, 20}
				for i := range 20 {
					if data = append(data, 0x81, 0xa1, 'S'); i == 5 {
						data = append(append(append(append(data, 0x92), head...), make([]byte, long)...), cmp.Or(behind, "\xa1z")...)
					} else {
						data = append(data, "\x91\xa1x"...)
					}
				}
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				var v []struct{ S []string }
				err := polypack.Unmarshal(data, &v, opts...)
				if (err != nil) != (behind != "") {
					t.Errorf("%s, %x, %x: %v", name, head, behind, err)
				}
				if len(v) < 6 || len(v[5].S) < 1 || len(v[5].S[0]) != long {
					t.Fatalf("%s, %x, %x: %d elements", name, head, behind, len(v))
				}
				v[5].S = nil
				runtime.GC()
				runtime.GC()
				runtime.ReadMemStats(&after)
				if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > 256<<10 {
					t.Errorf("%s, %x, %x: the others keep %d bytes", name, head, behind, got)
				}
				runtime.KeepAlive(v)
				runtime.KeepAlive(data)
			}
		}
	}
}
