//go:build !unix

package stores

// signalled returns unknown, because only Unix can tell with a signal whether a process exists.
func signalled(int) vitality { return unknown }

// syncFolder does nothing, because Go can sync folders only on Unix.
func syncFolder(string) error { return nil }
