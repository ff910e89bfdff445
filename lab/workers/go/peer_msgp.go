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
	switch list := values.(type) {
	case *[]Person:
		return msgpAppend(*list)
	case *[]Order:
		return msgpAppend(*list)
	case *[]Row:
		return msgpAppend(*list)
	}
	return nil, fmt.Errorf("msgp has no code for %T", values)
}

func msgpDeserialize(bytes []byte, into any) error {
	switch list := into.(type) {
	case *[]Person:
		return msgpRead(bytes, list)
	case *[]Order:
		return msgpRead(bytes, list)
	case *[]Row:
		return msgpRead(bytes, list)
	}
	return fmt.Errorf("msgp has no code for %T", into)
}

type msgpCode[T any] interface {
	*T
	msgp.Marshaler
	msgp.Unmarshaler
	msgp.Sizer
}

func msgpAppend[T any, P msgpCode[T]](list []T) ([]byte, error) {
	size := msgp.ArrayHeaderSize
	for i := range list {
		size += P(&list[i]).Msgsize()
	}
	bytes := msgp.AppendArrayHeader(make([]byte, 0, size), uint32(len(list)))
	for i := range list {
		var err error
		if bytes, err = P(&list[i]).MarshalMsg(bytes); err != nil {
			return nil, err
		}
	}
	return bytes, nil
}

func msgpRead[T any, P msgpCode[T]](bytes []byte, into *[]T) error {
	count, bytes, err := msgp.ReadArrayHeaderBytes(bytes)
	if err != nil {
		return err
	}
	list := make([]T, count)
	for i := range list {
		if bytes, err = P(&list[i]).UnmarshalMsg(bytes); err != nil {
			return err
		}
	}
	*into = list
	return nil
}
