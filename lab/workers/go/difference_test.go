package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestDifferenceLooksAtTheLastElement(t *testing.T) {
	note := "late"
	expected := []Order{{ID: 1}, {ID: 2, Lines: []Line{{SKU: "a"}, {SKU: "b"}}, Note: &note}}
	same := []Order{{ID: 1}, {ID: 2, Lines: []Line{{SKU: "a"}, {SKU: "b"}}, Note: &note}}
	if found := (comparison{}).difference(reflect.ValueOf(expected), reflect.ValueOf(same)); found != "" {
		t.Errorf("equal values differ: %s", found)
	}
	same[1].Lines[1].SKU = "c"
	if found := (comparison{}).difference(reflect.ValueOf(expected), reflect.ValueOf(same)); found != `/1/Lines/1/SKU: "b" expected, got "c"` {
		t.Errorf("got %s", found)
	}
	same[1].Lines[1].SKU = "b"
	same[1].Note = nil
	if found := (comparison{}).difference(reflect.ValueOf(expected), reflect.ValueOf(same)); found != "/1/Note: one of them is nil" {
		t.Errorf("got %s", found)
	}
}

func TestDifferenceLooksIntoWhateverHoldsAValue(t *testing.T) {
	type holder struct {
		Value any
		Map   map[string]any
		Array [2]float64
	}
	negative := math.Copysign(0, -1)
	for _, example := range []struct {
		expected, actual holder
		found            string
	}{
		{holder{Value: 0.0}, holder{Value: negative}, "/Value: 0 expected, got -0"},
		{holder{Value: math.NaN()}, holder{Value: math.NaN()}, ""},
		{holder{Value: 1.0}, holder{Value: math.NaN()}, "/Value: 1 expected, got NaN"},
		{holder{Value: int64(1)}, holder{Value: 1.0}, "/Value: int64 expected, got float64"},
		{holder{Value: int64(1)}, holder{Value: int8(1)}, ""},
		{holder{Value: int64(1)}, holder{Value: uint64(1)}, ""},
		{holder{Value: int64(-1)}, holder{Value: uint64(math.MaxUint64)}, "/Value: int64 expected, got uint64"},
		{holder{Value: int64(1)}, holder{Value: int8(2)}, "/Value: int64 expected, got int8"},
		{holder{Value: 1.0}, holder{Value: int64(1)}, "/Value: float64 expected, got int64"},
		{holder{Value: nil}, holder{Value: false}, "/Value: one of them is nil"},
		{holder{Array: [2]float64{1, 0}}, holder{Array: [2]float64{1, negative}}, "/Array/1: 0 expected, got -0"},
		{holder{Map: map[string]any{"a": 0.0}}, holder{Map: map[string]any{"a": negative}}, "/Map/a: 0 expected, got -0"},
		{holder{Map: map[string]any{"a": []any{1, "x"}}}, holder{Map: map[string]any{"a": []any{1, "y"}}}, `/Map/a/1: "x" expected, got "y"`},
		{holder{Map: map[string]any{"a": nil}}, holder{Map: map[string]any{"b": nil}}, "/Map/a: missing"},
		{holder{Map: map[string]any{}}, holder{Map: map[string]any{"b": nil}}, "/Map: 0 entries expected, got 1"},
		{holder{Map: map[string]any{}}, holder{}, "/Map: one of them is nil"},
	} {
		if found := (comparison{}).difference(reflect.ValueOf(example.expected), reflect.ValueOf(example.actual)); found != example.found {
			t.Errorf("got %q, want %q", found, example.found)
		}
	}
}

func TestATimeIsItsInstant(t *testing.T) {
	at := time.Unix(1_700_000_000, 5).UTC()
	for back, want := range map[time.Time]bool{at: true, at.In(time.FixedZone("x", 60)): true, at.Add(1): false} {
		found := (comparison{}).difference(reflect.ValueOf([]time.Time{at}), reflect.ValueOf([]time.Time{back}))
		if (found == "") != want {
			t.Errorf("%s: %q", back, found)
		}
	}
}

func TestEveryPayloadOfTheBenchIsAScenario(t *testing.T) {
	for name, make := range payloads {
		text, err := payloadText(make())
		if err != nil {
			t.Fatal(err)
		}
		value, err := scenarios["go-"+name].read(text)
		if err != nil {
			t.Fatal(err)
		}
		wrong := (comparison{}).difference(reflect.ValueOf(make()), reflect.ValueOf(value).Elem())
		if wrong != "" {
			t.Errorf("%s: %s", name, wrong)
		}
	}
}

func TestNumbersOfJSONMayBeFloats(t *testing.T) {
	readsFloats := comparison{readsFloats: true}
	for _, example := range []struct {
		expected, actual any
		found            string
	}{
		{[]any{int64(3)}, []any{3.0}, ""},
		{[]any{int64(3)}, []any{3.5}, "/0: int64 expected, got float64"},
		{[]any{int64(0)}, []any{math.Copysign(0, -1)}, "/0: int64 expected, got float64"},
		{[]any{int64(1<<53 + 1)}, []any{float64(1<<53 + 2)}, "/0: int64 expected, got float64"},
		{[]any{2.5}, []any{2.5}, ""},
		{[]any{2.5}, []any{"2.5"}, "/0: float64 expected, got string"},
	} {
		found := readsFloats.difference(reflect.ValueOf(example.expected), reflect.ValueOf(example.actual))
		if found != example.found {
			t.Errorf("got %q, want %q", found, example.found)
		}
	}
}

