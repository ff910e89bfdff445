// Package faulty has types that get no methods.
package faulty

import (
	"time"

	"github.com/polypack/polypack/go/wire"
)

type Generic[T any] struct{ V T }

type Custom struct{ A int }

func (*Custom) MarshalText() ([]byte, error) { return nil, nil }

type Tuple struct {
	_ struct{} `msgpack:",as_array"`
	A int
}

type Inlined struct {
	More map[string]int `msgpack:",inline"`
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
