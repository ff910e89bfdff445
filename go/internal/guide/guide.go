// Package guide helps to test that the guides about other libraries tell the truth.
package guide

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Check runs a test case for each row of the first table after a heading of a guide. docs is the path of the folder
// docs, and name is the file of the guide in docs/guides. The name of a case is the text of the row's first cell. Check
// fails if a row has no case, or a case has no row. If there is no folder docs, Check skips the test.
func Check(t *testing.T, docs, name, heading string, cases map[string]func(t *testing.T)) {
	t.Helper()
	if _, err := os.Stat(docs); os.IsNotExist(err) {
		t.Skip("a module that is used elsewhere has no docs beside it")
	}
	text, err := os.ReadFile(filepath.Join(docs, "guides", name))
	if err != nil {
		t.Fatal(err)
	}
	rows := firstCells(string(text), "\n## "+heading+"\n")
	if len(rows) == 0 {
		t.Fatalf("%s has no table behind the heading %s", name, heading)
	}
	slices.Sort(rows)
	if known := slices.Sorted(maps.Keys(cases)); !slices.Equal(rows, known) {
		t.Errorf("rows %q\ncases %q", rows, known)
	}
	for name, run := range cases {
		t.Run(name, run)
	}
}

// firstCells returns the first cell of each row of the first table after a heading, without the header row.
func firstCells(text, heading string) []string {
	_, text, _ = strings.Cut(text, heading)
	var rows []string
	for line := range strings.Lines(text) {
		row, ok := strings.CutPrefix(line, "| ")
		if !ok && len(rows) > 0 && !strings.HasPrefix(line, "|---") {
			break
		}
		if cell, _, _ := strings.Cut(row, " | "); ok {
			rows = append(rows, cell)
		}
	}
	return rows[min(1, len(rows)):]
}
