package polypack

// Plan of the file: DictionaryStore; StoredDictionary, which loads a Dictionary and publishes shapes; then the content
// of a store (spec/05-records.md#stores).

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A DictionaryStore keeps a Dictionary for many processes, as bytes that are the same in every language
// (spec/05-records.md#stores). Package stores has stores in files and in Redis. Several goroutines may call the methods
// of a DictionaryStore at once. The methods must not use the StoredDictionary that calls them, because it holds a lock
// until they return.
type DictionaryStore interface {
	// Load returns the content, or nil if there is none yet.
	Load(ctx context.Context) ([]byte, error)
	// Replace stores next if the content is exactly expected. If expected is nil, it stores next only if there is no
	// content yet. It reports whether it stored next. Comparing and storing must be one atomic step, even if a process
	// crashes. After an error, next may be stored, too.
	Replace(ctx context.Context, expected, next []byte) (bool, error)
}

const (
	loadTimeout  = 10 * time.Second
	maxLostRaces = 1000 // attempts of Publish; an attempt fails if another writer was faster
)

// A StoredDictionary follows the Dictionary in a store, which many processes may extend at once, in several languages.
// Use it with StoredRecords. Publish puts shapes into the store. A writer that has published or loaded a shape uses it
// without a declaration. It declares all other shapes in each message.
//
// A reader loads the Dictionary again when a message has an id or a fingerprint that it doesn't know. If that doesn't
// help, the reader refuses the message. So each message from an untrusted sender can make a reader ask the store in
// vain.
//
// A StoredDictionary may be used by several goroutines at once.
type StoredDictionary struct {
	store   DictionaryStore
	limit   int
	current atomic.Pointer[Dictionary]

	mutex    sync.Mutex // held while the store is asked; guards the fields below
	isLoaded bool
	saved    []byte // the content of the store when it was last read or written
	lost     error  // the error that the content of the store caused; from then on, no shapes are shared
}

// NewStoredDictionary returns the StoredDictionary of a store, without asking the store yet. Publish extends the
// Dictionary to at most limit shapes, 0 to 8,160. All writers should use the same limit. The first 32 shapes have ids
// of one byte, the others of two bytes. A nil store or a limit out of range is a UsageError.
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

// StoredRecords is SharedRecords with a Dictionary that may grow: each message uses the one that stored has at that
// time. If a message has a record that a reader doesn't know, the reader loads a larger Dictionary. Then it reads the
// message again, into the same target. Inside an array or map, Elements and the methods of Decoder read only the
// present element, key or value again. Methods of Decoder that accept no record, such as DecodeInt, return
// CodeUnknownRecord for such a record without asking the store. If the store fails, the error is CodeUnsupportedValue,
// and its Err is the error of the store. An Encoder keeps the Dictionary that it began with.
func StoredRecords(stored *StoredDictionary) Option {
	return optionFunc(func(s *settings) error {
		if stored == nil || stored.store == nil {
			return &UsageError{"StoredRecords", "the StoredDictionary is nil; use NewStoredDictionary"}
		}
		s.records, s.dictionary, s.stored = RecordsShared, stored.Dictionary(), stored
		return nil
	})
}

// Dictionary returns the Dictionary that s loaded or published last, without asking the store.
func (s *StoredDictionary) Dictionary() *Dictionary { return s.current.Load() }

// Refresh loads the shapes that others have published. Errors: those of the store, unchanged; CodeInvalidRecord if the
// content of the store isn't a Dictionary, or contradicts the shapes that were loaded before. After CodeInvalidRecord,
// s shares no shapes any more, because the meaning of ids is unknown.
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
	if known.Len() > loaded.Len() { // the store has lost shapes; the next Publish restores them
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

// larger loads the Dictionary again. It returns the Dictionary, or nil if that isn't larger than known. It asks the
// store even if the Dictionary is already larger than known, because others may have published more by now.
func (s *StoredDictionary) larger(known *Dictionary) (*Dictionary, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
	defer cancel()
	if err := s.refresh(ctx); err != nil {
		if e, ok := err.(*Error); ok && s.lost != nil { // otherwise the error is the store's own
			own := *e // a copy, because callers may add a path to it
			return nil, &own
		}
		return nil, &Error{Code: CodeUnsupportedValue, Offset: -1, Err: err, what: "the Dictionary can't be loaded", mend: "see the cause"}
	}
	if current := s.Dictionary(); current.Len() > known.Len() {
		return current, nil
	}
	return nil, nil
}

// Publish adds shapes to the Dictionary of the store. It leaves out shapes that the Dictionary already has, and shapes
// beyond the limit. It also restores shapes that the store has lost. To notice that, each call asks the store, even if
// no shape is new, so don't call Publish for each message. If another writer was faster, Publish loads the shapes of
// that writer and tries again, 1000 times at most. Errors: those of Refresh; the error of the store's method Replace,
// unchanged; a UsageError for names that NewDictionary refuses; another error if every attempt was too late.
func (s *StoredDictionary) Publish(ctx context.Context, shapes ...[]string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	isCurrent := false // whether this call has loaded the content, which the store may have lost since an earlier call
	if !s.isLoaded {
		if err := s.refresh(ctx); err != nil {
			return err
		}
		isCurrent = true
	}
	for range maxLostRaces {
		if s.lost != nil {
			return s.lost
		}
		next, err := s.Dictionary().appendUpTo(s.limit, shapes)
		if err != nil {
			return err
		}
		content := next.Bytes()
		if next.Len() == 0 && s.saved == nil || bytes.Equal(content, s.saved) {
			if isCurrent {
				return nil
			}
		} else if done, err := s.store.Replace(ctx, s.saved, content); err != nil {
			return err
		} else if done {
			s.saved = content
			s.current.Store(next)
			return nil
		}
		if err := s.refresh(ctx); err != nil {
			return err
		}
		isCurrent = true
	}
	return fmt.Errorf("polypack: the store was changed by others %d times in a row", maxLostRaces)
}

// PublishShapesOf publishes the shapes that values would declare; see Dictionary.AppendShapesOf. Errors: those of
// Publish and of Marshal.
func (s *StoredDictionary) PublishShapesOf(ctx context.Context, values ...any) error {
	// Values are encoded without the mutex, because their methods may use s. Publish leaves out shapes that the
	// Dictionary has got in the meantime.
	shapes, err := s.Dictionary().shapesOf(values)
	if err != nil {
		return err
	}
	return s.Publish(ctx, shapes...)
}

// appendUpTo does what Append does, but leaves out the shapes beyond limit.
func (d *Dictionary) appendUpTo(limit int, shapes [][]string) (*Dictionary, error) {
	missing := d.missing(shapes)
	if room := max(limit-d.Len(), 0); room < len(missing) {
		if err := checkShapes("Dictionary.Append", missing[room:]); err != nil {
			return nil, err
		}
		missing = missing[:room]
	}
	return d.with(missing)
}

// Bytes returns d as the content of a store: one MessagePack array, with an array of names for each shape, and nil for
// each position without a shape.
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

// ParseDictionary decodes content that the method Bytes of a Dictionary returned. Libraries in other languages write
// the same bytes. Errors: CodeInvalidRecord for all other bytes. If content can't be decoded, the error has the offset
// of the fault, and Err is the decoding error.
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
