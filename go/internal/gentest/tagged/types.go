// Package tagged has types with tags under several keys, aliases and methods IsZero, and methods that were generated
// for codecs with the options TagKeys and OmitEmptyAsksIsZero.
package tagged

import (
	"time"

	polypack "github.com/polypack/polypack/go"
)

//go:generate go run github.com/polypack/polypack/go/cmd/polypack-gen -tag=msgpack,json -omitempty-iszero -tests -type=Account

// Options are those that the generated methods are for.
func Options() []polypack.Option {
	return []polypack.Option{polypack.TagKeys("msgpack", "json"), polypack.OmitEmptyAsksIsZero(true)}
}

// Amount is empty below one, which its method says.
type Amount struct{ Cents int64 }

// IsZero reports whether less than one is left.
func (a Amount) IsZero() bool { return a.Cents < 100 }

// Base is embedded, once by its fields and once as a value.
type Base struct {
	ID      int    `json:"id" msgpack:",alias:_id"`
	Created string `json:"created_at,omitempty,string"`
}

// Part is a value with the name of its type.
type Part struct {
	Kind string `json:"kind"`
}

// Account has every kind of other name.
type Account struct {
	Base
	Part    `msgpack:",noinline"`
	Name    string            `json:"name" msgpack:"nom,alias:name,alias:a name of more than sixteen bytes"`
	Balance Amount            `json:"balance,omitempty"`
	Dear    *Amount           `json:"dear,omitempty"`
	At      time.Time         `json:"at,omitempty"`
	Tags    []string          `json:"tags,omitempty" msgpack:"tags,alias:labels"`
	More    map[string]Amount `json:"more" msgpack:"more,omitempty,alias:rest"`
	Next    *Account          `json:"next,omitempty" msgpack:"next,omitempty,alias:then"`
	Any     any               `json:"any" msgpack:"any,alias:whatever"`
	Secret  string            `json:"-"`
	Straße  int               `json:"STRASSE"`
}
