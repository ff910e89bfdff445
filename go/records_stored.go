package polypack

// Plan of the file: DictionaryStore; StoredDictionary: loading, publishing; then the content of a store
// (spec/05-records.md#stores).

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A DictionaryStore keeps a Dictionary for many processes: one value of bytes (spec/05-records.md#stores), the same in
// every language. Package stores has stores in files and in Redis. Its methods may be called by several goroutines at
// once.
type DictionaryStore interface {
	// Load returns the content; nil if there is none yet.
	Load(ctx context.Context) ([]byte, error)
	// Replace keeps next if the content is exactly expected, where nil stands for none. This must be one atomic step,
	// whatever crashes. It reports whether it was done.
	Replace(ctx context.Context, expected, next []byte) (bool, error)
}

const (
	loadTimeout  = 10 * time.Second
	maxLostRaces = 1000 // in a row; there is always progress, because each time another writer succeeds
)

// A StoredDictionary follows the Dictionary of a store, which many processes may extend at once, in several languages.
// Use it with StoredRecords. What Publish has added is in the store before any writer uses it; writers declare all
// other shapes in the message.
//
// Readers load it when a message has an id or a fingerprint that they don't know. So each message of a stranger can
// make a reader ask the store once.
//
// A StoredDictionary may be used by several goroutines at once.
type StoredDictionary struct {
	store   DictionaryStore
	limit   int
	current atomic.Pointer[Dictionary]

	mutex    sync.Mutex // held while the store is asked
	isLoaded bool
	saved    []byte // the content of the store when it was last read or written
	lost     error  // how the store contradicted what was loaded before; from then on nothing is shared
}

// NewStoredDictionary returns the StoredDictionary of a store, which it doesn't ask yet. Publish extends the Dictionary
// up to limit shapes, 0 to 8,160, which should be the same number for all writers; 32 shapes have ids of one byte. A
// nil store and a limit out of range are a UsageError.
func NewStoredDictionary(store DictionaryStore, limit int) (*StoredDictionary, error) {
	if store == nil {
		return nil, &UsageError{"NewStoredDictionary", "the store is nil"}
	}
	if limit < 0 || limit > maxShapes {
		return nil, outOfRange("NewStoredDictionary", limit, 0, maxShapes)
	}
	s := &StoredDictionary{store: store, limit: limit}
	s.current.Store(emptyDictionary)
	return s, nil
}

var emptyDictionary = &Dictionary{}

// StoredRecords is SharedRecords with the Dictionary that stored has at the time of each message. Readers load a larger
// one when a message has records that they don't know, and then decode the message again, into the same target; if the
// store fails, the error is CodeUnsupportedValue with that of the store as Err. An Encoder keeps the Dictionary that it
// began with.
func StoredRecords(stored *StoredDictionary) Option {
	return optionFunc(func(s *settings) error {
		if stored == nil || stored.store == nil {
			return &UsageError{"StoredRecords", "the StoredDictionary is nil; use NewStoredDictionary"}
		}
		s.records, s.dictionary, s.stored = RecordsShared, stored.Dictionary(), stored
		return nil
	})
}

// Dictionary returns the Dictionary as far as it is known here.
func (s *StoredDictionary) Dictionary() *Dictionary { return s.current.Load() }

// Refresh loads what others have published. Errors: those of the store as they are; CodeInvalidRecord if the store has
// something else than a Dictionary, or contradicts what was loaded before. After CodeInvalidRecord nothing is shared
// any more, because the meaning of ids is unknown.
func (s *StoredDictionary) Refresh(ctx context.Context) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.refresh(ctx)
}

func (s *StoredDictionary) refresh(ctx context.Context) error {
	if s.lost != nil {
		return s.lost
	}
	content, err := s.store.Load(ctx)
	if err != nil {
		return err
	}
	if s.isLoaded && bytes.Equal(content, s.saved) && (content == nil) == (s.saved == nil) {
		return nil
	}
	loaded := emptyDictionary
	if content != nil {
		if loaded, err = ParseDictionary(content); err != nil {
			return s.lose(err)
		}
	}
	known := s.Dictionary()
	smaller, larger := known, loaded
	if known.Len() > loaded.Len() { // shapes were lost; the next Publish restores them
		smaller, larger = loaded, known
	}
	if !larger.startsWith(smaller) {
		return s.lose(encodeError(CodeInvalidRecord, "the store has other shapes than before", "restore the store, or start over with a new StoredDictionary"))
	}
	s.isLoaded, s.saved = true, slices.Clone(content)
	s.current.Store(larger)
	return nil
}

