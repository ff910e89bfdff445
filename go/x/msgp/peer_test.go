//go:build peer_msgp

package msgp_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	peer "github.com/tinylib/msgp/msgp"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/guide"
	"github.com/polypack/polypack/go/x/msgp"
)

var (
	_ msgp.Marshaler   = peer.Marshaler(nil)
	_ msgp.Unmarshaler = peer.Unmarshaler(nil)
)

// A user has the methods that msgp generates for it.
type user struct {
	Name string   `msg:"name"`
	Age  int      `msg:"age"`
	Tags []string `msg:"tags"`
}

func (z *user) MarshalMsg(b []byte) ([]byte, error) {
	o := peer.AppendMapHeader(b, 3)
	o = peer.AppendString(peer.AppendString(o, "name"), z.Name)
	o = peer.AppendInt(peer.AppendString(o, "age"), z.Age)
	o = peer.AppendArrayHeader(peer.AppendString(o, "tags"), uint32(len(z.Tags)))
	for _, tag := range z.Tags {
		o = peer.AppendString(o, tag)
	}
	return o, nil
}

func (z *user) UnmarshalMsg(bts []byte) (o []byte, err error) {
	var n, count uint32
	if n, bts, err = peer.ReadMapHeaderBytes(bts); err != nil {
		return bts, peer.WrapError(err)
	}
	for ; n > 0; n-- {
		var field []byte
		if field, bts, err = peer.ReadMapKeyZC(bts); err != nil {
			return bts, peer.WrapError(err)
		}
		switch string(field) {
		case "name":
			z.Name, bts, err = peer.ReadStringBytes(bts)
		case "age":
			z.Age, bts, err = peer.ReadIntBytes(bts)
		case "tags":
			if count, bts, err = peer.ReadArrayHeaderBytes(bts); err == nil {
				z.Tags = make([]string, count)
				for i := range z.Tags {
					if z.Tags[i], bts, err = peer.ReadStringBytes(bts); err != nil {
						break
					}
				}
			}
		default:
			bts, err = peer.Skip(bts)
		}
		if err != nil {
			return bts, peer.WrapError(err, string(field))
		}
	}
	return bts, nil
}

// plain is user without methods, for Polypack alone.
type plain struct {
	Name string   `msgpack:"name"`
	Age  int      `msgpack:"age"`
	Tags []string `msgpack:"tags"`
}

