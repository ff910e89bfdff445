package polypack_test

// Plan of the file: types that nobody has chosen, made by reflect.StructOf, and random values of them. Whatever the
// type:
//
//   - the engine, the plans and generated methods write the same bytes, in every mode, with records and without;
//   - each mode reads what each mode has written, and it comes back as the same canonical value;
//   - Decoder, streams and readers give what Unmarshal gives, however the stream is cut;
//   - damaged bytes are the same fault and leave the same in the target, which may hold values and pointers before.
//
// TestRandomTypes tries some, FuzzRandomTypes as many as there is time for.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
)

// Named bytes with methods, one for each kind of method.
type (
	byteOfText   uint8
	byteOfBinary uint8
	byteOfValue  uint8
	byteOfBytes  uint8
	namedByte    uint8 // without methods: its slices are bins
	bytesOfText  []byte
)

func (b byteOfText) MarshalText() ([]byte, error) {
	return []byte{'0' + byte(b)/64, '0' + byte(b)%64}, nil
}

func (b *byteOfText) UnmarshalText(text []byte) error {
	if len(text) != 2 {
		return fmt.Errorf("%d bytes", len(text))
	}
	*b = byteOfText((text[0]-'0')*64 + text[1] - '0')
	return nil
}

func (b byteOfBinary) MarshalBinary() ([]byte, error) { return []byte{byte(b), 0xff}, nil }

func (b *byteOfBinary) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		return io.ErrUnexpectedEOF
	}
	*b = byteOfBinary(data[0])
	return nil
}

func (b *byteOfValue) MarshalMsgpackTo(e *polypack.Encoder) error {
	return errors.Join(e.EncodeArrayHeader(2), e.EncodeUint(uint64(*b)), e.EncodeNil())
}

func (b *byteOfValue) UnmarshalMsgpackFrom(d *polypack.Decoder) error {
	if n, err := d.DecodeArrayHeader(); err != nil || n != 2 {
		return errors.Join(err, fmt.Errorf("%d elements", n))
	}
	n, err := d.DecodeUint()
	*b = byteOfValue(n)
	if err != nil {
		return err
	}
	return d.Skip()
}

func (b byteOfBytes) AppendMsgpack(dst []byte) ([]byte, error) {
	return append(dst, 0xcc, byte(b)), nil
}

func (b *byteOfBytes) UnmarshalMsgpack(data []byte) error {
	if len(data) != 2 {
		return fmt.Errorf("%d bytes", len(data))
	}
	*b = byteOfBytes(data[1])
	return nil
}

func (b bytesOfText) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%x", []byte(b)), nil }

func (b *bytesOfText) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text)+"\n", "%x\n", (*[]byte)(b))
	if len(text) == 0 {
		*b, err = bytesOfText{}, nil
	}
	return err
}

