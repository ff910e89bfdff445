//go:build elsewhere

// Package elsewhere has no file that is compiled.
package elsewhere

type T struct{ A int }
