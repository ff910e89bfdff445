//go:build purego

package wire

// Plan of the file: functions that write a slice of scalars or strings as an array. They reserve memory themselves.
// They write a nil slice as an empty array, so callers must handle nil.

// Ints writes an array of ints.
func Ints[T ~int8 | ~int16 | ~int32 | ~int64 | ~int](w *Buffer, n int, s []T) int {
	return each(w, n, s, func(n int, v T) int { return w.Int(n, int64(v)) })
}

// Uints writes an array of ints.
func Uints[T ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr](w *Buffer, n int, s []T) int {
	return each(w, n, s, func(n int, v T) int { return w.Uint(n, uint64(v)) })
}

// Uint16s writes an array of ints.
func Uint16s[T ~uint16](w *Buffer, n int, s []T) int { return Uints(w, n, s) }

// Float64s writes an array of floats.
func Float64s[T ~float64](w *Buffer, n int, s []T) int {
	return each(w, n, s, func(n int, v T) int { return w.Float64(n, float64(v)) })
}

// Float32s writes an array of floats. NaN becomes a float 64, which takes nine bytes instead of five.
func Float32s[T ~float32](w *Buffer, n int, s []T) int {
	return each(w, n, s, func(n int, v T) int { return w.Float32(n, float32(v)) })
}

// Bools writes an array of bools.
func Bools[T ~bool](w *Buffer, n int, s []T) int {
	return each(w, n, s, func(n int, v T) int { return w.Bool(n, bool(v)) })
}

// Strings writes an array of strs. The position is negative if one of the strs or the array is too long.
func Strings[T ~string](w *Buffer, n int, s []T) int {
	return each(w, n, s, func(n int, v T) int {
		w.ReserveFor(n, len(v), TextHead)
		return PutString(w.buffer, n, string(v))
	})
}

// each writes the array s and calls put for each element. It reserves Scalar bytes before each call. If put needs more,
// it must reserve them itself.
func each[T any](w *Buffer, n int, s []T, put func(int, T) int) int {
	w.Reserve(n, Scalar)
	n = w.ArrayHead(n, len(s))
	for _, v := range s {
		if n < 0 {
			break
		}
		w.Reserve(n, Scalar)
		n = put(n, v)
	}
	return n
}
