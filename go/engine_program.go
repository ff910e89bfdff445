//go:build !purego

package polypack

// Plan of the file: the compiled form of a Go type, called a node. The op of a node says how values of the type lie in
// memory and how they are written. Nodes of structs hold a flat list of fields, including those of embedded structs.
// Then come the cache, which finds the node of a value's type, and the compiler from reflect types to nodes.
//
// Once a node is in the cache, nothing in it changes except its own caches. A type that the engine leaves to its plan
// (plan.go) has the op opPlan. So the engine needn't repeat all rules of plans. See docs/decisions/0012-go-library.md.

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/polypack/polypack/go/internal/wire"
)

// An op says what kind of type a node is for, and so which code encodes and decodes the values. The ops from opSlice to
// opSliceAny are for slices, and so is opBytes. The ops from opMap on are for maps.
type op uint8

const (
	opPlan op = iota // the plan of the type does everything
	opBool
	opInt8
	opInt16
	opInt32
	opInt64
	opUint8
	opUint16
	opUint32
	opUint64
	opFloat32
	opFloat64
	opString
	opBytes     // []byte
	opByteArray // [N]byte
	opTime
	opAny // the empty interface
	opStruct
	opGenerated     // a struct with generated methods that fit it
	opGeneratedRest // a struct with an inline map and with generated methods that fit it
	opPointer
	opArray
	opSlice // slices that have no op of their own
	opSliceInt8
	opSliceInt16
	opSliceInt32
	opSliceInt64
	opSliceUint16
	opSliceUint32
	opSliceUint64
	opSliceFloat32
	opSliceFloat64
	opSliceBool
	opSliceString
	opSliceAny
	opMap // maps that have no op of their own
	opMapStringString
	opMapStringAny
	opMapStringInt
	opMapStringInt64
	opMapStringFloat64
	opMapStringBool
)

// intOp is the op of type int.
var intOp = intOps[reflect.TypeFor[int]().Size()]

// isStruct reports whether o is for structs that have no inline map and aren't left to the plan.
func (o op) isStruct() bool { return o == opStruct || o == opGenerated }

// isGenerated reports whether o is for structs with generated methods that fit them.
func (o op) isGenerated() bool { return o == opGenerated || o == opGeneratedRest }

// intOps and uintOps have the ops of integers by their size in bytes.
var (
	intOps  = map[uintptr]op{1: opInt8, 2: opInt16, 4: opInt32, 8: opInt64}
	uintOps = map[uintptr]op{1: opUint8, 2: opUint16, 4: opUint32, 8: opUint64}
)

// A node is a compiled type.
type node struct {
	op        op
	direct    bool // an interface holds a value of the type in its data word, instead of a pointer to it
	size      uintptr
	length    int   // number of elements of an array
	key, elem *node // of maps, slices, arrays and pointers
	program   *structProgram
	generated wire.Generated // the generated methods of a struct, on a nil pointer; nil if it has none
	typ       reflect.Type
	plan      *plan
	holdsPlan bool // the type, or the type of a field or array element, may be left to the plan
	mayCall   bool // reading a value may run user code (values in an any don't count); set only for elements of opMap
	runsCode  bool // encoding or decoding may run user code; set only for nodes in the table
	hint      sizeHint
	texts     atomic.Int64 // bytes that the strings of the next message to decode probably take; 0 if not known
	textHint  sizeHint
	known     *keyOrders // the keys of earlier maps; only for the ops after opMap
	boxes     sync.Pool  // holds *elementBox; only for opMap
}

// A structProgram is a compiled struct.
type structProgram struct {
	fields []programField // in the order of encoding
	plan   *structPlan
	encode atomic.Pointer[encodeProgram] // nil before the first encoding
	decode atomic.Pointer[decodeProgram] // nil before the first decoding
	table  atomic.Pointer[fieldTable]    // nil before the first unexpected key
}

