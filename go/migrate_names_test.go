package polypack_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/guide"
)

// wantEncoded wants what an Encoder wrote.
func wantEncoded(t *testing.T, e *polypack.Encoder, want string, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil || !bytes.Equal(e.Bytes(), unhex(t, want)) {
		t.Errorf("%x, want %s, %v", e.Bytes(), want, err)
	}
}

// migrateNames does what the column "Polypack" of the table "Names" says, by what stands first in its rows.
var migrateNames = map[string]func(t *testing.T){
	"`NewEncoder(capacity)`": func(t *testing.T) {
		e := polypack.NewEncoder(make([]byte, 0, 100))
		wantEncoded(t, e, "05", e.Encode(5))
		if cap(e.Bytes()) != 100 {
			t.Error(cap(e.Bytes()))
		}
		e = polypack.NewEncoder(nil)
		wantEncoded(t, e, "05", e.Encode(5))
	},
	"`NewEncoderBuffer(buf)`": func(t *testing.T) {
		buf := make([]byte, 100)
		e := polypack.NewEncoder(buf[:0])
		wantEncoded(t, e, "05", e.Encode(5))
		if buf[0] != 5 {
			t.Error(buf)
		}
	},
	"`e.Reset()`": func(t *testing.T) {
		e := polypack.NewEncoder(nil)
		err := e.Encode(5)
		before := &e.Bytes()[0]
		e.Reset(e.Bytes()[:0])
		wantEncoded(t, e, "06", err, e.Encode(6))
		if before != &e.Bytes()[0] {
			t.Error("other memory")
		}
	},
	"`e.EncodeBinary(b)`": func(t *testing.T) {
		e := polypack.NewEncoder(nil)
		wantEncoded(t, e, "c40107", e.EncodeBytes([]byte{7}))
	},
	"`e.EncodeExt(typ, data)`": func(t *testing.T) {
		e, x := polypack.NewEncoder(nil), polypack.Ext{Type: 5, Data: []byte{7}}
		wantEncoded(t, e, "d40507", e.EncodeExt(x))
		if back, err := polypack.NewDecoder(e.Bytes()).DecodeExt(); err != nil || !reflect.DeepEqual(back, x) {
			t.Error(back, err)
		}
	},
	"`e.EncodeInt64Array(s)`, `EncodeUint64Array`, `EncodeFloat64Array`, `EncodeStringArray`": func(t *testing.T) {
		e := polypack.NewEncoder(nil)
		wantEncoded(t, e, "9105 9106 91cb3fe0000000000000 91a161",
			e.Encode([]int64{5}), e.Encode([]uint64{6}), e.Encode([]float64{0.5}), e.Encode([]string{"a"}))
	},
	"`e.EncodeValue(v)`": func(t *testing.T) {
		e := polypack.NewEncoder(nil)
		wantEncoded(t, e, "81a16105", e.Encode(polypack.Object{{Key: "a", Value: int64(5)}}))
	},
	"`NewDecoderWithConfig(data, cfg)`": func(t *testing.T) {
		config := polypack.DefaultConfig().WithMaxArrayLen(1)
		var list []int
		err := polypack.NewDecoder(unhex(t, "920102"), config).Decode(&list)
		wantFault(t, err, polypack.CodeLimitExceeded, 0, "")
		// In every function:
		wantFault(t, polypack.Unmarshal(unhex(t, "920102"), &list, config), polypack.CodeLimitExceeded, 0, "")
	},
	"`d.Position()`": func(t *testing.T) {
		d := polypack.NewDecoder([]byte{1, 0xc1})
		n, err := d.DecodeInt()
		if n != 1 || err != nil || d.Offset() != 1 {
			t.Error(n, err, d.Offset())
		}
		wantFault(t, d.Skip(), polypack.CodeReservedByte, int64(d.Offset()), "")
	},
	"`d.Remaining()`": func(t *testing.T) {
		data := []byte{1, 2}
		d := polypack.NewDecoder(data)
		if err := d.Skip(); err != nil || len(data)-int(d.Offset()) != 1 || !d.More() {
			t.Error(err, d.Offset(), d.More())
		}
		wantFault(t, d.Finish(), polypack.CodeTrailingData, 1, "")
		if err := errors.Join(d.Skip(), d.Finish()); err != nil || d.More() {
			t.Error(err, d.More())
		}
	},
	"`d.DecodeStruct(&v)`": func(t *testing.T) {
		var v migrateBase
		var n int
		d := polypack.NewDecoder(unhex(t, "81a2494407 05"))
		if err := errors.Join(d.Decode(&v), d.Decode(&n)); err != nil || v.ID != 7 || n != 5 {
			t.Error(v, n, err)
		}
	},
	"`d.DecodeInt64Array()`, `DecodeUint64Array`, `DecodeFloat64Array`, `DecodeStringArray`": func(t *testing.T) {
		var ints []int64
		var uints []uint64
		var floats []float64
		var texts []string
		d := polypack.NewDecoder(unhex(t, "9105 9106 91cb3fe0000000000000 91a161"))
		err := errors.Join(d.Decode(&ints), d.Decode(&uints), d.Decode(&floats), d.Decode(&texts))
		if err != nil || ints[0] != 5 || uints[0] != 6 || floats[0] != 0.5 || texts[0] != "a" {
			t.Error(ints, uints, floats, texts, err)
		}
	},
	"`d.Decode()` giving a `Value`": func(t *testing.T) {
		data := unhex(t, "82 a162 05 a161 06")
		var object polypack.Object
		value, err := polypack.NewDecoder(data).DecodeAny()
		raw, err2 := polypack.Get(data, "/a")
		if err := errors.Join(err, err2, polypack.NewDecoder(data).Decode(&object)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(value, map[string]any{"b": int64(5), "a": int64(6)}) || object[0].Key != "b" || raw[0] != 6 {
			t.Error(value, object, raw)
		}
	},
	"`Value`, `KV`, `Type`": func(t *testing.T) {
		data := unhex(t, "83 a162 05 01 06 a161 9107")
		var object polypack.Object
		var raw map[any]polypack.RawMessage
		if err := errors.Join(polypack.Unmarshal(data, &object), polypack.Unmarshal(data, &raw)); err != nil {
			t.Fatal(err)
		}
		want := polypack.Object{{Key: "b", Value: int64(5)}, {Key: int64(1), Value: int64(6)}, {Key: "a", Value: []any{int64(7)}}}
		if !reflect.DeepEqual(object, want) || !slices.Equal(raw["a"], []byte{0x91, 7}) {
			t.Error(object, raw)
		}
		if allocs := testing.AllocsPerRun(10, func() { _, _ = polypack.Get(data, "/a/0") }); allocs > 0 {
			t.Error(allocs, "allocations")
		}
	},
}

// migrateErrors does the same for the table "Errors".
var migrateErrors = map[string]func(t *testing.T){
	"`ErrUnexpectedEOF`": func(t *testing.T) {
		wantFault(t, polypack.Unmarshal(unhex(t, "92"), new(any)), polypack.CodeUnexpectedEnd, 0, "")
	},
	"`ErrInvalidFormat`": func(t *testing.T) {
		wantFault(t, polypack.Unmarshal(unhex(t, "c1"), new(any)), polypack.CodeReservedByte, 0, "")
	},
	"`ErrStringTooLong`, `ErrBinaryTooLong`, `ErrArrayTooLong`, `ErrMapTooLong`, `ErrExtTooLong`, `ErrMaxDepthExceeded`": func(t *testing.T) {
		config := polypack.DefaultConfig().WithMaxStringLen(1).WithMaxBinaryLen(1).WithMaxArrayLen(1).WithMaxMapLen(1).WithMaxExtLen(1).WithMaxDepth(1)
		for _, in := range []string{"a26161", "c4020101", "920101", "82a16101a16201", "d5050101", "9191c0"} {
			if err := polypack.UnmarshalWithConfig(unhex(t, in), new(any), config); !errors.Is(err, polypack.CodeLimitExceeded) {
				t.Error(in, err)
			}
		}
	},
	"`ErrTypeMismatch`": func(t *testing.T) {
		wantFault(t, polypack.Unmarshal(unhex(t, "a161"), new(int)), polypack.CodeTypeMismatch, 0, "")
		wantFault(t, polypack.Unmarshal(unhex(t, "cd012c"), new(int8)), polypack.CodeOutOfRange, 0, "")
		if err := polypack.Unmarshal(unhex(t, "819001"), new(map[string]int)); !errors.Is(err, polypack.CodeInvalidKey) {
			t.Error(err)
		}
	},
	"`ErrUnsupportedType`": func(t *testing.T) {
		if _, err := polypack.Marshal(make(chan int)); !errors.Is(err, polypack.CodeUnsupportedValue) {
			t.Error(err)
		}
	},
	"`ErrNotPointer`, `ErrNotStruct`": func(t *testing.T) {
		var usage *polypack.UsageError
		if err := polypack.Unmarshal([]byte{1}, 5); !errors.As(err, &usage) {
			t.Error(err)
		}
	},
}

// TestMigrationTables runs the check of each row of the guide's tables, and asserts that each row has one.
func TestMigrationTables(t *testing.T) {
	guide.Check(t, "../docs", "migrating-from-msgpck.md", "Names", migrateNames)
	guide.Check(t, "../docs", "migrating-from-msgpck.md", "Errors", migrateErrors)
	guide.Check(t, "../docs", "migrating-from-msgpck.md", "What changes", migrateRows)
}
