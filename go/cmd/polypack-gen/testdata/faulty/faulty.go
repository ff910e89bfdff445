// Package faulty has types that get no methods.
package faulty

import (
	"sync"
	"time"

	"github.com/polypack/polypack/go/wire"
)

type Generic[T any] struct {
	V T `msgpack:",omitempty"`
}

type Pointed[T any] struct {
	P *T `msgpack:",omitzero"`
}

type Custom struct{ A int }

func (*Custom) MarshalText() ([]byte, error) { return nil, nil }

type Tuple struct {
	_ struct{} `msgpack:",as_array"`
	A int
}

type Marked struct {
	_ int `msgpack:"as_array"`
	A int
}

type Inlined struct {
	More map[string]int `msgpack:",inline"`
	Rest map[string]any `msgpack:",inline"`
}

type Named struct {
	More map[string]int `msgpack:"more,inline"`
}

type Scalar struct {
	More int `msgpack:",inline"`
}

type Rest struct{ Rest map[string]any }

type InlinedBehind struct {
	*Rest `msgpack:",inline"`
}

type Aliased struct {
	A int
	B int `msgpack:",alias:A"`
}

type Misnamed struct {
	A int `msgpack:"\xff"`
}

type Unknown struct {
	A int `msgpack:",omitemtpy"`
}

type Twice struct {
	A int
	B int `msgpack:"A"`
}

type Base struct{ A int }

type Behind struct{ *Base }

type base struct{ A int }

type HiddenPointer struct {
	*base `msgpack:"base"`
}

type Other struct{ A int }

type Contested struct {
	Base
	Other
}

type Zero struct {
	B Base `msgpack:",omitzero"`
}

type Alias = time.Time

type Has struct{ A int }

func (*Has) EncodeWire(w *wire.Writer, n int) int { return n }

type Hidden struct{ a int }

type Good struct {
	Bad   Behind
	Worse Custom
}

// Chan can't be encoded, nor can a type that holds it.
type Chan struct {
	Name string
	C    chan int
}

type Funcs struct{ F [2]func() }

type Holds struct{ Inner Chan }

type Locked struct{ Mu sync.Mutex }

type Contests struct{ C Contested }

type Complex struct{ C complex128 }

// Nilable can be encoded as long as it is empty.
type Nilable struct {
	C chan int `msgpack:",omitempty"`
	F func()   `msgpack:",omitzero"`
	P *Chan
	S []func()
	N [0]chan int
	M map[string]complex64
	T tree
}

type tree struct{ Children []tree }
