//go:build !purego

package polypack_test

// Generated methods against the plans: the same bytes, the same values, the same errors, and after an error the same
// rest of a value in the target.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
	"github.com/polypack/polypack/go/internal/gentest/tagged"
	"github.com/polypack/polypack/go/internal/wire"
)

// generatedTargets returns fresh targets with generated methods somewhere.
func generatedTargets() []any {
	return []any{new(gentest.Small), new(gentest.Every), new(gentest.Nested), new(gentest.Tree), new(gentest.Omitted), new(gentest.Wide),
		new(gentest.Conflicts), new(gentest.Other), new(gentest.Stale), new(gentest.None), new(gentest.Marked),
		new(gentest.Flat), new(gentest.Words), new(gentest.Inside), new(gentest.Money),
		new(gentest.Pointed), new(gentest.Shelf), new(gentest.Loose), new(gentest.Bag), new(gentest.Book), new(gentest.Page[string]), new(gentest.Pair[int, gentest.Loose]),
		new([]gentest.Loose), new(map[string]*gentest.Shelf), new([]gentest.Small), new([]*gentest.Tree),
		new(map[string]gentest.Omitted), new(map[int]*gentest.Wide), new([2]gentest.Nested), new(map[string][]gentest.Tree),
		new(struct{ V gentest.Small }), new(struct{ gentest.Small }), new(*gentest.Nested)}
}

func generatedOptions() [][]polypack.Option {
	return append(engineOptions(), []polypack.Option{polypack.EngineOnly()}, []polypack.Option{polypack.Strings(polypack.StringsZeroCopy)})
}

// TestGeneratedMethodsAreUsed would notice if all the tests below compared plans with plans.
func TestGeneratedMethodsAreUsed(t *testing.T) {
	for _, v := range []any{gentest.Small{}, gentest.Every{}, gentest.Nested{}, gentest.Tree{}, gentest.Omitted{}, gentest.Wide{},
		gentest.Conflicts{}, gentest.Other{}, gentest.None{}, gentest.Money{}, gentest.Marked{}, gentest.Flat{}, gentest.Words{}, gentest.Inside{},
		gentest.Zeros{}, gentest.Changing{}, gentest.Pointed{}, gentest.Shelf{}, gentest.Loose{}, gentest.Bag{}, gentest.Book{}, gentest.Page[gentest.Loose]{}, gentest.Pair[bool, any]{}} {
		if !polypack.UsesGenerated(v) {
			t.Errorf("the methods of %T are not used", v)
		}
	}
	for _, v := range []any{gentest.Stale{}, gentest.OldPart{}, gentest.OldZero{}, gentest.Outside{}, struct{ gentest.Small }{}} {
		if polypack.UsesGenerated(v) {
			t.Errorf("the methods of %T are used", v)
		}
	}
}

func TestGeneratedDecode(t *testing.T) {
	t.Parallel()
	againstPlans(t, generatedTargets, generatedOptions(), 1000)
}

func FuzzGeneratedDecode(f *testing.F) {
	addSeeds(f)
	w := careless{rand: rand.New(rand.NewPCG(3, 4))}
	for _, target := range generatedTargets() {
		for range sample([]int{1, 2, 3}, 3) {
			w.out = nil
			w.write(reflect.TypeOf(target).Elem(), 0)
			f.Add(bytes.Clone(w.out))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range sample(generatedOptions(), 4) {
			slow := generatedTargets()
			for i, fast := range generatedTargets() {
				sameDecoding(t, data, fast, slow[i], opts...)
				sameEncoding(t, fast)
			}
		}
	})
}

// These types have the generated methods of an embedded field, whose shape is theirs, too.
type (
	shadowing struct {
		Name string
		Age  int
		gentest.Small
	}
	besides struct {
		Name          string
		Age           int
		gentest.Small `msgpack:"-"`
	}
	byPointer struct {
		Name           string
		Age            int
		*gentest.Small `msgpack:"-"`
	}
	byInterface struct {
		Name           string
		Age            int
		wire.Embedding `msgpack:"-"`
	}
	twiceOver struct {
		Name    string
		Age     int
		besides `msgpack:"-"`
	}
	besidesGeneric[T any] struct {
		Name          string
		Age           int
		gentest.Small `msgpack:"-"`
		_             T
	}
	besidesRest struct {
		All         map[string]gentest.Small `msgpack:",inline"`
		gentest.Bag `msgpack:"-"`
	}
)

