package polypack_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// TestMigration asserts what docs/guides/migrating-from-msgpck.md says about bytes that msgpck wrote.
func TestMigration(t *testing.T) {
	emptyMap := unhex(t, "81 a26174 80")
	wantFault(t, polypack.Unmarshal(emptyMap, &struct {
		At time.Time `msgpack:"at"`
	}{}), polypack.CodeTypeMismatch, 4, "/at")
	if err := polypack.Unmarshal(emptyMap, &struct {
		At polypack.RawMessage `msgpack:"at"`
	}{}); err != nil {
		t.Error(err)
	}

	type Base struct{ ID int }
	var nested struct {
		Base `msgpack:"Base"`
	}
	if err := polypack.Unmarshal(unhex(t, "81 a442617365 81 a24944 07"), &nested); err != nil || nested.ID != 7 {
		t.Error(nested, err)
	}

	lost := struct {
		List []Base
		Set  map[string]Base
		At   time.Time
		N    int
	}{}
	if err := polypack.Unmarshal(unhex(t, "84 a44c697374 c0 a3536574 c0 a24174 c0 a14e c0"), &lost); err != nil || lost.List != nil || !lost.At.IsZero() {
		t.Error(lost, err)
	}
}

// msgpckNames are the exported names of msgpck; methods follow their type.
const msgpckNames = `
	Marshal Unmarshal UnmarshalWithConfig
	Config Config.MaxStringLen Config.MaxBinaryLen Config.MaxArrayLen Config.MaxMapLen Config.MaxExtLen Config.MaxDepth
	Config.WithMaxStringLen Config.WithMaxBinaryLen Config.WithMaxArrayLen Config.WithMaxMapLen Config.WithMaxExtLen Config.WithMaxDepth
	DefaultConfig DefaultMaxStringLen DefaultMaxBinaryLen DefaultMaxArrayLen DefaultMaxMapLen DefaultMaxExtLen DefaultMaxDepth
	GetStructEncoder StructEncoder StructEncoder.Encode StructEncoder.EncodeWith
	GetStructDecoder StructDecoder StructDecoder.ZeroCopy StructDecoder.Decode StructDecoder.DecodeWith
	NewEncoder NewEncoderBuffer Encoder Encoder.Reset Encoder.Bytes Encoder.Len Encoder.Encode Encoder.EncodeNil Encoder.EncodeBool Encoder.EncodeInt
	Encoder.EncodeUint Encoder.EncodeFloat32 Encoder.EncodeFloat64 Encoder.EncodeString Encoder.EncodeStringBytes Encoder.EncodeBinary
	Encoder.EncodeArrayHeader Encoder.EncodeMapHeader Encoder.EncodeExt Encoder.EncodeValue Encoder.EncodeTimestamp
	Encoder.EncodeInt64Array Encoder.EncodeUint64Array Encoder.EncodeFloat64Array Encoder.EncodeStringArray
	NewDecoder NewDecoderWithConfig Decoder Decoder.Reset Decoder.Remaining Decoder.Position Decoder.Decode Decoder.DecodeAny Decoder.DecodeStruct
	Decoder.DecodeTimestamp Decoder.DecodeInt64Array Decoder.DecodeUint64Array Decoder.DecodeFloat64Array Decoder.DecodeStringArray
	MarshalTimestamp UnmarshalTimestamp IsTimestamp ExtToTimestamp TimestampExtType
	Ext Ext.Type Ext.Data Value KV Type
	ErrUnexpectedEOF ErrInvalidFormat ErrStringTooLong ErrBinaryTooLong ErrArrayTooLong ErrMapTooLong ErrExtTooLong ErrMaxDepthExceeded
	ErrTypeMismatch ErrNotPointer ErrNotStruct ErrUnsupportedType`

// TestMigrationNames asserts that each of them is exported here, or that the guide says what to use instead.
func TestMigrationNames(t *testing.T) {
	guide, err := os.ReadFile("../docs/guides/migrating-from-msgpck.md")
	if os.IsNotExist(err) {
		t.Skip("no docs beside this module")
	} else if err != nil {
		t.Fatal(err)
	}
	mentioned := map[string]bool{}
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(string(guide), -1) {
		mentioned[word] = true
	}
	exported := exportedNames(t)
	for _, name := range strings.Fields(msgpckNames) {
		if !exported[name] && !mentioned[name[strings.LastIndexByte(name, '.')+1:]] {
			t.Errorf("%s is neither exported nor in the guide", name)
		}
	}
}

// exportedNames returns the exported names of the package, fields and methods behind the name of their type.
func exportedNames(t *testing.T) map[string]bool {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, entry := range files {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				name := decl.Name.Name
				if decl.Recv != nil {
					name = receiver(decl.Recv.List[0].Type) + "." + name
				}
				names[name] = true
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					addSpec(names, spec)
				}
			}
		}
	}
	return names
}

// receiver returns the name of a receiver's type.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func addSpec(names map[string]bool, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			names[name.Name] = true
		}
	case *ast.TypeSpec:
		names[spec.Name.Name] = true
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				for _, name := range field.Names {
					names[spec.Name.Name+"."+name.Name] = true
				}
			}
		}
	}
}
