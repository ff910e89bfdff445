//go:build peer_msgp

package msgp_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	peer "github.com/tinylib/msgp/msgp"

	polypack "github.com/polypack/polypack/go"
	"github.com/polypack/polypack/go/internal/gentest"
)

// An angle is an ext of type 9 in both libraries.
type angle struct{ degrees byte }

func (*angle) ExtensionType() int8 { return 9 }

func (*angle) Len() int { return 1 }

func (a *angle) MarshalBinaryTo(data []byte) error {
	data[0] = a.degrees
	return nil
}

func (a *angle) UnmarshalBinary(data []byte) error {
	a.degrees = data[0]
	return nil
}

// A shim writes itself as the text of something else.
type shim struct{ text string }

func (s shim) MarshalMsgpackTo(e *polypack.Encoder) error { return e.EncodeString(s.text) }

func (s *shim) UnmarshalMsgpackFrom(d *polypack.Decoder) (err error) {
	s.text, err = d.DecodeString()
	return err
}

func ofAngle() polypack.Option {
	return polypack.Extensions(polypack.NewExtension(9,
		func(dst []byte, a angle) ([]byte, error) { return append(dst, a.degrees), nil },
		func(data []byte) (angle, error) { return angle{data[0]}, nil }))
}

// names execute the rows of "Names": what is named does the same with both.
var names = map[string]func(t *testing.T){
	"`//go:generate msgp`": func(t *testing.T) {
		readme, err := os.ReadFile("../../README.md")
		if err != nil || !strings.Contains(string(readme), "polypack-gen -type=") {
			t.Error(err)
		}
	},
	"`v.MarshalMsg(dst)`, `v.UnmarshalMsg(data)`": func(t *testing.T) {
		u := user{"Ada", 36, []string{"a"}}
		theirs, err := u.MarshalMsg([]byte{7})
		wantNil(t, err)
		ours, err := polypack.Append([]byte{7}, &plain{"Ada", 36, []string{"a"}})
		wantNil(t, err)
		if !bytes.Equal(theirs, ours) {
			t.Errorf("%x and %x", theirs, ours)
		}
		var back plain
		wantNil(t, polypack.Unmarshal(theirs[1:], &back))
		if back.Name != "Ada" || back.Tags[0] != "a" {
			t.Error(back)
		}
		small := gentest.Small{}
		generated, err := small.AppendPolypack([]byte{7})
		wantNil(t, err)
		wantNil(t, small.UnmarshalPolypack(generated[1:]))
	},
	"`v.EncodeMsg(w)`, `v.DecodeMsg(r)`": func(t *testing.T) {
		var theirs, ours bytes.Buffer
		w := peer.NewWriter(&theirs)
		wantNil(t, w.WriteString("a"))
		wantNil(t, w.Flush())
		wantNil(t, polypack.NewStreamEncoder(&ours).Encode("a"))
		if !bytes.Equal(theirs.Bytes(), ours.Bytes()) {
			t.Errorf("%x and %x", theirs.Bytes(), ours.Bytes())
		}
		var back string
		if err := polypack.NewStreamDecoder(&theirs).Decode(&back); err != nil || back != "a" {
			t.Error(back, err)
		}
	},
	"`msgp.NextType(data)`, `r.NextType()`": func(t *testing.T) {
		next, err := peer.NewReader(bytes.NewReader([]byte{0xc0})).NextType()
		if err != nil || next != peer.NilType || peer.NextType([]byte{0xc0}) != peer.NilType {
			t.Error(next, err)
		}
		one, err1 := polypack.NewDecoder([]byte{0xc0}).Peek()
		other, err2 := polypack.NewStreamDecoder(bytes.NewReader([]byte{0xc0})).Peek()
		if err1 != nil || err2 != nil || one != polypack.KindNil || other != polypack.KindNil {
			t.Error(one, other, err1, err2)
		}
	},
	"`msgp.Skip(data)`, `r.Skip()`": func(t *testing.T) {
		in := []byte("\x92\x01\x02\x05")
		rest, err := peer.Skip(in)
		if err != nil || !bytes.Equal(rest, []byte{5}) {
			t.Error(rest, err)
		}
		wantNil(t, peer.NewReader(bytes.NewReader(in)).Skip())
		one, other := polypack.NewDecoder(in), polypack.NewStreamDecoder(bytes.NewReader(in))
		wantNil(t, one.Skip())
		wantNil(t, other.Skip())
		var n, m int
		wantNil(t, one.Decode(&n))
		wantNil(t, other.Decode(&m))
		if n != 5 || m != 5 {
			t.Error(n, m)
		}
	},
	"`msgp.Raw`": func(t *testing.T) {
		var theirs peer.Raw
		rest, err := theirs.UnmarshalMsg([]byte("\x92\x01\x02"))
		wantNil(t, err)
		var ours polypack.RawMessage
		wantNil(t, polypack.Unmarshal([]byte("\x92\x01\x02"), &ours))
		if !bytes.Equal(theirs, ours) || len(rest) > 0 {
			t.Errorf("%x and %x", theirs, ours)
		}
	},
	"`msgp.Locate(key, data)`": func(t *testing.T) {
		in := []byte("\x82\xa1a\x01\xa3key\x92\x01\x02")
		ours, err := polypack.Get(in, "/key")
		if theirs := peer.Locate("key", in); err != nil || !bytes.Equal(theirs, ours) || len(ours) != 3 {
			t.Errorf("%x and %x, %v", theirs, ours, err)
		}
	},
	"`msgp.RegisterExtension`": func(t *testing.T) {
		theirs, err := peer.AppendExtension(nil, &angle{90})
		wantNil(t, err)
		ours, err := polypack.Marshal(angle{90}, ofAngle())
		wantNil(t, err)
		var back angle
		wantNil(t, polypack.Unmarshal(theirs, &back, ofAngle()))
		if !bytes.Equal(theirs, ours) || back.degrees != 90 {
			t.Errorf("%x and %x, %v", theirs, ours, back)
		}
	},
	"`//msgp:tuple T`": func(t *testing.T) {
		theirs := peer.AppendString(peer.AppendInt(peer.AppendArrayHeader(nil, 2), 1), "b")
		ours, err := polypack.Marshal(struct {
			_ struct{} `msgpack:",as_array"`
			A int
			B string
		}{A: 1, B: "b"})
		if err != nil || !bytes.Equal(theirs, ours) {
			t.Errorf("%x and %x, %v", theirs, ours, err)
		}
	},
	"`//msgp:shim`": func(t *testing.T) {
		data, err := polypack.Marshal([]any{shim{"a"}, angle{90}}, ofAngle())
		if err != nil || string(data) != "\x92\xa1a\xd4\x09\x5a" {
			t.Errorf("%x, %v", data, err)
		}
		var back shim
		if err := polypack.Unmarshal([]byte("\xa1a"), &back); err != nil || back.text != "a" {
			t.Error(back, err)
		}
	},
}

func wantNil(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
