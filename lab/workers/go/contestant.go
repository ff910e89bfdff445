package main

import "io"

// Contestant is a library that is measured. A file of its own calls enter.
type Contestant struct {
	Name      string   `json:"name"`
	Format    string   `json:"format"`
	Scenarios []string `json:"scenarios"`
	Kind      string   `json:"kind"`
	State     string   `json:"state"`
	Package   string   `json:"package"`
	Note      string   `json:"note"`
	File      string   `json:"file"`
	Version   string   `json:"version"`
	// Cannot says why it does only one of "serialize" and "deserialize".
	Cannot map[string]string `json:"cannot"`

	Serialize   func(values any) ([]byte, error)   `json:"-"`
	Deserialize func(bytes []byte, into any) error `json:"-"`
	// ReadStream reads the messages of a stream instead. Only contestants for streams have it.
	ReadStream func(from io.Reader, into any) error `json:"-"`
}

var contestants = map[string]Contestant{}

func enter(contestant Contestant) { contestants[contestant.Name] = contestant }

// appending makes a Serialize that writes into the memory of its previous call.
func appending(appendTo func(dst []byte, values any) ([]byte, error)) func(values any) ([]byte, error) {
	var buffer []byte
	return func(values any) (_ []byte, err error) {
		buffer, err = appendTo(buffer[:0], values)
		return buffer, err
	}
}

// onlyAppends is the reason why contestants that append don't deserialize.
var onlyAppends = map[string]string{"deserialize": "reads as without append"}
