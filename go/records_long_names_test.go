package polypack_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// longNamed returns an array of count instances of a record with one name of the length, each with the value nil.
func longNamed(length, count int) []byte {
	data := []byte{0xdd, byte(count >> 24), byte(count >> 16), byte(count >> 8), byte(count), 0xd4, 0x72, 0x40, 0x91, 0xdb,
		byte(length >> 24), byte(length >> 16), byte(length >> 8), byte(length)}
	data = append(data, strings.Repeat("n", length)+"\xc0"...)
	return append(data, strings.Repeat("\x40\xc0", count-1)...)
}

// longNamedKeys returns a map of count entries. Their keys are instances of a record with one name of the length.
func longNamedKeys(length, count int) []byte {
	data := longNamed(length, 1)
	data[0] = 0xdf
	data[3], data[4] = byte(count>>8), byte(count)
	data = append(data, 1)
	for i := 1; i < count; i++ {
		data = append(data, 0x40, 0xcd, byte(i>>8), byte(i), 1)
	}
	return data
}

// Keys are read a second time once they are known to be new. What they hash counts for the message, too.
func TestLongNamesInKeys(t *testing.T) {
	const length = 1 << 20
	for name, decode := range map[string]func(data []byte) error{
		"lossless any": func(data []byte) error {
			return polypack.Unmarshal(data, new(any), polypack.Records(polypack.RecordsInline), polypack.Lossless)
		},
		"Object": func(data []byte) error {
			return polypack.Unmarshal(data, new(polypack.Object), polypack.Records(polypack.RecordsInline))
		},
	} {
		if err := decode(longNamedKeys(length, 300)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := decode(longNamedKeys(length, 3000)); !errors.Is(err, polypack.CodeLimitExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each byte of an array earns as much to Elements as to Unmarshal.
func TestLongNamesInElements(t *testing.T) {
	const count = 20_000
	name := strings.Repeat("n", 1<<13)
	data := []byte{0xdd, 0, 0, count >> 8, count & 0xff, 0xd4, 0x72, 0x40, 0x92, 0xda, 0x20, 0x00}
	data = append(data, name+"\xa1a\xc0\xd9\x1e"+strings.Repeat("s", 30)...)
	data = append(data, strings.Repeat("\x40\xc0\xd9\x1e"+strings.Repeat("s", 30), count-1)...)
	inline := polypack.Records(polypack.RecordsInline)
	var all []any
	if err := polypack.Unmarshal(data, &all, inline); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range polypack.Elements[any](bytes.NewReader(data), inline) {
		if err != nil {
			t.Fatal(n, err)
		}
		n++
	}
	if n != count {
		t.Errorf("%d elements", n)
	}
}

// Maps hash a name for each instance, however long it is, so a message may not do that too often.
func TestLongNamesInMaps(t *testing.T) {
	type rest struct {
		Rest map[string]any `msgpack:",inline"`
	}
	const length = 1 << 20
	inline := polypack.Records(polypack.RecordsInline)
	for name, target := range map[string]func() any{
		"any":             func() any { return new(any) },
		"map":             func() any { return new([]map[string]any) },
		"map of any keys": func() any { return new([]map[any]any) },
		"inline map":      func() any { return new([]rest) },
	} {
		if err := polypack.Unmarshal(longNamed(length, 300), target(), inline); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		err := polypack.Unmarshal(longNamed(length, 3000), target(), inline)
		var fault *polypack.Error
		if !errors.As(err, &fault) || fault.Code != polypack.CodeLimitExceeded {
			t.Errorf("%s: %v", name, err)
		} else if index := strings.TrimPrefix(fault.Path, "/"); len(index) != 3 || index < "319" || index > "321" {
			t.Errorf("%s: fault at %s", name, fault.Path)
		}
		// Short names may be repeated as often as one likes.
		if err := polypack.Unmarshal(longNamed(1000, 20_000), target(), inline); err != nil {
			t.Errorf("%s, short names: %v", name, err)
		}
	}
	for name, target := range map[string]func() any{
		"Object": func() any { return new([]polypack.Object) },
		"struct": func() any { return new([]struct{ A any }) },
	} {
		if err := polypack.Unmarshal(longNamed(length, 20_000), target(), inline); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
