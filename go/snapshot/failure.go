package snapshot

import (
	"errors"
	"fmt"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/pointer"
)

const (
	damaged   = "the input is damaged, or was not written by Polypack"
	truncated = "the input is truncated"
)

// A failure is an error inside this package. Each container around the fault adds a segment to the path. Before the
// caller gets the failure, toError makes a *polypack.Error of it.
type failure struct {
	code       polypack.Code
	offset     int
	what, mend string
	segments   []string // innermost first
}

func (f *failure) Error() string { return string(f.code) }

// toError returns the error for the caller. Its offset counts from the start of the input, where the snapshot is at
// offset base.
func (f *failure) toError(base int) *polypack.Error {
	return &polypack.Error{
		Code: f.code, Offset: int64(f.offset + base), Path: pointer.Of(f.segments, ""), Err: errors.New(f.what + "; " + f.mend),
	}
}

// within adds a segment to the path of a failure.
func within(err error, segment string) error {
	if f, ok := err.(*failure); ok {
		f.segments = append(f.segments, segment)
	}
	return err
}

func invalid(at int, format string, args ...any) error {
	return &failure{code: polypack.CodeInvalidSnapshot, offset: at, what: fmt.Sprintf(format, args...), mend: damaged}
}

func ended(at int, format string, args ...any) error {
	return &failure{code: polypack.CodeUnexpectedEnd, offset: at, what: fmt.Sprintf(format, args...), mend: truncated}
}

func faulty(code polypack.Code, at int, what string) error {
	return &failure{code: code, offset: at, what: what, mend: damaged}
}

func exceeded(at int, what, mend string) error {
	return &failure{code: polypack.CodeLimitExceeded, offset: at, what: what, mend: mend}
}
