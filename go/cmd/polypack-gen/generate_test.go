package main

import (
	"errors"
	"fmt"
	"go/types"
	"strings"
	"testing"
)

// TestManyFields refuses structs with so many fields that methods for them would not compile.
func TestManyFields(t *testing.T) {
	for _, test := range []struct {
		fields int
		says   string // "" if the struct gets methods
	}{
		{10_000, ""},
		{10_001, "it has 10001 fields, and methods for more than 10000 take Go hours to compile; leave it out of -type"},
		{1 << 16, "it has 65536 fields, and methods for more than 10000 take Go hours to compile; leave it out of -type"},
	} {
		pkg := types.NewPackage("example.com/wide", "wide")
		fields := make([]*types.Var, test.fields)
		for i := range fields {
			fields[i] = types.NewField(0, pkg, fmt.Sprint("F", i), types.Typ[types.Bool], false)
		}
		wide := types.NewNamed(types.NewTypeName(0, pkg, "Wide", nil), types.NewStruct(fields, nil), nil)
		pkg.Scope().Insert(wide.Obj())
		err := newGenerator(&loaded{pkg: pkg}).add("Wide")
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.HasPrefix(err.Error(), "Wide: "+test.says)) {
			t.Errorf("%d fields: %v, want %q", test.fields, err, test.says)
		}
		if r := (*refusal)(nil); errors.As(err, &r) && r.never {
			t.Errorf("%d fields: %v says that the library can't encode them either", test.fields, err)
		}
	}
}

// TestZeroTests asserts that each kind of type whose values can be left out has a test for that.
func TestZeroTests(t *testing.T) {
	for want, typ := range map[string]types.Type{
		"!x": types.Typ[types.Bool], `x == ""`: types.Typ[types.String], "x == 0": types.Typ[types.Uintptr],
		"x == nil": types.Typ[types.UnsafePointer], "": types.NewStruct(nil, nil),
	} {
		if got := plainZero(typ, "x"); got != want {
			t.Errorf("%v: %q, want %q", typ, got, want)
		}
	}
}
