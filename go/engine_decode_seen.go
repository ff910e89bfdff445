//go:build !purego

package polypack

// Plan of the file: how strict and lossless mode find duplicate keys in a map that is read into a struct. While the
// fields come in order, there can't be duplicates, so nothing is recorded. At the first unexpected key, a seenFields
// starts to record which fields and which other keys have come.

import "unsafe"

// A seenFields records the keys of a map that have come so far.
type seenFields struct {
	next *seenFields // in the free list
	// words has one bit per field, which is set if the field has come. But for fields that came in order, from the
	// index run on, runTo sets the bits later.
	words  []uint64
	run    int
	names  keySet     // str keys that aren't names of fields, as spans of the input
	others objectKeys // keys that aren't strs
}

// takeSeen returns an empty seenFields for a struct with count fields.
func (e *decoding) takeSeen(count int) *seenFields {
	s := e.seen
	if s == nil {
		s = new(seenFields)
	} else {
		e.seen = s.next
	}
	need := (count + 63) / 64
	if cap(s.words) < need {
		s.words = make([]uint64, need)
	} else {
		s.words = s.words[:need]
		clear(s.words)
	}
	s.run = 0
	return s
}

// giveSeen returns a seenFields to the free list.
func (e *decoding) giveSeen(s *seenFields) {
	s.names.spans, s.names.table = s.names.spans[:0], nil
	s.others = objectKeys{}
	s.next, e.seen = e.seen, s
}

// has reports whether the bit of the field with this index is set.
func (s *seenFields) has(index int) bool { return s.words[index/64]>>(index%64)&1 != 0 }

func (s *seenFields) set(index int) { s.words[index/64] |= 1 << (index % 64) }

// runTo sets the bits of the fields that came in order, from run up to but not including the index end.
func (s *seenFields) runTo(end int) {
	for ; s.run < end; s.run++ {
		s.set(s.run)
	}
}

// anyFrom reports whether any field from index up to but not including count has come.
func (s *seenFields) anyFrom(index, count int) bool {
	for ; index < count && index%64 != 0; index++ {
		if s.has(index) {
			return true
		}
	}
	for ; index < count; index += 64 {
		if s.words[index/64] != 0 {
			return true
		}
	}
	return false
}

// unexpectedOnce is the method unexpected for strict and lossless mode. It reads the key at i, of the entry with this
// index, and refuses a duplicate. It returns the field with that name, the field expected next, the seenFields, and
// where the value starts. If no field has that name, f is nil, and at is where the next entry starts.
func (e *decoding) unexpectedOnce(s *structProgram, q unsafe.Pointer, seen *seenFields, expected *decodeField, i, index int) (f, next *decodeField, now *seenFields, at int) {
	count := len(s.fields)
	if seen == nil {
		seen = e.takeSeen(count)
	}
	seen.runTo(int(expected.index))
	found := -1
	l, at := e.textHead(i)
	if at < 0 {
		d := e.planAt(i)
		if err := d.skipKey(&seen.others); err == errTwice {
			return nil, nil, seen, e.failTwice(i, index)
		} else if err != nil {
			return nil, nil, seen, e.failed(inKey(err))
		}
		at = e.behind(d)
	} else {
		if found = e.named(s, l, at, index); found < 0 {
			if _, added := seen.names.add(e.input(), at, at+l); !added {
				return nil, nil, seen, e.failTwice(i, index)
			}
		}
		at += l
	}
	if found < 0 {
		return nil, expected, seen, e.unnamed(s, q, i, at, index)
	}
	if seen.has(found) {
		return nil, nil, seen, e.failTwice(i, index)
	}
	seen.set(found)
	f = &s.decodeProgram().fields[found]
	// The caller doesn't check an expected field for duplicates. So if a field with a larger index has come already,
	// expect none. Then every further key of this map comes here.
	if seen.anyFrom(found+1, count) {
		seen.run = count
		return f, &s.decodeProgram().fields[count], seen, at
	}
	seen.run = found + 1
	return f, f.next, seen, at
}
