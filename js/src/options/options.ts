// The options of Packr and Unpackr: what they are, and how they become settings.
//
// Plan: types · FLOAT32_OPTIONS · Settings, checked and complete · reading options · refusals.
//
// Options are checked once, when a codec is made. Settings never change.

import { type ExtensionDefinition, type ExtensionTable, NO_EXTENSIONS } from '../core/extension.ts';
import { type FullLimits, type Limits, readLimits } from '../core/limits.ts';
import type { SharedOptions, SharedReadOptions, SharedRecords } from '../records/shared.ts';

/** spec/09-modes.md */
export type Mode = 'default' | 'strict' | 'lossless';

/** spec/05-records.md */
export type RecordsMode = 'off' | 'inline' | 'shared';

/** Whether an object is written as a record. */
export type RecordTest = (object: object) => boolean;

/** Values of the option `useFloat32`. */
export const FLOAT32_OPTIONS = /* @__PURE__ */ Object.freeze({
  /** Floats are float 64. */
  NEVER: 0,
  /** Non-integral numbers of absolute value below 2³¹ are float 32, rounded to it. */
  ALWAYS: 1,
  /** ALWAYS, and float 32 decodes to the number with the fewest digits, at least 6, that rounds to it. */
  DECIMAL_ROUND: 3,
  /** Float 32 only where decoding as in DECIMAL_ROUND gives the same number back. */
  DECIMAL_FIT: 4,
} as const);

/** A value of `FLOAT32_OPTIONS`. */
export type Float32Option = (typeof FLOAT32_OPTIONS)[keyof typeof FLOAT32_OPTIONS];

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
   * it says otherwise. Readers need the option, too: references mean nothing to others. Default false.
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
  readonly isWrapped: boolean;
}

const NAMES: readonly (keyof PackrOptions)[] = [
  'mode',
  'records',
  'useRecords',
  'mapsAsObjects',
  'allowArraysInMapKeys',
  'compat',
  'copyBuffers',
  'int64AsType',
  'int64AsNumber',
  'useFloat32',
  'extensions',
  'bundleStrings',
  'limits',
  'variableMapSize',
  'useTimestamp32',
  'largeBigIntToFloat',
  'largeBigIntToString',
  'useToJSON',
  'skipValues',
  'writeFunction',
  'onInvalidDate',
  'mapAsEmptyObject',
  'setAsEmptyObject',
  'coercibleKeyAsNumber',
  'encodeUndefinedAsNil',
  'structuredClone',
  'moreTypes',
  'useBigIntExtension',
  'errorStack',
  'sequential',
  'generateCode',
  'structures',
  'getStructures',
  'fingerprint',
  'saveStructures',
  'maxSharedStructures',
  'maxOwnStructures',
  'shouldShareStructure',
];

/** Whether the host is a server's: no page's policy speaks there. */
const HAS_SERVER = /* @__PURE__ */ isServer();

function isServer(): boolean {
  const host = globalThis as { process?: { versions?: { node?: string } }; document?: unknown };
  return host.process?.versions?.node !== undefined && host.document === undefined;
}

/** Options that lose something between decode and encode, so that lossless mode refuses them when they are on. */
const LOSSY: readonly (keyof PackrOptions)[] = [
  'mapsAsObjects',
  'allowArraysInMapKeys',
  'compat',
  'useFloat32',
  'useTimestamp32',
  'largeBigIntToFloat',
  'largeBigIntToString',
  'skipValues',
  'mapAsEmptyObject',
  'setAsEmptyObject',
  'coercibleKeyAsNumber',
  'encodeUndefinedAsNil',
  'structuredClone',
  'moreTypes',
  'useBigIntExtension',
];

/**
 * Checks options and fills in defaults.
 *
 * @param options an object; names that are not options are refused
 * @param records the default of `records`, outside lossless mode
 * @param readShared makes the dictionary of the options for shared records; without it there are no such options
 * @throws TypeError, RangeError
 */
