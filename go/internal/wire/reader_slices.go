package wire

// Plan of the file: memory for the elements of slices and the entries of maps. Credit is the number of bytes that may
// still be allocated for elements that have not arrived. It bounds what a false count can cost (spec/06-limits.md).
// When elements have arrived, More may allocate as much memory again without Credit.

import "math/bits"

// Elements returns memory for the next count elements. If Credit doesn't suffice, the memory is for fewer elements, but
// for at least one. It reuses old if that is large enough. The slice isn't nil, and all its elements are zero. promised
// is the Credit taken, in bytes, which the caller passes to More or Arrived.
func Elements[T any](r *Reader, old []T, count int) (s []T, promised int) {
	if old != nil && cap(old) >= count {
		s = old[:count]
		clear(s)
		return s, 0
	}
	if size := sizeOf[T](); count <= max(0, r.state.Credit)/max(1, size) { // Credit suffices for all elements
		r.state.Credit -= count * size
		return make([]T, count), count * size
	}
	return More(r, old[:0], count, 0)
}

// StringElements is Elements for strings. New memory for up to four strings has a constant size, which is faster.
func StringElements(r *Reader, old []string, count int) (s []string, promised int) {
	size := count * sizeOf[string]()
	if old != nil || count > 4 || size > r.state.Credit {
		return Elements(r, old, count)
	}
	r.state.Credit -= size
	switch count {
	case 4:
		return new([4]string)[:], size
	case 3:
		return new([3]string)[:], size
	case 2:
		return new([2]string)[:], size
	case 1:
		return new([1]string)[:], size
	}
	return []string{}, 0
}

// More returns a longer copy of s, of at most count elements. All elements of s must have arrived. The parameter
// promised is the Credit that the memory of s took, in bytes. The int result is the Credit taken for the additional
// elements.
func More[T any](r *Reader, s []T, count, promised int) ([]T, int) {
	size := sizeOf[T]()
	r.Arrived(promised)
	k := len(s)
	capacity := count
	promised = 0
	if size > 0 {
		rest := r.promise(count-k, size)
		promised = rest * size
		capacity = max(k+rest, min(count, max(2*k, 1)))
	}
	larger := make([]T, capacity)
	copy(larger, s)
	return larger, promised
}

// promise takes Credit for up to count elements or entries of size bytes each, which have not arrived. It returns the
// number of elements that it has taken Credit for.
func (r *Reader) promise(count, size int) int {
	if high, need := bits.Mul(uint(count), uint(size)); high == 0 && need <= uint(max(0, r.state.Credit)) {
		r.state.Credit -= int(need)
		return count
	}
	count = max(0, r.state.Credit) / size / 2 // the other half of Credit is for values inside the elements
	r.state.Credit -= count * size
	return count
}

// Arrived adds promised bytes to Credit again, because the elements have arrived.
func (r *Reader) Arrived(promised int) { r.state.Credit += promised }

// mapEntryBytes estimates the most memory, in bytes, that a Go map of more than 8 entries needs per entry, without
// padding. An entry has a key, an element and a control byte. A table of the map doubles when it is 7/8 full, so it may
// be just over 7/16 full. Then it needs almost 16/7 times the memory of its entries; 7/3 is slightly more.
func mapEntryBytes(key, elem int) int { return (key + elem + 1) * 7 / 3 }

// Entries returns old or, if old is nil, a new map with memory for the next count entries. If Credit doesn't suffice,
// the memory is for fewer entries. promised is the Credit taken, in bytes, which the caller passes to Arrived.
func Entries[M ~map[K]V, K ~string, V any](r *Reader, old M, count int) (m M, promised int) {
	if old != nil {
		return old, 0
	}
	size := mapEntryBytes(sizeOf[K](), sizeOf[V]())
	capacity := r.promise(count, size)
	return make(M, capacity), capacity * size
}
