package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// chunkLength returns how many bytes arrive at a time, as lab/src/Payload/Scenario.php has it.
func chunkLength(scenario string) int {
	switch {
	case strings.HasSuffix(scenario, "-by-1k"):
		return 1024
	case strings.HasPrefix(scenario, "js-"):
		return 16384
	}
	return 8192
}

// chunks is a reader of bytes as they arrive from a socket or a file.
type chunks struct {
	rest   []byte
	length int
}

func (c *chunks) Read(into []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(into[:min(len(into), c.length)], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// A coder encodes or decodes a message: it gets a pointer, or to encode an element of a list of any. A decoder returns
// io.EOF after the last message.
type coder func(value any) error

// enterStream enters a contestant that reads and writes a message at a time. An encoder's flush may be nil.
func enterStream(about Contestant, encoder func(io.Writer) (encode coder, flush func() error), decoder func(io.Reader) coder) {
	about.Scenarios = streams()
	about.Serialize = func(values any) ([]byte, error) {
		var written bytes.Buffer
		encode, flush := encoder(&written)
		err := writeStream(values, encode)
		if flush != nil {
			err = errors.Join(err, flush())
		}
		return written.Bytes(), err
	}
	about.ReadStream = func(from io.Reader, into any) error { return readStream(into, decoder(from)) }
	enter(about)
}

func writeStream(values any, encode coder) error {
	switch values := values.(type) {
	case *Persons:
		return writeEach(*values, encode)
	case *Orders:
		return writeEach(*values, encode)
	case *Rows:
		return writeEach(*values, encode)
	case []any:
		for _, value := range values {
			if err := encode(value); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("no stream has the elements of %T", values)
}

func writeEach[E any](values []E, encode coder) error {
	for i := range values {
		if err := encode(&values[i]); err != nil {
			return err
		}
	}
	return nil
}

func readStream(into any, decode coder) (err error) {
	switch into := into.(type) {
	case *Persons:
		*into, err = readEach[Person](decode)
	case *Orders:
		*into, err = readEach[Order](decode)
	case *Rows:
		*into, err = readEach[Row](decode)
	case *any:
		*into, err = readEach[any](decode)
	default:
		err = fmt.Errorf("no stream has the elements of %T", into)
	}
	return err
}

func readEach[E any](decode coder) ([]E, error) {
	var values []E
	for {
		var empty E
		values = append(values, empty)
		last := len(values) - 1
		if err := decode(&values[last]); err == io.EOF {
			return values[:last], nil
		} else if err != nil {
			return nil, err
		}
	}
}

// asOne makes one array of a stream that has to hold as many messages as expected has elements. Every line of JSON has
// to have an end.
func asOne(format string, stream []byte, expected any) []byte {
	if format == "ndjson" {
		lines := stream[:max(0, len(stream)-1)]
		return slices.Concat([]byte("["), bytes.ReplaceAll(lines, []byte("\n"), []byte(",")), []byte("]"))
	}
	list := reflect.ValueOf(expected).Elem()
	if list.Kind() == reflect.Interface {
		list = list.Elem()
	}
	return append(binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(list.Len())), stream...)
}

// readAsOne reads what asOne made, with another library than the writer of the stream where there is one.
func readAsOne(writer Contestant, array []byte, into any) error {
	if writer.Format == "ndjson" {
		return json.Unmarshal(array, into)
	}
	library := strings.TrimSuffix(writer.Name, ", stream")
	return read(Contestant{Name: library, Format: writer.Format, Deserialize: contestants[library].Deserialize}, array, into)
}
