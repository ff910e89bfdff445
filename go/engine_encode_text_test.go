//go:build !purego

package polypack

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestIsUTF8 holds isUTF8 against the standard library: one byte of a string of each length is replaced at each place.
func TestIsUTF8(t *testing.T) {
	for length := range 40 {
		for at := range length + 1 {
			for _, c := range []string{"", "\x7f", "\x80", "\xc3", "é", "\xff", "\xe6\x97\xa5", "\xe6\x97"} {
				s := strings.Repeat("a", at) + c + strings.Repeat("z", length-at)
				if got := isUTF8(s); got != utf8.ValidString(s) {
					t.Fatalf("%q: %v", s, got)
				}
			}
		}
	}
}
