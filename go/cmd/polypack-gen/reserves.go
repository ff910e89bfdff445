package main

// Plan of the file: how many bytes each call that reserves memory, such as Writer.Room, has to reserve in generated
// code. The number is known only when the code after the call has been written. Until then, the text has a mark instead
// of the number.

import (
	"fmt"
	"strings"
)

// reserves counts how many bytes each reserving call has to reserve. A store may count for several calls, because the
// generated code has branches, and any of these calls may be the last one before the store.
type reserves struct {
	sizes  []reserve
	active []int
}

type reserve struct {
	used  int      // the most bytes that the stores keep
	touch int      // the most bytes that the stores write, including bytes that the next store overwrites
	texts []string // expressions for the lengths of strings
	// shortUsed and shortTouch are used and touch if each integer and each str head takes only one byte.
	shortUsed, shortTouch int
}

// use counts a store that writes at most stored bytes. The next store overwrites those after the first kept bytes.
func (r *reserves) use(kept, stored int) {
	r.useSome(kept, stored, kept, stored)
}

// useShort counts the store of an integer or a str head, which takes only one byte if the number or length is small.
func (r *reserves) useShort(kept, stored int) {
	r.useSome(kept, stored, 1, 1)
}

func (r *reserves) useSome(kept, stored, shortKept, shortStored int) {
	for _, id := range r.active {
		size := &r.sizes[id]
		size.touch = max(size.touch, size.used+stored)
		size.used += kept
		size.shortTouch = max(size.shortTouch, size.shortUsed+shortStored)
		size.shortUsed += shortKept
	}
}

// useText counts the bytes of the string x, but not the bytes of its head.
func (r *reserves) useText(x string) {
	for _, id := range r.active {
		r.sizes[id].texts = append(r.sizes[id].texts, "len("+x+")")
	}
}

// make begins to count for a new reserving call, and returns the mark for the number of bytes.
func (r *reserves) make() string {
	r.active = []int{len(r.sizes)}
	r.sizes = append(r.sizes, reserve{})
	return reserveMark(len(r.sizes) - 1)
}

func reserveMark(id int) string { return fmt.Sprintf("\x00%d\x00", id) }

// shortReserveMark returns a mark like reserveMark, but for the bytes that are needed if each integer and each str head
// takes only one byte.
func shortReserveMark(id int) string { return fmt.Sprintf("\x01%d\x01", id) }

const (
	numberBytes = 9 // storing an int of more than one byte writes nine bytes, whatever its length
	timeBytes   = 15
	headBytes   = 5
)

func (r *reserves) replace(text string) string {
	for id, size := range r.sizes {
		// One byte more than used, because the next value may be nil, whose byte has no reservation of its own.
		need := append([]string{fmt.Sprint(max(size.used+1, size.touch))}, size.texts...)
		text = strings.ReplaceAll(text, reserveMark(id), strings.Join(need, "+"))
		need[0] = fmt.Sprint(size.shortTouch)
		text = strings.ReplaceAll(text, shortReserveMark(id), strings.Join(need, "+"))
	}
	return text
}
