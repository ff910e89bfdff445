package polypack_test

// The engine against the plans: whatever the input, the same value, the same error, and after an error the same rest of
// a value in the target. Inputs come from the fuzzer, and from a writer that knows the type and now and then does not
// care.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type smallInts struct {
	A int8  `msgpack:"a"`
	B int16 `msgpack:"bb"`
	C int32
	D int64
	E int
	F uint8
	G uint16
	H uint32
	I uint64
	J uint
	K uintptr
	L time.Duration
}

type scalarKinds struct {
	smallInts
	F32       float32
	F64       float64
	Bool      bool
	Text      string
	LongNamed string `msgpack:"a name that is longer than sixteen"`
	Bin       []byte
	Array     [5]byte
	Time      time.Time
	Any       any
}

type sliceKinds struct {
	I8   []int8
	I16  []int16
	I32  []int32
	I64  []int64
	I    []int
	U16  []uint16
	U32  []uint32
	U64  []uint64
	F32  []float32
	F64  []float64
	B    []bool
	S    []string
	A    []any
	T    []time.Time
	P    []*scalarKinds
	V    []smallInts
	L    [][]int32
	Fix  [3]string
	Fix2 [2][]any
	E    []struct{}
	D    []time.Duration
}

type mapKinds struct {
	SS map[string]string
	SA map[string]any
	SI map[string]int
	S6 map[string]int64
	SF map[string]float64
	SB map[string]bool
	SV map[string]smallInts
	SP map[string]*smallInts
	SL map[string][]any
	IS map[int]string
	I8 map[int8]uint8
	U6 map[uint64][]string
	FS map[float64]string
	AA map[any]any
	NS namedMap
	KS map[namedString]namedString
}

type (
	namedString string
	namedMap    map[string]int
)

type everyKind struct {
	Scalars scalarKinds  `msgpack:"s"`
	Slices  *sliceKinds  `msgpack:"l"`
	Maps    mapKinds     `msgpack:"m"`
	Next    *everyKind   `msgpack:"n"`
	Others  []everyKind  `msgpack:"o"`
	Ext     polypack.Ext `msgpack:"x"`
	Double  **int        `msgpack:"d"`
	Err     error        `msgpack:"e"`
}

// engineTargets returns fresh targets.
func engineTargets() []any {
	return []any{new(everyKind), new(scalarKinds), new(sliceKinds), new(mapKinds), new(any), new([]any), new(map[string]any), new([]smallInts),
		new(smallInts), new(fuzzed), new(string), new(int64), new([]int64), new([4]any), new(map[string][]scalarKinds)}
}

