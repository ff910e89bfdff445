package polypack

// Plan of the file: the type Extension and the option Extensions. Then the struct registered, which holds the
// extensions of one plan cache (*types, see plan.go). Last, the plans of registered Go types, and reading an ext into
// an any.
//
// Extensions change what Go types mean, so each Extensions option has its own plan cache, which lives as long as the
// option. So a program should make the option only once. If two of these options are used together, they need a third
// cache. The first option keeps up to maxCombinations such caches.

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/polypack/polypack/go/internal/format"
)

// An Extension writes Go values as exts of one extension type, and reads them back. It does nothing until the option
// Extensions registers it.
type Extension struct {
	*extension
}

type extension struct {
	typ    int8
	of     reflect.Type // the type T of NewExtension
	target reflect.Type // T or, if T is a pointer type, the type that it points to
	// append appends the data of v. The type of v is target or, if T is an interface, a type that implements T or whose
	// pointer does. If byAddress is true, append passes the address of v to encode.
	append func(dst []byte, v reflect.Value, byAddress bool) ([]byte, error)
	// read decodes data into a new T.
	read func(data []byte) (any, error)
	// set decodes data into v, which is of the type T, without converting the result to an any.
	set    func(data []byte, v reflect.Value) error
	misuse string
}

// NewExtension returns an Extension that writes values of the type T as exts of the extension type typ. Any typ from
// −128 to 127 is valid except −1, which means timestamps. Types 0 to 127 are for applications.
//
// encode appends the data of v to dst and returns the extended slice. decode makes a value from data; it must copy any
// data that it keeps. Both may be called by several goroutines at once. Their errors become the Err of a
// CodeUnsupportedValue. But if an error of encode is or wraps an *Error of this package, the code of that *Error stays.
//
// With type 0x72, encode must not append exactly one or two bytes, which would declare a record. With type 0, it must
// not append the single byte 00, which would mean undefined. MaxDepth doesn't limit calls of decode. If decode
// unmarshals its data, see the package's security considerations.
//
// T is a defined type, complex64 or complex128, a pointer to one of these, or an interface with methods. It can't be
// time.Time or one of the types Timestamp, Ext, Object and RawMessage. An ext of the type typ decodes into a T, into a
// pointer to T, and into an any, which then holds a T. If T is a pointer, the extension is also for the type it points
// to. A nil pointer is encoded as nil, without a call of encode. If T is an interface, the extension is for all types
// that implement it or whose pointers do, except time.Time, Timestamp, Ext, Object, RawMessage, and types that have an
// extension of their own. The extension takes precedence over methods of the type, except in map keys, for which
// extensions aren't used. An Object keeps an ext that is a key as an Ext. But values inside a key, such as the elements
// of an array, are written and read with extensions.
func NewExtension[T any](typ int8, encode func(dst []byte, v T) ([]byte, error), decode func(data []byte) (T, error)) Extension {
	of := reflect.TypeFor[T]()
	x := newExtension(typ, of, encode == nil || decode == nil)
	x.append = func(dst []byte, v reflect.Value, byAddress bool) ([]byte, error) {
		if byAddress {
			return encode(dst, addressOf(v).Interface().(T))
		}
		if of.Kind() != reflect.Interface && v.CanAddr() {
			return encode(dst, *v.Addr().Interface().(*T))
		}
		return encode(dst, v.Interface().(T))
	}
	x.read = func(data []byte) (any, error) {
		value, err := decode(data)
		return value, err
	}
	x.set = func(data []byte, v reflect.Value) error {
		value, err := decode(data)
		if err == nil {
			*v.Addr().Interface().(*T) = value
		}
		return err
	}
	return Extension{x}
}

// NewExtensionOf is NewExtension for a type that is known only at run time. The parameter named of takes the place of
// T. encode gets a value of this type or, if it is an interface, of a type that implements it. decode sets v, which is
// settable and has this type.
func NewExtensionOf(typ int8, of reflect.Type, encode func(dst []byte, v reflect.Value) ([]byte, error), decode func(data []byte, v reflect.Value) error) Extension {
	if of == nil {
		return Extension{&extension{misuse: "the type is nil; pass that of a value or reflect.TypeFor"}}
	}
	x := newExtension(typ, of, encode == nil || decode == nil)
	x.append = func(dst []byte, v reflect.Value, byAddress bool) ([]byte, error) {
		if byAddress {
			v = addressOf(v)
		}
		return encode(dst, v)
	}
	x.read = func(data []byte) (any, error) {
		v := reflect.New(of).Elem()
		if err := decode(data, v); err != nil {
			return nil, err
		}
		return v.Interface(), nil
	}
	x.set = decode
	return Extension{x}
}