// faithfulTypes are what comes back from every mode as it went in, up to its canonical form.
var faithfulTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
	reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](),
	reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](),
	reflect.TypeFor[ownString](), reflect.TypeFor[time.Duration](), reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[[3]byte](), reflect.TypeFor[[0]byte](), reflect.TypeFor[ownBytes](), reflect.TypeFor[[]namedByte](),
	reflect.TypeFor[byteOfText](), reflect.TypeFor[[]byteOfText](), reflect.TypeFor[[2]byteOfText](), reflect.TypeFor[map[byteOfText]byteOfText](),
	reflect.TypeFor[byteOfBinary](), reflect.TypeFor[[]byteOfBinary](), reflect.TypeFor[[1]byteOfBinary](), reflect.TypeFor[map[byteOfBinary]int](),
	reflect.TypeFor[byteOfValue](), reflect.TypeFor[[]byteOfValue](), reflect.TypeFor[[2]byteOfValue](), reflect.TypeFor[[]byteOfBytes](),
	reflect.TypeFor[[3]byteOfBytes](), reflect.TypeFor[bytesOfText](), reflect.TypeFor[[]bytesOfText](),
	reflect.TypeFor[any](), reflect.TypeFor[[]any](), reflect.TypeFor[[2]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[any]any](),
	reflect.TypeFor[map[string]string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[map[string]int64](),
	reflect.TypeFor[map[string]float64](), reflect.TypeFor[map[string]bool](), reflect.TypeFor[map[ownString]any](),
	reflect.TypeFor[[]string](), reflect.TypeFor[[]int](), reflect.TypeFor[[]uint16](), reflect.TypeFor[[]float64](), reflect.TypeFor[[]bool](),
	reflect.TypeFor[polypack.Timestamp](), reflect.TypeFor[polypack.RawMessage](), reflect.TypeFor[polypack.Object](), reflect.TypeFor[polypack.Ext](),
	reflect.TypeFor[netip.Addr](), reflect.TypeFor[big.Int](), reflect.TypeFor[*big.Int](), reflect.TypeFor[heldTuple](), reflect.TypeFor[heldRest](),
	reflect.TypeFor[ownPointed](), reflect.TypeFor[struct{}](), reflect.TypeFor[gentest.Small](), reflect.TypeFor[gentest.Flat](),
	reflect.TypeFor[gentest.Words](), reflect.TypeFor[gentest.Inside](), reflect.TypeFor[gentest.Nested](), reflect.TypeFor[*gentest.Tree](),
	reflect.TypeFor[gentest.Omitted](), reflect.TypeFor[gentest.Wide](), reflect.TypeFor[gentest.Outside](),
}

// faithfulKeys are of the keys of maps. Those of kind float may be NaN, of which a map may have several.
var faithfulKeys = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[ownString](), reflect.TypeFor[int](), reflect.TypeFor[int8](),
	reflect.TypeFor[uint64](), reflect.TypeFor[bool](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[any](),
	reflect.TypeFor[[3]byte](), reflect.TypeFor[[2]int8](), reflect.TypeFor[byteOfText](), reflect.TypeFor[[2]byteOfText](),
	reflect.TypeFor[gentest.Small](), reflect.TypeFor[polypack.Timestamp](), reflect.TypeFor[netip.Addr](),
}

// faithfulType makes a type of such types, which nests at most depth deep.
func faithfulType(r *rand.Rand, depth int) reflect.Type {
	if depth == 0 || r.IntN(3) == 0 {
		return faithfulTypes[r.IntN(len(faithfulTypes))]
	}
	switch r.IntN(7) {
	case 0:
		return reflect.PointerTo(faithfulType(r, depth-1))
	case 1, 2:
		return reflect.SliceOf(faithfulType(r, depth-1))
	case 3:
		return reflect.ArrayOf(r.IntN(3), faithfulType(r, depth-1))
	case 4:
		return reflect.MapOf(faithfulKeys[r.IntN(len(faithfulKeys))], faithfulType(r, depth-1))
	}
	return faithfulStruct(r, depth-1)
}

// faithfulStruct makes a struct. Its names may be longer than the heads of a fixstr and of a str 8 can say.
func faithfulStruct(r *rand.Rand, depth int) reflect.Type {
	count := r.IntN(6)
	if r.IntN(6) == 0 {
		count = 14 + r.IntN(4) // around what a fixmap holds
	}
	fields := make([]reflect.StructField, count, count+1)
	for i := range fields {
		name := fmt.Sprint("n", i) + strings.Repeat("é", []int{0, 0, 1, 6, 7, 14, 15, 126, 127, 128, 200}[r.IntN(11)])
		fields[i] = reflect.StructField{
			Name: fmt.Sprint("F", i), Type: faithfulType(r, depth),
			Tag: reflect.StructTag(fmt.Sprintf(`msgpack:"%s%s"`, name, []string{"", "", "", ",omitempty", ",omitzero", ",omitempty,omitzero"}[r.IntN(6)])),
		}
	}
	if r.IntN(8) == 0 {
		fields = append(fields, reflect.StructField{Name: "_", Type: reflect.TypeFor[struct{}](), Tag: `msgpack:",as_array"`, PkgPath: "polypack_test"})
	} else if r.IntN(8) == 0 {
		rest := reflect.TypeFor[map[string]any]()
		if r.IntN(2) == 0 {
			rest = reflect.MapOf(reflect.TypeFor[ownString](), faithfulType(r, depth))
		}
		fields = append(fields, reflect.StructField{Name: "Rest", Type: rest, Tag: `msgpack:",inline"`})
	}
	return reflect.StructOf(fields)
}