func TestEveryContestantIsVerified(t *testing.T) {
	data := map[string]string{
		"ints10k":         `[0,-1,128,-9223372036854775808,9223372036854775807]`,
		"floats10k":       `[0.1,-2.0,1e300]`,
		"texts300":        `["","Åé","x"]`,
		"matrix100x100f":  `[[1.5,2.0],[-0.0]]`,
		"small-ack":       `{"id":70001,"ok":true,"node":"eu-west-2a","n":3}`,
		"real-mime":       `{"a":{"list":[1,-300,70000,1.0,0.5,"x",null,true,[],{}],"wide":9007199254740991},"b":{"source":"iana"}}`,
		"person":          `[{"id":1,"name":"Å","married":true,"favoriteColors":["red"],"mother":null},{"id":2,"name":"b","married":false,"favoriteColors":["blue"],"mother":{"id":3,"name":"c","married":true,"favoriteColors":["teal"],"mother":null}}]`,
		"rows":            `[{"id":1,"uuid":"u","name":"n","email":"e","active":true,"score":1.5,"visits":2,"balance":-3,"manager":null,"tags":["t"],"position":{"latitude":0.5,"longitude":1.5},"text":"x"}]`,
		"go-07Int64x1M":   `{"values":[0,-1,9223372036854775807],"last":2}`,
		"go-09Uint16x1M":  `{"values":[0,65535],"last":1}`,
		"go-10Float64x1M": `{"values":[0.5,-1000.25],"last":1}`,
		"go-11Stringx1M":  `{"values":["","Å","a text of more than thirty-one bytes"],"last":2}`,
	}
	for _, name := range []string{"01Small", "02Medium", "03Large", "05MediumMap", "12Rows1000", "13Config", "14Series"} {
		text, err := payloadText(payloads[name]())
		if err != nil {
			t.Fatal(err)
		}
		data["go-"+name] = string(text)
	}
	for name, contestant := range contestants {
		for of, text := range data {
			if isStream(contestant.Scenarios[0]) {
				of = "stream-" + of
			}
			if !slices.Contains(contestant.Scenarios, of) {
				continue
			}
			w := worker{contestant: contestant, scenario: scenarios[of], data: []byte(text), serializes: true, isStream: isStream(of)}
			values, err := w.scenario.read(w.data)
			if err != nil {
				t.Fatal(err)
			}
			w.values, w.argument = values, argument(values)
			if err := w.call(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := w.verify(); err != nil {
				t.Errorf("%s, %s: %v", name, of, err)
			}
			written := w.bytes
			w.bytes = written[:len(written)-1]
			if err := w.verify(); err == nil {
				t.Errorf("%s, %s: a byte is missing, and nobody noticed", name, of)
			}
			if w.bytes = slices.Concat(written, written); w.isStream && w.verify() == nil {
				t.Errorf("%s, %s: every message is there twice, and nobody noticed", name, of)
			}
			if contestant.Cannot["deserialize"] != "" {
				continue
			}
			w.serializes, w.input, w.chunkLength = false, written, 100
			if err := errors.Join(w.call(), w.verify()); err != nil {
				t.Errorf("%s, %s: %v", name, of, err)
			}
		}
	}
}

func TestMemoryThatIsUsedAgainHasToBeWrittenAgain(t *testing.T) {
	calls := 0
	writeOnce := func(dst []byte, values any) ([]byte, error) {
		if calls++; calls == 1 {
			return contestants["Polypack (Go)"].Serialize(values)
		}
		return dst[:cap(dst)][:3], nil
	}
	w := worker{scenario: scenarios["ints10k"], data: []byte("[1,2]"), serializes: true}
	w.contestant = Contestant{Name: "lazy", Format: "msgpack", Serialize: appending(writeOnce)}
	w.values, _ = w.scenario.read(w.data)
	w.argument = argument(w.values)
	if err := errors.Join(w.call(), w.verify()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.do(request{Do: "verify"}); err == nil {
		t.Error("it wrote once, and nobody noticed")
	}
}

// The lab's tests compare this table with the lengths that PHP has.
func TestChunksAreAsLongAsInEveryLanguage(t *testing.T) {
	for scenario, length := range map[string]int{
		"stream-person":      8192,
		"stream-order":       8192,
		"stream-rows":        8192,
		"stream-countries":   8192,
		"stream-messages":    8192,
		"stream-100k-by-1k":  1024,
		"stream-1800k-by-1k": 1024,
		"js-stream-small":    16384,
		"js-stream-large":    16384,
	} {
		if found := chunkLength(scenario); found != length {
			t.Errorf("%s: chunks of %d bytes, want %d", scenario, found, length)
		}
	}
}

func TestAStreamIsReadInChunks(t *testing.T) {
	data := bytes.Repeat([]byte(`{"id":1,"name":"a name of some bytes"}`), 1000)
	var rows Rows
	reader, read := &chunks{data, 100}, 0
	if err := contestants["encoding/json, stream"].ReadStream(&chunks{data, 100}, &rows); err != nil || len(rows) != 1000 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for into := make([]byte, 200); read < len(data); {
		n, err := reader.Read(into)
		if err != nil || n > 100 || !bytes.Equal(into[:n], data[read:read+n]) {
			t.Fatalf("%d bytes at %d, %v", n, read, err)
		}
		read += n
	}
	if n, err := reader.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("%d bytes after the end, %v", n, err)
	}
}
