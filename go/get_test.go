package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

func TestGet(t *testing.T) {
	lossless := []polypack.Option{polypack.Lossless}
	for _, c := range []struct {
		in, path, want string // want "" is ErrNotFound
		opts           []polypack.Option
	}{
		{"05", "", "05", nil},
		{"05 06", "", "05", nil},
		{"05", "/", "", nil},
		{"05", "/a", "", nil},
		{"c0", "/0", "", nil},
		{"93 01 a162 c3", "", "93 01 a162 c3", nil},
		{"93 01 a162 c3", "/0", "01", nil},
		{"93 01 a162 c3", "/1", "a162", nil},
		{"93 01 a162 c3", "/2", "c3", nil},
		{"93 01 a162 c3", "/3", "", nil},
		{"93 01 a162 c3", "/-", "", nil},
		{"93 01 a162 c3", "/-1", "", nil},
		{"93 01 a162 c3", "/01", "", nil},
		{"93 01 a162 c3", "/1/0", "", nil},
		{"93 01 a162 c3", "/18446744073709551616", "", nil},
		{"93 01 a162 c1", "/1", "a162", nil}, // what follows is not read
		{"90", "/0", "", nil},
		{"82 a161 01 a162 91 81 a163 02", "/b/0/c", "02", nil},
		{"82 a161 01 a162 91 81 a163 02", "/b/0", "81 a163 02", nil},
		{"82 a161 01 a162 91 81 a163 02", "/a/b", "", nil},
		{"81 a0 07", "/", "07", nil},
		{"81 a3 7e2f31 07", "/~0~11", "07", nil},
		{"82 a161 01 a161 02", "/a", "02", nil}, // the last wins
		{"82 a161 81 a162 01 a161 80", "/a/b", "", nil},
		{"82 a161 01 a161 81 a162 02", "/a/b", "02", nil},
		{"91 82 a161 81 a162 01 a161 81 a162 02", "/0/a/b", "02", nil},
		// Keys of other kinds.
		{"81 05 01", "/5", "01", nil},
		{"81 cd0005 01", "/5", "01", nil},
		{"81 fb 01", "/-5", "01", nil},
		{"81 00 01", "/-0", "", nil},
		{"81 cf8000000000000000 01", "/9223372036854775808", "01", nil},
		{"81 d38000000000000000 01", "/-9223372036854775808", "01", nil},
		{"81 cf8000000000000000 01", "/-9223372036854775808", "", nil},
		{"81 05 01", "/05", "", nil},
		{"82 05 01 05 02", "/5", "02", nil},
		{"82 05 01 a135 02", "/5", "02", nil}, // str before int
		{"82 a135 02 05 01", "/5", "02", nil},
		{"81 c402 00ff 01", "/0x00ff", "01", lossless},
		{"81 c402 00ff 01", "/0x00FF", "", lossless},
		{"81 c402 00ff 01", "/0x00f", "", lossless},
		{"81 c400 01", "/0x", "01", lossless},
		{"81 c402 00ff 01", "/\x00\xff", "", lossless},
		// In default mode, a bin is the string that it becomes.
		{"81 c402 00ff 01", "/\x00\xff", "01", nil},
		{"81 c402 00ff 01", "/0x00ff", "", nil},
		{"82 a4726f6c65 01 c404726f6c65 02", "/role", "02", nil},
		{"82 c404726f6c65 02 a4726f6c65 01", "/role", "01", nil},
		{"82 c404726f6c65 81 a161 05 a4726f6c65 01", "/role/a", "", nil},
		{"82 c40135 01 05 02", "/5", "01", nil},
		{"82 c0 01 c3 02", "/#1", "02", nil},
		{"82 c0 01 c3 02", "/#01", "", nil},
		{"82 c0 01 a161 02", "/#1", "", nil},
		{"82 91a161 01 cb0000000000000000 02", "/#0", "01", lossless},
		{"82 c0 01 a22330 02", "/#0", "02", nil},
		{"81 d6ff00000001 05", "/#0", "05", nil},
		// The last of keys that are one key in Go, whichever the index names.
		{"83 c0 01 c3 02 d40000 03", "/#0", "03", nil},
		{"83 c0 01 c3 02 d40000 03", "/#2", "03", nil},
		{"82 cb0000000000000000 01 ca80000000 02", "/#0", "02", nil},
		{"82 cb0000000000000000 01 ca80000000 02", "/#0", "01", lossless},
		{"82 cb7ff8000000000001 81 c2 01 ca7fc00000 02", "/#0/#0", "", nil},
		{"82 ca3fc00000 01 cb3ff8000000000000 02", "/#0", "02", nil},
		{"82 d6ff00000001 01 d7ff0000000000000001 02", "/#0", "02", nil},
		{"82 c3 01 c3 02", "/#0", "02", nil},
		{"82 a22330 01 c0 02", "/#0", "01", nil},
	} {
		in := unhex(t, c.in)
		got, err := polypack.Get(in, c.path, c.opts...)
		if c.want == "" {
			if !errors.Is(err, polypack.ErrNotFound) || got != nil {
				t.Errorf("%s of %s: %x, %v; want ErrNotFound", c.path, c.in, got, err)
			}
			continue
		}
		if want := unhex(t, c.want); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q of %s: %x, %v; want %s", c.path, c.in, got, err, c.want)
		} else if cap(got) != len(got) || !bytes.Contains(in, want) || !isView(got, in) {
			t.Errorf("%q of %s is not a capped view", c.path, c.in)
		}
	}
}

