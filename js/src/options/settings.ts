// The types of options, which users set, and of settings, which a codec derives from them.
//
// Plan: types of values · UnpackrOptions · PackrOptions · Settings.

import type { ExtensionDefinition, ExtensionTable } from '../core/extension.ts';
import type { Float32Option } from '../core/float32.ts';
import type { FullLimits, Limits } from '../core/limits.ts';
import type { SharedOptions, SharedReadOptions, SharedRecords } from '../records/shared.ts';

/** Which unusual values are refused, and which types values decode to (spec/09-modes.md). */
export type Mode = 'default' | 'strict' | 'lossless';

/**
 * Whether messages contain records: not at all, only those they declare, or also those of a dictionary
 * (spec/05-records.md).
 */
export type RecordsMode = 'off' | 'inline' | 'shared';

/** Returns true for an object to write as a record, false for one to write as a map. */
export type RecordTest = (object: object) => boolean;

/** What an integer beyond 32 bits decodes to. */
export type Int64Type = 'auto' | 'bigint' | 'number' | 'string';

/** What a str that isn't UTF-8 decodes to. */
export type InvalidUtf8 = 'error' | 'replace' | 'bytes';

/** Options of decoding. */
export interface UnpackrOptions extends SharedReadOptions {
  /** Which unusual values are refused, and which types values decode to (spec/09). Default 'default'. */
  readonly mode?: Mode;
  /**
   * Whether records are written and read. Default with a dictionary: 'shared'. Otherwise the default is 'inline' in
   * Packr, Unpackr, PackrStream, UnpackrStream, the transforms and iterators, `decodeElements`, and StreamDecoder with
   * `sequential`. In lossless mode and everywhere else, it is 'off'.
   */
  readonly records?: RecordsMode;
  /**
   * The older name of `records`: true is 'inline', or 'shared' with structures; false is 'off'. A function means true.
   * It is called for each object that is written, and returns true for a record, false for a map.
   */
  readonly useRecords?: boolean | RecordTest;
  /**
   * What a map decodes to. true: an object. Then str keys are names, int keys become text in mode 'default', and other
   * keys are `invalid_key` (except with `allowArraysInMapKeys` or `compat`). false: a Map. Default: a Map in Packr,
   * Unpackr and UnpackrStream with records, and in other readers if an option asks for records. In lossless mode and in
   * all other cases, the default is an object if all keys are str, else a Map. A record decodes to an object (in
   * lossless mode as spec/09 says).
   */
  readonly mapsAsObjects?: boolean;
  /**
   * true: with `mapsAsObjects` in mode 'default', a key that is an array of str, numbers and bools, or of arrays of
   * them, becomes the text of its elements, joined by commas. Default false: such keys are `invalid_key`.
   */
  readonly allowArraysInMapKeys?: boolean;
  /**
   * 'msgpackr': writes the same bytes as msgpackr 2.1, with few exceptions. Reads what only msgpackr writes: `C1`,
   * invalid dates, extensions with `write`. With `mapsAsObjects` in mode 'default', keys that are floats, booleans or
   * nil also become text. Most values that msgpackr itself loses or breaks (such as lone surrogates and typed arrays)
   * are treated as without this option. Default: none.
   */
  readonly compat?: 'msgpackr';
  /** true: bin and ext data are copies; false: they are views of the input, except in streams. Default false. */
  readonly copyBuffers?: boolean;
  /**
   * Called with the Uint8Array of a bin, or of the data of an ext. Returns the view to use instead, such as a Buffer:
   * `(bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)`. If it throws, the error is
   * `unsupported_value`, and its `cause` is what was thrown. Default: the Uint8Array itself.
   */
  wrapBytes?(bytes: Uint8Array): Uint8Array;
  /**
   * true: each string has memory of its own. false: a short string may be a part of a larger string with up to 4 KiB of
   * the message, which stays in memory as long as any of its parts. Use true if a program keeps a few strings of each
   * message for long, or if other parts of a message must not stay in memory. Reading strings then takes up to three
   * times as long. Default false.
   */
  readonly separateStrings?: boolean;
  /**
   * What an integer beyond 32 bits (outside −2³¹ … 2³²−1) decodes to. 'auto': a number if it is safe, otherwise a
   * bigint; with `moreTypes`, an int 64 outside keys also becomes a bigint. 'number': a number; an unsafe one is
   * `out_of_range`. 'string': its decimal digits. 'bigint': a bigint. Then a smaller int 64 or uint 64, such as
   * msgpackr writes for `5n`, also becomes a bigint, except in a key. Default 'auto'.
   */
  readonly int64AsType?: Int64Type;
  /**
   * What a str that isn't UTF-8 decodes to, in mode 'default'. 'error': `invalid_utf8`. 'replace': a string with U+FFFD
   * in place of each invalid sequence, as TextDecoder makes it. 'bytes': a Uint8Array of its bytes, which is written as
   * bin; but a key of a map or a name of a record is still `invalid_utf8`. Default 'error'.
   */
  readonly invalidUtf8?: InvalidUtf8;
  /** The older form of `int64AsType`: true means 'number'; false has no effect. */
  readonly int64AsNumber?: boolean;
  /**
   * When floats are written as float 32, and whether a float 32 is rounded on decode (`FLOAT32_OPTIONS`). true is
   * ALWAYS. Default NEVER.
   */
  readonly useFloat32?: Float32Option | boolean;
  /** Extensions of this codec only. They take precedence over extensions registered with `addExtension`. */
  readonly extensions?: readonly ExtensionDefinition[];
  /**
   * true: values that were the same object before encoding are the same object after decoding, including cycles. Also
   * switches `moreTypes` on if `moreTypes` isn't given. Decoders need the option, too, because they don't understand
   * references without it. Default false.
   */
  readonly structuredClone?: boolean;
  /**
   * true: these values keep their types (spec/03): Set, Error, RegExp, typed arrays, DataView, ArrayBuffer, and bigints
   * of any size that aren't in keys. Reading a RegExp also needs `regExps`. If `int64AsType` isn't 'auto', it decides
   * what a bigint of 64 bits becomes. Default: the value of `structuredClone`.
   */
  readonly moreTypes?: boolean;
  /**
   * true: with `moreTypes`, regular expressions are read. Use this only for trusted input. Parsing an expression may
   * need much memory, which `limits.maxPatternBytes` bounds. Running it may take much time, which nothing bounds.
   * Default false: regular expressions are `unsupported_value`.
   */
  readonly regExps?: boolean;
  /**
   * true: bigints beyond 64 bits are written as an ext, and read from it. On encode, `largeBigIntToFloat` and
   * `largeBigIntToString` take precedence. Default: the value of `moreTypes`.
   */
  readonly useBigIntExtension?: boolean;
  /**
   * Whether code may be generated (`new Function`) for very frequent shapes of records and maps. Generated code decodes
   * the same values, but faster. If the host refuses to generate code, the codec decodes without it. Default: true in
   * Node, Bun and Deno; false elsewhere, so that no page violates its content security policy.
   */
  readonly generateCode?: boolean;
  /**
   * true: reads and writes bundled strings, as msgpackr does with its option of this name. Strings of 4 … 4,095 UTF-16
   * code units are collected in long texts, most often after the message. Messages without bundled strings are also
   * read. Lazy reads and streams of elements don't support bundled strings. A message with bundled strings isn't plain
   * MessagePack, and takes longer to read and write. Default false: a message with bundled strings is usually
   * `reserved_byte`. It is `trailing_data` with `compat`, or if it seems to end before its first byte `c1`. Ext values
   * of type 0x62 with 4 or more bytes are refused, unless an extension is registered for this type: then nothing is
   * bundled.
   */
  readonly bundleStrings?: boolean;
  /**
   * true: a record that a message declares stays declared in later messages, which needn't repeat its names. The reader
   * also needs the option, and must get every message in order: as a stream, by `unpackMultiple` or one by one. A
   * reader of msgpackr's streams needs the option, too. If a message fails, or doesn't fit into the target of
   * `packInto`, the writer forgets all declarations. After a message that failed, the reader refuses record ids that
   * aren't declared. `limits.maxBytes` bounds the memory for a reader's declarations. The option has no effect without
   * records or with a dictionary. A writer with `structuredClone` or `bundleStrings` keeps no declarations.
   *
   * A message that `toJSON` or an extension packs with the same Packr, while it packs another message, isn't a part of
   * the sequence: it declares its own records. Store it inside the outer message, for example as the data of an
   * extension that reads it with the same Unpackr. If a reader gets it as a message of the sequence, later records get
   * wrong names. Default false; true in UnpackrStream.
   */
  readonly sequential?: boolean;
  readonly limits?: Limits;
}

