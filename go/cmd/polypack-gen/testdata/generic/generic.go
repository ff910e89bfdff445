// Package generic has generic types, with instances and without.
package generic

import "time"

// Open has no instance.
type Open[K comparable, V any] struct {
	Key   K
	Value V
	Name  string `msgpack:"name,omitempty"`
}

// Page has several.
type Page[T any] struct {
	Items []T
	Next  *Page[T]
}

// Pages has some of them, and leads to Page.
type Pages struct {
	Last  Page[time.Time]
	Texts []Page[Page[string]]
}
