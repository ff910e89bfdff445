//go:build !purego

package polypack

import "reflect"

// EngineOnly keeps generated methods out, as PlansOnly does with the engine. The option keeps what it compiles.
func EngineOnly() Option {
	plain := &types{programs: programs{plain: true}}
	return optionFunc(func(s *settings) error {
		s.types = plain
		return nil
	})
}

// UsesGenerated reports whether generated methods write and read values of v's type.
func UsesGenerated(v any, opts ...Option) bool {
	s, err := newSettings(opts)
	return err == nil && s.types.nodeFor(typePointer(reflect.TypeOf(v)), reflect.TypeOf(v)).op.isGenerated()
}

// TextsNoted returns the sizes that the last two messages of v's type have noted for strings. v is a pointer.
func TextsNoted(v any) uint64 {
	return commonTypes.nodeFor(typePointer(reflect.TypeOf(v)), reflect.TypeOf(v)).elem.textHint.lastTwo.Load()
}

// TextsNoted returns the same for the messages that d has read.
func (d *Direct) TextsNoted() uint64 { return d.textHint.lastTwo.Load() }
