//go:build !purego

package polypack

// Plan of the file: how the methods that polypack-gen wrote are called: as the value of a whole message, or as a part of one that
// the engine is at; and what they call when they want the library: the hooks of package wire. They take a pointer through an
// interface, so what they point to is on the heap: it is pooled.
//
// A pooled coder has an engine of its own for the hooks. Which of the two is at work, it or its Writer or Reader, has the
// buffer, the position and the counts; hand and back pass them on.

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/polypack/polypack/go/wire"
)

// at returns the generated methods of the struct at p.
func (n *node) at(p unsafe.Pointer) wire.Generated {
	g := n.generated
	// The interface holds a pointer in its second word.
	(*[2]unsafe.Pointer)(unsafe.Pointer(&g))[1] = p
	return g
}

// generatedTarget returns the struct with generated methods that v is or points to.
func (n *node) generatedTarget(v any) (*node, unsafe.Pointer) {
	p := (*eface)(unsafe.Pointer(&v)).data
	if n.op == opPointer && n.elem.op == opGenerated && p != nil {
		return n.elem, p
	}
	return nil, nil
}

// pointed returns the node of what target, a pointer, points to.
func (ts *types) pointed(target any) (*node, unsafe.Pointer) {
	e := (*eface)(unsafe.Pointer(&target))
	return ts.nodeFor(e.typ, reflect.TypeOf(target)).elem, e.data
}

// Encoding

// A generatedEncoder is what generated methods write with.
type generatedEncoder struct {
	writer   wire.Writer
	engine   engineEncoder
	settings settings
}

var generatedEncoders = sync.Pool{New: func() any {
	g := new(generatedEncoder)
	g.writer.Hooks = g
	g.engine.outside = g
	return g
}}

func newGeneratedEncoder(s *settings) *generatedEncoder {
	g := generatedEncoders.Get().(*generatedEncoder)
	g.settings = *s
	g.writer.MaxDepth = s.maxDepth
	g.writer.Depth, g.writer.Hops = 0, 0
	return g
}

// release gives g back, without anything of the value or the message.
func (g *generatedEncoder) release() {
	if g.engine.settings != nil {
		if g.engine.scratch != nil {
			g.engine.scratch.release()
		}
		g.engine = engineEncoder{outside: g}
	}
	g.writer.Reset(nil)
	generatedEncoders.Put(g)
}

// appendGenerated is settings.append for a struct with generated methods, of which nd is the node; of is that of the pointer to it.
func (s *settings) appendGenerated(dst []byte, of, nd *node, p unsafe.Pointer) ([]byte, error) {
	g := newGeneratedEncoder(s)
	hint := 0
	n := g.writer.Reset(dst)
	if dst == nil {
		hint = of.hint.expected()
		g.writer.Reset(wire.Buffer(hint))
	}
	g.writer.Follow()
	n = nd.at(p).EncodeWire(&g.writer, n)
	var err error
	if n < 0 {
		err = located(g.engine.err)
	} else if dst == nil {
		dst = finish(&g.writer, of, n, hint)
	} else {
		dst = g.writer.Bytes(n)
	}
	g.release()
	return dst, err
}

// generated encodes the struct at p by its generated methods.
func (e *engineEncoder) generated(nd *node, n int, p unsafe.Pointer) int {
	g := e.enter()
	n = nd.at(p).EncodeWire(&g.writer, n)
	e.resume(g)
	return n
}

// enter hands everything to the Writer of the generated methods.
func (e *engineEncoder) enter() *generatedEncoder {
	g := e.outside
	if g == nil {
		g = newGeneratedEncoder(e.settings)
		g.writer.MaxDepth = e.maxDepth
		e.outside = g
	}
	w := &g.writer
	w.Take(&e.Writer)
	w.Depth, w.Hops = e.depth, e.hops
	return g
}

// resume takes everything back.
func (e *engineEncoder) resume(g *generatedEncoder) {
	e.Take(&g.writer)
	e.depth, e.hops = g.writer.Depth, g.writer.Hops
	if e != &g.engine {
		e.err = g.engine.err
	}
}

// own makes the engine of the hooks ready.
func (g *generatedEncoder) own() *engineEncoder {
	e, w := &g.engine, &g.writer
	if e.settings == nil {
		e.settings, e.maxDepth = &g.settings, g.settings.maxDepth
	}
	e.Take(w)
	e.depth, e.hops = w.Depth, w.Hops
	return e
}

// Value is a hook.
func (g *generatedEncoder) Value(n int, target any) int {
	e := g.own()
	nd, p := e.settings.types.pointed(target)
	n = e.value(nd, n, p)
	g.writer.Take(&e.Writer)
	return n
}

// Refuse is a hook: the plan words the error.
func (g *generatedEncoder) Refuse(target any) {
	e := g.own()
	nd, p := e.settings.types.pointed(target)
	e.plan(nd, 0, p)
}