/** Options of encoding and decoding. */
export interface PackrOptions extends UnpackrOptions, SharedOptions {
  /**
   * true: maps have the shortest head; false: objects are written as map 16 or 32. Default true. With `compat` the
   * default is false, unless `skipValues` or `coercibleKeyAsNumber` is given.
   */
  readonly variableMapSize?: boolean;
  /**
   * true: a Date whose seconds fit timestamp 32 is written as timestamp 32, without its milliseconds. Default false.
   */
  readonly useTimestamp32?: boolean;
  /**
   * true: a bigint of −2⁶³ … 2⁶⁴−1 is written as int 64 or uint 64, even if it is small, so that readers with
   * `int64AsType: 'bigint'` get `5n` back. false: it is written as the shortest int. Default: true with `moreTypes` or
   * `compat`, otherwise false.
   */
  readonly wideBigInts?: boolean;
  /**
   * true: a bigint outside −2⁶³ … 2⁶⁴−1 is written as float 64. Default false: it is `out_of_range`, except with
   * `largeBigIntToString` or `useBigIntExtension`.
   */
  readonly largeBigIntToFloat?: boolean;
  /**
   * true: a bigint outside −2⁶³ … 2⁶⁴−1 is written as a str of its decimal digits. `largeBigIntToFloat` takes
   * precedence. Default false.
   */
  readonly largeBigIntToString?: boolean;
  /**
   * false: `toJSON` of class instances isn't called. Default true. For plain objects, except those of another realm, it
   * isn't called in either case.
   */
  readonly useToJSON?: boolean;
  /** Properties with one of these values are left out. NaN may be one of them. Default: none. */
  readonly skipValues?: readonly unknown[];
  /**
   * Returns the value to write for a function. Default: functions are `unsupported_value`; with `compat` they are
   * written as undefined.
   */
  writeFunction?(value: (...args: never[]) => unknown): unknown;
  /**
   * Returns the value to write for an invalid Date. Default: invalid dates are `out_of_range`; with `compat` they are
   * `d4 ff ff`.
   */
  onInvalidDate?(): unknown;
  /** true: a Map is written as an object without properties, as in JSON. Default false. */
  readonly mapAsEmptyObject?: boolean;
  /** true: a Set is written as an object without properties, as in JSON. Default false. */
  readonly setAsEmptyObject?: boolean;
  /**
   * true: where objects are written as maps, a name that is a printed number ("17", "-1.5") is written as that number.
   * Such a map decodes to a Map; with `mapsAsObjects` in mode 'default', to an object if all keys are str or int.
   * Default false.
   */
  readonly coercibleKeyAsNumber?: boolean;
  /** true: undefined is written as nil. Default false: `d4 00 00`. */
  readonly encodeUndefinedAsNil?: boolean;
  /** true: with `moreTypes`, errors keep their `stack`, which reveals the paths of source files. Default false. */
  readonly errorStack?: boolean;
}

