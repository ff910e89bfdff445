//go:build peer_vmihailenco || peer_msgp

package main

import "runtime/debug"

// moduleVersion says which version of a module is built in.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path != path {
				continue
			}
			if module.Replace != nil {
				return module.Version + " (a folder's)"
			}
			return module.Version
		}
	}
	return ""
}