// TestGeneratedPromoted has structs that aren't generated and embed ones that are: their methods are of another type.
func TestGeneratedPromoted(t *testing.T) {
	small := gentest.Small{Name: "inner", Age: 1}
	promoted(t, shadowing{"outer", 2, small})
	promoted(t, besides{"outer", 2, small})
	promoted(t, byPointer{"outer", 2, nil})
	promoted(t, byPointer{"outer", 2, &small})
	promoted(t, byInterface{"outer", 2, nil})
	promoted(t, byInterface{"outer", 2, new(gentest.Conflicts)})
	promoted(t, twiceOver{"outer", 2, besides{"middle", 3, small}})
	promoted(t, besidesGeneric[string]{"outer", 2, small, ""})
	promoted(t, besidesRest{map[string]gentest.Small{"outer": small}, gentest.Bag{All: map[string]gentest.Small{"inner": small}}})
	promoted(t, struct {
		Name          string
		Age           int
		gentest.Small `msgpack:"-"`
	}{"outer", 2, small})
}

// promoted encodes and decodes v by the engine and by plans.
func promoted[T any](t *testing.T, v T) {
	t.Helper()
	if polypack.UsesGenerated(v) {
		t.Errorf("the methods of %T are used", v)
	}
	for _, opts := range generatedOptions() {
		for _, placed := range everyWay(v) {
			got, err := polypack.Marshal(placed, opts...)
			want, wantErr := polypack.Marshal(placed, with(opts, polypack.PlansOnly())...)
			if !sameError(err, wantErr) || !bytes.Equal(got, want) {
				t.Errorf("%T: % x, %v, plans % x, %v", placed, got, err, want, wantErr)
			}
			fast, slow := reflect.New(reflect.TypeOf(placed)), reflect.New(reflect.TypeOf(placed))
			err = polypack.Unmarshal(want, fast.Interface(), opts...)
			wantErr = polypack.Unmarshal(want, slow.Interface(), with(opts, polypack.PlansOnly())...)
			if !sameError(err, wantErr) || !sameValue(fast, slow) {
				t.Errorf("%T: %+v, %v, plans %+v, %v", placed, fast.Elem(), err, slow.Elem(), wantErr)
			}
		}
	}
}

// TestGeneratedPointers has fields to which the library can't encode a pointer.
func TestGeneratedPointers(t *testing.T) {
	if !polypack.UsesGenerated(gentest.Looping{}) || !polypack.UsesGenerated(gentest.Far{}) {
		t.Fatal("the methods are not used")
	}
	looping := gentest.Looping{Name: "loop"}
	looping.Left = &looping.Left
	far := gentest.Far{}
	at := reflect.ValueOf(&far.Far).Elem()
	for at.Kind() == reflect.Pointer {
		at.Set(reflect.New(at.Type().Elem()))
		at = at.Elem()
	}
	for _, v := range []any{gentest.Looping{}, looping, gentest.Far{}, far} {
		for _, opts := range generatedOptions() {
			for _, placed := range everyWay(v) {
				sameEncoding(t, placed, opts...)
			}
			sameEncoding(t, v, opts...)
		}
	}
	for _, data := range []string{"\x81\xa4Loop\xc0", "\x81\xa4Loop\x01", "\x81\xa4Left\xc0", "\x81\xa3Far\xc0", "\x81\xa3Far\x07", "\x81\xa3Far\xa0",
		"\x82\xa4Name\xa1a\xa4Loop\x80", "\x82\xa1x\x01\xa3Far\x07"} {
		for _, opts := range generatedOptions() {
			sameDecoding(t, []byte(data), new(gentest.Looping), new(gentest.Looping), opts...)
			sameDecoding(t, []byte(data), new(gentest.Far), new(gentest.Far), opts...)
			sameDecoding(t, []byte("\x91"+data), new([]gentest.Far), new([]gentest.Far), opts...)
			sameDecoding(t, []byte("\x91"+data), new([]*gentest.Looping), new([]*gentest.Looping), opts...)
		}
	}
}

