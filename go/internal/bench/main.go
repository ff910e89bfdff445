// Command bench is the quick bench: polypack against encoding/json and encoding/gob. Run it with make bench PART=go.
//
// A ratio says how many times faster polypack is: the peer's time divided by ours, both of one round, so that a slow phase of
// the machine hits both. A row has the median of the rounds of all processes, and their lower and upper quartile. Every
// result is compared with the value, element by element, before the clock runs, after it has stopped, and for the last call
// of each round.
//
// Plan: this file measures and reports; payloads.go says what, contestants.go against whom. The program starts itself, because
// where memory lies is decided once for each process.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"
)

const (
	processes = 3
	rounds    = 11
	roundTime = 12 * time.Millisecond
	warmUp    = 30 * time.Millisecond
)

// workload is a value, behind a pointer, and how to make a target for it.
type workload struct {
	name   string
	value  any
	target func() any
}

func newWorkload[T any](name string, value T) workload {
	return workload{name, &value, func() any { return new(T) }}
}

// sample is what one process found for a row: the peer's time divided by ours, round by round.
type sample struct {
	Workload, Operation, Against string
	Ratios                       []float64
	Verified                     bool
}

// result is a row of the table and of build/bench/go.json.
type result struct {
	Workload  string  `json:"workload"`
	Operation string  `json:"operation"`
	Against   string  `json:"against"`
	Ratio     float64 `json:"ratio"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Verified  bool    `json:"verified"`
}

func main() {
	out := flag.String("out", "", "also write the rows to this `file`")
	measuring := flag.Bool("measure", false, "measure in this process and print the samples as JSON")
	flag.Parse()
	run := func() error { return report(*out) }
	if *measuring {
		run = printSamples
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// Measuring

func printSamples() error {
	var samples []sample
	for _, w := range workloads() {
		of, err := w.measure()
		if err != nil {
			return err
		}
		samples = append(samples, of...)
	}
	return json.NewEncoder(os.Stdout).Encode(samples)
}

// run is one operation of one contestant. do repeats it and keeps the last result, which check compares with the value.
type run struct {
	name  string
	do    func(calls int) error
	check func() bool
	calls int // that fill a round
	times []float64
	wrong bool
}

func (w workload) measure() ([]sample, error) {
	var encoding, decoding []*run
	for _, c := range contestants(w.value) {
		e, d, err := w.runs(c)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", w.name, c.name, err)
		}
		encoding, decoding = append(encoding, e), append(decoding, d)
	}
	var samples []sample
	for _, operation := range []struct {
		name string
		runs []*run
	}{{"encode", encoding}, {"decode", decoding}} {
		if err := alternate(operation.runs); err != nil {
			return nil, fmt.Errorf("%s %s: %w", operation.name, w.name, err)
		}
		ours := operation.runs[0]
		if ours.wrong {
			return nil, fmt.Errorf("%s %s: polypack gave a wrong result", operation.name, w.name)
		}
		for _, peer := range operation.runs[1:] {
			s := sample{Workload: w.name, Operation: operation.name, Against: peer.name, Verified: !peer.wrong}
			for i := range peer.times {
				s.Ratios = append(s.Ratios, peer.times[i]/ours.times[i])
			}
			samples = append(samples, s)
		}
	}
	return samples, nil
}

func (w workload) runs(c contestant) (encoding, decoding *run, err error) {
	packed, err := c.encode()
	if err != nil {
		return nil, nil, err
	}
	isValue := func(data []byte) bool {
		target := w.target()
		return c.decode(data, target) == nil && reflect.DeepEqual(target, w.value)
	}
	if !isValue(packed) {
		return nil, nil, fmt.Errorf("the value does not come back")
	}
	var data []byte
	var target any
	encoding = &run{
		name: c.name,
		do: func(calls int) (err error) {
			for range calls {
				if data, err = c.encode(); err != nil {
					return err
				}
			}
			return nil
		},
		// By decoding, because gob writes maps in any order.
		check: func() bool { return isValue(data) },
	}
	decoding = &run{
		name: c.name,
		do: func(calls int) error {
			for range calls {
				target = w.target()
				if err := c.decode(packed, target); err != nil {
					return err
				}
			}
			return nil
		},
		check: func() bool { return reflect.DeepEqual(target, w.value) },
	}
	return encoding, decoding, nil
}

// alternate times the runs in rounds; the order turns by one each round.
func alternate(runs []*run) error {
	for _, r := range runs {
		started, done := time.Now(), 0
		for time.Since(started) < warmUp {
			if err := r.do(1 + done/8); err != nil {
				return err
			}
			done += 1 + done/8
		}
		r.calls = max(1, int(float64(done)*float64(roundTime)/float64(time.Since(started))))
		r.wrong = !r.check()
	}
	for round := range rounds {
		for turn := range runs {
			r := runs[(turn+round)%len(runs)]
			started := time.Now()
			if err := r.do(r.calls); err != nil {
				return err
			}
			r.times = append(r.times, float64(time.Since(started))/float64(r.calls))
			r.wrong = r.wrong || !r.check()
		}
	}
	return nil
}

// Reporting

func report(out string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	var all []sample // of one row, the ratios of all processes
	for range processes {
		var stdout bytes.Buffer
		cmd := exec.Command(program, "-measure")
		cmd.Stdout, cmd.Stderr = &stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("a measuring process: %w", err)
		}
		var samples []sample
		if err := json.Unmarshal(stdout.Bytes(), &samples); err != nil {
			return err
		}
		if all == nil {
			all = samples
			continue
		}
		for i := range all {
			all[i].Ratios = append(all[i].Ratios, samples[i].Ratios...)
			all[i].Verified = all[i].Verified && samples[i].Verified
		}
	}
	results := make([]result, len(all))
	for i, s := range all {
		slices.Sort(s.Ratios)
		at := func(part float64) float64 { return s.Ratios[int(float64(len(s.Ratios))*part)] }
		results[i] = result{s.Workload, s.Operation, s.Against, at(0.5), at(0.25), at(0.75), s.Verified}
	}
	printTable(results)
	if out == "" {
		return nil
	}
	rows, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, append(rows, '\n'), 0o644)
}

func printTable(results []result) {
	fmt.Printf("%s %s/%s; ratio: how many times faster polypack is (quartiles of the rounds of %d processes)\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, processes)
	fmt.Println("gob describes the types in every message, or once in a stream whose messages cannot be read alone")
	slower := map[string][]string{} // by peer
	measured := map[string]int{}
	var peers []string
	for _, r := range results {
		note := ""
		if !r.Verified {
			note = "  not verified"
		}
		fmt.Printf("%-7s %-7s %-16s %.2f (%.2f – %.2f)%s\n", r.Workload, r.Operation, r.Against, r.Ratio, r.Low, r.High, note)
		if measured[r.Against] == 0 {
			peers = append(peers, r.Against)
		}
		measured[r.Against]++
		if r.Ratio < 1 {
			slower[r.Against] = append(slower[r.Against], r.Operation+" "+r.Workload)
		}
	}
	for _, peer := range peers {
		line := fmt.Sprintf("Slower than %s in %d of %d", peer, len(slower[peer]), measured[peer])
		if len(slower[peer]) > 0 {
			line += ": " + strings.Join(slower[peer], ", ")
		}
		fmt.Println(line)
	}
}
