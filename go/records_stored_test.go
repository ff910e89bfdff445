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