// A giver gives values that come back: its text is UTF-8, and an interface holds no nil pointer, which would come back
// as a nil interface.
type giver struct{ content }

func (g *giver) text() string {
	n := g.next()
	length := []int{0, 1, 2, 7, 8, 9, 15, 16, 31, 32, 33, 254, 255, 256, 257, 300}[n%16]
	if length == 0 {
		return ""
	}
	text := []byte(strings.Repeat(string(rune('a'+g.next()%26)), length))
	if length > 2 && n > 128 {
		copy(text[length-2:], "é")
	}
	return string(text)
}

// anyValue returns a value for an interface. It comes back as one of the types that an any gets.
func (g *giver) anyValue(depth int) any {
	types := []reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[bool](),
		reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]byte](), reflect.TypeFor[time.Time](), reflect.TypeFor[uint64](),
		reflect.TypeFor[gentest.Small](), reflect.TypeFor[gentest.Nested](), reflect.TypeFor[map[int]string](), reflect.TypeFor[[]gentest.Small](),
	}
	k := g.next()
	if k%8 == 0 || depth <= 0 {
		return nil
	}
	v := reflect.New(types[k%len(types)]).Elem()
	g.fill(v, depth-1)
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			return nil
		}
	case reflect.Struct:
		if k%2 == 0 {
			return v.Addr().Interface()
		}
	}
	return v.Interface()
}

// anyKey returns a key that each mode takes, and that every engine compares alike.
func (g *giver) anyKey() any {
	switch g.next() % 5 {
	case 0:
		return int64(g.number())
	case 1:
		return g.next()%2 == 0
	case 2:
		return float64(g.next()) + 0.5
	case 3:
		return nil
	}
	return g.text()
}

func (g *giver) time() time.Time {
	return time.Unix(1+int64(g.number()>>30), int64(g.next())*1_000_003%1_000_000_000).UTC()
}

