package polypack_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

// A type for each interface and for each kind of receiver. Their content is not exported, so that nothing but a method
// shows it.
type (
	textValue   struct{ n int }       // Text, writing on the value
	textPointer struct{ n int }       // Text, all on the pointer
	textAppend  struct{ n int }       // TextAppender besides a TextMarshaler that must not be called
	binaryValue struct{ n byte }      // Binary, writing on the value
	binaryLong  struct{ b [400]byte } // BinaryAppender whose head does not fit the bytes left for it
	bothForms   struct{ n int }       // Text and Binary
	toFrom      struct{ n int64 }     // MarshalerTo, UnmarshalerFrom
	appendRaw   struct{ n int64 }     // Appender, Unmarshaler
	marshalRaw  struct{ n int64 }     // Marshaler, Unmarshaler
	everything  struct{ toFrom }      // the best of all
	colour      int                   // an enum
	uuid        [16]byte
	tags        map[string]bool // methods on a map
	list        []int           // methods on a slice
)

func number(text []byte) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(string(text), "n"))
	if err != nil {
		return 0, fmt.Errorf("no number: %w", err)
	}
	return n, nil
}

func (v textValue) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "n%d", v.n), nil }
func (v *textValue) UnmarshalText(text []byte) (err error) {
	v.n, err = number(text)
	return err
}

func (v *textPointer) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "n%d", v.n), nil }
func (v *textPointer) UnmarshalText(text []byte) (err error) {
	v.n, err = number(text)
	return err
}

func (v textAppend) MarshalText() ([]byte, error) { panic("AppendText comes first") }
func (v textAppend) AppendText(dst []byte) ([]byte, error) {
	return fmt.Appendf(dst, "n%040d", v.n), nil
}
func (v *textAppend) UnmarshalText(text []byte) (err error) { v.n, err = number(text); return err }

func (v binaryValue) MarshalBinary() ([]byte, error) { return []byte{v.n, v.n}, nil }
func (v *binaryValue) UnmarshalBinary(data []byte) error {
	if len(data) != 2 || data[0] != data[1] {
		return errors.New("two equal bytes are wanted")
	}
	v.n = data[0]
	return nil
}

func (v *binaryLong) AppendBinary(dst []byte) ([]byte, error) { return append(dst, v.b[:]...), nil }
func (v *binaryLong) UnmarshalBinary(data []byte) error {
	copy(v.b[:], data)
	return nil
}

func (v bothForms) MarshalBinary() ([]byte, error)         { return []byte{byte(v.n)}, nil }
func (v *bothForms) UnmarshalBinary(data []byte) error     { v.n = int(data[0]); return nil }
func (v bothForms) MarshalText() ([]byte, error)           { return fmt.Appendf(nil, "n%d", v.n), nil }
func (v *bothForms) UnmarshalText(text []byte) (err error) { v.n, err = number(text); return err }

func (v *toFrom) MarshalMsgpackTo(e *polypack.Encoder) error {
	if err := e.EncodeArrayHeader(2); err != nil {
		return err
	}
	if err := e.EncodeInt(v.n); err != nil {
		return err
	}
	return e.Encode(map[string]int64{"n": v.n})
}
func (v *toFrom) UnmarshalMsgpackFrom(d *polypack.Decoder) (err error) {
	if d.DecodeNil() == nil {
		v.n = -1
		return nil
	}
	if _, err = d.DecodeArrayHeader(); err != nil {
		return err
	}
	if v.n, err = d.DecodeInt(); err != nil {
		return err
	}
	var m map[string]int64
	if err = d.Decode(&m); err == nil && m["n"] != v.n {
		err = fmt.Errorf("%d and %v differ", v.n, m)
	}
	return err
}

func (v appendRaw) AppendMsgpack(dst []byte) ([]byte, error) { return polypack.Append(dst, v.n) }
func (v *appendRaw) UnmarshalMsgpack(data []byte) error      { return polypack.Unmarshal(data, &v.n) }

func (v marshalRaw) MarshalMsgpack() ([]byte, error) { return polypack.Marshal([]int64{v.n}) }
func (v *marshalRaw) UnmarshalMsgpack(data []byte) error {
	var s []int64
	if err := polypack.Unmarshal(data, &s); err != nil {
		return err
	}
	if len(s) == 1 {
		v.n = s[0]
	}
	return nil
}

