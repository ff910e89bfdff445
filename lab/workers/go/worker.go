package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"syscall"
	"time"
)

type request struct {
	Do        string `json:"do"`
	Name      string `json:"name"`
	Scenario  string `json:"scenario"`
	Operation string `json:"operation"`
	Data      string `json:"data"`
	Digest    string `json:"digest"`
	Out       string `json:"out"`
	Times     int    `json:"times"`
}

type answer map[string]any

type worker struct {
	contestant Contestant
	scenario   scenario
	isStream   bool
	// chunkLength is how many bytes of a stream arrive at a time.
	chunkLength int
	data        []byte
	values      any
	argument    any
	input       []byte
	serializes  bool
	// bytes or result is what the latest call returned.
	bytes  []byte
	result any
}

// answerLine does what a line asks for. What goes wrong is the contestant's fault, a panic too.
func (w *worker) answerLine(line []byte) (said answer) {
	defer func() {
		if reason := recover(); reason != nil {
			said = answer{"fault": fmt.Sprintf("panics: %v", reason)}
		}
	}()
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{"fault": fmt.Sprintf("the worker can't read %q: %v", line, err)}
	}
	said, err := w.do(asked)
	if err != nil {
		return answer{"fault": err.Error()}
	}
	return said
}

func (w *worker) do(asked request) (answer, error) {
	switch asked.Do {
	case "prepare":
		return w.prepare(asked)
	case "verify":
		if err := w.verify(); err != nil {
			return nil, err
		}
		clear(w.bytes) // or a call that writes nothing into memory that it uses again would pass
		if err := w.call(); err != nil {
			return nil, err
		}
		return answer{"fault": nil}, w.verify()
	case "run":
		return w.time(asked.Times, w.call)
	case "empty":
		return w.time(asked.Times, func() error { return nil })
	case "memory":
		w.bytes, w.result = nil, nil
		bytes, err := peak(w.call)
		return answer{"bytes": bytes}, err
	}
	return nil, fmt.Errorf("the worker knows no %s", asked.Do)
}

func (w *worker) prepare(asked request) (answer, error) {
	var found bool
	if w.contestant, found = contestants[asked.Name]; !found {
		return nil, fmt.Errorf("the worker knows no contestant %s", asked.Name)
	}
	if w.scenario, found = scenarios[asked.Scenario]; !found {
		return nil, fmt.Errorf("the worker knows no scenario %s", asked.Scenario)
	}
	w.isStream, w.chunkLength = isStream(asked.Scenario), chunkLength(asked.Scenario)
	var err error
	if w.data, err = os.ReadFile(asked.Data); err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(w.data); hex.EncodeToString(sum[:]) != asked.Digest {
		return nil, fmt.Errorf("the data is not what the coordinator has hashed")
	}
	if w.values, err = w.scenario.read(w.data); err != nil {
		return nil, err
	}
	w.argument = argument(w.values)
	w.serializes = asked.Operation == "serialize"
	if !w.serializes {
		if w.input = w.data; w.contestant.Format != "json" {
			if w.input, err = w.contestant.Serialize(w.argument); err != nil {
				return nil, fmt.Errorf("fails to serialize: %w", err)
			}
		}
	}
	start := cpu()
	if err := w.call(); err != nil {
		return nil, err
	}
	first := cpu() - start
	bytes := w.input
	if w.serializes {
		bytes = w.bytes
	}
	return answer{"set_up": 0, "first": first, "bytes": len(bytes)}, os.WriteFile(asked.Out, bytes, 0o644)
}

func (w *worker) call() (err error) {
	if w.serializes {
		w.bytes, err = w.contestant.Serialize(w.argument)
	} else {
		w.result = w.scenario.empty()
		if w.isStream {
			err = w.contestant.ReadStream(&chunks{w.input, w.chunkLength}, w.result)
		} else {
			err = w.contestant.Deserialize(w.input, w.result)
		}
	}
	if err != nil {
		return fmt.Errorf("fails: %w", err)
	}
	return nil
}

// verify compares all of the latest result with the data.
func (w *worker) verify() error {
	expected, err := w.scenario.read(w.data)
	if err != nil {
		return err
	}
	if wrong := (comparison{}).difference(reflect.ValueOf(expected), reflect.ValueOf(w.values)); wrong != "" {
		return fmt.Errorf("changes the values that it serializes: %s", wrong)
	}
	compare := comparison{readsFloats: w.contestant.Format == "json" || w.contestant.Format == "ndjson"}
	got, where := w.result, ""
	if w.serializes {
		got, where = w.scenario.empty(), "its bytes say "
		if err := w.readBytes(expected, got); err != nil {
			return fmt.Errorf("writes what can't be read: %w", err)
		}
	}
	if wrong := compare.difference(reflect.ValueOf(expected), reflect.ValueOf(got)); wrong != "" {
		return fmt.Errorf("returns other data: %s%s", where, wrong)
	}
	return nil
}

// readBytes reads what was serialized.
func (w *worker) readBytes(expected, into any) error {
	if w.isStream {
		return readAsOne(w.contestant, asOne(w.contestant.Format, w.bytes, expected), into)
	}
	return read(w.contestant, w.bytes, into)
}

// referees read MessagePack that another contestant wrote, into every type: the first one that is here. msgp can't,
// since it refuses nil where its generated code expects a list.
var referees = []string{"vmihailenco/msgpack", "Polypack (Go)"}

// read reads with another library than the writer where there is one.
func read(writer Contestant, bytes []byte, into any) error {
	if writer.Format == "json" {
		return json.Unmarshal(bytes, into)
	}
	if writer.Format != "msgpack" { // records and gob, which no other library for Go reads
		return writer.Deserialize(bytes, into)
	}
	for _, name := range referees {
		if other, found := contestants[name]; found && name != writer.Name {
			return other.Deserialize(bytes, into)
		}
	}
	return writer.Deserialize(bytes, into)
}

func (w *worker) time(times int, call func() error) (answer, error) {
	used, start := cpu(), time.Now()
	for range times {
		if err := call(); err != nil {
			return nil, err
		}
	}
	wall := time.Since(start).Nanoseconds()
	return answer{"wall": wall, "cpu": cpu() - used}, nil
}

// cpu is the time of the processor in nanoseconds, that of the garbage collector's threads too.
func cpu() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}
