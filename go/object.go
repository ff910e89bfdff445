package polypack

// Plan of the file: Object, and reading a map or a record into one. Its keys are read in decoder_keys.go.

// An Object is a map with its entries in order and with keys of every kind. Every map and record can be decoded into an
// Object; in the mode Lossless, maps with keys other than str become Objects in an any. Encoding keeps the order of the
// entries; two equal keys are CodeDuplicateKey.
type Object []Entry

// An Entry is a key and a value of an Object. After decoding, both have the types that an any gets; for encoding, any
// type that Marshal accepts.
type Entry struct {
	Key, Value any
}

// Get returns the value of the first entry whose key is the string key.
func (o Object) Get(key string) (value any, ok bool) {
	for _, entry := range o {
		if k, isString := entry.Key.(string); isString && k == key {
			return entry.Value, true
		}
	}
	return nil, false
}

// entryBytes is the memory of an Entry on a 64-bit machine, for preallocation.
const entryBytes = 32

// object reads a map or record into an Object. Depending on the mode, equal keys are CodeDuplicateKey, or the last one
// wins and takes the place of the first.
func (d *Decoder) object() (Object, error) {
	s, err := d.record()
	if err != nil {
		return nil, err
	}
	if s != nil {
		return d.recordObject(s)
	}
	n, err := d.openMap()
	if err != nil {
		return nil, err
	}
	o := make(Object, 0, d.preallocate(n, entryBytes))
	return d.objectEntries(o, nil, 0, n)
}

// objectEntries reads the entries of an open map that has count of them, from index first on, and appends them to o.
// known is the set of keys so far, nil if none has been read.
func (d *Decoder) objectEntries(o Object, known *objectKeys, first, count int) (Object, error) {
	if known == nil {
		known = new(objectKeys)
	}
	for i := first; i < count; i++ {
		d.owed--
		place := d.keyPlace()
		key, at, added, err := d.objectKey(known, count)
		if err != nil {
			return nil, inKey(err)
		}
		if !added && d.checked() {
			return nil, d.withinEntry(d.failDuplicate(place.offset), place, i)
		}
		d.owed--
		value, err := d.value()
		if err != nil {
			return nil, d.withinEntry(err, place, i)
		}
		if added {
			o = append(grown(o, count), Entry{key, value})
		} else {
			o[at].Value = value
		}
	}
	d.close()
	return o, nil
}

// recordObject reads the values of an open record.
func (d *Decoder) recordObject(s *shape) (Object, error) {
	o := make(Object, 0, d.preallocate(len(s.names), entryBytes))
	for _, name := range s.names {
		d.owed--
		value, err := d.value()
		if err != nil {
			return nil, within(err, name)
		}
		o = append(o, Entry{name, value})
	}
	d.close()
	return o, nil
}
