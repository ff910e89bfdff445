package main

// Plan of the file: the tests that -tests writes. The work is in package wire/wiretest, so a test is one call.

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A tester writes tests for the types to which a generator gave methods.
type tester struct {
	*generator
	methods map[string]string // names of the packages that the file with the methods imports, by import path
	body    bytes.Buffer
	helper  string // the name under which the file imports package wiretest
	testing string // the name under which the file imports package testing

	parameter string // the name of the parameter of each test; no type of the package has this name
}

// tests returns the text of a file with a test for each type that got methods. A generic type gets a test for each
// instance that occurs in the package and that the file can name. If there is none, it gets a comment instead.
func (g *generator) tests(instances []*types.Named) ([]byte, error) {
	t := &tester{generator: g, methods: g.imports}
	g.imports = map[string]string{}
	t.helper = t.qualify(types.NewPackage(wirePath+"/wiretest", "wiretest"))
	t.testing = t.qualify(types.NewPackage("testing", "testing"))
	t.parameter = t.ownName("t")
	for _, s := range g.queue {
		if !s.generic() {
			t.test(s.name, s.name)
			continue
		}
		count := 0
		for _, instance := range instances {
			if instance.Origin() == s.named && g.canWrite(instance) {
				count++
				t.test(fmt.Sprintf("%s%d", s.name, count), types.TypeString(instance, t.qualify))
			}
		}
		if count == 0 {
			fmt.Fprintf(&t.body, "// %s has no test, because the package has no instance of it.\n\n", s.name)
		}
	}
	var file bytes.Buffer
	g.begin(&file)
	file.Write(t.body.Bytes())
	return formatted(&file)
}

// qualify returns the name of a package in the file with the tests, and adds the import. The name is the same as in the
// file with the methods, if that file imports the package.
func (t *tester) qualify(p *types.Package) string {
	if name, ok := t.methods[p.Path()]; ok && p != t.pkg {
		t.imports[p.Path()] = name
		return name
	}
	return t.generator.qualify(p)
}

// test writes the test of a type. typ is the Go expression for the type.
func (t *tester) test(name, typ string) {
	name = t.ownName("TestPolypack" + capitalized(name))
	fmt.Fprintf(&t.body, "// %s encodes and decodes random values of %s.\n", name, typ)
	fmt.Fprintf(&t.body, "func %s(%s *%s.T) { %s.RoundTrip[%s](%s%s) }\n\n", name, t.parameter, t.testing, t.helper, typ, t.parameter, t.options())
}

// options returns the options that codecs must have to use the methods, as further arguments of a call.
func (t *tester) options() (arguments string) {
	if !t.hasOptions() {
		return ""
	}
	library := t.qualify(types.NewPackage(libraryPath, "polypack"))
	if !slices.Equal(t.tagKeys, []string{ownTagKey}) {
		var keys []string
		for _, key := range t.tagKeys {
			keys = append(keys, strconv.Quote(key))
		}
		arguments = fmt.Sprintf(", %s.TagKeys(%s)", library, strings.Join(keys, ", "))
	}
	if t.omitEmptyAsksIsZero {
		arguments += fmt.Sprintf(", %s.OmitEmptyAsksIsZero(true)", library)
	}
	return arguments
}
