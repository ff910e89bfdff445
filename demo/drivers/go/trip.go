package main

// Plan of the file: frames in and out, then the trip of one message.

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	polypack "github.com/polypack/polypack/go"
)

// Result frames start with one of these.
const (
	statusCarried = 0
	statusRefused = 1
)

// trips takes every frame of in through the trip and returns a result frame for each.
func trips(in []byte, from, through string) ([]byte, error) {
	var out []byte
	for len(in) > 0 {
		if len(in) < 4 {
			return nil, errors.New("a frame's length is cut short")
		}
		length := int(binary.BigEndian.Uint32(in))
		if length > len(in)-4 {
			return nil, fmt.Errorf("a frame declares %d bytes but %d remain", length, len(in)-4)
		}
		status := byte(statusCarried)
		result, err := trip(in[4:4+length], from, through)
		if err != nil {
			status, result = statusRefused, []byte(err.Error())
		}
		out = append(out, status)
		out = binary.BigEndian.AppendUint32(out, uint32(len(result)))
		out = append(out, result...)
		in = in[4+length:]
	}
	return out, nil
}

// trip does what Go programs do without further thought: everything into an any, no options.
func trip(in []byte, from, through string) ([]byte, error) {
	v, err := decode(in, from)
	if err != nil {
		return nil, err
	}
	between, err := encode(v, through)
	if err != nil {
		return nil, err
	}
	if v, err = decode(between, through); err != nil {
		return nil, err
	}
	return encode(v, through)
}

func decode(in []byte, format string) (v any, err error) {
	if format == "json" {
		err = json.Unmarshal(in, &v)
	} else {
		err = polypack.Unmarshal(in, &v)
	}
	return v, err
}

func encode(v any, format string) ([]byte, error) {
	if format == "json" {
		return json.Marshal(v)
	}
	return polypack.Marshal(v)
}
