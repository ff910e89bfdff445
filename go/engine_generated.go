//go:build !purego

package polypack

// Plan of the file: calling the methods that polypack-gen wrote, for a whole message or for a value inside one. Then
// the hooks of package wire, with which these methods call the library. settingsHooks implements the hooks as long as
// the library has no state or error to keep. Otherwise a generatedEncoder or a generatedDecoder implements them.

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/polypack/polypack/go/internal/wire"
)

// settingsHooks implements the hooks of generated methods with nothing but settings. It is a separate type because
// Encoder, Decoder and the streams embed settings, and would otherwise get the methods of the hooks as well.
type settingsHooks settings

// at returns the generated methods of the struct at p.
func (n *node) at(p unsafe.Pointer) wire.Generated {
	g := n.generated
	// The second word of the interface is the pointer to the struct.
	(*[2]unsafe.Pointer)(unsafe.Pointer(&g))[1] = p
	return g
}

// generatedTarget returns the node and address of the struct that v points to. It returns nil if v is a nil pointer, or
// isn't a pointer to a struct with generated methods.
func (n *node) generatedTarget(v any) (*node, unsafe.Pointer) {
	p := (*eface)(unsafe.Pointer(&v)).data
	if n.op == opPointer && n.elem.op.isGenerated() && p != nil {
		return n.elem, p
	}
	return nil, nil
}

// pointed returns the node and address of the value that the pointer target points to.
func (ts *types) pointed(target any) (*node, unsafe.Pointer) {
	e := (*eface)(unsafe.Pointer(&target))
	if n := ts.nodeFor(e.typ, reflect.TypeOf(target)).elem; n != nil {
		return n, e.data
	}
	return ts.tooFar(reflect.TypeOf(target).Elem()), e.data
}

// tooFar returns the node of t, if the library has no encoding for a pointer to t, because it is one pointer too many.
//
//go:noinline
func (ts *types) tooFar(t reflect.Type) *node { return ts.nodeFor(typePointer(t), t) }

// Encoding

// appendGenerated encodes the struct at p with its generated methods, and appends the encoding to dst. nd is the node
// of the struct's type, and the parameter of is the node of its pointer type.
func (s *settings) appendGenerated(dst []byte, of, nd *node, p unsafe.Pointer) ([]byte, error) {
	if dst != nil {
		buffer, n, _, hooks := nd.at(p).AppendWire(dst, s.maxDepth, 1, (*settingsHooks)(s))
		if err := s.endGenerated(n, hooks); err != nil {
			return dst, err
		}
		return buffer[:n], nil
	}
	hint := of.hint.expected()
	buffer, n, peak, hooks := nd.at(p).AppendWire(wire.NewBuffer(hint), s.maxDepth, 1, (*settingsHooks)(s))
	if err := s.endGenerated(n, hooks); err != nil {
		return nil, err
	}
	return finish(buffer, peak, &of.hint, n, hint), nil
}

// endGenerated gives memory back to its pools after generated methods have written up to position n. If n is negative,
// it returns the error.
func (s *settings) endGenerated(n int, hooks wire.WriterHooks) error {
	g, ok := hooks.(*generatedEncoder)
	if !ok {
		return nil
	}
	g.release()
	if n < 0 {
		return located(g.err)
	}
	return nil
}

// generated encodes the struct at p with its generated methods.
func (e *engineEncoder) generated(nd *node, n int, p unsafe.Pointer) int {
	var hooks wire.WriterHooks = (*settingsHooks)(e.settings)
	if e.outside != nil {
		hooks = e.outside
	}
	buffer, n, peak, hooks := nd.at(p).AppendWire(e.Bytes(n), e.maxDepth-e.depth, e.hops, hooks)
	e.Resume(buffer, peak)
	if g, ok := hooks.(*generatedEncoder); ok {
		e.outside = g
		if n < 0 {
			e.err = g.err
		}
	}
	return n
}

