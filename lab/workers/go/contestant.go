package main

import "encoding/json"

// Contestant is a library that is measured. A file of its own calls enter.
type Contestant struct {
	Name      string   `json:"name"`
	Format    string   `json:"format"`
	Scenarios []string `json:"scenarios"`
	Kind      string   `json:"kind"`
	Package   string   `json:"package"`
	Note      string   `json:"note"`
	File      string   `json:"file"`
	Version   string   `json:"version"`

	Serialize   func(values any) ([]byte, error)   `json:"-"`
	Deserialize func(bytes []byte, into any) error `json:"-"`
}

var contestants = map[string]Contestant{}

func enter(contestant Contestant) { contestants[contestant.Name] = contestant }

// A scenario makes an empty value of its type, and reads one from JSON.
type scenario struct {
	empty func() any
}

func of[T any]() scenario { return scenario{empty: func() any { return new(T) }} }

var scenarios = map[string]scenario{
	"person": of[Persons](),
	"order":  of[Orders](),
	"rows":   of[Rows](),
}

func (s scenario) read(data []byte) (any, error) {
	value := s.empty()
	return value, json.Unmarshal(data, value)
}