// fill gives v a value; below depth it remains zero.
func (g *giver) fill(v reflect.Value, depth int) {
	if !v.CanSet() || depth < 0 && v.Type() != reflect.TypeFor[polypack.Ext]() {
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = g.time()
		return
	case *polypack.RawMessage:
		*p = [][]byte{{0xc0}, {5}, {0x92, 0x41, 0xc3}, {0xcc, 0x50}, {0x81, 0xa1, 'k', 0x90}, {0xd6, 0xff, 0, 0, 0, 1}}[g.next()%6]
		return
	case *polypack.Timestamp:
		*p = polypack.Timestamp{Seconds: int64(g.number()), Nanoseconds: uint32(g.next())}
		return
	case *polypack.Ext:
		*p = polypack.Ext{Type: int8(g.next()%100 + 1), Data: []byte(g.text())}
		return
	case *polypack.Object:
		if g.next()%4 != 0 {
			*p = polypack.Object{}
			for i := range g.next() % 4 {
				*p = append(*p, polypack.Entry{Key: []any{g.text() + fmt.Sprint(i), i, []any{int64(i)}}[g.next()%3], Value: g.anyValue(depth - 1)})
			}
		}
		return
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{byte(g.next()), 1, 2, byte(g.next())})
		return
	case *big.Int:
		p.SetUint64(g.number())
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.next()%2 == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(g.number()) >> (g.next() % 64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(g.number())
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(g.number() << (g.next() % 32)))))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(g.number() << (g.next() % 64)))
	case reflect.String:
		v.SetString(g.text())
	case reflect.Interface:
		if value := g.anyValue(depth); value != nil {
			v.Set(reflect.ValueOf(value))
		}
	case reflect.Pointer:
		if g.next()%4 != 0 && (depth > 0 || v.Type().Elem().Kind() != reflect.Pointer) {
			p := reflect.New(v.Type().Elem())
			if g.fill(p.Elem(), depth-1); p.Elem().Kind() != reflect.Pointer || !p.Elem().IsNil() {
				v.Set(p)
			}
		}
	case reflect.Slice:
		if n := g.next(); n%5 != 0 {
			v.Set(reflect.MakeSlice(v.Type(), n%17/3, n%17/3))
			for i := range v.Len() {
				g.fill(v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			g.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		g.fillMap(v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			g.fill(v.Field(i), depth-1)
		}
	}
}

func (g *giver) fillMap(v reflect.Value, depth int) {
	n := g.next()
	if n%5 == 0 {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n % 13 / (4 - min(max(depth, 0), 3)) {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		switch key.Kind() {
		case reflect.Interface:
			if k := g.anyKey(); k != nil {
				key.Set(reflect.ValueOf(k))
			}
		case reflect.Float32, reflect.Float64:
			key.SetFloat(float64(g.next()) - 100.5)
		default:
			g.fill(key, 2)
		}
		g.fill(elem, depth-1)
		v.SetMapIndex(key, elem)
	}
}

// randomWays are options for writing and reading. Those that agree in records read what the others have written.
var randomWays = []struct {
	records string
	opts    []polypack.Option
}{
	{"", nil}, {"", []polypack.Option{polypack.Strict}}, {"", []polypack.Option{polypack.Lossless}},
	{"", []polypack.Option{polypack.Config{MaxStringLen: 1 << 20, MaxArrayLen: 1 << 20}, polypack.Strings(polypack.StringsSeparate)}},
	{"inline", []polypack.Option{inline}}, {"inline", []polypack.Option{inline, polypack.Strict}}, {"inline", []polypack.Option{inline, polypack.Lossless}},
	{"shared", []polypack.Option{fuzzShared}}, {"shared", []polypack.Option{fuzzShared, polypack.Strict}},
}

var engineOnly = polypack.EngineOnly()

// checkRandomType asserts the four things for one value of one type.
func checkRandomType(t *testing.T, typ reflect.Type, g giver) {
	t.Helper()
	v := reflect.New(typ)
	g.fill(v.Elem(), 6)
	// Fields that are left out may make the struct around them zero, so that it is left out the next time.
	var canonical []byte
	for range 8 {
		data := writtenAlike(t, v.Interface(), nil)
		back := reflect.New(typ)
		if err := polypack.Unmarshal(data, back.Interface()); err != nil {
			t.Fatalf("%.400s\n% x: %v", typ, data, err)
		}
		var err error
		canonical, err = polypack.Canonicalize(data)
		again, errBack := polypack.MarshalCanonical(back.Interface())
		if err = errors.Join(err, errBack); err != nil {
			t.Fatalf("%.400s\n% x: %v", typ, data, err)
		}
		if bytes.Equal(again, canonical) {
			break
		}
		v = back
	}
	written := make([][]byte, len(randomWays))
	for i, way := range randomWays {
		written[i] = writtenAlike(t, v.Interface(), way.opts)
	}
	for i, data := range written {
		if got, err := polypack.Canonicalize(data, randomWays[i].opts...); err != nil || !bytes.Equal(got, canonical) {
			t.Fatalf("%.400s\nwith %v: % x\nis % x, %v\ninstead of % x", typ, randomWays[i].opts, data, got, err, canonical)
		}
		for _, way := range randomWays {
			if way.records == randomWays[i].records {
				readsBack(t, typ, data, canonical, way.opts)
			}
		}
	}
	streamsBack(t, typ, written[0], canonical, nil)
	streamsBack(t, typ, written[4], canonical, randomWays[4].opts)
	var foreign any
	if err := polypack.Unmarshal(written[0], &foreign, polypack.Lossless); err != nil {
		t.Fatalf("%.400s\n% x into an any: %v", typ, written[0], err)
	}
	if got, err := polypack.MarshalCanonical(foreign); err != nil || !bytes.Equal(got, canonical) {
		t.Fatalf("%.400s\n% x through an any: % x, %v\ninstead of % x", typ, written[0], got, err, canonical)
	}
	for i := range randomWays {
		damagedAlike(t, typ, written[i], randomWays[i].opts)
	}
}

// writtenAlike returns what all engines write.
func writtenAlike(t *testing.T, v any, opts []polypack.Option) []byte {
	t.Helper()
	want, err := polypack.Marshal(v, with(opts, polypack.PlansOnly())...)
	if err != nil {
		t.Fatalf("%.400T\nwith %v: %v", v, opts, err)
	}
	for _, engine := range [][]polypack.Option{opts, with(opts, engineOnly)} {
		if got, err := polypack.Marshal(v, engine...); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%.400T\nwith %v: %v\n%s\nplans write\n%s", v, engine, err, differing(got, want), differing(want, got))
		}
	}
	e := polypack.NewEncoder(nil, opts...)
	var stream bytes.Buffer
	if err := errors.Join(e.Encode(v), polypack.NewStreamEncoder(&stream, opts...).Encode(v)); err != nil {
		t.Fatalf("%.400T\nwith %v: %v", v, opts, err)
	}
	for _, got := range [][]byte{e.Bytes(), stream.Bytes()} {
		if !bytes.Equal(got, want) {
			t.Fatalf("%.400T\nwith %v: %s\nplans write\n%s", v, opts, differing(got, want), differing(want, got))
		}
	}
	return want
}

// readsBack asserts that all engines read data into the type, and that it has the canonical form then.
func readsBack(t *testing.T, typ reflect.Type, data, canonical []byte, opts []polypack.Option) {
	t.Helper()
	for _, engine := range [][]polypack.Option{opts, with(opts, engineOnly), with(opts, polypack.PlansOnly())} {
		back := reflect.New(typ)
		if err := polypack.Unmarshal(data, back.Interface(), engine...); err != nil {
			t.Fatalf("%.400s\n% x\nwith %v: %v", typ, data, engine, err)
		}
		wantCanonicalForm(t, back.Interface(), canonical, fmt.Sprint(engine))
	}
}

func wantCanonicalForm(t *testing.T, v any, canonical []byte, about string) {
	t.Helper()
	if got, err := polypack.MarshalCanonical(v); err != nil || !bytes.Equal(got, canonical) {
		t.Fatalf("%.400T\n%s: %v\ncomes back as %s\ninstead of    %s", v, about, err, differing(got, canonical), differing(canonical, got))
	}
}

// streamsBack reads two messages in every other way.
func streamsBack(t *testing.T, typ reflect.Type, data, canonical []byte, opts []polypack.Option) {
	t.Helper()
	both := append(bytes.Clone(data), data...)
	s := polypack.NewStreamDecoder(&cutReader{both, 1 + len(data)%5}, opts...)
	d := polypack.NewDecoder(both, opts...)
	for range 2 {
		streamed, decoded := reflect.New(typ).Interface(), reflect.New(typ).Interface()
		if err := errors.Join(s.Decode(streamed), d.Decode(decoded)); err != nil {
			t.Fatalf("%.400s\n% x: %v", typ, data, err)
		}
		wantCanonicalForm(t, streamed, canonical, "a stream")
		wantCanonicalForm(t, decoded, canonical, "a Decoder")
	}
	var end any
	if err := errors.Join(d.Finish(), d.Skip()); !errors.Is(err, polypack.CodeUnexpectedEnd) || s.Decode(&end) != io.EOF {
		t.Fatalf("%.400s\n% x: %v after the end", typ, data, err)
	}
	read := reflect.New(typ).Interface()
	var raw polypack.RawMessage
	if err := errors.Join(polypack.UnmarshalRead(bytes.NewReader(data), read, opts...), polypack.Unmarshal(data, &raw, opts...)); err != nil {
		t.Fatalf("%.400s\n% x: %v", typ, data, err)
	}
	wantCanonicalForm(t, read, canonical, "a reader")
	unpacked := reflect.New(typ).Interface()
	if err := raw.Unmarshal(unpacked, opts...); err != nil {
		t.Fatalf("%.400s\n% x: %v", typ, raw, err)
	}
	wantCanonicalForm(t, unpacked, canonical, "a RawMessage")
}

// damagedAlike changes a byte or cuts data, and reads it into targets that have values and pointers already. The
// engines must find the same fault, and leave the same.
func damagedAlike(t *testing.T, typ reflect.Type, data []byte, opts []polypack.Option) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(len(data)), uint64(data[len(data)/2])))
	for damage := range 3 {
		g := giver{randomBytes(r, 500)}
		damaged := bytes.Clone(data)
		at := (g.next()<<8 | g.next()) % len(data)
		switch damage {
		case 1:
			damaged = damaged[:at]
		case 2:
			damaged[at] ^= 1 << (g.next() % 8)
		}
		targets := [3]any{}
		for i := range targets {
			target := reflect.New(typ)
			before := g
			if damage == 0 { // then maps have the keys of the message
				_ = polypack.Unmarshal(data, target.Interface(), with(opts, polypack.PlansOnly())...)
			} else {
				before.fill(target.Elem(), 3)
			}
			before.hold(target.Elem(), 5)
			targets[i] = target.Interface()
		}
		sameDecoding(t, damaged, targets[0], targets[1], opts...)
		again := targets[2]
		err := polypack.Unmarshal(damaged, again, with(opts, engineOnly)...)
		if wantErr := polypack.Unmarshal(damaged, reflect.New(typ).Interface(), opts...); err == nil && wantErr != nil {
			t.Fatalf("%.400s\n% x\nfails with %v only into nothing", typ, damaged, wantErr)
		}
	}
}

