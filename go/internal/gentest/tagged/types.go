// Package tagged has types with aliases, with methods IsZero, and with tags under several keys. Their generated methods
// are for codecs with the options TagKeys and OmitEmptyAsksIsZero.
package tagged

import (
	"time"

	polypack "github.com/polypack/polypack/go"
)

//go:generate go run github.com/polypack/polypack/go/cmd/polypack-gen -tag=msgpack,json -omitempty-iszero -tests -type=Account,Visit

// Options returns the options that the generated methods are for.
func Options() []polypack.Option {
	return []polypack.Option{polypack.TagKeys("msgpack", "json"), polypack.OmitEmptyAsksIsZero(true)}
}

// Amount is empty below 100 cents, because its method IsZero says so.
type Amount struct{ Cents int64 }

// IsZero reports whether the amount is below 100 cents.
func (a Amount) IsZero() bool { return a.Cents < 100 }

// Base is embedded in Account, so its fields are written like fields of Account.
type Base struct {
	ID      int    `json:"id" msgpack:",alias:_id"`
	Created string `json:"created_at,omitempty,string"`
}

// Part is embedded in Account with the option noinline, so it is a field with the name of its type.
type Part struct {
	Kind string `json:"kind"`
}

// Account has fields whose names come from the tags msgpack and json, and fields with aliases.
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

// Stay gets the methods of time.Time, also IsZero. They ignore Nights.
type Stay struct {
	time.Time `json:"from"`
	Nights    int `json:"nights"`
}

// Booked gets the methods of time.Time from Stay.
type Booked struct{ Stay }

type guest struct{ Booked }

// bill is embedded in Visit with a name in its tag, so it is written as a field of this name.
type bill struct {
	Total Amount `json:"total"`
}

// Visit gets the methods of time.Time through guest, Booked and Stay. Some of its fields have these types, too.
type Visit struct {
	guest
	bill   `json:"bill"`
	First  Booked  `json:"first,omitempty"`
	Second *Booked `json:"second,omitempty"`
	Third  *guest  `json:"third,omitempty"`
}
