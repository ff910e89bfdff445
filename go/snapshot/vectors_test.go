package snapshot_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/described"
	"github.com/polypack/polypack/go/snapshot"
)

// vector is a case of vectors/snapshot.
type vector struct {
	Name    string
	Bytes   string
	Value   described.Value
	Error   *fault
	Options json.RawMessage
	Keys    []string
}

type fault struct {
	Code   polypack.Code
	Offset int64
	Path   string
}

func vectorsOf(t testing.TB, room string) []vector {
	t.Helper()
	return vectorsIn(t, "../../vectors/snapshot/"+room+".json")
}

func vectorsIn(t testing.TB, name string) []vector {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wantFault checks the error of data.
func wantFault(t *testing.T, err error, want fault) {
	t.Helper()
	var e *polypack.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want %v", err, want)
	}
	if got := (fault{e.Code, e.Offset, e.Path}); got != want {
		t.Errorf("got %v (%v), want %v", got, err, want)
	}
}

// plain returns a description as JSON has it.
func plain(t *testing.T, value described.Value) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestVectors(t *testing.T) {
	for _, room := range []string{"values", "objects", "accepted"} {
		for _, v := range vectorsOf(t, room) {
			t.Run(v.Name, func(t *testing.T) {
				value, err := snapshot.Decode(unhex(t, v.Bytes))
				if err != nil {
					t.Fatal(err)
				}
				got, want := plain(t, described.Of(value)), plain(t, reduced(v.Value))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("got  %v\nwant %v", got, want)
				}
			})
		}
	}
}

