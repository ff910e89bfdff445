package polypack_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	polypack "github.com/polypack/polypack/go"
)

type (
	point   struct{ x, y uint16 } // registered as a value
	money   struct{ cents int64 } // also a text
	Shape   interface{ Area() int }
	square  struct{ Side int }
	circle  struct{ R int } // its method is on the pointer
	unowned struct{ N int }
)

func (m money) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d¢", m.cents), nil }
func (m *money) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%d¢", &m.cents)
	return err
}
func (s square) Area() int  { return s.Side * s.Side }
func (c *circle) Area() int { return 3 * c.R * c.R }
func appendPoint(dst []byte, p point) ([]byte, error) {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(dst, p.x), p.y), nil
}
func readPoint(data []byte) (point, error) {
	if len(data) != 4 {
		return point{}, errOwn
	}
	return point{binary.BigEndian.Uint16(data), binary.BigEndian.Uint16(data[2:])}, nil
}

var (
	pointExtension = polypack.NewExtension(1, appendPoint, readPoint)
	bigExtension   = polypack.NewExtension(2,
		func(dst []byte, n *big.Int) ([]byte, error) { return n.Append(dst, 16), nil },
		func(data []byte) (*big.Int, error) {
			n, ok := new(big.Int).SetString(string(data), 16)
			if !ok {
				return nil, errOwn
			}
			return n, nil
		})
	shapeExtension = polypack.NewExtension(3,
		func(dst []byte, s Shape) ([]byte, error) {
			switch s := s.(type) {
			case square:
				return append(dst, 's', byte(s.Side)), nil
			case *circle:
				return append(dst, 'c', byte(s.R)), nil
			}
			return nil, errOwn
		},
		func(data []byte) (Shape, error) {
			if len(data) == 2 && data[0] == 's' {
				return square{int(data[1])}, nil
			}
			if len(data) == 2 && data[0] == 'c' {
				return &circle{int(data[1])}, nil
			}
			return nil, errOwn
		})
	moneyExtension = polypack.NewExtension(-5,
		func(dst []byte, m money) ([]byte, error) { return polypack.Append(dst, m.cents) },
		func(data []byte) (m money, err error) { err = polypack.Unmarshal(data, &m.cents); return m, err })
	complexExtension = polypack.NewExtension(100,
		func(dst []byte, c complex128) ([]byte, error) {
			dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(real(c)))
			return binary.BigEndian.AppendUint64(dst, math.Float64bits(imag(c))), nil
		},
		func(data []byte) (complex128, error) {
			if len(data) != 16 {
				return 0, errOwn
			}
			return complex(math.Float64frombits(binary.BigEndian.Uint64(data)), math.Float64frombits(binary.BigEndian.Uint64(data[8:]))), nil
		})
	testExtensions = polypack.Extensions(pointExtension, bigExtension, shapeExtension, moneyExtension, complexExtension)
)

