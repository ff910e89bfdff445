//go:build generated

package main

// Ours for Go, by the methods that polypack-gen writes, into the memory of the previous call.
func init() {
	enter(Contestant{
		Name:      "Polypack (Go), generated append",
		Format:    "msgpack",
		Scenarios: ofBenchStructs(),
		Kind:      "tuned",
		State:     "prepared",
		Package:   "github.com/polypack/polypack/go",
		Note:      "methods written by polypack-gen, into the memory of the previous call",
		File:      "polypack_generated_append.go",
		Cannot:    onlyAppends,
		Serialize: appending(generatedMethods().append),
	})
}
