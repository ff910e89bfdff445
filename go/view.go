//go:build !purego

package polypack

import "unsafe"

// viewString returns b as a string without a copy. The string changes when b does.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
