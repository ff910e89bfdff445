//go:build purego

package polypack

// EngineOnly leaves the plans: in this build there is nothing else.
func EngineOnly() Option { return PlansOnly() }