// TestDirectDamaged reads messages that end too soon or have a wrong byte, and messages with something behind them.
func TestDirectDamaged(t *testing.T) {
	t.Parallel()
	for _, v := range flatValues() {
		data, err := v.AppendPolypack(nil)
		if err != nil {
			t.Fatal(err)
		}
		check := func(data []byte) {
			zero := func() any { return reflect.New(reflect.TypeOf(v).Elem()).Interface() }
			sameDecoding(t, data, zero(), zero())
		}
		check(append(bytes.Clone(data), 0xc0))
		for i := range data {
			check(data[:i])
			if (len(data) > 256 || testing.Short()) && i%16 > 0 { // the long ones are mostly text
				continue
			}
			for _, b := range []byte{0, 0x7f, 0x80, 0xa0, 0xa1, 0xbf, 0xc0, 0xc1, 0xc3, 0xca, 0xcb, 0xcf, 0xd3, 0xd4, 0xd7, 0xd9, 0xda, 0xff, data[i] ^ 1, data[i] + 1} {
				damaged := bytes.Clone(data)
				damaged[i] = b
				check(damaged)
			}
		}
	}
}

// FuzzDirectDecode is FuzzGeneratedDecode for the flat structs only, for which UnmarshalPolypack has code of its own.
func FuzzDirectDecode(f *testing.F) {
	for _, v := range flatValues() {
		data, err := v.AppendPolypack(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range []func() any{func() any { return new(gentest.Small) }, func() any { return new(gentest.Money) },
			func() any { return new(gentest.Words) }, func() any { return new(gentest.Flat) }} {
			fast := v()
			sameDecoding(t, data, fast, v())
			sameEncoding(t, fast)
		}
	})
}

