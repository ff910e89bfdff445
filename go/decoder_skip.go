package polypack

// Plan of the file: skip, which steps over a value. It makes the same checks as decoding into an any. But it accepts
// times outside the range of time.Time, and keys that Go can't hash. It doesn't limit the cost of hashing long names,
// and doesn't call the functions of registered extensions. In default mode it allocates memory only for declarations of
// records and for errors. In strict and lossless mode it also keeps the keys of open maps, to find duplicates.

import "github.com/polypack/polypack/go/internal/format"

func (d *Decoder) skip() error {
	if d.runs() {
		if end := run(d.data, d.offset, 1, d.owed, d.depth, d.maxDepth); end >= 0 {
			d.offset = end
			return nil
		}
	}
	return d.skipValue()
}

// skipValue is skip without a call of run, the fast path.
func (d *Decoder) skipValue() error {
	start := d.offset
	if start >= len(d.data) {
		return d.failEnd()
	}
	c := d.data[start]
	switch families[c] {
	case familyNil, familyBool:
		d.offset++
		return nil
	case familyInt:
		if c >= firstRecordID && c <= lastRecordID && d.inline() {
			s, err := d.record()
			if err != nil {
				return err
			}
			if s != nil {
				return d.skipRecord(s)
			}
		}
		_, _, err := d.number()
		return err
	case familyFloat:
		_, _, err := d.number()
		return err
	case familyStr:
		_, err := d.text()
		return err
	case familyBin:
		_, err := d.bin()
		return err
	case familyArray:
		return d.skipArray()
	case familyMap:
		return d.skipMap()
	case familyExt:
		return d.skipExtension()
	}
	return d.failReserved(start)
}

func (d *Decoder) skipArray() error {
	n, err := d.openArray()
	if err != nil {
		return err
	}
	for i := range n {
		d.owed--
		if err := d.skipValue(); err != nil {
			return withinIndex(err, i)
		}
	}
	d.close()
	return nil
}

func (d *Decoder) skipMap() error {
	n, err := d.openMap()
	if err != nil {
		return err
	}
	var known objectKeys
	for i := range n {
		d.owed--
		place := d.keyPlace()
		if err := d.skipKey(&known); err != nil {
			if err == errTwice {
				return d.withinEntry(d.failDuplicate(place.offset), place, i)
			}
			return inKey(err)
		}
		d.owed--
		if err := d.skipValue(); err != nil {
			return d.withinEntry(err, place, i)
		}
	}
	d.close()
	return nil
}

func (d *Decoder) skipRecord(s *shape) error {
	for _, name := range s.names {
		d.owed--
		if err := d.skipValue(); err != nil {
			return within(err, name)
		}
	}
	d.close()
	return nil
}

func (d *Decoder) skipExtension() error {
	typ, data, end, err := d.extension("a value")
	if err != nil {
		return err
	}
	switch {
	case typ == format.TimestampType:
		_, err := d.timestamp()
		return err
	case isDeclaration(typ, data):
		s, err := d.declaration()
		if err != nil {
			return err
		}
		return d.skipRecord(s)
	}
	d.offset = end
	return nil
}
