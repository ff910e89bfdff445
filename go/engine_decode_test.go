package polypack_test

// What the engine does differently from plans and nobody may notice: memory that is shared, fields that are looked up,
// values that are read in the middle of others. engine_decode_fuzz_test.go holds the two against each other on
// everything else.

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// entries returns the encoding of a map with these keys and values 1, 2, ….
func entries(t *testing.T, keys ...string) []byte {
	t.Helper()
	out := []byte{0xde, byte(len(keys) >> 8), byte(len(keys))}
	for i, key := range keys {
		out = append(append(out, mustMarshal(t, key)...), mustMarshal(t, i+1)...)
	}
	return out
}

// structNamed returns a new struct with int fields of these names.
func structNamed(names []string) any {
	var fields []reflect.StructField
	for i, name := range names {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](),
			Tag: reflect.StructTag(fmt.Sprintf(`msgpack:"%s"`, name))})
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

func TestEngineFieldNames(t *testing.T) {
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("field number %d", i)
	}
	// Equal in length, first and last eight bytes: no hash over these tells them apart.
	alike := []string{"the same head 1 the same tail", "the same head 2 the same tail", "the same head 3 the same tail"}
	lengths := make([]string, 40)
	for i := range lengths {
		lengths[i] = strings.Repeat("x", i+1)
	}
	for _, names := range [][]string{many, many[:200], many[:201], alike, lengths, {"a"}, {"a", "b", "ab", "ba", "aa", "a b"}, {"ends with \\x00", "é", "日本語の名前が長い場合"}} {
		shuffled := append([]string{"unknown", names[0] + "!", names[0][:len(names[0])-1]}, names...)
		for i := range shuffled {
			j := (i * 7) % len(shuffled)
			shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
		}
		for _, keys := range [][]string{names, shuffled} {
			data := entries(t, keys...)
			sameDecoding(t, data, structNamed(names), structNamed(names))
			sameDecoding(t, data[:len(data)-1], structNamed(names), structNamed(names))
		}
		// A key in a longer form than need be, and one that only begins like a field.
		data := append([]byte{0x82, 0xda, byte(len(names[0]) >> 8), byte(len(names[0]))}, names[0]...)
		data = append(append(data, 1), mustMarshal(t, names[0]+"\x00")...)
		data = append(data, 2)
		sameDecoding(t, data, structNamed(names), structNamed(names))
	}
}

// Values read by hand around values read by the engine: state, offsets and paths go on.
func TestEngineInsideDecoder(t *testing.T) {
	data := mustMarshal(t, []any{int64(1), map[string]any{"a": []int{1, 2, 3}, "b": "text"}, []string{"x", "yy"}, map[string]int{"k": 300}})
	type target struct {
		A []int8 `msgpack:"a"`
		B string `msgpack:"b"`
	}
	for cut := range len(data) + 1 {
		var found [2]string
		for which, opts := range [][]polypack.Option{nil, {polypack.PlansOnly()}} {
			d := polypack.NewDecoder(data[:cut], opts...)
			var log []any
			n, err := d.DecodeArrayHeader()
			log = append(log, n, err)
			var i int16
			var s target
			var list []string
			var m map[string]int8
			for _, into := range []any{&i, &s, &list, &m, &m} {
				err := d.Decode(into)
				log = append(log, err, d.Offset(), fmt.Sprint(reflect.ValueOf(into).Elem()))
			}
			log = append(log, d.Skip(), d.Offset(), d.Finish())
			found[which] = fmt.Sprint(log...)
		}
		if found[0] != found[1] {
			t.Fatalf("%d bytes: the engine\n%s\nthe plan\n%s", cut, found[0], found[1])
		}
	}
}

