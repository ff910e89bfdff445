// Package shop is what a reader of the golden file may have seen before.
package shop

import "time"

// Cents are money.
type Cents int64

// Order refers to its customer.
type Order struct {
	ID       uint64             `msgpack:"id"`
	Customer *Customer          `msgpack:"customer"`
	Items    []Item             `msgpack:"items"`
	Placed   time.Time          `msgpack:"placed"`
	Note     string             `msgpack:"note,omitempty"`
	Paid     bool               `msgpack:"paid"`
	Extra    map[string]any     `msgpack:"extra,omitempty"`
	Related  map[string][]*Item `msgpack:"related,omitempty"`
}

// Customer has an address.
type Customer struct {
	Name string `msgpack:"name"`
	Address
}

// Address is embedded.
type Address struct {
	Street string     `msgpack:"street"`
	Where  [2]float64 `msgpack:"where"`
}

// Item gets methods because Order leads to it.
type Item struct {
	Name  string
	Price Cents
	Count uint16
	Image []byte `msgpack:",omitempty"`
}

// Open is no type.
var Open = true
