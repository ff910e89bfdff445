package main

// Plan of the file: how many bytes each call that reserves memory, such as Writer.Room, has to reserve in generated
// code. The number is known only when the code after the call has been written. Until then, the text has a mark instead
// of the number.

import (
	"fmt"
	"strings"
)

// reserves counts how many bytes each reserving call has to reserve. The bytes of a store may count for several calls,
// because the generator doesn't know which of these calls runs last before the store.
type reserves struct {
	sizes  []reserve
	active []int
}

type reserve struct {
	used  int      // the largest number of bytes that are kept
	touch int      // the largest number of bytes that stores write to
	texts []string // expressions for the lengths of strings
	// used and touch if all integers and strings are short, so that each integer and each str head is one byte
	shortUsed, shortTouch int
}

// use counts a store that writes stored bytes. At most kept of these bytes remain after the next store.
func (r *reserves) use(kept, stored int) {
	r.useSome(kept, stored, kept, stored)
}

// useShort counts the store of an integer or a str head, which needs only one byte if it is short.
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

// useText counts the bytes of the string x. Its head has been counted already.
func (r *reserves) useText(x string) {
	for _, id := range r.active {
		r.sizes[id].texts = append(r.sizes[id].texts, "len("+x+")")
	}
}

// make begins a new reserve and returns the mark that stands for its size.
func (r *reserves) make() string {
	r.active = []int{len(r.sizes)}
	r.sizes = append(r.sizes, reserve{})
	return reserveMark(len(r.sizes) - 1)
}

func reserveMark(id int) string { return fmt.Sprintf("\x00%d\x00", id) }

// shortReserveMark is the mark for the size of the same reserve if all integers and strings are short.
func shortReserveMark(id int) string { return fmt.Sprintf("\x01%d\x01", id) }

const (
	numberBytes = 9 // an int of more than one byte is stored as nine, whatever its length
	timeBytes   = 15
	headBytes   = 5
)

func (r *reserves) replace(text string) string {
	for id, size := range r.sizes {
		// One byte more than used, because the next value may be nil, which doesn't reserve its byte itself.
		need := append([]string{fmt.Sprint(max(size.used+1, size.touch))}, size.texts...)
		text = strings.ReplaceAll(text, reserveMark(id), strings.Join(need, "+"))
		need[0] = fmt.Sprint(size.shortTouch)
		text = strings.ReplaceAll(text, shortReserveMark(id), strings.Join(need, "+"))
	}
	return text
}
