// Package payload holds the values that the benches encode and decode.
//
// Plan: types.go has the types of the values, make.go makes the values, and equal.go compares them. Code generators
// read types.go; their output is not committed.
package payload

import "time"

// The tags json and codec repeat the names for libraries that don't read the tag msgpack. Thus all libraries write the
// same names, except encoding/gob, which reads no tags.

// Small is a struct of two fields.
type Small struct {
	Name string `msgpack:"name" json:"name" codec:"name"`
	Age  int    `msgpack:"age" json:"age" codec:"age"`
}

// Medium is a struct of eight fields, with a list and a map.
type Medium struct {
	ID     int64             `msgpack:"id" json:"id" codec:"id"`
	Name   string            `msgpack:"name" json:"name" codec:"name"`
	Email  string            `msgpack:"email" json:"email" codec:"email"`
	Age    int               `msgpack:"age" json:"age" codec:"age"`
	Active bool              `msgpack:"active" json:"active" codec:"active"`
	Score  float64           `msgpack:"score" json:"score" codec:"score"`
	Tags   []string          `msgpack:"tags" json:"tags" codec:"tags"`
	Labels map[string]string `msgpack:"labels" json:"labels" codec:"labels"`
}

// Large is a struct of 23 fields.
type Large struct {
	ID       int64             `msgpack:"id" json:"id" codec:"id"`
	UUID     string            `msgpack:"uuid" json:"uuid" codec:"uuid"`
	Name     string            `msgpack:"name" json:"name" codec:"name"`
	Email    string            `msgpack:"email" json:"email" codec:"email"`
	Phone    string            `msgpack:"phone" json:"phone" codec:"phone"`
	Street   string            `msgpack:"street" json:"street" codec:"street"`
	City     string            `msgpack:"city" json:"city" codec:"city"`
	Country  string            `msgpack:"country" json:"country" codec:"country"`
	Postcode string            `msgpack:"postcode" json:"postcode" codec:"postcode"`
	Age      int               `msgpack:"age" json:"age" codec:"age"`
	Balance  float64           `msgpack:"balance" json:"balance" codec:"balance"`
	Rating   float32           `msgpack:"rating" json:"rating" codec:"rating"`
	Active   bool              `msgpack:"active" json:"active" codec:"active"`
	Verified bool              `msgpack:"verified" json:"verified" codec:"verified"`
	Paying   bool              `msgpack:"paying" json:"paying" codec:"paying"`
	Created  int64             `msgpack:"created" json:"created" codec:"created"`
	Changed  int64             `msgpack:"changed" json:"changed" codec:"changed"`
	Visits   uint32            `msgpack:"visits" json:"visits" codec:"visits"`
	Failures uint16            `msgpack:"failures" json:"failures" codec:"failures"`
	Tags     []string          `msgpack:"tags" json:"tags" codec:"tags"`
	Groups   []string          `msgpack:"groups" json:"groups" codec:"groups"`
	Points   []int64           `msgpack:"points" json:"points" codec:"points"`
	Labels   map[string]string `msgpack:"labels" json:"labels" codec:"labels"`
}

// Int64s is a column of a database table. It is a struct, because the cached codecs of some libraries accept only
// structs.
type Int64s struct {
	Values []int64 `msgpack:"values" json:"values" codec:"values"`
	Last   uint32  `msgpack:"last" json:"last" codec:"last"`
}

// Uint16s is a column, like Int64s.
type Uint16s struct {
	Values []uint16 `msgpack:"values" json:"values" codec:"values"`
	Last   uint32   `msgpack:"last" json:"last" codec:"last"`
}

// Float64s is a column, like Int64s.
type Float64s struct {
	Values []float64 `msgpack:"values" json:"values" codec:"values"`
	Last   uint32    `msgpack:"last" json:"last" codec:"last"`
}

// Strings is a column, like Int64s.
type Strings struct {
	Values []string `msgpack:"values" json:"values" codec:"values"`
	Last   uint32   `msgpack:"last" json:"last" codec:"last"`
}

// Page is a response of an API: many rows with the same fields.
type Page struct {
	Rows  []Row `msgpack:"rows" json:"rows" codec:"rows"`
	Total int   `msgpack:"total" json:"total" codec:"total"`
}

