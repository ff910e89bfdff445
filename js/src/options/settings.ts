// What users may set, and what it becomes: settings, complete and checked.
//
// Plan: types of values · UnpackrOptions · PackrOptions · Settings.

import type { ExtensionDefinition, ExtensionTable } from '../core/extension.ts';
import type { Float32Option } from '../core/float32.ts';
import type { FullLimits, Limits } from '../core/limits.ts';
import type { SharedOptions, SharedReadOptions, SharedRecords } from '../records/shared.ts';

/** spec/09-modes.md */
export type Mode = 'default' | 'strict' | 'lossless';

/** spec/05-records.md */
export type RecordsMode = 'off' | 'inline' | 'shared';

/** Whether an object is written as a record. */
export type RecordTest = (object: object) => boolean;

/** What an integer beyond 32 bits decodes to. */
export type Int64Type = 'auto' | 'bigint' | 'number' | 'string';

/** Options of decoding. */
export interface UnpackrOptions extends SharedReadOptions {
  /** What strangeness is refused and which types come out (spec/09). Default 'default'. */
  readonly mode?: Mode;
  /**
   * Whether records are written and read. Default 'shared' with structures; else 'inline' in Packr and Unpackr, but 'off' in
   * lossless mode; 'off' elsewhere.
   */
  readonly records?: RecordsMode;
  /**
   * The older name of `records`: true is 'inline', or 'shared' with structures; false is 'off'. A function is asked for each
   * object that is written: true for a record, false for a map; otherwise it means true.
   */
  readonly useRecords?: boolean | RecordTest;
  /**
   * What a map decodes to: true an object (int keys become text in mode 'default'; every other key is `invalid_key`), false
   * a Map. Default: an object when all keys are str, else a Map; with records and not in lossless mode, a Map. A record
   * decodes to an object (in lossless mode as 09 says).
   */
  readonly mapsAsObjects?: boolean;
  /**
   * true: with `mapsAsObjects` in mode 'default', a key that is an array of str, numbers and bools, or of arrays of them, is
   * the text of its elements with commas between. Default false: such keys are `invalid_key`.
   */
  readonly allowArraysInMapKeys?: boolean;
  /**
   * 'msgpackr': values are written byte for byte as msgpackr 2.1 writes them, and what only it writes is read: `C1`, invalid
   * dates, extensions with `write`. What it loses or breaks itself (lone surrogates, typed arrays) stays as it is here. Default: none.
   */
  readonly compat?: 'msgpackr';
  /** true: bin and ext data are copies; false: they are views of the input. Default false. */
  readonly copyBuffers?: boolean;
  /**
   * What an integer beyond 32 bits (outside −2³¹ … 2³²−1) decodes to, whatever its width on the wire. 'auto': a number when safe, else a bigint;
   * 'number' fails with `out_of_range` when unsafe; 'bigint' and 'string' (decimal) always. Default 'auto'.
   */
  readonly int64AsType?: Int64Type;
  /** The older name of `int64AsType: 'number'`: true is that, false says nothing. */
  readonly int64AsNumber?: boolean;
  /** Float 32, see `FLOAT32_OPTIONS`; true is ALWAYS. Default NEVER. */
  readonly useFloat32?: Float32Option | boolean;
  /** Extensions of this codec alone; they win over those of `addExtension`. */
  readonly extensions?: readonly ExtensionDefinition[];
  /**
   * true: objects are the same after decoding where they were the same before, cycles included, and `moreTypes` is on unless
   * it says otherwise. Decoders need the option, too: references mean nothing to others. Default false.
   */
  readonly structuredClone?: boolean;
  /**
   * true: Set, Error, RegExp, typed arrays, DataView, ArrayBuffer and bigints of any size keep their types (spec/03).
   * Decoding builds regular expressions and errors from the input then. Default: as `structuredClone`.
   */
  readonly moreTypes?: boolean;
  /** true: bigints beyond 64 bits are an ext of their own. Default: as `moreTypes`. */
  readonly useBigIntExtension?: boolean;
  /**
   * Whether code may be generated (`new Function`) for records and maps of shapes that come very often: they decode to the same, but
   * faster. It is tried for the first of them only, and never again when the host refuses. Default: true in Node, Bun and Deno; false
   * elsewhere, so that a page with a content security policy has nothing to report.
   */
  readonly generateCode?: boolean;
  /**
   * true: strings are read, and written, as msgpackr bundles them: all of a message behind it, in two texts (see its option of the
   * same name). Plain bytes are read, too. Not for lazy reads and elements of a stream. Bytes so written are no plain MessagePack,
   * and here they take longer than others. Default false: such bytes are `reserved_byte`.
   */
  readonly bundleStrings?: boolean;
  readonly limits?: Limits;
}

