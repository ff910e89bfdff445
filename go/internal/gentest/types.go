// Package gentest has types with generated methods, for the tests that compare these methods with plans.
// polypack_gen.go is long because the types have each kind of field in each place where that kind may occur.
package gentest

import (
	"net/netip"
	"time"

	polypack "github.com/polypack/polypack/go"
)

//go:generate go run github.com/polypack/polypack/go/cmd/polypack-gen -type=Every,Small,Nested,Wide,Omitted,Tree,Conflicts,None,Other,Stale,Marked,Flat,Words,Inside,Shelf,Loose,Page,Book,Zeros,Changing,Pointed,Looping,Far

// Defined types without methods are written like their underlying types.
type (
	Number  int16
	Text    string
	Flag    bool
	Ratio   float64
	Texts   []Text
	Numbers []Number
	Hash    [4]byte
	Blob    []byte
)

// Level has methods that write and read it as text, so generated code leaves it to the library.
type Level int

// MarshalText returns one digit, the low byte of the Level modulo 10.
func (l Level) MarshalText() ([]byte, error) { return []byte{'0' + byte(l)%10}, nil }

// UnmarshalText sets the Level to the last digit of the text.
func (l *Level) UnmarshalText(text []byte) error {
	*l = 0
	for _, c := range text {
		*l = Level(c-'0') % 10
	}
	return nil
}

type Small struct {
	Name string
	Age  int
}

// Scalars has a field of each scalar kind. Other structs embed it.
type Scalars struct {
	Bool   bool
	Int    int
	Int8   int8
	Int16  int16
	Int32  int32
	Int64  int64
	Uint   uint
	Uint8  uint8
	Uint16 uint16
	Uint32 uint32
	Uint64 uint64
	Ptr    uintptr
	F32    float32
	F64    float64
	String string
	Long   string `msgpack:"a name that is longer than sixteen"`
	Umlaut string `msgpack:"ü \"quoted\" ~/"`
}

// Flat consists of scalars, strings and timestamps.
type Flat struct {
	First  Text
	When   time.Time
	Number Number
	Flag   Flag
	Ratio  Ratio
	Took   time.Duration
	Scalars
	Last string `msgpack:",omitempty"`
}

// Inside has scalars and times inside arrays and maps, and behind pointers.
type Inside struct {
	Bools  [3]bool
	Uints  [2]uint16
	Ratio  *float32
	When   *time.Time
	Shares map[string]float64
	Flags  map[string]bool
}

type Words struct{ One, Two, Three string }

type named struct {
	Number  Number
	Text    Text
	Flag    Flag
	Ratio   Ratio
	Texts   Texts
	Numbers Numbers
	Hash    Hash
	Blob    Blob
	Took    time.Duration
	Level   Level
}

// Every has fields of very many types.
type Every struct {
	Scalars
	Named named
	Bytes []byte
	Array [5]byte
	Empty [0]byte
	Time  time.Time
	When  *time.Time

	PInt    *int
	PText   *Text
	PSmall  *Small
	PSlice  *[]string
	PDouble **int
	Strings []string
	Ints    []int
	Int8s   []int8
	Uint16s []uint16
	Uints   []uint
	Floats  []float64
	Float32 []float32
	Bools   []bool
	Times   []time.Time
	Blobs   [][]byte
	Hashes  []Hash
	Grid    [][]int32
	Words   [][]string
	Cubes   [2][3]string
	Three   [3]float64
	Pairs   [2]Small
	Smalls  []Small
	PSmalls []*Small
	PPs     []*string

	Any     any
	Anys    []any
	SS      map[string]string
	SA      map[string]any
	SI      map[Text]int
	SSmall  map[string]Small
	SPSmall map[Text]*Small
	SSlice  map[string][]Small
	IS      map[int]string

	Ext   polypack.Ext
	Stamp polypack.Timestamp
	Addr  netip.Addr
	Level Level
	Err   error
	Outer []Outside

	_       int
	Ignored int `msgpack:"-"`
	Dash    int `msgpack:"-,"`
}

// Shelf has fields with the option as_array, which writes the structs in them as arrays.
type Shelf struct {
	Label  string
	First  Small                  `msgpack:",as_array"`
	Row    []Small                `msgpack:"row,as_array,alias:line,alias:row,alias:line"`
	Ends   *[2]*Small             `msgpack:",as_array,omitempty"`
	ByName map[string][]*Outside2 `msgpack:",as_array,omitzero"`
	Next   *Shelf                 `msgpack:",omitempty"`
}

