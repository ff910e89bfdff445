package polypack

// Plan of the file: the interfaces with which a type encodes and decodes itself; which of them a type implements; how
// plans are made from these methods. marshal_custom_encode.go and unmarshal_custom_decode.go call the methods and check
// the results.
//
// Methods that write and methods that read are looked up independently. For example, a type that has only MarshalText
// is read by the kind of its Go type. If a value isn't addressable and the method needs a pointer, the method gets a
// pointer to a copy.

import (
	"encoding"
	"reflect"
)

// A MarshalerTo writes itself with an Encoder, exactly one value. It is usually the fastest of the interfaces that
// write. Its method alone gets the options of the call, because the Encoder has them. The Encoder must not be used
// after the method has returned.
type MarshalerTo interface {
	MarshalMsgpackTo(e *Encoder) error
}

// An UnmarshalerFrom reads itself with a Decoder, exactly one value, which may be nil. The Decoder must not be used
// after the method has returned.
type UnmarshalerFrom interface {
	UnmarshalMsgpackFrom(d *Decoder) error
}

// An Appender appends its encoding, exactly one value, to dst and returns the extended slice.
type Appender interface {
	AppendMsgpack(dst []byte) ([]byte, error)
}

// A Marshaler returns its encoding, exactly one value.
type Marshaler interface {
	MarshalMsgpack() ([]byte, error)
}

// An Unmarshaler decodes itself from data, which is exactly one value without records, and may be nil (c0). It must
// copy any data that it keeps. UnmarshalerFrom is faster for a type that nests in itself, see "Security considerations"
// in the package documentation.
type Unmarshaler interface {
	UnmarshalMsgpack(data []byte) error
}