func TestExtensions(t *testing.T) {
	for _, row := range []struct {
		value any
		want  string
		inAny any // what an any gets; nil: the value
	}{
		{point{1, 2}, "d60100010002", nil},
		{&point{1, 2}, "d60100010002", point{1, 2}},
		{*big.NewInt(255), "d5026666", big.NewInt(255)},
		{big.NewInt(255), "d5026666", nil},
		{new(big.Int).Lsh(big.NewInt(1), 80), "c71502" + "31" + strings.Repeat("30", 20), nil},
		{square{3}, "d5037303", nil},
		{circle{3}, "d5036303", &circle{3}},
		{&circle{3}, "d5036303", nil},
		{money{7}, "d4fb07", nil},
		{money{300}, "c703fbcd012c", nil},
		{complex(1, -1), "d8643ff0000000000000bff0000000000000", nil},
		{[]point{{1, 2}, {3, 4}}, "92d60100010002d60100030004", []any{point{1, 2}, point{3, 4}}},
		{map[string]point{"k": {1, 2}}, "81a16bd60100010002", map[string]any{"k": point{1, 2}}},
		{struct{ K *point }{&point{1, 2}}, "81a14bd60100010002", map[string]any{"K": point{1, 2}}},
		{[]Shape{square{3}, &circle{4}, nil}, "93d5037303d5036304c0", []any{square{3}, &circle{4}, nil}},
		{[]any{point{1, 2}}, "91d60100010002", []any{point{1, 2}}},
		// Keys are never ext.
		{map[money]int{{5}: 1}, "81a335c2a201", map[string]any{"5¢": int64(1)}},
		// An embedded registered struct is a field.
		{struct {
			Point
			N int
		}{Point{1}, 5}, "82a5506f696e74c70006a14e05", map[string]any{"Point": Point{}, "N": int64(5)}},
	} {
		name := fmt.Sprintf("%T", row.value)
		opts := []polypack.Option{testExtensions, polypack.Extensions(polypack.NewExtension(6,
			func(dst []byte, p Point) ([]byte, error) { return dst, nil }, func(data []byte) (Point, error) { return Point{}, nil }))}
		data, err := polypack.Marshal(row.value, opts...)
		if got := hex.EncodeToString(data); got != row.want || err != nil {
			t.Errorf("%s: got %s, want %s, %v", name, got, row.want, err)
			continue
		}
		if !strings.Contains(name, "Point") {
			back := reflect.New(reflect.TypeOf(row.value))
			if err := polypack.Unmarshal(data, back.Interface(), opts...); err != nil || !reflect.DeepEqual(back.Elem().Interface(), row.value) {
				t.Errorf("%s: %v, %v", name, back.Elem(), err)
			}
		}
		if row.inAny == nil {
			row.inAny = row.value
		}
		var v any
		if err := polypack.Unmarshal(data, &v, opts...); err != nil || !reflect.DeepEqual(v, row.inAny) {
			t.Errorf("%s: an any is %#v, want %#v, %v", name, v, row.inAny, err)
		}
		v = nil // or the next call would decode into the pointer that the extension has made
		if err := polypack.Unmarshal(data, &v); err != nil {
			t.Errorf("%s without extensions: %v", name, err)
		}
		if err := polypack.NewDecoder(data, opts...).Skip(); err != nil {
			t.Errorf("%s: Skip: %v", name, err)
		}
	}
}

type Point struct{ N int }

// TestExtensionReadsBrokenData asserts that an extension that fails to decode is CodeUnsupportedValue at the ext, also
// if its error is one of this package, about the data of the ext.
func TestExtensionReadsBrokenData(t *testing.T) {
	type held struct{ N int }
	for name, wrap := range map[string]func(error) error{
		"as it is": func(err error) error { return err },
		"wrapped":  func(err error) error { return fmt.Errorf("mine: %w", err) },
		"joined":   func(err error) error { return errors.Join(errOwn, err) },
	} {
		extensions := polypack.Extensions(polypack.NewExtension(5, encodeNothing[held], func(data []byte) (held, error) {
			return held{}, wrap(polypack.Unmarshal(data, new(map[string]int)))
		}))
		for _, mode := range []polypack.Option{polypack.Default, polypack.Strict, polypack.Lossless} {
			for engine, opts := range engines {
				opts = append(slices.Clone(opts), extensions, mode)
				for _, inner := range []struct {
					data string
					code polypack.Code
				}{
					{"d405 c1", polypack.CodeReservedByte},
					{"d505 81a1", polypack.CodeUnexpectedEnd},
					{"d605 81a162c1", polypack.CodeReservedByte},
					{"d505 05c0", polypack.CodeTypeMismatch},
				} {
					for _, target := range []any{new(map[string]held), new(map[string]*held), new(struct {
						A held `msgpack:"a"`
					}), new(map[string]any), new(any), new(polypack.Object)} {
						err := polypack.Unmarshal(unhex(t, "81 a161"+inner.data), target, opts...)
						wantFault(t, err, polypack.CodeUnsupportedValue, 3, "/a")
						var cause *polypack.Error
						if e, ok := err.(*polypack.Error); !ok || !errors.As(e.Err, &cause) || cause.Code != inner.code {
							t.Errorf("%s, %s into %T: the cause of %v is not %s", name, engine, target, err, inner.code)
						}
					}
				}
			}
		}
	}
}

