// Command bench measures how fast polypack and other libraries encode and decode sixteen workloads. Run it with make
// bench-go.
//
// A ratio says how many times faster polypack is: the peer's time divided by ours in the same round. A row of the table
// has the median of the ratios of all rounds of all processes, and their lower and upper quartile. The bench compares
// results with the original value before the clock runs, after each round, and at the end. If a peer's result is wrong,
// the row keeps its ratio and is marked.
//
// Plan: this file starts the processes and merges their findings. One process is not enough, because the memory layout
// differs from process to process. measure.go measures in one process. workloads.go lists the workloads. contestant.go,
// ours*.go, standard.go, jsonv2.go and peer_*.go call the libraries. payload/equal.go decides whether a result is
// right, table.go prints the tables, and targets.go has the performance targets.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

type settings struct {
	out                          string
	workloads, peers, operations string
	processes                    int
	budget                       time.Duration
	measuring                    bool
}

func main() {
	var s settings
	flag.StringVar(&s.out, "out", "", "also write the rows to this `file`")
	flag.StringVar(&s.workloads, "workloads", "", "only these, by the start of their `names`, separated by commas")
	flag.StringVar(&s.peers, "peers", "", "only these `names`, separated by commas")
	flag.StringVar(&s.operations, "operations", "", "only these: "+strings.Join(operationNames(), ","))
	flag.IntVar(&s.processes, "processes", 3, "how many `processes` measure, one after the other")
	flag.DurationVar(&s.budget, "budget", 2*time.Second, "how long to measure an operation of a workload, if its calls are short enough")
	flag.BoolVar(&s.measuring, "measure", false, "measure in this process and print what was found as JSON")
	flag.Parse()
	if err := s.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (s settings) run(w io.Writer) error {
	p, err := s.plan()
	if err != nil {
		return err
	}
	if s.measuring {
		found, err := p.measure()
		if err != nil {
			return err
		}
		return json.NewEncoder(w).Encode(found)
	}
	var all findings
	for i := range s.processes {
		found, err := s.measureElsewhere(i)
		if err != nil {
			return err
		}
		all.add(found)
	}
	rows := all.rows()
	printTable(w, s.processes, p.peers, rows, all)
	if s.out == "" {
		return nil
	}
	return writeRows(s.out, rows)
}

// plan returns the workloads, peers and operations that the flags select.
func (s settings) plan() (plan, error) {
	p := plan{budget: s.budget}
	for _, l := range workloads {
		if matches(s.workloads, func(name string) bool { return strings.HasPrefix(l.name, name) }) {
			p.workloads = append(p.workloads, l.name)
		}
	}
	for _, c := range peers {
		if matches(s.peers, func(name string) bool { return c.name == name }) {
			p.peers = append(p.peers, c)
		}
	}
	for _, name := range operationNames() {
		if matches(s.operations, func(wanted string) bool { return name == wanted }) {
			p.operations = append(p.operations, name)
		}
	}
	switch {
	case s.processes < 1:
		return p, fmt.Errorf("-processes is %d, but at least one process must measure", s.processes)
	case len(p.workloads) == 0:
		return p, fmt.Errorf("no workload starts with %q", s.workloads)
	case len(p.operations) == 0:
		return p, fmt.Errorf("no operation is called %q", s.operations)
	case len(p.peers) == 0:
		return p, fmt.Errorf("no peer of this build is called %q", s.peers)
	}
	return p, nil
}

// matches reports whether fits accepts one of the comma-separated names in list. An empty list always matches.
func matches(list string, fits func(name string) bool) bool {
	return list == "" || slices.ContainsFunc(strings.Split(list, ","), fits)
}

// measureElsewhere runs this program again as a measuring process, and returns its findings.
func (s settings) measureElsewhere(number int) (found findings, err error) {
	program, err := os.Executable()
	if err != nil {
		return found, err
	}
	fmt.Fprintf(os.Stderr, "process %d of %d:", number+1, s.processes)
	defer fmt.Fprintln(os.Stderr)
	var stdout bytes.Buffer
	cmd := exec.Command(program, "-measure", "-workloads", s.workloads, "-peers", s.peers, "-operations", s.operations,
		"-budget", s.budget.String())
	cmd.Stdout, cmd.Stderr = &stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return found, fmt.Errorf("measuring process %s: %w", strconv.Itoa(number+1), err)
	}
	return found, json.Unmarshal(stdout.Bytes(), &found)
}

// add merges the findings of another process into f. It appends the ratios and times of the rounds, and keeps the
// smaller counts of allocations and bytes.
func (f *findings) add(more findings) {
	for _, s := range more.Samples {
		i := slices.IndexFunc(f.Samples, func(have sample) bool {
			return have.Workload == s.Workload && have.Operation == s.Operation && have.Against == s.Against
		})
		if i < 0 {
			f.Samples = append(f.Samples, s)
			continue
		}
		f.Samples[i].Ratios = append(f.Samples[i].Ratios, s.Ratios...)
		f.Samples[i].Verified = f.Samples[i].Verified && s.Verified
	}
	for _, c := range more.Costs {
		i := slices.IndexFunc(f.Costs, func(have cost) bool {
			return have.Workload == c.Workload && have.Operation == c.Operation && have.Who == c.Who
		})
		if i < 0 {
			f.Costs = append(f.Costs, c)
			continue
		}
		have := &f.Costs[i]
		have.Nanoseconds = append(have.Nanoseconds, c.Nanoseconds...)
		have.Allocs, have.Bytes = min(have.Allocs, c.Allocs), min(have.Bytes, c.Bytes)
	}
	for _, note := range more.Notes {
		if !slices.Contains(f.Notes, note) {
			f.Notes = append(f.Notes, note)
		}
	}
}

func writeRows(out string, rows []row) error {
	data, err := json.MarshalIndent(rows, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, append(data, '\n'), 0o644)
}
