package snapshot

// A series is a list of things that are numbered from 0. The first chunkSize things are in one slice, the others in
// chunks of chunkSize things. A full chunk is never copied to larger memory, unlike one slice for all things.
type series[T any] struct {
	first  []T
	chunks [][]T
}

const chunkSize = 256

func (s *series[T]) add(thing T) {
	if len(s.first) < chunkSize {
		s.first = append(s.first, thing)
		return
	}
	last := len(s.chunks) - 1
	if last < 0 || len(s.chunks[last]) == chunkSize {
		s.chunks = append(s.chunks, make([]T, 0, chunkSize))
		last++
	}
	s.chunks[last] = append(s.chunks[last], thing)
}

func (s *series[T]) len() int64 {
	last := len(s.chunks) - 1
	if last < 0 {
		return int64(len(s.first))
	}
	return int64(chunkSize + last*chunkSize + len(s.chunks[last]))
}

// at returns the thing with the given number, which must be less than len.
func (s *series[T]) at(number int64) T {
	if number < chunkSize {
		return s.first[number]
	}
	number -= chunkSize
	return s.chunks[number/chunkSize][number%chunkSize]
}
