// Package guide tests that the guides about other libraries tell the truth.
package guide

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Check runs a case for each row of the table "What changes" in a guide of docs, a folder. It fails for a row without a
// case, and for a case without a row.
func Check(t *testing.T, docs, name string, cases map[string]func(t *testing.T)) {
	t.Helper()
	if _, err := os.Stat(docs); os.IsNotExist(err) {
		t.Skip("a module that is used elsewhere has no docs beside it")
	}
	text, err := os.ReadFile(filepath.Join(docs, "guides", name))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## What changes")
	var rows []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); len(cells) == 3 {
			rows = append(rows, strings.TrimPrefix(cells[0], "| "))
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no table of what changes", name)
	}
	rows = rows[1:]
	slices.Sort(rows)
	if known := slices.Sorted(maps.Keys(cases)); !slices.Equal(rows, known) {
		t.Errorf("rows %q\ncases %q", rows, known)
	}
	for name, run := range cases {
		t.Run(name, run)
	}
}