// newExtension returns an extension whose functions the caller must set.
func newExtension(typ int8, of reflect.Type, lacksFunction bool) *extension {
	x := &extension{typ: typ, of: of, target: of}
	if of.Kind() == reflect.Pointer {
		x.target = of.Elem()
	}
	switch {
	case typ == format.TimestampType:
		x.misuse = "type -1 means timestamps; use another one"
	case lacksFunction:
		x.misuse = "a function is nil; pass both"
	case !canRegister(x.target, of.Kind() == reflect.Pointer):
		x.misuse = of.String() + " cannot be registered; define a type of your own"
	}
	return x
}

// canRegister reports whether there may be an extension for t. Types such as string can't have one, because fast paths
// handle them without looking for an extension. pointedTo means that the extension is for pointers to t.
func canRegister(t reflect.Type, pointedTo bool) bool {
	switch t.Kind() {
	case reflect.Interface:
		return t.NumMethod() > 0 && !pointedTo
	case reflect.Pointer:
		return false
	case reflect.Complex64, reflect.Complex128:
		return true
	}
	return t.PkgPath() != "" && !isValueType(t)
}

// addressOf returns a pointer to v, or to a copy of it.
func addressOf(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

// Extensions registers extensions. Make the option once and use it for many calls, because it caches how Go types are
// encoded and decoded. Several of these options can be combined. Two extensions for the same extension type or the same
// Go type are a UsageError.
func Extensions(exts ...Extension) Option {
	o := extensionsOption{}
	if len(exts) == 0 {
		return o
	}
	r := new(registered)
	for _, x := range exts {
		if o.misuse = r.add(x.extension); o.misuse != nil {
			return o
		}
	}
	o.types = &types{registered: r}
	return o
}

type extensionsOption struct {
	types  *types
	misuse error
}

func (o extensionsOption) apply(s *settings) (err error) {
	switch {
	case o.misuse != nil:
		return o.misuse
	case o.types == nil:
		return nil
	case s.types == &commonTypes:
		s.types = o.types
		return nil
	}
	s.types, err = s.types.with(o.types)
	return err
}

// registered is the set of extensions of one plan cache. It never changes once an option holds it.
type registered struct {
	all        []*extension
	byType     [256]*extension
	byTarget   map[reflect.Type]*extension
	interfaces []*extension // in the order of registration
	foreign    []*foreign   // methods of other libraries, in the order of registration
}

func (r *registered) add(x *extension) error {
	switch {
	case x == nil:
		return &UsageError{"Extensions", "an Extension is empty; make it with NewExtension"}
	case x.misuse != "":
		return &UsageError{"NewExtension", x.misuse}
	case r.byType[uint8(x.typ)] != nil:
		return &UsageError{"Extensions", fmt.Sprintf("extension type %d is registered twice", x.typ)}
	case r.byTarget[x.target] != nil:
		return &UsageError{"Extensions", x.target.String() + " is registered twice"}
	}
	if r.byTarget == nil {
		r.byTarget = map[reflect.Type]*extension{}
	}
	r.all = append(r.all, x)
	r.byType[uint8(x.typ)] = x
	r.byTarget[x.target] = x
	if x.of.Kind() == reflect.Interface {
		r.interfaces = append(r.interfaces, x)
	}
	return nil
}

// combinations keeps the plan caches that are derived from one plan cache. A program needs a derived cache if it uses
// two Extensions options together, or if rules apply (marshal_rules.go). At most maxCombinations are kept, because a
// program may make new options all the time.
type combinations struct {
	types sync.Map // the derived *types, by the *types of the second option or by the rules
	count atomic.Int32
}

const maxCombinations = 64

// keep stores made, a new plan cache, under key and returns it. If another goroutine has stored a plan cache under key
// first, keep returns that plan cache. If there are maxCombinations already, keep returns made without storing it.
func (c *combinations) keep(key any, made *types) *types {
	if c.count.Add(1) > maxCombinations {
		c.count.Add(-1)
		return made
	}
	kept, loaded := c.types.LoadOrStore(key, made)
	if loaded {
		c.count.Add(-1)
	}
	return kept.(*types)
}

// with returns a plan cache that has the extensions of both ts and more.
func (ts *types) with(more *types) (*types, error) {
	if both, ok := ts.combined.types.Load(more); ok {
		return both.(*types), nil
	}
	r := new(registered)
	for _, x := range append(append([]*extension{}, ts.registered.all...), more.registered.all...) {
		if err := r.add(x); err != nil {
			return nil, err
		}
	}
	r.foreign = append(append(r.foreign, ts.registered.foreign...), more.registered.foreign...)
	return ts.combined.keep(more, &types{registered: r}), nil
}

// extensionFor returns the extension for values of the type t, or nil.
func (ts *types) extensionFor(t reflect.Type) *extension {
	r := ts.registered
	if r == nil || t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return nil
	}
	if x := r.byTarget[t]; x != nil {
		return x
	}
	if isValueType(t) {
		return nil
	}
	for _, x := range r.interfaces {
		if reflect.PointerTo(t).Implements(x.of) {
			return x
		}
	}
	return nil
}

