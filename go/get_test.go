package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

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
		{"81 c402 00ff 01", "/0x00ff", "01", nil},
		{"81 c402 00ff 01", "/0x00FF", "", nil},
		{"81 c402 00ff 01", "/0x00f", "", nil},
		{"81 c400 01", "/0x", "01", nil},
		{"82 c0 01 c3 02", "/#1", "02", nil},
		{"82 c0 01 c3 02", "/#01", "", nil},
		{"82 c0 01 a161 02", "/#1", "", nil},
		{"82 91a161 01 cb0000000000000000 02", "/#0", "01", lossless},
		{"82 c0 01 a22330 02", "/#0", "02", nil},
		{"81 d6ff00000001 05", "/#0", "05", nil},
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

// FuzzGet asserts that Get finds every value that Unmarshal into an any finds, and no other bytes.
func FuzzGet(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range optionSets() {
			for _, path := range []string{"/a", "/0/1", "/#0/0", "/0x01/a", "/-1"} {
				if _, err := polypack.Get(data, path, opts...); err != nil && !errors.Is(err, polypack.ErrNotFound) {
					checkFault(t, err, data)
				}
			}
			var v any
			if err := polypack.Unmarshal(data, &v, with(opts, polypack.Lossless)...); err != nil {
				continue
			}
			left := 200
			walk(v, "", func(path string, v any) bool {
				if left--; left < 0 {
					return false
				}
				got, err := polypack.Get(data, path, with(opts, polypack.Lossless)...)
				if err != nil {
					t.Fatalf("%x at %q: %v", data, path, err)
				}
				a, err := polypack.Canonicalize(got)
				b, encodeErr := polypack.MarshalCanonical(v)
				if err != nil || encodeErr != nil || !bytes.Equal(a, b) {
					t.Fatalf("%x at %q: %x, %v; Unmarshal: %x, %v", data, path, a, err, b, encodeErr)
				}
				return true
			})
		}
	})
}

// walk calls visit for every value that a pointer names, and goes into those for which it returns true.
func walk(v any, path string, visit func(string, any) bool) {
	if !visit(path, v) {
		return
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1").Replace
	switch v := v.(type) {
	case []any:
		for i, element := range v {
			walk(element, fmt.Sprint(path, "/", i), visit)
		}
	case map[string]any:
		for key, value := range v {
			walk(value, path+"/"+escape(key), visit)
		}
	case polypack.Object:
		texts := map[string]bool{}
		for _, entry := range v {
			if key, ok := entry.Key.(string); ok {
				texts[key] = true
			}
		}
		for i, entry := range v {
			segment := "#" + fmt.Sprint(i)
			switch key := entry.Key.(type) {
			case string:
				walk(entry.Value, path+"/"+escape(key), visit)
				continue
			case int64, uint64:
				segment = fmt.Sprint(key)
			case []byte:
				segment = fmt.Sprintf("0x%x", key)
			}
			if !texts[segment] {
				walk(entry.Value, path+"/"+segment, visit)
			}
		}
	}
}
