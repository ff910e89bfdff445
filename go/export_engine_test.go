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
