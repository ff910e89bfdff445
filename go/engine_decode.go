//go:build !purego

package polypack

// Plan of the file: the state of a decoding engine, its entry points, the switch over ops, and handing values over to
// plans. engine_decode_struct.go, _slices.go, _maps.go and _any.go read containers, _scalars.go reads scalars, and
// _strings.go allocates strings.
//
// Most methods read the value at offset i and return the offset after it, or -1 after they have set e.err. The comments
// of the other methods say what they return. The engine hands uncommon types and uncommon bytes over to the plan of the
// type, which starts at the same offset. So a plan or a method of Decoder makes every error, and the engine adds the
// path while it unwinds. At each container and at each hand-over, e.owed is what Decoder.owed would be there, see
// limits.go.
//
// An address in the input is e.base plus a checked offset. A pointer that moved along would end up past the end of the
// input, which the rules of package unsafe forbid.

import (
	"encoding/binary"
	"reflect"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// A decoding is the state of decoding one value. It lives on the stack of the call, except in a generatedDecoder.
type decoding struct {
	base     unsafe.Pointer // address of the input
	n        int            // length of the input in bytes
	owed     int            // values that open containers still have to deliver after the current one
	depth    int            // open containers
	maxDepth int
	hops     int // pointers in interfaces that are being followed
	credit   int // bytes that may still be allocated for elements that have not arrived, see limits.go

	texts    texts
	boxes    boxes
	known    *knownKeys
	settings *settings
	start    int64             // offset of the input in its stream
	outside  *generatedDecoder // for generated methods, nil until one is called
	plans    *Decoder          // reads what the engine hands over; nil until it is needed
	err      error

	watch
	allowed int64       // values that the message may still declare, if limited is set
	seen    *seenFields // first of the free list, see takeSeen
}

// unmarshalFast is settings.unmarshal for values that the engine reads. ok is false, and nothing is done, if the engine
// doesn't read the value.
func (s *settings) unmarshalFast(data []byte, base int64, v any) (err error, ok bool) {
	if !s.reads {
		return s.unmarshalRecords(data, base, v)
	}
	target := (*eface)(unsafe.Pointer(&v))
	n := s.types.programs.table.Load().find(target.typ)
	if n == nil {
		if target.typ == nil {
			return nil, false
		}
		n = s.types.nodeFor(target.typ, reflect.TypeOf(v))
	}
	if n.op != opPointer || target.data == nil {
		return nil, false
	}
	return s.unmarshalNode(data, base, n.elem, target.data), true
}

// unmarshalNode reads the one value in data into the memory at q, which is of n's type.
func (s *settings) unmarshalNode(data []byte, base int64, n *node, q unsafe.Pointer) error {
	if n.op.isGenerated() && s.readsGenerated {
		return s.unmarshalGenerated(data, base, n, q)
	}
	if s.watch.on {
		return s.unmarshalWatched(data, base, n, q)
	}
	var e decoding
	e.begin(s, data, base)
	e.texts.size = -int(n.texts.Load())
	i := 0
	if n.op == opStruct && len(data) > 0 {
		i = e.structValue(n, q, 0)
	} else {
		i = e.value(n, q, 0)
	}
	if e.known != nil || e.outside != nil {
		e.release()
	}
	if i < 0 {
		return located(e.err)
	}
	if e.texts.odd(n) {
		n.noteTexts(&e.texts)
	}
	if i < len(data) {
		return e.planAt(i).noMore()
	}
	return nil
}

// unmarshalWatched is unmarshalNode with the checks of strict and lossless mode and of limits.
//
//go:noinline
func (s *settings) unmarshalWatched(data []byte, base int64, n *node, q unsafe.Pointer) error {
	var e decoding
	e.begin(s, data, base)
	e.beginWatch(1)
	e.texts.size = -int(n.texts.Load())
	i := 0
	if n.op == opStruct && len(data) > 0 {
		i = e.watchedStruct(n, q, 0)
	} else {
		i = e.value(n, q, 0)
	}
	e.known.release()
	if i < 0 {
		return located(e.err)
	}
	if e.texts.odd(n) {
		n.noteTexts(&e.texts)
	}
	if i < len(data) {
		return e.planAt(i).noMore()
	}
	return nil
}

// intoFast is Decoder.into for values that the engine reads. ok is false, and nothing is done, if the engine doesn't
// read the value.
func (d *Decoder) intoFast(v any) (err error, ok bool) {
	if !d.reads {
		return d.intoRecords(v)
	}
	target := (*eface)(unsafe.Pointer(&v))
	n := d.types.nodeFor(target.typ, reflect.TypeOf(v))
	if n.op != opPointer || target.data == nil {
		return nil, false
	}
	return d.intoNode(n.elem, target.data), true
}

// intoData is intoFast for types whose values are decoded without running user code. It doesn't read records.
func (d *Decoder) intoData(v any) (err error, ok bool) {
	if !d.reads {
		return nil, false
	}
	target := (*eface)(unsafe.Pointer(&v))
	n := d.types.nodeFor(target.typ, reflect.TypeOf(v))
	if n.op != opPointer || target.data == nil || n.runsCode {
		return nil, false
	}
	return d.intoNode(n.elem, target.data), true
}

// intoNode reads the next value with the engine, into the memory at p, which is of n's type.
func (d *Decoder) intoNode(n *node, p unsafe.Pointer) error {
	var e decoding
	promised := e.enter(d)
	i := e.value(n, p, d.offset)
	return e.leave(i, promised)
}

// begin prepares a zero decoding for data that starts at offset base of a stream.
func (e *decoding) begin(s *settings, data []byte, base int64) {
	e.base, e.n, e.maxDepth, e.credit = unsafe.Pointer(unsafe.SliceData(data)), len(data), s.maxDepth, creditFor(len(data))
	e.settings, e.start, e.texts.mode = s, base, s.strings
}

// enter prepares a zero decoding to continue where d is. It returns d.promised, the credit in bytes that the containers
// around the value have taken. leave restores this number.
func (e *decoding) enter(d *Decoder) (promised int) {
	e.begin(&d.settings, d.data, d.base)
	e.owed, e.depth, e.hops, e.plans = int(d.owed), d.depth, d.hops, d
	if d.settings.watch.on {
		e.beginWatch(d.values)
	}
	e.credit -= d.promised
	e.borrow(d)
	return d.promised
}

// leave releases the memory of e, and lets the Decoder continue at i. If i is negative, leave returns the error of e
// instead.
func (e *decoding) leave(i, promised int) error {
	e.giveBack(e.plans)
	e.release()
	e.plans.promised = promised
	if i < 0 {
		return e.err
	}
	e.planAt(i).promised = promised
	return nil
}

// release returns memory to its pools.
func (e *decoding) release() {
	e.known.release()
	if e.outside != nil {
		e.outside.release()
	}
}

// value reads the value at i into the memory at q, which is of n's type.
func (e *decoding) value(n *node, q unsafe.Pointer, i int) int {
	if i >= e.n {
		return e.handToPlan(n, q, i)
	}
	if byteAt(e.base, i) == format.Nil {
		return e.null(n, q, i)
	}
	switch n.op {
	case opStruct:
		if e.on {
			return e.watchedStruct(n, q, i)
		}
		return e.structValue(n, q, i)
	case opGenerated:
		switch {
		case e.settings.readsGenerated:
			return e.generated(n, q, i)
		case e.on:
			return e.watchedStruct(n, q, i)
		}
		return e.structValue(n, q, i)
	case opGeneratedRest:
		if e.settings.readsGenerated {
			return e.generated(n, q, i)
		}
		return e.handToPlan(n, q, i)
	case opPointer:
		return e.pointer(n, q, i)
	case opSlice:
		return e.slice(n, q, i)
	case opSliceInt8:
		return numbers(e, n, q, i, fillSigned[int8])
	case opSliceInt16:
		return numbers(e, n, q, i, fillSigned[int16])
	case opSliceInt32:
		return numbers(e, n, q, i, fillSigned[int32])
	case opSliceInt64:
		return numbers(e, n, q, i, fillInt64s)
	case opSliceUint16:
		return numbers(e, n, q, i, fillUint16s)
	case opSliceUint32:
		return numbers(e, n, q, i, fillUnsigned[uint32])
	case opSliceUint64:
		return numbers(e, n, q, i, fillUnsigned[uint64])
	case opSliceFloat32:
		return numbers(e, n, q, i, fillFloat32s)
	case opSliceFloat64:
		return numbers(e, n, q, i, fillFloat64s)
	case opSliceBool:
		return numbers(e, n, q, i, fillBools)
	case opSliceString:
		return e.strings(n, q, i)
	case opSliceAny:
		return e.anys(n, q, i)
	case opArray:
		return e.array(n, q, i)
	case opMap:
		return e.mapping(n, q, i)
	case opMapStringString:
		return mapOf[string](e, n, q, i)
	case opMapStringAny:
		return mapOf[any](e, n, q, i)
	case opMapStringInt:
		return mapOf[int](e, n, q, i)
	case opMapStringInt64:
		return mapOf[int64](e, n, q, i)
	case opMapStringFloat64:
		return mapOf[float64](e, n, q, i)
	case opMapStringBool:
		return mapOf[bool](e, n, q, i)
	case opAny:
		if *(*any)(q) != nil {
			return e.held(n, q, i)
		}
		v, j := e.any(i)
		if j >= 0 {
			*(*any)(q) = v
		}
		return j
	case opPlan:
		return e.handToPlan(n, q, i)
	}
	return e.scalar(n, q, i)
}

// null reads the nil at i into the value at q.
func (e *decoding) null(n *node, q unsafe.Pointer, i int) int {
	switch op := n.op; {
	case op == opPointer || op >= opMap:
		*(*unsafe.Pointer)(q) = nil
	case op >= opSlice || op == opBytes:
		*(*sliceHeader)(q) = sliceHeader{}
	case op == opAny:
		*(*any)(q) = nil
	case op == opString:
		*(*string)(q) = ""
	default:
		return e.handToPlan(n, q, i)
	}
	return i + 1
}

// pointer reads the value at i into the value that the pointer at q points to. If the pointer is nil, pointer first
// sets it to a new value.
func (e *decoding) pointer(n *node, q unsafe.Pointer, i int) int {
	if c := byteAt(e.base, i); families[c] == familyExt && (n.elem.op != opTime || c != format.Fixext4 && c != format.Fixext8) {
		return e.handToPlan(n, q, i) // the ext may be the value undefined, which makes the pointer nil
	}
	p := (*unsafe.Pointer)(q)
	if *p == nil {
		*p = reflect.New(n.elem.typ).UnsafePointer()
	}
	return e.value(n.elem, *p, i)
}

// Handing values over to plans

// handToPlan lets the plan of n read the value at i into the memory at q.
//
//go:noinline
func (e *decoding) handToPlan(n *node, q unsafe.Pointer, i int) int {
	d := e.planAt(i)
	e.giveBack(d)
	err := n.plan.decode(d, reflect.NewAt(n.typ, q).Elem())
	e.borrow(d)
	if err != nil {
		return e.failed(err)
	}
	return e.behind(d)
}

// lent holds the chunks of memory that the engine leaves with the plans' Decoder while a plan reads a value. If a
// method decodes values with that Decoder meanwhile, a new engine borrows the chunks. So each chunk has one owner at a
// time.
type lent struct {
	texts texts
	boxes boxes
}

// borrow takes the chunks from the Decoder, but only in the mode StringsArena.
func (e *decoding) borrow(d *Decoder) {
	if d.strings == StringsArena {
		e.texts, e.boxes = d.lent.texts, d.lent.boxes
		d.lent = lent{}
	}
	e.texts.mode = d.strings
}

// giveBack returns the chunks of the engine to the Decoder.
func (e *decoding) giveBack(d *Decoder) {
	d.lent = lent{e.texts, e.boxes}
	e.texts, e.boxes = texts{mode: e.texts.mode}, boxes{}
}

// planAt returns the plans' Decoder, set to offset i and to the counts of the engine.
func (e *decoding) planAt(i int) *Decoder {
	d := e.plans
	if d == nil {
		d = &Decoder{data: unsafe.Slice((*byte)(e.base), e.n), base: e.start, settings: *e.settings, values: 1}
		e.plans = d
	}
	d.offset, d.owed, d.depth, d.hops = i, int64(e.owed), e.depth, e.hops
	if e.limited {
		d.values = d.maxValues - e.allowed
	}
	d.promised = creditFor(e.n) - e.credit
	return d
}

// behind returns the offset that d has reached after it has read a value, and takes over its count of values.
func (e *decoding) behind(d *Decoder) int {
	if e.limited {
		e.allowed = d.maxValues - d.values
	}
	return d.offset
}

// failed stores the error and returns -1, which ends the decoding.
func (e *decoding) failed(err error) int {
	e.err = err
	return -1
}

// within adds a segment to the path of the error while the engine unwinds.
//
//go:noinline
func (e *decoding) within(segment string) int { return e.failed(within(e.err, segment)) }

//go:noinline
func (e *decoding) withinIndex(index int) int { return e.failed(withinIndex(e.err, index)) }

// withinEntry adds the path segment of the map entry with this index.
//
//go:noinline
func (e *decoding) withinEntry(place keyPlace, index int) int {
	return e.failed(e.planAt(place.offset).withinEntry(e.err, place, index))
}

// The heads of containers

// openArray opens the array at i: it returns the count and the offset of the first element, and increments the depth.
// If at is negative, it has done nothing, and the plan must read or refuse the value.
func (e *decoding) openArray(i int) (count, at int) {
	var declared uint32
	switch c := byteAt(e.base, i); {
	case c&0xf0 == format.Fixarray:
		declared, at = uint32(c&format.MaxFixcontainer), i+1
	case c == format.Array16 && e.n-i >= 3:
		declared, at = uint32(bigEndian16(e.base, i+1)), i+3
	case c == format.Array32 && e.n-i >= 5:
		declared, at = bigEndian32(e.base, i+1), i+5
	default:
		return 0, -1
	}
	if int64(declared) > int64(e.n-at-e.owed) || e.depth >= e.maxDepth {
		return 0, -1
	}
	if e.limited && !e.allowsArray(int64(declared)) {
		return 0, -1
	}
	e.depth++
	return int(declared), at
}

// openMap is openArray for a map. It returns the count of entries.
func (e *decoding) openMap(i int) (count, at int) {
	var declared uint32
	switch c := byteAt(e.base, i); {
	case c&0xf0 == format.Fixmap:
		declared, at = uint32(c&format.MaxFixcontainer), i+1
	case c == format.Map16 && e.n-i >= 3:
		declared, at = uint32(bigEndian16(e.base, i+1)), i+3
	case c == format.Map32 && e.n-i >= 5:
		declared, at = bigEndian32(e.base, i+1), i+5
	default:
		return 0, -1
	}
	if 2*int64(declared) > int64(e.n-at-e.owed) || e.depth >= e.maxDepth {
		return 0, -1
	}
	if e.limited && !e.allowsMap(int64(declared)) {
		return 0, -1
	}
	e.depth++
	return int(declared), at
}

// Unchecked reads. The caller has checked that these bytes are in the input.

func byteAt(base unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(base, i)) }

func bigEndian16(base unsafe.Pointer, i int) uint16 {
	return binary.BigEndian.Uint16((*[2]byte)(unsafe.Add(base, i))[:])
}

func bigEndian32(base unsafe.Pointer, i int) uint32 {
	return binary.BigEndian.Uint32((*[4]byte)(unsafe.Add(base, i))[:])
}

func bigEndian64(base unsafe.Pointer, i int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(base, i))[:])
}

func littleEndian64(base unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(base, i))[:])
}

// input returns the input, which the caller must not keep.
func (e *decoding) input() []byte { return unsafe.Slice((*byte)(e.base), e.n) }

// bytesAt returns the l bytes at i, which the caller must not keep except with StringsZeroCopy. It slices the input
// instead of using a pointer, because with l = 0 the pointer might be just past the input.
func (e *decoding) bytesAt(i, l int) []byte {
	return e.input()[i : i+l : i+l]
}
