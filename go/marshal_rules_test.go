package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest/tagged"
)

// ruleOptions returns options that change names, and combinations with others.
func ruleOptions() [][]polypack.Option {
	fold, keys, text := polypack.FoldCase(true), polypack.TagKeys("json"), polypack.ErrorsAsText(true)
	sets := [][]polypack.Option{
		nil, {keys}, tagged.Options(), {fold}, {keys, fold, polypack.Strict}, {fold, text, polypack.RejectUnknown(true)},
		{polypack.OmitEmptyAsksIsZero(true)}, {polypack.TagKeys("none", "json"), fold, polypack.MaxValues(30), text},
		{polypack.Strict}, {polypack.Lossless, fold}, {keys, inline}, {fold, inline, polypack.Strict}, {fold, noExtensions},
	}
	for _, also := range []polypack.Option{polypack.EngineOnly(), polypack.Strict, polypack.RejectUnknown(true)} {
		sets = append(sets, append(tagged.Options(), also))
	}
	return sets
}

type withErrors struct {
	Err   error  `json:"err" msgpack:"err,omitempty"`
	Own   ownErr `msgpack:",alias:mine"`
	Any   any
	Rest  map[string]any `msgpack:",inline"`
	Plain *ownErr        `msgpack:"plain,alias:p"`
}

// ownErr is an error that has fields, too.
type ownErr struct{ N int }

func (e *ownErr) Error() string { return fmt.Sprint("own ", e.N) }

func ruleTargets() []any {
	return []any{new(tagged.Account), new(withErrors), new([]tagged.Account), new(map[string]*tagged.Account),
		new(struct {
			tagged.Account
			Same string `json:"nom"`
		})}
}

// TestRulesAgainstPlans compares what plan, engine and generated methods make of the same messages under every rule.
func TestRulesAgainstPlans(t *testing.T) {
	t.Parallel()
	againstPlans(t, ruleTargets, ruleOptions(), 2000)
}

func FuzzRules(f *testing.F) {
	addSeeds(f)
	w := careless{rand: rand.New(rand.NewPCG(5, 6))}
	for _, target := range ruleTargets() {
		for range sample([]int{1, 2, 3}, 3) {
			w.out = nil
			w.write(reflect.TypeOf(target).Elem(), 0)
			f.Add(bytes.Clone(w.out))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range sample(ruleOptions(), 4) {
			slow := ruleTargets()
			for i, fast := range ruleTargets() {
				sameDecoding(t, data, fast, slow[i], opts...)
				sameEncoding(t, fast, append(opts[:len(opts):len(opts)], polypack.MaxDepth(100))...)
			}
		}
	})
}

func TestTagKeys(t *testing.T) {
	type row struct {
		A int `json:"a" msgpack:"x"`
		B int `json:"b,omitempty,string"`
		C int `msgpack:"c"`
		D int `json:"-"`
	}
	for _, c := range []struct {
		keys []string
		want map[string]int
	}{
		{[]string{"msgpack"}, map[string]int{"x": 1, "B": 2, "c": 3, "D": 4}},
		{[]string{"json"}, map[string]int{"a": 1, "b": 2, "C": 3}},
		{[]string{"msgpack", "json"}, map[string]int{"x": 1, "b": 2, "c": 3}},
		{[]string{"json", "msgpack"}, map[string]int{"a": 1, "b": 2, "c": 3}},
		{[]string{"yaml"}, map[string]int{"A": 1, "B": 2, "C": 3, "D": 4}},
	} {
		var got map[string]int
		data := mustMarshal(t, row{1, 2, 3, 4}, polypack.TagKeys(c.keys...))
		if err := polypack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, %v", c.keys, got, err)
		}
	}
	for _, keys := range [][]string{nil, {""}, {"a b"}, {"a:"}, {`"`}} {
		_, err := polypack.Marshal(1, polypack.TagKeys(keys...))
		wantUsage(t, err, "TagKeys")
	}
	if _, err := polypack.Marshal(struct {
		A int `msgpack:",string"`
	}{}, polypack.TagKeys("json", "msgpack")); !errors.Is(err, polypack.CodeUnsupportedValue) {
		t.Errorf("an unknown option under the own key: %v", err)
	}
	// Many keys don't fill memory: caches beyond the limit are not kept.
	for i := range 200 {
		opt := polypack.TagKeys(fmt.Sprint("key", i), "json")
		if data := mustMarshal(t, row{A: 1}, opt); !bytes.Contains(data, []byte("a\x01")) {
			t.Fatalf("%x", data)
		}
	}
}