// A generatedEncoder implements the hooks of generated methods. It keeps the state that an engineEncoder has made, or
// an error.
type generatedEncoder struct {
	settings *settings
	encoder  *Encoder
	scratch  *mapScratch
	err      error
}

// release returns the scratch to its pool.
func (g *generatedEncoder) release() {
	if g.scratch != nil {
		g.scratch.release()
		g.scratch = nil
	}
}

// keep stores the state of e, which has finished, in g. If e has another scratch than g, keep first releases the
// scratch of g.
func (g *generatedEncoder) keep(e *engineEncoder) {
	g.encoder, g.err = e.encoder, e.err
	if e.scratch != nil && e.scratch != g.scratch {
		g.release()
		g.scratch = e.scratch
	}
}

// resume lets e, a zero engineEncoder, continue the message that w has begun.
func (e *engineEncoder) resume(s *settings, w *wire.Writer) {
	e.Adopt(wire.BufferOf(w))
	left, hops := wire.CountsOf(w)
	e.settings, e.maxDepth, e.depth, e.hops = s, s.maxDepth, s.maxDepth-left, hops
}

// Value implements wire.WriterHooks.
func (g *generatedEncoder) Value(w wire.Writer, n int, target any) (wire.Writer, int) {
	var e engineEncoder
	e.resume(g.settings, &w)
	e.encoder, e.scratch, e.outside = g.encoder, g.scratch, g
	nd, p := g.settings.types.pointed(target)
	n = e.value(nd, n, p)
	g.keep(&e)
	wire.BufferOf(&w).Adopt(&e.Buffer)
	return w, n
}

// Struct implements wire.WriterHooks.
func (g *generatedEncoder) Struct(w wire.Writer, n int, target any) (wire.Writer, int) {
	var e engineEncoder
	e.resume(g.settings, &w)
	e.encoder, e.scratch, e.outside = g.encoder, g.scratch, g
	nd, p := g.settings.types.pointed(target)
	if nd.op == opGeneratedRest {
		n = e.plan(nd, n, p)
	} else {
		n = e.structValue(nd, n, p)
	}
	g.keep(&e)
	wire.BufferOf(&w).Adopt(&e.Buffer)
	return w, n
}

// FieldValue implements wire.WriterHooks.
func (g *generatedEncoder) FieldValue(w wire.Writer, n int, target any, index int) (wire.Writer, int) {
	var e engineEncoder
	e.resume(g.settings, &w)
	e.encoder, e.scratch, e.outside = g.encoder, g.scratch, g
	nd, p := g.settings.types.pointed(target)
	f := &nd.program.fields[index]
	n = e.value(f.node, n, unsafe.Add(p, f.offset))
	g.keep(&e)
	wire.BufferOf(&w).Adopt(&e.Buffer)
	return w, n
}

// Unsorted implements wire.WriterHooks.
func (g *generatedEncoder) Unsorted() bool { return g.settings.unsorted }

// Refuse implements wire.WriterHooks. The plan makes the error.
func (g *generatedEncoder) Refuse(w wire.Writer, target any) wire.Writer {
	var e engineEncoder
	e.resume(g.settings, &w)
	nd, p := g.settings.types.pointed(target)
	e.plan(nd, 0, p)
	g.err = e.err
	return w
}

// Changed implements wire.WriterHooks.
func (g *generatedEncoder) Changed(w wire.Writer, target any) wire.Writer {
	g.err = fieldsChanged(reflect.TypeOf(target).Elem())
	return w
}

// Field implements wire.WriterHooks.
func (g *generatedEncoder) Field(name string) { g.err = within(g.err, name) }

// Index implements wire.WriterHooks.
func (g *generatedEncoder) Index(index int) { g.err = withinIndex(g.err, index) }

