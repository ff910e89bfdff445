// Package imports uses types of packages whose names are taken.
package imports

import (
	h "net/http"
	"time"
	w "time"
)

var http, time2 = 1, 2

// Uses has types of other packages.
type Uses struct {
	Month   time.Month
	Took    *w.Duration
	Days    []*time.Weekday
	Conns   []*h.ConnState
	State   map[string]*h.ConnState
	Handler h.Handler
	wire    int
	Omitted time.Time `msgpack:",omitempty"`
}
