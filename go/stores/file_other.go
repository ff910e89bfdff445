//go:build !unix

package stores

// signalled can't tell whether there is a process with the number.
func signalled(int) vitality { return unknown }

// syncFolder does nothing where folders can't be opened.
func syncFolder(string) error { return nil }
