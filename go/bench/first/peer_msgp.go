//go:build peer_msgp

package main

import "github.com/tinylib/msgp/msgp"

func init() {
	contestants["msgp"] = contestant{
		marshal: func(v any) ([]byte, error) {
			if generated, ok := v.(msgp.Marshaler); ok {
				return generated.MarshalMsg(nil)
			}
			return msgp.AppendIntf(nil, *v.(*any))
		},
		unmarshal: func(data []byte, v any) (err error) {
			if generated, ok := v.(msgp.Unmarshaler); ok {
				_, err = generated.UnmarshalMsg(data)
				return err
			}
			*v.(*any), _, err = msgp.ReadIntfBytes(data)
			return err
		},
		own: asIs,
	}
}