func isView(part, whole []byte) bool {
	for i := range whole {
		if &whole[i] == &part[0] {
			return true
		}
	}
	return false
}

func TestGetFaults(t *testing.T) {
	for _, c := range []struct {
		in, get string
		code    polypack.Code
		offset  int64
		path    string
		opts    []polypack.Option
	}{
		{"", "/a", polypack.CodeUnexpectedEnd, 0, "", nil},
		{"", "", polypack.CodeUnexpectedEnd, 0, "", nil},
		{"c1", "/a", polypack.CodeReservedByte, 0, "", nil},
		{"93 01 c1 02", "/2", polypack.CodeReservedByte, 2, "/1", nil},
		{"93 01 c1 02", "/1", polypack.CodeReservedByte, 2, "/1", nil},
		{"dc ffff 01", "/0", polypack.CodeUnexpectedEnd, 0, "", nil},
		{"82 a161 01 a162 91 c1", "/a", polypack.CodeReservedByte, 7, "/b/0", nil},
		{"81 a161 92 01 c1", "/a/0", polypack.CodeReservedByte, 5, "/a/1", nil},
		{"81 c1 01", "/a", polypack.CodeReservedByte, 1, "", nil},
		{"82 a161 01 a161 02", "/a", polypack.CodeDuplicateKey, 4, "/a", []polypack.Option{polypack.Strict}},
		{"82 a161 01 a1ff 02", "/a", polypack.CodeInvalidUTF8, 4, "", []polypack.Option{polypack.Strict}},
		{"91 91 90", "/0/0", polypack.CodeLimitExceeded, 2, "/0/0", []polypack.Option{polypack.MaxDepth(2)}},
		{"92 91 01 91 02", "/1/0", polypack.CodeLimitExceeded, 3, "/1", []polypack.Option{polypack.MaxValues(4)}},
		{"91 a3616263", "/0", polypack.CodeLimitExceeded, 1, "/0", []polypack.Option{polypack.DefaultConfig().WithMaxStringLen(2)}},
		{"d47240 91 a161 01", "/a", polypack.CodeInvalidRecord, 0, "", nil},
	} {
		got, err := polypack.Get(unhex(t, c.in), c.get, c.opts...)
		wantFault(t, err, c.code, c.offset, c.path)
		if got != nil {
			t.Errorf("%s of %s: %x", c.get, c.in, got)
		}
	}
	for _, path := range []string{"a", "a/b", "/~", "/a~2", "/a/~/b", "#/a"} {
		_, err := polypack.Get([]byte{0x80}, path)
		wantUsage(t, err, "Get")
	}
	_, err := polypack.Get([]byte{0x80}, "", polypack.MaxDepth(-1))
	wantUsage(t, err, "MaxDepth")
}

func TestGetRecords(t *testing.T) {
	const rows = "92 d47240 92 a26964 a46e616d65 01 a161  40 02 81 a178 40 03 a163"
	for path, want := range map[string]string{
		"/0":           "82 a26964 01 a46e616d65 a161",
		"/0/name":      "a161",
		"/1/id":        "02",
		"/1/name":      "81 a178 82 a26964 03 a46e616d65 a163",
		"/1/name/x/id": "03",
		"/1/nobody":    "",
		"":             "92 82 a26964 01 a46e616d65 a161 82 a26964 02 a46e616d65 81 a178 82 a26964 03 a46e616d65 a163",
	} {
		got, err := polypack.Get(unhex(t, rows), path, inline)
		if want == "" {
			if !errors.Is(err, polypack.ErrNotFound) {
				t.Errorf("%s: %x, %v", path, got, err)
			}
		} else if err != nil || !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%s: %x, %v; want %s", path, got, err, want)
		}
	}
	// The id is declared anew behind the value, and again in front of an equal key.
	const anew = "83 a161 d47240 91 a170 01  a162 d47240 91 a171 02  a161 40 03"
	if got, err := polypack.Get(unhex(t, anew), "/a", inline); err != nil || !bytes.Equal(got, unhex(t, "81 a171 03")) {
		t.Errorf("%x, %v", got, err)
	}
	const behind = "83 a161 d47240 91 a170 01  a162 40 02  a163 d47240 91 a171 40 03"
	if got, err := polypack.Get(unhex(t, behind), "/b", inline); err != nil || !bytes.Equal(got, unhex(t, "81 a170 02")) {
		t.Errorf("%x, %v", got, err)
	}
	plain := unhex(t, "81 a161 40")
	if got, err := polypack.Get(plain, "/a", inline); err != nil || !isView(got, plain) {
		t.Errorf("%x, %v", got, err)
	}
}

