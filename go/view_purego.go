//go:build purego

package polypack

// viewString copies: without package unsafe there is no other way.
func viewString(b []byte) string { return string(b) }
