package payload

import (
	"math"
	"reflect"
	"testing"
	"time"
)

func TestSame(t *testing.T) {
	type inner struct {
		Any any
		At  time.Time
	}
	type value struct {
		Ints  []int64
		Texts []string
		Map   map[string]int
		To    *inner
		List  []inner
	}
	at := time.Unix(1_700_000_000, 5).UTC()
	fresh := func() *value {
		return &value{
			Ints: []int64{1, 2}, Texts: []string{"a"}, Map: map[string]int{"k": 1},
			To:   &inner{Any: map[string]any{"n": int64(7), "f": 2.0}, At: at},
			List: []inner{{Any: []any{"x", nil, true}}},
		}
	}
	for _, c := range []struct {
		name   string
		change func(v *value)
		allow  Rules // that makes the change harmless; none when nothing does
	}{
		{"nothing", func(*value) {}, Rules{}},
		{"element", func(v *value) { v.Ints[1] = 3 }, Rules{}},
		{"text", func(v *value) { v.Texts[0] = "b" }, Rules{}},
		{"length", func(v *value) { v.Ints = v.Ints[:1] }, Rules{}},
		{"key", func(v *value) { v.Map = map[string]int{"j": 1} }, Rules{}},
		{"entry", func(v *value) { v.Map["k"] = 0 }, Rules{}},
		{"nil pointer", func(v *value) { v.To = nil }, Rules{}},
		{"nil in any", func(v *value) { v.List[0].Any = nil }, Rules{}},
		{"bool in any", func(v *value) { v.List[0].Any.([]any)[2] = false }, Rules{}},
		{"instant", func(v *value) { v.To.At = at.Add(1) }, Rules{}},
		{"zone", func(v *value) { v.To.At = at.In(time.FixedZone("x", 60)) }, Rules{Zone: true}},
		{"empty slice", func(v *value) { v.List[0].At = time.Time{}; v.Texts = []string{} }, Rules{}},
		{"number", func(v *value) { v.To.Any.(map[string]any)["n"] = uint8(7) }, Rules{Numbers: true}},
		{"float", func(v *value) { v.To.Any.(map[string]any)["f"] = int64(2) }, Rules{Numbers: true}},
		{"other number", func(v *value) { v.To.Any.(map[string]any)["n"] = uint8(8) }, Rules{}},
		{"map in any", func(v *value) { v.To.Any = map[any]any{"n": int64(7), "f": 2.0} }, Rules{Keys: true}},
		{"other key", func(v *value) { v.To.Any = map[any]any{"m": int64(7), "f": 2.0} }, Rules{}},
		{"both", func(v *value) { v.To.Any = map[any]any{"n": int8(7), "f": float32(2)} }, Rules{Keys: true, Numbers: true}},
	} {
		got := fresh()
		c.change(got)
		if strict := Same(fresh(), got, Rules{}); strict != reflect.DeepEqual(fresh(), got) {
			t.Errorf("%s: Same without rules says %v, reflect.DeepEqual differs", c.name, strict)
		}
		every := Rules{Numbers: true, Keys: true, Empty: true, Zone: true}
		if loose, want := Same(fresh(), got, every), c.allow != (Rules{}) || c.name == "nothing"; loose != want {
			t.Errorf("%s: Same with every rule says %v", c.name, loose)
		}
		if c.allow != (Rules{}) && !Same(fresh(), got, c.allow) {
			t.Errorf("%s: the rule %q does not allow it", c.name, c.allow)
		}
	}
	empty, none := &value{Ints: []int64{}, Map: map[string]int{}}, &value{}
	if Same(empty, none, Rules{}) || !Same(empty, none, Rules{Empty: true}) {
		t.Error("the rule about empty slices")
	}
}

func TestSameNumber(t *testing.T) {
	const big = 1 << 60
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{int64(-1), uint64(math.MaxUint64), false}, {int64(big), uint64(big), true}, {int64(big), float64(big), false},
		{int8(-3), -3.0, true}, {uint8(200), int8(-56), false}, {float32(0.5), 0.5, true}, {1.5, int64(1), false},
	} {
		if got := sameNumber(reflect.ValueOf(c.a), reflect.ValueOf(c.b)); got != c.want {
			t.Errorf("%T %v and %T %v: %v", c.a, c.a, c.b, c.b, got)
		}
	}
}
