//go:build !purego

package polypack

// Plan of the file: the two loops over the entries of a map for a struct don't drift apart.

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// watchedChecks are what the watched loop has in addition, in its order, and what the other loop has instead.
var watchedChecks = []struct{ watched, plain string }{
	{"func (e *decoding) watchedStruct(", "func (e *decoding) structValue("},
	{" && (!e.limited || e.allowsMap(int64(c&format.MaxFixcontainer))) {", " {"},
	{"var seen *seenFields ", ""},
	{"e.follows(i, f.key)) { i += len(f.key) expected = f.next }", "e.follows(i, f.key)) { i += len(f.key) }"},
	{"if e.strict { f, expected, seen, i = e.unexpectedOnce(s, q, seen, expected, i, count-left) } else if f, i = e.unexpected(s, q, i, count-left); f != nil { expected = f.next } if i < 0 {",
		"if f, i = e.unexpected(s, q, i, count-left); i < 0 {"},
	{"continue } } p := unsafe.Add", "continue } } expected = f.next p := unsafe.Add"},
	{" && (!e.strict || e.isShortASCII(i+1, l) || e.isUTF8(i+1, l)) {", " {"},
	{"e.watchedStruct(f.node, p, i)", "e.structValue(f.node, p, i)"},
	{"if seen != nil { e.giveSeen(seen) } ", ""},
}

// loopOf returns the code of a function of a file on one line, without comments.
func loopOf(t *testing.T, file, head string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, body, found := strings.Cut(string(text), "\n"+head)
	if !found {
		t.Fatalf("%s has no %s", file, head)
	}
	body, _, _ = strings.Cut(body, "\n}\n")
	code := regexp.MustCompile(`//.*`).ReplaceAllString(head+body, "")
	return regexp.MustCompile(`\s+`).ReplaceAllString(code, " ")
}

func TestWatchedStructIsTheSameLoop(t *testing.T) {
	plain := loopOf(t, "engine_decode_struct.go", "func (e *decoding) structValue(")
	watched := loopOf(t, "engine_decode_struct_watched.go", "func (e *decoding) watchedStruct(")
	for _, check := range watchedChecks {
		if strings.Count(watched, check.watched) != 1 {
			t.Fatalf("the watched loop has %q %d times", check.watched, strings.Count(watched, check.watched))
		}
		watched = strings.Replace(watched, check.watched, check.plain, 1)
	}
	if watched == plain {
		return
	}
	at := 0
	for at < min(len(plain), len(watched)) && plain[at] == watched[at] {
		at++
	}
	show := func(text string) string { return text[max(0, at-60):min(len(text), at+60)] }
	t.Errorf("the loops differ beyond the checks:\nplain   …%s…\nwatched …%s…", show(plain), show(watched))
}
