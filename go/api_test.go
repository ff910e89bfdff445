package polypack_test

import (
	"reflect"
	"strings"
	"testing"

	polypack "github.com/polypack/polypack/go"
)

// What the library tells generated code is no business of those who read go doc.
func TestPublicTypesHaveNoMethodsForGeneratedCode(t *testing.T) {
	for _, v := range []any{
		new(polypack.Encoder), new(polypack.Decoder), new(polypack.StreamEncoder), new(polypack.StreamDecoder),
		new(polypack.Codec[int]), new(polypack.StructEncoder[int]), new(polypack.StructDecoder[int]),
	} {
		typ := reflect.TypeOf(v)
		if typ.NumMethod() == 0 {
			t.Errorf("%s has no methods", typ)
		}
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			if text := m.Type.String(); strings.Contains(text, "wire.") || m.Name == "Field" || m.Name == "Index" || m.Name == "Unsorted" {
				t.Errorf("%s has the method %s", typ, m.Name)
			}
		}
	}
}
