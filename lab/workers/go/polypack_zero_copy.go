package main

import polypack "github.com/polypack/polypack/go"

// Ours for Go, with a Codec for each type, whose texts are views of the message.
func init() {
	prepared := polypackCodecs(polypack.Strings(polypack.StringsZeroCopy))
	enter(Contestant{
		Name:        "Polypack (Go), zero-copy",
		Format:      "msgpack",
		Scenarios:   ofBenchStructs(),
		Kind:        "tuned",
		State:       "prepared",
		Package:     "github.com/polypack/polypack/go",
		Note:        "a Codec for each type; texts are views of the message, which must not change",
		File:        "polypack_zero_copy.go",
		Cannot:      map[string]string{"serialize": "writes as with a Codec"},
		Serialize:   prepared.serialize, // what it deserializes
		Deserialize: prepared.deserialize,
	})
}