/** Options of encoding and decoding. */
export interface PackrOptions extends UnpackrOptions, SharedOptions {
  /**
   * true: maps have the shortest head; false: objects are written as map 16 or 32 at least. Default true; with `compat`
   * false, unless there are `skipValues` or `coercibleKeyAsNumber`.
   */
  readonly variableMapSize?: boolean;
  /** true: a Date is written without milliseconds where timestamp 32 holds the rest. Default false. */
  readonly useTimestamp32?: boolean;
  /** true: a bigint outside −2⁶³ … 2⁶⁴−1 is written as float 64; false: `out_of_range`. Default false. */
  readonly largeBigIntToFloat?: boolean;
  /** true: a bigint outside −2⁶³ … 2⁶⁴−1 is written as a str of its decimal digits. Default false. */
  readonly largeBigIntToString?: boolean;
  /** false: `toJSON` of objects is not asked what they are. Default true. */
  readonly useToJSON?: boolean;
  /** Properties of objects with one of these values are left out, NaN included. Default: none. */
  readonly skipValues?: readonly unknown[];
  /** What is written for a function. Default: functions are `unsupported_value`, with `compat` undefined. */
  writeFunction?(value: (...args: never[]) => unknown): unknown;
  /** What is written for an invalid Date. Default: invalid dates are `out_of_range`, with `compat` `d4 ff ff`. */
  onInvalidDate?(): unknown;
  /** true: a Map is written as an object without properties, as JSON has it. Default false. */
  readonly mapAsEmptyObject?: boolean;
  /** true: a Set is written as an object without properties, as JSON has it. Default false. */
  readonly setAsEmptyObject?: boolean;
  /**
   * true: where objects are written as maps, a name that is a number as it prints ("17", "-1.5") is written as that number.
   * Such maps decode to Map, with `mapsAsObjects` to objects when all of their keys are str or int. Default false.
   */
  readonly coercibleKeyAsNumber?: boolean;
  /** true: undefined is written as nil. Default false: `d4 00 00`. */
  readonly encodeUndefinedAsNil?: boolean;
  /**
   * true: a record that a message declares stays declared in those behind it, so that its names are written once. Their reader
   * must be given every message in order: UnpackrStream, or StreamDecoder and decodeIter with their option of this name. A
   * message that fails, or does not fit where `packInto` puts it, ends what was declared. No effect with `structures`,
   * `structuredClone` and `bundleStrings`. Default false.
   */
  readonly sequential?: boolean;
  /** true: with `moreTypes` errors take their `stack` along, which tells where programs lie. Default false. */
  readonly errorStack?: boolean;
}

/** Options, checked and complete. */
export interface Settings {
  readonly mode: Mode;
  /** Whether there are records at all. */
  readonly inline: boolean;
  /** Which objects are records, when there are records; null for all. */
  readonly recordTest: RecordTest | null;
  /** The dictionary; null unless records are shared. */
  readonly shared: SharedRecords | null;
  readonly maxOwnStructures: number;
  readonly maps: 'auto' | 'objects' | 'maps';
  readonly allowArraysInMapKeys: boolean;
  /** Whether bytes are to be those of msgpackr. */
  readonly compat: boolean;
  readonly copyBuffers: boolean;
  readonly bundleStrings: boolean;
  readonly int64AsType: Int64Type;
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
  readonly errorStack: boolean;
  readonly generateCode: boolean;
  readonly sequential: boolean;
  /** Whether messages begin with the fingerprint of their dictionary. */
  readonly fingerprint: boolean;
  /** Whether messages are more than their encoding: bundled, or behind a header. */
  readonly hasEnvelope: boolean;
}
