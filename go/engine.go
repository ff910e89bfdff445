//go:build !purego

package polypack

// encodeProgram and decodeProgram are what the two halves of the engine make of a struct.
type (
	encodeProgram struct{}
	decodeProgram struct{}
)

func newEncodeProgram(*structProgram) encodeProgram { return encodeProgram{} }
func newDecodeProgram(*structProgram) decodeProgram { return decodeProgram{} }