func (s *StoredDictionary) lose(err error) error {
	s.lost = err
	s.current.Store(emptyDictionary)
	return err
}

// larger loads the Dictionary again, and returns nil if it is not larger than known. It asks the store even if the
// Dictionary has grown in the meantime, because others may have published more by now.
func (s *StoredDictionary) larger(known *Dictionary) (*Dictionary, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
	defer cancel()
	if err := s.refresh(ctx); err != nil {
		if _, ok := err.(*Error); ok {
			return nil, err
		}
		return nil, &Error{Code: CodeUnsupportedValue, Offset: -1, Err: err, what: "the Dictionary can't be loaded", mend: "see the cause"}
	}
	if current := s.Dictionary(); current.Len() > known.Len() {
		return current, nil
	}
	return nil, nil
}

// Publish adds shapes to the Dictionary of the store, except for those that it has and those beyond the limit, and
// restores shapes that the store has lost. If others are faster, it takes over what they have published and tries
// again. Errors: those of Refresh; a UsageError for shapes that NewDictionary refuses.
func (s *StoredDictionary) Publish(ctx context.Context, shapes ...[]string) error {
	return s.publish(ctx, func(d *Dictionary) (*Dictionary, error) { return d.appendUpTo(s.limit, shapes) })
}

// PublishShapesOf is Publish with the shapes that values would declare; see Dictionary.AppendShapesOf. Errors: those of
// Publish and of Marshal.
func (s *StoredDictionary) PublishShapesOf(ctx context.Context, values ...any) error {
	return s.publish(ctx, func(d *Dictionary) (*Dictionary, error) {
		shapes, err := d.shapesOf(values)
		if err != nil {
			return nil, err
		}
		return d.appendUpTo(s.limit, shapes)
	})
}

func (s *StoredDictionary) publish(ctx context.Context, extend func(*Dictionary) (*Dictionary, error)) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.isLoaded {
		if err := s.refresh(ctx); err != nil {
			return err
		}
	}
	for range maxLostRaces {
		if s.lost != nil {
			return s.lost
		}
		next, err := extend(s.Dictionary())
		if err != nil {
			return err
		}
		content := next.Bytes()
		if next.Len() == 0 && s.saved == nil || bytes.Equal(content, s.saved) {
			return nil
		}
		done, err := s.store.Replace(ctx, s.saved, content)
		if err != nil {
			return err
		}
		if done {
			s.saved = content
			s.current.Store(next)
			return nil
		}
		if err := s.refresh(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("polypack: the store was changed by others %d times in a row", maxLostRaces)
}

// appendUpTo is Append without the shapes for which there is no place.
func (d *Dictionary) appendUpTo(limit int, shapes [][]string) (*Dictionary, error) {
	next, err := d.Append(shapes...)
	if err != nil || next.Len() <= limit {
		return next, err
	}
	return d.Append(next.Shapes()[d.Len():max(limit, d.Len())]...)
}

// Bytes returns the content of a store with d: one MessagePack array of the shapes, each its array of names or nil.
func (d *Dictionary) Bytes() []byte {
	content := appendArrayHead(nil, d.Len())
	for _, s := range d.shapes {
		if s == nil {
			content = append(content, 0xc0)
			continue
		}
		content = append(appendArrayHead(content, len(s.names)), encodedNames(s.names)...)
	}
	return content
}

// ParseDictionary returns the Dictionary that Bytes has written, or a library in another language. Errors:
// CodeInvalidRecord for all other bytes, with the offset of the fault and the reason as Err where it is one of
// decoding.
func ParseDictionary(content []byte) (*Dictionary, error) {
	var shapes [][]string
	if err := Unmarshal(content, &shapes, Strict, MaxDepth(2)); err != nil {
		e := &Error{Code: CodeInvalidRecord, Offset: 0, Err: err, what: "the content is no Dictionary", mend: "see what else writes to the store"}
		if cause, ok := err.(*Error); ok {
			e.Offset = cause.Offset
		}
		return nil, e
	}
	d, err := NewDictionary(shapes)
	if err == nil && bytes.Equal(d.Bytes(), content) {
		return d, nil
	}
	return nil, &Error{Code: CodeInvalidRecord, Err: err, what: "the content is no Dictionary", mend: "see what else writes to the store"}
}
