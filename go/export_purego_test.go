//go:build purego

package polypack

// EngineOnly leaves the plans: in this build there is nothing else.
func EngineOnly() Option { return PlansOnly() }

// TextsNoted returns 0: in this build each string gets separate memory.
func TextsNoted(any) uint64 { return 0 }

// TextsNoted returns 0, because in this build generated methods aren't used.
func (d *Direct) TextsNoted() uint64 { return 0 }
