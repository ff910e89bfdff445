package main

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWorkloads sends every workload through every operation of ours, the way a process measures it.
func TestWorkloads(t *testing.T) {
	names := map[string]bool{}
	for _, l := range workloads {
		if names[l.name] {
			t.Errorf("two workloads are called %s", l.name)
		}
		names[l.name] = true
		w := l.load()
		if groupOf(w.name) != l.group {
			t.Errorf("%s is in group %d", w.name, groupOf(w.name))
		}
		for _, way := range ways {
			c := w.own.named(way)
			if c == nil {
				continue
			}
			e, err := enterWith(w, contestant{name: way}, c)
			if err != nil || !e.right {
				t.Fatalf("%s, %s: error %v, right %v", w.name, way, err, e != nil && e.right)
			}
			for _, op := range operations {
				r := op.of(w, e)
				if r == nil {
					continue
				}
				if last, err := r.do(2); err != nil || !r.check(last) {
					t.Errorf("%s, %s, %s: error %v, or a wrong result", w.name, way, op.name, err)
				}
			}
		}
	}
	if len(names) != 16 {
		t.Errorf("%d workloads", len(names))
	}
}

// TestMeasure measures one small workload as a process does, with a peer that is right, one that
// loses, and one that fails.
func TestMeasure(t *testing.T) {
	right := peers[slices.IndexFunc(peers, func(c contestant) bool { return c.name == "json" })]
	losing, failing := right, right
	losing.name, failing.name = "losing", "failing"
	losing.codecOf = func(w *workload) *codec {
		c := right.codecOf(w)
		c.decode = func([]byte, int) (any, error) { return w.target(), nil }
		return c
	}
	failing.codecOf = func(w *workload) *codec {
		c := right.codecOf(w)
		c.decode = func([]byte, int) (any, error) { panic("no") }
		return c
	}
	p := plan{workloads: []string{"01Small"}, operations: operationNames(), peers: []contestant{right, losing, failing}}
	found, err := p.measure()
	if err != nil {
		t.Fatal(err)
	}
	var all findings
	all.add(found)
	all.add(found)
	verified := map[string]bool{}
	for _, r := range all.rows() {
		verified[r.Operation+" "+r.Against] = r.Verified
		if !(r.Low > 0 && r.Low <= r.Ratio && r.Ratio <= r.High) {
			t.Errorf("row %+v", r)
		}
	}
	want := map[string]bool{"encode json": true, "decode json": true, "encode losing": false, "decode losing": false,
		"encode failing": false} // nobody could read its message
	if !reflect.DeepEqual(verified, want) {
		t.Errorf("verified: %v, want %v", verified, want)
	}
	if len(all.Notes) != 1 || !strings.Contains(all.Notes[0], "failing") {
		t.Errorf("notes: %q", all.Notes)
	}
	if c := all.costOf("01Small", "decode", "polypack general"); c == nil || c.Allocs <= 0 || c.Size <= 0 {
		t.Errorf("cost: %+v", c)
	}
	var out bytes.Buffer
	printTable(&out, 2, p.peers, all.rows(), all)
	for _, part := range []string{"01Small       encode            json", "Ours, for each call", "1 wrong", "Left out: 01Small, failing"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the table lacks %q:\n%s", part, out.String())
		}
	}
}

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
		allow  rules // that makes the change harmless; none when nothing does
	}{
		{"nothing", func(*value) {}, rules{}},
		{"element", func(v *value) { v.Ints[1] = 3 }, rules{}},
		{"text", func(v *value) { v.Texts[0] = "b" }, rules{}},
		{"length", func(v *value) { v.Ints = v.Ints[:1] }, rules{}},
		{"key", func(v *value) { v.Map = map[string]int{"j": 1} }, rules{}},
		{"entry", func(v *value) { v.Map["k"] = 0 }, rules{}},
		{"nil pointer", func(v *value) { v.To = nil }, rules{}},
		{"nil in any", func(v *value) { v.List[0].Any = nil }, rules{}},
		{"bool in any", func(v *value) { v.List[0].Any.([]any)[2] = false }, rules{}},
		{"instant", func(v *value) { v.To.At = at.Add(1) }, rules{}},
		{"zone", func(v *value) { v.To.At = at.In(time.FixedZone("x", 60)) }, rules{zone: true}},
		{"empty slice", func(v *value) { v.List[0].At = time.Time{}; v.Texts = []string{} }, rules{}},
		{"number", func(v *value) { v.To.Any.(map[string]any)["n"] = uint8(7) }, rules{numbers: true}},
		{"float", func(v *value) { v.To.Any.(map[string]any)["f"] = int64(2) }, rules{numbers: true}},
		{"other number", func(v *value) { v.To.Any.(map[string]any)["n"] = uint8(8) }, rules{}},
		{"map in any", func(v *value) { v.To.Any = map[any]any{"n": int64(7), "f": 2.0} }, rules{keys: true}},
		{"other key", func(v *value) { v.To.Any = map[any]any{"m": int64(7), "f": 2.0} }, rules{}},
		{"both", func(v *value) { v.To.Any = map[any]any{"n": int8(7), "f": float32(2)} }, rules{keys: true, numbers: true}},
	} {
		got := fresh()
		c.change(got)
		if strict := same(fresh(), got, rules{}); strict != reflect.DeepEqual(fresh(), got) {
			t.Errorf("%s: same without rules says %v, reflect.DeepEqual differs", c.name, strict)
		}
		every := rules{numbers: true, keys: true, empty: true, zone: true}
		if loose, want := same(fresh(), got, every), c.allow != (rules{}) || c.name == "nothing"; loose != want {
			t.Errorf("%s: same with every rule says %v", c.name, loose)
		}
		if c.allow != (rules{}) && !same(fresh(), got, c.allow) {
			t.Errorf("%s: the rule %q does not allow it", c.name, c.allow)
		}
	}
	empty, none := &value{Ints: []int64{}, Map: map[string]int{}}, &value{}
	if same(empty, none, rules{}) || !same(empty, none, rules{empty: true}) {
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

func TestRows(t *testing.T) {
	f := findings{Samples: []sample{{"01Small", "encode", "x", []float64{4, 1, 3, 2}, true}}}
	want := []row{{"01Small", "encode", "x", 2.5, 1.75, 3.25, true}}
	if got := f.rows(); !reflect.DeepEqual(got, want) {
		t.Errorf("rows: %+v", got)
	}
	if g := geomean([]row{{Ratio: 2}, {Ratio: 8}}); math.Abs(g-4) > 1e-9 {
		t.Errorf("geomean: %v", g)
	}
}

func TestTargets(t *testing.T) {
	goal := target{"msgpck", "encode", []group{nested}, 4, 2}
	rows := []row{
		{Workload: "12Rows1000", Operation: "encode", Against: "msgpck", Ratio: 8, Verified: false},
		{Workload: "13Config", Operation: "encode", Against: "msgpck", Ratio: 2, Verified: true},
		{Workload: "01Small", Operation: "encode", Against: "msgpck", Ratio: 100, Verified: true},
		{Workload: "13Config", Operation: "decode", Against: "msgpck", Ratio: 100, Verified: true},
	}
	line := goal.report(rows)
	for _, part := range []string{"mean 4.00 of ≥ 4.00", "smallest 2.00 (13Config)", ": reached", "2 of 3 workloads", "wrong in 1"} {
		if !strings.Contains(line, part) {
			t.Errorf("%q lacks %q", line, part)
		}
	}
	rows[1].Ratio = 1
	if line := goal.report(rows); !strings.Contains(line, "NOT REACHED") {
		t.Errorf("%q", line)
	}
	if line := goal.report(nil); line != "" {
		t.Errorf("without rows: %q", line)
	}
}

func TestCostTargets(t *testing.T) {
	var out bytes.Buffer
	printTargets(&out, nil, findings{Costs: []cost{
		{Workload: "01Small", Operation: "encode", Who: "polypack general", Allocs: 1.02},
		{Workload: "02Medium", Operation: "encode", Who: "polypack general", Allocs: 2},
		{Workload: "04SmallMap", Operation: "encode", Who: "polypack general", Allocs: 9},
		{Workload: "01Small", Operation: "encode", Who: "msgp", Allocs: 9},
		{Workload: "07Int64x1M", Operation: "decode", Who: "polypack prepared", Nanoseconds: []float64{1e6}},
	}})
	for _, part := range []string{"allocations 2 (02Medium) of ≤ 1: NOT REACHED", "time 1ms (07Int64x1M) of ≤ 2ms: reached"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in\n%s", part, out.String())
		}
	}
}

func TestPlan(t *testing.T) {
	p, err := settings{workloads: "01,13", operations: "encode", peers: "gob"}.plan()
	if err != nil || !slices.Equal(p.workloads, []string{"01Small", "13Config"}) || len(p.peers) != 1 || len(p.operations) != 1 {
		t.Errorf("plan %+v, error %v", p, err)
	}
	for _, s := range []settings{{workloads: "99"}, {operations: "sing"}, {peers: "nobody"}} {
		if _, err := s.plan(); err == nil {
			t.Errorf("%+v has a plan", s)
		}
	}
}
