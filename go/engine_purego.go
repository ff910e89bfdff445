//go:build purego

package polypack

// Plan of the file: the engine's side of the build tag purego, on which plans do everything.

// programs has nothing to keep.
type programs struct{}