// Outside2 is only written as an array, because it occurs only in a field with the option as_array.
type Outside2 struct {
	A int
	B []Loose
}

// Loose has an inline map, Rest, for the entries that have no field.
type Loose struct {
	ID    int
	Money `msgpack:",omitzero,noinline"`
	Parts
	Rest map[Text]any `msgpack:",inline"`
}

type Parts struct {
	Shelf *Shelf           `msgpack:"shelf,omitempty"`
	More  []Loose          `msgpack:"more,omitempty,alias:others"`
	By    map[string]Loose `msgpack:"by,omitempty"`
}

// Bag has an inline map and no fields besides it.
type Bag struct {
	All map[string]Small `msgpack:",inline"`
}

// Page is generic and contains instances of the generic type Pair.
type Page[T any] struct {
	Number int
	Items  []T           `msgpack:"items"`
	First  T             `msgpack:"first"`
	By     map[string]*T `msgpack:",omitempty"`
	Next   *Page[T]      `msgpack:"next,omitempty"`
	Name   string        `msgpack:",omitempty"`
	Box    Pair[string, T]
	Known  Pair[int, Text]
}

// Pair gets generated methods because Page has fields of this type.
type Pair[K comparable, V any] struct {
	Key   K
	Value V `msgpack:"value,alias:val"`
	Count int
	Same  map[K]V
}

// Book has instances of generic types as fields.
type Book struct {
	Smalls  Page[Small]
	Numbers *Page[Number] `msgpack:",omitempty"`
	Pages   []Page[Page[*Flat]]
	Pairs   map[string]Pair[Text, any]
	Bag     Bag
	Bags    []*Bag
}

// Outside gets no generated methods, because its tag option as_array makes it an array.
type Outside struct {
	_ struct{} `msgpack:",as_array"`
	A int
	B string
}

// Nested contains itself in several ways.
type Nested struct {
	Label string             `msgpack:"l"`
	Left  *Nested            `msgpack:"a"`
	Right *Nested            `msgpack:"b"`
	All   []Nested           `msgpack:"c"`
	Named map[string]*Nested `msgpack:"d"`
	More  [][]*Nested        `msgpack:"e"`
	Pair  *[2]*Nested        `msgpack:"f"`
	Any   any                `msgpack:"g"`
}

// Tree has the usual fields of a menu with submenus.
type Tree struct {
	Title    string  `msgpack:"title"`
	Link     string  `msgpack:"link,omitempty"`
	Children []*Tree `msgpack:"children,omitempty"`
}

// Omitted has fields of many kinds that may be left out.
type Omitted struct {
	Bool    bool           `msgpack:"a,omitempty"`
	Int     int            `msgpack:"b,omitempty"`
	Always  int            `msgpack:"c"`
	Float   float64        `msgpack:"d,omitempty"`
	Float32 float32        `msgpack:"e,omitzero"`
	Text    Text           `msgpack:"f,omitempty"`
	Slice   []int          `msgpack:"g,omitempty"`
	Slice0  []int          `msgpack:"h,omitzero"`
	Map     map[string]int `msgpack:"i,omitempty"`
	Time    time.Time      `msgpack:"j,omitempty"`
	Time0   time.Time      `msgpack:"k,omitzero"`
	Pointer *Small         `msgpack:"l,omitempty"`
	Any     any            `msgpack:"m,omitempty"`
	Both    string         `msgpack:"n,omitempty,omitzero"`
	Money   Money          `msgpack:"o,omitzero"`
}

// Money has a method IsZero, which the option omitzero calls.
type Money struct{ Cents int }

// IsZero returns true for 0 and 99 cents, so the option omitzero leaves out both amounts.
func (m Money) IsZero() bool { return m.Cents == 0 || m.Cents == 99 }

// Zeros has fields whose types get a method IsZero in different ways.
type Zeros struct {
	Rank  Rank   `msgpack:"a,omitzero"`
	Whole Whole  `msgpack:"c,omitzero"`
	Pay   *Money `msgpack:"d,omitzero"`
	Late  Late   `msgpack:"e,omitempty"`
}