// Strings of a message share memory; what one of them is changed to, appended to or kept for is nothing to the others.
func TestEngineSharedMemory(t *testing.T) {
	type target struct {
		Lists [][]string
		Any   []any
		Map   map[string]any
		Bytes [][]byte
	}
	want := target{Map: map[string]any{}}
	for i := range 300 {
		text := strings.Repeat(fmt.Sprint(i), i%40)
		want.Lists = append(want.Lists, []string{text, "b", text + "c"}[:i%4%3+1])
		want.Any = append(want.Any, text, int64(i)*1000, float64(i)/3, []any{text, uint64(1<<63) + uint64(i)})
		want.Map["key "+fmt.Sprint(i)] = strings.Repeat("long ", i)
		want.Bytes = append(want.Bytes, []byte(text))
	}
	want.Lists = append(want.Lists, []string{"short", strings.Repeat("much longer than what shares a chunk ", 20)})
	data := mustMarshal(t, want)
	for _, mode := range []polypack.StringsMode{polypack.StringsArena, polypack.StringsSeparate, polypack.StringsZeroCopy} {
		in := bytes.Clone(data)
		var got target
		if err := polypack.Unmarshal(in, &got, polypack.Strings(mode)); err != nil {
			t.Fatal(err)
		}
		for i := range got.Lists {
			_ = append(got.Lists[i], "appended") // into memory of its own
		}
		for i := range got.Bytes {
			_ = append(got.Bytes[i], 'x')
		}
		if !bytes.Equal(in, data) {
			t.Fatal("appending changed the input")
		}
		if mode != polypack.StringsZeroCopy {
			clear(in)
		}
		runtime.GC()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("mode %d: another value", mode)
		}
	}
}

// A large slice is not set to zero before it is filled. After a fault nobody finds in it what was in the memory before.
func TestEngineRawMemory(t *testing.T) {
	type target struct {
		Ints   []int64
		Floats []float64
	}
	for _, n := range []int{100, 5000, 100_000} {
		want := target{make([]int64, n), make([]float64, n)}
		for i := range n {
			want.Ints[i], want.Floats[i] = int64(i)<<30|1, 1/float64(i+1)
		}
		data := mustMarshal(t, want)
		for _, at := range []int{len(data) / 4, len(data) / 3, len(data) - 20} {
			broken := bytes.Clone(data)
			for i := at; i < at+9; i++ {
				broken[i] = 0xc1
			}
			for range 3 {
				var got target
				if err := polypack.Unmarshal(broken, &got); err == nil {
					t.Fatal("no error")
				}
				for _, v := range got.Ints[len(got.Ints):cap(got.Ints)] {
					if v != 0 {
						t.Fatalf("%x lies behind the end", v)
					}
				}
				for _, v := range got.Floats[len(got.Floats):cap(got.Floats)] {
					if v != 0 {
						t.Fatalf("%v lies behind the end", v)
					}
				}
			}
		}
		var got target
		if err := polypack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// Tables of known keys go from one goroutine to another.
func TestEngineKeysOfGoroutines(t *testing.T) {
	var group sync.WaitGroup
	for g := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			want := map[string]any{}
			for i := range 200 {
				want[fmt.Sprintf("k%d.%d", g%3, i)] = int64(i)
			}
			data := mustMarshal(t, want)
			for range 20 {
				var got map[string]any
				if err := polypack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("goroutine %d: %v", g, err)
					return
				}
			}
		}()
	}
	group.Wait()
}

// Unknown entries, nil and values of small structs cost no memory; rows cost little.
func TestEngineAllocations(t *testing.T) {
	if purego {
		t.Skip("plans use reflection")
	}
	type plain struct {
		ID    int64
		Score float64
		On    bool
		Port  uint16
	}
	type row struct {
		plain
		Name, Email, City, Phone string
		Tags                     []string
	}
	rows := make([]row, 1000)
	for i := range rows {
		rows[i] = row{plain{int64(i), 0.5, true, 80}, fmt.Sprint("name ", i), fmt.Sprint("mail", i, "@example.org"), "city", "12345", []string{"a", "b"}[:i%3]}
	}
	var p plain
	var many []row
	for _, c := range []struct {
		name   string
		value  any
		target any
		most   float64
	}{
		{"a struct", plain{1, 2, true, 3}, &p, 0},
		{"entries without a field", map[string]any{"ID": 5, "other": []any{1, "text", map[string]any{"deep": nil}, 2.5}, "more": "text"}, &p, 0},
		{"rows", rows, &many, 60},
	} {
		data := mustMarshal(t, c.value)
		codec := func() {
			if err := polypack.Unmarshal(data, c.target); err != nil {
				t.Fatal(err)
			}
		}
		codec()
		if got := testing.AllocsPerRun(10, codec); got > c.most {
			t.Errorf("%s: %v allocations, at most %v", c.name, got, c.most)
		}
	}
	var fresh []row
	data := mustMarshal(t, rows)
	if got := testing.AllocsPerRun(10, func() {
		fresh = nil
		if err := polypack.Unmarshal(data, &fresh); err != nil {
			t.Fatal(err)
		}
	}); got > 120 {
		t.Errorf("fresh rows: %v allocations", got)
	}
}
