//go:build !purego

package polypack

// encodeProgram is what the writing half of the engine makes of a struct.
type encodeProgram struct{}

func newEncodeProgram(*structProgram) encodeProgram { return encodeProgram{} }
