// Command dictionaries packs and unpacks with the dictionary of a store, for tests/dictionaries.test.mjs: Go.
// js.mjs has the protocol.
//
// The module's path lies below the library's so that it may import the library's client of Redis for tests.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"time"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/resp"
	"github.com/polypack/polypack/go/stores"
)

type request struct {
	Op    string          `json:"op"`
	Value json.RawMessage `json:"value"`
	Bytes string          `json:"bytes"`
}

type fault struct {
	Code   polypack.Code `json:"code"`
	Offset int64         `json:"offset"`
	Path   string        `json:"path"`
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3] == "header"); err != nil {
		fmt.Fprintln(os.Stderr, "dictionaries:", err)
		os.Exit(1)
	}
}

func run(kind, place string, header bool) error {
	store, err := storeOf(kind, place)
	if err != nil {
		return err
	}
	stored, err := polypack.NewStoredDictionary(store, 1000)
	if err != nil {
		return err
	}
	opts := []polypack.Option{polypack.StoredRecords(stored)}
	if header {
		opts = append(opts, polypack.Fingerprint())
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		var r request
		if err = errors.Join(err, json.Unmarshal(line, &r)); err != nil {
			return err
		}
		answer, err := r.answer(stored, opts)
		if err != nil {
			return err
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		fmt.Printf("%s\n", text)
	}
}

func storeOf(kind, place string) (polypack.DictionaryStore, error) {
	if kind == "file" {
		return stores.NewFile(place, stores.FileOptions{LockTimeout: 2 * time.Minute})
	}
	conn, err := net.Dial("unix", place)
	if err != nil {
		return nil, err
	}
	client := resp.NewClient(conn)
	return stores.NewRedis(func(_ context.Context, args ...any) (any, error) { return client.Do(stores.Strings(args)) }, "dictionary")
}

func (r *request) answer(stored *polypack.StoredDictionary, opts []polypack.Option) (map[string]any, error) {
	ctx := context.Background()
	switch r.Op {
	case "pack":
		value, err := structOf(json.NewDecoder(bytes.NewReader(r.Value)))
		if err != nil {
			return nil, err
		}
		if err := stored.PublishShapesOf(ctx, value); err != nil {
			return nil, err
		}
		data, err := polypack.Marshal(value, opts...)
		return map[string]any{"bytes": hex.EncodeToString(data)}, err
	case "unpack":
		data, err := hex.DecodeString(r.Bytes)
		if err != nil {
			return nil, err
		}
		var value any
		var refused *polypack.Error
		if err := polypack.Unmarshal(data, &value, opts...); errors.As(err, &refused) {
			return map[string]any{"error": fault{refused.Code, refused.Offset, refused.Path}}, nil
		} else if err != nil {
			return nil, err
		}
		return map[string]any{"value": value}, nil
	}
	err := stored.Refresh(ctx)
	return map[string]any{"shapes": stored.Dictionary().Shapes()}, err
}

// structOf reads a value of JSON. Its objects become structs, which are what Go writes as records.
func structOf(in *json.Decoder) (any, error) {
	in.UseNumber()
	token, err := in.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Number:
		return token.Int64()
	case json.Delim:
		if token == '[' {
			list := []any{}
			for in.More() {
				element, err := structOf(in)
				if err != nil {
					return nil, err
				}
				list = append(list, element)
			}
			_, err = in.Token()
			return list, err
		}
		var fields []reflect.StructField
		var values []any
		for in.More() {
			name, err := in.Token()
			if err != nil {
				return nil, err
			}
			value, err := structOf(in)
			if err != nil {
				return nil, err
			}
			tag := reflect.StructTag(fmt.Sprintf("msgpack:%q", name))
			fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", len(fields)), Type: reflect.TypeFor[any](), Tag: tag})
			values = append(values, value)
		}
		object := reflect.New(reflect.StructOf(fields)).Elem()
		for i, value := range values {
			if value != nil {
				object.Field(i).Set(reflect.ValueOf(value))
			}
		}
		_, err = in.Token()
		return object.Interface(), err
	}
	return token, nil
}
