package snapshot

import "slices"

// Plan of the file: arrays that repeat an earlier array (same, constant), then tables, whose rows have one shape
// (spec/10-snapshot.md).

// same returns a copy of the last array that was at this place, in an object of the same shape.
func (r *reader) same(sh *shape, place, at int) (any, error) {
	if sh == nil || sh.latest == nil || sh.latest[place] == nil || !isFlat(sh.latest[place]) {
		return nil, invalid(at, "no array that may be shared has been at this place")
	}
	array := sh.latest[place]
	return copyOf(array), r.charge(int64(len(valuesOf(array)))+1, at)
}

// constant reads the value of a constant column, and returns its cells.
func (r *reader) constant(count int64, depth, at int) ([]any, error) {
	start, waiting := r.at, r.waiting
	r.waiting = nil // a waiting reference gets the array with this column, not an array in a cell
	value, err := r.value(0, depth+1, nil, 0)
	r.waiting = waiting
	if err != nil {
		return nil, err
	}
	each := int64(1)
	if isArray(value) {
		if r.rough || !isFlat(value) {
			return nil, invalid(start, "an array of a constant column may not be shared")
		}
		each += int64(len(valuesOf(value)))
	} else if _, ok := value.(*Object); ok {
		return nil, invalid(start, "an object can not be constant")
	}
	if err := r.charge(count*each, at); err != nil {
		return nil, err
	}
	cells := make([]any, count)
	for i := range cells {
		cells[i] = copyOf(value)
	}
	return cells, nil
}

// isFlat reports whether an array has at most mostShared values, none of which is a float, an array or an object. Only
// such an array may be repeated, and only if it has no references, which isFlat doesn't check.
func isFlat(array any) bool {
	values := valuesOf(array)
	return len(values) <= mostShared && !slices.ContainsFunc(values, func(value any) bool {
		switch value.(type) {
		case float64, []any, *Map, *Object:
			return true
		}
		return false
	})
}

// copyOf returns a copy of an array, and any other value as it is. Arrays of PHP are values, so changing the copy must
// not change the original.
func copyOf(value any) any {
	switch v := value.(type) {
	case []any:
		if len(v) > 0 {
			return slices.Clone(v)
		}
	case *Map:
		return &Map{Keys: v.Keys, Values: slices.Clone(v.Values)}
	}
	return value
}

// Tables

// table reads a table and returns the array of its rows. keys is nil for a list.
func (r *reader) table(count int64, keys []any, owed int64, depth, at int) (any, error) {
	sh, err := r.tableShape(at)
	if err != nil {
		return nil, err
	}
	if err := r.checkDepth(depth+1, at); err != nil {
		return nil, err
	}
	pays := false
	columns := make([][]any, len(sh.names))
	for i := range columns {
		c, err := r.column(count, depth+1, at, true)
		if err != nil {
			return nil, err
		}
		pays = pays || c.pays
		columns[i] = c.cells
		if c.cells == nil {
			owed += count
		}
	}
	if !pays {
		return nil, invalid(at, "the rows of a table cost no bytes")
	}
	if owed > r.remaining() {
		return nil, ended(at, "a table and the containers around it promise %d values but %d bytes remain", owed, r.remaining())
	}
	rows := make([]any, count)
	array := r.claim(arrayOf(keys, rows))
	r.makeRows(sh, rows)
	for i, row := range rows {
		values := rowValues(row)
		for place, cells := range columns {
			if cells != nil {
				values[place] = cells[i]
				continue
			}
			owed--
			if values[place], err = r.element(owed, depth+2, sh, place); err != nil {
				return nil, within(within(err, segmentAt(sh, place)), segmentOf(keys, i))
			}
		}
	}
	r.rough = false // even if a row has references, because isFlat refuses every array of rows
	return array, nil
}

// makeRows makes all rows before any mixed cell is read, because a mixed cell may refer to the object of a later row.
func (r *reader) makeRows(sh *shape, rows []any) {
	for i := range rows {
		values := make([]any, len(sh.names))
		if sh.class == nil {
			rows[i] = &Map{Keys: sh.keys, Values: values}
			continue
		}
		o := &Object{Class: sh.class, Values: values}
		r.objects.add(o)
		rows[i] = o
	}
}

func rowValues(row any) []any {
	if o, ok := row.(*Object); ok {
		return o.Values
	}
	return valuesOf(row)
}

func segmentAt(sh *shape, place int) string {
	if sh.class == nil {
		return sh.names[place]
	}
	return plainName(sh.names[place])
}

func (r *reader) tableShape(at int) (*shape, error) {
	start := r.at
	head, err := r.byte(at)
	if err != nil {
		return nil, err
	}
	var number int64
	switch {
	case head >= 0x60 && head < 0x80:
		number = int64(head & 0x1f)
	case head == anyShape:
		number, err = r.uint(start)
		number += 32
	case head == arrayShape || head == objectShape:
		err = r.newShape(head, start)
		number = r.shapes.len() - 1
	default:
		err = invalid(start, "a table has no shape")
	}
	if err != nil {
		return nil, err
	}
	if number >= r.shapes.len() {
		return nil, invalid(start, "shape %d has not been there", number)
	}
	if len(r.shapes.at(number).names) == 0 {
		return nil, invalid(start, "a table has no shape with values")
	}
	return r.shapes.at(number), nil
}