var (
	marshalerToType       = reflect.TypeFor[MarshalerTo]()
	appenderType          = reflect.TypeFor[Appender]()
	marshalerType         = reflect.TypeFor[Marshaler]()
	binaryAppenderType    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryMarshalerType   = reflect.TypeFor[encoding.BinaryMarshaler]()
	textAppenderType      = reflect.TypeFor[encoding.TextAppender]()
	textMarshalerType     = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshalerFromType   = reflect.TypeFor[UnmarshalerFrom]()
	unmarshalerType       = reflect.TypeFor[Unmarshaler]()
	binaryUnmarshalerType = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	textUnmarshalerType   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// A method describes an interface that a type may implement. make returns the function that encodes such a type.
type method struct {
	of   reflect.Type // the interface
	make func(t reflect.Type) encodeFunc
}

// If a type has several methods of one of these lists, the first one counts.
var (
	valueMethods = []method{
		{marshalerToType, marshalerToEncoder}, {appenderType, appenderEncoder}, {marshalerType, marshalerEncoder},
		{binaryAppenderType, binaryAppenderEncoder}, {binaryMarshalerType, binaryMarshalerEncoder},
		{textAppenderType, textAppenderEncoder}, {textMarshalerType, textMarshalerEncoder},
	}
	keyMethods = []method{
		{textAppenderType, textAppenderEncoder}, {textMarshalerType, textMarshalerEncoder},
		{marshalerToType, marshalerToEncoder}, {appenderType, appenderEncoder}, {marshalerType, marshalerEncoder},
	}
)

// has reports whether addressable values of t implement the interface of. It reports false if t is an interface or a
// pointer, because then the plan of the type that t leads to calls the methods. It also reports false if isValueType(t)
// is true. Most methods promoted from embedded fields don't count, see isPromoted.
func has(t, of reflect.Type) bool { return hasBy(t, of, lookups[of]) }

// hasBy does what has does, but uses lookup instead of lookups to find the method of the interface in a type.
func hasBy(t, of reflect.Type, lookup func(reflect.Type) (reflect.Method, bool)) bool {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer || isValueType(t) {
		return false
	}
	if !mayHaveMethods(t) {
		return false
	}
	return reflect.PointerTo(t).Implements(of) && (t.Kind() != reflect.Struct || !isPromoted(t, of, lookup))
}

// mayHaveMethods reports whether t or *t has any exported method. For pointers and interfaces it reports false. Most
// types have no methods and need no further tests.
func mayHaveMethods(t reflect.Type) bool {
	if t.PkgPath() == "" && t.Kind() != reflect.Struct { // predeclared or without a name
		return false
	}
	return reflect.PointerTo(t).NumMethod() > 0
}

// methodEncoder returns a function that encodes t with the first of the methods that t has. It returns nil if t has
// none of them.
func methodEncoder(t reflect.Type, methods []method) encodeFunc {
	for _, m := range methods {
		if has(t, m.of) {
			return m.make(t)
		}
	}
	return nil
}

// methodDecoder returns a function that decodes t with the methods with which t reads itself. It returns nil if t has
// none.
func methodDecoder(t reflect.Type) decodeFunc {
	binary, text := has(t, binaryUnmarshalerType), has(t, textUnmarshalerType)
	switch {
	case has(t, unmarshalerFromType):
		return unmarshalerFromDecoder(t)
	case has(t, unmarshalerType):
		return unmarshalerDecoder(t)
	case binary && text:
		return binaryTextDecoder(t)
	case binary:
		return binaryDecoder(t)
	case text:
		return textDecoder(t)
	}
	return nil
}

// custom makes the plan of a type that has methods to encode or decode itself. It reports false if the type has none.
// Methods of other libraries and, with ErrorsAsText, the method Error also count.
func (c compiler) custom(p *plan, t reflect.Type) bool {
	var encode encodeFunc
	var decode decodeFunc
	if mayHaveMethods(t) {
		encode, decode = methodEncoder(t, valueMethods), methodDecoder(t)
	}
	if c.types.rules.isErrorText(t) {
		encode = errorTextEncoder(t)
	}
	writes, reads := c.types.foreignFor(t)
	if writes != nil {
		encode = writes.encoder(t)
	}
	if reads != nil {
		decode = reads.decoder(t)
	}
	if encode == nil && decode == nil {
		return false
	}
	if encode == nil || decode == nil {
		c.kind(p, t)
	}
	if encode != nil {
		p.encode = encode
	}
	if decode != nil {
		p.decode = decode
	}
	p.custom = true
	return true
}

// key returns the plan of t as the key of a map. Methods for text come first, then the methods of this package's
// interfaces, which must give a str, then the kind of t. A type for which isValueType is true, such as time.Time, is
// encoded as it is elsewhere.
func (c compiler) key(t reflect.Type) *plan {
	of := c.plan(t)
	switch {
	case isValueType(t):
		return of
	case t == errorType && c.types.rules.errorTexts:
		return &plan{encode: encodeErrorKey, decode: of.decode, custom: true}
	case t.Kind() == reflect.Interface:
		return &plan{encode: encodeInterfaceKey, decode: of.decode, custom: true}
	case t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Pointer:
		elem := c.key(t.Elem())
		if elem == c.plan(t.Elem()) {
			return of
		}
		return &plan{encode: pointerEncoder(elem), decode: pointerDecoder(t, elem), custom: true}
	}
	encode, decode := methodEncoder(t, keyMethods), methodDecoder(t)
	switch {
	case has(t, textUnmarshalerType):
		decode = textDecoder(t)
	case !has(t, unmarshalerFromType) && !has(t, unmarshalerType):
		decode = nil
	}
	if encode == nil && decode == nil && !of.custom {
		return of
	}
	p := new(plan)
	c.kind(p, t)
	p.custom = true
	if encode != nil {
		p.encode = textKeyEncoder(t, encode)
	}
	if decode != nil {
		p.decode = decode
	}
	return p
}

// keyOf returns what compiler.key returns, from a cache. It is for keys whose type is known only when they are encoded.
func (ts *types) keyOf(t reflect.Type) *plan {
	if p, ok := ts.keys.Load(t); ok {
		return p.(*plan)
	}
	c := newCompiler(ts)
	p := c.key(t)
	for t, p := range c.made {
		ts.plans.LoadOrStore(t, p)
	}
	ts.keys.LoadOrStore(t, p)
	return p
}

// readsText reports whether t has methods that read a map key from a str.
func readsText(t reflect.Type) bool {
	return has(t, textUnmarshalerType) || has(t, unmarshalerFromType) || has(t, unmarshalerType)
}

// hasMethods reports whether t has any method with which it encodes or decodes itself. Methods of other libraries don't
// count.
func hasMethods(t reflect.Type) bool {
	for _, m := range valueMethods {
		if has(t, m.of) {
			return true
		}
	}
	return readsText(t) || has(t, binaryUnmarshalerType)
}
