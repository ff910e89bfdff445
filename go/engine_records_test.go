//go:build !purego

package polypack_test

// The engine against the plans where structs are records: the same bytes and the same errors.

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type recordsOfAll struct {
	A int8
	B int16 `msgpack:",omitempty"`
	C int32
	D int64 `msgpack:",omitzero"`
	E uint8
	F uint16
	G uint32
	H uint64
	I int
	J float32
	K float64 `msgpack:",omitempty"`
	L bool
	M string `msgpack:"a name that is longer than sixteen bytes"`
	N []byte `msgpack:",omitempty"`
	O time.Time
	P any
	Q *recordsOfAll `msgpack:",omitempty"`
	R []recordsOfAll
	S [2]struct{ X int }
	T []*recordRow
	U []int
	V []string
	W map[string]int
	X map[string]string
	Y map[int]recordRow
	Z struct{}
	sparseRow
	AA *int
	AB [3]byte
	AC polypack.RawMessage
	AD [][]recordRow
	AE *[]recordRow
}

func TestEngineRecords(t *testing.T) {
	shared, err := polypack.NewDictionary([][]string{{"a"}, {"X"}})
	if err != nil {
		t.Fatal(err)
	}
	larger := dictionaryOf(t, 40)
	larger, err = larger.AppendShapesOf(recordRow{}, recordsOfAll{})
	if err != nil {
		t.Fatal(err)
	}
	number := 64
	full := recordsOfAll{A: 64, B: 100, C: 127, D: 128, E: 63, F: 70, G: 70000, H: 1 << 40, I: -65, J: 1.5, K: math.NaN(), L: true, M: "text", N: []byte{64},
		O: time.Unix(1e9, 5), P: []any{recordRow{64, "y"}, 64, map[string]any{"k": recordRow{}}}, R: []recordsOfAll{{A: 65}, {B: 1}},
		S: [2]struct{ X int }{{64}, {1}}, T: []*recordRow{{1, "x"}, nil, {2, "y"}}, U: []int{63, 64, 127, 128}, V: []string{"a", "b"},
		W: map[string]int{"k": 64}, X: map[string]string{"k": "v"}, Y: map[int]recordRow{64: {64, ""}}, sparseRow: sparseRow{A: 100}, AA: &number,
		AB: [3]byte{64, 65, 66}, AC: polypack.RawMessage{0x92, 0x40, 0x7f}, AD: [][]recordRow{{{1, "x"}}, nil, {}}, AE: &[]recordRow{{5, "z"}}}
	nested := full
	nested.Q = &full
	deep := recordsOfAll{}
	for range 20 {
		next := deep
		deep = recordsOfAll{Q: &next}
	}
	var cycle recordsOfAll
	cycle.Q = &cycle
	values := []any{recordRow{}, full, &full, nested, &nested, []recordsOfAll{full, nested, {}}, deep, &cycle, []sparseRow{{}, {A: 1}, {B: 64}}, []struct{}{{}},
		struct{ P *recordRow }{}, struct{ P *recordRow }{&recordRow{64, "x"}}, struct{ F func() }{}, []recordsOfAll{{P: make(chan int)}},
		[]any{recordRow{}, full}, map[string]recordRow{"a": {}, "b": {}}, map[recordRow]recordRow{{}: {}}, 64, "text", []int{64}, (*recordRow)(nil),
		[]recordRow(nil), [2]recordRow{}, [1]*recordRow{{64, ""}}, recordRowMarshaler{}, []recordRowMarshaler{{}}, struct {
			R recordRowMarshaler
			S recordRow
		}{}}
	values = append(values, everyWay(recordRow{64, "x"})...)
	values = append(values, everyWay(sparseRow{B: 5})...)
	values = append(values, everyWay(recordsOfAll{B: 5})...)
	for range 2 {
		var rows []any
		for i := range 100 {
			rows = append(rows, structOf(fmt.Sprint("f", i%70), i))
		}
		values = append(values, rows)
	}
	for _, opts := range [][]polypack.Option{{inline}, {polypack.SharedRecords(shared)}, {polypack.SharedRecords(larger)}, {inline, polypack.MaxDepth(3)},
		{inline, polypack.NilAsEmpty(true)}, {inline, polypack.Strict, polypack.MaxValues(30)}, {inline, polypack.MaxDepth(0)}} {
		for _, v := range values {
			sameEncoding(t, v, opts...)
			if data, err := polypack.Marshal(v, opts...); err == nil {
				for _, target := range []reflect.Type{reflect.TypeOf(v), reflect.TypeFor[[]recordRow](), reflect.TypeFor[[]recordsOfAll](), reflect.TypeFor[sparseRow]()} {
					for _, more := range []polypack.Option{polypack.RejectUnknown(true), polypack.MaxDepth(2), polypack.Strings(polypack.StringsZeroCopy)} {
						samePlan(t, data, target, with(opts, more)...)
					}
				}
				for _, cut := range []int{1, len(data) / 2, len(data) - 1} {
					if cut > 0 && cut < len(data) {
						samePlan(t, data[:cut], reflect.TypeOf(v), opts...)
					}
				}
			}
		}
	}
}

// A recordRowMarshaler writes a struct by hand, which becomes a map.
type recordRowMarshaler struct{ recordRow }

func (r recordRowMarshaler) MarshalMsgpackTo(e *polypack.Encoder) error { return e.Encode(r.recordRow) }
