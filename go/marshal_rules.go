package polypack

// Plan of the file: options that change the names of struct fields and the meaning of types; then errors as text; then
// the names by which a field is read besides its own. Each combination of these options needs separate plans. So a
// *types (plan.go) has one set of rules, and caches the *types that are derived from it for other rules.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rules say how structs are laid out and which types are written as text. They are comparable, so that a map can have
// them as keys.
type rules struct {
	tagKeys     string // separated by spaces; "" means the key msgpack alone
	foldCase    bool
	zeroIsEmpty bool // set by OmitEmptyAsksIsZero
	errorTexts  bool
}

// TagKeys sets the keys under which struct tags are read. If a field's tag has several of these keys, the earliest
// argument counts. The default is the key msgpack alone. With TagKeys("msgpack", "json"), the tags for encoding/json
// count where a field has no tag for MessagePack. With TagKeys("json"), only the tags for encoding/json count. Under
// keys other than msgpack, tag options that this package doesn't know, such as string, have no effect.
func TagKeys(keys ...string) Option {
	return optionFunc(func(s *settings) error {
		if len(keys) == 0 {
			return &UsageError{"TagKeys", `no key is given; use "msgpack" for the default`}
		}
		for _, key := range keys {
			if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r == ':' || r == '"' || r == 0x7f }) {
				return &UsageError{"TagKeys", fmt.Sprintf("%s is no key of a struct tag", quote(key))}
			}
		}
		if s.rules.tagKeys = strings.Join(keys, " "); s.rules.tagKeys == tagKey {
			s.rules.tagKeys = ""
		}
		return nil
	})
}

// FoldCase says whether names are read without regard to case, as in encoding/json; false by default. If no field has
// the exact name of an entry as name or alias, the first field with a name or alias that differs only in case gets the
// entry. The names in the output don't change. But an entry of an inline map that would be read into a field isn't
// written. Even the modes Strict and Lossless accept an entry a and an entry A in one map, because the two keys differ.
// The last one wins.
func FoldCase(fold bool) Option {
	return optionFunc(func(s *settings) error {
		s.rules.foldCase = fold
		return nil
	})
}

// OmitEmptyAsksIsZero says whether the tag option omitempty means omitzero for a field whose type has a method IsZero,
// as in vmihailenco/msgpack; false by default.
func OmitEmptyAsksIsZero(ask bool) Option {
	return optionFunc(func(s *settings) error {
		s.rules.zeroIsEmpty = ask
		return nil
	})
}

// ErrorsAsText says whether errors are written as a str, the text of their method Error; false by default. With true, a
// str is also read into a variable of type error. An error with a method that encodes it, for example MarshalText, is
// written by that method instead. The error that is read has only the text, so errors.Is doesn't match the original
// error. But if the variable already holds a pointer to an error with methods that read it, these methods read the str.
// A value that isn't a str is read into the error that the variable points to. ErrorsAsText concerns keys of maps only
// if the type of the keys is error.
func ErrorsAsText(text bool) Option {
	return optionFunc(func(s *settings) error {
		s.rules.errorTexts = text
		return nil
	})
}

// under returns the plan cache for the rules r and the extensions of ts.
func (ts *types) under(r rules) *types {
	if r == ts.rules {
		return ts
	}
	if derived, ok := ts.combined.types.Load(r); ok {
		return derived.(*types)
	}
	derived := &types{registered: ts.registered, rules: r}
	derived.programs.inherit(&ts.programs)
	return ts.combined.keep(r, derived)
}

// tagOf returns the part of a struct tag that counts. own reports whether the key of this part is tagKey.
func (r *rules) tagOf(tag reflect.StructTag) (text string, own bool) {
	if r.tagKeys == "" {
		return tag.Get(tagKey), true
	}
	for key := range strings.SplitSeq(r.tagKeys, " ") {
		if text, ok := tag.Lookup(key); ok {
			return text, key == tagKey
		}
	}
	return "", false
}

// Errors as text

var errorType = reflect.TypeFor[error]()

// isErrorText reports whether values of t are written as the text of their method Error.
func (r *rules) isErrorText(t reflect.Type) bool {
	return r.errorTexts && has(t, errorType) && methodEncoder(t, valueMethods) == nil
}

func errorTextEncoder(t reflect.Type) encodeFunc {
	r := receiverOf(t, errorType)
	return func(e *Encoder, v reflect.Value) error { return e.string(r.of(v).(error).Error()) }
}