func TestAliases(t *testing.T) {
	type inner struct{ N int }
	type row struct {
		New  int    `msgpack:"new,alias:old,alias:older"`
		Part *inner `msgpack:",alias:part"`
	}
	var v row
	if err := polypack.Unmarshal(unhex(t, "83 a36f6c64 01 a470617274 81a14e02 a16f 03"), &v, polypack.Strict); err != nil || v.New != 1 || v.Part.N != 2 {
		t.Error(v, err)
	}
	if data := mustMarshal(t, row{New: 1}); strings.Contains(string(data), "old") {
		t.Errorf("an alias was written: %q", data)
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "81 a56f6c646572 c3"), &v), polypack.CodeTypeMismatch, 7, "/older")
	wantFault(t, polypack.Unmarshal(unhex(t, "82 a36f6c64 01 a36f6c64 02"), &v, polypack.Strict), polypack.CodeDuplicateKey, 6, "/old")
	for _, bad := range []any{
		struct {
			A int `msgpack:",alias:B"`
			B int
		}{},
		struct {
			A int `msgpack:",alias:x"`
			B int `msgpack:",alias:x"`
		}{},
		struct {
			M map[string]int `msgpack:",inline,alias:x"`
		}{},
	} {
		if _, err := polypack.Marshal(bad); !errors.Is(err, polypack.CodeUnsupportedValue) || !strings.Contains(err.Error(), "alias") {
			t.Errorf("%T: %v", bad, err)
		}
	}
}

// TestNeedlessAliases has aliases that the same field has already. They change nothing.
func TestNeedlessAliases(t *testing.T) {
	type row struct {
		A int `msgpack:"a,alias:a"`
		B int `msgpack:",alias:x,alias:B,alias:x"`
	}
	want := row{1, 2}
	for _, opts := range [][]polypack.Option{{polypack.Strict}, {polypack.FoldCase(true)}} {
		var v row
		if err := polypack.Unmarshal(unhex(t, "82 a161 01 a178 02"), &v, opts...); err != nil || v != want {
			t.Error(v, err)
		}
		wantBytes(t, mustMarshal(t, want, opts...), nil, unhex(t, "82 a161 01 a142 02"))
	}
}

func TestFoldCase(t *testing.T) {
	type row struct {
		Name   string
		NAME   string `msgpack:"NAME"`
		Straße int
		Kelvin int `msgpack:"K,alias:temp"`
	}
	for _, c := range []struct {
		key  string
		want row
	}{
		{"Name", row{Name: "x"}}, {"NAME", row{NAME: "x"}}, {"name", row{Name: "x"}}, {"nAmE", row{Name: "x"}}, {"names", row{}},
	} {
		var v row
		data := mustMarshal(t, map[string]string{c.key: "x"})
		if err := polypack.Unmarshal(data, &v, polypack.FoldCase(true)); err != nil || v != c.want {
			t.Errorf("%s: %+v, %v", c.key, v, err)
		}
	}
	for _, key := range []string{"k", "\u212a", "TEMP"} { // the last is the sign of kelvins
		var v row
		if err := polypack.Unmarshal(mustMarshal(t, map[string]int{key: 3}), &v, polypack.FoldCase(true)); err != nil || v.Kelvin != 3 {
			t.Errorf("%q: %+v, %v", key, v, err)
		}
		if err := polypack.Unmarshal(mustMarshal(t, map[string]int{key: 3}), &v, polypack.RejectUnknown(true)); err == nil {
			t.Errorf("%q is read without the option", key)
		}
	}
	var long row
	if err := polypack.Unmarshal(mustMarshal(t, map[string]int{strings.Repeat("ſ", 1000): 1, "\xff": 2}), &long, polypack.FoldCase(true)); err != nil {
		t.Error(err)
	}
}

