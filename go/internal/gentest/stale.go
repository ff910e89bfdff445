package gentest

import "github.com/polypack/polypack/go/wire"

// OldPart has methods that don't fit it, because they were made when Count was an int. EncodeWire would write the
// reserved byte 0xc1.
type OldPart struct {
	Name  string
	Count string
}

// WireShape returns the shape that the methods were made for.
func (*OldPart) WireShape() string { return "\"Name\" Name string\n\"Count\" Count int" }

// AppendWire must never run.
func (*OldPart) AppendWire([]byte, int, int, wire.WriterHooks) ([]byte, int, int, wire.WriterHooks) {
	panic("a method that does not fit")
}

// ReadWire must never run.
func (*OldPart) ReadWire([]byte, wire.ReaderLimits, wire.ReaderHooks) (int, wire.ReaderHooks) {
	panic("a method that does not fit")
}

// EncodeWire must never run.
func (*OldPart) EncodeWire(w *wire.Writer, n int) int {
	wire.PutByte(w.Base(), n, 0xc1)
	return n + 1
}

// DecodeWire must never run.
func (*OldPart) DecodeWire(*wire.Reader, int) int { panic("a method that does not fit") }
