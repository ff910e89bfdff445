package polypack_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	polypack "github.com/polypack/polypack/go"
)

func Example() {
	type User struct {
		Name  string    `msgpack:"name"`
		Since time.Time `msgpack:"since,omitempty"`
	}
	data, err := polypack.Marshal(User{Name: "Ada"})
	if err != nil {
		panic(err)
	}
	var user User
	if err := polypack.Unmarshal(data, &user); err != nil {
		panic(err)
	}
	fmt.Printf("%x %+v\n", data, user.Name)
	// Output: 81a46e616d65a3416461 Ada
}

func ExampleUnmarshal_any() {
	data, _ := polypack.Marshal(map[string]any{"id": 7, "tags": []string{"a", "b"}})
	var v any
	if err := polypack.Unmarshal(data, &v); err != nil {
		panic(err)
	}
	fmt.Println(v)
	// Output: map[id:7 tags:[a b]]
}

func ExampleError() {
	var users []struct{ Name string }
	err := polypack.Unmarshal([]byte("\x91\x81\xa4Name\x05"), &users)
	var e *polypack.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.Offset, e.Path)
	}
	fmt.Println(errors.Is(err, polypack.CodeTypeMismatch))
	fmt.Println(err)
	// Output:
	// type_mismatch 7 /0/Name
	// true
	// polypack: positive fixint is not a str, at byte 7 (path "/0/Name"); change the type of the target
}

func ExampleEncoder() {
	e := polypack.NewEncoder(nil)
	err := errors.Join(
		e.EncodeMapHeader(1),
		e.EncodeString("at"),
		e.EncodeTimestamp(time.Unix(1, 0)),
	)
	fmt.Printf("%x %v\n", e.Bytes(), err)
	// Output: 81a26174d6ff00000001 <nil>
}

func ExampleDecoder() {
	d := polypack.NewDecoder([]byte("\x93\x01\xa5hello\xc3"))
	n, err := d.DecodeArrayHeader()
	if err != nil {
		panic(err)
	}
	sum := int64(0)
	for range n {
		i, err := d.DecodeInt()
		if errors.Is(err, polypack.CodeTypeMismatch) {
			err = d.Skip() // a failed call stays in front of the value
		}
		if err != nil {
			panic(err)
		}
		sum += i
	}
	fmt.Println(n, sum, d.Finish())
	// Output: 3 1 <nil>
}

func ExampleStreamDecoder() {
	s := polypack.NewStreamDecoder(strings.NewReader("\x01\x92\xa1a\xa1b\xc0"))
	for {
		var v any
		err := s.Decode(&v)
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		fmt.Println(v)
	}
	// Output:
	// 1
	// [a b]
	// <nil>
}

func ExampleCanonicalize() {
	a, _ := polypack.Canonicalize([]byte("\x82\xa1b\x01\xa1a\xcd\x00\x02"))
	b, _ := polypack.MarshalCanonical(map[string]uint8{"a": 2, "b": 1})
	departure, ok, _ := polypack.IsCanonical([]byte("\x82\xa1b\x01\xa1a\x02"))
	fmt.Printf("%x %x %d %v\n", a, b, departure, ok)
	// Output: 82a16102a16201 82a16102a16201 2 false
}

func ExampleRecords() {
	// Two rows with the same fields, as msgpackr writes them.
	rows := []byte("\x92\xd4\x72\x40\x92\xa2id\xa4name\x01\xa1a\x40\x02\xa1b")
	var v []struct {
		ID   int    `msgpack:"id"`
		Name string `msgpack:"name"`
	}
	err := polypack.Unmarshal(rows, &v, polypack.Records(polypack.RecordsInline))
	fmt.Println(v, err)
	// Output: [{1 a} {2 b}] <nil>
}

func ExampleUnmarshalTimestamp() {
	data := polypack.MarshalTimestamp(time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC))
	t, err := polypack.UnmarshalTimestamp(data)
	fmt.Println(t, err)

	e, _ := polypack.NewDecoder(data).DecodeExt()
	if polypack.IsTimestamp(e) {
		t, err = polypack.ExtToTimestamp(e)
		fmt.Println(t.Year(), err)
	}
	// Output:
	// 2026-01-02 03:04:05.000000006 +0000 UTC <nil>
	// 2026 <nil>
}
