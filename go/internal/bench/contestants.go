package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"

	polypack "github.com/polypack/polypack/go"
)

// contestant is a library, or one way to use it, for one type.
type contestant struct {
	name   string
	encode func() ([]byte, error)
	decode func(data []byte, target any) error // target is a pointer to a zero value
}

// contestants returns ours first. They encode through a pointer, so that no call pays for boxing the value.
func contestants(value any) []contestant {
	return []contestant{
		{"polypack", func() ([]byte, error) { return polypack.Marshal(value) },
			func(data []byte, target any) error { return polypack.Unmarshal(data, target) }},
		{"encoding/json", func() ([]byte, error) { return json.Marshal(value) }, json.Unmarshal},
		{"gob", func() ([]byte, error) { return gobMessage(value) },
			func(data []byte, target any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(target) }},
		gobStream(value),
	}
}

func init() {
	gob.Register(map[string]any{})
	gob.Register([]any{})
}

// gobMessage encodes a message that stands alone, as those of the others do: it describes its types each time.
func gobMessage(value any) ([]byte, error) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(value)
	return buf.Bytes(), err
}

// gobStream is gob as it is meant to be used: many messages of one type in a stream that describes the type once. Its messages
// cannot be read alone.
func gobStream(value any) contestant {
	var out bytes.Buffer
	encoder := gob.NewEncoder(&out)
	var first []byte // the message with the descriptions
	encode := func() ([]byte, error) {
		out.Reset()
		err := encoder.Encode(value)
		if first == nil {
			first = bytes.Clone(out.Bytes())
			out.Reset()
			err = encoder.Encode(value)
		}
		return bytes.Clone(out.Bytes()), err
	}
	in := bytes.NewReader(nil)
	decoder := gob.NewDecoder(in)
	isFirst := true
	decode := func(data []byte, target any) error {
		if isFirst {
			isFirst = false
			in.Reset(first)
			return decoder.Decode(target)
		}
		in.Reset(data)
		return decoder.Decode(target)
	}
	return contestant{"gob, one stream", encode, decode}
}
