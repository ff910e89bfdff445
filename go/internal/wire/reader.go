package wire

// Plan of the file: the Reader, the heads of containers, methods that read one value, then methods that call a hook.
// Most methods return a value and the position after it. A negative position means that the value is uncommon: for
// example nil, of another kind, truncated or out of range. Package polypack then reads the value again from its start.
// If a method calls a hook, a negative position means an error.
//
// reader_slices.go allocates slices and maps. reader_unsafe.go and reader_purego.go access the bytes and allocate
// strings.

import (
	"math"
	"time"

	"github.com/polypack/polypack/go/internal/format"
)

// An Input is a message. Its methods read numbers and timestamps, which don't need the state of a Reader. A position is
// an offset into the message, in bytes.
type Input struct{ data []byte }

// InputOf returns data as an Input.
func InputOf(data []byte) Input { return Input{data} }

// A Reader is an Input with the state of decoding it.
type Reader struct {
	Input
	Owed  int // number of values that open containers still have to deliver after the current value
	Hooks ReaderHooks
	state ReaderState
}

// A ReaderState is passed between a Reader and the engine of package polypack, which read a message in turns. They also
// pass Reader.Owed.
type ReaderState struct {
	Left   int // how many more containers may be opened, one inside the other
	Credit int // bytes that may still be allocated for elements that have not arrived (spec/06-limits.md)
	Texts  Texts
}

// StateOf returns the state of r.
func StateOf(r *Reader) *ReaderState { return &r.state }

// ReaderLimits are the limits that a Reader starts with. Generated code only passes them on.
type ReaderLimits struct{ limits Limits }

// Limits holds the values of ReaderLimits. Package polypack sets them.
type Limits struct {
	Left, Credit       int
	Expected           int  // probable size of all strings together, in bytes; 0 if not known
	ZeroCopy, Separate bool // as in Texts
}

// Under returns limits in the form that generated code passes on.
func Under(limits Limits) ReaderLimits { return ReaderLimits{limits} }

// Begin makes r ready to read data. r must be new.
func (r *Reader) Begin(data []byte, limits ReaderLimits, hooks ReaderHooks) {
	Begin(r, data, limits.limits, hooks)
}

// Begin is Reader.Begin with Limits instead of ReaderLimits, for package polypack.
func Begin(r *Reader, data []byte, limits Limits, hooks ReaderHooks) {
	r.data, r.state.Left, r.state.Credit, r.Hooks = data, limits.Left, limits.Credit, hooks
	t := &r.state.Texts
	t.ZeroCopy, t.Separate, t.Expected = limits.ZeroCopy, limits.Separate, limits.Expected
}

// Data returns the input, which must not be changed.
func (r *Input) Data() []byte { return r.data }

// OpenArray reads the head of an array and enters the array. It returns the count and the position of the first
// element.
func (r *Reader) OpenArray(i int) (count, at int) {
	if i >= len(r.data) {
		return 0, -1
	}
	var declared uint32
	switch c := byteAt(r.data, i); {
	case c&0xf0 == format.Fixarray:
		declared, at = uint32(c&format.MaxFixcontainer), i+1
	case c == format.Array16 && len(r.data)-i >= 3:
		declared, at = uint32(bigEndian16(r.data, i+1)), i+3
	case c == format.Array32 && len(r.data)-i >= 5:
		declared, at = bigEndian32(r.data, i+1), i+5
	default:
		return 0, -1
	}
	if int64(declared) > int64(len(r.data)-at-r.Owed) || r.state.Left <= 0 {
		return 0, -1
	}
	r.state.Left--
	return int(declared), at
}

// OpenShort does what OpenArray does for an array of at most the given number of elements. For a longer array, at is
// negative.
func (r *Reader) OpenShort(i, most int) (count, at int) {
	count, at = r.OpenArray(i)
	if at >= 0 && count > most {
		r.Close()
		return 0, -1
	}
	return count, at
}

// OpenMap reads the head of a map and enters the map. It returns the count of entries and the position of the first
// entry.
func (r *Reader) OpenMap(i int) (count, at int) {
	if i >= len(r.data) {
		return 0, -1
	}
	var declared uint32
	switch c := byteAt(r.data, i); {
	case c&0xf0 == format.Fixmap:
		declared, at = uint32(c&format.MaxFixcontainer), i+1
	case c == format.Map16 && len(r.data)-i >= 3:
		declared, at = uint32(bigEndian16(r.data, i+1)), i+3
	case c == format.Map32 && len(r.data)-i >= 5:
		declared, at = bigEndian32(r.data, i+1), i+5
	default:
		return 0, -1
	}
	if 2*int64(declared) > int64(len(r.data)-at-r.Owed) || r.state.Left <= 0 {
		return 0, -1
	}
	r.state.Left--
	return int(declared), at
}