// extensionPlan makes the plan of a registered type.
func extensionPlan(x *extension, t reflect.Type) plan {
	byAddress := x.of.Kind() == reflect.Pointer || x.of.Kind() == reflect.Interface && !t.Implements(x.of)
	return plan{
		encode: func(e *Encoder, v reflect.Value) error { return e.registered(x, v, byAddress) },
		decode: func(d *Decoder, v reflect.Value) error { return d.registered(x, v) },
		custom: true,
	}
}

func (e *Encoder) registered(x *extension, v reflect.Value, byAddress bool) error {
	const reserved = 2 // enough for the head of a fixext
	before := len(e.buf)
	dst := append(e.buf, make([]byte, reserved)...)
	out, err := x.append(dst, v, byAddress)
	if err != nil {
		return causedFault(CodeUnsupportedValue, -1, x.failed(), err)
	}
	if !extends(out, dst) {
		return unsupportedType(x.of, fmt.Sprintf("the extension of type %d did not append its data", x.typ))
	}
	data := out[len(dst):]
	if isUndefined(x.typ, data) {
		return unsupportedType(x.of, "an ext of type 0 with the byte 00 means undefined")
	}
	if err := (Ext{x.typ, data}).check(); err != nil {
		return err
	}
	var head [8]byte
	e.buf = placeHead(out, before, reserved, appendExtHead(head[:0], x.typ, len(data)))
	return nil
}

func (d *Decoder) registered(x *extension, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	start := d.offset
	typ, data, end, err := d.extension("an ext")
	if err != nil {
		return err
	}
	if typ != x.typ || isDeclaration(typ, data) {
		return d.failExtension(start, typ, data, fmt.Sprintf("an ext of type %d", x.typ))
	}
	data = data[:len(data):len(data)]
	code := CodeUnsupportedValue
	if v.Type() == x.of {
		err = x.set(data, v)
	} else {
		code, err = x.setOther(data, v)
	}
	if err != nil {
		return x.fault(code, d.base+int64(start), err)
	}
	d.offset = end
	return nil
}

// setOther decodes data into v, whose type isn't T. Either T points to the type of v, or T is an interface that v or
// its address implements. Besides an error, setOther returns the error's code.
func (x *extension) setOther(data []byte, v reflect.Value) (Code, error) {
	value, err := x.read(data)
	if err != nil {
		return CodeUnsupportedValue, err
	}
	got := reflect.ValueOf(value)
	if got.IsValid() && got.Kind() == reflect.Pointer && got.Type() != v.Type() {
		got = got.Elem() // the zero reflect.Value if the pointer is nil
	}
	switch {
	case !got.IsValid():
		v.SetZero()
	case got.Type() != v.Type():
		return CodeTypeMismatch, fmt.Errorf("it is a %s, which does not fit %s", got.Type(), v.Type())
	default:
		v.Set(got)
	}
	return "", nil
}

// registeredAny returns the value that the decode function of x makes from data, the data of the ext from start to end.
func (d *Decoder) registeredAny(x *extension, start, end int, data []byte) (any, error) {
	value, err := x.read(data[:len(data):len(data)])
	if err != nil {
		return nil, x.fault(CodeUnsupportedValue, d.base+int64(start), err)
	}
	d.offset = end
	return value, nil
}

// registeredFor returns the extension registered for an ext, or nil.
func (d *Decoder) registeredFor(typ int8, data []byte) *extension {
	if d.types.registered == nil || isUndefined(typ, data) {
		return nil
	}
	return d.types.registered.byType[uint8(typ)]
}

// fault makes the error for an ext at offset that can't be decoded. If cause is an *Error, it describes a fault inside
// the ext's data. So its code and path aren't used for the ext itself (spec/03-extensions.md).
func (x *extension) fault(code Code, offset int64, cause error) error {
	fault, _ := withCause(code, offset, x.failed(), cause)
	return fault
}

func (x *extension) failed() string {
	return fmt.Sprintf("the extension of type %d for %s failed", x.typ, x.of)
}