func TestExtensionFaults(t *testing.T) {
	var p point
	wantFault(t, polypack.Unmarshal(unhex(t, "c7030101 02 03"), &p, testExtensions), polypack.CodeUnsupportedValue, 0, "")
	var ps []point
	err := polypack.Unmarshal(unhex(t, "92 d60100010002 c70301010203"), &ps, testExtensions)
	wantFault(t, err, polypack.CodeUnsupportedValue, 7, "/1")
	if !errors.Is(err, errOwn) {
		t.Error("the cause is lost")
	}
	var v any
	wantFault(t, polypack.Unmarshal(unhex(t, "92 d60100010002 c70301010203"), &v, testExtensions), polypack.CodeUnsupportedValue, 7, "/1")
	for _, in := range []string{"05", "d60200010002", "d40201", "80", "a161"} {
		wantFault(t, polypack.Unmarshal(unhex(t, in), &p, testExtensions), polypack.CodeTypeMismatch, 0, "")
	}
	wantFault(t, polypack.Unmarshal(unhex(t, "d60100"), &p, testExtensions), polypack.CodeUnexpectedEnd, 0, "")
	for _, in := range []string{"c0", "d40000"} {
		p = point{1, 1}
		pointer := &p
		if err := polypack.Unmarshal(unhex(t, in), &p, testExtensions); err != nil || p != (point{}) {
			t.Errorf("%s: %v, %v", in, p, err)
		}
		if err := polypack.Unmarshal(unhex(t, in), &pointer, testExtensions); err != nil || pointer != nil {
			t.Errorf("%s: %v, %v", in, pointer, err)
		}
	}
	var s square
	wantFault(t, polypack.Unmarshal(unhex(t, "d5036303"), &s, testExtensions), polypack.CodeTypeMismatch, 0, "")
	_, err = polypack.Marshal([]Shape{other{}}, testExtensions)
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "/0")
	if !errors.Is(err, errOwn) {
		t.Error("the cause is lost")
	}

	// An error of encoding something keeps its code, and one of decoding doesn't.
	passing := func(err error) polypack.Option {
		return polypack.Extensions(polypack.NewExtension(9,
			func([]byte, unowned) ([]byte, error) { return nil, err }, func([]byte) (unowned, error) { return unowned{}, nil }))
	}
	_, inner := polypack.Marshal(map[string]any{"a": polypack.Ext{Type: 0x72, Data: []byte{1}}})
	for _, err := range []error{inner, fmt.Errorf("mine: %w", inner)} {
		_, err = polypack.Marshal([]any{unowned{}}, passing(err))
		wantFault(t, err, polypack.CodeInvalidRecord, -1, "/0/a")
	}
	inner = polypack.Unmarshal(unhex(t, "91c1"), new(any))
	_, err = polypack.Marshal([]any{unowned{}}, passing(inner))
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "/0")
	if !errors.Is(err, polypack.CodeReservedByte) {
		t.Error("the cause is lost")
	}

	// What encode may not give.
	give := func(typ int8, data ...byte) polypack.Option {
		return polypack.Extensions(polypack.NewExtension(typ,
			func(dst []byte, _ unowned) ([]byte, error) { return append(dst, data...), nil },
			func([]byte) (unowned, error) { return unowned{}, nil }))
	}
	_, err = polypack.Marshal(unowned{}, give(0x72, 1))
	wantFault(t, err, polypack.CodeInvalidRecord, -1, "")
	_, err = polypack.Marshal(unowned{}, give(0x72, 1, 2))
	wantFault(t, err, polypack.CodeInvalidRecord, -1, "")
	_, err = polypack.Marshal(unowned{}, give(0, 0))
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "")
	if _, err = polypack.Marshal(unowned{}, give(0x72, 1, 2, 3)); err != nil {
		t.Error(err)
	}
	var u unowned
	wantFault(t, polypack.Unmarshal(unhex(t, "d57201020304"), &u, give(0x72)), polypack.CodeInvalidRecord, 0, "")
	wantFault(t, polypack.Unmarshal(unhex(t, "d47240 90"), &u, give(0x72), polypack.Records(polypack.RecordsInline)), polypack.CodeTypeMismatch, 0, "")
	if err := polypack.Unmarshal(unhex(t, "c70372010203"), &u, give(0x72)); err != nil {
		t.Error(err)
	}
	bad := polypack.NewExtension(9, func([]byte, unowned) ([]byte, error) { return nil, nil }, func([]byte) (unowned, error) { return unowned{}, nil })
	_, err = polypack.Marshal(unowned{}, polypack.Extensions(bad))
	wantFault(t, err, polypack.CodeUnsupportedValue, -1, "")
}

type other struct{}

func (other) Area() int { return 0 }

func encodeNothing[T any](dst []byte, _ T) ([]byte, error) { return dst, nil }
func decodeNothing[T any]([]byte) (t T, err error)         { return t, nil }
func extensionOf[T any](typ int8) polypack.Extension {
	return polypack.NewExtension(typ, encodeNothing[T], decodeNothing[T])
}

