package polypack_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

func TestStoredDictionary(t *testing.T) {
	ctx := context.Background()
	store := &memoryStore{}
	one, other := storedIn(t, store), storedIn(t, store)
	if err := one.Publish(ctx); err != nil || store.content != nil {
		t.Errorf("publishing nothing: %v, %x", err, store.content)
	}
	if err := one.Publish(ctx, []string{"a"}, []string{"b"}, []string{"a"}); err != nil {
		t.Fatal(err)
	}
	store.before = func() { // another writer is faster
		if err := one.Publish(ctx, []string{"c"}); err != nil {
			t.Error(err)
		}
	}
	if err := other.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if err := other.Publish(ctx, []string{"b"}, []string{"d"}); err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"a"}, {"b"}, {"c"}, {"d"}}
	if got := other.Dictionary().Shapes(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := one.Refresh(ctx); err != nil || !reflect.DeepEqual(one.Dictionary().Shapes(), want) {
		t.Errorf("%v, want %v, error %v", one.Dictionary().Shapes(), want, err)
	}

	// Shapes that the store has lost are restored; what contradicts them ends the sharing.
	full := store.content
	store.content = unhex(t, "91 91a161")
	if err := one.Refresh(ctx); err != nil || one.Dictionary().Len() != 4 {
		t.Errorf("a shorter content: %v", err)
	}
	if err := one.Publish(ctx); err != nil || !bytes.Equal(store.content, full) {
		t.Errorf("not restored: %x, %v", store.content, err)
	}
	for _, content := range []string{"91 91a162", "c0", "", "91 91a161 c0", "91 91 c0", "91 91 01", "91 92a161a161", "dc0001 91a161", "91 91d90161", "91 91a1ff", "91 91c40161"} {
		reader := storedIn(t, store)
		store.content = full
		if err := reader.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		store.content = unhex(t, content)
		for range 2 {
			if err := reader.Refresh(ctx); !errors.Is(err, polypack.CodeInvalidRecord) || reader.Dictionary().Len() != 0 {
				t.Errorf("content %q: %v, %d shapes", content, err, reader.Dictionary().Len())
			}
			store.content = full
		}
		if err := reader.Publish(ctx, []string{"x"}); !errors.Is(err, polypack.CodeInvalidRecord) || !bytes.Equal(store.content, full) {
			t.Errorf("content %q: publishing afterwards: %v", content, err)
		}
	}
	store.failure = io.ErrClosedPipe
	if err := one.Publish(ctx, []string{"e"}); err != io.ErrClosedPipe {
		t.Error(err)
	}
	store.failure = nil
	if err := one.Publish(ctx, []string{"e"}); err != nil || one.Dictionary().Len() != 5 {
		t.Error(err)
	}
}

// TestPublishRestores empties the store between two calls that publish the same shapes. The second call must ask the
// store, and one Load per call is enough.
func TestPublishRestores(t *testing.T) {
	ctx := context.Background()
	for name, publish := range map[string]func(*polypack.StoredDictionary) error{
		"Publish":         func(s *polypack.StoredDictionary) error { return s.Publish(ctx, []string{"A"}) },
		"PublishShapesOf": func(s *polypack.StoredDictionary) error { return s.PublishShapesOf(ctx, onlyA{}) },
	} {
		store := &memoryStore{}
		stored := storedIn(t, store)
		for _, content := range []string{"", "90", "91 91a141", "92 91a141 91a142"} {
			if store.content = unhex(t, content); content == "" {
				store.content = nil
			}
			before := store.loads
			if err := publish(stored); err != nil || store.loads != before+1 {
				t.Errorf("%s with the content %q: %v, %d loads", name, content, err, store.loads-before)
			}
			if want := max(1, int(store.content[0]&0xf)); !bytes.Equal(store.content, stored.Dictionary().Bytes()) || stored.Dictionary().Len() != want {
				t.Errorf("%s with the content %q: the store has %x", name, content, store.content)
			}
		}
		store.content = nil
		if err := publish(stored); err != nil || stored.Dictionary().Len() != 2 || !bytes.Equal(store.content, unhex(t, "92 91a141 91a142")) {
			t.Errorf("%s: %v, the store has %x", name, err, store.content)
		}
		store.failure = io.ErrClosedPipe
		if err := publish(stored); err != io.ErrClosedPipe {
			t.Errorf("%s of a failing store: %v", name, err)
		}
	}
}

