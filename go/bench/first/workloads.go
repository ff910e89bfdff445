package main

// Plan of the file: the workloads, the documents of some workloads, and the files with encoded messages.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/polypack/polypack/go/bench/payload"
)

// workload holds pointers to the values to encode. target returns a pointer to a zero value to decode into.
type workload struct {
	values []any
	target func() any
}

var structs = map[string]func() workload{
	"01Small":  func() workload { return of(payload.NewSmall()) },
	"02Medium": func() workload { return of(payload.NewMedium()) },
	"03Large":  func() workload { return of(payload.NewLarge()) },
	"13Config": func() workload { return of(payload.NewConfig()) },
}

func of[T any](values ...T) workload {
	w := workload{target: func() any { return new(T) }}
	for i := range values {
		w.values = append(w.values, &values[i])
	}
	return w
}

// newWorkload returns the workload that the map structs has for the name. For any other name, it reads the documents in
// the file NAME.json in the folder.
func newWorkload(name, folder string) (workload, error) {
	if structsOf, ok := structs[name]; ok {
		return structsOf(), nil
	}
	data, err := os.ReadFile(filepath.Join(folder, name+".json"))
	if err != nil {
		return workload{}, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var documents []any
	if err := decoder.Decode(&documents); err != nil {
		return workload{}, err
	}
	for i, document := range documents {
		documents[i] = withInts(document)
	}
	return of(documents...), nil
}

// withInts replaces each json.Number in the document, and returns the document. A number that is written as an integer
// and fits in an int64 becomes an int64. Any other number becomes a float64.
func withInts(document any) any {
	switch d := document.(type) {
	case json.Number:
		if i, err := d.Int64(); err == nil {
			return i
		}
		f, _ := d.Float64()
		return f
	case []any:
		for i, element := range d {
			d[i] = withInts(element)
		}
	case map[string]any:
		for name, element := range d {
			d[name] = withInts(element)
		}
	}
	return document
}

// writeMessages encodes a workload with a contestant and writes the messages to the file. Another process then decodes
// them as its first messages.
func writeMessages(c contestant, w workload, file string) error {
	messages := make([][]byte, len(w.values))
	for i, value := range w.values {
		var err error
		if messages[i], err = c.marshal(c.own(value)); err != nil {
			return err
		}
	}
	var framed []byte
	for _, message := range messages {
		framed = append(binary.LittleEndian.AppendUint32(framed, uint32(len(message))), message...)
	}
	return os.WriteFile(file, framed, 0o666)
}

func readMessages(file string) (messages [][]byte, err error) {
	framed, err := os.ReadFile(file)
	for len(framed) > 0 {
		end := 4 + binary.LittleEndian.Uint32(framed)
		messages, framed = append(messages, framed[4:end:end]), framed[end:]
	}
	return messages, err
}
