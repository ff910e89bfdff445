package snapshot

import (
	"bytes"
	"strconv"
	"strings"

	polypack "github.com/polypack/polypack/go"
)

// Plan of the file: the whole snapshot; value, which dispatches on the head byte; then lists and maps, shapes, objects
// and references. Repeated arrays and tables are in tables.go.
//
// owed is how many values the containers around the current one still have to deliver (spec/06-limits.md#counts). A
// container may contain a reference to itself. So the reader first makes the container the value of the reference (see
// claim), and then reads the values in the container.

const (
	arrayShape  = 0xce
	objectShape = 0xcf
	dataShape   = 0xd0
	bytesShape  = 0xd1
	caseShape   = 0xd2
	anyShape    = 0xcd
	tableList   = 0xd5
	plainMap    = 0xd6
	columnMap   = 0xd7
	newRef      = 0xda
	oldRef      = 0xdb

	mostKeys   = 64
	mostShared = 255
)

// A shape holds the names, class or case that values have in common. latest has the array that was read last at each
// place of the shape. The head d9 stands for this array again.
type shape struct {
	names  []string
	keys   []any  // the names as Map.Keys, for arrays
	class  *Class // for objects
	value  any    // the Case, for an enum
	latest []any
}

// A reader reads one snapshot.
type reader struct {
	source
	shapes     series[*shape]
	objects    series[*Object]
	references series[*any]
	// waiting is the reference whose value comes next, or nil.
	waiting *any
	// rough says whether a value of the array that was read last is a reference.
	rough bool
}

// empty is the value of every list without elements.
var empty any = []any{}

// read reads a whole snapshot. Offsets of errors count from the start of the input, where data is at offset base.
func read(data []byte, base int, s settings) (any, error) {
	r := reader{source: source{data: data, settings: s, elements: s.maxElements}}
	value, err := r.whole()
	if f, ok := err.(*failure); ok {
		return nil, f.toError(base)
	}
	return value, err
}

func (r *reader) whole() (any, error) {
	if err := r.header(); err != nil {
		return nil, err
	}
	value, err := r.value(0, 0, nil, 0)
	if err == nil && r.remaining() > 0 {
		return nil, faulty(polypack.CodeTrailingData, r.at, strconv.FormatInt(r.remaining(), 10)+" bytes follow the value")
	}
	return value, err
}

func (r *reader) header() error {
	data := r.data
	if len(data) == 0 || (len(data) == 1 && data[0] == 0xc1) {
		return ended(len(data), "a snapshot should start here")
	}
	if bytes.HasPrefix(data, []byte("\xc1\x45")) {
		return &failure{code: polypack.CodeInvalidSnapshot, what: "the input is a signed envelope", mend: "read it with DecodeSigned"}
	}
	if !bytes.HasPrefix(data, []byte("\xc1\x53")) {
		return invalid(0, "the input does not start as a snapshot does")
	}
	if len(data) < 4 {
		return ended(len(data), "a snapshot has no complete header")
	}
	if data[2] != 1 {
		return invalid(2, "the snapshot has version %d", data[2])
	}
	if data[3] != 0 {
		return invalid(3, "the snapshot has flags that this version does not know")
	}
	r.at = 4
	return nil
}

// value reads a value. If the value is at a place of a shape, sh and place say where; otherwise sh is nil.
func (r *reader) value(owed int64, depth int, sh *shape, place int) (any, error) {
	at := r.at
	if at >= len(r.data) {
		return nil, ended(at, "a value should start here")
	}
	head := r.data[at]
	r.at++
	switch {
	case head < 0x40:
		return int64(head), nil
	case head >= 0xe0:
		return int64(head) - 256, nil
	case head >= 0x60 && head < 0x80:
		return r.shaped(int64(head&0x1f), owed, depth, at, sh, place)
	case isString(head):
		return r.stringOf(head, at)
	case (head >= 0x80 && head < 0x90) || (head >= 0xd3 && head <= 0xd8):
		array, err := r.array(head, owed, depth, at)
		if err == nil && sh != nil {
			r.remember(sh, place, array)
		}
		return array, err
	}
	switch head {
	case 0xc0:
		return nil, nil
	case 0xc2, 0xc3:
		return head == 0xc3, nil
	case 0xc4, 0xc5, 0xc6, 0xc7:
		return r.int(1<<(head-0xc4), at)
	case 0xc8:
		return r.double(at)
	case anyShape:
		n, err := r.uint(at)
		if err != nil {
			return nil, err
		}
		return r.shaped(32+n, owed, depth, at, sh, place)
	case arrayShape, objectShape, dataShape, bytesShape, caseShape:
		if err := r.newShape(head, at); err != nil {
			return nil, err
		}
		return r.shaped(r.shapes.len()-1, owed, depth, at, sh, place)
	case 0xd9:
		return r.same(sh, place, at)
	case newRef, oldRef:
		return nil, invalid(at, "a reference stands where none may")
	case 0xdc:
		return r.objectAgain(at)
	}
	return nil, invalid(at, "the head byte 0x%02x is reserved", head)
}