// Value implements wire.WriterHooks.
func (b *settingsHooks) Value(w wire.Writer, n int, target any) (wire.Writer, int) {
	s := (*settings)(b)
	var e engineEncoder
	e.resume(s, &w)
	nd, p := s.types.pointed(target)
	n = e.value(nd, n, p)
	if e.outside == nil && (e.encoder != nil || n < 0) {
		e.outside = &generatedEncoder{settings: s}
	}
	if e.outside != nil {
		e.outside.keep(&e)
		w.Hooks = e.outside
	} else if e.scratch != nil { // taking a scratch from the pool again costs less than allocating a generatedEncoder
		e.scratch.release()
	}
	wire.BufferOf(&w).Adopt(&e.Buffer)
	return w, n
}

// Struct implements wire.WriterHooks.
func (b *settingsHooks) Struct(w wire.Writer, n int, target any) (wire.Writer, int) {
	s := (*settings)(b)
	w.Hooks = &generatedEncoder{settings: s}
	return w.Hooks.Struct(w, n, target)
}

// FieldValue implements wire.WriterHooks.
func (b *settingsHooks) FieldValue(w wire.Writer, n int, target any, index int) (wire.Writer, int) {
	w.Hooks = &generatedEncoder{settings: (*settings)(b)}
	return w.Hooks.FieldValue(w, n, target, index)
}

// Unsorted implements wire.WriterHooks.
func (b *settingsHooks) Unsorted() bool { return b.unsorted }

// Refuse implements wire.WriterHooks.
func (b *settingsHooks) Refuse(w wire.Writer, target any) wire.Writer {
	s := (*settings)(b)
	g := &generatedEncoder{settings: s}
	w.Hooks = g
	return g.Refuse(w, target)
}

// Changed implements wire.WriterHooks.
func (b *settingsHooks) Changed(w wire.Writer, target any) wire.Writer {
	w.Hooks = &generatedEncoder{settings: (*settings)(b)}
	return w.Hooks.Changed(w, target)
}

// Field is there only for the interfaces of the hooks. It is never called, because after a failure the hooks are a
// generatedEncoder or generatedDecoder.
func (b *settingsHooks) Field(string) {}

// Index is there only for the interfaces of the hooks. Like Field, it is never called.
func (b *settingsHooks) Index(int) {}

// Decoding

// unmarshalGenerated reads the one value in data into the struct at q, with the struct's generated methods. data starts
// at offset base of a stream.
func (s *settings) unmarshalGenerated(data []byte, base int64, n *node, q unsafe.Pointer) error {
	var hooks wire.ReaderHooks = (*settingsHooks)(s)
	if base != 0 { // settingsHooks can't hold the message's offset in the stream
		hooks = newGeneratedDecoder(s, data, base)
	}
	limits := s.readerLimits()
	limits.Credit = creditFor(len(data))
	end, hooks := n.at(q).ReadWire(data, wire.Under(limits), hooks)
	if end == len(data) && hooks == wire.ReaderHooks((*settingsHooks)(s)) {
		return nil
	}
	return s.endReading(data, end, base, hooks)
}

// endReading gives memory back to its pools after generated methods have read up to the position end. If end is
// negative or more bytes follow, it returns the error.
//
//go:noinline
func (s *settings) endReading(data []byte, end int, base int64, hooks wire.ReaderHooks) (err error) {
	if g, ok := hooks.(*generatedDecoder); ok {
		if end < 0 {
			err = located(g.engine.err)
		}
		g.release()
	}
	if end >= 0 && end < len(data) {
		d := Decoder{data: data, base: base, offset: end, settings: *s}
		err = d.noMore()
	}
	return err
}

// readerLimits returns the limits for a message. Credit is left at 0, because it depends on the message's length.
func (s *settings) readerLimits() wire.Limits {
	return wire.Limits{Left: s.maxDepth, ZeroCopy: s.strings == StringsZeroCopy, Separate: s.strings == StringsSeparate}
}

