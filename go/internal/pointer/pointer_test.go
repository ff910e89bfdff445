package pointer

import (
	"strings"
	"testing"
)

// TestOf checks that the first segment that makes a path longer than 4,096 bytes is replaced, and what follows it,
// whether it's a segment or part of a finished pointer (spec/07-errors.md#path).
func TestOf(t *testing.T) {
	long := strings.Repeat("x", 4000)
	most := strings.Repeat("y", 95)
	for _, example := range []struct {
		name     string
		segments []string
		rest     string
		want     string
	}{
		{"nothing", nil, "", ""},
		{"the outermost is last", []string{"b", "a"}, "/c", "/a/b/c"},
		{"escaped", []string{"a/b~"}, "/~0", "/a~1b~0/~0"},
		{"not UTF-8", []string{"\xff\xe2\x82"}, "", "/\ufffd\ufffd"},
		{"4,096 bytes", []string{most[:94], long}, "", "/" + long + "/" + most[:94]},
		{"4,097 bytes", []string{most, long}, "", "/" + long + "/…"},
		{"a rest of 4,096 bytes", []string{long}, "/" + most[:94], "/" + long + "/" + most[:94]},
		{"a rest of 4,097 bytes", []string{long}, "/" + most, "/" + long + "/…"},
		{"a rest that begins short", []string{"a"}, "/b/" + long + "/" + most, "/a/b/" + long + "/…"},
		{"a long rest in short segments", []string{"b", "a"}, "/" + long + "/" + most, "/a/b/" + long + "/…"},
		{"a rest that was cut", []string{"a"}, "/" + long + "/…", "/a/" + long + "/…"},
		{"a rest that was cut, and has to be again", []string{most, "a"}, "/b/" + long + "/…", "/a/" + most + "/b/…"},
	} {
		if got := Of(example.segments, example.rest); got != example.want {
			t.Errorf("%s: %d bytes, want %d: …%s, want …%s", example.name, len(got), len(example.want),
				got[max(0, len(got)-20):], example.want[max(0, len(example.want)-20):])
		}
	}
}