func (v *everything) MarshalMsgpackTo(e *polypack.Encoder) error { return v.toFrom.MarshalMsgpackTo(e) }
func (v everything) MarshalMsgpack() ([]byte, error)             { panic("MarshalMsgpackTo comes first") }
func (v everything) MarshalBinary() ([]byte, error)              { panic("MarshalMsgpackTo comes first") }
func (v everything) MarshalText() ([]byte, error)                { panic("MarshalMsgpackTo comes first") }

func (c colour) MarshalText() ([]byte, error) {
	if c != 1 && c != 2 {
		return nil, errors.New("no colour")
	}
	return []byte([]string{"", "red", "green"}[c]), nil
}
func (c *colour) UnmarshalText(text []byte) error {
	switch string(text) {
	case "red":
		*c = 1
	case "green":
		*c = 2
	default:
		return errNoColour
	}
	return nil
}

var errNoColour = errors.New("no colour")

func (u uuid) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(u[:])), nil }
func (u *uuid) UnmarshalText(text []byte) error {
	_, err := hex.Decode(u[:], text)
	return err
}

func (s tags) MarshalText() ([]byte, error) {
	var b []byte
	for tag := range s {
		b = append(b, tag...)
	}
	return b, nil
}
func (s *tags) UnmarshalText(text []byte) error {
	*s = tags{string(text): true}
	return nil
}

func (l list) MarshalBinary() ([]byte, error) { return []byte{byte(len(l))}, nil }
func (l *list) UnmarshalBinary(data []byte) error {
	*l = make(list, data[0])
	return nil
}

// TestMethods encodes values of types with methods, alone and wherever a value may stand, and decodes them again.
func TestMethods(t *testing.T) {
	for _, row := range []struct {
		value any
		want  string
	}{
		{textValue{5}, "a26e35"},
		{textPointer{5}, "a26e35"},
		{textAppend{5}, "d9296e" + strings.Repeat("30", 39) + "35"},
		{binaryValue{7}, "c4020707"},
		{binaryLong{[400]byte{9}}, "c5019009" + strings.Repeat("00", 399)},
		{bothForms{3}, "c40103"},
		{toFrom{4}, "920481a16e04"},
		{appendRaw{300}, "cd012c"},
		{marshalRaw{300}, "91cd012c"},
		{everything{toFrom{4}}, "920481a16e04"},
		{colour(2), "a5677265656e"},
		{uuid{0: 0xab}, "d920" + hex.EncodeToString([]byte("ab000000000000000000000000000000"))},
		{tags{"x": true}, "a178"},
		{list{0, 0}, "c40102"},
	} {
		t.Run(reflect.TypeOf(row.value).String(), func(t *testing.T) {
			if got := hex.EncodeToString(mustMarshal(t, row.value)); got != row.want {
				t.Fatalf("got  %s\nwant %s", got, row.want)
			}
			everywhere(t, reflect.ValueOf(row.value), unhex(t, row.want))
		})
	}
}

// everywhere round-trips v, whose encoding is given, in pointers, slices, arrays, maps and structs.
func everywhere(t *testing.T, v reflect.Value, encoded []byte) {
	t.Helper()
	typ := v.Type()
	p := reflect.New(typ)
	p.Elem().Set(v)
	slice := reflect.MakeSlice(reflect.SliceOf(typ), 0, 1)
	slice = reflect.Append(slice, v)
	array := reflect.New(reflect.ArrayOf(1, typ)).Elem()
	array.Index(0).Set(v)
	m := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), typ))
	m.SetMapIndex(reflect.ValueOf("k"), v)
	holder := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "K", Type: typ, Tag: `msgpack:"k"`}})).Elem()
	holder.Field(0).Set(v)
	pp := reflect.New(p.Type())
	pp.Elem().Set(p)
	for _, row := range []struct {
		value  reflect.Value
		prefix string
	}{{v, ""}, {p, ""}, {pp, ""}, {slice, "91"}, {array, "91"}, {m, "81a16b"}, {holder, "81a16b"}} {
		want := append(unhex(t, row.prefix), encoded...)
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Lossless}, {polypack.Records(polypack.RecordsInline)}} {
			data, err := polypack.Marshal(row.value.Interface(), opts...)
			if err != nil {
				t.Errorf("%s %v: %v", row.value.Type(), opts, err)
				continue
			}
			if len(opts) == 0 && !bytes.Equal(data, want) {
				t.Errorf("%s: got %x, want %x", row.value.Type(), data, want)
			}
			back := reflect.New(row.value.Type())
			if err := polypack.Unmarshal(data, back.Interface(), opts...); err != nil || !reflect.DeepEqual(back.Elem().Interface(), row.value.Interface()) {
				t.Errorf("%s %v: %x is %v, %v", row.value.Type(), opts, data, back.Elem(), err)
			}
		}
		// As an any: inside of which nothing has an address.
		data, err := polypack.Marshal([]any{row.value.Interface(), map[string]any{"a": row.value.Interface()}})
		if want := bytes.Join([][]byte{{0x92}, want, unhex(t, "81a161"), want}, nil); err != nil || !bytes.Equal(data, want) {
			t.Errorf("%s in any: got %x, want %x, %v", row.value.Type(), data, want, err)
		}
	}
}

