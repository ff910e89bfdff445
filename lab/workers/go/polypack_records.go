package main

import polypack "github.com/polypack/polypack/go"

// Ours for Go, with records: a message names the fields of a struct once.
func init() {
	records := polypack.Records(polypack.RecordsInline)
	enter(Contestant{
		Name:        "Polypack (Go), records",
		Format:      "records",
		Scenarios:   everything(),
		Kind:        "realistic",
		Package:     "github.com/polypack/polypack/go",
		Note:        "into structs, documents into any; dates stay text",
		File:        "polypack_records.go",
		Serialize:   func(values any) ([]byte, error) { return polypack.Marshal(values, records) },
		Deserialize: func(bytes []byte, into any) error { return polypack.Unmarshal(bytes, into, records) },
	})
}