// TestRandomSnapshots reads a file of php/tools/snapshot-random.php, for conformance/snapshots.mjs.
func TestRandomSnapshots(t *testing.T) {
	name := os.Getenv("POLYPACK_SNAPSHOTS")
	if name == "" {
		t.Skip("POLYPACK_SNAPSHOTS names no file")
	}
	for _, v := range vectorsIn(t, name) {
		value, err := snapshot.Decode(unhex(t, v.Bytes), snapshot.MaxElements(10_000))
		if v.Error != nil {
			var e *polypack.Error
			if !errors.As(err, &e) {
				t.Errorf("%s: %s gives %v, want %v", v.Name, v.Bytes, err, *v.Error)
			} else if got := (fault{e.Code, e.Offset, e.Path}); got != *v.Error {
				t.Errorf("%s: %s gives %v, want %v", v.Name, v.Bytes, got, *v.Error)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %s gives %v", v.Name, v.Bytes, err)
			continue
		}
		if got, want := plain(t, described.Of(value)), plain(t, reduced(v.Value)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s\ngot  %v\nwant %v", v.Name, v.Bytes, got, want)
		}
	}
}

func TestInvalidVectors(t *testing.T) {
	for _, v := range vectorsOf(t, "invalid") {
		if strings.HasPrefix(string(v.Error.Code), "class_") {
			continue // no class is looked for here
		}
		t.Run(v.Name, func(t *testing.T) {
			var limits struct {
				Depth    *int `json:"max_depth"`
				Elements *int `json:"max_elements"`
			}
			if len(v.Options) > 0 && v.Options[0] == '{' {
				if err := json.Unmarshal(v.Options, &limits); err != nil {
					t.Fatal(err)
				}
			}
			var options []snapshot.Option
			if limits.Depth != nil {
				options = append(options, snapshot.MaxDepth(*limits.Depth))
			}
			if limits.Elements != nil {
				options = append(options, snapshot.MaxElements(*limits.Elements))
			}
			_, err := snapshot.Decode(unhex(t, v.Bytes), options...)
			wantFault(t, err, *v.Error)
		})
	}
}

func TestSignedVectors(t *testing.T) {
	keys := map[string]string{
		"k2": "a key for vectors only, 32 bytes", "k1": "an older key for vectors, 32 byte", "zz": "a key that has signed nothing at all",
	}
	for _, v := range vectorsOf(t, "signed") {
		t.Run(v.Name, func(t *testing.T) {
			ring := snapshot.Keys{}
			for _, id := range v.Keys {
				ring[id] = []byte(keys[id])
			}
			if v.Keys == nil {
				ring[""] = []byte(keys["k2"])
			}
			var signed struct{ Purpose, Frame string }
			if v.Options[0] == '{' {
				if err := json.Unmarshal(v.Options, &signed); err != nil {
					t.Fatal(err)
				}
			}
			options := []snapshot.Option{snapshot.Purpose(signed.Purpose)}
			if signed.Frame == "plain" {
				options = append(options, snapshot.PlainFrame())
			}
			value, err := snapshot.DecodeSigned(unhex(t, v.Bytes), ring, options...)
			if v.Error != nil {
				wantFault(t, err, *v.Error)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := &snapshot.Map{Keys: []any{"id", "name"}, Values: []any{int64(7), "Ann"}}
			if !reflect.DeepEqual(value, want) {
				t.Errorf("got %v", value)
			}
		})
	}
}

func TestOldCodeIsData(t *testing.T) {
	for _, v := range vectorsOf(t, "evolution") {
		if _, err := snapshot.Decode(unhex(t, v.Bytes)); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}

func TestV1IsRefused(t *testing.T) {
	for _, v := range vectorsOf(t, "v1") {
		if v.Error == nil {
			_, err := snapshot.Decode(unhex(t, v.Bytes))
			wantFault(t, err, fault{polypack.CodeInvalidSnapshot, 0, ""})
		}
	}
}

// reduced returns the description of a vector without what Go doesn't keep: references to anything but arrays, and how
// PHP declares properties. Objects and arrays are described where they occur first.
func reduced(value described.Value) described.Value {
	r := reduction{
		objects: map[float64]described.Value{}, referred: map[float64]described.Value{}, times: map[float64]int{},
		knownObjects: map[float64]int{}, knownArrays: map[float64]int{},
	}
	r.index(value)
	return r.of(value)
}

type reduction struct {
	objects, referred         map[float64]described.Value
	times                     map[float64]int
	knownObjects, knownArrays map[float64]int
}

func (r *reduction) index(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			r.index(item)
		}
	case described.Value:
		if id, ok := v["id"].(float64); ok && v["object"] != nil {
			r.objects[id] = v
		}
		if number, ok := v["reference"].(float64); ok {
			r.times[number]++
			if content, ok := v["value"].(described.Value); ok {
				r.referred[number] = content
			}
		}
		for _, content := range v {
			r.index(content)
		}
	}
}

func (r *reduction) of(v described.Value) described.Value {
	if number, ok := v["reference"].(float64); ok {
		return r.reference(number)
	}
	if list, ok := v["list"].([]any); ok {
		return described.Value{"list": r.list(list)}
	}
	if entries, ok := v["map"].([]any); ok {
		return r.array(r.entries(entries))
	}
	if again, ok := v["again"].(float64); ok {
		return r.object(r.objects[again])
	}
	if v["object"] != nil {
		return r.object(v)
	}
	return v
}

func (r *reduction) list(list []any) []any {
	out := []any{}
	for _, item := range list {
		out = append(out, r.of(item.(described.Value)))
	}
	return out
}

func (r *reduction) entries(entries []any) []any {
	out := []any{}
	for _, entry := range entries {
		e := entry.([]any)
		out = append(out, []any{e[0], r.of(e[1].(described.Value))})
	}
	return out
}

// array returns a list if the keys are 0, 1, 2 …
func (r *reduction) array(entries []any) described.Value {
	list := []any{}
	for i, entry := range entries {
		e := entry.([]any)
		if e[0].(described.Value)["int"] != strconv.Itoa(i) {
			return described.Value{"map": entries}
		}
		list = append(list, e[1])
	}
	return described.Value{"list": list}
}

func (r *reduction) reference(number float64) described.Value {
	value := r.referred[number]
	isArray := value["list"] != nil || value["map"] != nil
	if !isArray || r.times[number] == 1 {
		return r.of(value)
	}
	if known, ok := r.knownArrays[number]; ok {
		return described.Value{"reference": known}
	}
	known := len(r.knownArrays)
	r.knownArrays[number] = known
	return described.Value{"reference": known, "value": r.of(value)}
}

func (r *reduction) object(v described.Value) described.Value {
	old := v["id"].(float64)
	if known, ok := r.knownObjects[old]; ok {
		return described.Value{"again": known}
	}
	out := described.Value{"object": v["object"], "id": len(r.knownObjects)}
	r.knownObjects[old] = len(r.knownObjects)
	switch {
	case v["bytes"] != nil:
		out["bytes"] = v["bytes"]
	case v["data"] != nil:
		out["data"] = r.of(v["data"].(described.Value))
	case v["many"] != nil:
		out["properties"] = r.many(v["many"].(described.Value))
	default:
		out["properties"] = r.entries(v["properties"].([]any))
		if v["absent"] != nil {
			out["absent"] = v["absent"]
		}
	}
	return out
}

func (r *reduction) many(v described.Value) []any {
	out := []any{}
	if list, ok := v["list"].([]any); ok {
		for i, item := range r.list(list) {
			out = append(out, []any{described.Value{"str": strconv.Itoa(i)}, item})
		}
		return out
	}
	for _, entry := range r.entries(v["map"].([]any)) {
		e := entry.([]any)
		if number, ok := e[0].(described.Value)["int"]; ok {
			e[0] = described.Value{"str": number}
		}
		out = append(out, e)
	}
	return out
}
