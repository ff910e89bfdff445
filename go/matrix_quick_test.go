//go:build quick

package polypack_test

// waysOf leaves out the ways of typed codecs, which take the compiler seconds: it makes their methods for each of 80
// types. codec_test.go tries them for a few.
func waysOf[T any]() []way { return ways }