export function readOptions(
  options: PackrOptions | undefined,
  records: RecordsMode,
  readShared: (options: SharedOptions) => SharedRecords | null = () => null,
): Settings {
  const given = options ?? {};
  if (typeof given !== 'object') throw new TypeError('options must be an object');
  for (const name of Object.keys(given)) if (!isName(name)) failName(name);
  const mode = choice(given, 'mode', ['default', 'strict', 'lossless']);
  // What goes through every language unchanged must be readable by plain readers, too.
  const references = flag(given, 'structuredClone', false);
  const moreTypes = flag(given, 'moreTypes', references);
  const shared = readShared(given);
  const inline = readRecords(given, mode === 'lossless' ? 'off' : records, shared !== null) !== 'off';
  const compat = given.compat !== undefined && choice(given, 'compat', ['msgpackr']) === 'msgpackr';
  const fingerprint = readFingerprint(given, shared !== null);
  const coercibleKeyAsNumber = flag(given, 'coercibleKeyAsNumber', false);
  const skipValues = readSkipped(given);
  const writesWideMaps = compat && !coercibleKeyAsNumber && skipValues === null;
  const settings: Settings = {
    mode,
    inline,
    recordTest: typeof given.useRecords === 'function' ? method(given, 'useRecords') : null,
    shared,
    maxOwnStructures: given.maxOwnStructures ?? Number.POSITIVE_INFINITY,
    maps: readMaps(given, inline && mode !== 'lossless'),
    allowArraysInMapKeys: flag(given, 'allowArraysInMapKeys', false),
    compat,
    copyBuffers: flag(given, 'copyBuffers', false),
    bundleStrings: flag(given, 'bundleStrings', false),
    int64AsType: readInt64(given),
    useFloat32: readFloat32(given),
    extensions: NO_EXTENSIONS.with(readExtensions(given)),
    limits: readLimits(given.limits),
    variableMapSize: flag(given, 'variableMapSize', !writesWideMaps),
    useTimestamp32: flag(given, 'useTimestamp32', false),
    largeBigIntToFloat: flag(given, 'largeBigIntToFloat', false),
    largeBigIntToString: flag(given, 'largeBigIntToString', false),
    useToJSON: flag(given, 'useToJSON', true),
    skipValues,
    writeFunction: method<NonNullable<PackrOptions['writeFunction']>>(given, 'writeFunction'),
    onInvalidDate: method<() => unknown>(given, 'onInvalidDate'),
    mapAsEmptyObject: flag(given, 'mapAsEmptyObject', false),
    setAsEmptyObject: flag(given, 'setAsEmptyObject', false),
    coercibleKeyAsNumber,
    encodeUndefinedAsNil: flag(given, 'encodeUndefinedAsNil', false),
    references,
    moreTypes,
    useBigIntExtension: flag(given, 'useBigIntExtension', moreTypes),
    errorStack: flag(given, 'errorStack', false),
    fingerprint,
    isWrapped: fingerprint || flag(given, 'bundleStrings', false),
    sequential: readSequential(given, inline && shared === null && !references),
    generateCode: flag(given, 'generateCode', HAS_SERVER),
  };
  if (mode === 'lossless') refuseLoss(given, settings);
  return Object.freeze(settings);
}

function isName(name: string): name is keyof PackrOptions {
  return (NAMES as readonly string[]).includes(name);
}

function failName(name: string): never {
  const alike = NAMES.find((known) => known.toLowerCase() === name.toLowerCase());
  const hint = alike === undefined ? `the options are ${NAMES.join(', ')}` : `did you mean ${alike}?`;
  throw new TypeError(`unknown option ${name}; ${hint}`);
}

function flag(options: PackrOptions, name: keyof PackrOptions, absent: boolean): boolean {
  const value = options[name] ?? absent;
  if (typeof value !== 'boolean') throw new TypeError(`option ${name} must be true or false`);
  return value;
}

/** An option that is a function; it keeps the caller's object as `this`. */
function method<T>(options: PackrOptions, name: keyof PackrOptions): T | null {
  const value: unknown = options[name];
  if (value === undefined) return null;
  if (typeof value !== 'function') throw new TypeError(`option ${name} must be a function`);
  return value.bind(options) as T;
}

