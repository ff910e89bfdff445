package polypack

// Plan of the file: the numbers of spec/06-limits.md; then open and close, for every container that a Decoder reads;
// then how much memory may be allocated for elements that have not arrived.
//
// One invariant makes hostile counts harmless. At the head of every container
//
//	children + owed ≤ remaining bytes
//
// where children is how many values the container declares, and owed is how many values the outer containers still have
// to deliver after this container. Each value has at least one byte, so no valid input is refused. The counts of all
// open containers together never exceed the number of input bytes.
//
// Code that is faster than a Decoder checks depth and counts itself. If such a check fails, a Decoder reads the
// container again and makes the error. The checks are in:
//
//	engine_decode.go                 openArray, openMap
//	engine_decode_struct.go          structValue, for a fixmap; run, for skipped values
//	engine_decode_struct_watched.go  watchedStruct, for a fixmap
//	engine_decode_records.go         openInstance
//	engine_decode_watch.go           allowsArray, allowsMap, allowsRecord: MaxValues and Config for the files above
//	decoder_run.go                   run, for skipped values
//	internal/wire/reader.go          OpenArray, OpenMap, OpenFields, for generated methods
//
// Three other places check limits without open. In records.go, declaration and recordNames check a declaration. In
// stream_elements.go, begin opens the array that Elements reads. In stream_scanner.go, the scanner also enforces
// MaxBytes, and reports faults before the whole message has arrived.
//
// Encoding counts depth in enter of encoder.go, in the engine_encode files and in internal/wire/generated.go. In
// marshal_custom_encode.go, judge checks the depth of values that methods write.

import (
	"fmt"
	"maps"
	"math"
	"reflect"
)

const (
	defaultMaxDepth = DefaultMaxDepth
	defaultMaxBytes = 64 << 20
	maxPreallocated = 1024

	// maxDepthCeiling keeps recursion far below the stack limit of the Go runtime (250 MB on 32-bit machines).
	maxDepthCeiling = 100_000

	// deepestGenerated is the largest MaxDepth with which generated methods are used. Their stack frames can have
	// several kilobytes; those of the engine are small.
	deepestGenerated = 8192
)

// open checks depth, counts and maxValues at the head of a container, in this order
// (spec/07-errors.md#which-fault-wins), and opens the container. The head starts at start, and d.offset is after it.
// Until close, the caller subtracts one from d.owed before each child. If open returns no error, the input has at least
// one byte per child. So the number of children also fits in an int on 32-bit machines.
func (d *Decoder) open(start int, children int64) error {
	if d.depth >= d.maxDepth {
		return d.failDepth(start)
	}
	if children > d.available() {
		return d.failCount(start, children)
	}
	if children > d.maxValues-d.values {
		return d.failValues(start)
	}
	d.enter(children)
	return nil
}

// enter opens a container whose limits have been checked.
func (d *Decoder) enter(children int64) {
	d.values += children
	d.owed += children
	d.depth++
}

// close leaves the container that was opened last, after its last child.
func (d *Decoder) close() { d.depth-- }

// available returns how many children the next container may declare: the number of remaining bytes minus d.owed.
func (d *Decoder) available() int64 {
	return int64(len(d.data)-d.offset) - d.owed
}

func (d *Decoder) failDepth(start int) error {
	return d.fail(CodeLimitExceeded, start, fmt.Sprintf("depth %d exceeds the limit %d", d.depth+1, d.maxDepth),
		"raise MaxDepth if the source is trusted")
}

func (d *Decoder) failCount(start int, children int64) error {
	return d.fail(CodeUnexpectedEnd, start, fmt.Sprintf("%s declares %d values but at most %d fit the bytes that remain",
		formatName(d.data[start]), children, max(0, d.available())), "the input is truncated")
}

func (d *Decoder) failValues(start int) error {
	return d.fail(CodeLimitExceeded, start, fmt.Sprintf("the message holds more values than the limit %d", d.maxValues),
		"raise MaxValues if the source is trusted")
}

