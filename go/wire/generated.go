package wire

// Plan of the file: the methods that polypack-gen writes, the shape by which they are recognised, and what they call besides the
// primitives: how containers are entered, and the hooks through which package polypack does everything that generated code does
// not do itself.

// Generated is what polypack-gen gives a struct type.
type Generated interface {
	// EncodeWire writes the value at position n and returns the position behind it, or a negative one when it failed.
	EncodeWire(w *Writer, n int) int
	// DecodeWire reads the value at position i and returns the position behind it, or a negative one when it failed.
	DecodeWire(r *Reader, i int) int
	// WireShape describes the struct that the methods were made for. Package polypack uses them only while it is true. It has
	// a line for each field in the order of encoding: the quoted key, the Go selector, the options, the kind. Kinds are
	//
	//	bool int int8 … uintptr float32 float64 string   and types made of them
	//	bytes [N]byte                                    []byte and arrays of bytes
	//	time                                             time.Time
	//	*K []K [N]K map[string]K                         pointers, slices, arrays, maps of kind K
	//	@                                                a struct with generated methods
	//	?                                                everything else
	WireShape() string
}

// WriterHooks is the library behind a Writer.
type WriterHooks interface {
	// Value writes what target, a pointer, points to.
	Value(n int, target any) int
	// Refuse lets the library word the error for what target points to, which it will not write.
	Refuse(target any)
	// Field and Index add to the path of the error.
	Field(name string)
	Index(index int)
}

// ReaderHooks is the library behind a Reader.
type ReaderHooks interface {
	// Value reads the value at position i into what target, a pointer, points to.
	Value(i int, target any) int
	// Plan does the same without generated methods, which will not read it.
	Plan(i int, target any) int
	// Entry reads an entry that has no field; index is its number. r.Owed counts its key and value.
	Entry(i, index int) int
	// Field and Index add to the path of the error.
	Field(name string)
	Index(index int)
}

// A WriterState is the part of a Writer that only generated code needs.
type WriterState struct {
	Depth, MaxDepth int // open containers
	Hops            int // pointers followed on the way here
	Hooks           WriterHooks
}

// maxHops is how many pointers may follow each other without a container between them.
const maxHops = 64

// Open enters a struct. It is for depths at which the Writer is not [Writer.Full].
func (w *Writer) Open() { w.Depth++ }

// Number writes an int. It is Int for code in which that would not be inlined, so one call instead of two.
//
//go:noinline
func (w *Writer) Number(n int, v int64) int {
	if uint64(v)+32 < 160 {
		return w.Byte(n, byte(v))
	}
	return w.wide(n, uint64(v), signedForm(v))
}

// Unsigned is Number for numbers that are not negative.
//
//go:noinline
func (w *Writer) Unsigned(n int, v uint64) int {
	if v < 128 {
		return w.Byte(n, byte(v))
	}
	return w.wide(n, v, unsignedForm(v))
}

// OpenArray enters an array of count elements and writes its head. The position is negative when there is no such array.
func (w *Writer) OpenArray(n, count int) int {
	if w.Depth >= w.MaxDepth || TooLong(count) {
		return -1
	}
	w.Depth++
	w.Room(n, Scalar)
	return w.ArrayHead(n, count)
}

// OpenMap enters a map of count entries and writes its head. The position is negative when there is no such map.
func (w *Writer) OpenMap(n, count int) int {
	if w.Depth >= w.MaxDepth || TooLong(count) {
		return -1
	}
	w.Depth++
	w.Room(n, Scalar)
	return w.MapHead(n, count)
}

// Close leaves the struct, array or map that was entered last.
func (w *Writer) Close() { w.Depth-- }

// Full reports whether the depth allows no container.
func (w *Writer) Full() bool { return w.Depth >= w.MaxDepth }

// Follow counts a pointer that is followed. It reports whether that is allowed.
func (w *Writer) Follow() bool {
	if w.Hops >= maxHops*(w.Depth+1) {
		return false
	}
	w.Hops++
	return true
}

// Unfollow uncounts a pointer that was followed.
func (w *Writer) Unfollow() { w.Hops-- }

// Value leaves it to the library to write what target points to.
func (w *Writer) Value(n int, target any) int { return w.Hooks.Value(n, target) }

// Refuse ends the encoding at what target points to.
//
//go:noinline
func (w *Writer) Refuse(target any) int {
	w.Hooks.Refuse(target)
	return -1
}

// Field adds a field to the path of a failure.
//
//go:noinline
func (w *Writer) Field(name string) int {
	w.Hooks.Field(name)
	return -1
}

// Index adds the index of an element to the path of a failure.
//
//go:noinline
func (w *Writer) Index(index int) int {
	w.Hooks.Index(index)
	return -1
}

// Take gives w the buffer of another Writer.
func (w *Writer) Take(from *Writer) {
	state := w.WriterState
	*w = *from
	w.WriterState = state
}
