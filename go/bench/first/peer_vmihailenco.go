//go:build peer_vmihailenco

package main

import "github.com/vmihailenco/msgpack/v5"

func init() { contestants["vmihailenco"] = contestant{msgpack.Marshal, msgpack.Unmarshal, asIs} }
