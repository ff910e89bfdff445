//go:build peer_msgp

package main

import (
	"fmt"
	"io"

	"github.com/tinylib/msgp/msgp"
)

// msgp, with the code that it generates for the types, a stream of messages: its Writer and Reader.
func init() {
	enterStream(
		Contestant{
			Name:    "msgp, stream",
			Format:  "msgpack",
			Kind:    "tuned",
			State:   "made per call",
			Version: moduleVersion("github.com/tinylib/msgp"),
			Note:    "generated code, Reader; into structs, documents into any; dates stay text",
			File:    "stream_peer_msgp.go",
		},
		func(to io.Writer) (coder, func() error) {
			writer := msgp.NewWriter(to)
			return writer.WriteIntf, writer.Flush // which calls the generated code where there is some
		},
		func(from io.Reader) coder {
			reader := msgp.NewReader(from)
			return func(value any) (err error) {
				switch value := value.(type) {
				case msgp.Decodable:
					err = value.DecodeMsg(reader)
				case *any:
					*value, err = reader.ReadIntf()
				default:
					err = fmt.Errorf("msgp has no code for %T", value)
				}
				if msgp.Cause(err) == io.EOF { // generated code says where it was
					err = io.EOF
				}
				return err
			}
		},
	)
}
