package main

import polypack "github.com/polypack/polypack/go"

// Ours for Go: Append, which takes any value, into the memory of the previous call.
func init() {
	enter(Contestant{
		Name:      "Polypack (Go), append",
		Format:    "msgpack",
		Scenarios: ofBench(),
		Kind:      "realistic",
		Package:   "github.com/polypack/polypack/go",
		Note:      "Append into the memory of the previous call",
		File:      "polypack_append.go",
		Cannot:    onlyAppends,
		Serialize: appending(func(dst []byte, values any) ([]byte, error) { return polypack.Append(dst, values) }),
	})
}
