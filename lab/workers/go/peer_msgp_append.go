//go:build peer_msgp

package main

import "slices"

// msgp, with the code that it generates for the types, into the memory of the previous call.
func init() {
	enter(Contestant{
		Name:      "msgp, append",
		Format:    "msgpack",
		Scenarios: slices.DeleteFunc(ofBench(), hasNoMsgpCode),
		Kind:      "tuned",
		Version:   moduleVersion("github.com/tinylib/msgp"),
		Note:      "generated code, into the memory of the previous call",
		File:      "peer_msgp_append.go",
		Cannot:    onlyAppends,
		Serialize: appending(msgpAppend),
	})
}