/** Options, checked and complete. */
export interface Settings {
  readonly mode: Mode;
  /** Whether records are read and written, inline or shared. */
  readonly inline: boolean;
  /** Decides which objects are written as records; null: all. */
  readonly recordTest: RecordTest | null;
  /** The dictionary; null if records aren't shared. */
  readonly shared: SharedRecords | null;
  readonly maxOwnStructures: number;
  readonly maps: 'auto' | 'objects' | 'maps';
  readonly allowArraysInMapKeys: boolean;
  /** Whether to write the bytes of msgpackr, and read what only msgpackr writes. */
  readonly compat: boolean;
  readonly copyBuffers: boolean;
  readonly wrapBytes: ((bytes: Uint8Array) => Uint8Array) | null;
  /** Whether `wrapBytes` is a function of polypack/msgpackr, which runs no code of the user and may be called twice. */
  readonly wrapsPurely: boolean;
  readonly separateStrings: boolean;
  readonly bundleStrings: boolean;
  readonly int64AsType: Int64Type;
  readonly invalidUtf8: InvalidUtf8;
  readonly useFloat32: Float32Option;
  readonly extensions: ExtensionTable;
  readonly limits: FullLimits;
  readonly variableMapSize: boolean;
  readonly useTimestamp32: boolean;
  readonly largeBigIntToFloat: boolean;
  readonly largeBigIntToString: boolean;
  readonly useToJSON: boolean;
  readonly skipValues: readonly unknown[] | null;
  readonly writeFunction: ((value: (...args: never[]) => unknown) => unknown) | null;
  readonly onInvalidDate: (() => unknown) | null;
  readonly mapAsEmptyObject: boolean;
  readonly setAsEmptyObject: boolean;
  readonly coercibleKeyAsNumber: boolean;
  readonly encodeUndefinedAsNil: boolean;
  readonly references: boolean;
  readonly moreTypes: boolean;
  readonly useBigIntExtension: boolean;
  readonly wideBigInts: boolean;
  readonly regExps: boolean;
  readonly errorStack: boolean;
  readonly generateCode: boolean;
  readonly sequential: boolean;
  /** Whether −0 is written as a float. False with `compat`, which writes 0, as msgpackr does. */
  readonly keepsNegativeZero: boolean;
  /** Whether values are written in canonical form (spec/08): maps are sorted and have the shortest heads. */
  readonly canonical: boolean;
  /**
   * If not false, canonical form writes a float whose value is an integer in −2⁶³ … 2⁶⁴−1 as an int. The function gets
   * an error in an entry of a map, and the entry's encoded key. It returns the entry's path token; null means the usual
   * token. The function is a setting so that bundles without canonical form don't contain it.
   */
  readonly integralFloatsAsInts: false | ((error: unknown, key: Uint8Array) => string | null);
  /** Whether messages start with the fingerprint of their dictionary. */
  readonly fingerprint: boolean;
  /** Whether messages may have an envelope: bundled strings or a header. */
  readonly hasEnvelope: boolean;
}