// generatedValues returns values with generated methods: zero ones, full ones, and what a random reading leaves behind.
func generatedValues() []any {
	one, text, name := 1, gentest.Text("t"), "s"
	pointer := &one
	now := time.Unix(1e9, 5).UTC()
	tree := &gentest.Tree{Title: "root", Children: []*gentest.Tree{{Title: "a", Link: "/"}, nil, {Children: []*gentest.Tree{}}}}
	full := gentest.Every{
		Scalars: gentest.Scalars{Bool: true, Int: -1, Int8: -128, Int16: -129, Int32: -32769, Int64: math.MinInt64, Uint: 255, Uint8: 128,
			Uint16: 65535, Uint32: 65536, Uint64: math.MaxUint64, Ptr: 127, F32: 1.5, F64: math.NaN(), String: "text",
			Long: strings.Repeat("long", 100), Umlaut: "ü"},
		Bytes: []byte{}, Array: [5]byte{1}, Time: now, When: &now,
		PInt: &one, PText: &text, PSmall: &gentest.Small{Name: "p"}, PSlice: &[]string{"x"}, PDouble: &pointer,
		Strings: []string{"", strings.Repeat("y", 300)}, Ints: []int{1, -1000}, Int8s: []int8{-5}, Uint16s: []uint16{1, 300}, Uints: []uint{7},
		Floats: []float64{math.NaN(), 1}, Float32: []float32{float32(math.NaN())}, Bools: []bool{true, false}, Times: []time.Time{now, {}},
		Blobs: [][]byte{nil, {}, {1}}, Hashes: []gentest.Hash{{1, 2}}, Grid: [][]int32{nil, {1}, {}}, Words: [][]string{{"a"}, nil},
		Cubes: [2][3]string{{"q"}}, Smalls: []gentest.Small{{Name: "a", Age: 1}, {}}, PSmalls: []*gentest.Small{nil, {Name: "b", Age: 2}}, PPs: []*string{&name, nil},
		Any: gentest.Small{Name: "in an any"}, Anys: []any{1, &gentest.Small{}, nil},
		SS: map[string]string{"b": "1", "a": "2"}, SA: map[string]any{"x": []int{1}}, SI: map[gentest.Text]int{"z": 1},
		SSmall: map[string]gentest.Small{"k": {Name: "n", Age: 1}, "j": {}}, SPSmall: map[gentest.Text]*gentest.Small{"k": nil, "l": {}},
		SSlice: map[string][]gentest.Small{"": nil, "e": {}}, IS: map[int]string{1: "x"},
		Ext: polypack.Ext{Type: 5, Data: []byte{1}}, Addr: netip.MustParseAddr("::1"), Level: 3, Outer: []gentest.Outside{{A: 1}},
	}
	full.Named.Texts, full.Named.Took, full.Named.Hash = gentest.Texts{"x"}, time.Second, gentest.Hash{9}
	nested := &gentest.Nested{Label: "a", Left: &gentest.Nested{Any: &gentest.Nested{Label: "deep"}}, All: []gentest.Nested{{}, {Label: "x"}},
		Named: map[string]*gentest.Nested{"n": {}, "m": nil}, More: [][]*gentest.Nested{{nil, {}}, nil}, Pair: &[2]*gentest.Nested{{}, nil}}
	values := []any{tree, &full, nested, &gentest.Omitted{Money: gentest.Money{Cents: 99}, Float: math.Copysign(0, -1), Float32: float32(math.Copysign(0, -1))},
		&gentest.Omitted{Slice: []int{}, Slice0: []int{}, Time0: now, Any: 1, Both: "x", Map: map[string]int{"a": 1}, Money: gentest.Money{Cents: 3}},
		&gentest.Wide{I: "x", Q: []string{}, T: &one}, &gentest.Wide{J: 1, Q: []string{"q"}, S: [3]uint8{1}}}
	ratio := float32(1.5)
	values = append(values, &gentest.Inside{Bools: [3]bool{true, false, true}, Uints: [2]uint16{1, 65535}, Ratio: &ratio, When: &now,
		Shares: map[string]float64{"b": 1, "a": math.NaN()}, Flags: map[string]bool{"on": true, "off": false}})
	early := time.Time{}.In(time.FixedZone("x", 3600))
	small := &gentest.Small{Name: "s", Age: 1}
	values = append(values, &gentest.Pointed{Small: small, Smalls: []gentest.SmallPointer{nil, small}, By: map[string]gentest.SmallPointer{"a": small},
		Int: &one, When: &early, Pay: &gentest.Money{Cents: 99}}, &gentest.Pointed{When: &now, Pay: &gentest.Money{Cents: 1}})
	values = append(values, &gentest.Zeros{}, &gentest.Omitted{Time: early, Time0: early},
		&gentest.Zeros{Rank: 42, Whole: gentest.Whole{Money: gentest.Money{Cents: 99}}, Late: early},
		&gentest.Zeros{Rank: 1, Whole: gentest.Whole{Money: gentest.Money{Cents: 98}}, Pay: &gentest.Money{Cents: 99}})
	values = append(values, layoutValues()...)
	return append(values, generatedTargets()...)
}

