package wire

// Plan of the file: memory for the elements of slices and the entries of maps. Memory for elements that have not
// arrived is charged to Credit, which keeps all such memory of a message in proportion to its length
// (spec/06-limits.md). When elements have arrived, More may allocate as much memory again without Credit.

import "math/bits"

// Elements returns memory for the next count elements, or for as many as Credit allows. It reuses old if that is large
// enough. The slice isn't nil, and all its elements are zero. promised is an argument for More and Arrived.
func Elements[T any](r *Reader, old []T, count int) (s []T, promised int) {
	if old != nil && cap(old) >= count {
		s = old[:count]
		clear(s)
		return s, 0
	}
	if size := sizeOf[T](); count <= max(0, r.state.Credit)/max(1, size) { // Credit is enough for all
		r.state.Credit -= count * size
		return make([]T, count), count * size
	}
	return More(r, old[:0], count, 0)
}

// StringElements is Elements for strings. Up to four strings are faster here, because their number is a constant when
// they are allocated.
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

// More returns a copy of s with memory for more of the count elements. All elements of s have arrived.
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

// promise takes Credit for up to count elements or entries of size bytes each, which have not arrived. It returns for
// how many the Credit was enough.
func (r *Reader) promise(count, size int) int {
	if high, need := bits.Mul(uint(count), uint(size)); high == 0 && need <= uint(max(0, r.state.Credit)) {
		r.state.Credit -= int(need)
		return count
	}
	count = max(0, r.state.Credit) / size / 2 // the rest is for values inside them
	r.state.Credit -= count * size
	return count
}

// Arrived returns promised bytes to Credit, because the elements have arrived.
func (r *Reader) Arrived(promised int) { r.state.Credit += promised }

// mapEntryBytes returns the largest memory that a Go map takes per entry, in bytes. Each entry has a control byte. The
// tables of a map double and are at most 7/8 full, so just over three entries may take the memory of seven.
func mapEntryBytes(key, elem int) int { return (key + elem + 1) * 7 / 3 }

// Entries returns a map for the next count entries: old, unless it is nil. promised is an argument for Arrived.
func Entries[M ~map[K]V, K ~string, V any](r *Reader, old M, count int) (m M, promised int) {
	if old != nil {
		return old, 0
	}
	size := mapEntryBytes(sizeOf[K](), sizeOf[V]())
	capacity := r.promise(count, size)
	return make(M, capacity), capacity * size
}
