package polypack

// Plan of the file: Config, a struct of limits for the kinds of values, with its defaults and its With methods;
// UnmarshalWithConfig; lengths, the form of these limits inside settings; and the error for exceeding a limit.

import (
	"fmt"
	"math"

	"github.com/polypack/polypack/go/internal/format"
)

// These are the limits of DefaultConfig. 2,147,483,647, the largest int of 32-bit platforms, stands for no limit.
const (
	DefaultMaxStringLen = 2_147_483_647
	DefaultMaxBinaryLen = 2_147_483_647
	DefaultMaxArrayLen  = 2_147_483_647
	DefaultMaxMapLen    = 2_147_483_647
	DefaultMaxExtLen    = 2_147_483_647
	DefaultMaxDepth     = 512
)

// Config holds limits for the values of a message that is decoded; its MaxDepth applies to encoding, too. A Config is
// an Option. A field that is 0 keeps the limit of an earlier option, or the default. Each limit must be at least 0, and
// MaxDepth at most 100 000; any other limit is a UsageError. A value that exceeds a limit is CodeLimitExceeded, at the
// head of the value.
//
// Decoding is safe without a Config, because a length or count must always fit the bytes that remain
// (spec/06-limits.md). These limits are for applications that know how long their values are.
type Config struct {
	MaxStringLen int // bytes of a str, including map keys and names of records that a message declares
	MaxBinaryLen int // bytes of a bin
	MaxArrayLen  int // elements of an array
	MaxMapLen    int // entries of a map or record
	MaxExtLen    int // bytes of data in an ext or timestamp
	MaxDepth     int // containers that may be open at once, like the option MaxDepth
}

// DefaultConfig returns the limits that hold without a Config.
func DefaultConfig() Config {
	return Config{
		MaxStringLen: DefaultMaxStringLen,
		MaxBinaryLen: DefaultMaxBinaryLen,
		MaxArrayLen:  DefaultMaxArrayLen,
		MaxMapLen:    DefaultMaxMapLen,
		MaxExtLen:    DefaultMaxExtLen,
		MaxDepth:     DefaultMaxDepth,
	}
}

// WithMaxStringLen returns c with another MaxStringLen.
func (c Config) WithMaxStringLen(bytes int) Config {
	c.MaxStringLen = bytes
	return c
}

// WithMaxBinaryLen returns c with another MaxBinaryLen.
func (c Config) WithMaxBinaryLen(bytes int) Config {
	c.MaxBinaryLen = bytes
	return c
}

// WithMaxArrayLen returns c with another MaxArrayLen.
func (c Config) WithMaxArrayLen(elements int) Config {
	c.MaxArrayLen = elements
	return c
}

// WithMaxMapLen returns c with another MaxMapLen.
func (c Config) WithMaxMapLen(entries int) Config {
	c.MaxMapLen = entries
	return c
}

// WithMaxExtLen returns c with another MaxExtLen.
func (c Config) WithMaxExtLen(bytes int) Config {
	c.MaxExtLen = bytes
	return c
}

// WithMaxDepth returns c with another MaxDepth.
func (c Config) WithMaxDepth(containers int) Config {
	c.MaxDepth = containers
	return c
}

// UnmarshalWithConfig is Unmarshal with the limits of cfg, the same as Unmarshal(data, v, cfg). Errors: those of
// Unmarshal.
func UnmarshalWithConfig(data []byte, v any, cfg Config) error { return Unmarshal(data, v, cfg) }

// lengths has the limits of a Config except MaxDepth. settings holds it by a pointer, because few programs set these
// limits.
type lengths struct {
	text, bin, ext    int64 // bytes
	elements, entries int64
}

// engineReads reports whether the engine may read under these limits. The limits must allow every fixstr and every
// timestamp, because the engine doesn't check their lengths.
func (l *lengths) engineReads() bool { return l.text >= format.MaxFixstr && l.ext >= timestamp96Bytes }

func (c Config) apply(s *settings) error {
	for _, limit := range [...]struct {
		name  string
		value int
	}{
		{"MaxStringLen", c.MaxStringLen}, {"MaxBinaryLen", c.MaxBinaryLen}, {"MaxArrayLen", c.MaxArrayLen}, {"MaxMapLen", c.MaxMapLen},
		{"MaxExtLen", c.MaxExtLen}, {"MaxDepth", c.MaxDepth},
	} {
		if limit.value < 0 {
			return outOfRange("Config."+limit.name, limit.value, 0, math.MaxInt)
		}
	}
	if c.MaxDepth > maxDepthCeiling {
		return outOfRange("Config.MaxDepth", c.MaxDepth, 0, maxDepthCeiling)
	}
	if c.MaxDepth > 0 {
		s.maxDepth = c.MaxDepth
	}
	none := lengths{maxLength, maxLength, maxLength, maxLength, maxLength}
	l := none
	if s.lengths != nil {
		l = *s.lengths
	}
	setLength(&l.text, c.MaxStringLen)
	setLength(&l.bin, c.MaxBinaryLen)
	setLength(&l.ext, c.MaxExtLen)
	setLength(&l.elements, c.MaxArrayLen)
	setLength(&l.entries, c.MaxMapLen)
	s.lengths = nil
	if l != none {
		s.lengths = &l
	}
	return nil
}

// setLength sets a limit to the value of a field of a Config. 0 leaves the limit as it is. DefaultMaxStringLen or more
// means no limit.
func setLength(limit *int64, field int) {
	switch {
	case field >= DefaultMaxStringLen:
		*limit = maxLength
	case field > 0:
		*limit = int64(field)
	}
}

func (d *Decoder) failLength(start int, n, limit int64, field string) error {
	return d.fail(CodeLimitExceeded, start, fmt.Sprintf("%s declares %d but the limit is %d", formatName(d.data[start]), n, limit),
		"raise "+field+" if the source is trusted")
}
