package polypack_test

// What the engine remembers of messages: how much memory the strings of the next one take.

import (
	"reflect"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
)

type textTree struct {
	Title, Link string
	Words       []string
	Children    []*textTree
	Labels      map[string]string
	Method      methodNest
	Generated   gentest.Tree
	Any         any
}

// textOf returns n bytes that differ from their neighbours.
func textOf(first byte, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = first + byte(i)
	}
	return string(b)
}

// TestEngineTexts decodes messages whose strings take much and little in turn, also by methods and generated code
// inside: what one has taught is no good for the next, and harms none.
func TestEngineTexts(t *testing.T) {
	tree := func(i int) textTree {
		v := textTree{Title: textOf('a', i*7%300), Link: textOf('b', i%40), Any: textOf('d', i*3%50)}
		for k := range i % 44 {
			v.Words = append(v.Words, textOf('w', k))
		}
		for k := range i % 23 {
			v.Children = append(v.Children, &textTree{Title: textOf('c', k*i%50)})
		}
		if i%3 == 0 {
			v.Labels = map[string]string{"team": textOf('e', i%60), textOf('f', i%33): "office"}
			v.Generated = gentest.Tree{Title: textOf('g', i%70), Link: "h"}
		}
		return v
	}
	for _, mode := range []polypack.StringsMode{polypack.StringsArena, polypack.StringsSeparate, polypack.StringsZeroCopy} {
		var kept []textTree
		for i := range 200 {
			v := tree(i)
			data := mustMarshal(t, v)
			var back textTree
			if err := polypack.Unmarshal(data, &back, polypack.Strings(mode)); err != nil || !reflect.DeepEqual(back, v) {
				t.Fatalf("mode %d, %d: %v\n%+v\n%+v", mode, i, err, back, v)
			}
			if mode != polypack.StringsZeroCopy {
				clear(data)
			}
			kept = append(kept, back)
		}
		for i, v := range kept {
			if !reflect.DeepEqual(v, tree(i)) {
				t.Fatalf("mode %d, %d has changed: %+v", mode, i, v)
			}
		}
	}
}

// A message with few strings and much else takes no more for the strings than they need, once one has been seen.
func TestEngineTextHints(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	type letter struct {
		From, To string
		Body     []byte
	}
	data := mustMarshal(t, letter{"Ada Lovelace", "Charles Babbage", make([]byte, 1500)})
	const times, most = 100, 1500 + 600
	if got := spent(func() {
		for range times {
			v := new(letter)
			if err := polypack.Unmarshal(data, v); err != nil {
				t.Fatal(err)
			}
		}
	}); got > times*most {
		t.Errorf("%d bytes for a message, at most %d", got/times, most)
	}
}