// A programField is a field of a struct, or of a struct that is embedded in it by value.
type programField struct {
	*field
	offset uintptr
	node   *node
}

// The cache

// programs finds nodes by type, in a hash table with open addressing. The table is immutable: to add a node, compile
// replaces the table with a copy.
type programs struct {
	table atomic.Pointer[programTable]
	mutex sync.Mutex // held while compiling
	nodes map[reflect.Type]*node
	// pending has the new structs. adoptGenerated decides whether their generated methods are used, once all new nodes
	// are complete.
	pending []*node
	fresh   []*node // nodes of map elements whose mayCall isn't known yet
	plain   bool    // don't use generated methods; set by tests that compare the results
}

// inherit makes ps leave out generated methods if from does.
func (ps *programs) inherit(from *programs) { ps.plain = from.plain }

type programTable struct {
	slots []programSlot // the number of slots is a power of two; at most half of them are used
	count int
}

type programSlot struct {
	typ  unsafe.Pointer
	node *node
}

// eface has the memory layout of an any.
type eface struct {
	typ, data unsafe.Pointer
}

// typePointer returns the type word of an any that holds a value of type t.
func typePointer(t reflect.Type) unsafe.Pointer { return (*eface)(unsafe.Pointer(&t)).data }

func slotOf(typ unsafe.Pointer) uintptr { return uintptr(typ)>>5 ^ uintptr(typ)>>14 }

// find returns the node of the type whose type word is typ, or nil.
func (t *programTable) find(typ unsafe.Pointer) *node {
	if t == nil {
		return nil
	}
	mask := uintptr(len(t.slots) - 1)
	for i := slotOf(typ); ; i++ {
		switch slot := &t.slots[i&mask]; slot.typ {
		case typ:
			return slot.node
		case nil:
			return nil
		}
	}
}

func (t *programTable) put(typ unsafe.Pointer, n *node) {
	mask := uintptr(len(t.slots) - 1)
	i := slotOf(typ)
	for t.slots[i&mask].typ != nil {
		i++
	}
	t.slots[i&mask] = programSlot{typ, n}
	t.count++
}

// nodeFor returns the node of t, whose type word is typ.
func (ts *types) nodeFor(typ unsafe.Pointer, t reflect.Type) *node {
	if n := ts.programs.table.Load().find(typ); n != nil {
		return n
	}
	return ts.compile(typ, t)
}

func (ts *types) compile(typ unsafe.Pointer, t reflect.Type) *node {
	ps := &ts.programs
	ps.mutex.Lock()
	defer ps.mutex.Unlock()
	old := ps.table.Load()
	if n := old.find(typ); n != nil {
		return n
	}
	if ps.nodes == nil {
		ps.nodes = map[reflect.Type]*node{}
	}
	n := ts.node(t)
	for _, n := range ps.fresh {
		n.mayCall = n.leadsToPlan(map[*node]bool{})
	}
	ps.fresh = nil
	if !ps.plain && !ts.rules.foldCase { // generated methods don't support the option FoldCase
		adoptGenerated(ps.pending)
	}
	ps.pending = nil
	n.runsCode = n.mayRunCode(map[*node]bool{})
	size, count := 64, 0
	if old != nil {
		size, count = len(old.slots), old.count
	}
	if 2*(count+1) > size {
		size *= 2
	}
	table := &programTable{slots: make([]programSlot, size)}
	if old != nil {
		for _, slot := range old.slots {
			if slot.typ != nil {
				table.put(slot.typ, slot.node)
			}
		}
	}
	table.put(typ, n)
	ps.table.Store(table)
	return n
}

// The compiler. It runs while programs.mutex is held. New nodes are complete when the outermost call of node returns.

