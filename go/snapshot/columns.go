package snapshot

import (
	"encoding/binary"
	"math"
)

// Kinds of columns (spec/10-snapshot.md#columns).
const (
	mixed    = 0
	constant = 1
	ints     = 2
	deltas   = 3
	bools    = 4
	doubles  = 5
	decimals = 6
	texts    = 7
	choices  = 8
	nullable = 0x80

	mostBits   = 56
	mostDigits = 9
)

// A column holds the decoded cells of one column.
type column struct {
	cells []any // nil for a mixed column; the caller reads its cells later
	pays  bool  // each cell takes at least a byte of the snapshot
}

// column reads a column of count cells. container is the offset of the error if the kind byte is missing.
func (r *reader) column(count int64, depth, container int, mayBeMixed bool) (column, error) {
	at := r.at
	kind, err := r.byte(container)
	if err != nil {
		return column{}, err
	}
	if kind < nullable {
		if kind != mixed {
			return r.cells(kind, count, depth, at)
		}
		if mayBeMixed {
			return column{pays: true}, nil
		}
		return column{}, invalid(at, "a column of a list is mixed")
	}
	if kind < nullable+ints {
		return column{}, invalid(at, "a column has the kind 0x%02x", kind)
	}
	if err := r.charge(count, at); err != nil {
		return column{}, err
	}
	bitmap, err := r.take((count+7)/8, at)
	if err != nil {
		return column{}, err
	}
	var present int64
	for i := range count {
		present += int64(bitmap[i/8] >> (i % 8) & 1)
	}
	c, err := r.cells(kind-nullable, present, depth, at)
	if err != nil {
		return column{}, err
	}
	spread := make([]any, count)
	next := 0
	for i := range count {
		if bitmap[i/8]>>(i%8)&1 == 1 {
			spread[i] = c.cells[next]
			next++
		}
	}
	return column{cells: spread}, nil
}

func (r *reader) cells(kind byte, count int64, depth, at int) (c column, err error) {
	switch kind {
	case constant:
		c.cells, err = r.constant(count, depth, at)
	case ints, deltas:
		c, err = r.ints(kind, count, at, func(i int64) any { return i })
	case bools:
		if err = r.charge(count, at); err != nil {
			return c, err
		}
		var bits []byte
		if bits, err = r.take((count+7)/8, at); err == nil {
			c.cells = make([]any, count)
			for i := range count {
				c.cells[i] = bits[i/8]>>(i%8)&1 == 1
			}
		}
	case doubles:
		var b []byte
		if b, err = r.take(8*count, at); err == nil {
			c = column{make([]any, count), true}
			for i := range count {
				c.cells[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			}
		}
	case decimals:
		c, err = r.decimals(count, at)
	case texts:
		c.pays = true
		c.cells, err = r.texts(count, at)
	case choices:
		c.pays = true
		c.cells, err = r.choices(count, at)
	default:
		err = invalid(at, "a column has the kind 0x%02x", kind)
	}
	return c, err
}

// ints reads a column of ints or deltas. cell makes a cell from each int.
func (r *reader) ints(kind byte, count int64, at int, cell func(int64) any) (column, error) {
	var first, base int64
	var err error
	if kind == deltas {
		if first, err = r.sint(at); err != nil {
			return column{}, err
		}
	}
	if base, err = r.sint(at); err != nil {
		return column{}, err
	}
	width, err := r.byte(at)
	if err != nil {
		return column{}, err
	}
	if width > mostBits && width != 64 {
		return column{}, invalid(at, "ints have %d bits", width)
	}
	if width < 8 {
		if err := r.charge(count, at); err != nil {
			return column{}, err
		}
	}
	numbers := count
	if kind == deltas {
		numbers = max(0, count-1)
	}
	packed, err := r.take((numbers*int64(width)+7)/8, at)
	if err != nil {
		return column{}, err
	}
	c := column{make([]any, count), width >= 8}
	next := bits{packed: packed}
	if kind == ints {
		for i := range c.cells {
			c.cells[i] = cell(base + int64(next.take(width)))
		}
		return c, nil
	}
	for i := range c.cells {
		if i > 0 {
			first += base + int64(next.take(width))
		}
		c.cells[i] = cell(first)
	}
	return c, nil
}

func (r *reader) decimals(count int64, at int) (column, error) {
	digits, err := r.byte(at)
	if err != nil {
		return column{}, err
	}
	kind, err := r.byte(at)
	if err != nil {
		return column{}, err
	}
	if digits > mostDigits || (kind != ints && kind != deltas) {
		return column{}, invalid(at, "decimals have no valid head")
	}
	divisor := math.Pow10(int(digits))
	return r.ints(kind, count, at, func(i int64) any { return float64(i) / divisor })
}

func (r *reader) texts(count int64, at int) ([]any, error) {
	width, err := r.byte(at)
	if err != nil {
		return nil, err
	}
	if width != 1 && width != 2 && width != 4 {
		return nil, invalid(at, "lengths have %d bytes", width)
	}
	lengths, err := r.take(count*int64(width), at)
	if err != nil {
		return nil, err
	}
	var total int64
	next := bits{packed: lengths}
	for range count {
		if total += int64(next.take(8 * width)); total > r.remaining() {
			break // take fails below; adding billions of lengths could overflow
		}
	}
	all, err := r.take(total, at)
	if err != nil {
		return nil, err
	}
	cells := make([]any, count)
	next = bits{packed: lengths}
	for i := range cells {
		length := next.take(8 * width)
		cells[i] = string(all[:length])
		all = all[length:]
	}
	return cells, nil
}

func (r *reader) choices(count int64, at int) ([]any, error) {
	last, err := r.byte(at)
	if err != nil {
		return nil, err
	}
	choices := make([]any, int(last)+1)
	for i := range choices {
		if choices[i], err = r.text(); err != nil {
			return nil, err
		}
	}
	numbers, err := r.take(count, at)
	if err != nil {
		return nil, err
	}
	cells := make([]any, count)
	for i, number := range numbers {
		if int(number) >= len(choices) {
			return nil, invalid(at, "a cell chooses a string that is not there")
		}
		cells[i] = choices[number]
	}
	return cells, nil
}

// bits reads unsigned ints of a fixed width that follow one another without gaps, the lowest bit first.
type bits struct {
	packed  []byte
	number  uint64
	waiting byte // how many bits of number are left; fewer than 8 between two calls of take
}

// take returns the next number, of width bits. The width is 0 to 56, or 64, and must be the same in each call.
func (b *bits) take(width byte) uint64 {
	if width == 64 {
		number := binary.LittleEndian.Uint64(b.packed)
		b.packed = b.packed[8:]
		return number
	}
	for b.waiting < width {
		b.number |= uint64(b.packed[0]) << b.waiting
		b.packed = b.packed[1:]
		b.waiting += 8
	}
	number := b.number & (1<<width - 1)
	b.number >>= width
	b.waiting -= width
	return number
}
