// First measures the first messages of a fresh process: tools/bench-first-go.mjs runs it once per sample.
//
//	first CONTESTANT encode|decode|write WORKLOAD FILE
//
// It prints the milliseconds of the first 1, 20, 100, 1,000 and 5,000 messages together as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"syscall"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/bench/payload"
)

var counts = []int{1, 20, 100, 1000, 5000}

// sample is what one process has measured; tools/bench-first.mjs has the type.
type sample struct {
	Load     map[string]float64 `json:"load"`
	Wall     map[string]float64 `json:"wall"`
	CPU      map[string]float64 `json:"cpu"`
	Verified bool               `json:"verified"`
}

type library struct {
	marshal   func(v any) ([]byte, error)
	unmarshal func(data []byte, v any) error
}

var libraries = map[string]library{
	"polypack": {
		func(v any) ([]byte, error) { return polypack.Marshal(v) },
		func(data []byte, v any) error { return polypack.Unmarshal(data, v) },
	},
	"json": {json.Marshal, json.Unmarshal},
}

// values makes what is sent, and an empty target for it.
var values = map[string]func() (value, target any){
	"01Small":  of(payload.NewSmall),
	"02Medium": of(payload.NewMedium),
	"03Large":  of(payload.NewLarge),
	"13Config": of(payload.NewConfig),
}

func of[T any](make func() T) func() (value, target any) {
	return func() (value, target any) {
		v := make()
		return &v, new(T)
	}
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "first:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("usage: first CONTESTANT encode|decode|write WORKLOAD FILE")
	}
	l, known := libraries[args[0]]
	make, found := values[args[2]]
	if !known || !found {
		return fmt.Errorf("unknown contestant or workload %q", args)
	}
	value, target := make()
	if args[1] == "write" { // the messages to decode, by another process, so that reading is really first
		data, err := l.marshal(value)
		if err != nil {
			return err
		}
		return os.WriteFile(args[3], data, 0o666)
	}
	data, err := os.ReadFile(args[3])
	if err != nil {
		return err
	}
	s := sample{Load: map[string]float64{"wall": 1, "cpu": 1}, Wall: map[string]float64{}, CPU: map[string]float64{}}
	empty := reflect.Zero(reflect.TypeOf(target).Elem())
	start, cpu := time.Now(), cpuTime()
	for done, next := 0, 0; next < len(counts); done++ {
		if done == counts[next] {
			s.Wall[fmt.Sprint(done)], s.CPU[fmt.Sprint(done)] = milliseconds(time.Since(start)), max(milliseconds(cpuTime()-cpu), 0.001)
			next++
		}
		if args[1] == "encode" {
			data, err = l.marshal(value)
		} else {
			reflect.ValueOf(target).Elem().Set(empty)
			err = l.unmarshal(data, target)
		}
		if err != nil {
			return err
		}
	}
	if args[1] == "encode" {
		if err := l.unmarshal(data, target); err != nil {
			return err
		}
	}
	again, err := l.marshal(target)
	if err != nil {
		return err
	}
	want, err := l.marshal(value)
	s.Verified = err == nil && string(again) == string(want)
	return json.NewEncoder(os.Stdout).Encode(s)
}

// cpuTime returns the time that all threads have taken.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