// The head of a container declares a count, which may be false. For elements that have not arrived, all open containers
// of a message together allocate no more than a budget of
//
//	4 × input + 64 KiB
//
// Beyond the budget, each container may allocate one element, or as much memory as it has filled with elements that
// have arrived. The budget doesn't limit the memory of elements that have arrived. For example, each nil byte may
// become a [128]int64.
//
// One part of the budget is credit. A container takes from the credit before it allocates, and gives back what it took
// when the elements have arrived. The engine takes credit; plans take credit only when a container grows. The other
// part is divided among the containers of plans, for their first memory.
const (
	firstTimes, firstPromise   = 1, 32 << 10
	creditTimes, creditPromise = 3, 32 << 10

	// The outerDepth outermost open containers share one half of the part for first memory, and all containers inside
	// these share the other half. An outer container gets at most outerPreallocate bytes, and an inner one at most
	// innerPreallocate bytes.
	outerDepth       = 8
	outerPreallocate = 32 << 10
	innerPreallocate = 512
)

// creditFor returns the credit for a message of n bytes.
func creditFor(n int) int {
	return creditTimes*min(n, math.MaxInt/creditTimes-creditPromise) + creditPromise
}

// mapEntryBytes estimates the most memory, in bytes, that a Go map of more than 8 entries needs per entry, without
// padding. An entry has a key, an element and a control byte. A table of the map doubles when it is 7/8 full, so it may
// be just over 7/16 full. Then it needs almost 16/7 times the memory of its entries; 7/3 is slightly more.
func mapEntryBytes(key, elem uintptr) uintptr { return (key + elem + 1) * 7 / 3 }

// preallocate returns how many of count elements, of elementBytes each, may get memory before they arrive.
func (d *Decoder) preallocate(count int, elementBytes uintptr) int {
	half := firstTimes*(len(d.data)/2) + firstPromise/2
	budget := 0
	if d.depth <= outerDepth {
		budget = min(half/outerDepth, outerPreallocate)
	} else {
		budget = min(half/d.maxDepth, innerPreallocate)
	}
	return min(count, maxPreallocated, max(1, budget/int(max(1, elementBytes))))
}

// more returns a larger capacity for the count elements of a container, size bytes each. have is how many of them have
// arrived and fill the old memory. The new capacity is at most twice have, plus what the credit allows. Each step
// leaves the old memory as garbage. So of the capacities that lead to count in the fewest steps, more returns the
// smallest. *promised is the credit that the container has taken, in bytes.
func (d *Decoder) more(have, count int, size uintptr, promised *int) int {
	d.arrived(*promised)
	twice := 2 * max(1, have)
	ahead := max(0, creditFor(len(d.data))-d.promised) / int(max(1, size))
	capacity := count
	for capacity-ahead > twice {
		capacity = (capacity - ahead + 1) / 2 // the smallest capacity from which one step leads to the previous one
	}
	*promised = max(0, capacity-twice) * int(size)
	d.promised += *promised
	return capacity
}

// arrived gives back the credit that a container has taken, because its elements have arrived.
func (d *Decoder) arrived(promised int) { d.promised -= promised }

// grown returns s with capacity for at least one more element. count is the declared number of elements. *promised is
// the credit that the container has taken, in bytes.
func grown[E any](d *Decoder, s []E, count int, promised *int) []E {
	if len(s) < cap(s) {
		return s
	}
	return append(make([]E, 0, d.more(len(s), count, reflect.TypeFor[E]().Size(), promised)), s...)
}

// grownMap copies a map that has filled its capacity. It returns the copy and its larger capacity, which is at most
// count entries. *promised is the credit that the map has taken, in bytes.
func grownMap[K comparable, V any](d *Decoder, m map[K]V, count int, promised *int) (map[K]V, int) {
	capacity := d.more(len(m), count, mapEntryBytes(reflect.TypeFor[K]().Size(), reflect.TypeFor[V]().Size()), promised)
	larger := make(map[K]V, capacity)
	maps.Copy(larger, m)
	return larger, capacity
}
