package polypack

// Plan of the file: the numbers of spec/06-limits.md, then open and close for every container that a Decoder reads,
// then how much memory may be allocated for elements that have not arrived.
//
// The invariant that makes hostile counts harmless: at the head of every container
//
//	children + owed ≤ remaining bytes
//
// where owed is how many values the containers around it still have to deliver after it. Each value costs a byte, so no
// valid input is refused, and the counts of all open containers together never exceed the input.
//
// Loops that are faster than a Decoder check depth and counts themselves. If a check fails there, a Decoder reads the
// container again, so that only open makes the error. These places are:
//
//	engine_decode.go                 openArray, openMap
//	engine_decode_struct.go          structValue, for a fixmap; run, for skipped values
//	engine_decode_struct_watched.go  watchedStruct, the same where a message is watched
//	engine_decode_records.go         openInstance
//	engine_decode_watch.go           allows…, for MaxValues and Config in all of these
//	decoder_run.go                   run, for what is skipped
//	internal/wire/reader.go          OpenArray, OpenMap, OpenFields, for generated methods
//
// Three more make their errors themselves: declaration in records.go, whose array of names is a container, too; begin
// in stream_elements.go, which opens the long array; and the scanner in stream_scanner.go, which enforces MaxBytes and
// reports faults before the whole message has arrived.
//
// Encoding counts depth in enter of encoder.go, in the engine_encode files and in internal/wire/generated.go;
// marshal_custom_encode.go adds the depth of values that methods write.

import (
	"fmt"
	"maps"
	"reflect"
)

const (
	defaultMaxDepth = DefaultMaxDepth
	defaultMaxBytes = 64 << 20
	maxPreallocated = 1024

	// maxDepthCeiling keeps recursion far below the stack limit of the Go runtime (250 MB on 32-bit machines).
	maxDepthCeiling = 100_000

	// deepestGenerated is the largest MaxDepth with which generated methods are used. Their stack frames grow with
	// their structs, up to some kilobytes; those of the engine are small.
	deepestGenerated = 8192
)

// open checks depth, counts and maxValues at the head of a container, in this order
// (spec/07-errors.md#which-fault-wins), and opens it. The head starts at start and has been read; d.offset is behind
// it. Until close, the caller subtracts one from d.owed before each child. The children fit in the input if open
// returns no error, so their count fits in an int on 32-bit machines, too.
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

// enter is open for a container whose limits have been checked.
func (d *Decoder) enter(children int64) {
	d.values += children
	d.owed += children
	d.depth++
}

// close leaves the container that was opened last, after its last child.
func (d *Decoder) close() { d.depth-- }

// available returns how many children the next container may declare: one per byte that remains after the owed values.
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

// Memory for elements that have not arrived is allocated because a head declares their count, which may be false. For
// such elements, all open containers of a message together allocate no more than
//
//	4 × input + 64 KiB
//
// Beyond that, each container may allocate one element, or as much memory as it has filled with elements that have
// arrived. One part of the budget is for plans, the other for the engine. An element may take more memory than its
// encoding: a byte may become a [128]int64. Its memory is charged when it arrives.
const (
	plansTimes, plansPromise   = 1, 32 << 10
	engineTimes, enginePromise = 3, 32 << 10

	// Plans divide one half of their part among the outer containers. The containers inside these share the other half.
	outerDepth       = 8
	outerPreallocate = 32 << 10
	innerPreallocate = 512
)

// mapEntryBytes is the most memory in bytes that a Go map takes per entry: 7/3 of the key, the element and a control
// byte. The tables of a map double and are at most 7/8 full, so a map with just over three entries may have memory for
// seven.
func mapEntryBytes(key, elem uintptr) uintptr { return (key + elem + 1) * 7 / 3 }

// preallocate returns how many of count elements, of elementBytes each, may get memory before they arrive.
func (d *Decoder) preallocate(count int, elementBytes uintptr) int {
	half := plansTimes*(len(d.data)/2) + plansPromise/2
	budget := 0
	if d.depth <= outerDepth {
		budget = min(half/outerDepth, outerPreallocate)
	} else {
		budget = min(half/d.maxDepth, innerPreallocate)
	}
	return min(count, maxPreallocated, max(1, budget/int(max(1, elementBytes))))
}

// How far a full slice grows. Each step leaves the old memory as garbage, so there are fewer and larger steps than with
// append: otherwise bad input could leave garbage of several times its own size.
const (
	growth    = 16        // the largest factor of one step
	mostAhead = 256 << 10 // bytes beyond double, at most, so that a false count costs little before its elements arrive
)

// capacityAfter returns the new capacity for elements of elementBytes each, once have elements fill the memory. count
// is their declared number.
func capacityAfter(have, count int, elementBytes uintptr) int {
	have = max(1, have)
	return min(count, growth*have, 2*have+mostAhead/int(max(1, elementBytes)))
}

// grown returns s with capacity for at least one more element. count is their declared number.
func grown[E any](s []E, count int) []E {
	if len(s) < cap(s) {
		return s
	}
	return append(make([]E, 0, capacityAfter(len(s), count, reflect.TypeFor[E]().Size())), s...)
}

// grownMap copies a map that has filled its capacity, and returns the copy and its larger capacity, which is at most
// count entries.
func grownMap[K comparable, V any](m map[K]V, count int) (map[K]V, int) {
	capacity := capacityAfter(len(m), count, mapEntryBytes(reflect.TypeFor[K]().Size(), reflect.TypeFor[V]().Size()))
	larger := make(map[K]V, capacity)
	maps.Copy(larger, m)
	return larger, capacity
}
