package wiretest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
	"github.com/polypack/polypack/go/wire/wiretest"
)

func TestRoundTrip(t *testing.T) {
	wiretest.RoundTrip[gentest.Every](t)
	wiretest.RoundTrip[gentest.Omitted](t)
	wiretest.RoundTrip[gentest.Wide](t)
	wiretest.RoundTrip[gentest.Tree](t)
	wiretest.RoundTrip[gentest.Nested](t)
	wiretest.RoundTrip[gentest.Conflicts](t)
	wiretest.RoundTrip[gentest.Flat](t)
	wiretest.RoundTrip[gentest.Shelf](t)
	wiretest.RoundTrip[gentest.Loose](t)
	wiretest.RoundTrip[gentest.Bag](t)
	wiretest.RoundTrip[gentest.Book](t)
	wiretest.RoundTrip[gentest.Page[gentest.Loose]](t)
	wiretest.RoundTrip[gentest.Pair[int, any]](t)
}

// A recorder keeps what a test would report.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Helper() {}

type holder struct{ Lossy Shifting }

// Shifting is never the same twice.
type Shifting struct{ A int }

var shifts int

func (Shifting) MarshalMsgpack() ([]byte, error) {
	shifts++
	return polypack.Marshal(shifts)
}

func (*Shifting) UnmarshalMsgpack([]byte) error { return nil }

// Refusing can't be decoded.
type Refusing struct{ A int }

func (Refusing) MarshalMsgpack() ([]byte, error) { return []byte{0xc0}, nil }
func (*Refusing) UnmarshalMsgpack([]byte) error  { return errors.New("refused") }

// Only the zero values of these types are the same after they were encoded and decoded.
type (
	doubledText string
	doubledBin  string
)

func (s doubledText) AppendText(b []byte) ([]byte, error)  { return append(append(b, s...), s...), nil }
func (s doubledBin) AppendBinary(b []byte) ([]byte, error) { return append(append(b, s...), s...), nil }

func TestRoundTripAppenders(t *testing.T) {
	wiretest.RoundTrip[struct {
		Text doubledText
		Bin  doubledBin
	}](t, polypack.MaxDepth(9))
}

func TestRoundTripFails(t *testing.T) {
	for _, test := range []struct {
		run  func(t testing.TB)
		says string
	}{
		{func(t testing.TB) { wiretest.RoundTrip[struct{ C chan int }](t) }, "could be encoded"},
		{func(t testing.TB) { wiretest.RoundTrip[holder](t, polypack.MaxDepth(9)) }, "without them"},
		{func(t testing.TB) { wiretest.RoundTrip[struct{ R Refusing }](t, polypack.MaxDepth(9)) }, "can't be decoded"},
	} {
		wantReport(t, test.run, test.says)
	}
}

// wantReport asserts that a test reports one error, which contains the text.
func wantReport(t *testing.T, run func(testing.TB), says string) {
	t.Helper()
	r := &recorder{TB: t}
	run(r)
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], says) {
		t.Errorf("reports %q, want one with %q", r.errors, says)
	}
}
