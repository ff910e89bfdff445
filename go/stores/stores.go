// Package stores keeps the dictionary of shared records for many processes, in a file or under a key of Redis. The
// processes may run PHP, JavaScript or Go. Each store is a polypack.DictionaryStore.
//
//	store, err := stores.NewFile("/var/lib/app/shapes.mp", stores.FileOptions{})
//	stored, err := polypack.NewStoredDictionary(store, 32)
//	err = stored.PublishShapesOf(ctx, Event{})
//	data, err := polypack.Marshal(event, polypack.StoredRecords(stored))
package stores

import (
	"bytes"
	"context"
	"slices"
	"sync"

	polypack "github.com/polypack/polypack/go"
)

var _ = []polypack.DictionaryStore{(*Memory)(nil), (*File)(nil), (*Redis)(nil)}

// Memory keeps a dictionary in this process, for tests. The zero Memory is empty.
type Memory struct {
	mutex sync.Mutex
	kept  []byte
}

// Load returns a copy of the content, or nil if there is none. It never fails.
func (m *Memory) Load(context.Context) ([]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return slices.Clone(m.kept), nil
}

// Replace stores a copy of next if the content equals expected, and reports whether it did. A nil expected stands for
// no content. Replace never fails.
func (m *Memory) Replace(_ context.Context, expected, next []byte) (bool, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if !isSame(m.kept, expected) {
		return false, nil
	}
	m.kept = append([]byte{}, next...)
	return true, nil
}

// isSame reports whether two contents are the same. nil, for no content, differs from empty content.
func isSame(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
