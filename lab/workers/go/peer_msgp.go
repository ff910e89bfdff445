//go:build peer_msgp

package main

import (
	"fmt"

	"github.com/tinylib/msgp/msgp"
)

// msgp, with the code that it generates for the types.
func init() {
	enter(Contestant{
		Name:        "msgp",
		Format:      "msgpack",
		Scenarios:   []string{"person", "order", "rows"},
		Kind:        "tuned",
		Version:     moduleVersion("github.com/tinylib/msgp"),
		Note:        "generated code, into structs; dates stay text",
		File:        "peer_msgp.go",
		Serialize:   msgpSerialize,
		Deserialize: msgpDeserialize,
	})
}

func msgpSerialize(values any) ([]byte, error) {
	if generated, ok := values.(msgp.Marshaler); ok {
		return generated.MarshalMsg(nil)
	}
	return nil, fmt.Errorf("msgp has no code for %T", values)
}

func msgpDeserialize(bytes []byte, into any) error {
	generated, ok := into.(msgp.Unmarshaler)
	if !ok {
		return fmt.Errorf("msgp has no code for %T", into)
	}
	_, err := generated.UnmarshalMsg(bytes)
	return err
}
