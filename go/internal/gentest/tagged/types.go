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

// Stay has methods of time.Time, also IsZero, that say nothing about Nights.
type Stay struct {
	time.Time `json:"from"`
	Nights    int `json:"nights"`
}

// Booked has these methods from Stay.
type Booked struct{ Stay }

type guest struct{ Booked }

// bill is embedded in Visit under a name, so it is a field.
type bill struct {
	Total Amount `json:"total"`
}

// Visit has methods at three levels, from a struct with other fields.
type Visit struct {
	guest
	bill   `json:"bill"`
	First  Booked  `json:"first,omitempty"`
	Second *Booked `json:"second,omitempty"`
	Third  *guest  `json:"third,omitempty"`
}
