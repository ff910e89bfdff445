// Package polypack encodes and decodes MessagePack under the Polypack profile: one value, the same bytes, in PHP,
// JavaScript and Go. The profile is in spec/ of the repository; comments cite it as spec/02-wire.md#str.
//
// Marshal and Unmarshal convert between Go values and bytes:
//
//	data, err := polypack.Marshal(user)
//	err = polypack.Unmarshal(data, &user)
//
// A Codec does the same for one type, with options that are checked once. Encoder and Decoder write and read one value
// per call; their typed methods use no reflection. StreamEncoder writes messages to an io.Writer; StreamDecoder, Values
// and Elements read them from an io.Reader, however it splits them. Get finds one value in a message without decoding
// the rest. Canonicalize brings a message into the one form that equal values share.
//
// # Terminology
//
// A value is encoded to and decoded from bytes; a Go value is marshalled and unmarshalled, which also decides what a
// struct or a number of another type means. The head byte is the first byte of a value; it names the format, such as
// str 8. All formats that write one kind, such as str, form a family. A length counts bytes, a count elements or
// entries. Depth is the number of open containers; the top value has depth 0. A message is one top-level value.
//
// Well-formed bytes obey the grammar. Valid bytes also obey meaning: text is UTF-8, keys are unique, timestamps are in
// range. Canonical bytes are the one encoding of their value.
//
// # Modes
//
// Default, Strict and Lossless are options. Default follows Go's habits and is lenient towards other writers; Strict is
// for untrusted input; Lossless passes every valid message within the limits through unchanged.
//
// # Records
//
// With the option Records, structs are written as records: a message has the names of a struct's fields once, and after
// that only values. With SharedRecords, names that a Dictionary holds are not written at all. The bytes are those of
// the JavaScript library msgpackr. With StoredRecords, the Dictionary is kept by a store that programs in other
// languages may use, too; package stores has one in files and one in Redis.
//
// # Security considerations
//
// Every function may be given hostile bytes, and every decoded value may be passed on to Marshal. Whatever the input,
// nothing panics, recurses without bound, or allocates memory just because a head declares a length:
//
//   - At most 512 containers may be open (MaxDepth), when decoding, skipping and encoding. Encoding a Go value that
//     contains itself fails there as well. The data of an ext or bin is opaque: a function or method that calls
//     Unmarshal for it begins again at depth 0, so it recurses as deep as the input nests such data. If your types
//     allow that, keep the data as a RawMessage.
//   - A method UnmarshalMsgpack gets bytes that have been checked. If it calls Unmarshal and its type nests in itself,
//     the inner bytes are checked again at each level: the time is bytes times levels, and MaxDepth bounds the levels.
//     The same holds for MarshalMsgpack and AppendMsgpack, whose output is checked. UnmarshalMsgpackFrom and
//     MarshalMsgpackTo take time linear in the bytes; use them for types that nest.
//   - A declared count must fit in the bytes that remain, minus those that the containers around it still need. A
//     declared length must fit in the bytes that remain. So all counts together never exceed the input, and a five-byte
//     message that declares four billion elements costs nothing.
//   - At most four times the length of the message plus 64 KiB is allocated for elements that have not arrived.
//   - MaxValues bounds the number of values of a message; it is unlimited by default. The memory of a value depends on
//     the target: a message of a million nils becomes a million elements of the target's element type.
//   - A message of a stream, and an element of Elements, is at most 64 MiB long (MaxBytes).
//   - A Config limits the lengths and counts of single values, for applications that know how long those are.
//   - Sets of keys are hashed with a random seed.
//
// Strings and byte slices are copied; no result shares memory with the input, unless StringsZeroCopy asks for it or the
// result is that of Get. The mode Default keeps the bytes of a str that is not UTF-8 and lets the last of equal keys
// win: use Strict if all readers must agree about a message.
//
// # Errors
//
// Faulty data is reported as an *Error with a code, an offset and a path; errors.Is compares the code. Wrong use of the
// package is a *UsageError.
package polypack
