//go:build peer_msgp

package main

import (
	"fmt"
	"slices"

	"github.com/tinylib/msgp/msgp"
)

// msgp, with the code that it generates for the types.
func init() {
	enter(Contestant{
		Name:        "msgp",
		Format:      "msgpack",
		Scenarios:   slices.DeleteFunc(everything(), hasNoMsgpCode),
		Kind:        "tuned",
		Version:     moduleVersion("github.com/tinylib/msgp"),
		Note:        "generated code, into structs, documents into any; dates stay text",
		File:        "peer_msgp.go",
		Serialize:   func(values any) ([]byte, error) { return msgpAppend(nil, values) },
		Deserialize: msgpDeserialize,
	})
}

// hasNoMsgpCode names what isn't a type of ours and no map[string]any.
func hasNoMsgpCode(scenario string) bool {
	return scenario == "go-06StringMap" || scenario == "go-16Maps500"
}

func msgpAppend(dst []byte, values any) ([]byte, error) {
	if generated, ok := values.(msgp.Marshaler); ok {
		return generated.MarshalMsg(dst)
	}
	return msgp.AppendIntf(dst, values)
}

func msgpDeserialize(bytes []byte, into any) error {
	var err error
	switch into := into.(type) {
	case msgp.Unmarshaler:
		_, err = into.UnmarshalMsg(bytes)
	case *map[string]any:
		*into, _, err = msgp.ReadMapStrIntfBytes(bytes, nil)
	case *any:
		*into, _, err = msgp.ReadIntfBytes(bytes)
	default:
		err = fmt.Errorf("msgp has no code for %T", into)
	}
	return err
}