func TestMethodsOfTheStandardLibrary(t *testing.T) {
	link, _ := url.Parse("https://polypack.example/a?b=c")
	rational := big.NewRat(1, 3)
	for _, v := range []any{
		netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1%eth0"), netip.Addr{},
		netip.MustParsePrefix("192.0.2.0/24"), netip.MustParseAddrPort("192.0.2.1:80"),
		*big.NewInt(-5), *new(big.Int).Lsh(big.NewInt(1), 200), *rational, *link,
		net.IP{192, 0, 2, 1}.To16(), time.Hour, time.Saturday,
	} {
		data := mustMarshal(t, v)
		everywhere(t, reflect.ValueOf(v), data)
	}
	got := hex.EncodeToString(mustMarshal(t, big.NewInt(-5)))
	if got != "a22d35" {
		t.Errorf("big.Int: %s", got)
	}
}

func TestMethodsOfMapKeys(t *testing.T) {
	for _, row := range []struct {
		value any
		want  string
	}{
		{map[textValue]int{{2}: 2, {10}: 10}, "82a26e3202a36e31300a"},
		{map[textPointer]int{{2}: 2}, "81a26e3202"},
		{map[bothForms]int{{2}: 2}, "81a26e3202"},
		{map[colour]string{1: "r", 2: "g"}, "82a3726564a172a5677265656ea167"},
		{map[uuid]int{{}: 1}, "81d920" + strings.Repeat("30", 32) + "01"},
		{map[netip.Addr]int{netip.MustParseAddr("192.0.2.1"): 1}, "81a93139322e302e322e3101"},
		{map[textName]int{"a": 1}, "81a2612101"},
		{map[*textValue]int{}, "80"},
		{map[[2]int]string{{1, 2}: "x"}, "81920102a178"},
		{map[plainKey]int{{1, 2}: 3}, "8182a15801a1590203"},
		{map[binaryKey]int{{1}: 3}, "81c4010103"},
		{map[bool]int{true: 1}, "81c301"},
		{map[rawKey]int{{5}: 3}, "81a13503"},
	} {
		for _, opts := range [][]polypack.Option{nil, {polypack.Strict}, {polypack.Lossless}, {polypack.SortMaps(true)}} {
			data := mustMarshal(t, row.value, opts...)
			if got := hex.EncodeToString(data); got != row.want {
				t.Errorf("%T: got %s, want %s", row.value, got, row.want)
				continue
			}
			back := reflect.New(reflect.TypeOf(row.value))
			if err := polypack.Unmarshal(data, back.Interface(), opts...); err != nil || !reflect.DeepEqual(back.Elem().Interface(), row.value) {
				t.Errorf("%T %v: %s is %v, %v", row.value, opts, row.want, back.Elem(), err)
			}
		}
	}
	// Keys whose type shows only when they are encoded.
	for _, v := range []any{
		map[any]int{textValue{2}: 2}, map[fmt.Stringer]int{colourStringer(1): 2}, polypack.Object{{Key: textValue{2}, Value: 2}},
		map[*textValue]int{{2}: 2},
	} {
		if got := hex.EncodeToString(mustMarshal(t, v)); got != "81a26e3202" {
			t.Errorf("%T: %s", v, got)
		}
	}
	var pointers map[*textValue]int
	if err := polypack.Unmarshal(unhex(t, "81a26e3202"), &pointers); err != nil || len(pointers) != 1 {
		t.Errorf("%v, %v", pointers, err)
	}
	// Records have str as keys.
	var m map[textValue]int
	if err := polypack.Unmarshal(unhex(t, "d4724091a26e3505"), &m, polypack.Records(polypack.RecordsInline)); err != nil || m[textValue{5}] != 5 {
		t.Errorf("%v, %v", m, err)
	}
	_, err := polypack.Marshal(map[marshalRawKey]int{{2}: 1})
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "")
	wantFault(t, polypack.Unmarshal(unhex(t, "8102c0"), &m), polypack.CodeInvalidKey, 1, "")
	wantFault(t, polypack.Unmarshal(unhex(t, "82a26e3502a178c0"), &m), polypack.CodeTypeMismatch, 5, "")
	wantFault(t, polypack.Unmarshal(unhex(t, "82a26e3502a26e3503"), &m, polypack.Strict), polypack.CodeDuplicateKey, 5, "/n5")
	wantFault(t, polypack.Unmarshal(unhex(t, "82a26e3502a36e303503"), &m, polypack.Strict), polypack.CodeDuplicateKey, 5, "/n05")
}

