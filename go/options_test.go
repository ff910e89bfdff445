package polypack_test

import (
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

type nilable struct {
	S []int
	B []byte
	M map[string]int
	K map[int]int
	A []any
	G map[string]any
	O polypack.Object
	P *int
	I any
}

func TestNilAsEmpty(t *testing.T) {
	for _, row := range []struct {
		option polypack.Option
		want   string
	}{
		{polypack.NilAsEmpty(false), "89a153c0a142c0a14dc0a14bc0a141c0a147c0a14fc0a150c0a149c0"},
		{polypack.NilAsEmpty(true), "89a15390a142c400a14d80a14b80a14190a14780a14f80a150c0a149c0"},
	} {
		if got := hex.EncodeToString(mustMarshal(t, nilable{}, row.option)); got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
	}
	for _, v := range []any{[]byte(nil), []any(nil), map[string]any(nil), polypack.Object(nil), []string(nil), map[bool]int(nil)} {
		if got := mustMarshal(t, v, polypack.NilAsEmpty(true)); slices.Equal(got, []byte{0xc0}) {
			t.Errorf("a nil %T is written as nil", v)
		}
	}
}

func TestSortMaps(t *testing.T) {
	texts, numbers, anys := map[string]int{}, map[int]int{}, map[string]any{}
	for i := range 100 {
		texts[string(rune('a'+i))], numbers[i], anys[string(rune('a'+i))] = i, i, i
	}
	for _, v := range []any{texts, numbers, anys} {
		sorted := mustMarshal(t, v)
		if got := mustMarshal(t, v, polypack.SortMaps(true)); !slices.Equal(got, sorted) {
			t.Errorf("%T: sorting is not the default", v)
		}
		unsorted := mustMarshal(t, v, polypack.SortMaps(false))
		if slices.Equal(unsorted, sorted) {
			t.Errorf("%T: 100 entries are in order by chance?", v)
		}
		again, err := polypack.Canonicalize(unsorted)
		if err != nil || !slices.Equal(again, sorted) {
			t.Errorf("%T: %v, %x", v, err, again)
		}
	}
	// Equal keys are noticed without sorting, too.
	_, err := polypack.Marshal(map[any]int{1: 1, uint8(1): 2}, polypack.SortMaps(false))
	wantFault(t, err, polypack.CodeDuplicateKey, -1, "/1")
}

func TestRejectUnknown(t *testing.T) {
	type inner struct{ A int }
	type outer struct {
		In   inner
		List []inner
	}
	on := polypack.RejectUnknown(true)
	for _, row := range []struct {
		in     string
		offset int64
		path   string
	}{
		{"81 a158 01", 1, ""},
		{"82 a2496e 81 a14101 a158 c0", 8, ""},
		{"81 a2496e 82 a14101 a142 c0", 8, "/In"},
		{"81 a44c697374 92 81a14101 81a14202", 12, "/List/1"},
		{"81 01 02", 1, ""},
		{"81 90 02", 1, ""},
	} {
		var v outer
		if err := polypack.Unmarshal(unhex(t, row.in), &v, polypack.RejectUnknown(false)); err != nil {
			t.Errorf("%s: %v", row.in, err)
		}
		err := polypack.Unmarshal(unhex(t, row.in), &v, on)
		wantFault(t, err, polypack.CodeInvalidKey, row.offset, row.path)
	}
	var v outer
	if err := polypack.Unmarshal(unhex(t, "81 a2496e 81 a14107"), &v, on); err != nil || v.In.A != 7 {
		t.Errorf("%+v, %v", v, err)
	}
	// A record: its fields are known by the declaration, so the record is at fault.
	err := polypack.Unmarshal(unhex(t, "d47240 92 a24c69 a2496e 01 c0"), &v, on, polypack.Records(polypack.RecordsInline))
	wantFault(t, err, polypack.CodeInvalidKey, 0, "")
	for _, mode := range []polypack.Mode{polypack.Strict, polypack.Lossless} {
		err := polypack.Unmarshal(unhex(t, "82 a15801 a15802"), &v, mode)
		wantFault(t, err, polypack.CodeDuplicateKey, 4, "/X")
	}
}

func TestNamesOfModes(t *testing.T) {
	for want, mode := range map[string]fmt.Stringer{
		"default": polypack.Default, "strict": polypack.Strict, "lossless": polypack.Lossless, "Mode(3)": polypack.Mode(3),
		"off": polypack.RecordsOff, "inline": polypack.RecordsInline, "shared": polypack.RecordsShared,
		"RecordsMode(255)": polypack.RecordsMode(255),
		"arena":            polypack.StringsArena, "separate": polypack.StringsSeparate, "zero copy": polypack.StringsZeroCopy,
		"StringsMode(3)": polypack.StringsMode(3),
	} {
		if got := mode.String(); got != want {
			t.Errorf("%T %q, want %q", mode, got, want)
		}
	}
}
