package polypack_test

// Plan of the file: what go doc shows. The documentation of what decodes and encodes names its errors by their codes,
// and what it says of the methods of Decoder is true: codes are collected over many inputs and compared. Constants show
// their values.

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

var (
	errorsSentence = regexp.MustCompile(`(?s)\bErrors(:| are| in the data).*`)
	codeName       = regexp.MustCompile(`\bCode[A-Z]\w*`)
	seeOther       = regexp.MustCompile(`\bthose of ((?:the function )?[A-Z]\w*(?:\.[A-Z]\w*)?)`)
)

// sources returns the files of the package.
func sources(t *testing.T) (files []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// TestConstantsShowTheirValues looks for exported constants that are computed from something else, of which go doc
// shows the name. Those that iota counts have names of their own.
func TestConstantsShowTheirValues(t *testing.T) {
	if fewRounds() {
		t.Skip("the same in every build")
	}
	found := 0
	for _, file := range sources(t) {
		for _, declaration := range file.Decls {
			constants, ok := declaration.(*ast.GenDecl)
			if !ok || constants.Tok != token.CONST {
				continue
			}
			for _, spec := range constants.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, value := range spec.Values {
					if !spec.Names[i].IsExported() {
						continue
					}
					found++
					if negative, ok := value.(*ast.UnaryExpr); ok {
						value = negative.X
					}
					switch value := value.(type) {
					case *ast.BasicLit:
						continue
					case *ast.Ident:
						if value.Name == "iota" {
							continue
						}
					}
					t.Errorf("go doc shows no value for %s", spec.Names[i].Name)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d constants found", found)
	}
}

// documented returns the documentation of each exported function and method that decodes or encodes, by name.
func documented(t *testing.T) map[string]string {
	t.Helper()
	about := regexp.MustCompile(`^(Decode|Encode|Marshal|Unmarshal|Append$|Canonicalize$|Get$|Peek$|Skip$)`)
	docs := map[string]string{}
	for _, file := range sources(t) {
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || !about.MatchString(f.Name.Name) || !returnsError(f) {
				continue
			}
			owner := receiverName(f)
			if owner == "Direct" || owner != "" && !ast.IsExported(owner) { // Direct is for generated code
				continue
			}
			docs[strings.TrimPrefix(owner+"."+f.Name.Name, ".")] = strings.ReplaceAll(f.Doc.Text(), "\n", " ")
		}
	}
	return docs
}

func returnsError(f *ast.FuncDecl) bool {
	if f.Type.Results == nil {
		return false
	}
	last, ok := f.Type.Results.List[len(f.Type.Results.List)-1].Type.(*ast.Ident)
	return ok && last.Name == "error"
}

func receiverName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if p, ok := typ.(*ast.StarExpr); ok {
		typ = p.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	return typ.(*ast.Ident).Name
}

// others returns the functions and methods whose errors a sentence in the documentation of name refers to. A name alone
// is a method of the same type, if that has one, or else a function.
func others(name, sentence string) (others []string) {
	owner, _, isMethod := strings.Cut(name, ".")
	for _, match := range seeOther.FindAllStringSubmatch(sentence, -1) {
		to, isFunction := strings.CutPrefix(match[1], "the function ")
		if method := owner + "." + to; isMethod && !isFunction && method != name && hasMethod(owner, to) {
			to = method
		}
		others = append(others, to)
	}
	return others
}

// hasMethod reports whether a codec has a method of its own with the name.
func hasMethod(owner, name string) bool {
	codec := map[string]reflect.Type{
		"Decoder": reflect.TypeFor[*polypack.Decoder](), "Encoder": reflect.TypeFor[*polypack.Encoder](),
	}[owner]
	if codec == nil {
		return false
	}
	_, ok := codec.MethodByName(name)
	return ok
}

// TestErrorsAreDocumented wants a sentence that begins with "Errors" and names codes, or a function that has the same.
func TestErrorsAreDocumented(t *testing.T) {
	if fewRounds() {
		t.Skip("the same in every build")
	}
	docs := documented(t)
	if len(docs) < 40 {
		t.Fatalf("only %d functions and methods found", len(docs))
	}
	for name, doc := range docs {
		sentence := errorsSentence.FindString(doc)
		switch {
		case sentence == "":
			t.Errorf("the documentation of %s has no sentence about its errors", name)
		case strings.Contains(sentence, "those of"):
			for _, to := range others(name, sentence) {
				if to == name || docs[to] == "" {
					t.Errorf("%s has the errors of %s, which has none", name, to)
				}
			}
		case !codeName.MatchString(sentence) && !strings.Contains(sentence, "UsageError"):
			t.Errorf("the documentation of %s names no code: %q", name, sentence)
		}
	}
}

// TestDocumentedErrors collects the codes that each method of Decoder returns, and compares them with its
// documentation.
func TestDocumentedErrors(t *testing.T) {
	if fewRounds() {
		t.Skip("the same in every build")
	}
	methods := map[string]func(d *polypack.Decoder) error{
		"DecodeNil":         func(d *polypack.Decoder) error { return d.DecodeNil() },
		"DecodeBool":        func(d *polypack.Decoder) error { _, err := d.DecodeBool(); return err },
		"DecodeInt":         func(d *polypack.Decoder) error { _, err := d.DecodeInt(); return err },
		"DecodeUint":        func(d *polypack.Decoder) error { _, err := d.DecodeUint(); return err },
		"DecodeFloat32":     func(d *polypack.Decoder) error { _, err := d.DecodeFloat32(); return err },
		"DecodeFloat64":     func(d *polypack.Decoder) error { _, err := d.DecodeFloat64(); return err },
		"DecodeString":      func(d *polypack.Decoder) error { _, err := d.DecodeString(); return err },
		"DecodeBytes":       func(d *polypack.Decoder) error { _, err := d.DecodeBytes(); return err },
		"DecodeArrayHeader": func(d *polypack.Decoder) error { _, err := d.DecodeArrayHeader(); return err },
		"DecodeMapHeader":   func(d *polypack.Decoder) error { _, err := d.DecodeMapHeader(); return err },
		"DecodeExt":         func(d *polypack.Decoder) error { _, err := d.DecodeExt(); return err },
		"DecodeTimestamp":   func(d *polypack.Decoder) error { _, err := d.DecodeTimestamp(); return err },
		"DecodeAny":         func(d *polypack.Decoder) error { _, err := d.DecodeAny(); return err },
		"Peek":              func(d *polypack.Decoder) error { _, err := d.Peek(); return err },
		"Skip":              func(d *polypack.Decoder) error { return d.Skip() },
	}
	inputs := [][]byte{nil}
	for head := range 256 {
		for _, tail := range []string{
			"", "00", "01ff0000", "ffffffffffffffffff", "ff000000000000000000000000000000", "02 91c1", "400000",
			"ffffffffffffff80 61616161", "7fffffffffffffff", "72 40", "72 40 91 a161 01", "72 7f 91 a161 01", "91 01 91 01",
			"72 40 92 a161 a161 01 02", "a161 01 a161 01", "90 90 90", "01 01 01 01", "efffffff e0000000",
			"0cff 3b9aca00 7fffffffffffffff", "0cff 00000000 7fffffffffffffff", "0cff 00000000 0000ffffffffffff",
		} {
			inputs = append(inputs, append([]byte{byte(head)}, unhex(t, tail)...))
		}
	}
	none := polypack.Config{MaxStringLen: 1, MaxBinaryLen: 1, MaxArrayLen: 1, MaxMapLen: 1, MaxExtLen: 1}
	options := [][]polypack.Option{
		nil, {polypack.Strict}, {polypack.Lossless}, {polypack.Records(polypack.RecordsInline)}, {polypack.MaxDepth(0)},
		{polypack.MaxValues(1)}, {none}, {polypack.Records(polypack.RecordsInline), polypack.Strict, none},
	}
	names := map[polypack.Code]string{
		polypack.CodeUnexpectedEnd:    "CodeUnexpectedEnd",
		polypack.CodeTrailingData:     "CodeTrailingData",
		polypack.CodeReservedByte:     "CodeReservedByte",
		polypack.CodeInvalidUTF8:      "CodeInvalidUTF8",
		polypack.CodeInvalidKey:       "CodeInvalidKey",
		polypack.CodeDuplicateKey:     "CodeDuplicateKey",
		polypack.CodeLimitExceeded:    "CodeLimitExceeded",
		polypack.CodeOutOfRange:       "CodeOutOfRange",
		polypack.CodeInvalidTimestamp: "CodeInvalidTimestamp",
		polypack.CodeUnknownRecord:    "CodeUnknownRecord",
		polypack.CodeInvalidRecord:    "CodeInvalidRecord",
		polypack.CodeUnsupportedValue: "CodeUnsupportedValue",
		polypack.CodeTypeMismatch:     "CodeTypeMismatch",
	}
	docs := documented(t)
	var codesOf func(name string) map[string]bool
	codesOf = func(name string) map[string]bool {
		codes := map[string]bool{}
		sentence := errorsSentence.FindString(docs[name])
		for _, code := range codeName.FindAllString(sentence, -1) {
			codes[code] = true
		}
		for _, other := range others(name, sentence) {
			maps.Copy(codes, codesOf(other))
		}
		return codes
	}
	for method, call := range methods {
		returned := map[string]bool{}
		for _, opts := range options {
			for _, input := range inputs {
				var fault *polypack.Error
				if err := call(polypack.NewDecoder(input, opts...)); errors.As(err, &fault) {
					returned[names[fault.Code]] = true
				} else if err != nil {
					t.Fatalf("%s of % x: %v", method, input, err)
				}
			}
		}
		said := codesOf("Decoder." + method)
		if !maps.Equal(said, returned) {
			t.Errorf("%s returns %q, its documentation says %q",
				method, slices.Sorted(maps.Keys(returned)), slices.Sorted(maps.Keys(said)))
		}
	}
}