// Field is a hook.
func (g *generatedEncoder) Field(name string) { g.engine.within(name) }

// Index is a hook.
func (g *generatedEncoder) Index(index int) { g.engine.withinIndex(index) }

// Decoding

// A generatedDecoder is what generated methods read with.
type generatedDecoder struct {
	reader   wire.Reader
	engine   decoding
	settings settings
	start    int64 // offset of the input in its stream
}

var generatedDecoders = sync.Pool{New: func() any {
	g := new(generatedDecoder)
	g.reader.Hooks = g
	g.engine.outside = g
	return g
}}

func newGeneratedDecoder(s *settings, start int64) *generatedDecoder {
	g := generatedDecoders.Get().(*generatedDecoder)
	g.settings, g.start = *s, start
	g.reader.MaxDepth = s.maxDepth
	g.reader.Texts.ZeroCopy = s.strings == StringsZeroCopy
	g.reader.Texts.Separate = s.strings == StringsSeparate
	return g
}

// release gives g back, without anything of the value or the message.
func (g *generatedDecoder) release() {
	if g.engine.settings != nil {
		g.engine.known.release()
		g.engine = decoding{outside: g}
	}
	g.reader.Reset(nil)
	g.reader.Owed, g.reader.Depth = 0, 0
	g.reader.Texts.Chunk, g.reader.Texts.Used, g.reader.Texts.Size = nil, 0, 0
	generatedDecoders.Put(g)
}

// unmarshalGenerated is settings.unmarshalNode for a struct with generated methods.
func (s *settings) unmarshalGenerated(data []byte, base int64, n *node, q unsafe.Pointer) error {
	g := newGeneratedDecoder(s, base)
	g.reader.Reset(data)
	g.reader.Credit = creditFor(len(data))
	i := n.at(q).DecodeWire(&g.reader, 0)
	var err error
	if i < 0 {
		err = located(g.engine.err)
	} else if i < len(data) {
		err = g.own().planAt(i).noMore()
	}
	g.release()
	return err
}

// generated reads the struct at q by its generated methods.
func (e *decoding) generated(n *node, q unsafe.Pointer, i int) int {
	g := e.outside
	if g == nil {
		g = newGeneratedDecoder(e.settings, e.start)
		g.reader.Reset(unsafe.Slice((*byte)(e.base), e.n))
		e.outside = g
	}
	g.hand(e)
	i = n.at(q).DecodeWire(&g.reader, i)
	g.back(e)
	if i < 0 && e != &g.engine {
		e.err = g.engine.err
	}
	return i
}

// hand gives the Reader what the engine has.
func (g *generatedDecoder) hand(e *decoding) {
	r := &g.reader
	r.Owed, r.Depth, r.MaxDepth, r.Credit = e.owed, e.depth, e.maxDepth, e.credit
	r.Texts.Chunk, r.Texts.Used, r.Texts.Size = e.texts.chunk, e.texts.used, e.texts.size
}

// back gives the engine what the Reader has.
func (g *generatedDecoder) back(e *decoding) {
	r := &g.reader
	e.owed, e.depth, e.credit = r.Owed, r.Depth, r.Credit
	if e.texts.chunk != r.Texts.Chunk {
		e.boxes.strings = nil // see boxes
	}
	e.texts.chunk, e.texts.used, e.texts.size = r.Texts.Chunk, r.Texts.Used, r.Texts.Size
}

// own makes the engine of the hooks ready.
func (g *generatedDecoder) own() *decoding {
	e := &g.engine
	if e.settings == nil {
		data := g.reader.Data()
		e.base, e.n, e.maxDepth = unsafe.Pointer(unsafe.SliceData(data)), len(data), g.reader.MaxDepth
		e.settings, e.start = &g.settings, g.start
		e.texts.mode = g.settings.strings
	}
	g.back(e)
	return e
}

// Value is a hook.
func (g *generatedDecoder) Value(i int, target any) int {
	e := g.own()
	n, q := e.settings.types.pointed(target)
	i = e.value(n, q, i)
	g.hand(e)
	return i
}

// Plan is a hook.
func (g *generatedDecoder) Plan(i int, target any) int {
	e := g.own()
	n, q := e.settings.types.pointed(target)
	i = e.hand(n, q, i)
	g.hand(e)
	return i
}

// Entry is a hook: it does what the engine does with an entry without a field.
func (g *generatedDecoder) Entry(i, index int) int {
	e := g.own()
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
		return e.withinEntry(key, index)
	}
	return i
}

// Field is a hook.
func (g *generatedDecoder) Field(name string) { g.engine.within(name) }

// Index is a hook.
func (g *generatedDecoder) Index(index int) { g.engine.withinIndex(index) }