func (ts *types) node(t reflect.Type) *node {
	if n, ok := ts.programs.nodes[t]; ok {
		return n
	}
	n := &node{typ: t, size: t.Size(), direct: isDirect(t), plan: ts.planOf(t)}
	ts.programs.nodes[t] = n
	if t == timeType {
		n.op = opTime
	} else if !n.plan.custom {
		ts.kindNode(n, t)
	} else if s := n.plan.structPlan; s != nil && s.rest != nil {
		ts.structNode(n, t)
	}
	n.holdsPlan = n.op == opPlan || n.op == opArray && n.elem.mayHoldPlan()
	if n.op == opStruct {
		for i := range n.program.fields {
			n.holdsPlan = n.holdsPlan || n.program.fields[i].node.mayHoldPlan()
		}
	}
	return n
}

// mayHoldPlan returns holdsPlan, for use while nodes are being made. It also returns true for the incomplete node of a
// type that leads to itself, because the op of such a node is still opPlan, the zero op.
func (n *node) mayHoldPlan() bool { return n.holdsPlan || n.op == opPlan }

// leadsToPlan reports whether n, or a node that n leads to by keys, elements and fields, is left to the plan or has an
// inline map. seen has the nodes visited so far.
func (n *node) leadsToPlan(seen map[*node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	if n.op == opPlan || n.op == opGeneratedRest || n.key.leadsToPlan(seen) || n.elem.leadsToPlan(seen) {
		return true
	}
	if n.program != nil {
		for i := range n.program.fields {
			if n.program.fields[i].node.leadsToPlan(seen) {
				return true
			}
		}
	}
	return false
}

// mayRunCode reports whether encoding or decoding values of n's type may run methods or Extensions. seen has the nodes
// visited so far.
func (n *node) mayRunCode(seen map[*node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	switch n.op {
	case opPlan, opGeneratedRest, opAny, opSliceAny, opMapStringAny:
		return true
	}
	if n.key.mayRunCode(seen) || n.elem.mayRunCode(seen) {
		return true
	}
	if n.program != nil {
		for i := range n.program.fields {
			f := &n.program.fields[i]
			if f.callsIsZero() || f.node.mayRunCode(seen) {
				return true
			}
		}
	}
	return false
}

// callsIsZero reports whether the option omitzero of the field calls a method of the user's program.
func (f *field) callsIsZero() bool { return f.omitZero && f.typ != timeType && hasIsZero(f.typ) }

func (ts *types) kindNode(n *node, t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		n.op = opBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.op = intOps[t.Size()]
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n.op = uintOps[t.Size()]
	case reflect.Float32:
		n.op = opFloat32
	case reflect.Float64:
		n.op = opFloat64
	case reflect.String:
		n.op = opString
	case reflect.Interface:
		if t.NumMethod() == 0 {
			n.op = opAny
		}
	case reflect.Pointer:
		n.elem = ts.node(t.Elem())
		if t.Elem().Kind() != reflect.Pointer { // **T is uncommon, and `type P *P` leads back to itself
			n.op = opPointer
		}
	case reflect.Slice:
		n.elem = ts.node(t.Elem())
		n.op = sliceOp(t.Elem(), n.elem)
	case reflect.Array:
		n.elem = ts.node(t.Elem())
		n.length = t.Len()
		n.op = opArray
		if t.Elem().Kind() == reflect.Uint8 && !n.elem.plan.custom {
			n.op = opByteArray
		}
	case reflect.Map:
		n.key, n.elem = ts.node(t.Key()), ts.node(t.Elem())
		n.op = mapOp(t)
		if n.op == opMap {
			ts.programs.fresh = append(ts.programs.fresh, n.elem)
		} else {
			n.known = new(keyOrders)
		}
	case reflect.Struct:
		ts.structNode(n, t)
	}
}

// sliceOp returns the op of slices with elements of type t.
func sliceOp(t reflect.Type, elem *node) op {
	if t.Kind() == reflect.Uint8 && !elem.plan.custom {
		return opBytes
	}
	switch elem.op {
	case opInt8:
		return opSliceInt8
	case opInt16:
		return opSliceInt16
	case opInt32:
		return opSliceInt32
	case opInt64:
		return opSliceInt64
	case opUint16:
		return opSliceUint16
	case opUint32:
		return opSliceUint32
	case opUint64:
		return opSliceUint64
	case opFloat32:
		return opSliceFloat32
	case opFloat64:
		return opSliceFloat64
	case opBool:
		return opSliceBool
	case opString:
		return opSliceString
	case opAny:
		return opSliceAny
	}
	return opSlice
}

// mapOps has the ops of the maps that the engine ranges over without reflection, by the types of key and element. Map
// types with other key or element types, such as a type defined as string, have opMap. Go can't convert them to a map
// type listed here.
var mapOps = map[[2]reflect.Type]op{
	{reflect.TypeFor[string](), reflect.TypeFor[string]()}:  opMapStringString,
	{reflect.TypeFor[string](), reflect.TypeFor[any]()}:     opMapStringAny,
	{reflect.TypeFor[string](), reflect.TypeFor[int]()}:     opMapStringInt,
	{reflect.TypeFor[string](), reflect.TypeFor[int64]()}:   opMapStringInt64,
	{reflect.TypeFor[string](), reflect.TypeFor[float64]()}: opMapStringFloat64,
	{reflect.TypeFor[string](), reflect.TypeFor[bool]()}:    opMapStringBool,
}

func mapOp(t reflect.Type) op {
	if op, ok := mapOps[[2]reflect.Type{t.Key(), t.Elem()}]; ok {
		return op
	}
	return opMap
}

// structNode compiles a struct whose fields all lie at fixed offsets. If an embedded pointer leads to a field, the
// struct is left to the plan. A struct with an inline map is also left to the plan, unless it has generated methods
// that fit.
func (ts *types) structNode(n *node, t reflect.Type) {
	plan := n.plan.structPlan
	if plan == nil {
		return
	}
	s := &structProgram{plan: plan}
	for i := range plan.fields {
		f := &plan.fields[i]
		offset, ok := offsetOf(t, f.index)
		if !ok {
			return
		}
		s.fields = append(s.fields, programField{field: f, offset: offset, node: ts.fieldNode(f)})
	}
	n.generated = generatedOf(t)
	if plan.rest == nil {
		n.op = opStruct
	} else if _, ok := offsetOf(t, plan.rest.field.index); !ok || n.generated == nil {
		return
	}
	n.program = s
	ts.programs.pending = append(ts.programs.pending, n)
}

// fieldNode returns the node of the field's type. For a field with the option as_array, and for an embedded pointer to
// an unexported struct type, it returns a new node that leaves the field to the field's own plan.
func (ts *types) fieldNode(f *field) *node {
	if f.asArray || f.hidden && f.typ.Kind() == reflect.Pointer {
		return &node{op: opPlan, holdsPlan: true, typ: f.typ, size: f.typ.Size(), direct: isDirect(f.typ), plan: f.plan}
	}
	return ts.node(f.typ)
}

// offsetOf returns the offset of the field with this index in a struct of type t. ok is false if an embedded pointer
// leads to the field.
func offsetOf(t reflect.Type, index []int) (offset uintptr, ok bool) {
	for i, x := range index {
		if i > 0 && t.Kind() == reflect.Pointer {
			return 0, false
		}
		f := t.Field(x)
		offset += f.Offset
		t = f.Type
	}
	return offset, true
}

// isDirect reports whether an any holds a value of type t in its data word, instead of a pointer to the value. This
// depends on the version of Go, so isDirect tests an any that holds the zero value. Its data word is nil only if it is
// the value, because a pointer to the value isn't nil.
func isDirect(t reflect.Type) bool {
	if t.Kind() == reflect.Interface || t.Size() != unsafe.Sizeof(uintptr(0)) {
		return false
	}
	v := reflect.Zero(t).Interface()
	return (*eface)(unsafe.Pointer(&v)).data == nil
}
