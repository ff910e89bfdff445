//go:build elsewhere

package faulty

type Elsewhere struct{ A int }
