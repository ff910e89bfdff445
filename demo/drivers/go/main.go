// Command driver-go is the relay's driver for Go. The protocol is described in demo/lib/drivers.mjs: one JSON object
// per line in each direction.
//
// Plan of the file: the protocol's shapes, the loop, the answers. Trips are in trip.go.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type request struct {
	ID      int    `json:"id"`
	Op      string `json:"op"`
	In      string `json:"in"`
	Out     string `json:"out"`
	Repeat  int    `json:"repeat"`
	From    string `json:"from"`
	Through string `json:"through"`
}

type answer struct {
	ID       int       `json:"id"`
	Language string    `json:"language,omitempty"`
	Decode   []float64 `json:"decode,omitempty"` // milliseconds
	Encode   []float64 `json:"encode,omitempty"`
	Error    *failure  `json:"error,omitempty"`
}

type failure struct {
	Code    *string `json:"code"`
	Path    *string `json:"path"`
	Message string  `json:"message"`
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve answers requests until standard input ends.
func serve() error {
	lines := bufio.NewScanner(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var req request
		if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
			return err
		}
		ans, err := respond(req)
		if err != nil {
			ans = answer{Error: describe(err)}
		}
		ans.ID = req.ID
		if err := answers.Encode(ans); err != nil {
			return err
		}
	}
	return lines.Err()
}

func respond(req request) (answer, error) {
	if req.Op == "hello" {
		return answer{Language: runtime.Version()}, nil
	}
	in, err := os.ReadFile(req.In)
	if err != nil {
		return answer{}, err
	}
	var ans answer
	var out []byte
	switch req.Op {
	case "relay":
		out, ans, err = relay(in, req.Repeat)
	case "canonical":
		out, err = polypack.Canonicalize(in)
	case "trip":
		out, err = trips(in, req.From, req.Through)
	default:
		err = fmt.Errorf("no such op: %s", req.Op)
	}
	if err != nil {
		return answer{}, err
	}
	return ans, os.WriteFile(req.Out, out, 0o666)
}

func describe(err error) *failure {
	f := &failure{Message: err.Error()}
	var fault *polypack.Error
	if errors.As(err, &fault) {
		code := string(fault.Code)
		f.Code, f.Path = &code, &fault.Path
	}
	return f
}

// relay decodes and encodes losslessly, several times, and keeps each step's time.
func relay(in []byte, repeat int) ([]byte, answer, error) {
	var ans answer
	var out []byte
	for range repeat {
		start := time.Now()
		var v any
		if err := polypack.Unmarshal(in, &v, polypack.Lossless); err != nil {
			return nil, answer{}, err
		}
		middle := time.Now()
		var err error
		if out, err = polypack.Marshal(v, polypack.Lossless); err != nil {
			return nil, answer{}, err
		}
		end := time.Now()
		ans.Decode = append(ans.Decode, milliseconds(middle.Sub(start)))
		ans.Encode = append(ans.Encode, milliseconds(end.Sub(middle)))
	}
	return out, ans, nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