// remember keeps an array as the latest at its place, for head d9 to repeat. It ignores an empty array. If the array
// contains a reference, nothing can be repeated until another array comes at this place.
func (r *reader) remember(sh *shape, place int, array any) {
	if len(valuesOf(array)) == 0 {
		return
	}
	if sh.latest == nil {
		sh.latest = make([]any, len(sh.names))
	}
	sh.latest[place] = array
	if r.rough {
		sh.latest[place] = nil
	}
}

// Lists and maps

// claim makes a container the value of the waiting reference, if there is one, and returns the container.
func (r *reader) claim(container any) any {
	if r.waiting != nil {
		*r.waiting = container
		r.waiting = nil
	}
	return container
}

func (r *reader) array(head byte, owed int64, depth, at int) (any, error) {
	if head < 0x90 {
		return r.list(int64(head&0x0f), owed, depth, at)
	}
	if head == 0xd3 {
		count, err := r.uint(at)
		if err != nil {
			return nil, err
		}
		return r.list(count, owed, depth, at)
	}
	count, err := r.count(depth, at)
	if err != nil {
		return nil, err
	}
	if head >= plainMap {
		return r.mapOf(head, count, owed, depth, at)
	}
	if head == tableList {
		return r.table(count, nil, owed, depth, at)
	}
	c, err := r.column(count, depth, at, false)
	if err != nil {
		return nil, err
	}
	r.rough = false
	return r.claim(c.cells), nil
}

func (r *reader) list(count, owed int64, depth, at int) (any, error) {
	if err := r.open(owed+count, depth, at); err != nil {
		return nil, err
	}
	r.rough = false
	if count == 0 {
		return r.claim(empty), nil
	}
	// open has checked that a byte is left for each element. So the elements of all these lists take at most 16 bytes
	// of memory per byte of input.
	list := make([]any, count)
	array := r.claim(list)
	return array, r.elements(list, nil, owed+count, depth)
}

// elements reads the values of a list or map one by one. keys is nil for a list.
func (r *reader) elements(list, keys []any, owed int64, depth int) error {
	rough := false
	for i := range list {
		owed--
		rough = rough || r.isReference()
		value, err := r.element(owed, depth+1, nil, 0)
		if err != nil {
			return within(err, segmentOf(keys, i))
		}
		list[i] = value
	}
	r.rough = rough
	return nil
}

// segmentOf returns the path segment of element i: its key, or its index if keys is nil.
func segmentOf(keys []any, i int) string {
	if keys == nil {
		return strconv.Itoa(i)
	}
	return keyText(keys[i])
}

// isReference reports whether a reference comes next.
func (r *reader) isReference() bool {
	return r.at < len(r.data) && (r.data[r.at] == newRef || r.data[r.at] == oldRef)
}

// element reads a value that may be a reference.
func (r *reader) element(owed int64, depth int, sh *shape, place int) (any, error) {
	if r.isReference() {
		return r.reference(owed, depth)
	}
	return r.value(owed, depth, sh, place)
}

func (r *reader) mapOf(head byte, count, owed int64, depth, at int) (any, error) {
	keys, err := r.keys(count)
	if err != nil {
		return nil, err
	}
	var array any
	switch head {
	case plainMap:
		if err := r.open(owed+count, depth, at); err != nil {
			return nil, err
		}
		values := make([]any, count)
		array = r.claim(arrayOf(keys, values))
		err = r.elements(values, keys, owed+count, depth)
	case columnMap:
		var c column
		c, err = r.column(count, depth, at, false)
		array = r.claim(arrayOf(keys, c.cells))
		r.rough = false
	default:
		array, err = r.table(count, keys, owed, depth, at)
	}
	if err != nil {
		return nil, err
	}
	return array, checkKeys(keys, at)
}

