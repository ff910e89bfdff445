//go:build race

package polypack_test

// raceEnabled: counts of allocations and bytes are not what they are without the race detector.
const raceEnabled = true
