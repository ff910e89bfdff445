package main

import (
	"runtime"
	"runtime/metrics"
)

// heapInUse is what lies on the heap: values in use, and garbage that was not swept yet.
const heapInUse = "/memory/classes/heap/objects:bytes"

// peak returns how many bytes of the heap a call takes at its peak above what was there before, garbage included until
// it's collected. The heap only shrinks when Go collects: without a collection the peak is at the end, which is exact;
// otherwise it's the most that a second goroutine has seen, looking again and again.
func peak(call func() error) (uint64, error) {
	runtime.GC()
	runtime.GC() // the first one may have left garbage to sweep
	stop, seen := make(chan struct{}), make(chan uint64)
	go watchHeap(stop, seen)
	<-seen
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := call()
	runtime.ReadMemStats(&after)
	close(stop)
	most := after.HeapAlloc
	if highest := <-seen; after.NumGC != before.NumGC {
		most = max(most, highest)
	}
	if most < before.HeapAlloc {
		return 0, err
	}
	return most - before.HeapAlloc, err
}

// watchHeap sends something when it begins to look, and the most that it saw when it's told to stop.
func watchHeap(stop <-chan struct{}, seen chan<- uint64) {
	sample := []metrics.Sample{{Name: heapInUse}}
	metrics.Read(sample)
	most := uint64(0)
	seen <- most
	for {
		select {
		case <-stop:
			seen <- most
			return
		default:
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64())
			runtime.Gosched()
		}
	}
}
