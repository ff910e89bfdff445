// Command go is the process that a contestant in Go runs in. It answers the protocol of
// docs/internals/lab-protocol.md on its input; with --list it says as JSON which contestants there are,
// with --payload NAME a payload of go/bench.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

func main() {
	argument := ""
	if len(os.Args) > 1 {
		argument = os.Args[1]
	}
	if argument == "--list" {
		list()
		return
	}
	if argument == "--payload" {
		if err := printPayload(strings.Join(os.Args[2:], " ")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	w := worker{}
	lines := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		text, err := json.Marshal(w.answerLine(line))
		if err != nil {
			text = []byte(`{"fault":"the worker can't say its answer"}`)
		}
		fmt.Printf("\n%s%s\n", argument, text)
	}
}

func list() {
	found := []Contestant{}
	for _, contestant := range contestants {
		if contestant.Version == "" {
			contestant.Version = runtime.Version()
		}
		found = append(found, contestant)
	}
	slices.SortFunc(found, func(a, b Contestant) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.Marshal(found)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", text)
}
