package polypack

// Plan of the file: how a Go type is compiled into a plan, once, and where plans are kept. A plan is a pair of
// functions that encode and decode the type. The marshal and unmarshal files make them. marshal_fields.go finds the
// fields of structs.
//
// Plans are immutable once they are in the cache. A type that contains itself has a plan that refers to itself. So the
// functions hold the *plan of an element, and look at its functions only when they run. Two goroutines may compile a
// type at the same time. The first plan stays in the cache, but the other one also works.

import (
	"reflect"
	"sync"
	"time"
)

type (
	encodeFunc func(e *Encoder, v reflect.Value) error
	// A decodeFunc reads one value into v, which is settable.
	decodeFunc func(d *Decoder, v reflect.Value) error
)

type plan struct {
	encode encodeFunc
	decode decodeFunc
	// custom means that the engine leaves the type to the plan. For example, the type has methods, is a registered
	// extension, is written as an array by as_array, or has an inline map. But the engine also handles a struct with an
	// inline map and generated methods.
	custom     bool
	structPlan *structPlan // of a struct that is written as a map or record, else nil
}

// types caches everything compiled so far for one set of extensions and rules. It grows with each new type and never
// shrinks.
type types struct {
	plans    sync.Map // *plan by reflect.Type
	keys     sync.Map // *plan by reflect.Type, of map keys whose type is only known when they are encoded
	programs programs // for the engine

	registered *registered // extensions and methods of other libraries, or nil
	rules      rules
	combined   combinations
}

// commonTypes is used unless an option changes what types mean.
var commonTypes types

// planOf returns the plan of t.
func (ts *types) planOf(t reflect.Type) *plan {
	if p, ok := ts.plans.Load(t); ok {
		return p.(*plan)
	}
	c := newCompiler(ts)
	p := c.plan(t) // works even if another goroutine stores its plan for t first
	for t, p := range c.made {
		ts.plans.LoadOrStore(t, p)
	}
	return p
}

// A compiler holds the plans of one compilation, complete or not.
type compiler struct {
	types  *types
	made   map[reflect.Type]*plan
	arrays map[reflect.Type]*plan // plans of types in fields with the tag option as_array
}

func newCompiler(ts *types) compiler {
	return compiler{ts, map[reflect.Type]*plan{}, map[reflect.Type]*plan{}}
}

var (
	anyType       = reflect.TypeFor[any]()
	timeType      = reflect.TypeFor[time.Time]()
	timestampType = reflect.TypeFor[Timestamp]()
	extType       = reflect.TypeFor[Ext]()
	objectType    = reflect.TypeFor[Object]()
)

// isValueType reports whether this package has its own encoding for a type, whatever the type's Go kind.
func isValueType(t reflect.Type) bool {
	return t == timeType || t == timestampType || t == extType || t == objectType || t == rawType
}

func (c compiler) plan(t reflect.Type) *plan {
	if p, ok := c.types.plans.Load(t); ok {
		return p.(*plan)
	}
	if p, ok := c.made[t]; ok {
		return p
	}
	p := new(plan)
	c.made[t] = p
	switch x := c.types.extensionFor(t); {
	case x != nil:
		*p = extensionPlan(x, t)
	case t == timeType:
		*p = plan{encode: encodeTime, decode: decodeTime}
	case t == errorType && c.types.rules.errorTexts:
		*p = plan{encode: encodeInterface, decode: errorTextDecoder(t), custom: true}
	case t == timestampType:
		*p = plan{encode: encodeTimestamp, decode: decodeTimestamp, custom: true}
	case t == extType:
		*p = plan{encode: encodeExt, decode: decodeExt, custom: true}
	case t == objectType:
		*p = plan{encode: encodeObject, decode: decodeObject, custom: true}
	case t == rawType:
		*p = plan{encode: encodeRaw, decode: decodeRaw, custom: true}
	default:
		if !c.custom(p, t) {
			c.kind(p, t)
		}
	}
	return p
}