// generated reads the value at i into the struct at q with the struct's generated methods.
func (e *decoding) generated(n *node, q unsafe.Pointer, i int) int {
	g := e.outside
	if g == nil {
		g = newGeneratedDecoder(e.settings, unsafe.Slice((*byte)(e.base), e.n), e.start)
		e.outside = g
	}
	if g.reader.Hooks == nil {
		wire.Begin(&g.reader, unsafe.Slice((*byte)(e.base), e.n), e.settings.readerLimits(), g)
	}
	// Generated code may call the engine, which may call generated code again with the same Reader. Each call leaves
	// the Reader as it was, except for the state that give and take pass on.
	r := &g.reader
	e.give(r)
	i = n.at(q).DecodeWire(r, i)
	e.take(r)
	if i < 0 && e != &g.engine {
		e.err = g.engine.err
	}
	return i
}

// give copies the counts and the string chunk of the engine to r, so that generated code can continue.
func (e *decoding) give(r *wire.Reader) {
	state := wire.StateOf(r)
	r.Owed, state.Left, state.Credit = e.owed, e.maxDepth-e.depth, e.credit
	t := &state.Texts
	t.Chunk, t.Used, t.Size = e.texts.chunk, e.texts.used, e.texts.size
	t.Expected, t.Spent = -e.texts.size, int(e.texts.spent)
}

// take copies the counts and the string chunk of r to the engine, so that the engine can continue.
func (e *decoding) take(r *wire.Reader) {
	state := wire.StateOf(r)
	e.owed, e.depth, e.credit = r.Owed, e.maxDepth-state.Left, state.Credit
	t := &state.Texts
	if e.texts.chunk != t.Chunk {
		e.boxes.strings = nil // a new chunk of text also needs a new chunk of string headers, see boxes
	}
	e.texts.chunk, e.texts.used, e.texts.size = t.Chunk, t.Used, t.Size
	e.texts.spent = uint32(t.Spent)
}

// A generatedDecoder implements the hooks of generated methods with an engine for the same message.
type generatedDecoder struct {
	engine decoding
	reader wire.Reader // for generated methods that the engine calls
}

var generatedDecoders = sync.Pool{New: func() any { return new(generatedDecoder) }}

func newGeneratedDecoder(s *settings, data []byte, start int64) *generatedDecoder {
	g := generatedDecoders.Get().(*generatedDecoder)
	e := &g.engine
	e.base, e.n, e.maxDepth = unsafe.Pointer(unsafe.SliceData(data)), len(data), s.maxDepth
	e.settings, e.start, e.texts.mode, e.outside = s, start, s.strings, g
	return g
}

// release clears g, so that it keeps neither the value nor the message alive, and returns it to the pool.
func (g *generatedDecoder) release() {
	g.engine.known.release()
	g.engine = decoding{}
	g.reader = wire.Reader{}
	generatedDecoders.Put(g)
}

// ReadValue implements wire.ReaderHooks.
func (g *generatedDecoder) ReadValue(r wire.Reader, i int, target any) (wire.Reader, int) {
	e := &g.engine
	e.take(&r)
	n, q := e.settings.types.pointed(target)
	i = e.value(n, q, i)
	e.give(&r)
	return r, i
}

// ReadField implements wire.ReaderHooks.
func (g *generatedDecoder) ReadField(r wire.Reader, i int, target any, index int) (wire.Reader, int) {
	e := &g.engine
	e.take(&r)
	n, q := e.settings.types.pointed(target)
	f := &n.program.fields[index]
	i = e.value(f.node, unsafe.Add(q, f.offset), i)
	e.give(&r)
	return r, i
}

// ReadPlan implements wire.ReaderHooks.
func (g *generatedDecoder) ReadPlan(r wire.Reader, i int, target any) (wire.Reader, int) {
	e := &g.engine
	e.take(&r)
	n, q := e.settings.types.pointed(target)
	i = e.handToPlan(n, q, i)
	e.give(&r)
	return r, i
}

