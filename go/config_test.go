package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	polypack "github.com/polypack/polypack/go"
)

func TestConfigLimits(t *testing.T) {
	none := polypack.DefaultConfig()
	for _, c := range []struct {
		in     string
		cfg    polypack.Config
		offset int64 // -1: accepted
		path   string
	}{
		{"93 a161 a26162 a0", none.WithMaxStringLen(1), 3, "/1"},
		{"93 a161 a26162 a0", none.WithMaxStringLen(2), -1, ""},
		{"81 a26162 01", none.WithMaxStringLen(1), 1, ""},
		{"81 a161 c402 0102", none.WithMaxBinaryLen(1), 3, "/a"},
		{"81 a161 c402 0102", none.WithMaxBinaryLen(2), -1, ""},
		{"92 91 01 90", none.WithMaxArrayLen(1), 0, ""},
		{"91 91 01", none.WithMaxArrayLen(1), -1, ""},
		{"81 a161 82 01 02 03 04", none.WithMaxMapLen(1), 3, "/a"},
		{"81 a161 81 01 02", none.WithMaxMapLen(1), -1, ""},
		{"91 c702 05 0102", none.WithMaxExtLen(1), 1, "/0"},
		{"91 d6ff 00000001", none.WithMaxExtLen(3), 1, "/0"},
		{"91 d6ff 00000001", none.WithMaxExtLen(4), -1, ""},
		{"91 91 90", none.WithMaxDepth(2), 2, "/0/0"},
		{"91 91 90", none.WithMaxDepth(3), -1, ""},
		{"91 91 90", polypack.Config{}, -1, ""},
		{"91 91 90", polypack.Config{MaxDepth: 1}, 1, "/0"},
	} {
		in := unhex(t, c.in)
		calls := map[string]func() error{
			"UnmarshalWithConfig": func() error { return polypack.UnmarshalWithConfig(in, new(any), c.cfg) },
			"Unmarshal":           func() error { return polypack.Unmarshal(in, new(any), c.cfg) },
			"Object":              func() error { return polypack.Unmarshal(in, new(any), c.cfg, polypack.Lossless) },
			"Skip":                func() error { return polypack.NewDecoder(in, c.cfg).Skip() },
			"Canonicalize":        func() error { _, err := polypack.Canonicalize(in, c.cfg); return err },
			"StreamDecoder": func() error {
				return polypack.NewStreamDecoder(bytes.NewReader(in), c.cfg).Decode(new(any))
			},
		}
		for name, call := range calls {
			t.Run(name+" of "+c.in, func(t *testing.T) {
				if err := call(); c.offset >= 0 {
					wantFault(t, err, polypack.CodeLimitExceeded, c.offset, c.path)
				} else if err != nil {
					t.Error(err)
				}
			})
		}
	}
	record := unhex(t, "d4 72 40 92 a161 a162 01 02")
	wantFault(t, polypack.Unmarshal(record, new(any), none.WithMaxMapLen(1), inline), polypack.CodeLimitExceeded, 0, "")
}

// TestConfigLimitsDictionary reads instances of shapes that the message doesn't declare. They count as the maps that
// they are.
func TestConfigLimitsDictionary(t *testing.T) {
	type three struct {
		A, B, C any
	}
	shapes := [][]string{{"A", "B", "C"}}
	for len(shapes) < 40 {
		shapes = append(shapes, []string{fmt.Sprint("n", len(shapes)), "B", "C"})
	}
	for id, dictionary := range map[string][][]string{"40": shapes[:1], "6000": shapes} {
		d, err := polypack.NewDictionary(dictionary)
		if err != nil {
			t.Fatal(err)
		}
		in := unhex(t, "92 01"+id+"02 03 04")
		for limit := 2; limit <= 3; limit++ {
			opts := []polypack.Option{polypack.SharedRecords(d), polypack.Config{MaxMapLen: limit}}
			var structs []any
			for name, call := range map[string]func() error{
				"any":          func() error { return polypack.Unmarshal(in, new(any), opts...) },
				"Lossless":     func() error { return polypack.Unmarshal(in, new(any), append(opts, polypack.Lossless)...) },
				"Object":       func() error { return polypack.Unmarshal(in[2:], new(polypack.Object), opts...) },
				"map":          func() error { return polypack.Unmarshal(in[2:], new(map[string]int), opts...) },
				"struct":       func() error { return polypack.Unmarshal(in[2:], new(three), opts...) },
				"structs":      func() error { return polypack.Unmarshal(append([]byte{0x91}, in[2:]...), new([]three), opts...) },
				"RawMessage":   func() error { return polypack.Unmarshal(in, new(polypack.RawMessage), opts...) },
				"Skip":         func() error { return polypack.NewDecoder(in, opts...).Skip() },
				"Get":          func() error { _, err := polypack.Get(in, "/1/C", opts...); return err },
				"Canonicalize": func() error { _, err := polypack.Canonicalize(in, opts...); return err },
				"StreamDecoder": func() error {
					return polypack.NewStreamDecoder(bytes.NewReader(in), opts...).Decode(&structs)
				},
				"Elements": func() error {
					_, err := collect[any](bytes.NewReader(in), opts...)
					return err
				},
			} {
				if err := call(); errors.Is(err, polypack.CodeLimitExceeded) != (limit == 2) || limit == 3 && err != nil {
					t.Errorf("%s of %x, MaxMapLen %d: %v", name, in, limit, err)
				}
			}
			if limit == 2 {
				err := polypack.Unmarshal(in, new(any), opts...)
				wantFault(t, err, polypack.CodeLimitExceeded, 2, "/1")
				if want := "a record has 3 entries but the limit is 2"; !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %q, want %q", err, want)
				}
			}
		}
	}
}

