package polypack

// Plan of the file: Object, reading a map into one, and reading keys of any kind so that equal ones are noticed.

import "math"

// An Object is a map with its entries in order and with keys of every kind. As a target it takes every map and record;
// in the mode Lossless an any gets one for a map with keys other than str. Encoding keeps the order of the entries; two
// equal keys are CodeDuplicateKey.
type Object []Entry

// An Entry is a key and a value of an Object. Both are of the types that an any gets, or of any type that Marshal
// takes.
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

// object reads a map or record into an Object. Of equal keys the last wins at the place of the first, or they are
// CodeDuplicateKey, as the mode has it.
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

// objectEntries reads the entries from number first to count of an open map, behind those already in o. known is the
// set of their keys, nil when none has been read.
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

// objectKeys are the canonical bytes of an Object's keys, one after the other.
type objectKeys struct {
	set   keySet
	bytes []byte
	again *Decoder // reads keys that have been judged, see uniqueKey
}

// add adds a key that is a str, unless it is known.
func (k *objectKeys) add(text []byte) (added bool) {
	start := len(k.bytes)
	k.bytes = append(appendStringHead(k.bytes, len(text)), text...)
	_, added = k.set.add(k.bytes, start, len(k.bytes))
	return added
}

// objectKey reads a key of any kind and the index of its entry; added is false when an equal key has been read before.
// The only key of a map has no equal.
func (d *Decoder) objectKey(known *objectKeys, count int) (key any, index int, added bool, err error) {
	if d.trusted || count == 1 {
		key, err = d.value()
		return key, len(known.set.spans), true, err
	}
	index, added, err = d.uniqueKey(known, func(again *Decoder) (err error) {
		key, err = again.value()
		return err
	})
	return key, index, added, err
}

// uniqueKey steps over a key and, if no equal one is known, has it read.
//
// The key is first brought into the form in which keys are compared, which judges it in one pass however deep it nests.
// It is then read again from its bytes. In strict and lossless mode nothing in it needs judging a second time; in
// default mode no key nests in a key. So the cost stays linear in the bytes.
func (d *Decoder) uniqueKey(known *objectKeys, read func(*Decoder) error) (index int, added bool, err error) {
	start, length := d.offset, len(known.bytes)
	before := d.markRecords() // the key may declare records, and is read twice
	known.bytes, err = d.comparable(known.bytes)
	if err == nil {
		index, added = known.set.add(known.bytes, length, len(known.bytes))
	}
	if !added {
		known.bytes = known.bytes[:length]
		before.keep()
		return index, false, err
	}
	if known.again == nil {
		known.again = new(Decoder)
	}
	again := known.again
	d.undoRecords(before) // the second reading declares them again
	*again = Decoder{data: d.data, offset: start, settings: d.settings, depth: d.depth, records: d.records, trusted: d.checked()}
	again.settings.maxValues = math.MaxInt64
	err = read(again)
	d.records = again.records
	if err != nil {
		return 0, false, d.keyFault(start, err)
	}
	return index, true, nil
}

// keyFault gives a failure to read a judged key again the place of the key. What can still fail there is what a Go type
// cannot hold, so it is the fault of the key as a whole.
func (d *Decoder) keyFault(start int, err error) error {
	if e, ok := err.(*Error); ok {
		e.Offset = d.base + int64(start)
	}
	return inKey(err)
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