// OpenFields is OpenMap for a fixmap, the usual form of a struct. The first entry is at i+1. If the count is negative,
// the caller must call OpenMap.
func (r *Reader) OpenFields(i int) (count int) {
	if i < len(r.data) {
		count = int(byteAt(r.data, i)) - format.Fixmap
		if uint(count) <= format.MaxFixcontainer && 2*count < len(r.data)-i-r.Owed && r.state.Left > 0 {
			r.state.Left--
			return count
		}
	}
	return -1
}

// Close leaves the array or map that was entered last.
func (r *Reader) Close() { r.state.Left++ }

// A Presence says whether there is a value, and whether it is nil.
type Presence uint8

const (
	IsUncommon Presence = iota // the end of the input, or an ext that may be undefined
	IsNil                      // nil
	IsValue                    // any other head byte
)

// Presence returns the Presence of the value at i, judged by its head byte alone.
func (r *Reader) Presence(i int) Presence {
	if i < len(r.data) {
		switch byteAt(r.data, i) {
		case format.Fixext1, format.Ext8, format.Ext16, format.Ext32:
			return IsUncommon
		case format.Nil:
			return IsNil
		default:
			return IsValue
		}
	}
	return IsUncommon
}

// IsNil reports whether there is a nil at i.
func (r *Reader) IsNil(i int) bool { return i < len(r.data) && byteAt(r.data, i) == format.Nil }

// Key reads the name of a field, which may be a str or a bin. It returns the name as a view of the input.
func (r *Reader) Key(i int) (key []byte, at int) {
	length, at := r.blobHead(i)
	if at < 0 {
		return nil, -1
	}
	return r.data[at : at+length], at + length
}

// Int reads an int that fits in an int64.
func (r *Input) Int(i int) (int64, int) {
	if len(r.data)-i >= 9 {
		h := &intHeads[byteAt(r.data, i)]
		v := h.Value(bigEndian64(r.data, i+1))
		if h.Size == 0 || h.IsBig(v) {
			return 0, -1
		}
		return v, i + int(h.Size)
	}
	v, big, at := r.number(i)
	if big {
		return 0, -1
	}
	return v, at
}

// Uint reads an int that fits in a uint64.
func (r *Input) Uint(i int) (uint64, int) {
	v, big, at := r.number(i)
	if v < 0 && !big {
		return 0, -1
	}
	return uint64(v), at
}

// number reads an int. If big is set, v has the bits of a uint64 that is too large for int64.
func (r *Input) number(i int) (v int64, big bool, at int) {
	if i >= len(r.data) {
		return 0, false, -1
	}
	h := &intHeads[byteAt(r.data, i)]
	if h.Size == 0 {
		return 0, false, -1
	}
	var word uint64
	switch left := len(r.data) - i; {
	case left >= 9:
		word = bigEndian64(r.data, i+1)
	case left < int(h.Size):
		return 0, false, -1
	default:
		for k := 1; k < int(h.Size); k++ {
			word |= uint64(byteAt(r.data, i+k)) << (64 - 8*k)
		}
	}
	v = h.Value(word)
	return v, h.IsBig(v), i + int(h.Size)
}

// An IntHead says how the 8 bytes after a head byte become an int. The payload is the part of these bytes that belongs
// to the int. The formula needs no branch:
//
//	bytes >> shift & mask + add
//
// The shift is arithmetic, so it keeps the sign.
type IntHead struct {
	mask  int64 // the bits to keep after the shift: none for a fixint, all if the payload has a sign or 8 bytes
	add   int64 // the value of a fixint, else 0
	above int64 // the highest bit if the payload is 8 bytes without a sign, else 0
	shift uint8
	Size  uint8 // bytes of the whole int, head byte included; 0 if the head byte isn't that of an int
}

var intHeads = IntHeads()

// Value returns the int whose payload is in the upper bytes of word.
func (h *IntHead) Value(word uint64) int64 {
	return int64(word)>>(h.shift&63)&h.mask + h.add
}

// IsBig reports whether v, a result of Value, has the bits of a uint64 that is too large for int64.
func (h *IntHead) IsBig(v int64) bool { return v&h.above < 0 }

