//go:build peer_msgp

package main

// Plan of the file: msgp, with the code that its generator writes for our payloads (see tools/bench-go-build.mjs).
// Each type has its own loops, because calls through an interface or a type parameter would slow msgp down.

import (
	"github.com/tinylib/msgp/msgp"

	"github.com/polypack/polypack/go/bench/payload"
)

func init() {
	enter(contestant{name: "msgp", prepared: true, allowed: payload.Rules{Zone: true}, codecOf: msgpCodecOf})
}

func msgpCodecOf(w *workload) *codec {
	switch v := w.value.(type) {
	case *payload.Small:
		return msgpSmall(v)
	case *payload.Medium:
		return msgpMedium(v)
	case *payload.Large:
		return msgpLarge(v)
	case *payload.Int64s:
		return msgpInt64s(v)
	case *payload.Uint16s:
		return msgpUint16s(v)
	case *payload.Float64s:
		return msgpFloat64s(v)
	case *payload.Strings:
		return msgpStrings(v)
	case *payload.Page:
		return msgpPage(v)
	case *payload.Config:
		return msgpConfig(v)
	case *payload.Series:
		return msgpSeries(v)
	case map[string]any:
		return msgpMap(v)
	case map[string]string:
		return msgpStringMap(v)
	case []map[string]any:
		return msgpMaps(v)
	default:
		return nil
	}
}

func msgpSmall(v *payload.Small) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Small
			for range calls {
				into = payload.Small{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpMedium(v *payload.Medium) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Medium
			for range calls {
				into = payload.Medium{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpLarge(v *payload.Large) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Large
			for range calls {
				into = payload.Large{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpInt64s(v *payload.Int64s) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Int64s
			for range calls {
				into = payload.Int64s{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpUint16s(v *payload.Uint16s) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Uint16s
			for range calls {
				into = payload.Uint16s{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpFloat64s(v *payload.Float64s) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Float64s
			for range calls {
				into = payload.Float64s{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpStrings(v *payload.Strings) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Strings
			for range calls {
				into = payload.Strings{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpPage(v *payload.Page) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Page
			for range calls {
				into = payload.Page{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpConfig(v *payload.Config) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Config
			for range calls {
				into = payload.Config{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpSeries(v *payload.Series) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = v.MarshalMsg(nil); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = v.MarshalMsg(buffer[:0]); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into payload.Series
			for range calls {
				into = payload.Series{}
				if _, err := into.UnmarshalMsg(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

// msgpMap calls the functions that msgp's generated code calls for a field of type map[string]any. msgp generates no
// code for a map type without a name.
func msgpMap(v map[string]any) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = msgp.AppendMapStrIntf(msgp.Require(nil, msgp.GuessSize(v)), v); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = msgp.AppendMapStrIntf(msgp.Require(buffer[:0], msgp.GuessSize(v)), v); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into map[string]any
			for range calls {
				var err error
				if into, err = msgpReadMap(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpStringMap(v map[string]string) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = msgpWriteStringMap(nil, v); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = msgpWriteStringMap(buffer[:0], v); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into map[string]string
			for range calls {
				var err error
				if into, err = msgpReadStringMap(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpMaps(v []map[string]any) *codec {
	var buffer []byte
	return &codec{
		encode: func(calls int) (data []byte, err error) {
			for range calls {
				if data, err = msgpWriteMaps(nil, v); err != nil {
					return nil, err
				}
			}
			return data, nil
		},
		reuse: func(calls int) ([]byte, error) {
			for range calls {
				var err error
				if buffer, err = msgpWriteMaps(buffer[:0], v); err != nil {
					return nil, err
				}
			}
			return buffer, nil
		},
		decode: func(data []byte, calls int) (any, error) {
			var into []map[string]any
			for range calls {
				var err error
				if into, err = msgpReadMaps(data); err != nil {
					return nil, err
				}
			}
			last := into
			return &last, nil
		},
	}
}

func msgpReadMap(data []byte) (map[string]any, error) {
	m, _, err := msgp.ReadMapStrIntfBytes(data, nil)
	return m, err
}

func msgpWriteStringMap(data []byte, v map[string]string) ([]byte, error) {
	size := msgp.MapHeaderSize
	for key, value := range v {
		size += msgp.StringPrefixSize + len(key) + msgp.StringPrefixSize + len(value)
	}
	return msgp.AppendMapStrStr(msgp.Require(data, size), v), nil
}

func msgpReadStringMap(data []byte) (map[string]string, error) {
	count, data, err := msgp.ReadMapHeaderBytes(data)
	if err != nil {
		return nil, err
	}
	m := make(map[string]string, count)
	for range count {
		var key, value string
		if key, data, err = msgp.ReadStringBytes(data); err != nil {
			return nil, err
		}
		if value, data, err = msgp.ReadStringBytes(data); err != nil {
			return nil, err
		}
		m[key] = value
	}
	return m, nil
}

func msgpWriteMaps(data []byte, v []map[string]any) ([]byte, error) {
	size := msgp.ArrayHeaderSize
	for _, m := range v {
		size += msgp.GuessSize(m)
	}
	data = msgp.AppendArrayHeader(msgp.Require(data, size), uint32(len(v)))
	for _, m := range v {
		var err error
		if data, err = msgp.AppendMapStrIntf(data, m); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func msgpReadMaps(data []byte) ([]map[string]any, error) {
	count, data, err := msgp.ReadArrayHeaderBytes(data)
	if err != nil {
		return nil, err
	}
	maps := make([]map[string]any, count)
	for i := range maps {
		if maps[i], data, err = msgp.ReadMapStrIntfBytes(data, nil); err != nil {
			return nil, err
		}
	}
	return maps, nil
}