func TestOmitEmptyAsksIsZero(t *testing.T) {
	type row struct {
		A tagged.Amount  `msgpack:",omitempty"`
		P *tagged.Amount `msgpack:",omitempty"`
	}
	small := row{tagged.Amount{Cents: 5}, &tagged.Amount{Cents: 5}}
	if got := mustMarshal(t, small, polypack.OmitEmptyAsksIsZero(true)); !bytes.Equal(got, []byte{0x80}) {
		t.Errorf("%x", got)
	}
	if got := mustMarshal(t, small); got[0] != 0x82 {
		t.Errorf("%x", got)
	}
}

func TestErrorsAsText(t *testing.T) {
	text := polypack.ErrorsAsText(true)
	in := withErrors{Err: errors.New("one"), Own: ownErr{2}, Any: fmt.Errorf("three: %w", errOwn), Plain: &ownErr{4}}
	data := mustMarshal(t, &in, text)
	var got map[string]any
	if err := polypack.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"err": "one", "Own": "own 2", "Any": "three: " + errOwn.Error(), "plain": "own 4"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	var back struct {
		Err error `msgpack:"err"`
		Any error
	}
	if err := polypack.Unmarshal(data, &back, text); err != nil || back.Err.Error() != "one" || !strings.HasPrefix(back.Any.Error(), "three") {
		t.Error(back, err)
	}
	if err := polypack.Unmarshal(unhex(t, "81 a3657272 c0"), &back, text); err != nil || back.Err != nil {
		t.Error(back, err)
	}
	if _, err := polypack.Marshal(in); !errors.Is(err, polypack.CodeUnsupportedValue) {
		t.Errorf("without the option: %v", err)
	}
	if err := polypack.Unmarshal(data, &back); !errors.Is(err, polypack.CodeTypeMismatch) {
		t.Errorf("without the option: %v", err)
	}
}