// IsNegative reports whether v, a result of Value, is a number below 0.
func (h *IntHead) IsNegative(v int64) bool { return v&^h.above < 0 }

// IntHeads returns a table that says for each head byte how to read an int.
func IntHeads() (heads [256]IntHead) {
	for c := range heads {
		switch {
		case c <= format.LastPositiveFixint:
			heads[c] = IntHead{add: int64(c), Size: 1}
		case c >= format.NegativeFixint:
			heads[c] = IntHead{add: int64(int8(c)), Size: 1}
		}
	}
	for i, bytes := range []uint8{1, 2, 4, 8} {
		h := IntHead{mask: -1, shift: 64 - 8*bytes, Size: 1 + bytes}
		heads[format.Int8+i] = h
		if bytes < 8 {
			h.mask = 1<<(8*bytes) - 1
		} else {
			h.above = math.MinInt64
		}
		heads[format.Uint8+i] = h
	}
	return heads
}

// IsFloat64 reports whether there is a float 64 at i.
func IsFloat64(b []byte, i int) bool { return len(b)-i >= 9 && byteAt(b, i) == format.Float64 }

// Float64At returns the float 64 that is at i.
func Float64At(b []byte, i int) float64 { return math.Float64frombits(bigEndian64(b, i+1)) }

// IsBool reports whether there is a bool at i. The value of the bool is true if the byte at i is 0xc3.
func IsBool(b []byte, i int) bool { return len(b)-i > 0 && byteAt(b, i)&^1 == format.False }

// Float64 reads a float, or an int from -2⁵³ to 2⁵³.
func (r *Input) Float64(i int) (float64, int) {
	if len(r.data)-i >= 9 && byteAt(r.data, i) == format.Float64 {
		return math.Float64frombits(bigEndian64(r.data, i+1)), i + 9
	}
	return r.number64(i)
}

// maxFloatInt is 2⁵³: float64 represents every int from -2⁵³ to 2⁵³ exactly.
const maxFloatInt = 1 << 53

//go:noinline
func (r *Input) number64(i int) (float64, int) {
	if len(r.data)-i >= 5 && byteAt(r.data, i) == format.Float32 {
		return float64(math.Float32frombits(bigEndian32(r.data, i+1))), i + 5
	}
	v, big, at := r.number(i)
	if big || v > maxFloatInt || v < -maxFloatInt {
		return 0, -1
	}
	return float64(v), at
}

// Float32 reads one of three forms: a float 32; a float 64 that is NaN or in the range of float32, which it rounds; or
// an int from -2⁵³ to 2⁵³ that float32 represents exactly.
func (r *Input) Float32(i int) (float32, int) {
	if len(r.data)-i >= 5 && byteAt(r.data, i) == format.Float32 {
		return math.Float32frombits(bigEndian32(r.data, i+1)), i + 5
	}
	f, at := r.Float64(i)
	if at < 0 || byteAt(r.data, i) != format.Float64 && f != float64(float32(f)) || math.Abs(f) > math.MaxFloat32 {
		return 0, -1
	}
	return float32(f), at
}

// textHead reads the head of a str and checks that the input has the whole str. It returns the length and the position
// of the text.
func (r *Reader) textHead(i int) (length, at int) {
	left := len(r.data) - i
	if left <= 0 {
		return 0, -1
	}
	var declared uint32
	switch c := byteAt(r.data, i); {
	case c&0xe0 == format.Fixstr:
		declared, at = uint32(c&format.MaxFixstr), i+1
	case c == format.Str8 && left >= 2:
		declared, at = uint32(byteAt(r.data, i+1)), i+2
	case c == format.Str16 && left >= 3:
		declared, at = uint32(bigEndian16(r.data, i+1)), i+3
	case c == format.Str32 && left >= 5:
		declared, at = bigEndian32(r.data, i+1), i+5
	default:
		return 0, -1
	}
	if int64(declared) > int64(len(r.data)-at) {
		return 0, -1
	}
	return int(declared), at
}

// blobHead does what textHead does, for a str or a bin. A Reader is used only in default mode, where a str may stand
// for a bin and a bin for a str.
func (r *Reader) blobHead(i int) (length, at int) {
	left := len(r.data) - i
	if left <= 0 {
		return 0, -1
	}
	var declared uint32
	switch c := byteAt(r.data, i); {
	case c == format.Bin8 && left >= 2:
		declared, at = uint32(byteAt(r.data, i+1)), i+2
	case c == format.Bin16 && left >= 3:
		declared, at = uint32(bigEndian16(r.data, i+1)), i+3
	case c == format.Bin32 && left >= 5:
		declared, at = bigEndian32(r.data, i+1), i+5
	default:
		return r.textHead(i)
	}
	if int64(declared) > int64(len(r.data)-at) {
		return 0, -1
	}
	return int(declared), at
}