// A defined pointer type has no methods, not even those of the type that it points to.
type (
	SmallPointer *Small
	IntPointer   *int
)

// Pointed has fields of defined pointer types, and pointers with the options omitempty and omitzero.
type Pointed struct {
	Small  SmallPointer
	Smalls []SmallPointer
	By     map[string]SmallPointer
	Int    IntPointer `msgpack:",omitempty"`
	When   *time.Time `msgpack:",omitempty,omitzero"`
	Pay    *Money     `msgpack:",omitempty,omitzero"`
	Boxes  []*b[Text]
}

// A Loop never leads to a value, so only nil can be read into it.
type Loop *Loop

// Looping has such pointers. No value of it can be written.
type Looping struct {
	Name string
	Loop Loop
	Left Loop `msgpack:",omitempty"`
}

// Far has as many pointers in a row as the library follows, so a pointer to the field is one pointer too many.
type Far struct {
	Far ***************************************************************int
}

// Late is a time.Time under another name.
type Late = time.Time

// Rank has a method IsZero with a pointer receiver.
type Rank int

// IsZero returns true for 42.
func (r *Rank) IsZero() bool { return *r == 42 }

// Whole gets the method IsZero of Money, its only field.
type Whole struct{ Money }

// Changer calls the function Change when it is encoded. Its encoding is nil.
type Changer struct{ Change func() }

// AppendMsgpack calls c.Change and appends nil.
func (c Changer) AppendMsgpack(dst []byte) ([]byte, error) {
	if c.Change != nil {
		c.Change()
	}
	return append(dst, 0xc0), nil
}

// Changing has more than 15 fields that may be left out, so the head of a fixmap can't count them. The method of the
// field Changer may change the other fields.
type Changing struct {
	Changer                                        Changer
	B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q int `msgpack:",omitempty"`
}

// Wide has more than 15 fields, so the head of a fixmap can't count them. Some of them may be left out.
type Wide struct {
	A, B, C, D, E, F, G, H int
	I                      string `msgpack:"i,omitempty"`
	J                      int    `msgpack:"j,omitempty"`
	K, L, M, N, O, P       bool
	Q                      []string `msgpack:"q,omitempty"`
	R                      float64  `msgpack:"r"`
	S                      [3]uint8 `msgpack:"s,omitempty"`
	T                      *int     `msgpack:"t,omitempty"`
}

// None has no field that is written.
type None struct{ _ int }

// Stale has a field of the type OldPart. The methods of OldPart don't fit OldPart, see stale.go.
type Stale struct{ Part OldPart }

type base struct {
	ID   int
	Name string `msgpack:"Same"`
}

type middle struct {
	base
	Same string
	X    int `msgpack:"x"`
}

type left struct {
	Twice int
	Tag   int `msgpack:"tag"`
	Won   int `msgpack:"won"`
}

type right struct {
	Twice int
	Tag   int `msgpack:"tag"`
	Won   int
	Other int `msgpack:"won2"`
}

// These types have names that generated methods use for variables.
type (
	key   string
	count int
	n     float64
	texts []string
	box   struct{ Key key }

	b[T any] struct {
		Value T
		Key   key
	}
)

// Conflicts has field names that occur several times, and types with names that generated methods use for variables.
type Conflicts struct {
	middle
	left
	right
	Twice int
	Tag   string `msgpack:"tag"`
	X     string `msgpack:"y"`
	Inner base   `msgpack:"inner"`
	ID    string
	ID2   int `msgpack:"x"`
	Small `msgpack:"embedded"`
	time.Month
	Counts map[key]count
	Lists  map[count][]n
	Texts  texts
	Boxes  []*box
}

// Marked embeds types with methods that encode them, and has another field.
type Marked struct {
	netip.Addr
	time.Time
	Coded `msgpack:",omitempty"`
	Note  string
}

// Coded has methods that write and read it as text.
type Coded struct{ Code int }

// MarshalText writes the code as one letter.
func (c Coded) MarshalText() ([]byte, error) { return []byte{'a' + byte(c.Code)%26}, nil }

// UnmarshalText sets the code to the length of the text.
func (c *Coded) UnmarshalText(text []byte) error {
	c.Code = len(text)
	return nil
}

// Other embeds only structs with exported names.
type Other struct {
	Scalars
	Conflicts
	Tree
}