type (
	textName       string
	colourStringer int
	plainKey       struct{ X, Y int }
	binaryKey      [1]byte
	rawKey         struct{ n int }
	marshalRawKey  struct{ n int }
)

func (n textName) MarshalText() ([]byte, error) { return []byte(n + "!"), nil }
func (n *textName) UnmarshalText(text []byte) error {
	*n = textName(strings.TrimSuffix(string(text), "!"))
	return nil
}
func (colourStringer) String() string               { return "" }
func (colourStringer) MarshalText() ([]byte, error) { return []byte("n2"), nil }
func (binaryKey) MarshalBinary() ([]byte, error)    { panic("the key is its kind") }
func (*binaryKey) UnmarshalBinary([]byte) error     { panic("the key is its kind") }
func (k rawKey) MarshalMsgpack() ([]byte, error)    { return polypack.Marshal(strconv.Itoa(k.n)) }
func (k *rawKey) UnmarshalMsgpack(data []byte) (err error) {
	var text string
	if err = polypack.Unmarshal(data, &text); err == nil {
		k.n, err = strconv.Atoi(text)
	}
	return err
}
func (k marshalRawKey) MarshalMsgpack() ([]byte, error) { return polypack.Marshal(k.n) }

// TestNilAndMethods tells what nil is for types with methods.
func TestNilAndMethods(t *testing.T) {
	for _, v := range []any{(*textValue)(nil), (*textPointer)(nil), (*toFrom)(nil), (*appendRaw)(nil), (*big.Int)(nil), (*binaryLong)(nil), (**uuid)(nil)} {
		if got := mustMarshal(t, v); !bytes.Equal(got, []byte{0xc0}) {
			t.Errorf("%T: %x", v, got)
		}
	}
	for _, in := range []string{"c0", "d40000"} {
		text, binary, both := textValue{5}, binaryValue{5}, bothForms{5}
		for _, v := range []any{&text, &binary, &both} {
			if err := polypack.Unmarshal(unhex(t, in), v); err != nil || !reflect.ValueOf(v).Elem().IsZero() {
				t.Errorf("%T: %v, %v", v, v, err)
			}
		}
		pointer := &text
		if err := polypack.Unmarshal(unhex(t, in), &pointer); err != nil || pointer != nil {
			t.Errorf("%v, %v", pointer, err)
		}
		own := &toFrom{5}
		if err := polypack.Unmarshal(unhex(t, in), &own); err != nil || own != nil {
			t.Errorf("%v, %v", own, err)
		}
	}
	own := toFrom{5}
	if err := polypack.Unmarshal([]byte{0xc0}, &own); err != nil || own.n != -1 {
		t.Errorf("UnmarshalMsgpackFrom is not called for nil: %v, %v", own, err)
	}
	raw := appendRaw{5}
	if err := polypack.Unmarshal([]byte{0xc0}, &raw); err != nil || raw.n != 0 {
		t.Errorf("UnmarshalMsgpack is not called for nil: %v, %v", raw, err)
	}
}

func TestFormsOfMethods(t *testing.T) {
	for _, row := range []struct {
		in     string
		target any
		ok     [3]bool // default, strict, lossless
	}{
		{"c40103", new(bothForms), [3]bool{true, true, true}},
		{"a26e33", new(bothForms), [3]bool{true, true, true}},
		{"a26e33", new(textValue), [3]bool{true, true, true}},
		{"c4026e33", new(textValue), [3]bool{true, false, false}},
		{"c4020303", new(binaryValue), [3]bool{true, true, true}},
		{"a20303", new(binaryValue), [3]bool{true, false, false}},
		{"03", new(textValue), [3]bool{}},
		{"93010203", new(binaryValue), [3]bool{}},
		{"80", new(bothForms), [3]bool{}},
	} {
		for mode, ok := range row.ok {
			err := polypack.Unmarshal(unhex(t, row.in), row.target, polypack.Mode(mode))
			if ok != (err == nil) {
				t.Errorf("%s into %T in mode %d: %v", row.in, row.target, mode, err)
			}
			if !ok {
				wantFault(t, err, polypack.CodeTypeMismatch, 0, "")
			}
		}
	}
}
