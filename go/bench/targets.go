package main

// Plan of the file: the performance targets of the project, and whether they are reached.

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// A target says how many times faster than one peer polypack has to be.
type target struct {
	against, operation string
	groups             []group
	mean, each         float64 // least geometric mean of the ratios, and least ratio of each row; 0 if not required
}

var (
	everything = []group{flat, nested, maps}
	targets    = []target{
		{"msgpck", "encode", []group{flat}, 3, 1.7},
		{"msgpck", "decode", []group{flat}, 2.7, 1.4},
		{"msgpck", "encode", []group{nested}, 4, 0},
		{"msgpck", "decode", []group{nested}, 4, 0},
		{"vmihailenco", "encode", everything, 5, 0},
		{"vmihailenco", "decode", everything, 4, 0},
		{"msgp", "encode", everything, 1.6, 0},
		{"msgp", "decode", everything, 1.4, 0},
		{"msgp", "encode-gen", []group{flat, nested}, 0, 1.3},
		{"msgp", "decode-gen", []group{flat, nested}, 0, 1.3},
	}
)

var groupNames = map[group]string{flat: "flat", nested: "nested", maps: "maps"}

// rows returns those of the rows that the target is about.
func (t target) rows(all []row) []row {
	var of []row
	for _, r := range all {
		for _, g := range t.groups {
			if r.Against == t.against && r.Operation == t.operation && groupOf(r.Workload) == g {
				of = append(of, r)
			}
		}
	}
	return of
}

// workloads returns how many workloads the target is about.
func (t target) workloads() int {
	count := 0
	for _, l := range workloads {
		for _, g := range t.groups {
			if l.group == g {
				count++
			}
		}
	}
	return count
}

// report returns a line that says whether the target is reached, or "" if none of its rows was measured.
func (t target) report(all []row) string {
	of := t.rows(all)
	if len(of) == 0 {
		return ""
	}
	var names []string
	for _, g := range t.groups {
		names = append(names, groupNames[g])
	}
	line := fmt.Sprintf("%-12s %-11s %-18s", t.against, t.operation, strings.Join(names, ", "))
	reached := true
	if t.mean > 0 {
		mean := geomean(of)
		reached = mean >= t.mean
		line += fmt.Sprintf(" mean %.2f of ≥ %.2f", mean, t.mean)
	}
	if t.each > 0 {
		least := smallest(of)
		reached = reached && least.Ratio >= t.each
		line += fmt.Sprintf(" smallest %.2f (%s) of ≥ %.2f", least.Ratio, least.Workload, t.each)
	}
	return line + verdict(reached) + coverage(of, t.workloads())
}

func verdict(reached bool) string {
	if reached {
		return ": reached"
	}
	return ": NOT REACHED"
}

// coverage returns a note if some of the workloads have no row, or if results of the peer are wrong. Otherwise it
// returns "".
func coverage(of []row, workloads int) string {
	note := ""
	if len(of) < workloads {
		note += fmt.Sprintf("; %d of %d workloads", len(of), workloads)
	}
	if wrong := countWrong(of); wrong > 0 {
		note += fmt.Sprintf("; the peer is wrong in %d", wrong)
	}
	return note
}

// printTargets prints each target with a measured row, and whether it is reached.
func printTargets(w io.Writer, rows []row, all findings) {
	fmt.Fprintln(w, "\nTargets:")
	for _, t := range targets {
		if line := t.report(rows); line != "" {
			fmt.Fprintln(w, line)
		}
	}
	for _, t := range costTargets {
		t.print(w, all)
	}
}

// A costTarget limits what one call may cost with each of our codecs.
type costTarget struct {
	operation, workload string // if workload is "", all workloads with structs count
	what                string
	most                float64
	of                  func(c cost) float64
	show                func(float64) string
}

var costTargets = []costTarget{
	{"encode", "", "allocations", 1, allocs, count},
	{"encode-append", "", "allocations", 0, allocs, count},
	{"decode", "12Rows1000", "allocations", 800, allocs, count},
	{"decode", "07Int64x1M", "time", float64(2 * time.Millisecond), func(c cost) float64 { return quantile(c.Nanoseconds, 0.5) }, duration},
}

// allocs returns the number of allocations per call. It is rounded, because the runtime also allocates a little.
func allocs(c cost) float64 { return math.Round(c.Allocs) }

func count(n float64) string { return fmt.Sprintf("%.0f", n) }

// print prints the most expensive workload for each of our codecs, and whether it is within the target.
func (t costTarget) print(w io.Writer, all findings) {
	worst := map[string]cost{} // the keys are names of codecs
	for _, c := range all.Costs {
		way, own := strings.CutPrefix(c.Who, "polypack ")
		about := t.workload == c.Workload || t.workload == "" && groupOf(c.Workload) != maps
		if !own || !about || c.Operation != t.operation {
			continue
		}
		if have, ok := worst[way]; !ok || t.of(c) > t.of(have) {
			worst[way] = c
		}
	}
	for _, way := range ways {
		if c, ok := worst[way]; ok {
			fmt.Fprintf(w, "%-13s %-9s %s %s (%s) of ≤ %s%s\n",
				t.operation, way, t.what, t.show(t.of(c)), c.Workload, t.show(t.most), verdict(t.of(c) <= t.most))
		}
	}
}
