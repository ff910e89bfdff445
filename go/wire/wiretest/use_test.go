//go:build !purego

package wiretest_test

import (
	"testing"

	"github.com/polypack/polypack/go/internal/gentest"
	"github.com/polypack/polypack/go/wire/wiretest"
)

// TestRoundTripStale has methods that were made for another type.
func TestRoundTripStale(t *testing.T) {
	wantReport(t, func(t testing.TB) { wiretest.RoundTrip[gentest.Stale](t) }, "run polypack-gen again")
}