// arrayOf returns a PHP array as Go data: a list if its keys are 0, 1, 2 …, otherwise a *Map.
func arrayOf(keys, values []any) any {
	for i, key := range keys {
		if key != any(int64(i)) {
			return &Map{Keys: keys, Values: values}
		}
	}
	return values
}

func checkKeys(keys []any, at int) error {
	seen := make(map[any]struct{}, len(keys))
	for _, key := range keys {
		text, isText := key.(string)
		var number any
		if isText {
			if i, ok := intKey(text); ok {
				number = i
			}
		}
		if number != nil {
			key = number
		}
		if _, ok := seen[key]; ok {
			return faulty(polypack.CodeDuplicateKey, at, "a key occurs twice in a map")
		}
		if number != nil {
			return faulty(polypack.CodeInvalidKey, at, "a key of a map should be an int")
		}
		seen[key] = struct{}{}
	}
	return nil
}

// intKey returns the int that PHP makes of the key text. It returns false if PHP keeps the key as a string.
func intKey(text string) (int64, bool) {
	if text == "" || text[0] > '9' || len(text) > 20 {
		return 0, false
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil && strconv.FormatInt(i, 10) == text
}

func (r *reader) keys(count int64) ([]any, error) {
	at := r.at
	if at < len(r.data) {
		if kind := r.data[at]; kind != mixed && kind != ints && kind != deltas && kind != texts {
			return nil, invalid(at, "keys have the kind 0x%02x", kind)
		}
	}
	c, err := r.column(count, 0, at, true)
	if err != nil || c.cells != nil {
		return c.cells, err
	}
	if count > r.remaining() {
		return nil, ended(at, "a map promises %d keys but fewer bytes remain", count)
	}
	keys := make([]any, count)
	for i := range keys {
		at := r.at
		if at < len(r.data) {
			head := r.data[at]
			isInt := head < 0x40 || head >= 0xe0 || (head >= 0xc4 && head <= 0xc7)
			if !isInt && !isString(head) {
				return nil, faulty(polypack.CodeInvalidKey, at, "a key of a map is neither int nor string")
			}
		}
		if keys[i], err = r.value(0, 0, nil, 0); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// Shapes

func (r *reader) newShape(head byte, at int) error {
	sh, err := r.readShape(head, at)
	if err == nil {
		r.shapes.add(sh)
	}
	return err
}

func (r *reader) readShape(head byte, at int) (*shape, error) {
	if head == arrayShape {
		return r.readArrayShape(at)
	}
	class, err := r.text()
	if err != nil {
		return nil, err
	}
	switch head {
	case objectShape:
		return r.readObjectShape(class, at)
	case caseShape:
		name, err := r.text()
		return &shape{value: Case{class, name}}, err
	case bytesShape:
		return &shape{class: &Class{Name: class, form: ofBytes}}, nil
	}
	flags, err := r.byte(at)
	if err != nil {
		return nil, err
	}
	if flags > 1 {
		return nil, invalid(at, "a shape of an object has flags that this version does not know")
	}
	return &shape{class: &Class{Name: class, form: []form{ofData, ofMany}[flags]}}, nil
}

func (r *reader) readArrayShape(at int) (*shape, error) {
	count, err := r.byte(at)
	if err != nil {
		return nil, err
	}
	if count == 0 || count > mostKeys {
		return nil, invalid(at, "a shape of an array has %d keys", count)
	}
	names, err := r.names(int(count), true)
	keys := make([]any, len(names))
	for i, name := range names {
		keys[i] = name
	}
	return &shape{names: names, keys: keys}, err
}

func (r *reader) readObjectShape(class string, at int) (*shape, error) {
	var head [4]byte // flags; counts of properties: with a value, declared among these, without a value
	for i := range head {
		b, err := r.byte(at)
		if err != nil {
			return nil, err
		}
		head[i] = b
	}
	count := int(head[1])
	if head[0] > 1 || head[2] > head[1] {
		return nil, invalid(at, "a shape of an object has no valid head")
	}
	all, err := r.names(count+int(head[3]), false)
	if err != nil {
		return nil, err
	}
	names := all[:count:count]
	return &shape{names: names, class: &Class{Name: class, Properties: names, Absent: all[count:]}}, nil
}

// names reads the names of a shape. Two names must not be equal. If isArray is set, the names are keys of an array, and
// none may be text that PHP turns into an int.
func (r *reader) names(count int, isArray bool) ([]string, error) {
	names := make([]string, 0, min(count, int(r.remaining())))
	seen := make(map[string]struct{}, cap(names))
	for range count {
		at := r.at
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		if _, ok := seen[name]; ok {
			return nil, faulty(polypack.CodeDuplicateKey, at, "a name occurs twice in a shape")
		}
		seen[name] = struct{}{}
		if _, ok := intKey(name); ok && isArray {
			return nil, faulty(polypack.CodeInvalidKey, at, "a key of a shape should be an int")
		}
		names = append(names, name)
	}
	return names, nil
}

func (r *reader) shaped(number, owed int64, depth, at int, outer *shape, place int) (any, error) {
	if number >= r.shapes.len() {
		return nil, invalid(at, "shape %d has not been there", number)
	}
	sh := r.shapes.at(number)
	if sh.value != nil {
		return sh.value, nil
	}
	if sh.class != nil {
		return r.object(sh, owed, depth, at)
	}
	owed += int64(len(sh.names))
	if err := r.open(owed, depth, at); err != nil {
		return nil, err
	}
	row := &Map{Keys: sh.keys, Values: make([]any, len(sh.names))}
	array := r.claim(row)
	rough := false
	for i := range row.Values {
		owed--
		rough = rough || r.isReference()
		value, err := r.element(owed, depth+1, sh, i)
		if err != nil {
			return nil, within(err, sh.names[i])
		}
		row.Values[i] = value
	}
	r.rough = rough
	if outer != nil {
		r.remember(outer, place, array)
	}
	return array, nil
}

// Objects

func (r *reader) object(sh *shape, owed int64, depth, at int) (any, error) {
	count := 1
	if sh.class.form == ofProperties {
		count = len(sh.names)
	}
	owed += int64(count)
	if err := r.open(owed, depth, at); err != nil {
		return nil, err
	}
	o := &Object{Class: sh.class, Values: make([]any, count)}
	r.objects.add(o)
	r.claim(o)
	if sh.class.form != ofProperties {
		return o, r.content(o, owed-1, depth+1)
	}
	for i := range o.Values {
		owed--
		value, err := r.element(owed, depth+1, sh, i)
		if err != nil {
			return nil, within(err, plainName(sh.names[i]))
		}
		o.Values[i] = value
	}
	return o, nil
}

// content reads the one value of an object whose form isn't ofProperties: its data, its bytes, or an array of
// properties.
func (r *reader) content(o *Object, owed int64, depth int) error {
	if o.Class.form == ofBytes {
		text, err := r.text()
		o.Values[0] = text
		return err
	}
	at := r.at
	value, err := r.value(owed, depth, nil, 0)
	if err != nil {
		return err
	}
	if !isArray(value) {
		return invalid(at, "the data of an object are no array")
	}
	o.Values[0] = value
	if o.Class.form == ofMany {
		o.spread()
	}
	return nil
}

// plainName returns the name of a property, without the prefix "\0Class\0" of an ancestor's private property.
func plainName(name string) string { return name[strings.LastIndexByte(name, 0)+1:] }

func (r *reader) objectAgain(at int) (any, error) {
	number, err := r.uint(at)
	if err != nil {
		return nil, err
	}
	if number >= r.objects.len() {
		return nil, invalid(at, "object %d has not been there", number)
	}
	return r.objects.at(number), nil
}

// References

func (r *reader) reference(owed int64, depth int) (any, error) {
	at := r.at
	r.at++
	if r.data[at] == oldRef {
		number, err := r.uint(at)
		if err != nil {
			return nil, err
		}
		if number >= r.references.len() {
			return nil, invalid(at, "reference %d has not been there", number)
		}
		return *r.references.at(number), nil
	}
	reference := new(any)
	r.references.add(reference)
	r.waiting = reference
	value, err := r.value(owed, depth, nil, 0)
	r.waiting = nil
	*reference = value
	return value, err
}