// layoutValues returns values whose layout tags and type parameters decide.
func layoutValues() []any {
	small := gentest.Small{Name: "Ada", Age: 36}
	loose := gentest.Loose{ID: 1, Money: gentest.Money{Cents: 5}, Rest: map[gentest.Text]any{"b": 1, "a": small, "ID": "shadowed", "others": "an alias"}}
	shelf := &gentest.Shelf{Label: "l", First: small, Row: []gentest.Small{small, {}}, Ends: &[2]*gentest.Small{&small, nil},
		ByName: map[string][]*gentest.Outside2{"x": {{A: 1, B: []gentest.Loose{loose, {}}}, nil}, "y": nil}, Next: &gentest.Shelf{Label: "next"}}
	many := gentest.Loose{Rest: map[gentest.Text]any{}}
	for i := range 20 {
		many.Rest[gentest.Text(strings.Repeat("k", i+1))] = []any{i, nil}
	}
	pair := gentest.Pair[gentest.Text, any]{Key: "k", Value: loose, Count: 2, Same: map[gentest.Text]any{"s": shelf}}
	return []any{shelf, &loose, &many, &gentest.Loose{Parts: gentest.Parts{Shelf: shelf, More: []gentest.Loose{loose, {}}, By: map[string]gentest.Loose{"": loose}}},
		&gentest.Bag{All: map[string]gentest.Small{"z": small, "": {}}}, &pair,
		&gentest.Page[gentest.Small]{Number: 1, Items: []gentest.Small{small}, First: small, By: map[string]*gentest.Small{"n": nil, "s": &small},
			Next: &gentest.Page[gentest.Small]{Name: "last"}, Box: gentest.Pair[string, gentest.Small]{Key: "b", Value: small, Same: map[string]gentest.Small{"s": small}}},
		&gentest.Book{Numbers: &gentest.Page[gentest.Number]{First: -5, Items: []gentest.Number{1, 300}}, Pages: []gentest.Page[gentest.Page[*gentest.Flat]]{{}},
			Pairs: map[string]gentest.Pair[gentest.Text, any]{"p": pair}, Bags: []*gentest.Bag{nil, {All: map[string]gentest.Small{"b": small}}}}}
}

// TestGeneratedLayouts damages the encodings of such values, and adds entries that no field has.
func TestGeneratedLayouts(t *testing.T) {
	t.Parallel()
	options := sample([][]polypack.Option{nil, {polypack.MaxDepth(2)}, {polypack.Strings(polypack.StringsSeparate)}, {polypack.RejectUnknown(true)},
		{polypack.MaxValues(40)}, {polypack.Strict}, {polypack.Records(polypack.RecordsInline)}}, 3)
	for _, v := range layoutValues() {
		data, err := polypack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		messages := [][]byte{data}
		for _, entry := range []string{"\xa1u\x05", "\xc4\x01u\xc0", "\x07\x01", "\xa1u\xc1", "\xa6others\x91\x80", "\xa4line\x92\x80\x92\xa1n\x07", "\xa4line\x91\xc1"} {
			longer := append(bytes.Clone(data), entry...)
			longer[0]++ // a fixmap, or else it becomes another head, which is as good
			messages = append(messages, longer)
		}
		for _, message := range messages {
			for i, opts := range options {
				for end := len(message) - len(message)*min(i, 1)/16; end <= len(message); end++ {
					zero := func() any { return reflect.New(reflect.TypeOf(v).Elem()).Interface() }
					sameDecoding(t, message[:end], zero(), zero(), opts...)
				}
			}
		}
		for i := range data {
			if fewRounds() && i%4 > 0 {
				continue
			}
			for _, b := range []byte{0x91, 0xc1, data[i] ^ 1} {
				damaged := bytes.Clone(data)
				damaged[i] = b
				zero := func() any { return reflect.New(reflect.TypeOf(v).Elem()).Interface() }
				sameDecoding(t, damaged, zero(), zero())
			}
		}
	}
}

// TestGeneratedUnknown puts entries that no field has between the fields. ReadEntry gives back nothing of the engine's
// state; so what generated code reads next must not depend on it.
func TestGeneratedUnknown(t *testing.T) {
	t.Parallel()
	unknown := polypack.Object{{Key: "unknown", Value: []any{map[string]any{"a": "text", "b": []any{1, 2.5}}, polypack.Ext{Type: 5, Data: []byte{1}}}},
		{Key: 7, Value: "text"}, {Key: []byte("bin"), Value: nil}, {Key: "more", Value: strings.Repeat("x", 300)}}
	for _, v := range generatedValues() {
		var fields, mixed polypack.Object
		if data, err := polypack.Marshal(v); err != nil || polypack.Unmarshal(data, &fields) != nil {
			continue // a slice or map of structs
		}
		for i, field := range fields {
			more := unknown[i%len(unknown)]
			if text, ok := more.Key.(string); ok {
				more.Key = text + strings.Repeat("x", i)
			} else {
				more.Key = []any{i, true}
			}
			mixed = append(mixed, more, field)
		}
		data, err := polypack.Marshal(mixed)
		if err != nil {
			t.Fatal(err)
		}
		step := 1 + len(data)/100
		for end := len(data); end >= 0; end -= step {
			zero := func() any { return reflect.New(reflect.TypeOf(v).Elem()).Interface() }
			sameDecoding(t, data[:end], zero(), zero())
			sameDecoding(t, append(bytes.Clone(data[:end]), 0xdd, 0, 0, 1, 0, 0xc1), zero(), zero())
		}
	}
}

