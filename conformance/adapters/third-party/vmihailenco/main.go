// Command main answers for github.com/vmihailenco/msgpack in its default settings. The judge builds it in
// a GOPATH of links to the library's sources (lib/peers.mjs), as no module of the repository depends on it.
//
// Every error is a refusal. A kind that the profile has not is {"unknown": …}, which equals nothing.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/vmihailenco/msgpack/v5"
)

type request struct {
	ID    int    `json:"id"`
	Op    string `json:"op"`
	Bytes string `json:"bytes"`
}

type object map[string]any

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			fmt.Fprintln(os.Stderr, "third-party adapter: bad request:", err)
			os.Exit(1)
		}
		reply := answer(r)
		reply["id"] = r.ID
		if err := out.Encode(reply); err != nil {
			os.Exit(1)
		}
	}
}

func answer(r request) object {
	switch r.Op {
	case "hello":
		return object{"name": "vmihailenco", "version": msgpack.Version(), "ops": []string{"decode", "transcode"}, "modes": []string{"default"}}
	case "decode", "transcode":
		return exchange(r)
	default:
		return object{"unsupported": "op " + r.Op}
	}
}

func exchange(r request) (reply object) {
	refused := object{"error": object{"code": "refused", "offset": nil, "path": ""}}
	defer func() {
		if recover() != nil {
			reply = refused
		}
	}()
	data, err := hex.DecodeString(r.Bytes)
	if err != nil {
		return object{"unsupported": "bytes that are no hex"}
	}
	var value any
	if err := msgpack.Unmarshal(data, &value); err != nil {
		return refused
	}
	if r.Op == "decode" {
		return object{"value": tag(value)}
	}
	encoded, err := msgpack.Marshal(value)
	if err != nil {
		return refused
	}
	return object{"bytes": hex.EncodeToString(encoded)}
}

// tag gives the tagged value of what the host got.
func tag(value any) object {
	switch v := value.(type) {
	case nil:
		return object{"nil": true}
	case bool:
		return object{"bool": v}
	case int8, int16, int32, int64, uint8, uint16, uint32, uint64:
		return object{"int": fmt.Sprint(v)}
	case float32:
		return tagFloat(float64(v))
	case float64:
		return tagFloat(v)
	case string:
		if !utf8.ValidString(v) {
			return object{"unknown": "string of other bytes"}
		}
		return object{"str": v}
	case []byte:
		return object{"bin": hex.EncodeToString(v)}
	case time.Time:
		return object{"timestamp": []any{strconv.FormatInt(v.Unix(), 10), v.Nanosecond()}}
	case []any:
		elements := make([]object, len(v))
		for i, element := range v {
			elements[i] = tag(element)
		}
		return object{"array": elements}
	case map[string]any:
		entries := make([][2]object, 0, len(v))
		for key, element := range v {
			entries = append(entries, [2]object{tag(key), tag(element)})
		}
		return object{"map": entries}
	case map[any]any:
		entries := make([][2]object, 0, len(v))
		for key, element := range v {
			entries = append(entries, [2]object{tag(key), tag(element)})
		}
		return object{"map": entries}
	default:
		return object{"unknown": fmt.Sprintf("%T", v)}
	}
}

func tagFloat(value float64) object {
	return object{"float": fmt.Sprintf("%016x", math.Float64bits(value))}
}