// Row has ten fields.
type Row struct {
	ID      int64    `msgpack:"id" json:"id" codec:"id"`
	Name    string   `msgpack:"name" json:"name" codec:"name"`
	Email   string   `msgpack:"email" json:"email" codec:"email"`
	City    string   `msgpack:"city" json:"city" codec:"city"`
	Phone   string   `msgpack:"phone" json:"phone" codec:"phone"`
	Age     int      `msgpack:"age" json:"age" codec:"age"`
	Active  bool     `msgpack:"active" json:"active" codec:"active"`
	Score   float64  `msgpack:"score" json:"score" codec:"score"`
	Created int64    `msgpack:"created" json:"created" codec:"created"`
	Tags    []string `msgpack:"tags" json:"tags" codec:"tags"`
}

// Config is a configuration that a program reads at startup: nested, with pointers, optional fields, maps and a tree.
type Config struct {
	Origin
	Name     string              `msgpack:"name" json:"name" codec:"name"`
	Debug    bool                `msgpack:"debug,omitempty" json:"debug,omitempty" codec:"debug,omitempty"`
	Comment  string              `msgpack:"comment,omitempty" json:"comment,omitempty" codec:"comment,omitempty"`
	Server   *Server             `msgpack:"server" json:"server" codec:"server"`
	Fallback *Server             `msgpack:"fallback,omitempty" json:"fallback,omitempty" codec:"fallback,omitempty"`
	Backends map[string]*Backend `msgpack:"backends" json:"backends" codec:"backends"`
	Features map[string]bool     `msgpack:"features" json:"features" codec:"features"`
	Limits   map[string]int64    `msgpack:"limits" json:"limits" codec:"limits"`
	Routes   []Route             `msgpack:"routes" json:"routes" codec:"routes"`
	Menu     *Node               `msgpack:"menu" json:"menu" codec:"menu"`
}

// Origin is embedded in Config, so its fields are encoded as fields of Config.
type Origin struct {
	Version int       `msgpack:"version" json:"version" codec:"version"`
	Author  string    `msgpack:"author" json:"author" codec:"author"`
	Written time.Time `msgpack:"written" json:"written" codec:"written"`
}

// Server is part of Config.
type Server struct {
	Host    string        `msgpack:"host" json:"host" codec:"host"`
	Port    uint16        `msgpack:"port" json:"port" codec:"port"`
	Timeout time.Duration `msgpack:"timeout" json:"timeout" codec:"timeout"`
	Secret  []byte        `msgpack:"secret,omitempty" json:"secret,omitempty" codec:"secret,omitempty"`
	TLS     *TLS          `msgpack:"tls,omitempty" json:"tls,omitempty" codec:"tls,omitempty"`
}

// TLS is part of Config.
type TLS struct {
	Cert    string   `msgpack:"cert" json:"cert" codec:"cert"`
	Key     string   `msgpack:"key" json:"key" codec:"key"`
	Ciphers []uint16 `msgpack:"ciphers" json:"ciphers" codec:"ciphers"`
}

// Backend is part of Config.
type Backend struct {
	URL     string            `msgpack:"url" json:"url" codec:"url"`
	Weight  float64           `msgpack:"weight" json:"weight" codec:"weight"`
	Retries *int              `msgpack:"retries,omitempty" json:"retries,omitempty" codec:"retries,omitempty"`
	Headers map[string]string `msgpack:"headers,omitempty" json:"headers,omitempty" codec:"headers,omitempty"`
}

// Route is part of Config.
type Route struct {
	Path    string   `msgpack:"path" json:"path" codec:"path"`
	Methods []string `msgpack:"methods" json:"methods" codec:"methods"`
	Backend string   `msgpack:"backend" json:"backend" codec:"backend"`
	Cache   *int32   `msgpack:"cache,omitempty" json:"cache,omitempty" codec:"cache,omitempty"`
	Public  bool     `msgpack:"public,omitempty" json:"public,omitempty" codec:"public,omitempty"`
}

// Node is a node of a tree, here of the menu in Config.
type Node struct {
	Title    string  `msgpack:"title" json:"title" codec:"title"`
	Link     string  `msgpack:"link,omitempty" json:"link,omitempty" codec:"link,omitempty"`
	Children []*Node `msgpack:"children,omitempty" json:"children,omitempty" codec:"children,omitempty"`
}

// Series is a measurement over time.
type Series struct {
	Name   string  `msgpack:"name" json:"name" codec:"name"`
	Unit   string  `msgpack:"unit" json:"unit" codec:"unit"`
	Points []Point `msgpack:"points" json:"points" codec:"points"`
}

// Point is part of Series.
type Point struct {
	At   time.Time `msgpack:"at" json:"at" codec:"at"`
	Mean float64   `msgpack:"mean" json:"mean" codec:"mean"`
}
