package polypack

// Plan of the file: types that have methods of another library. An adapter, which is a separate module under go/x,
// describes the methods as a Foreign, and ForeignMethods turns the Foreign into an option.

import (
	"errors"
	"reflect"
)

// A Foreign describes the methods with which types write and read themselves in another library. Types that implement
// the interface W write themselves, and types that implement R read themselves. See ForeignMethods.
type Foreign[W, R any] struct {
	// Write appends the encoding of v, exactly one value, to dst and returns the extended slice.
	Write func(dst []byte, v W) ([]byte, error)
	// Read decodes data, exactly one value without records, into v. It must copy any data that it keeps.
	Read func(data []byte, v R) error
	// Writer and Reader look up the method of W or R by its name, for example with t.MethodByName("EncodeMsgpack"). The
	// reflect.Method shows whether a struct has the method itself or from an embedded field. The method of an embedded
	// field counts only if there are no other fields. The name must be a constant. Otherwise the linker keeps every
	// exported method of the program.
	Writer, Reader func(t reflect.Type) (reflect.Method, bool)
}

// ForeignMethods lets types with methods of another library write and read themselves with these methods. They take
// precedence over other methods of the type, but not over extensions. They aren't used for keys of maps. Read isn't
// called for nil and undefined, which set the value to Go's zero value. The output of Write is checked like the output
// of an Appender.
//
// Make the option once and use it for many calls, because it caches the plans of Go types.
func ForeignMethods[W, R any](f Foreign[W, R]) Option {
	w, r := reflect.TypeFor[W](), reflect.TypeFor[R]()
	if w.Kind() != reflect.Interface || w.NumMethod() == 0 || r.Kind() != reflect.Interface || r.NumMethod() == 0 ||
		f.Write == nil || f.Read == nil || f.Writer == nil || f.Reader == nil {
		return extensionsOption{misuse: &UsageError{"ForeignMethods", "W and R must be interfaces with methods, and no function nil"}}
	}
	x := &foreign{
		writes: w, reads: r, writer: f.Writer, reader: f.Reader,
		write: func(dst []byte, v any) ([]byte, error) { return f.Write(dst, v.(W)) },
		read:  func(data []byte, v any) error { return f.Read(data, v.(R)) },
	}
	return extensionsOption{types: &types{registered: &registered{foreign: []*foreign{x}}}}
}

// foreign is a Foreign without type parameters.
type foreign struct {
	writes, reads  reflect.Type
	writer, reader func(t reflect.Type) (reflect.Method, bool)
	write          func(dst []byte, v any) ([]byte, error)
	read           func(data []byte, v any) error
}

// foreignFor returns the first registered foreign whose writing method t has, and the first whose reading method t has.
// A result is nil if t has no such method.
func (ts *types) foreignFor(t reflect.Type) (writes, reads *foreign) {
	if ts.registered == nil {
		return nil, nil
	}
	for _, x := range ts.registered.foreign {
		if writes == nil && hasBy(t, x.writes, x.writer) {
			writes = x
		}
		if reads == nil && hasBy(t, x.reads, x.reader) {
			reads = x
		}
	}
	return writes, reads
}

// hasMethods does what the function hasMethods does, but methods of other libraries also count.
func (ts *types) hasMethods(t reflect.Type) bool {
	writes, reads := ts.foreignFor(t)
	return writes != nil || reads != nil || hasMethods(t)
}

func (x *foreign) encoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, x.writes)
	return func(e *Encoder, v reflect.Value) error {
		out, err := x.write(nil, r.of(v))
		if err != nil {
			return methodFailed(t, "of another library", err)
		}
		return e.foreign(out, t, "a method of another library wrote")
	}
}

func (x *foreign) decoder(t reflect.Type) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		if d.skipNil() {
			v.SetZero()
			return nil
		}
		start := d.offset
		data, _, err := d.raw()
		if err != nil {
			return err
		}
		if err := x.read(data[:len(data):len(data)], v.Addr().Interface()); err != nil {
			return d.methodFailedIn(data, start, t, "of another library", err)
		}
		return nil
	}
}

// ErrNotWhole is what a Read function of a Foreign returns if a method has left a part of its value unread.
var ErrNotWhole = errors.New("polypack: the method has not read its whole value")