// TestFleet lets generated code of msgp and Polypack, with the adapter and without methods, share one store.
func TestFleet(t *testing.T) {
	users := []user{{}, {"Ada", 36, []string{"a", "b"}}, {strings.Repeat("x", 300), -1 << 40, make([]string, 20)}}
	for i, u := range users {
		theirs, err := u.MarshalMsg(nil)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := polypack.Marshal(map[string]*user{"u": &u}, msgp.Methods())
		if err != nil || string(ours) != "\x81\xa1u"+string(theirs) {
			t.Errorf("%d: %q, %v", i, ours, err)
		}
		var p plain
		if err := polypack.Unmarshal(theirs, &p, polypack.TagKeys("msg", "msgpack")); err != nil || p.Name != u.Name || len(p.Tags) != len(u.Tags) {
			t.Errorf("%d: %+v, %v", i, p, err)
		}
		data, err := polypack.Marshal(p, polypack.NilAsEmpty(true))
		if err != nil {
			t.Fatal(err)
		}
		var back user
		if rest, err := back.UnmarshalMsg(data); err != nil || len(rest) > 0 || back.Name != u.Name || back.Age != u.Age || len(back.Tags) != len(u.Tags) {
			t.Errorf("%d: %+v, %v", i, back, err)
		}
		var through map[string]*user
		if err := polypack.Unmarshal(ours, &through, msgp.Methods()); err != nil || through["u"].Age != u.Age {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// cases execute the rows of "What changes".
var cases = map[string]func(t *testing.T){
	"`MarshalMsg`, `UnmarshalMsg`": func(t *testing.T) {
		if _, err := polypack.Marshal(code{1}, msgp.Methods()); err != nil {
			t.Error(err)
		}
	},
	"tags `msg:\"name\"`": func(t *testing.T) {
		data, err := polypack.Marshal(struct {
			A int `msg:"a"`
		}{1}, polypack.TagKeys("msg"))
		if err != nil || string(data) != "\x81\xa1a\x01" {
			t.Errorf("%q, %v", data, err)
		}
	},
	"embedded struct": func(t *testing.T) {
		// What the generator of msgp writes for it.
		theirs := peer.AppendInt(peer.AppendString(peer.AppendMapHeader(peer.AppendString(peer.AppendMapHeader(nil, 1), "Base"), 1), "N"), 5)
		type Base struct{ N int }
		nested, _ := polypack.Marshal(struct {
			Base `msgpack:",noinline"`
		}{Base{5}})
		inlined, _ := polypack.Marshal(struct{ Base }{Base{5}})
		if string(nested) != string(theirs) || string(inlined) != "\x81\xa1N\x05" {
			t.Errorf("%q %q %q", theirs, nested, inlined)
		}
	},
	"nil slice or map": func(t *testing.T) {
		theirs := peer.AppendArrayHeader(nil, 0)
		ours, _ := polypack.Marshal([]int(nil))
		empty, _ := polypack.Marshal([]int(nil), polypack.NilAsEmpty(true))
		if string(theirs) != "\x90" || string(ours) != "\xc0" || string(empty) != "\x90" {
			t.Errorf("%x %x %x", theirs, ours, empty)
		}
	},
	"`time.Time`": func(t *testing.T) {
		old := peer.AppendTime(nil, time.Unix(1e9, 0))
		if !slices.Equal(old[:3], []byte{0xc7, 12, 5}) {
			t.Errorf("%x", old)
		}
		if err := polypack.Unmarshal(old, new(time.Time)); err == nil {
			t.Error("the old form was read")
		}
		var x polypack.Ext
		if err := polypack.Unmarshal(old, &x); err != nil || x.Type != 5 {
			t.Error(x, err)
		}
	},
	"`complex64`, `complex128`": func(t *testing.T) {
		data := peer.AppendComplex64(nil, complex(1, 2))
		var x polypack.Ext
		if err := polypack.Unmarshal(data, &x); err != nil || x.Type != 3 {
			t.Error(x, err)
		}
		if _, err := polypack.Marshal(complex64(1)); err == nil {
			t.Error("written without an extension")
		}
	},
	"int into a float": func(t *testing.T) {
		if _, _, err := peer.ReadFloat64Bytes([]byte{5}); err == nil {
			t.Error("theirs reads it")
		}
		var f float64
		if err := polypack.Unmarshal([]byte{5}, &f); err != nil || f != 5 {
			t.Error(f, err)
		}
	},
	"nil into a value": func(t *testing.T) {
		if _, _, err := peer.ReadIntBytes([]byte{0xc0}); err == nil {
			t.Error("theirs reads it")
		}
		n := 5
		if err := polypack.Unmarshal([]byte{0xc0}, &n); err != nil || n != 0 {
			t.Error(n, err)
		}
	},
	"bytes after the value": func(t *testing.T) {
		if rest, err := new(code).UnmarshalMsg([]byte{1, 2}); err != nil || len(rest) != 1 {
			t.Error(rest, err)
		}
		if err := polypack.Unmarshal([]byte{1, 2}, new(code), msgp.Methods()); err == nil {
			t.Error("ours reads it")
		}
	},
}

// TestGuide executes each row of the guide's tables, and fails for a row that has no case.
func TestGuide(t *testing.T) {
	guide.Check(t, "../../../docs", "migrating-from-msgp.md", "Names", names)
	guide.Check(t, "../../../docs", "migrating-from-msgp.md", "What changes", cases)
}
