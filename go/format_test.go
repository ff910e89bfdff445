package polypack

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/polypack/polypack/go/internal/format"
)

// TestFormatTable checks the constants and both tables against spec/format.json.
func TestFormatTable(t *testing.T) {
	text, err := os.ReadFile("../spec/format.json")
	if err != nil {
		if _, missing := os.Stat("../spec"); missing == nil {
			t.Fatal(err)
		}
		t.Skip("this is the module alone, without the repository's spec folder: ", err)
	}
	var spec struct {
		Profile int
		Heads   []struct {
			Format, Family, First, Last string
			Bytes                       uint8
		}
		Extensions map[string]int
		Limits     map[string]int
	}
	if err := json.Unmarshal(text, &spec); err != nil {
		t.Fatal(err)
	}
	if spec.Profile != 1 || len(spec.Heads) != len(formats) {
		t.Fatalf("profile %d with %d formats; this package has %d", spec.Profile, len(spec.Heads), len(formats))
	}
	familyNames := map[string]family{"nil": familyNil, "bool": familyBool, "int": familyInt, "float": familyFloat, "str": familyStr,
		"bin": familyBin, "array": familyArray, "map": familyMap, "ext": familyExt, "reserved": familyReserved}
	var covered [256]int
	for i, want := range spec.Heads {
		first, err := strconv.ParseUint(want.First, 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		last, err := strconv.ParseUint(want.Last, 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		got := formats[i]
		if got != (formatRow{want.Format, familyNames[want.Family], byte(first), byte(last), want.Bytes}) {
			t.Errorf("format %d is %+v, the specification has %+v", i, got, want)
		}
		for c := first; c <= last; c++ {
			covered[c]++
			if families[c] != got.family || arguments[c] != got.argument || formatName(byte(c)) != want.Format {
				t.Errorf("head byte %02x: family %d, %d bytes, %q", c, families[c], arguments[c], formatName(byte(c)))
			}
		}
	}
	for c, n := range covered {
		if n != 1 {
			t.Errorf("head byte %02x belongs to %d formats", c, n)
		}
	}
	for name, got := range map[string]int{"UNDEFINED": format.UndefinedType, "TIMESTAMP": int(TimestampExtType), "RECORD": format.RecordType} {
		if want, ok := spec.Extensions[name]; !ok || want != got {
			t.Errorf("extension type %s is %d, want %d", name, got, want)
		}
	}
	for name, got := range map[string]int{"MAX_DEPTH": defaultMaxDepth, "MAX_STREAM_BYTES": defaultMaxBytes, "MAX_PREALLOCATED": maxPreallocated} {
		if want, ok := spec.Limits[name]; !ok || want != got {
			t.Errorf("limit %s is %d, want %d", name, got, want)
		}
	}
}