func TestRawMessageMethods(t *testing.T) {
	m, err := polypack.RawMessage(unhex(t, "81 a161 92 05 a162")).Get("/a")
	if err != nil {
		t.Fatal(err)
	}
	var v []any
	if err := m.Unmarshal(&v); err != nil || fmt.Sprint(v) != "[5 b]" {
		t.Error(v, err)
	}
	wantFault(t, m.Unmarshal(&v, polypack.MaxDepth(0)), polypack.CodeLimitExceeded, 0, "")
	if err := polypack.RawMessage(nil).Unmarshal(&v); err != nil || v != nil {
		t.Error(v, err)
	}
	if m, err := (polypack.RawMessage{}).Get(""); err != nil || !bytes.Equal(m, []byte{0xc0}) {
		t.Error(m, err)
	}
	if _, err := polypack.RawMessage(nil).Get("/a"); !errors.Is(err, polypack.ErrNotFound) {
		t.Error(err)
	}
}

func TestGetAllocations(t *testing.T) {
	rows := make([]map[string]any, 1000)
	for i := range rows {
		rows[i] = map[string]any{"id": i, "name": "text", "tags": map[int]string{5: "five"}}
	}
	data := mustMarshal(t, map[string]any{"rows": rows, "zero": "last"})
	for _, path := range []string{"/rows/999/tags/5", "/rows/0/id", "/zero", "/nothing", ""} {
		if n := testing.AllocsPerRun(10, func() { _, _ = polypack.Get(data, path) }); n != 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
	}
}

// TestGetLinear follows a pointer of many tokens, each of which fits two entries of its map, in one pass. With a second
// look at each level the test would not end.
func TestGetLinear(t *testing.T) {
	const levels = 500
	data := []byte{1}
	for range levels {
		data = append([]byte("\x82\xa1a\x02\xa1a"), data...)
	}
	path := strings.Repeat("/a", levels)
	got, err := polypack.Get(data, path)
	if err != nil || !bytes.Equal(got, []byte{1}) {
		t.Errorf("%x, %v", got, err)
	}
	wide := append([]byte{0xde, 0xff, 0xff}, bytes.Repeat([]byte("\xa1a\xa1b"), 65535)...)
	if got, err := polypack.Get(wide, "/a"); err != nil || string(got) != "\xa1b" {
		t.Errorf("%x, %v", got, err)
	}
}

// FuzzGet asserts that Get gives, for each path, what the value of Unmarshal into an any with the same options has
// there, and that there is nothing for other paths.
func FuzzGet(f *testing.F) {
	addSeeds(f)
	for _, in := range []string{"82a4726f6c65a475736572c404726f6c65a561646d696e", "82a131a47573657201a561646d696e", "83 c0 01 c3 02 d40000 81 c001",
		"84 cb0000000000000000 01 ca80000000 02 05 03 a135 04", "83 c40135 01 05 02 a135 03", "92 82 d6ff00000001 01 d7ff0000000000000001 02 40"} {
		f.Add(unhex(f, in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range append(optionSets(), []polypack.Option{polypack.Lossless}) {
			samePaths(t, data, opts)
			samePaths(t, data, with(opts, polypack.Lossless))
		}
	})
}

// TestGetIsWhatUnmarshalGives asserts what FuzzGet does, of messages whose maps have few keys in many forms.
func TestGetIsWhatUnmarshalGives(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	rounds := 5000
	if fewRounds() {
		rounds = 2000
	}
	for range rounds {
		data := foldingMessage(nil, r, 4)
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Lossless}, {inline}, {polypack.Lossless, inline}} {
			samePaths(t, data, opts)
		}
	}
}

