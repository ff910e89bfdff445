package polypack_test

// What the README of msgpck shows, as it runs with this package; see docs/guides/migrating-from-msgpck.md.

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type account struct {
	Name  string `msgpack:"name"`
	Age   int    `msgpack:"age"`
	Email string `msgpack:"email,omitempty"`
}

func Example_quickStart() {
	data, err := polypack.Marshal(map[string]any{"name": "Alice", "age": 30})
	if err != nil {
		panic(err)
	}
	var m map[string]any
	if err := polypack.Unmarshal(data, &m); err != nil {
		panic(err)
	}
	var a account
	if err := polypack.Unmarshal(data, &a); err != nil {
		panic(err)
	}
	fmt.Println(m, a.Name, a.Age)
	// Output: map[age:30 name:Alice] Alice 30
}

func ExampleGetStructEncoder() {
	enc := polypack.GetStructEncoder[account]()
	dec := polypack.GetStructDecoder[account](false)

	in := account{Name: "Alice", Age: 30}
	data, err := enc.Encode(&in)
	if err != nil {
		panic(err)
	}
	var out account
	if err := dec.Decode(data, &out); err != nil {
		panic(err)
	}
	fmt.Println(out == in, len(data))
	// Output: true 17
}

func ExampleGetStructDecoder_zeroCopy() {
	data, _ := polypack.Marshal(account{Name: "Alice"})

	dec := polypack.GetStructDecoder[account](true)
	var a account
	if err := dec.Decode(data, &a); err != nil { // a.Name is a view of data
		panic(err)
	}
	var b account
	if err := polypack.GetStructDecoder[account](false).ZeroCopy().Decode(data, &b); err != nil {
		panic(err)
	}
	fmt.Println(a.Name, b.Name)
	// Output: Alice Alice
}

type sortColumn[T cmp.Ordered] struct {
	Values   []T    `msgpack:"values"`
	MaxDocID uint32 `msgpack:"max_doc_id"`
}

func ExampleGetStructEncoder_generics() {
	enc := polypack.GetStructEncoder[sortColumn[int64]]()
	dec := polypack.GetStructDecoder[sortColumn[int64]](false)

	data, err := enc.Encode(&sortColumn[int64]{Values: []int64{3, -1, 1 << 40}, MaxDocID: 7})
	if err != nil {
		panic(err)
	}
	var column sortColumn[int64]
	if err := dec.Decode(data, &column); err != nil {
		panic(err)
	}
	fmt.Println(column)
	// Output: {[3 -1 1099511627776] 7}
}

func ExampleStructEncoder_EncodeWith() {
	e := polypack.NewEncoder(make([]byte, 0, 1024)) // memory to use again and again
	enc := polypack.GetStructEncoder[account]()
	for _, name := range []string{"Alice", "Bob"} {
		e.Reset(e.Bytes()[:0])
		if err := enc.EncodeWith(e, &account{Name: name}); err != nil {
			panic(err)
		}
		fmt.Println(len(e.Bytes()))
	}
	// Output:
	// 17
	// 15
}

func ExampleUnmarshal_targets() {
	data, _ := polypack.Marshal(map[string]string{"name": "Alice", "email": "alice@example.org"})

	var a account
	var m map[string]any
	var s map[string]string
	for _, target := range []any{&a, &m, &s} {
		if err := polypack.Unmarshal(data, target); err != nil {
			panic(err)
		}
	}
	fmt.Println(a.Email, m["name"], s["name"])
	// Output: alice@example.org Alice Alice
}

func ExampleMarshalTimestamp() {
	data := polypack.MarshalTimestamp(time.Date(2026, 7, 1, 12, 0, 0, 0, time.FixedZone("CEST", 7200)))
	t, err := polypack.UnmarshalTimestamp(data)
	fmt.Println(t, err)
	// Output: 2026-07-01 10:00:00 +0000 UTC <nil>
}

func ExampleEncoder_EncodeTimestamp() {
	enc := polypack.NewEncoder(nil)
	if err := enc.EncodeTimestamp(time.Unix(1_767_225_600, 0)); err != nil {
		panic(err)
	}
	dec := polypack.NewDecoder(enc.Bytes())
	t, err := dec.DecodeTimestamp()
	fmt.Println(t, err)
	// Output: 2026-01-01 00:00:00 +0000 UTC <nil>
}

func ExampleExtToTimestamp() {
	dec := polypack.NewDecoder(polypack.MarshalTimestamp(time.Unix(1_767_225_600, 0)))
	ext, err := dec.DecodeExt()
	if err != nil {
		panic(err)
	}
	if polypack.IsTimestamp(ext) {
		t, err := polypack.ExtToTimestamp(ext)
		fmt.Println(t, err)
	}
	// Output: 2026-01-01 00:00:00 +0000 UTC <nil>
}

func ExampleUnmarshalWithConfig() {
	cfg := polypack.DefaultConfig().WithMaxStringLen(64).WithMaxDepth(8)
	data, _ := polypack.Marshal([]string{"short", string(make([]byte, 100))})
	var v []string
	what, mend, _ := strings.Cut(polypack.UnmarshalWithConfig(data, &v, cfg).Error(), "; ")
	fmt.Println(what)
	fmt.Println(mend)
	// Output:
	// polypack: str 8 declares 100 but the limit is 64, at byte 7 (path "/1")
	// raise MaxStringLen if the source is trusted
}
