//go:build purego

package wire

// Plan of the file: the functions of wire_unsafe.go, for the build tag purego.

import "github.com/polypack/polypack/go/internal/wire"

// Buffer returns an empty slice with a capacity of at least n bytes.
func Buffer(n int) []byte { return wire.NewBuffer(n) }

// PutInt writes int64(v) in the shortest form.
func PutInt(b wire.Base, n int, v uint64) int { return wire.PutInt(b, n, v) }

// PutUint writes an int in the shortest form.
func PutUint(b wire.Base, n int, v uint64) int { return wire.PutUint(b, n, v) }
