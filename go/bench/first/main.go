// First measures how long a fresh process takes for its first messages. tools/bench-first-go.mjs starts a new process
// for each sample.
//
//	first CONTESTANT encode|decode|write WORKLOAD FOLDER
//
// encode and decode print JSON: how many milliseconds of wall-clock and CPU time the first 1, 20, 100, 1,000 and 5,000
// messages took in total. write puts the messages for decode into FOLDER.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/polypack/polypack/go/bench/payload"
)

var counts = []int{1, 20, 100, 1000, 5000}

// allowed lists the changes that don't make a result wrong: a number in an any may have another type, and a time may
// have another zone.
var allowed = payload.Rules{Numbers: true, Zone: true}

// sample is what one process has measured. Its JSON has the type Sample of tools/bench-first.mjs.
type sample struct {
	Load     map[string]float64 `json:"load"`
	Wall     map[string]float64 `json:"wall"`
	CPU      map[string]float64 `json:"cpu"`
	Verified bool               `json:"verified"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "first:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("usage: first CONTESTANT encode|decode|write WORKLOAD FOLDER")
	}
	name, operation, folder := args[2], args[1], args[3]
	c, known := contestants[args[0]]
	if !known {
		return fmt.Errorf("unknown contestant %q", args[0])
	}
	file := filepath.Join(folder, args[0]+"-"+name)
	switch operation {
	case "write":
		w, err := newWorkload(name, folder)
		if err != nil {
			return err
		}
		return writeMessages(c, w, file)
	case "encode":
		return print(encode(c, name, folder))
	default:
		return print(decode(c, name, folder, file))
	}
}

func print(s sample, err error) error {
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(s)
}

// encode measures encoding the values of a workload in turn, again and again. If the values are documents,
// encoding/json has read them before the clock runs. This gives it an advantage over the other libraries.
func encode(c contestant, name, folder string) (sample, error) {
	w, err := newWorkload(name, folder)
	if err != nil {
		return sample{}, err
	}
	for i, value := range w.values {
		w.values[i] = c.own(value)
	}
	messages := make([][]byte, len(w.values))
	s, err := measure(len(w.values), func(i int) (err error) {
		messages[i], err = c.marshal(w.values[i])
		return err
	})
	if err != nil {
		return s, err
	}
	s.Verified = true
	for i, message := range messages {
		target := c.own(w.target())
		if err := c.unmarshal(message, target); err != nil {
			return s, err
		}
		s.Verified = s.Verified && payload.Same(w.values[i], target, allowed)
	}
	return s, nil
}

// decode measures decoding the messages that another process has written.
func decode(c contestant, name, folder, file string) (sample, error) {
	messages, err := readMessages(file)
	if err != nil {
		return sample{}, err
	}
	target := func() any { return new(any) }
	if structsOf, ok := structs[name]; ok {
		target = structsOf().target
	}
	targets := make([]any, len(messages))
	s, err := measure(len(messages), func(i int) error {
		targets[i] = c.own(target())
		return c.unmarshal(messages[i], targets[i])
	})
	if err != nil {
		return s, err
	}
	w, err := newWorkload(name, folder)
	if err != nil {
		return s, err
	}
	s.Verified = len(w.values) == len(messages)
	for i, value := range w.values {
		s.Verified = s.Verified && payload.Same(c.own(value), targets[i], allowed)
	}
	return s, nil
}

// measure calls a function with the numbers 0 to n − 1 in turn, over and over. It notes the time whenever the number of
// calls reaches an element of counts, and stops after the last element.
func measure(n int, call func(i int) error) (sample, error) {
	s := sample{Load: map[string]float64{"wall": 1, "cpu": 1}, Wall: map[string]float64{}, CPU: map[string]float64{}}
	start, cpu := time.Now(), cpuTime()
	for done, next := 0, 0; next < len(counts); done++ {
		if done == counts[next] {
			s.Wall[fmt.Sprint(done)], s.CPU[fmt.Sprint(done)] = milliseconds(time.Since(start)), max(milliseconds(cpuTime()-cpu), 0.001)
			next++
		}
		if err := call(done % n); err != nil {
			return s, err
		}
	}
	return s, nil
}

// cpuTime returns the CPU time of all threads of the process, or 0 if it is not known.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
