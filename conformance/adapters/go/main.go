// Command adapter answers the conformance judge for the Go library (conformance/README.md): one JSON request per line
// on standard input, one answer per line on standard output, in order.
//
// The module's path lies below the library's so that it may import the library's internal notation of values.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/described"
	"github.com/polypack/polypack/go/internal/tagged"
	"github.com/polypack/polypack/go/snapshot"
)

type request struct {
	ID      json.RawMessage `json:"id"`
	Op      string          `json:"op"`
	Mode    string          `json:"mode"`
	Bytes   hexBytes        `json:"bytes"`
	Value   *tagged.Value   `json:"value"`
	Chunks  []hexBytes      `json:"chunks"`
	Records string          `json:"records"`

	Dictionary           [][]string `json:"dictionary"`
	Header               bool       `json:"header"`
	IntegralFloatsAsInts bool       `json:"integralFloatsAsInts"`

	Options struct {
		MaxDepth    *int `json:"max_depth"`
		MaxElements *int `json:"max_elements"`
	} `json:"options"`
	Keys    map[string]hexBytes `json:"keys"`
	Purpose string              `json:"purpose"`
	Frame   string              `json:"frame"`

	Rounds int    `json:"rounds"`
	Door   string `json:"door"`
	Limits struct {
		MaxDepth  *int `json:"maxDepth"`
		MaxValues *int `json:"maxValues"`
		MaxBytes  *int `json:"maxBytes"`
	} `json:"limits"`
}

type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

func (b hexBytes) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, b), nil }

// An answer holds the fields of one kind of answer.
type answer map[string]any

// operations answer the requests; hello lists their names in this order.
var operations = []struct {
	name string
	run  func(*request, []polypack.Option) (answer, error)
}{
	{"decode", decode},
	{"encode", encode},
	{"transcode", transcode},
	{"canonical", canonical},
	{"isCanonical", isCanonical},
	{"stream", stream},
	{"unserialize", unserialize},
	{"unserializeSigned", unserializeSigned},
	{"measure", measure},
	{"doors", listDoors},
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16) // grows with the line: messages may be of any length
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			encoder := json.NewEncoder(out)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(answerLine(line)); err != nil {
				fail(err)
			}
		}
		if in.Buffered() == 0 || err != nil { // answers to what has arrived together are written together
			if err := out.Flush(); err != nil {
				fail(err)
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "adapter:", err)
	os.Exit(1)
}

// answerLine answers one request.
func answerLine(line []byte) answer {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return answer{"id": r.ID, "unsupported": "the request cannot be read: " + err.Error()}
	}
	a, err := r.answer()
	var data *polypack.Error
	switch {
	case errors.As(err, &data):
		a = answer{"error": faultOf(data)}
	case err != nil:
		a = answer{"unsupported": err.Error()}
	}
	a["id"] = r.ID
	return a
}

func (r *request) answer() (answer, error) {
	if r.Op == "hello" {
		names := []string{}
		for _, operation := range operations {
			names = append(names, operation.name)
		}
		return answer{"name": "go", "version": runtime.Version(), "ops": names, "modes": []string{"default", "strict", "lossless"}}, nil
	}
	opts, err := r.options()
	if err != nil {
		return nil, err
	}
	for _, operation := range operations {
		if operation.name == r.Op {
			return operation.run(r, opts)
		}
	}
	return nil, fmt.Errorf("unknown operation %q", r.Op)
}

func (r *request) options() ([]polypack.Option, error) {
	var opts []polypack.Option
	switch r.Mode {
	case "", "default":
	case "strict":
		opts = append(opts, polypack.Strict)
	case "lossless":
		opts = append(opts, polypack.Lossless)
	default:
		return nil, fmt.Errorf("unknown mode %q", r.Mode)
	}
	switch r.Records {
	case "", "off":
	case "inline":
		opts = append(opts, polypack.Records(polypack.RecordsInline))
	case "shared":
		dictionary, err := polypack.NewDictionary(r.Dictionary)
		if err != nil {
			return nil, err
		}
		opts = append(opts, polypack.SharedRecords(dictionary))
	default:
		return nil, fmt.Errorf("unknown records mode %q", r.Records)
	}
	if r.Header {
		opts = append(opts, polypack.Fingerprint())
	}
	opts = append(opts, polypack.IntegralFloatsAsInts(r.IntegralFloatsAsInts))
	if n := r.Limits.MaxDepth; n != nil {
		opts = append(opts, polypack.MaxDepth(*n))
	}
	if n := r.Limits.MaxValues; n != nil {
		opts = append(opts, polypack.MaxValues(*n))
	}
	if n := r.Limits.MaxBytes; n != nil {
		opts = append(opts, polypack.MaxBytes(*n))
	}
	return opts, nil
}

