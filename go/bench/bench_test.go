package main

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
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
	p, err := settings{processes: 1, workloads: "01,13", operations: "encode", peers: "gob"}.plan()
	if err != nil || !slices.Equal(p.workloads, []string{"01Small", "13Config"}) || len(p.peers) != 1 || len(p.operations) != 1 {
		t.Errorf("plan %+v, error %v", p, err)
	}
	for _, s := range []settings{{processes: 1, workloads: "99"}, {processes: 1, operations: "sing"}, {processes: 1, peers: "nobody"}, {}, {processes: -1}} {
		if _, err := s.plan(); err == nil {
			t.Errorf("%+v has a plan", s)
		}
	}
}