// foldingMessage appends a value whose maps have keys that fold in some mode.
func foldingMessage(out []byte, r *rand.Rand, depth int) []byte {
	keys := []string{"\xa11", "\x01", "\xc4\x011", "\xd9\x011", "\xcc\x01", "\xc0", "\xd4\x00\x00", "\xc3", "\xca\x00\x00\x00\x00", "\xca\x80\x00\x00\x00",
		"\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", "\xca\x7f\xc0\x00\x00", "\xcb\xff\xf8\x00\x00\x00\x00\x00\x01", "\xd6\xff\x00\x00\x00\x01",
		"\xd7\xff\x00\x00\x00\x00\x00\x00\x00\x01", "\xa2#0", "\xa2#1", "\xa40x31", "\xa0", "\xc4\x00", "\xff", "\xa2-1", "\xa3~/#", "\x91\x01", "\x81\xa11\x02"}
	switch n := r.IntN(4); {
	case depth == 0 || n == 0:
		return append(out, []string{"\x05", "\xa1x", "\xc0", "\x80", "\x90", "\xd4\x05\x01", "\xcc\x40", "\xc4\x01a"}[r.IntN(8)]...)
	case n == 1:
		count := r.IntN(3)
		out = append(out, 0x90|byte(count))
		for range count {
			out = foldingMessage(out, r, depth-1)
		}
	default:
		count, few := r.IntN(6), r.IntN(len(keys))
		out = append(out, 0x80|byte(count))
		for range count {
			out = append(out, keys[(few+r.IntN(6))%len(keys)]...)
			out = foldingMessage(out, r, depth-1)
		}
	}
	return out
}

// samePaths compares all paths of a message with its value.
func samePaths(t *testing.T, data []byte, opts []polypack.Option) {
	t.Helper()
	for _, path := range []string{"/a", "/0/1", "/#0/0", "/0x01/a", "/-1"} {
		if _, err := polypack.Get(data, path, opts...); err != nil && !errors.Is(err, polypack.ErrNotFound) {
			checkFault(t, err, data)
		}
	}
	var v any
	if err := polypack.Unmarshal(data, &v, opts...); err != nil {
		return
	}
	left := 200
	var visit func(path string, v any)
	visit = func(path string, v any) {
		if left--; left < 0 {
			return
		}
		raw, err := polypack.Get(data, path, opts...)
		if err != nil {
			t.Fatalf("%x at %q: %v; Unmarshal: %v", data, path, err, v)
		}
		var got any
		if err := raw.Unmarshal(&got, opts...); err != nil || !sameValue(reflect.ValueOf(&got), reflect.ValueOf(&v)) {
			t.Fatalf("%x at %q: %x, which is %v, %v; Unmarshal: %v", data, path, raw, got, err, v)
		}
		inside := insideOf(t, raw, v, opts)
		for token, value := range inside {
			visit(path+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(token), value)
		}
		for _, token := range []string{"1", "-1", "01", "#0", "#1", "#2", "0x31", "0x", "", "x", "\xff"} {
			if _, known := inside[token]; known {
				continue
			}
			if raw, err := polypack.Get(data, path+"/"+token, opts...); !errors.Is(err, polypack.ErrNotFound) {
				t.Fatalf("%x at %q: %x, %v; Unmarshal has nothing there, but %v around it", data, path+"/"+token, raw, err, v)
			}
		}
	}
	visit("", v)
}

// insideOf returns the values in v by their tokens. raw is the encoding of v, and has the order of the entries.
func insideOf(t *testing.T, raw []byte, v any, opts []polypack.Option) map[string]any {
	t.Helper()
	inside := map[string]any{}
	keep := func(token string, value any) {
		if _, known := inside[token]; !known {
			inside[token] = value
		}
	}
	switch v := v.(type) {
	case []any:
		for i, element := range v {
			keep(fmt.Sprint(i), element)
		}
	case map[string]any:
		return v
	case polypack.Object:
		for rank := range 4 {
			for i, entry := range v {
				if keyRank(entry.Key) == rank {
					keep(tokenOf(entry.Key, i), entry.Value)
				}
			}
		}
	case map[any]any:
		var keys []any
		d := polypack.NewDecoder(raw, opts...)
		n, err := d.DecodeMapHeader()
		for range n {
			key, errKey := d.DecodeAny()
			keys = append(keys, key)
			err = errors.Join(err, errKey, d.Skip())
		}
		if err != nil {
			t.Fatalf("%x: %v", raw, err)
		}
		for rank := range 4 {
			for i, key := range keys {
				switch k := key.(type) {
				case float32:
					key = float64(k)
				case []byte:
					key = string(k)
				}
				if keyRank(key) != rank {
					continue
				}
				for known, value := range v { // a look-up doesn't find NaN
					if known == key || known != known && key != key {
						keep(tokenOf(key, i), value)
					}
				}
			}
		}
	}
	return inside
}

// keyRank says which of several keys with one token counts: the lowest.
func keyRank(key any) int {
	switch key.(type) {
	case string:
		return 0
	case int64, uint64:
		return 1
	case []byte:
		return 2
	}
	return 3
}

// tokenOf returns the token of the key of the entry with this index.
func tokenOf(key any, index int) string {
	switch key := key.(type) {
	case string:
		return key
	case int64, uint64:
		return fmt.Sprint(key)
	case []byte:
		return fmt.Sprintf("0x%x", key)
	}
	return fmt.Sprint("#", index)
}