func TestGeneratedEncode(t *testing.T) {
	t.Parallel()
	for _, v := range sample(generatedValues(), 5) {
		for _, opts := range [][]polypack.Option{nil, {polypack.NilAsEmpty(true)}, {polypack.MaxDepth(2)}, {polypack.MaxDepth(0)}, {polypack.EngineOnly()},
			{polypack.Records(polypack.RecordsInline)}} {
			for _, placed := range everyWay(v) {
				sameEncoding(t, placed, opts...)
			}
			for _, placed := range everyWay(reflect.ValueOf(v).Elem().Interface()) {
				sameEncoding(t, placed, opts...)
			}
		}
	}
}

// TestGeneratedEncodeRandom encodes what random input has left in a value.
func TestGeneratedEncodeRandom(t *testing.T) {
	rounds := 1000
	if fewRounds() {
		rounds = 100
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	w := careless{rand: rand.New(rand.NewPCG(seed, 0))}
	for range rounds {
		targets := generatedTargets()
		v := targets[w.rand.IntN(len(targets))]
		w.out = nil
		w.write(reflect.TypeOf(v).Elem(), 0)
		polypack.Unmarshal(w.out, v) // whatever has arrived will do
		sameEncoding(t, v)
	}
}

// TestGeneratedLongText has strings too long to be reserved together with others.
func TestGeneratedLongText(t *testing.T) {
	t.Parallel()
	if fewRounds() {
		t.Skip("encodes and decodes strings of 16 MiB, which takes seconds; the plain run does it")
	}
	const long = 1 << 24
	for _, length := range []int{long - 1, long, long + 1} {
		text := strings.Repeat("x", length)
		sameEncoding(t, &gentest.Small{Name: text, Age: 1})
		sameEncoding(t, &gentest.Tree{Title: "t", Children: []*gentest.Tree{{Title: text, Link: "l"}}})
		sameEncoding(t, &gentest.Tree{Title: text}, polypack.MaxDepth(0))
	}
}

func TestGeneratedCycle(t *testing.T) {
	n := &gentest.Nested{Label: "x"}
	n.Left = n
	sameEncoding(t, n)
	n.Left, n.Named = nil, map[string]*gentest.Nested{"again": n}
	sameEncoding(t, n)
	n.Named, n.Any = nil, n
	sameEncoding(t, n)
	n.Any, n.More = nil, [][]*gentest.Nested{{n}}
	sameEncoding(t, []any{n})
}

// TestGeneratedStream reads and writes values with generated methods inside of others.
// Generated methods have large stack frames; beyond a certain MaxDepth the engine does the work.
func TestGeneratedDeep(t *testing.T) {
	const levels = 40_000 // each a map and an array
	root := &gentest.Tree{}
	leaf := root
	for range levels {
		leaf.Children = []*gentest.Tree{{}}
		leaf = leaf.Children[0]
	}
	data, err := polypack.Marshal(root, polypack.MaxDepth(100_000))
	if err != nil {
		t.Fatal(err)
	}
	plans, err := polypack.Marshal(root, polypack.MaxDepth(100_000), polypack.PlansOnly())
	if err != nil || !bytes.Equal(plans, data) {
		t.Fatal("plans write other bytes", err)
	}
	back := new(gentest.Tree)
	if err := polypack.Unmarshal(data, back, polypack.MaxDepth(100_000)); err != nil {
		t.Fatal(err)
	}
	found := 0
	for ; len(back.Children) == 1; back = back.Children[0] {
		found++
	}
	if found != levels {
		t.Fatalf("%d levels came back of %d", found, levels)
	}
	for _, depth := range []int{8192, 8193} {
		if err := polypack.Unmarshal(data, new(gentest.Tree), polypack.MaxDepth(depth)); !errors.Is(err, polypack.CodeLimitExceeded) {
			t.Fatal(err)
		}
	}
}

func TestGeneratedStream(t *testing.T) {
	var buffer bytes.Buffer
	e := polypack.NewStreamEncoder(&buffer)
	for _, v := range generatedValues() {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	d := polypack.NewStreamDecoder(&buffer)
	for _, v := range generatedValues() {
		want, err := polypack.Marshal(v, polypack.PlansOnly())
		if err != nil {
			t.Fatal(err)
		}
		target := reflect.New(reflect.TypeOf(v).Elem())
		if err := d.Decode(target.Interface()); err != nil {
			t.Fatal(err)
		}
		slow := reflect.New(reflect.TypeOf(v).Elem())
		if err := polypack.Unmarshal(want, slow.Interface(), polypack.PlansOnly()); err != nil {
			t.Fatal(err)
		}
		if !sameValue(target, slow) {
			t.Fatalf("%T\n%+v\n%+v", v, target.Elem(), slow.Elem())
		}
	}
}

// TestGeneratedPromisedMemory has counts that fit the input and never come, in fields that generated methods read
// themselves.
func TestGeneratedPromisedMemory(t *testing.T) {
	const own = 16 << 10 // the error, its path, the decoder, and the structs of a level each
	for _, n := range []int{100, 1000, 20_000, 300_000} {
		for _, depth := range []int{1, 2, 20} {
			for _, field := range []string{"\x81\xa1c\xdd", "\x81\xa1e\xdd", "\x81\xa1d\xdf"} {
				var data []byte
				for i := range depth {
					count := (n - 20*depth) / depth
					if field[3] == 0xdf {
						count /= 2
					}
					data = binary.BigEndian.AppendUint32(append(data, field...), uint32(max(count, 1)))
					if field[3] == 0xdf {
						data = append(data, 0xa0)
					}
					if field[2] == 'e' && i < depth-1 {
						data = append(data, 0x91)
					}
				}
				data = append(data, 0xc1)
				data = append(data, make([]byte, max(0, n-len(data)))...)
				got := spent(func() {
					if polypack.Unmarshal(data, new(gentest.Nested)) == nil {
						t.Fatal("no error")
					}
				})
				if most := uint64(4*len(data) + 64<<10 + own); got > most {
					t.Errorf("field %q, %d levels, %d bytes: %d bytes allocated, at most %d promised", field, depth, n, got, most)
				}
			}
		}
	}
}

// TestGeneratedForOptions asserts that methods for codecs with options are used by these, and not by others.
func TestGeneratedForOptions(t *testing.T) {
	for _, v := range []any{tagged.Account{}, tagged.Visit{}, tagged.Booked{}} {
		if !polypack.UsesGenerated(v, tagged.Options()...) {
			t.Errorf("the methods of %T are not used", v)
		}
	}
	for _, opts := range [][]polypack.Option{nil, tagged.Options()[:1], tagged.Options()[1:], append(tagged.Options(), polypack.FoldCase(true))} {
		if polypack.UsesGenerated(tagged.Account{}, opts...) {
			t.Errorf("the methods are used with %d options", len(opts))
		}
	}
}

// TestLongHeadsOfUndefined reads undefined into pointers, whichever head it has.
func TestLongHeadsOfUndefined(t *testing.T) {
	for _, undefined := range []string{"d40000", "c7010000", "c800010000", "c9000000010000"} {
		in := gentest.Inside{Ratio: new(float32)}
		if err := polypack.Unmarshal(unhex(t, "81 a5526174696f "+undefined), &in); err != nil || in.Ratio != nil {
			t.Errorf("%s: %v, %v", undefined, in.Ratio, err)
		}
	}
}