// hold puts pointers into some of the interfaces in v, and fills what they point to.
func (g *giver) hold(v reflect.Value, depth int) {
	if !v.CanSet() || depth < 0 {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		if k := g.next(); v.NumMethod() == 0 && k%3 != 0 {
			v.Set(g.held(k, depth-1))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			g.hold(v.Elem(), depth-1)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			g.hold(v.Index(i), depth-1)
		}
	case reflect.Map:
		// The order of a map is random, and each target must get the same pointers.
		if v.Type().Elem().Kind() == reflect.Interface && v.Len() > 0 {
			target := g.held(g.next(), depth-1)
			for it := v.MapRange(); it.Next(); {
				v.SetMapIndex(it.Key(), target)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			g.hold(v.Field(i), depth-1)
		}
	}
}

// held returns a pointer to a value that often fits what an any gets.
func (g *giver) held(k, depth int) reflect.Value {
	types := []reflect.Type{
		reflect.TypeFor[any](), reflect.TypeFor[*any](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[float64](),
		reflect.TypeFor[[]any](), reflect.TypeFor[[2]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[gentest.Small](),
		reflect.TypeFor[gentest.Nested](), reflect.TypeFor[time.Time](), reflect.TypeFor[byteOfText](), reflect.TypeFor[heldRest](),
	}
	target := reflect.New(types[k%len(types)])
	g.fill(target.Elem(), depth)
	g.hold(target.Elem(), depth)
	return target
}

// FuzzRandomTypes has a limited number of types, because they are kept for ever.
func FuzzRandomTypes(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 32 {
		f.Add(uint64(i), randomBytes(r, 40*i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		checkRandomType(t, faithfulStruct(rand.New(rand.NewPCG(seed%512, 8)), 3), giver{content(data[:min(len(data), 2000)])})
	})
}

func randomBytes(r *rand.Rand, n int) []byte {
	data := make([]byte, 0, n+8)
	for len(data) < n {
		data = binary.LittleEndian.AppendUint64(data, r.Uint64())
	}
	return data[:n]
}

func TestRandomTypes(t *testing.T) {
	t.Parallel()
	rounds := 80
	if fewRounds() {
		rounds = 6
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	for range rounds {
		typ := faithfulStruct(r, 3)
		for range 3 {
			checkRandomType(t, typ, giver{randomBytes(r, r.IntN(600))})
		}
	}
}