func TestStoredDictionaryLimit(t *testing.T) {
	stored, err := polypack.NewStoredDictionary(&memoryStore{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := stored.Publish(context.Background(), []string{"a"}, []string{"b"}, []string{"c"}); err != nil || stored.Dictionary().Len() != 2 {
		t.Errorf("%v, %v", stored.Dictionary().Shapes(), err)
	}
	var usage *polypack.UsageError
	for _, limit := range []int{-1, 8161} {
		if _, err := polypack.NewStoredDictionary(&memoryStore{}, limit); !errors.As(err, &usage) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if _, err := polypack.NewStoredDictionary(nil, 1); !errors.As(err, &usage) {
		t.Error(err)
	}
	if _, err := polypack.Marshal(1, polypack.StoredRecords(nil)); !errors.As(err, &usage) {
		t.Error(err)
	}
}

// TestStoredRecordsInContainers reads the elements of an array one by one. Each element may have shapes that were
// published after the head was read.
func TestStoredRecordsInContainers(t *testing.T) {
	ctx := context.Background()
	for name, read := range map[string]func(*polypack.Decoder) (any, error){
		"Decode": func(d *polypack.Decoder) (v any, err error) { return v, d.Decode(&v) },
		"DecodeAny": func(d *polypack.Decoder) (any, error) {
			if kind, err := d.Peek(); err != nil || kind != polypack.KindRecord {
				return kind, err
			}
			return d.DecodeAny()
		},
		"Skip": func(d *polypack.Decoder) (any, error) { return nil, d.Skip() },
	} {
		store := &memoryStore{}
		writer, reader := storedIn(t, store), storedIn(t, store)
		d := polypack.NewDecoder(unhex(t, "93 4001 4102 93 c0 d4725f91a15803 4204"), polypack.StoredRecords(reader))
		if n, err := d.DecodeArrayHeader(); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		for i, name := range []string{"a", "b"} {
			_, err := read(d)
			wantFault(t, err, polypack.CodeUnknownRecord, int64(1+2*i), fmt.Sprint("/", i))
			store.failure = io.ErrClosedPipe
			if _, err := read(d); !errors.Is(err, io.ErrClosedPipe) || err.(*polypack.Error).Path != fmt.Sprint("/", i) {
				t.Errorf("a failing store: %v", err)
			}
			store.failure = nil
			if err := writer.Publish(ctx, []string{name}); err != nil {
				t.Fatal(err)
			}
			v, err := read(d)
			if want := map[string]any{name: int64(i + 1)}; err != nil || v != nil && !reflect.DeepEqual(v, want) {
				t.Errorf("%v, %v; want %v", v, err, want)
			}
			if want := int64(3 + 2*i); d.Offset() != int(want) {
				t.Errorf("at %d", d.Offset())
			}
		}
		// The third element declares a record before the unknown one. It is read again as a whole.
		if name == "DecodeAny" {
			continue
		}
		_, err := read(d)
		wantFault(t, err, polypack.CodeUnknownRecord, 14, "/2/2")
		if err := writer.Publish(ctx, []string{"c"}); err != nil {
			t.Fatal(err)
		}
		if v, err := read(d); err != nil || v != nil && !reflect.DeepEqual(v, []any{nil, map[string]any{"X": int64(3)}, map[string]any{"c": int64(4)}}) {
			t.Errorf("%v, %v", v, err)
		}
		if err := d.Finish(); err != nil {
			t.Error(err)
		}
	}

	// What the store has turned out to be lost with is one error for all readers, and stays as it was.
	store := &memoryStore{content: []byte{0xc0}}
	stored := storedIn(t, store)
	for range 2 {
		d := polypack.NewDecoder([]byte{0x91, 0x40, 1}, polypack.StoredRecords(stored))
		if _, err := d.DecodeArrayHeader(); err != nil {
			t.Fatal(err)
		}
		wantFault(t, d.Skip(), polypack.CodeInvalidRecord, 0, "/0")
	}
	wantFault(t, stored.Refresh(ctx), polypack.CodeInvalidRecord, 0, "")
}

// TestStoredRecordsBehindDeclarations reads arrays whose elements declare records before one has an unknown record. The
// Dictionary is so large that the bytes 60 to 7f start its ids.
func TestStoredRecordsBehindDeclarations(t *testing.T) {
	store := &memoryStore{}
	writer := storedIn(t, store)
	shapes := make([][]string, 40)
	for i := range shapes {
		shapes[i] = []string{fmt.Sprint("n", i)}
	}
	if err := writer.Publish(context.Background(), shapes...); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{
		"93 d4725f91a15801 4002 5f03",
		"93 d4726091a15801 610002 6003",                         // 60 was declared, and stays an id of one byte
		"93 d572610091a15801 600002 610003",                     // 6100 was declared, and hides a shape
		"93 d4726091a15801 93d4726191a15901c0620002 6103",       // the second element is read again, and declares 61
		"93 d4725f91a15801 93d4725f91a1590160000261010203 5f04", // and here 5f
		"92 d4726091a15801 93d47260 91a1590140026103",
		"92 d4726091a15801 6209",
	} {
		data := unhex(t, in)
		var want []any
		wantErr := polypack.Unmarshal(data, &want, polypack.StoredRecords(writer))
		got, err := collect[any](&cutReader{data, 1}, polypack.StoredRecords(storedIn(t, store)))
		if errorText(err) != errorText(wantErr) || wantErr == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("Elements of %s: %v, %v; want %v, %v", in, got, err, want, wantErr)
		}
		got, err = nil, nil
		d := polypack.NewDecoder(data, polypack.StoredRecords(storedIn(t, store)))
		if _, err := d.DecodeArrayHeader(); err != nil {
			t.Fatal(err)
		}
		for err == nil && d.More() && d.Offset() < len(data) {
			var v any
			if err = d.Decode(&v); err == nil {
				got = append(got, v)
			}
		}
		if errorText(err) != errorText(wantErr) || wantErr == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("Decoder of %s: %v, %v; want %v, %v", in, got, err, want, wantErr)
		}
	}
}

// TestStoredDictionaryFull publishes more shapes than have ids. Those that have room are shared; the others are left
// out, but must be shapes.
func TestStoredDictionaryFull(t *testing.T) {
	const most = 8160
	shape := func(i int) []string { return []string{fmt.Sprint("n", i)} }
	shapes := make([][]string, most+40)
	for i := range shapes {
		shapes[i] = shape(i)
	}
	for _, limit := range []int{most, most - 20} {
		store := &memoryStore{}
		stored, err := polypack.NewStoredDictionary(store, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, until := range []int{most - 60, len(shapes), len(shapes)} {
			if err := stored.Publish(context.Background(), shapes[:until]...); err != nil {
				t.Fatal(err)
			}
			want := min(limit, until)
			if d := stored.Dictionary(); d.Len() != want || !slices.Equal(d.Shapes()[want-1], shape(want-1)) {
				t.Fatalf("limit %d, %d shapes: %d are shared", limit, until, d.Len())
			}
		}
		if got, err := polypack.ParseDictionary(store.content); err != nil || got.Len() != limit {
			t.Errorf("the store has %v, %v", got, err)
		}
		if err := stored.PublishShapesOf(context.Background(), onlyA{}); err != nil || stored.Dictionary().Len() != limit {
			t.Error(err)
		}
		wantUsage(t, stored.Publish(context.Background(), []string{"b", "b"}), "Dictionary.Append")
		_, err = stored.Dictionary().Append(shapes...)
		wantUsage(t, err, "Dictionary.Append")
	}
}

func TestStoredDictionaryAtOnce(t *testing.T) {
	store := &memoryStore{}
	shared := storedIn(t, store)
	var group sync.WaitGroup
	for i := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			own := storedIn(t, store)
			for n := range 20 {
				writer := []*polypack.StoredDictionary{shared, own}[n%2]
				if err := writer.Publish(context.Background(), []string{fmt.Sprint("n", n)}, []string{fmt.Sprint("n", n), fmt.Sprint("i", i)}); err != nil {
					t.Error(err)
				}
				data := mustMarshal(t, onlyA{n}, polypack.StoredRecords(writer), polypack.Fingerprint())
				var back onlyA
				if err := polypack.Unmarshal(data, &back, polypack.StoredRecords(shared), polypack.Fingerprint()); err != nil || back.A != n {
					t.Error(back, err)
				}
			}
		}()
	}
	group.Wait()
	if err := shared.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	shapes := shared.Dictionary().Shapes()
	if len(shapes) != 20+8*20 {
		t.Errorf("%d shapes", len(shapes))
	}
	slices.SortFunc(shapes, slices.Compare)
	if len(slices.CompactFunc(shapes, slices.Equal)) != 180 {
		t.Error("a shape occurs twice")
	}
}

