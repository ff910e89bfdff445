//go:build !purego

package polypack

// Plan of the file: the type Direct, for the methods AppendPolypack and UnmarshalPolypack that polypack-gen writes.
// These methods run generated code directly, with the default options, and leave uncommon cases to Direct.Append and
// Direct.Unmarshal. The methods of Direct that they usually call are small enough to be inlined, except Buffer.

import (
	"reflect"
	"sync/atomic"

	"github.com/polypack/polypack/go/internal/wire"
)

// A Direct is the state of a struct type for generated code: whether its methods fit the type, and how long its
// messages are. It is not for use by hand. The zero value stands for a type that has not been checked yet.
type Direct struct {
	fits     atomic.Bool
	capacity atomic.Int64 // bytes that the next message probably takes
	hint     sizeHint

	texts    atomic.Int64 // bytes that the strings of the next message probably take; 0 if not known
	textHint sizeHint
}

// Fits reports whether the generated methods may be used.
func (d *Direct) Fits() bool { return d.fits.Load() }

// adopt allows the generated methods from now on, if they fit the type that v points to.
func (d *Direct) adopt(v any) {
	typ := reflect.TypeOf(v)
	if n := defaults.types.nodeFor(typePointer(typ), typ); defaults.generated && n.op == opPointer && n.elem.op.isGenerated() {
		d.fits.Store(true)
	}
}

// Append does what the function Append does. It also checks whether generated methods may be used from now on.
//
//go:noinline
func (d *Direct) Append(dst []byte, v any) ([]byte, error) {
	d.adopt(v)
	return defaults.append(dst, v)
}

// Unmarshal does what the function Unmarshal does. It also checks whether generated methods may be used from now on.
//
//go:noinline
func (d *Direct) Unmarshal(data []byte, v any) error {
	d.adopt(v)
	return defaults.unmarshal(data, 0, v)
}

// Begin makes w ready to append a value of the type to dst, and returns the position after dst.
func (d *Direct) Begin(w *wire.Writer, dst []byte) int {
	return w.Begin(dst, DefaultMaxDepth, 1, (*settingsHooks)(&defaults))
}

// Hooked reports whether End must be called after writing, because of an error or because memory must go back to a
// pool.
func (d *Direct) Hooked(w *wire.Writer) bool {
	return w.Hooks != wire.WriterHooks((*settingsHooks)(&defaults))
}

// End returns dst with the bytes that w has written, up to position n. If n is negative, it returns dst and the error.
//
//go:noinline
func (d *Direct) End(w *wire.Writer, dst []byte, n int) ([]byte, error) {
	if err := defaults.endGenerated(n, w.Hooks); err != nil {
		return dst, err
	}
	return w.Bytes(n), nil
}

// Buffer returns memory for a message of the expected length.
func (d *Direct) Buffer() []byte { return wire.NewBuffer(int(d.capacity.Load())) }

// Odd reports whether Finish must be called for a message that began in memory from Buffer and ends at position n.
func (d *Direct) Odd(w *wire.Writer, n int) bool {
	return w.Hooks != wire.WriterHooks((*settingsHooks)(&defaults)) || wire.BufferOf(w).Peak() != 0 || wire.Wasteful(n+wire.BufferOf(w).Spare(n), n)
}

// Finish is End for a message that began in memory from Buffer.
//
//go:noinline
func (d *Direct) Finish(w *wire.Writer, n int) ([]byte, error) {
	if err := defaults.endGenerated(n, w.Hooks); err != nil {
		return nil, err
	}
	b := finish(w.Bytes(n), wire.BufferOf(w).Peak(), &d.hint, n, int(d.capacity.Load()))
	d.capacity.Store(int64(d.hint.expected()))
	return b, nil
}

// Fit returns a copy of a new message without spare capacity. It is for messages that waste memory (wire.Wasteful).
//
//go:noinline
func (d *Direct) Fit(b []byte) []byte { return append(make([]byte, 0, len(b)), b...) }

// BeginRead makes r ready to read data. r must be new.
func (d *Direct) BeginRead(r *wire.Reader, data []byte) {
	limits := wire.Limits{Left: DefaultMaxDepth, Credit: creditFor(len(data)), Expected: int(d.texts.Load())}
	wire.Begin(r, data, limits, (*settingsHooks)(&defaults))
}

// OddRead reports whether EndRead must be called after reading up to the position end, which is negative after a fault.
func (d *Direct) OddRead(r *wire.Reader, end int) bool {
	return end != len(r.Data()) || r.Hooks != wire.ReaderHooks((*settingsHooks)(&defaults)) || wire.StateOf(r).Texts.Odd()
}

// EndRead finishes reading a message and returns the error, if any. end is the position after the value, or negative
// after a fault.
//
//go:noinline
func (d *Direct) EndRead(r *wire.Reader, end int) error {
	if texts := &wire.StateOf(r).Texts; end >= 0 && texts.Odd() && (texts.Spent == 0 || d.texts.Load() < arenaChunk) {
		d.textHint.note(texts.Needed())
		d.texts.Store(int64(d.textHint.expected()))
	}
	return defaults.endReading(r.Data(), end, 0, r.Hooks)
}
