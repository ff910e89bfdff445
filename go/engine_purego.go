//go:build purego

package polypack

// Plan of the file: the replacement for the engine under the build tag purego. In this build, plans do all the work.

import (
	"reflect"

	"github.com/polypack/polypack/go/internal/wire"
)

// programs, prepared and lent are empty in this build.
type (
	programs struct{}
	prepared struct{}
	lent     struct{}
)

func (*programs) inherit(*programs) {}

func (s *settings) prepare(reflect.Type) prepared { return prepared{} }

func (prepared) append(s *settings, dst []byte, v any) ([]byte, error) { return s.append(dst, v) }

func (prepared) unmarshal(s *settings, data []byte, v any) error { return s.unmarshal(data, 0, v) }

func (s *settings) unmarshalFast([]byte, int64, any) (err error, ok bool) {
	_ = &s.types.programs // no effect, but linters would report a field without a use
	return nil, false
}

func (d *Decoder) intoFast(any) (err error, ok bool) {
	_ = &d.lent
	return nil, false
}

// append is Append with settings instead of options.
func (s *settings) append(dst []byte, v any) ([]byte, error) {
	if s.unsettled {
		return s.appendUnsettled(dst, v)
	}
	return s.appendByPlan(dst, v)
}

// encode encodes a value for Encoder.Encode. In the state ready it does nothing and returns false, so Encode calls it
// again in the state inUse. After a failure, the state of the Encoder is undefined.
func (e *Encoder) encode(v any, during coderState) (err error, ok bool) {
	if during == ready {
		return nil, false
	}
	return e.value(v), true
}

func (d *Decoder) intoData(any) (err error, ok bool) { return nil, false }

// A Direct is the state that generated code keeps for a struct type. Code written by hand must not use it.
type Direct struct{}

// Fits returns false, because this build doesn't use generated methods. So generated code calls only the methods Append
// and Unmarshal besides Fits.
func (d *Direct) Fits() bool { return false }

// Append is the function Append, for generated code.
func (d *Direct) Append(dst []byte, v any) ([]byte, error) { return defaults.append(dst, v) }

// Unmarshal is the function Unmarshal, for generated code.
func (d *Direct) Unmarshal(data []byte, v any) error { return defaults.unmarshal(data, 0, v) }

const neverUsed = "polypack: generated methods under the build tag purego"

// Begin is never called in this build.
func (d *Direct) Begin(*wire.Writer, []byte) int { panic(neverUsed) }

// Hooked is never called in this build.
func (d *Direct) Hooked(*wire.Writer) bool { panic(neverUsed) }

// End is never called in this build.
func (d *Direct) End(*wire.Writer, []byte, int) ([]byte, error) { panic(neverUsed) }

// Buffer is never called in this build.
func (d *Direct) Buffer() []byte { panic(neverUsed) }

// Odd is never called in this build.
func (d *Direct) Odd(*wire.Writer, int) bool { panic(neverUsed) }

// Finish is never called in this build.
func (d *Direct) Finish(*wire.Writer, int) ([]byte, error) { panic(neverUsed) }

// Fit is never called in this build.
func (d *Direct) Fit([]byte) []byte { panic(neverUsed) }

// BeginRead is never called in this build.
func (d *Direct) BeginRead(*wire.Reader, []byte) { panic(neverUsed) }

// OddRead is never called in this build.
func (d *Direct) OddRead(*wire.Reader, int) bool { panic(neverUsed) }

// EndRead is never called in this build.
func (d *Direct) EndRead(*wire.Reader, int) error { panic(neverUsed) }

// viewString returns a copy of b, because this build doesn't use package unsafe.
func viewString(b []byte) string { return string(b) }
