package stores

import "testing"

// TestOwnersWithoutHost asserts that a process can't tell whether the owner is dead if the host has no name: the owner
// may be of another machine, or its file half written.
func TestOwnersWithoutHost(t *testing.T) {
	here := self()
	here.Host = ""
	same := *here
	for _, o := range []*owner{{Token: "unknown"}, {Token: "0a", PID: 1 << 30}, &same} {
		if got := o.seenBy(here); got != unknown {
			t.Errorf("%+v is %d", o, got)
		}
	}
}
