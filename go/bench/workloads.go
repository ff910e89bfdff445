package main

import "github.com/polypack/polypack/go/bench/payload"

// A group says which targets apply to a workload.
type group int

const (
	flat   group = iota // structs without nested structs, and columns
	nested              // structs in structs
	maps                // maps and slices of maps, without structs
)

// A workload is a value, and what the bench needs to measure how it is encoded and decoded.
type workload struct {
	name   string
	value  any        // what is encoded: a map, a slice, or a pointer to a struct
	want   any        // a pointer to the map, slice or struct
	target func() any // returns a pointer to a zero value of the same type
	own    owns
}

// A loader makes a workload when the bench needs it, because making a column takes a while.
type loader struct {
	name  string
	group group
	load  func() *workload
}

var workloads = []loader{
	ofStruct("01Small", flat, payload.NewSmall),
	ofStruct("02Medium", flat, payload.NewMedium),
	ofStruct("03Large", flat, payload.NewLarge),
	ofMap("04SmallMap", payload.NewSmallMap),
	ofMap("05MediumMap", payload.NewMediumMap),
	ofMap("06StringMap", payload.NewStringMap),
	ofStruct("07Int64x1M", flat, payload.NewMultiples),
	ofStruct("08Mixed64x1M", flat, payload.NewMixedInts),
	ofStruct("09Uint16x1M", flat, payload.NewUint16s),
	ofStruct("10Float64x1M", flat, payload.NewFloats),
	ofStruct("11Stringx1M", flat, payload.NewStrings),
	ofStruct("12Rows1000", nested, payload.NewPage),
	ofStruct("13Config", nested, payload.NewConfig),
	ofStruct("14Series", nested, payload.NewSeries),
	ofMap("15Doc", payload.NewDoc),
	ofMap("16Maps500", payload.NewMaps),
}

func ofStruct[T any](name string, of group, value func() T) loader {
	return loader{name, of, func() *workload {
		v := value()
		return newWorkload(name, &v, &v)
	}}
}

func ofMap[T any](name string, value func() T) loader {
	return loader{name, maps, func() *workload {
		v := value()
		return newWorkload(name, v, &v)
	}}
}

func newWorkload[T any](name string, value any, want *T) *workload {
	w := &workload{name: name, value: value, want: want, target: func() any { return new(T) }}
	w.own = ownsOf(w, want)
	return w
}

// groupOf returns the group of the workload with the name, or maps if no workload has it.
func groupOf(name string) group {
	for _, l := range workloads {
		if l.name == name {
			return l.group
		}
	}
	return maps
}
