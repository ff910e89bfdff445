package snapshot

import (
	"encoding/binary"
	"fmt"
	"math"

	polypack "github.com/polypack/polypack/go"
)

// A source reads the smallest parts of a snapshot (spec/10-snapshot.md#numbers): bytes, counts, numbers and strings. It
// checks each of them against the remaining bytes. It also counts the values that take less than a byte. Counts are
// int64, because the int of a 32-bit system is too small for large counts.
type source struct {
	data     []byte
	at       int
	settings settings
	// elements is how many more values may take less than a byte; see MaxElements.
	elements int64
	// strings holds the strings that have numbers. Each is an any, so that returning it again allocates nothing.
	strings series[any]
}

// Strings of shortest to longest bytes get numbers, except in a column of the kind texts. A repeated string is written
// as its number.
const (
	shortest = 2
	longest  = 255
)

func (s *source) remaining() int64 { return int64(len(s.data) - s.at) }

func (s *source) byte(at int) (byte, error) {
	if s.at >= len(s.data) {
		return 0, ended(at, "a value has no complete head")
	}
	s.at++
	return s.data[s.at-1], nil
}

// take returns the next length bytes and moves past them. If there are fewer, it fails, and at is the offset of the
// error.
func (s *source) take(length int64, at int) ([]byte, error) {
	if length > s.remaining() {
		return nil, ended(at, "a value takes %d bytes but %d remain", length, s.remaining())
	}
	start := s.at
	s.at += int(length)
	return s.data[start:s.at], nil
}

func (s *source) uint(at int) (int64, error) {
	var value int64
	for shift := 0; shift < 35; shift += 7 {
		b, err := s.byte(at)
		if err != nil {
			return 0, err
		}
		value |= int64(b&0x7f) << shift
		if b < 0x80 {
			if value > math.MaxUint32 {
				break
			}
			return value, nil
		}
	}
	return 0, faulty(polypack.CodeOutOfRange, at, "a count is greater than 4294967295")
}

func (s *source) sint(at int) (int64, error) {
	var value uint64
	for shift := 0; shift < 70; shift += 7 {
		b, err := s.byte(at)
		if err != nil {
			return 0, err
		}
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if shift == 63 && b > 1 {
				break
			}
			return int64(value>>1) ^ -int64(value&1), nil
		}
	}
	return 0, faulty(polypack.CodeOutOfRange, at, "an int of a column has more than 64 bits")
}

// int reads an int of 1, 2, 4 or 8 bytes.
func (s *source) int(length int64, at int) (any, error) {
	b, err := s.take(length, at)
	if err != nil {
		return nil, err
	}
	switch length {
	case 1:
		return int64(int8(b[0])), nil
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b))), nil
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b))), nil
	default:
		return int64(binary.LittleEndian.Uint64(b)), nil
	}
}

func (s *source) double(at int) (any, error) {
	b, err := s.take(8, at)
	if err != nil {
		return nil, err
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
}

// numbered reads a string, which gets a number if its length is in the range shortest to longest.
func (s *source) numbered(length int64, at int) (any, error) {
	b, err := s.take(length, at)
	if err != nil {
		return nil, err
	}
	var text any = string(b)
	if length >= shortest && length <= longest {
		s.strings.add(text)
	}
	return text, nil
}

func (s *source) earlier(number int64, at int) (any, error) {
	if number >= s.strings.len() {
		return nil, invalid(at, "string %d has not been there", number)
	}
	return s.strings.at(number), nil
}

// isString reports whether a string, new or repeated, starts with this head byte.
func isString(head byte) bool {
	return (head >= 0x40 && head < 0x60) || (head >= 0x90 && head < 0xc0) || (head >= 0xc9 && head <= 0xcc)
}

// stringOf reads the string whose head byte has just been read, at offset at.
func (s *source) stringOf(head byte, at int) (any, error) {
	switch {
	case head < 0x60:
		return s.numbered(int64(head&0x1f), at)
	case head < 0xc0:
		return s.earlier(int64(head-0x90), at)
	case head == 0xc9 || head == 0xcb:
		n, err := s.byte(at)
		if err != nil {
			return nil, err
		}
		if head == 0xc9 {
			return s.numbered(int64(n), at)
		}
		return s.earlier(48+int64(n), at)
	default:
		n, err := s.uint(at)
		if err != nil {
			return nil, err
		}
		if head == 0xca {
			return s.numbered(n, at)
		}
		return s.earlier(304+n, at)
	}
}

// text reads a string where no other value may be, such as the name of a class.
func (s *source) text() (string, error) {
	at := s.at
	head, err := s.byte(at)
	if err != nil {
		return "", err
	}
	if !isString(head) {
		return "", invalid(at, "a string should stand here")
	}
	text, err := s.stringOf(head, at)
	if err != nil {
		return "", err
	}
	return text.(string), nil
}

// charge counts values that take less than a byte each. It fails if there are more than MaxElements in the snapshot.
func (s *source) charge(values int64, at int) error {
	if values > s.elements {
		what := fmt.Sprintf("values that take no bytes are more than the limit %d", s.settings.maxElements)
		return exceeded(at, what, "raise MaxElements if the source is trusted")
	}
	s.elements -= values
	return nil
}

func (s *source) checkDepth(depth, at int) error {
	if depth >= s.settings.maxDepth {
		what := fmt.Sprintf("depth %d exceeds the limit %d", s.settings.maxDepth+1, s.settings.maxDepth)
		return exceeded(at, what, "raise MaxDepth if the source is trusted")
	}
	return nil
}

// open checks the depth and the counts of a container whose values cost at least a byte each. owed includes these
// values.
func (s *source) open(owed int64, depth, at int) error {
	if err := s.checkDepth(depth, at); err != nil {
		return err
	}
	if owed > s.remaining() {
		return ended(at, "a container and those around it promise %d values but %d bytes remain", owed, s.remaining())
	}
	return nil
}

// count reads the count of a map, a table or a list that is a column, and checks the depth.
func (s *source) count(depth, at int) (int64, error) {
	count, err := s.uint(at)
	if err != nil {
		return 0, err
	}
	if count == 0 {
		return 0, invalid(at, "a column has no cells")
	}
	return count, s.checkDepth(depth, at)
}
