package main

import "encoding/json"

// The standard library's JSON, a floor.
func init() {
	enter(Contestant{
		Name:        "encoding/json",
		Format:      "json",
		Scenarios:   everything(),
		Kind:        "floor",
		Note:        "into structs, documents into any; dates stay text",
		File:        "json.go",
		Serialize:   json.Marshal,
		Deserialize: json.Unmarshal,
	})
}
