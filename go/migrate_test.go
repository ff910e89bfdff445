package polypack_test

import (
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
