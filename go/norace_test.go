//go:build !race

package polypack_test

const raceEnabled = false
