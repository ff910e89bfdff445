package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// measure tells what decoding costs, by wall clock and in processor time, the collector's included. As memory it tells
// all that one decode allocates, garbage included (the most that can be in use at once, when the collector does not
// run), and what the value retains of it.
func measure(r *request, opts []polypack.Option) (answer, error) {
	decode := func(data []byte) (any, error) {
		var v any
		err := polypack.Unmarshal(data, &v, opts...)
		return v, err
	}
	if r.Door != "" {
		i := slices.IndexFunc(doors, func(d door) bool { return d.Name == r.Door })
		if i < 0 {
			return nil, fmt.Errorf("unknown door %q", r.Door)
		}
		decode = doors[i].decode
	}

	milliseconds := make([]float64, r.Rounds)
	cpu := make([]float64, len(milliseconds))
	for i := range milliseconds {
		start, used := time.Now(), processorTime()
		_, _ = decode(r.Bytes) // the error of the last decode below is the answer
		cpu[i] = (processorTime() - used).Seconds() * 1000
		milliseconds[i] = time.Since(start).Seconds() * 1000
	}

	var before, after, collected runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v, err := decode(r.Bytes)
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&collected)
	runtime.KeepAlive(v)
	a := answer{
		"bytes":    after.TotalAlloc - before.TotalAlloc,
		"retained": max(0, int64(collected.HeapAlloc)-int64(before.HeapAlloc)),
		"error":    nil,
	}
	if r.Rounds > 0 {
		first := milliseconds[0]
		slices.Sort(milliseconds)
		a["milliseconds"] = answer{"first": first, "median": milliseconds[len(milliseconds)/2]}
		a["cpu"] = slices.Min(cpu)
	}

	var data *polypack.Error
	switch {
	case errors.As(err, &data):
		a["error"] = faultOf(data)
	case err != nil:
		return nil, err
	}
	return a, nil
}

// processorTime returns the processor time of the process so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