// Methods of published values may use the StoredDictionary.
func TestPublishedValuesUseTheStore(t *testing.T) {
	ctx := context.Background()
	s := storedIn(t, &memoryStore{})
	v := []any{named{1}, callback(func() {
		wantFault(t, polypack.Unmarshal([]byte{0x41}, new(any), polypack.StoredRecords(s)), polypack.CodeUnknownRecord, 0, "")
		if err := s.Publish(ctx, []string{"x"}); err != nil {
			t.Error(err)
		}
	}), struct{ X int }{1}}
	done := make(chan error, 1)
	go func() { done <- s.PublishShapesOf(ctx, v) }()
	select {
	case err := <-done:
		if err != nil || !reflect.DeepEqual(s.Dictionary().Shapes(), [][]string{{"x"}, {"N"}, {"X"}}) {
			t.Errorf("%v, %v", s.Dictionary().Shapes(), err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("PublishShapesOf doesn't return")
	}
}

// TestFailingStores asserts that an error of the store is no fault of the message, even if the store got it from a
// decoder.
func TestFailingStores(t *testing.T) {
	var v any
	fault := polypack.Unmarshal([]byte{0xc1}, &v)
	for _, failure := range []error{io.ErrClosedPipe, fault, fmt.Errorf("wrapped: %w", fault)} {
		store := &memoryStore{failure: failure}
		err := polypack.Unmarshal(unhex(t, "91 4001"), &v, polypack.StoredRecords(storedIn(t, store)))
		if e, ok := err.(*polypack.Error); !ok || e.Code != polypack.CodeUnsupportedValue || e.Err != failure {
			t.Errorf("%v, want an unsupported_value with the cause %v", err, failure)
		}
	}
}