func TestExtensionMisuse(t *testing.T) {
	for _, row := range []struct {
		call string
		opts []polypack.Option
	}{
		{"NewExtension", []polypack.Option{polypack.Extensions(extensionOf[point](-1))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(polypack.NewExtension(1, nil, decodeNothing[point]))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(polypack.NewExtension(1, encodeNothing[point], nil))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(extensionOf[any](1))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(extensionOf[string](1))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(extensionOf[[]byte](1))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(extensionOf[time.Time](1))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(extensionOf[*polypack.Ext](1))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(extensionOf[**point](1))}},
		{"NewExtension", []polypack.Option{polypack.Extensions(extensionOf[*Shape](1))}},
		{"Extensions", []polypack.Option{polypack.Extensions(polypack.Extension{})}},
		{"Extensions", []polypack.Option{polypack.Extensions(extensionOf[point](1), extensionOf[unowned](1))}},
		{"Extensions", []polypack.Option{polypack.Extensions(extensionOf[point](1), extensionOf[point](2))}},
		{"Extensions", []polypack.Option{polypack.Extensions(extensionOf[point](1), extensionOf[*point](2))}},
		{"Extensions", []polypack.Option{polypack.Extensions(extensionOf[point](1)), polypack.Extensions(extensionOf[unowned](1))}},
		{"Extensions", []polypack.Option{testExtensions, testExtensions}},
	} {
		_, err := polypack.Marshal(1, row.opts...)
		wantUsage(t, err, row.call)
		wantUsage(t, polypack.NewDecoder(nil, row.opts...).Skip(), row.call)
	}
	if data, err := polypack.Marshal(point{}, polypack.Extensions()); err == nil && len(data) != 1 {
		t.Errorf("%x, %v", data, err)
	}
}

// TestConcurrentExtensions combines options in many goroutines; run it with -race.
func TestConcurrentExtensions(t *testing.T) {
	more := polypack.Extensions(extensionOf[unowned](50))
	var group sync.WaitGroup
	for i := range 100 {
		group.Add(1)
		go func() {
			defer group.Done()
			second := more
			if i%2 == 1 {
				second = polypack.Extensions(extensionOf[unowned](50))
			}
			data, err := polypack.Marshal([]any{point{1, 2}, unowned{}}, testExtensions, second)
			if hex.EncodeToString(data) != "92d60100010002c70032" || err != nil {
				t.Errorf("%x, %v", data, err)
			}
			if data, err = polypack.Marshal(unowned{5}); string(data) != "\x81\xa1N\x05" || err != nil {
				t.Errorf("an extension is left behind: %x, %v", data, err)
			}
		}()
	}
	group.Wait()
}

// TestExtensionsAsKeys reads keys of registered types, and writes them again as the same bytes.
func TestExtensionsAsKeys(t *testing.T) {
	for _, row := range []struct {
		key          string
		losslessOnly bool
	}{
		{"d601 00020003", false}, {"c70301 000203", false}, {"d402 66", false}, {"d503 7305", false}, {"d6fb 00000005", false},
		{"91 d601 00020003", false}, {"92 d402 66 d601 00020003", false}, {"d407 01", false}, {"d6ff 00000001", false},
		{"81 d601 00020003 c0", true}, {"d400 00", true},
	} {
		for _, message := range []string{
			"81" + row.key + "c0", "82" + row.key + "01 d402 67 c0", "81" + row.key + "81" + row.key + "c0", "82 a161 c0" + row.key + "c0",
		} {
			data := unhex(t, message)
			for _, into := range []struct {
				target any
				mode   polypack.Option
			}{{new(any), polypack.Lossless}, {new(polypack.Object), polypack.Lossless}, {new(polypack.Object), polypack.Default}} {
				nested := strings.Count(message, row.key) > 1
				if into.mode == polypack.Default && (row.losslessOnly || nested) {
					continue
				}
				if err := polypack.Unmarshal(data, into.target, testExtensions, into.mode); err != nil {
					t.Errorf("%s into %T: %v", message, into.target, err)
					continue
				}
				if again, err := polypack.Marshal(into.target, testExtensions, into.mode); err != nil || !bytes.Equal(again, data) {
					t.Errorf("%s into %T became % x, %v", message, into.target, again, err)
				}
			}
		}
	}
}