// A textError is the error that a str becomes when it is read.
type textError struct{ text string }

func (e *textError) Error() string { return e.text }

// encodeErrorKey encodes a map key of the type error, as the error's text or by the error's own methods.
func encodeErrorKey(e *Encoder, v reflect.Value) error {
	if t := v.Elem(); t.IsValid() {
		under := t.Type()
		if t.Kind() == reflect.Pointer && !t.IsNil() {
			under = under.Elem()
		}
		if e.types.rules.isErrorText(under) {
			return e.string(t.Interface().(error).Error())
		}
	}
	return encodeInterfaceKey(e, v)
}

// errorTextDecoder makes a decodeFunc for the type error; t is that type. If the variable holds a pointer to an error,
// values that aren't a str are read into that error. A str is read into it, too, if the error has methods that read it.
// Otherwise a str becomes a textError. A registered extension may decode an ext as an error.
func errorTextDecoder(t reflect.Type) decodeFunc {
	inInterface := interfaceDecoder(t)
	return func(d *Decoder, v reflect.Value) error {
		isText := d.next() == familyStr || d.next() == familyBin && !d.checked()
		if pointer, ok := d.held(v); ok && (!isText || d.types.readsItself(pointer.Type().Elem())) {
			return d.fill(pointer)
		}
		if d.skipNil() {
			v.SetZero()
			return nil
		}
		if d.types.registered != nil && d.next() == familyExt {
			return inInterface(d, v)
		}
		text, err := d.string()
		if err != nil {
			return err
		}
		v.Set(reflect.ValueOf(&textError{text}))
		return nil
	}
}

// readsItself reports whether t has methods that read a value.
func (ts *types) readsItself(t reflect.Type) bool {
	_, reads := ts.foreignFor(t)
	return reads != nil || methodDecoder(t) != nil
}

// Other names

// others holds the names by which fields are read besides their own.
type others struct {
	aliases map[string]int // index of the field by alias
	folded  map[string]int // index of the first field by folded name or alias; nil without FoldCase
}

// newOthers returns the other names of the fields, or nil without aliases and FoldCase. problem says which alias is
// already taken, or is "".
func newOthers(fields []field, fold bool) (o *others, problem string) {
	if !fold && !slices.ContainsFunc(fields, func(f field) bool { return len(f.aliases) > 0 }) {
		return nil, ""
	}
	o = &others{aliases: map[string]int{}}
	for i := range fields {
		for _, alias := range fields[i].aliases {
			if other := slices.IndexFunc(fields, func(f field) bool { return f.name == alias }); other == i {
				continue // an alias equal to the field's own name has no effect
			} else if other >= 0 {
				return nil, "the alias " + quote(alias) + " of its field " + fields[i].name + " is the name of another field"
			}
			if other, taken := o.aliases[alias]; taken && other != i {
				return nil, "its fields " + fields[other].name + " and " + fields[i].name + " have both the alias " + quote(alias)
			}
			o.aliases[alias] = i
		}
	}
	if fold {
		o.folded = make(map[string]int, len(fields))
		for i := range fields {
			for _, name := range append([]string{fields[i].name}, fields[i].aliases...) {
				key := string(folded(nil, []byte(name)))
				if _, taken := o.folded[key]; !taken {
					o.folded[key] = i
				}
			}
		}
	}
	return o, ""
}

// find returns the index of the field that has name as an alias. If there is none, with FoldCase, it returns the index
// of the first field whose name or alias differs from name only in case. Otherwise it returns -1.
func (o *others) find(name []byte) int {
	if i, ok := o.aliases[string(name)]; ok {
		return i
	}
	if o.folded != nil {
		var space [64]byte
		if i, ok := o.folded[string(folded(space[:0], name))]; ok {
			return i
		}
	}
	return -1
}

// folded appends to dst a form of name. Names that differ only in case have the same form.
func folded(dst, name []byte) []byte {
	for i := 0; i < len(name); {
		c := name[i]
		if c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(name[i:])
		if r == utf8.RuneError && n == 1 { // not UTF-8; such a byte equals only itself
			dst = append(dst, c)
		} else {
			dst = utf8.AppendRune(dst, lowestFold(r))
		}
		i += n
	}
	return dst
}

// lowestFold returns the smallest code point among r and the characters that differ from r only in case.
func lowestFold(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
