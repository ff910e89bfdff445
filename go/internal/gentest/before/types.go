// Package before has methods that the first version of polypack-gen wrote. They are never generated again, because
// methods of that version must still compile and work (cmd/polypack-gen/wire_test.go).
package before

import "time"

// Every has each kind of field for which generated methods call package wire.
type Every struct {
	Bool       bool
	Int        int
	Uint       uint
	Float32    float32
	Float64    float64
	String     string
	Bytes      []byte
	Hash       [4]byte
	Time       time.Time
	Any        any
	Bools      []bool
	Ints       []int
	Uint16s    []uint16
	Uints      []uint64
	Float32s   []float32
	Float64s   []float64
	Strings    []string
	Times      []time.Time
	Anys       []any
	Pair       [2]int
	Pointer    *int
	Next       *Every
	Item       Item
	Items      []Item
	Texts      map[string]string
	ByName     map[string]*Item
	Flags      [3]bool
	Three      [3]float64
	Counts     [2]uint16
	Ratio      *float32
	Shares     map[string]float64
	Omitted    string `msgpack:",omitempty"`
	OmittedInt int    `msgpack:",omitzero"`
}

type Item struct {
	Name  string
	Note  string
	Count uint32
	Ratio float32
	Share float64
	On    bool
	Added time.Time
}

type Name struct{ Name string }

// Sparse has fields of several kinds, and the option omitempty may leave out each of them.
type Sparse struct {
	On    bool           `msgpack:",omitempty"`
	Ratio float32        `msgpack:",omitempty"`
	Share float64        `msgpack:",omitempty"`
	Added time.Time      `msgpack:",omitempty"`
	Bytes []byte         `msgpack:",omitempty"`
	Map   map[string]int `msgpack:",omitempty"`
	Any   any            `msgpack:",omitempty"`
	Item  *Item          `msgpack:",omitempty"`
}