// TestConfigZeroKeeps checks that a field that is 0 keeps the limit of an earlier option, and that the default of the
// field doesn't.
func TestConfigZeroKeeps(t *testing.T) {
	for in, with := range map[string]func(c polypack.Config, limit int) polypack.Config{
		"a26162":      polypack.Config.WithMaxStringLen,
		"c402 0102":   polypack.Config.WithMaxBinaryLen,
		"92 01 02":    polypack.Config.WithMaxArrayLen,
		"82 01020304": polypack.Config.WithMaxMapLen,
		"d505 0102":   polypack.Config.WithMaxExtLen,
		"91 90":       polypack.Config.WithMaxDepth,
	} {
		data, none := unhex(t, in), polypack.DefaultConfig()
		tight := with(polypack.Config{}, 1)
		for _, opts := range [][]polypack.Option{{tight}, {tight, polypack.Config{}}, {tight, with(none, 0)}, {with(none, 0), tight}} {
			if err := polypack.Unmarshal(data, new(any), opts...); !errors.Is(err, polypack.CodeLimitExceeded) {
				t.Errorf("%s under %+v: %v", in, opts, err)
			}
		}
		if err := polypack.Unmarshal(data, new(any), tight, none); err != nil {
			t.Errorf("%s under %+v and the default: %v", in, tight, err)
		}
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "91 90"), new(any), polypack.MaxDepth(1), polypack.Config{}), polypack.CodeLimitExceeded, 1, "/0")
}

func TestConfigMisuse(t *testing.T) {
	for call, cfg := range map[string]polypack.Config{
		"Config.MaxStringLen": {MaxStringLen: -1},
		"Config.MaxBinaryLen": {MaxBinaryLen: -1},
		"Config.MaxArrayLen":  {MaxArrayLen: -1},
		"Config.MaxMapLen":    {MaxMapLen: -1},
		"Config.MaxExtLen":    {MaxExtLen: -1},
		"Config.MaxDepth":     {MaxDepth: 100_001},
	} {
		wantUsage(t, polypack.UnmarshalWithConfig([]byte{1}, new(any), cfg), call)
	}
}

// within reports whether s is a view of b.
func within(s string, b []byte) bool {
	at, start := uintptr(unsafe.Pointer(unsafe.StringData(s))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return at >= start && at < start+uintptr(len(b))
}

func TestStringsZeroCopy(t *testing.T) {
	type target struct {
		S string
		M map[string]string
		A any
		B []byte
	}
	data := mustMarshal(t, target{"string", map[string]string{"key": "value"}, map[string]any{"inner": "text"}, []byte("bytes")})
	zeroCopy := polypack.Strings(polypack.StringsZeroCopy)
	for i, opts := range [][]polypack.Option{{zeroCopy}, {zeroCopy, polypack.Strict}, {zeroCopy, polypack.Lossless}, {polypack.Strings(polypack.StringsSeparate)}, nil} {
		var v target
		if err := polypack.Unmarshal(data, &v, opts...); err != nil {
			t.Fatal(err)
		}
		inner := v.A.(map[string]any)
		strings := []string{v.S, v.M["key"], inner["inner"].(string)}
		for key := range v.M {
			strings = append(strings, key)
		}
		for key := range inner {
			strings = append(strings, key)
		}
		views := i < 3 && !purego
		for _, s := range strings {
			if within(s, data) != views {
				t.Errorf("%v: %q is a view of the input: %v", opts, s, !views)
			}
		}
		if v.S != "string" || inner["inner"] != "text" || v.M["key"] != "value" {
			t.Errorf("%+v", v)
		}
		if view := &v.B[0] == &data[len(data)-5]; view != (i < 3) || view && cap(v.B) != len(v.B) {
			t.Errorf("%v: bytes are a view of the input: %v, with a capacity of %d", opts, view, cap(v.B))
		}
	}
	wantUsage(t, polypack.Unmarshal(data, new(target), polypack.Strings(3)), "Strings")
	wantUsage(t, polypack.NewStreamDecoder(bytes.NewReader(data), zeroCopy).Decode(new(target)), "NewStreamDecoder")
}
