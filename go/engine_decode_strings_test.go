package polypack_test

// What the engine remembers of messages: how much memory the strings of the next one take.

import (
	"reflect"
	"testing"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
	"github.com/polypack/polypack/go/wire"
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

// TestEngineTextHintsOfFullChunks decodes messages whose strings take a whole chunk and part of another one. The guess
// for the first chunk is then as good as can be, and no message need note anything.
func TestEngineTextHintsOfFullChunks(t *testing.T) {
	if purego {
		t.Skip("the build without unsafe cuts strings from no chunks")
	}
	tree := func(long int) (v gentest.Tree) {
		for range 100 {
			v.Children = append(v.Children, &gentest.Tree{Title: textOf('a', long)})
		}
		return v
	}
	type words struct{ Words []string }
	var direct polypack.Direct
	for name, read := range map[string]func(long int) (noted uint64){
		"engine": func(long int) uint64 {
			v := words{}
			for range 100 {
				v.Words = append(v.Words, textOf('a', long))
			}
			var back words
			if err := polypack.Unmarshal(mustMarshal(t, v), &back); err != nil || !reflect.DeepEqual(back, v) {
				t.Fatal(err)
			}
			return polypack.TextsNoted(&back)
		},
		"generated": func(long int) uint64 {
			v := tree(long)
			data := mustMarshal(t, v)
			var r wire.Reader
			var back gentest.Tree
			direct.BeginRead(&r, data)
			if end := back.DecodeWire(&r, 0); direct.OddRead(&r, end) {
				if err := direct.EndRead(&r, end); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(back, v) {
				t.Fatal(back)
			}
			return direct.TextsNoted()
		},
	} {
		read(21)
		noted := read(22)
		if noted == 0 {
			t.Errorf("%s: nothing was noted", name)
		}
		for long := 23; long < 28; long++ {
			if now := read(long); now != noted {
				t.Errorf("%s: %d bytes were noted", name, now&(1<<32-1))
			}
		}
		if now := read(4); now == noted {
			t.Errorf("%s: short strings were not noted", name)
		}
	}
}
