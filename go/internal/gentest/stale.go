package gentest

import "github.com/polypack/polypack/go/wire"

// OldPart has methods that don't fit it, because they were made when Count was an int. If EncodeWire ran, it would
// write the reserved byte 0xc1.
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

// OldZero has methods that don't fit it, because they were made before Rank had a method IsZero.
type OldZero struct {
	Rank Rank `msgpack:",omitzero"`
}

// WireShape returns the shape that the methods were made for.
func (*OldZero) WireShape() string { return "\"Rank\" Rank omitzero int" }

// AppendWire must never run.
func (*OldZero) AppendWire([]byte, int, int, wire.WriterHooks) ([]byte, int, int, wire.WriterHooks) {
	panic("a method that does not fit")
}

// ReadWire must never run.
func (*OldZero) ReadWire([]byte, wire.ReaderLimits, wire.ReaderHooks) (int, wire.ReaderHooks) {
	panic("a method that does not fit")
}

// EncodeWire must never run.
func (*OldZero) EncodeWire(*wire.Writer, int) int { panic("a method that does not fit") }

// DecodeWire must never run.
func (*OldZero) DecodeWire(*wire.Reader, int) int { panic("a method that does not fit") }
