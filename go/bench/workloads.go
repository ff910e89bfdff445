package main

import "github.com/polypack/polypack/go/bench/payload"

// A group says which targets apply to a workload.
type group int

const (
	flat   group = iota // structs without nested structs, and columns
	nested              // structs in structs
	maps                // maps without structs
)

// A workload is a value and whatever the bench needs to measure with it.
type workload struct {
	name   string
	value  any        // what is encoded: a map, a slice, or a pointer to a struct, so that no call boxes the struct
	want   any        // a pointer to the value
	target func() any // returns a pointer to a zero value of the same type
	own    owns
}

// A loader is an entry of workloads. load makes the value, which takes a while for a column.
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

// groupOf returns the group of the workload with that name, or maps if there is none.
func groupOf(name string) group {
	for _, l := range workloads {
		if l.name == name {
			return l.group
		}
	}
	return maps
}