function readSkipped({ skipValues }: PackrOptions): readonly unknown[] | null {
  if (skipValues === undefined) return null;
  if (!Array.isArray(skipValues)) throw new TypeError('option skipValues must be an array of values');
  return skipValues.length === 0 ? null : [...skipValues];
}

/** The value of an option with named values; the first is the default. */
function choice<T extends string>(options: PackrOptions, name: keyof PackrOptions, values: readonly [T, ...T[]]): T {
  const value = options[name] ?? values[0];
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw new TypeError(`option ${name} must be one of '${values.join("', '")}'`);
  return known;
}

function readRecords(options: PackrOptions, absent: RecordsMode, isShared: boolean): RecordsMode {
  const used = isShared ? 'shared' : 'inline';
  const isUsed = typeof options.useRecords === 'function' || flag(options, 'useRecords', true);
  const older = options.useRecords === undefined ? undefined : isUsed ? used : 'off';
  const said =
    options.records === undefined ? older : choice<RecordsMode>(options, 'records', ['off', 'inline', 'shared']);
  const records = said ?? (isShared ? used : absent);
  if (older !== undefined && older !== records) {
    throw new TypeError(`options records: '${records}' and useRecords: ${older !== 'off'} contradict each other`);
  }
  if (isShared && records !== 'shared') throw new TypeError('structures need records to be shared');
  if (!isShared && records === 'shared') throw new TypeError("records: 'shared' needs structures or getStructures");
  return records;
}

function readMaps(options: PackrOptions, keepsMaps: boolean): Settings['maps'] {
  if (options.mapsAsObjects === undefined) return keepsMaps ? 'maps' : 'auto';
  return flag(options, 'mapsAsObjects', false) ? 'objects' : 'maps';
}

function readInt64(options: PackrOptions): Int64Type {
  const said = choice<Int64Type>(options, 'int64AsType', ['auto', 'bigint', 'number', 'string']);
  if (!flag(options, 'int64AsNumber', false)) return said;
  if (options.int64AsType === undefined || said === 'number') return 'number';
  throw new TypeError(`options int64AsType: '${said}' and int64AsNumber: true contradict each other`);
}

function readFingerprint(options: PackrOptions, isShared: boolean): boolean {
  const isAsked = flag(options, 'fingerprint', false);
  if (isAsked && !isShared) throw new TypeError('option fingerprint needs structures or getStructures');
  if (isAsked && options.bundleStrings === true) {
    throw new TypeError('options fingerprint and bundleStrings exclude each other');
  }
  return isAsked;
}

function readSequential(options: PackrOptions, hasEffect: boolean): boolean {
  const isAsked = flag(options, 'sequential', false);
  return isAsked && hasEffect && options.bundleStrings !== true;
}

function readFloat32(options: PackrOptions): Float32Option {
  const value = options.useFloat32 ?? FLOAT32_OPTIONS.NEVER;
  if (typeof value === 'boolean') return value ? FLOAT32_OPTIONS.ALWAYS : FLOAT32_OPTIONS.NEVER;
  if (Object.values(FLOAT32_OPTIONS).includes(value)) return value;
  throw new TypeError('option useFloat32 must be a value of FLOAT32_OPTIONS, true or false');
}

function readExtensions(options: PackrOptions): readonly ExtensionDefinition[] {
  const { extensions = [] } = options;
  if (!Array.isArray(extensions)) throw new TypeError('option extensions must be an array of extensions');
  return extensions;
}

function refuseLoss(options: PackrOptions, settings: Settings): void {
  const lossy = LOSSY.find((name) => options[name] !== undefined && options[name] !== false && options[name] !== 0);
  if (lossy !== undefined) throw new TypeError(`option ${lossy} loses data, and mode 'lossless' loses none`);
  if (settings.int64AsType === 'number' || settings.int64AsType === 'string') {
    throw new TypeError(`option int64AsType: '${settings.int64AsType}' loses data, and mode 'lossless' loses none`);
  }
}
