// Package polypack encodes and decodes MessagePack under the Polypack profile, as do the Polypack libraries for PHP and
// JavaScript. In all three, equal values have the same canonical bytes. The profile is in spec/ of the repository;
// comments cite it as spec/02-wire.md#str.
//
// Marshal and Unmarshal convert between Go values and bytes:
//
//	data, err := polypack.Marshal(user)
//	err = polypack.Unmarshal(data, &user)
//
// A Codec does the same for one type, with options that are checked once. Encoder and Decoder write and read one value
// per call; their typed methods use no reflection. StreamEncoder writes messages to an io.Writer. StreamDecoder and
// Values read messages from an io.Reader, which may deliver them in pieces of any size. Elements reads the elements of
// one long array. Get finds one value in a message without decoding the rest of the message. Canonicalize rewrites a
// message in canonical form, which is the same for equal values.
//
// # Terminology
//
// A value is encoded to and decoded from bytes. A Go value is marshalled and unmarshalled, which includes converting
// structs and Go's number types to and from the kinds of MessagePack. The head byte is the first byte of a value; it
// names the format, such as str 8. All formats that write one kind, such as str, form a family. A length is a number of
// bytes; a count is a number of elements or entries. Depth is the number of open containers; the top value has depth 0.
// A message is one top-level value.
//
// Well-formed bytes obey the grammar. Valid bytes also have a valid meaning: text is UTF-8, keys are unique, timestamps
// are in range. Each value has exactly one canonical encoding.
//
// # Modes
//
// Default, Strict and Lossless are options. Default follows Go's habits and is lenient towards other writers. Strict is
// for untrusted input. With Lossless, decoding into an any and encoding again keeps the value of every valid message
// within the limits.
//
// # Records
//
// With the option Records, most structs are written as records: each message has the names of a struct's fields once,
// and after that only values. With SharedRecords, the names of a struct are not written at all if a Dictionary holds
// them. The records are in the format of the JavaScript library msgpackr. With StoredRecords, the Dictionary is kept in
// a store, which programs in other languages may also use. Package stores has stores in files, in Redis and, for tests,
// in memory.
//
// # Security considerations
//
// It is safe to decode hostile bytes with this package, and to pass every decoded value on to Marshal. Whatever the
// input, nothing panics, recurses without bound, or allocates much memory just because a head declares a large length
// or count:
//
//   - At most 512 containers may be open by default (MaxDepth), when decoding, skipping and encoding. Encoding a Go
//     value that contains itself fails at this limit, or at a similar limit for pointers. The data of an ext or bin
//     is opaque, so a function or method that calls Unmarshal for it starts again at depth 0. Its recursion is as deep
//     as the input nests such data. If your types allow such nesting, keep inner values as a RawMessage.
//   - A method UnmarshalMsgpack gets bytes that have been checked. If it calls Unmarshal and its type nests in itself,
//     the inner bytes are checked again at each level. So the time is proportional to bytes times levels, and MaxDepth
//     bounds the levels. The same holds for MarshalMsgpack and AppendMsgpack, whose output is checked.
//     UnmarshalMsgpackFrom and MarshalMsgpackTo take time linear in the bytes; use them for types that nest.
//   - A declared count must fit in the bytes that remain, minus one byte for each value that the containers around it
//     still need. A declared length must fit in the bytes that remain. So the counts of all open containers together
//     never exceed the number of bytes. A five-byte message that declares four billion elements costs almost nothing.
//   - Memory for elements that have not arrived is limited to 64 KiB plus four times the length of the message. Beyond
//     that, a container may allocate one element, or as much memory as it has filled with elements that have arrived.
//   - MaxValues bounds the number of values of a message; there is no limit by default. The memory of a value depends
//     on the target. For example, an array of a million nils becomes a million elements of the target's element type.
//   - A message of a stream, and an element of Elements, is at most 64 MiB long by default (MaxBytes).
//   - A Config limits the lengths and counts of single values, for applications that know how long their values are.
//   - The sets that find duplicate keys are hashed with a random seed, so no input can choose collisions.
//
// Decoded strings and byte slices are copies, or views of the input with StringsZeroCopy and with a zero-copy
// StructDecoder. Get may also return a view. The mode Default keeps the bytes of a str that is not UTF-8, and lets the
// last of equal keys win. Use Strict if all readers must agree about a message.
//
// # Errors
//
// Faulty data is reported as an *Error with a code, an offset and a path; errors.Is compares the code. Wrong use of the
// package is reported as a *UsageError.
//
// Before an error is reported, methods and Extensions of other parts of the value may have run. For example, all keys
// of a map are encoded before they are compared, and a key may be decoded before it is known to be a duplicate. Neither
// the order nor the number of these calls is promised.
package polypack
