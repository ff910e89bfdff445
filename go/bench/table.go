package main

// Plan of the file: computing the rows from the findings of all processes, and printing the tables.

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/polypack/polypack/go/bench/payload"
)

// A row is a line of the table, and an object in build/bench/go.json.
type row struct {
	Workload  string  `json:"workload"`
	Operation string  `json:"operation"`
	Against   string  `json:"against"`
	Ratio     float64 `json:"ratio"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Verified  bool    `json:"verified"`
}

// rows returns a row for each sample, with the median and the quartiles of the ratios of its rounds.
func (f findings) rows() []row {
	rows := make([]row, len(f.Samples))
	for i, s := range f.Samples {
		rows[i] = row{s.Workload, s.Operation, s.Against,
			quantile(s.Ratios, 0.5), quantile(s.Ratios, 0.25), quantile(s.Ratios, 0.75), s.Verified}
	}
	return rows
}

// quantile returns the quantile of the values at part, from 0 for the smallest value to 1 for the largest. It
// interpolates between neighbouring values. Without any values, it returns NaN.
func quantile(values []float64, part float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	at := part * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(at-float64(low))
}

func geomean(rows []row) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += math.Log(r.Ratio)
	}
	return math.Exp(sum / float64(len(rows)))
}

// costOf returns the cost of one call, or nil if it wasn't measured. The parameter who is the name of the contestant.
func (f findings) costOf(workload, operation, who string) *cost {
	i := slices.IndexFunc(f.Costs, func(c cost) bool { return c.Workload == workload && c.Operation == operation && c.Who == who })
	if i < 0 {
		return nil
	}
	return &f.Costs[i]
}

func printTable(w io.Writer, processes int, took []contestant, rows []row, all findings) {
	fmt.Fprintf(w, "%s %s/%s; ratio: how many times faster polypack is (quartiles of the rounds of %d processes)\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, processes)
	for _, c := range took {
		if c.allowed != (payload.Rules{}) {
			fmt.Fprintf(w, "%s: %s\n", c.name, c.allowed)
		}
	}
	for _, r := range rows {
		note := ""
		if !r.Verified {
			note = "  wrong"
		}
		theirs := ""
		if c := all.costOf(r.Workload, strings.TrimSuffix(r.Operation, "-gen"), r.Against); c != nil {
			theirs = duration(quantile(c.Nanoseconds, 0.5))
		}
		fmt.Fprintf(w, "%-13s %-17s %-14s %6.2f (%.2f – %.2f)  they %s%s\n",
			r.Workload, r.Operation, r.Against, r.Ratio, r.Low, r.High, theirs, note)
	}
	printOwnCosts(w, all)
	printMeans(w, rows)
	printLosses(w, rows)
	for _, note := range all.Notes {
		fmt.Fprintln(w, "Left out:", note)
	}
	printTargets(w, rows, all)
}

func printOwnCosts(w io.Writer, all findings) {
	fmt.Fprintln(w, "\nOurs, for each call:")
	for _, c := range all.Costs {
		if way, own := strings.CutPrefix(c.Who, "polypack "); own {
			fmt.Fprintf(w, "%-13s %-15s %-9s %9s %10.0f B %8.2f allocations; message of %d bytes\n",
				c.Workload, c.Operation, way, duration(quantile(c.Nanoseconds, 0.5)), c.Bytes, c.Allocs, c.Size)
		}
	}
}

// printMeans prints the geometric mean of the ratios, and the smallest ratio, for each peer and operation.
func printMeans(w io.Writer, rows []row) {
	fmt.Fprintln(w, "\nGeometric means of the ratios (wrong results included), and the smallest:")
	type key struct{ against, operation string }
	of := map[key][]row{}
	var keys []key
	for _, r := range rows {
		k := key{r.Against, r.Operation}
		if of[k] == nil {
			keys = append(keys, k)
		}
		of[k] = append(of[k], r)
	}
	slices.SortStableFunc(keys, func(a, b key) int { return cmp.Compare(a.against, b.against) })
	for _, k := range keys {
		least, wrong := smallest(of[k]), countWrong(of[k])
		fmt.Fprintf(w, "%-14s %-17s %6.2f of %d, smallest %.2f %s", k.against, k.operation, geomean(of[k]), len(of[k]), least.Ratio, least.Workload)
		if wrong > 0 {
			fmt.Fprintf(w, "; %d wrong", wrong)
		}
		fmt.Fprintln(w)
	}
}

func printLosses(w io.Writer, rows []row) {
	var losses []row
	for _, r := range rows {
		if r.Ratio < 1 {
			losses = append(losses, r)
		}
	}
	slices.SortStableFunc(losses, func(a, b row) int { return cmp.Compare(a.Ratio, b.Ratio) })
	fmt.Fprintf(w, "\nSlower than a peer in %d of %d rows\n", len(losses), len(rows))
	for _, r := range losses {
		note := ""
		if !r.Verified {
			note = ", whose result is wrong"
		}
		fmt.Fprintf(w, "  %.2f %s %s against %s%s\n", r.Ratio, r.Operation, r.Workload, r.Against, note)
	}
}

func smallest(rows []row) row {
	return slices.MinFunc(rows, func(a, b row) int { return cmp.Compare(a.Ratio, b.Ratio) })
}

func countWrong(rows []row) int {
	wrong := 0
	for _, r := range rows {
		if !r.Verified {
			wrong++
		}
	}
	return wrong
}

func duration(nanoseconds float64) string {
	d := time.Duration(nanoseconds)
	switch {
	case d < 100:
		return fmt.Sprintf("%.1fns", nanoseconds)
	case d < 10*time.Microsecond:
		return d.String()
	default:
		return d.Round(d / 1000).String()
	}
}