// sameValue is reflect.DeepEqual on which NaN equals NaN.
func sameValue(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		x, y := a.Float(), b.Float()
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return sameValue(a.Elem(), b.Elem())
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[time.Time]() {
			return a.Interface() == b.Interface()
		}
		for i := range a.NumField() {
			if a.Type().Field(i).IsExported() || a.Type().Field(i).Anonymous {
				if !sameValue(a.Field(i), b.Field(i)) {
					return false
				}
			}
		}
		return true
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameValue(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range a.Len() {
			if !sameValue(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for it := a.MapRange(); it.Next(); {
			// NaN: one for each time that something was decoded into the map.
			if it.Key().Comparable() && !it.Key().Equal(it.Key()) {
				if withNaN(a, it.Value()) != withNaN(b, it.Value()) {
					return false
				}
				continue
			}
			value := b.MapIndex(it.Key())
			if !value.IsValid() || !sameValue(it.Value(), value) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// withNaN counts the entries of a map whose key is NaN and whose value is this one.
func withNaN(m, value reflect.Value) (count int) {
	for it := m.MapRange(); it.Next(); {
		if !it.Key().Equal(it.Key()) && sameValue(it.Value(), value) {
			count++
		}
	}
	return count
}

// sameDecoding decodes data, and data again into what that gave, with and without the engine.
func sameDecoding(t *testing.T, data []byte, fast, slow any, opts ...polypack.Option) {
	t.Helper()
	if purego { // plans would be compared with themselves
		polypack.Unmarshal(data, fast, opts...)
		return
	}
	given := bytes.Clone(data)
	var direct polypack.DirectMethods // of the same value, decoded by them
	if _, ok := fast.(polypack.DirectMethods); ok && len(opts) == 0 && reflect.ValueOf(fast).Elem().IsZero() {
		direct = reflect.New(reflect.TypeOf(fast).Elem()).Interface().(polypack.DirectMethods)
	}
	for range 2 {
		slowErr := polypack.Unmarshal(data, slow, with(opts, polypack.PlansOnly())...)
		fastErr := polypack.Unmarshal(data, fast, opts...)
		if fmt.Sprint(fastErr) != fmt.Sprint(slowErr) || !reflect.DeepEqual(fastErr, slowErr) {
			t.Fatalf("% x\ninto %T: the engine says\n%v\nthe plan\n%v", data, fast, fastErr, slowErr)
		}
		if !sameValue(reflect.ValueOf(fast), reflect.ValueOf(slow)) {
			t.Fatalf("% x\ninto %T: the engine makes\n%+v\nthe plan\n%+v\n(%v)", data, fast, reflect.ValueOf(fast).Elem(), reflect.ValueOf(slow).Elem(), slowErr)
		}
		if direct == nil {
			continue
		}
		if err := direct.UnmarshalPolypack(data); !reflect.DeepEqual(err, slowErr) {
			t.Fatalf("% x\nUnmarshalPolypack of %T says\n%v\nthe plan\n%v", data, fast, err, slowErr)
		}
		if !sameValue(reflect.ValueOf(direct), reflect.ValueOf(slow)) {
			t.Fatalf("% x\nUnmarshalPolypack of %T makes\n%+v\nthe plan\n%+v\n(%v)", data, fast, direct, slow, slowErr)
		}
	}
	if !bytes.Equal(data, given) {
		t.Fatalf("the input has changed: % x", given)
	}
}

func engineOptions() [][]polypack.Option {
	long := polypack.Config{MaxStringLen: 31, MaxBinaryLen: 4, MaxArrayLen: 5, MaxMapLen: 12, MaxExtLen: 12}
	return [][]polypack.Option{
		nil, {polypack.Strings(polypack.StringsSeparate)}, {polypack.MaxDepth(3)}, {polypack.RejectUnknown(true)},
		{polypack.Strict}, {polypack.Lossless}, {polypack.MaxValues(20)}, {long}, {polypack.Config{MaxStringLen: 3, MaxExtLen: 8}},
		{polypack.Strict, polypack.RejectUnknown(true), polypack.MaxDepth(4)}, {polypack.Strict, polypack.Strings(polypack.StringsZeroCopy), long},
		{polypack.Strict, polypack.MaxValues(60), noExtensions}, {polypack.Lossless, long, polypack.MaxValues(100), noExtensions},
		{polypack.Strict, inline}, {inline, long, polypack.MaxValues(40)}, {polypack.Lossless, inline, polypack.MaxDepth(3)},
	}
}

func FuzzEngineDecode(f *testing.F) {
	addSeeds(f)
	w := careless{rand: rand.New(rand.NewPCG(1, 2))}
	for _, target := range engineTargets() {
		for range 3 {
			w.out = nil
			w.write(reflect.TypeOf(target).Elem(), 0)
			f.Add(bytes.Clone(w.out))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range engineOptions() {
			slow := engineTargets()
			for i, fast := range engineTargets() {
				sameDecoding(t, data, fast, slow[i], opts...)
			}
		}
	})
}

func TestEngineAgainstPlans(t *testing.T) {
	t.Parallel()
	againstPlans(t, engineTargets, engineOptions(), 6000)
}

// againstPlans lets the careless writer write for each of the targets.
func againstPlans(t *testing.T, targets func() []any, options [][]polypack.Option, rounds int) {
	t.Helper()
	if fewRounds() {
		rounds /= 10
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	w := careless{rand: rand.New(rand.NewPCG(seed, 0))}
	for i := range rounds {
		fast, slow := targets(), targets()
		which := w.rand.IntN(len(fast))
		w.errors = w.rand.IntN(3) * 4
		for range 2 { // the second time into what the first has left
			w.out = nil
			w.write(reflect.TypeOf(fast[which]).Elem(), 0)
			data := w.out
			switch w.rand.IntN(4) {
			case 0:
				data = data[:w.rand.IntN(len(data)+1)]
			case 1:
				data[w.rand.IntN(len(data))] = byte(w.rand.Uint32())
			}
			sameDecoding(t, data, fast[which], slow[which], options[i%len(options)]...)
		}
	}
}

// A careless writer writes values for types.
type careless struct {
	rand   *rand.Rand
	out    []byte
	errors int // of a thousand values, how many are of another kind
}

func (w *careless) one(of int) bool { return w.rand.IntN(of) == 0 }

func (w *careless) write(t reflect.Type, depth int) {
	switch {
	case w.rand.IntN(1000) < w.errors:
		w.anything(depth)
		return
	case w.one(25):
		w.out = append(w.out, 0xc0)
		return
	case w.one(60):
		w.out = append(w.out, 0xd4, 0, 0)
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		w.out = append(w.out, 0xc2+byte(w.rand.IntN(2)))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uint, reflect.Uintptr:
		w.int(int(t.Size()), t.Kind() <= reflect.Int64)
	case reflect.Float32, reflect.Float64:
		w.float()
	case reflect.String:
		w.str(w.word())
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			w.bin(w.rand.IntN(7))
			return
		}
		n := w.count(depth)
		if t.Kind() == reflect.Array && !w.one(30) {
			n = min(n, t.Len())
		}
		if w.one(20) && depth < 2 {
			n += 40
		}
		w.array(n)
		for range n {
			w.write(t.Elem(), depth+1)
		}
	case reflect.Map:
		n := w.count(depth)
		w.mapping(n)
		for range n {
			w.write(t.Key(), depth+1)
			w.write(t.Elem(), depth+1)
		}
	case reflect.Pointer:
		w.write(t.Elem(), depth)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			w.time()
			return
		}
		w.fields(t, depth)
	default:
		w.anything(depth)
	}
}

// fields writes some of the fields of a struct, mostly in their order.
func (w *careless) fields(t reflect.Type, depth int) {
	var names []string
	types := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name := w.nameOf(f)
		if !f.Anonymous && (depth < 3 || !w.one(2)) && !w.one(12) {
			names = append(names, name)
			types[name] = f.Type
		}
	}
	if w.one(4) {
		w.rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	}
	for range w.rand.IntN(3) {
		at := w.rand.IntN(len(names) + 1)
		names = append(names[:at:at], append([]string{w.word()}, names[at:]...)...)
	}
	if len(names) > 0 && w.one(12) { // a name that occurs twice
		names = append(names, names[w.rand.IntN(len(names))])
	}
	w.mapping(len(names))
	for _, name := range names {
		if w.rand.IntN(1000) < w.errors {
			w.anything(depth)
		} else {
			w.str(name)
		}
		if t := types[name]; t != nil {
			w.write(t, depth+1)
		} else {
			w.anything(depth + 1)
		}
	}
}

// nameOf returns a name by which the field is read, with some options or without.
func (w *careless) nameOf(f reflect.StructField) string {
	name, options, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
	var names []string
	for option := range strings.SplitSeq(options, ",") {
		if alias, ok := strings.CutPrefix(option, "alias:"); ok {
			names = append(names, alias)
		}
	}
	if other, _, _ := strings.Cut(f.Tag.Get("json"), ","); other != "" {
		names = append(names, other)
	}
	if name == "" {
		name = f.Name
	}
	if len(names) > 0 && w.one(2) {
		name = names[w.rand.IntN(len(names))]
	}
	if w.one(24) {
		name = strings.ToUpper(name)
	}
	return name
}

// TestEngineOnRandomTypes is TestEngineAgainstPlans for types that nobody has chosen.
func TestEngineOnRandomTypes(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		types := make([]reflect.Type, 3)
		for i := range types {
			types[i] = randomStruct(r, 3)
		}
		againstPlans(t, func() (targets []any) {
			for _, typ := range types {
				targets = append(targets, reflect.New(typ).Interface())
			}
			return targets
		}, engineOptions(), 2*len(engineOptions()))
	}
}

func (w *careless) anything(depth int) {
	switch w.rand.IntN(12) {
	case 0:
		w.out = append(w.out, 0xc0)
	case 1:
		w.out = append(w.out, 0xc3)
	case 2, 3:
		w.int(8, w.one(2))
	case 4:
		w.float()
	case 5, 6:
		w.str(w.word())
	case 7:
		w.bin(w.rand.IntN(5))
	case 8:
		w.time()
	case 9:
		data := []byte{0xd4, byte(w.rand.IntN(4)), 1}
		if w.one(4) {
			data = []byte{0xd4, 0x72, 0x40}
		}
		w.out = append(w.out, data...)
	case 10:
		n := w.count(depth)
		w.array(n)
		for range n {
			w.anything(depth + 1)
		}
	case 11:
		n := w.count(depth)
		w.mapping(n)
		odd := w.one(3)
		for range n {
			if odd && w.one(3) {
				w.anything(depth + 1)
			} else {
				w.str(w.word())
			}
			w.anything(depth + 1)
		}
	}
}

func (w *careless) count(depth int) int { return w.rand.IntN(max(1, 7-2*depth)) }

func (w *careless) word() string {
	words := []string{"", "a", "bb", "key", "Scalars", "s", "name", "sixteen bytes xx", "longer than sixteen bytes", "a name that is longer than sixteen"}
	switch w.rand.IntN(60) {
	case 0:
		return []string{"\xff", "not UTF-8: \xc3", "long, and not UTF-8: " + strings.Repeat("\x80", 30)}[w.rand.IntN(3)]
	case 1, 2, 3:
		return "größer, " + strings.Repeat("länger ", w.rand.IntN(9))
	case 4, 5:
		return string(bytes.Repeat([]byte("long "), w.rand.IntN(80)))
	}
	return words[w.rand.IntN(len(words))]
}

// width returns how many bytes to write n in, of 0 to largest: mostly as few as possible.
func (w *careless) head(short byte, fits bool, first byte, widths []int, n int) {
	if fits && !w.one(10) {
		w.out = append(w.out, short|byte(n))
		return
	}
	i := 0
	for int64(n) >= 1<<(8*widths[i]) || w.one(10) && i < len(widths)-1 {
		i++
	}
	w.out = append(w.out, first+byte(i))
	number := binary.BigEndian.AppendUint32(nil, uint32(n))
	w.out = append(w.out, number[4-widths[i]:]...)
}

func (w *careless) str(text string) {
	w.head(0xa0, len(text) < 32, 0xd9, []int{1, 2, 4}, len(text))
	w.out = append(w.out, text...)
}

func (w *careless) bin(n int) {
	w.head(0, false, 0xc4, []int{1, 2, 4}, n)
	for range n {
		w.out = append(w.out, byte(w.rand.Uint32()))
	}
}

func (w *careless) array(n int)   { w.head(0x90, n < 16, 0xdc, []int{2, 4}, n) }
func (w *careless) mapping(n int) { w.head(0x80, n < 16, 0xde, []int{2, 4}, n) }

func (w *careless) int(size int, signed bool) {
	bits := w.rand.IntN(8 * size)
	if w.one(30) {
		bits = w.rand.IntN(64)
	}
	n := w.rand.Uint64() >> (63 - bits)
	if signed {
		n >>= 1
		if w.one(3) {
			n = -n
		}
	}
	switch width := w.rand.IntN(12); {
	case n <= 127 && width > 1 || int64(n) < 0 && int64(n) >= -32 && width > 1:
		w.out = append(w.out, byte(n))
	case width == 0:
		w.out = append(w.out, 0xcb)
		w.out = binary.BigEndian.AppendUint64(w.out, math.Float64bits(float64(int64(n))))
	case int64(n) < 0 && signed && int64(n) >= math.MinInt16:
		w.out = append(w.out, 0xd1, byte(n>>8), byte(n))
	case int64(n) < 0 && signed:
		w.out = binary.BigEndian.AppendUint64(append(w.out, 0xd3), n)
	case n <= math.MaxUint16 && width < 11:
		w.out = append(w.out, 0xcd, byte(n>>8), byte(n))
	case n <= math.MaxUint32 && width < 11:
		w.out = binary.BigEndian.AppendUint32(append(w.out, 0xce), uint32(n))
	default:
		w.out = binary.BigEndian.AppendUint64(append(w.out, 0xcf), n)
	}
}

func (w *careless) float() {
	switch w.rand.IntN(6) {
	case 0:
		w.int(8, true)
	case 1:
		w.out = binary.BigEndian.AppendUint32(append(w.out, 0xca), math.Float32bits(w.rand.Float32()))
	case 2:
		special := []float64{math.NaN(), math.Inf(1), math.MaxFloat64, math.MaxFloat32, 0, math.Copysign(0, -1), 1 << 53, 3}
		w.out = binary.BigEndian.AppendUint64(append(w.out, 0xcb), math.Float64bits(special[w.rand.IntN(len(special))]))
	default:
		w.out = binary.BigEndian.AppendUint64(append(w.out, 0xcb), math.Float64bits(w.rand.NormFloat64()))
	}
}

func (w *careless) time() {
	switch w.rand.IntN(4) {
	case 0:
		w.out = binary.BigEndian.AppendUint32(append(w.out, 0xd6, 0xff), w.rand.Uint32())
	case 1:
		w.out = binary.BigEndian.AppendUint64(append(w.out, 0xd7, 0xff), uint64(w.rand.IntN(1_100_000_000))<<34|w.rand.Uint64()>>30)
	case 2:
		w.out = binary.BigEndian.AppendUint32(append(w.out, 0xc7, 12, 0xff), uint32(w.rand.IntN(1_100_000_000)))
		w.out = binary.BigEndian.AppendUint64(w.out, w.rand.Uint64()>>w.rand.IntN(40))
	default:
		w.out = append(w.out, 0xd6, 0xff, 1, 2, 3, 4)
	}
}
