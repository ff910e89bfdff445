//go:build !purego

package polypack

// Plan of the file: the methods AppendPolypack and UnmarshalPolypack that polypack-gen writes: calls of generated methods with the
// default options, and nothing in between. Whatever may go another way is left to Append and Unmarshal.

import (
	"reflect"
	"sync/atomic"

	"github.com/polypack/polypack/go/wire"
)

// A Direct is what generated code keeps of a struct type: whether the library has found its methods to fit, and how long its messages
// are. It is not for use by hand. The zero value is one of a type that has not been looked at.
type Direct struct {
	known atomic.Pointer[node] // of the pointer to the struct; nil as long as the methods must not be used
}

// learn lets the methods be used from now on, if they fit the type that v points to.
func (d *Direct) learn(v any) {
	typ := reflect.TypeOf(v)
	if n := defaults.types.nodeFor(typePointer(typ), typ); defaults.generated && n.op == opPointer && n.elem.op == opGenerated {
		d.known.Store(n)
	}
}

// Append is the function Append, for generated code.
//
//go:noinline
func (d *Direct) Append(dst []byte, v any) ([]byte, error) {
	d.learn(v)
	return defaults.append(dst, v)
}

// Unmarshal is the function Unmarshal, for generated code.
//
//go:noinline
func (d *Direct) Unmarshal(data []byte, v any) error {
	d.learn(v)
	return defaults.unmarshal(data, 0, v)
}

// Begin makes w ready to append a value of the type to dst and returns the position behind dst, or a negative one if the generated
// methods are not to be used.
func (d *Direct) Begin(w *wire.Writer, dst []byte) int {
	n := d.known.Load()
	if n == nil {
		return -1
	}
	if dst == nil {
		dst = wire.Buffer(n.hint.expected())
	}
	return w.Begin(dst, DefaultMaxDepth, 1, &defaults)
}

// End returns what w has written behind dst, up to position n; or, if n is negative, dst and the error.
func (d *Direct) End(w *wire.Writer, dst []byte, n int) ([]byte, error) {
	buffer, _, peak, hooks := w.End(n)
	if hooks != wire.WriterHooks(&defaults) {
		if err := defaults.endGenerated(n, hooks); err != nil {
			return dst, err
		}
	}
	if dst == nil {
		return finish(buffer, peak, d.known.Load(), n, cap(buffer)), nil
	}
	return buffer[:n], nil
}

// BeginRead makes r, which is new, ready to read data, unless the generated methods are not to be used.
func (d *Direct) BeginRead(r *wire.Reader, data []byte) bool {
	if d.known.Load() == nil {
		return false
	}
	r.Begin(data, wire.ReaderLimits{Left: DefaultMaxDepth, Credit: creditFor(len(data))}, &defaults)
	return true
}

// EndRead returns the error of a reading that ended at the position end, which is negative after a fault.
func (d *Direct) EndRead(r *wire.Reader, end int) error {
	if end == len(r.Data()) && r.Hooks == wire.ReaderHooks(&defaults) {
		return nil
	}
	return defaults.endReading(r.Data(), end, 0, r.Hooks)
}
