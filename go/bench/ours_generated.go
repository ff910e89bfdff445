//go:build generated

package main

// Plan of the file: our generated code. The methods belong to copies of the payload types, because the other codecs are
// measured without methods. tools/bench-go-build.mjs copies payload/types.go into the package generated, and
// polypack-gen writes the methods next to the copy. A type and its copy have the same fields at the same offsets. Each
// type has its own loops, which call its methods directly.

import (
	"unsafe"

	"github.com/polypack/polypack/go/bench/payload"
	"github.com/polypack/polypack/go/bench/payload/generated"
)

func init() { generatedOf = withMethods }

func withMethods(value any) *codec {
	switch v := value.(type) {
	case *payload.Small:
		return generatedSmall((*generated.Small)(unsafe.Pointer(v)))
	case *payload.Medium:
		return generatedMedium((*generated.Medium)(unsafe.Pointer(v)))
	case *payload.Large:
		return generatedLarge((*generated.Large)(unsafe.Pointer(v)))
	case *payload.Int64s:
		return generatedInt64s((*generated.Int64s)(unsafe.Pointer(v)))
	case *payload.Uint16s:
		return generatedUint16s((*generated.Uint16s)(unsafe.Pointer(v)))
	case *payload.Float64s:
		return generatedFloat64s((*generated.Float64s)(unsafe.Pointer(v)))
	case *payload.Strings:
		return generatedStrings((*generated.Strings)(unsafe.Pointer(v)))
	case *payload.Page:
		return generatedPage((*generated.Page)(unsafe.Pointer(v)))
	case *payload.Config:
		return generatedConfig((*generated.Config)(unsafe.Pointer(v)))
	case *payload.Series:
		return generatedSeries((*generated.Series)(unsafe.Pointer(v)))
	default: // a map, which has no generated methods
		return nil
	}
}

func generatedSmall(v *generated.Small) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Small
			for range calls {
				into = generated.Small{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Small)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedMedium(v *generated.Medium) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Medium
			for range calls {
				into = generated.Medium{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Medium)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedLarge(v *generated.Large) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Large
			for range calls {
				into = generated.Large{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Large)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedInt64s(v *generated.Int64s) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Int64s
			for range calls {
				into = generated.Int64s{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Int64s)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedUint16s(v *generated.Uint16s) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Uint16s
			for range calls {
				into = generated.Uint16s{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Uint16s)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedFloat64s(v *generated.Float64s) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Float64s
			for range calls {
				into = generated.Float64s{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Float64s)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedStrings(v *generated.Strings) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Strings
			for range calls {
				into = generated.Strings{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Strings)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedPage(v *generated.Page) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Page
			for range calls {
				into = generated.Page{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Page)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedConfig(v *generated.Config) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Config
			for range calls {
				into = generated.Config{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Config)(unsafe.Pointer(&last)), nil
		},
	}
}

func generatedSeries(v *generated.Series) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.AppendPolypack(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.AppendPolypack(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into generated.Series
			for range calls {
				into = generated.Series{}
				if err := into.UnmarshalPolypack(data); err != nil {
					return nil, err
				}
			}
			last := into
			return (*payload.Series)(unsafe.Pointer(&last)), nil
		},
	}
}