// Bytes reads a bin, or a str as if it were a bin. With ZeroCopy it returns a view of the input. Otherwise it returns a
// copy, in the memory of old if that is large enough. An empty bin gives an empty slice, not nil.
func (r *Reader) Bytes(i int, old []byte) ([]byte, int) {
	length, at := r.blobHead(i)
	if at < 0 {
		return nil, -1
	}
	view := r.data[at : at+length]
	switch {
	case r.state.Texts.ZeroCopy:
		return view[:length:length], at + length
	case old != nil && cap(old) >= length:
		return append(old[:0], view...), at + length
	}
	return append(make([]byte, 0, length), view...), at + length
}

// ByteArray reads a bin into a byte array, and sets the rest of the array to zero. A str counts as a bin. If the array
// is too short, ByteArray changes nothing and returns a negative position.
func (r *Reader) ByteArray(i int, to []byte) int {
	length, at := r.blobHead(i)
	if at < 0 || length > len(to) {
		return -1
	}
	clear(to[copy(to, r.data[at:at+length]):])
	return at + length
}

const maxNanoseconds = 999_999_999

// Time reads a timestamp of 32 or 64 bits.
func (r *Input) Time(i int) (time.Time, int) {
	if len(r.data)-i >= 10 && bigEndian16(r.data, i) == format.Fixext8<<8|format.TimestampByte {
		word := bigEndian64(r.data, i+2)
		if nanoseconds := word >> 34; nanoseconds <= maxNanoseconds {
			return time.Unix(int64(word&(1<<34-1)), int64(nanoseconds)).UTC(), i + 10
		}
		return time.Time{}, -1
	}
	if len(r.data)-i >= 6 && bigEndian16(r.data, i) == format.Fixext4<<8|format.TimestampByte {
		return time.Unix(int64(bigEndian32(r.data, i+2)), 0).UTC(), i + 6
	}
	return time.Time{}, -1
}

// Value lets the library read the value at i into the variable that target points to.
func (r *Reader) Value(i int, target any) int {
	*r, i = r.Hooks.ReadValue(*r, i, target)
	return i
}

// FieldValue lets the library read the value at i into a field by the options in the field's tag, such as as_array.
// target points to the struct, and index is the index of the field.
func (r *Reader) FieldValue(i int, target any, index int) int {
	*r, i = r.Hooks.ReadField(*r, i, target, index)
	return i
}

// RestEntry lets the library read the map entry at i into the inline map of the struct that target points to, because
// no field has the entry's key. index is the entry's index.
//
//go:noinline
func (r *Reader) RestEntry(i, index int, target any) int {
	*r, i = r.Hooks.ReadRest(*r, i, index, target)
	return i
}

// Plan lets the library read the value at i, which generated code can't read, into the variable that target points to.
//
//go:noinline
func (r *Reader) Plan(i int, target any) int {
	*r, i = r.Hooks.ReadPlan(*r, i, target)
	return i
}

// MapKey reads a str as the key of a Go map. Unlike String, it doesn't accept a bin.
func (r *Reader) MapKey(i int) (string, int) {
	if i < len(r.data) && byteAt(r.data, i)&0xe0 == format.Fixstr {
		return r.String(i)
	}
	length, at := r.textHead(i)
	if at < 0 {
		return "", -1
	}
	return r.text(at, length), at + length
}

// OddKey lets the library read a key that MapKey doesn't accept, such as a bin. target points to the map.
//
//go:noinline
func (r *Reader) OddKey(i int, target any) (key string, at int) {
	*r, key, at = r.Hooks.ReadKey(*r, i, target)
	return key, at
}

// Entry lets the library skip or refuse the map entry at i, because no field has its key. index is the entry's index.
//
//go:noinline
func (r *Reader) Entry(i, index int) int {
	*r, i = r.Hooks.ReadEntry(*r, i, index)
	return i
}

// Field adds the name of a field or a map key to the path of the error, and returns -1.
//
//go:noinline
func (r *Reader) Field(name string) int {
	r.Hooks.Field(name)
	return -1
}

// Index adds the index of an element to the path of the error, and returns -1.
//
//go:noinline
func (r *Reader) Index(index int) int {
	r.Hooks.Index(index)
	return -1
}