func (c compiler) kind(p *plan, t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		*p = plan{encode: encodeBool, decode: decodeBool}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		*p = plan{encode: encodeInt, decode: decodeInt}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		*p = plan{encode: encodeUint, decode: decodeUint}
	case reflect.Float32:
		*p = plan{encode: encodeFloat32, decode: decodeFloat32}
	case reflect.Float64:
		*p = plan{encode: encodeFloat64, decode: decodeFloat64}
	case reflect.String:
		*p = plan{encode: encodeString, decode: decodeString}
	case reflect.Interface:
		*p = plan{encode: encodeInterface, decode: interfaceDecoder(t)}
	case reflect.Pointer:
		c.pointer(p, t)
	case reflect.Slice:
		elem := c.plan(t.Elem())
		if t.Elem().Kind() == reflect.Uint8 && !elem.custom {
			*p = plan{encode: encodeBytes, decode: decodeBytes}
			return
		}
		*p = plan{encode: sliceEncoder(elem), decode: sliceDecoder(t, elem)}
	case reflect.Array:
		elem := c.plan(t.Elem())
		if t.Elem().Kind() == reflect.Uint8 && !elem.custom {
			*p = plan{encode: encodeByteArray, decode: decodeByteArray}
			return
		}
		*p = plan{encode: arrayEncoder(elem), decode: arrayDecoder(elem)}
	case reflect.Map:
		key, elem := c.key(t.Key()), c.plan(t.Elem())
		*p = plan{encode: mapEncoder(t, key, elem), decode: mapDecoder(c.types, t, key, elem), custom: key.custom}
	case reflect.Struct:
		c.structType(p, t, false)
	default: // chan, func, complex, unsafe.Pointer
		*p = unsupportedPlan("values of kind " + t.Kind().String() + " have no encoding")
	}
}

// unsupportedPlan refuses to encode any value, even nil, because the type itself is the fault. It decodes only nil.
func unsupportedPlan(why string) plan {
	return plan{
		custom: true,
		encode: func(_ *Encoder, v reflect.Value) error { return unsupportedType(v.Type(), why) },
		decode: func(d *Decoder, v reflect.Value) error {
			if d.skipNil() {
				v.SetZero()
				return nil
			}
			return d.failKind(d.offset, "a value for "+v.Type().String()+" ("+why+")")
		},
	}
}

func (c compiler) pointer(p *plan, t reflect.Type) {
	end := t
	for range maxHops {
		if end.Kind() != reflect.Pointer {
			elem := c.plan(t.Elem())
			*p = plan{encode: pointerEncoder(elem), decode: pointerDecoder(t, elem)}
			return
		}
		end = end.Elem()
	}
	*p = unsupportedPlan("its pointers never lead to a value")
}

// structType makes the plan of a struct. The struct is written as an array if its own tag or asArray says so.
func (c compiler) structType(p *plan, t reflect.Type, asArray bool) {
	l, problem := c.types.layoutOf(t)
	asArray = asArray || l.asArray
	switch {
	case problem != "":
	case asArray && l.rest != nil:
		problem = "an inline map has no place in an array"
	default:
		problem = c.fields(l.fields)
	}
	if problem != "" {
		*p = unsupportedPlan(problem)
		return
	}
	s := newStructPlan(l.fields)
	if s.others, problem = newOthers(l.fields, c.types.rules.foldCase); problem != "" {
		*p = unsupportedPlan(problem)
		return
	}
	switch {
	case asArray:
		*p = plan{encode: s.encodeArray, decode: s.decodeArray, custom: true}
	case l.rest != nil:
		s.rest = newRestPlan(l.rest, c.plan(l.rest.typ.Key()), c.plan(l.rest.typ.Elem()))
		*p = plan{encode: s.encodeWithRest, decode: s.decode, structPlan: s, custom: true}
	default:
		*p = plan{encode: s.encode, decode: s.decode, structPlan: s}
	}
}

// fields gives each field its plan. problem says why a field can't have one.
func (c compiler) fields(fields []field) (problem string) {
	for i := range fields {
		f := &fields[i]
		if !f.asArray {
			f.plan = c.plan(f.typ)
		} else if f.plan = c.asArray(f.typ); f.plan == nil {
			return "field " + f.name + " is as_array, but leads to no struct with fields"
		}
		if f.hidden && f.typ.Kind() == reflect.Pointer {
			f.plan = hiddenPointerPlan(f.name, f.plan)
		}
	}
	return ""
}