// An error is written as text below the tag option as_array, too. Its fields are read as without ErrorsAsText.
func TestErrorsAsTextAsArray(t *testing.T) {
	type holds struct {
		Own     ownErr             `msgpack:"own,as_array"`
		Pointer *ownErr            `msgpack:"pointer,as_array"`
		Map     map[string]ownErrs `msgpack:"map,as_array"`
		Plain   struct{ A int }    `msgpack:"plain,as_array"`
	}
	text := polypack.ErrorsAsText(true)
	in := holds{ownErr{1}, &ownErr{2}, map[string]ownErrs{"a": {{3}}}, struct{ A int }{4}}
	var got map[string]any
	if err := polypack.Unmarshal(mustMarshal(t, &in, text), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"own": "own 1", "pointer": "own 2", "map": map[string]any{"a": "1 errors"}, "plain": []any{int64(4)}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var back holds
	if err := polypack.Unmarshal(mustMarshal(t, in), &back, text); err != nil || !reflect.DeepEqual(back, in) {
		t.Errorf("%v, %v", back, err)
	}
}

// ownErrs is an error that holds errors.
type ownErrs []ownErr

func (e ownErrs) Error() string { return fmt.Sprint(len(e), " errors") }

// TestExtensionOf registers types that are known at run time only.
func TestExtensionOf(t *testing.T) {
	type point struct{ X, Y int8 }
	of := reflect.TypeFor[point]()
	bytesOf := func(dst []byte, v reflect.Value) ([]byte, error) {
		return append(dst, byte(v.Field(0).Int()), byte(v.Field(1).Int())), nil
	}
	set := func(data []byte, v reflect.Value) error {
		if len(data) != 2 {
			return errOwn
		}
		v.Field(0).SetInt(int64(int8(data[0])))
		v.Field(1).SetInt(int64(int8(data[1])))
		return nil
	}
	opt := polypack.Extensions(polypack.NewExtensionOf(7, of, bytesOf, set))
	for _, v := range []any{point{1, -2}, &point{1, -2}, []point{{1, -2}}, map[string]any{"a": point{1, -2}}} {
		data := mustMarshal(t, v, opt)
		if !bytes.Contains(data, unhex(t, "d507 01fe")) {
			t.Errorf("%x", data)
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := polypack.Unmarshal(data, back.Interface(), opt); err != nil || !reflect.DeepEqual(back.Elem().Interface(), v) {
			t.Errorf("%v, %v", back.Elem(), err)
		}
	}
	pointer := polypack.Extensions(polypack.NewExtensionOf(7, reflect.PointerTo(of), func(dst []byte, v reflect.Value) ([]byte, error) {
		return bytesOf(dst, v.Elem())
	}, func(data []byte, v reflect.Value) error {
		v.Set(reflect.New(of))
		return set(data, v.Elem())
	}))
	var back struct{ P *point }
	if err := polypack.Unmarshal(mustMarshal(t, map[string]any{"P": point{3, 4}}, pointer), &back, pointer); err != nil || *back.P != (point{3, 4}) {
		t.Error(back, err)
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "d40701"), new(point), opt), polypack.CodeUnsupportedValue, 0, "")
	for _, bad := range []polypack.Extension{
		polypack.NewExtensionOf(7, nil, bytesOf, set), polypack.NewExtensionOf(7, of, nil, set), polypack.NewExtensionOf(-1, of, bytesOf, set),
		polypack.NewExtensionOf(7, reflect.TypeFor[int](), bytesOf, set),
	} {
		_, err := polypack.Marshal(1, polypack.Extensions(bad))
		wantUsage(t, err, "NewExtension")
	}
}

// What an extension for errors writes is read again, with ErrorsAsText, too.
func TestErrorsAsTextWithExtension(t *testing.T) {
	encode := func(dst []byte, e error) ([]byte, error) { return append(dst, e.Error()...), nil }
	decode := func(data []byte) (error, error) { return errors.New(string(data)), nil }
	options := []polypack.Option{polypack.Extensions(polypack.NewExtension(5, encode, decode)), polypack.ErrorsAsText(true)}
	type row struct{ E error }
	data := mustMarshal(t, row{errOwn}, options...)
	var got row
	if err := polypack.Unmarshal(data, &got, options...); err != nil || got.E.Error() != errOwn.Error() {
		t.Errorf("%x, %v, %v", data, got, err)
	}
	if err := polypack.Unmarshal(unhex(t, "81 a145 a3626f6f"), &got, options...); err != nil || got.E.Error() != "boo" {
		t.Error(got, err)
	}
	if err := polypack.Unmarshal(unhex(t, "81 a145 d40000"), &got, options...); err != nil || got.E != nil {
		t.Error(got, err)
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "81 a145 d40605"), &got, options...), polypack.CodeTypeMismatch, 3, "/E")
}

// The name and the alias of a field are different keys in every mode, whoever reads them.
func TestNameAndAlias(t *testing.T) {
	type row struct {
		N int `msgpack:"name,alias:title"`
		M int `msgpack:"m"`
	}
	inline := polypack.Records(polypack.RecordsInline)
	for _, in := range []string{"82 a46e616d65 01 a57469746c65 02", "82 a57469746c65 01 a46e616d65 02", "d47240 92 a46e616d65 a57469746c65 01 02"} {
		for _, mode := range []polypack.Option{polypack.Default, polypack.Strict, polypack.Lossless} {
			for _, opts := range [][]polypack.Option{{mode, inline}, {mode, inline, polypack.PlansOnly()}} {
				var v row
				if err := polypack.Unmarshal(unhex(t, in), &v, opts...); err != nil || v.N != 2 {
					t.Errorf("%s: %v, %v", in, v, err)
				}
			}
		}
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "82 a57469746c65 01 a57469746c65 02"), new(row), polypack.Strict), polypack.CodeDuplicateKey, 8, "/title")
}

