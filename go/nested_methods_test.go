//go:build unix

package polypack_test

// Plan of the file: what types cost whose methods decode and encode what is inside them, when they nest deep. A method
// that gets bytes gets them checked, so it may cost each level once more; doc.go says so. A method that gets the
// Decoder or Encoder must not.

import (
	"bytes"
	"syscall"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// The types have one field for the next level and one for the rest of the bytes.
type (
	nestedPlain struct {
		Next *nestedPlain
		Rest [][]byte
	}
	nestedFrom struct {
		Next *nestedFrom
		Rest [][]byte
	}
	nestedBytes struct {
		Next *nestedBytes
		Rest [][]byte
	}
)

func (v *nestedFrom) UnmarshalMsgpackFrom(d *polypack.Decoder) error {
	type plain nestedFrom
	return d.Decode((*plain)(v))
}

func (v *nestedFrom) MarshalMsgpackTo(e *polypack.Encoder) error {
	type plain nestedFrom
	return e.Encode((*plain)(v))
}

// nestedGiven counts the bytes that the methods of nestedBytes get.
var nestedGiven int

func (v *nestedBytes) UnmarshalMsgpack(data []byte) error {
	type plain nestedBytes
	nestedGiven += len(data)
	return polypack.Unmarshal(data, (*plain)(v))
}

// nestedMessage nests as many levels, with elements in the innermost.
func nestedMessage(levels, elements int) []byte {
	data := append(bytes.Repeat([]byte("\x81\xa4Next"), levels-1), "\x81\xa4Rest\xdd\x00"...)
	data = append(data, byte(elements>>16), byte(elements>>8), byte(elements))
	return append(data, bytes.Repeat([]byte{0xc4, 1, 7}, elements)...)
}

// cpuTime returns the processor time that the process has used.
func cpuTime(t *testing.T) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// cheapest returns the least processor time of several calls.
func cheapest(t *testing.T, call func()) time.Duration {
	least := time.Hour
	for range 7 {
		before := cpuTime(t)
		for range 4 {
			call()
		}
		least = min(least, cpuTime(t)-before)
	}
	return least
}

// TestNestedMethodsTakeLinearTime compares 500 levels with one, of about the same length. If each level cost all bytes
// again, it would take hundreds of times as long.
func TestNestedMethodsTakeLinearTime(t *testing.T) {
	const elements = 20_000
	flat, deep := nestedMessage(1, elements), nestedMessage(500, elements)
	for name, call := range map[string]func(data []byte){
		"UnmarshalMsgpackFrom": func(data []byte) {
			if err := polypack.Unmarshal(data, new(nestedFrom)); err != nil {
				t.Fatal(err)
			}
		},
		"UnmarshalMsgpackFrom in plans": func(data []byte) {
			if err := polypack.Unmarshal(data, new(nestedFrom), polypack.PlansOnly()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		once, nested := cheapest(t, func() { call(flat) }), cheapest(t, func() { call(deep) })
		if nested > 4*once+20*time.Millisecond {
			t.Errorf("%s: 500 levels take %v, one takes %v", name, nested, once)
		}
	}
	var values [2]nestedFrom
	for i, data := range [][]byte{flat, deep} {
		if err := polypack.Unmarshal(data, &values[i]); err != nil {
			t.Fatal(err)
		}
	}
	encode := func(v *nestedFrom) func() {
		return func() {
			if _, err := polypack.Marshal(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	if once, nested := cheapest(t, encode(&values[0])), cheapest(t, encode(&values[1])); nested > 4*once+20*time.Millisecond {
		t.Errorf("MarshalMsgpackTo: 500 levels take %v, one takes %v", nested, once)
	}
}

// TestNestedMethodsGetBytesAgain pins what doc.go says about UnmarshalMsgpack: each level gets the bytes inside it, and
// MaxDepth bounds how many levels there are.
func TestNestedMethodsGetBytesAgain(t *testing.T) {
	const levels, elements = 500, 30_170
	data := nestedMessage(levels, elements)
	if len(data) != 93_515 {
		t.Fatalf("%d bytes; the review that found the cost had 93.5 KB", len(data))
	}
	nestedGiven = 0
	if err := polypack.Unmarshal(data, new(nestedBytes)); err != nil {
		t.Fatal(err)
	}
	want := 0
	for level := range levels {
		want += len(data) - 6*level
	}
	if nestedGiven != want {
		t.Errorf("the methods got %d bytes of a message of %d; want %d", nestedGiven, len(data), want)
	}
	wantFault(t, polypack.Unmarshal(nestedMessage(513, 1), new(nestedBytes)), polypack.CodeLimitExceeded, 6*512, pathOf("/Next", 512))
	var plain nestedPlain
	if err := polypack.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
}