func faultOf(e *polypack.Error) answer {
	fault := answer{"code": e.Code, "offset": nil, "path": e.Path, "message": e.Error()}
	if e.Offset >= 0 {
		fault["offset"] = e.Offset
	}
	return fault
}

func decode(r *request, opts []polypack.Option) (answer, error) {
	var v any
	if err := polypack.Unmarshal(r.Bytes, &v, opts...); err != nil {
		return nil, err
	}
	return answer{"value": tagged.Value{Go: v}}, nil
}

func encode(r *request, opts []polypack.Option) (answer, error) {
	if r.Value == nil {
		return nil, errors.New("encode without a value")
	}
	data, err := polypack.Marshal(r.Value.Go, opts...)
	return answer{"bytes": hexBytes(data)}, err
}

func transcode(r *request, opts []polypack.Option) (answer, error) {
	var v any
	if err := polypack.Unmarshal(r.Bytes, &v, opts...); err != nil {
		return nil, err
	}
	data, err := polypack.Marshal(v, opts...)
	return answer{"bytes": hexBytes(data)}, err
}

func canonical(r *request, opts []polypack.Option) (answer, error) {
	data, err := polypack.Canonicalize(r.Bytes, opts...)
	return answer{"bytes": hexBytes(data)}, err
}

func isCanonical(r *request, opts []polypack.Option) (answer, error) {
	departure, ok, err := polypack.IsCanonical(r.Bytes, opts...)
	if ok {
		return answer{"departure": nil}, err
	}
	return answer{"departure": departure}, err
}

func stream(r *request, opts []polypack.Option) (answer, error) {
	s := polypack.NewStreamDecoder(&chunkReader{chunks: r.Chunks}, opts...)
	values := []tagged.Value{}
	for {
		var v any
		err := s.Decode(&v)
		var data *polypack.Error
		switch {
		case err == nil:
			values = append(values, tagged.Value{Go: v})
		case err == io.EOF:
			return answer{"values": values, "error": nil}, nil
		case errors.As(err, &data):
			return answer{"values": values, "error": faultOf(data)}, nil
		default:
			return nil, err
		}
	}
}

func unserialize(r *request, _ []polypack.Option) (answer, error) {
	var opts []snapshot.Option
	if n := r.Options.MaxDepth; n != nil {
		opts = append(opts, snapshot.MaxDepth(*n))
	}
	if n := r.Options.MaxElements; n != nil {
		opts = append(opts, snapshot.MaxElements(*n))
	}
	v, err := snapshot.Decode(r.Bytes, opts...)
	if err != nil {
		return nil, err
	}
	return answer{"value": described.Of(v)}, nil
}

func unserializeSigned(r *request, _ []polypack.Option) (answer, error) {
	keys := snapshot.Keys{}
	for id, key := range r.Keys {
		keys[id] = key
	}
	opts := []snapshot.Option{snapshot.Purpose(r.Purpose)}
	if r.Frame == "plain" {
		opts = append(opts, snapshot.PlainFrame())
	}
	v, err := snapshot.DecodeSigned(r.Bytes, keys, opts...)
	if err != nil {
		return nil, err
	}
	return answer{"value": described.Of(v)}, nil
}

// A chunkReader delivers at most one chunk per call, empty ones left out.
type chunkReader struct {
	chunks []hexBytes
}

func (r *chunkReader) Read(p []byte) (int, error) {
	for len(r.chunks) > 0 {
		n := copy(p, r.chunks[0])
		r.chunks[0] = r.chunks[0][n:]
		if len(r.chunks[0]) == 0 {
			r.chunks = r.chunks[1:]
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, io.EOF
}
