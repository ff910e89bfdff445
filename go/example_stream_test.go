package polypack_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	polypack "github.com/polypack/polypack/go"
)

// A variable of the package, made once.
var accounts = polypack.MustCodecOf[account](polypack.Strict, polypack.MaxDepth(4))

func ExampleCodec() {
	data, err := accounts.Marshal(&account{Name: "Alice", Age: 30})
	if err != nil {
		panic(err)
	}
	var a account
	if err := accounts.Unmarshal(data, &a); err != nil {
		panic(err)
	}
	fmt.Println(a.Name, a.Age)

	buf := make([]byte, 0, 256) // Append uses it again and again
	for range 2 {
		if buf, err = accounts.Append(buf[:0], &a); err != nil {
			panic(err)
		}
	}
	fmt.Println(bytes.Equal(buf, data))
	// Output:
	// Alice 30
	// true
}

func ExampleStreamEncoder() {
	var out bytes.Buffer
	s := polypack.NewStreamEncoder(&out)
	for i := range 3 {
		if err := s.Encode([]int{i}); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%x\n", out.Bytes())
	// Output: 910091019102
}

func ExampleMarshalWrite() {
	var out bytes.Buffer // a file, a connection, an http.ResponseWriter
	err := polypack.MarshalWrite(&out, "hello")
	fmt.Printf("%x %v\n", out.Bytes(), err)
	// Output: a568656c6c6f <nil>
}

func ExampleUnmarshalRead() {
	var v map[string]int
	err := polypack.UnmarshalRead(strings.NewReader("\x81\xa3one\x01"), &v)
	fmt.Println(v, err)
	// Output: map[one:1] <nil>
}

func ExampleValues() {
	for v, err := range polypack.Values[[]string](strings.NewReader("\x91\xa1a\x92\xa1b\xa1c")) {
		if err != nil {
			panic(err)
		}
		fmt.Println(v)
	}
	// Output:
	// [a]
	// [b c]
}

func ExampleElements() {
	array := "\xdd\x00\x00\x00\x02\x81\xa4name\xa3Ann\x81\xa4name\x05" // two elements, but it could be millions
	for a, err := range polypack.Elements[account](strings.NewReader(array)) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(a.Name)
	}
	// Output:
	// Ann
	// polypack: positive fixint is not a str, at byte 21 (path "/1/name"); change the type of the target
}

func ExampleGet() {
	data, _ := polypack.Marshal(map[string]any{"users": []any{map[string]any{"name": "Ann", "tags": []string{"a", "b"}}}})

	raw, err := polypack.Get(data, "/users/0/tags")
	if err != nil {
		panic(err)
	}
	var tags []string
	err = raw.Unmarshal(&tags)
	fmt.Println(tags, err)

	_, err = polypack.Get(data, "/users/1/tags")
	fmt.Println(errors.Is(err, polypack.ErrNotFound))
	// Output:
	// [a b] <nil>
	// true
}
