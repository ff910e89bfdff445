package main

// Ours for Go, with a Codec for each type: its Append, into the memory of the previous call.
func init() {
	enter(Contestant{
		Name:      "Polypack (Go), Codec append",
		Format:    "msgpack",
		Scenarios: ofBenchStructs(),
		Kind:      "realistic",
		State:     "prepared",
		Package:   "github.com/polypack/polypack/go",
		Note:      "Append of a Codec into the memory of the previous call",
		File:      "polypack_codec_append.go",
		Cannot:    onlyAppends,
		Serialize: appending(polypackCodecs().append),
	})
}