type (
	plainFault  struct{ A int } // written as its text
	codedFault  struct{ A int } // by its own methods
	textFault   struct{ A int }
	onlyWritten struct{ A int }
)

func (f *plainFault) Error() string                   { return fmt.Sprint("plain ", f.A) }
func (f *codedFault) Error() string                   { return "coded" }
func (f *codedFault) MarshalMsgpack() ([]byte, error) { return polypack.Marshal(f.A) }
func (f *codedFault) UnmarshalMsgpack(b []byte) error { return polypack.Unmarshal(b, &f.A) }
func (f *textFault) Error() string                    { return "text" }
func (f *textFault) MarshalText() ([]byte, error)     { return fmt.Append(nil, f.A), nil }
func (f *textFault) UnmarshalText(b []byte) (err error) {
	f.A, err = strconv.Atoi(string(b))
	return err
}
func (f *onlyWritten) Error() string                { return "only" }
func (f *onlyWritten) MarshalText() ([]byte, error) { return fmt.Append(nil, f.A), nil }

// TestErrorsThatAreHeld reads into variables of type error that have a pointer to an error already.
func TestErrorsThatAreHeld(t *testing.T) {
	for _, row := range []struct {
		message string
		held    error
		want    any // an error, or the text of another one
	}{
		{"07", &codedFault{}, &codedFault{7}},
		{"a133", &textFault{}, &textFault{3}},
		{"a133", &onlyWritten{1}, "3"},
		{"a133", &plainFault{1}, "3"},
		{"81 a141 07", &plainFault{1}, &plainFault{7}},
		{"81 a141 07", &onlyWritten{1}, &onlyWritten{7}},
		{"a133", errors.New("x"), "3"},
		{"a133", nil, "3"},
		{"c0", &codedFault{1}, nil},
	} {
		for _, opts := range [][]polypack.Option{{}, {polypack.Strict}, {inline}, {noExtensions}, {polypack.PlansOnly()}} {
			opts = append(opts, polypack.ErrorsAsText(true))
			held := row.held
			if held != nil { // a copy, because reading changes it
				held = reflect.New(reflect.TypeOf(held).Elem()).Interface().(error)
				reflect.ValueOf(held).Elem().Set(reflect.ValueOf(row.held).Elem())
			}
			v := []error{held}
			err := polypack.Unmarshal(unhex(t, "91"+row.message), &v, opts...)
			if text, isText := row.want.(string); err != nil || isText && v[0].Error() != text || row.want == nil && v[0] != nil ||
				!isText && row.want != nil && (v[0] != held || !reflect.DeepEqual(v[0], row.want)) {
				t.Errorf("%s into %#v: %#v, %v, want %#v", row.message, row.held, v[0], err, row.want)
			}
		}
	}
}

// TestErrorsAsKeys writes maps with keys of type error, and reads them again.
func TestErrorsAsKeys(t *testing.T) {
	for want, m := range map[string]map[error]int{
		"81 a178 01":             {errors.New("x"): 1},
		"81 a7706c61696e2035 01": {&plainFault{5}: 1},
		"81 a135 01":             {&textFault{5}: 1},
		"81 c0 01":               {nil: 1},
	} {
		for _, opts := range [][]polypack.Option{{}, {polypack.Strict}, {inline}, {polypack.PlansOnly()}} {
			opts = append(opts, polypack.ErrorsAsText(true))
			data := mustMarshal(t, m, opts...)
			var back map[error]int
			if err := polypack.Unmarshal(data, &back, opts...); err != nil || !bytes.Equal(data, unhex(t, want)) {
				t.Errorf("% x, %v, want %s", data, err, want)
			} else if again := mustMarshal(t, back, opts...); !bytes.Equal(again, data) {
				t.Errorf("% x became % x", data, again)
			}
		}
	}
}