// ReadKey implements wire.ReaderHooks.
func (g *generatedDecoder) ReadKey(r wire.Reader, i int, target any) (wire.Reader, string, int) {
	e := &g.engine
	e.take(&r)
	n, _ := e.settings.types.pointed(target)
	key := reflect.New(n.key.typ).Elem()
	i = e.keyByPlan(n, key, i)
	e.give(&r)
	return r, key.String(), i
}

// ReadEntry implements wire.ReaderHooks. It doesn't call give, because stepping over an entry changes nothing that
// generated code needs back.
func (g *generatedDecoder) ReadEntry(r wire.Reader, i, index int) (wire.Reader, int) {
	e := &g.engine
	e.take(&r)
	return r, e.unknownEntry(i, index)
}

// ReadRest implements wire.ReaderHooks.
func (g *generatedDecoder) ReadRest(r wire.Reader, i, index int, target any) (wire.Reader, int) {
	e := &g.engine
	e.take(&r)
	n, q := e.settings.types.pointed(target)
	d := e.planAt(i)
	e.giveBack(d)
	_, err := n.program.plan.decodeEntry(d, reflect.NewAt(n.typ, q).Elem(), index, 0, new(objectKeys))
	e.borrow(d)
	if err != nil {
		return r, e.failed(err)
	}
	i = e.behind(d)
	e.give(&r)
	return r, i
}

// unknownEntry steps over the map entry at i, which has no field. With the option RejectUnknown it refuses the entry.
// index is the entry's index. The caller has counted the entry's key and value in e.owed.
func (e *decoding) unknownEntry(i, index int) int {
	key, owed := i, e.owed
	e.owed = owed - 1
	if l, at := e.textHead(i); at >= 0 {
		i = at + l
	} else if i = e.skipKey(i); i < 0 {
		return i
	}
	if e.settings.rejectUnknown {
		return e.failUnknown(key)
	}
	e.owed = owed - 2
	if i = e.skip(i); i < 0 {
		return e.withinEntry(keyPlace{offset: key}, index)
	}
	return i
}

// Field implements wire.ReaderHooks.
func (g *generatedDecoder) Field(name string) { g.engine.within(name) }

// Index implements wire.ReaderHooks.
func (g *generatedDecoder) Index(index int) { g.engine.withinIndex(index) }

// readBy returns a generatedDecoder for the message of r, and makes it the hooks of r.
func (s *settings) readBy(r *wire.Reader) *generatedDecoder {
	g := newGeneratedDecoder(s, r.Data(), 0)
	r.Hooks = g
	return g
}

// ReadValue implements wire.ReaderHooks.
func (b *settingsHooks) ReadValue(r wire.Reader, i int, target any) (wire.Reader, int) {
	s := (*settings)(b)
	return s.readBy(&r).ReadValue(r, i, target)
}

// ReadPlan implements wire.ReaderHooks.
func (b *settingsHooks) ReadPlan(r wire.Reader, i int, target any) (wire.Reader, int) {
	s := (*settings)(b)
	return s.readBy(&r).ReadPlan(r, i, target)
}

// ReadKey implements wire.ReaderHooks.
func (b *settingsHooks) ReadKey(r wire.Reader, i int, target any) (wire.Reader, string, int) {
	s := (*settings)(b)
	return s.readBy(&r).ReadKey(r, i, target)
}

// ReadField implements wire.ReaderHooks.
func (b *settingsHooks) ReadField(r wire.Reader, i int, target any, index int) (wire.Reader, int) {
	s := (*settings)(b)
	return s.readBy(&r).ReadField(r, i, target, index)
}

// ReadRest implements wire.ReaderHooks.
func (b *settingsHooks) ReadRest(r wire.Reader, i, index int, target any) (wire.Reader, int) {
	s := (*settings)(b)
	return s.readBy(&r).ReadRest(r, i, index, target)
}

// ReadEntry implements wire.ReaderHooks.
func (b *settingsHooks) ReadEntry(r wire.Reader, i, index int) (wire.Reader, int) {
	s := (*settings)(b)
	return s.readBy(&r).ReadEntry(r, i, index)
}
