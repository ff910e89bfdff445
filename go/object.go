package polypack

// Plan of the file: Object, and reading a map or a record into an Object. decoder_keys.go reads the keys.

// An Object is a map with its entries in order and with keys of every kind. Every map and record can be decoded into an
// Object. In the mode Lossless, a map with keys other than str that is decoded into an any becomes an Object. Marshal
// keeps the order of the entries; MarshalCanonical sorts them. Two equal keys are CodeDuplicateKey when an Object is
// encoded.
type Object []Entry

// An Entry is a key and a value of an Object. After decoding, both have the types that an any gets. For encoding, both
// may have any type that Marshal accepts.
type Entry struct {
	Key, Value any
}

// Get returns the value of the first entry whose key is the string key. ok is false if there is none.
func (o Object) Get(key string) (value any, ok bool) {
	for _, entry := range o {
		if k, isString := entry.Key.(string); isString && k == key {
			return entry.Value, true
		}
	}
	return nil, false
}

// entryBytes is the size of an Entry on a 64-bit machine, in bytes. It is used for preallocation.
const entryBytes = 32

// object reads a map or record into an Object. In strict and lossless mode, equal keys are CodeDuplicateKey. In default
// mode, the first key stays and gets the last value.
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

// objectEntries reads the entries of an open map, from index first up to but not including count, appends them to o,
// and closes the map. known is the set of keys read so far, or nil if there are none.
func (d *Decoder) objectEntries(o Object, known *objectKeys, first, count int) (Object, error) {
	if known == nil {
		known = new(objectKeys)
	}
	promised := 0
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
			o = append(grown(d, o, count, &promised), Entry{key, value})
		} else {
			o[at].Value = value
		}
	}
	d.arrived(promised)
	d.close()
	return o, nil
}

// recordObject reads the values of an open record with the shape s into an Object, and closes the record.
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
