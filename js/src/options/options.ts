// Checks the options of a codec and turns them into settings.
//
// Plan: names · readOptions · reading one option · refusals.
//
// Options are checked once, when a codec is made. Settings never change.
//
// To add an option, declare it in settings.ts (options and Settings), and add it to FLAGS, or to OTHERS and
// readOptions. If it loses data, add it to LOSSY. Other files decide where it is accepted: codec/packr.ts (OF_CLASSES,
// options that `pack` and `unpack` refuse), compact/options.ts (options of the compact codec), msgpackr/options.ts
// (options of msgpackr), and stream/stream.ts (readStreamOptions, options that streams read themselves).

import { type ExtensionDefinition, NO_EXTENSIONS } from '../core/extension.ts';
import { ALWAYS, FLOAT32_OPTIONS, type Float32Option, NEVER } from '../core/float32.ts';
import { failKind, isLimit, readLimits } from '../core/limits.ts';
import type { SharedOptions, SharedRecords } from '../records/shared.ts';
import type { Int64Type, PackrOptions, RecordsMode, Settings } from './settings.ts';

/** Options that are booleans, false by default, and become settings of the same name. */
const FLAGS = [
  'allowArraysInMapKeys',
  'copyBuffers',
  'separateStrings',
  'bundleStrings',
  'useTimestamp32',
  'largeBigIntToFloat',
  'largeBigIntToString',
  'mapAsEmptyObject',
  'setAsEmptyObject',
  'coercibleKeyAsNumber',
  'encodeUndefinedAsNil',
  'regExps',
  'errorStack',
  'sequential',
] as const;

const OTHERS: readonly (keyof PackrOptions)[] = [
  'mode',
  'records',
  'useRecords',
  'mapsAsObjects',
  'compat',
  'int64AsType',
  'invalidUtf8',
  'int64AsNumber',
  'useFloat32',
  'extensions',
  'limits',
  'variableMapSize',
  'useToJSON',
  'skipValues',
  'writeFunction',
  'onInvalidDate',
  'wrapBytes',
  'structuredClone',
  'moreTypes',
  'useBigIntExtension',
  'wideBigInts',
  'generateCode',
  'structures',
  'getStructures',
  'fingerprint',
  'saveStructures',
  'maxSharedStructures',
  'maxOwnStructures',
  'shouldShareStructure',
];

/** Whether the host is Node, Bun or Deno without a document. A page may forbid generated code. */
const HAS_SERVER = /* @__PURE__ */ isServer();

function isServer(): boolean {
  const host = globalThis as { process?: { versions?: { node?: string } }; document?: unknown };
  return host.process?.versions?.node !== undefined && host.document === undefined;
}

/** Options with which decoding and encoding again may lose data. Lossless mode refuses them if they are on. */
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
 * @param options an object; unknown names are refused
 * @param records the default of the option `records` without a dictionary; in lossless mode this default is 'off'
 * @param readShared makes the dictionary from the options for shared records; by default it makes none
 * @throws TypeError, RangeError
 */
export function readOptions(
  options: PackrOptions | undefined,
  records: RecordsMode,
  readShared: (options: SharedOptions) => SharedRecords | null = () => null,
): Settings {
  const given = options ?? {};
  if (typeof given !== 'object') failKind('options', 'an object');
  checkNames(given, [...FLAGS, ...OTHERS]);
  const mode = choice(given, 'mode', ['default', 'strict', 'lossless']);
  const flags = Object.fromEntries(FLAGS.map((name) => [name, flag(given, name, false)])) as Record<
    (typeof FLAGS)[number],
    boolean
  >;
  const references = flag(given, 'structuredClone', false);
  const moreTypes = flag(given, 'moreTypes', references);
  const shared = readShared(given);
  // In lossless mode the default of `records` is 'off', so that readers without records can also read the data.
  const inline = readRecords(given, mode === 'lossless' ? 'off' : records, shared !== null) !== 'off';
  const compat = given.compat !== undefined && choice(given, 'compat', ['msgpackr']) === 'msgpackr';
  const fingerprint = readFingerprint(given, shared !== null);
  const skipValues = readSkipped(given);
  const writesWideMaps = compat && !flags.coercibleKeyAsNumber && skipValues === null;
  flags.sequential &&= inline && shared === null;
  const settings: Settings = {
    mode,
    inline,
    recordTest: typeof given.useRecords === 'function' ? method(given, 'useRecords') : null,
    // Don't spread these first, because V8 would then make an object in dictionary mode, and each codec would cost
    // 100 µs more.
    ...flags,
    shared,
    maxOwnStructures: given.maxOwnStructures ?? Number.POSITIVE_INFINITY,
    maps: readMaps(given, inline && mode !== 'lossless'),
    compat,
    int64AsType: readInt64(given),
    invalidUtf8: choice(given, 'invalidUtf8', mode === 'default' ? ['error', 'replace', 'bytes'] : ['error']),
    useFloat32: readFloat32(given),
    extensions: NO_EXTENSIONS.with(readExtensions(given)),
    limits: readLimits(given.limits),
    variableMapSize: flag(given, 'variableMapSize', !writesWideMaps),
    useToJSON: flag(given, 'useToJSON', true),
    skipValues,
    writeFunction: method<NonNullable<PackrOptions['writeFunction']>>(given, 'writeFunction'),
    onInvalidDate: method<() => unknown>(given, 'onInvalidDate'),
    wrapBytes: method<(bytes: Uint8Array) => Uint8Array>(given, 'wrapBytes'),
    wrapsPurely: given.wrapBytes !== undefined && PURE in given.wrapBytes,
    references,
    moreTypes,
    useBigIntExtension: flag(given, 'useBigIntExtension', moreTypes),
    wideBigInts: flag(given, 'wideBigInts', moreTypes || compat),
    keepsNegativeZero: !compat,
    canonical: false,
    integralFloatsAsInts: false,
    fingerprint,
    hasEnvelope: fingerprint || flags.bundleStrings,
    generateCode: flag(given, 'generateCode', HAS_SERVER),
  };
  if (mode === 'lossless') refuseLoss(given, settings);
  return Object.freeze(settings);
}

export function checkNames(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) if (!names.includes(name)) failName(name, names);
}

/** Refuses an unknown option. Names one that differs in at most two letters in a row, apart from their case. */
function failName(name: string, names: readonly string[]): never {
  const given = name.toLowerCase();
  const near = names.find((known) => {
    const wanted = known.toLowerCase();
    let start = 0;
    while (start < wanted.length && wanted[start] === given[start]) start++;
    const rest = Math.max(wanted.length, given.length) - start - 2;
    return rest < 1 || wanted.slice(start).slice(-rest) === given.slice(start).slice(-rest);
  });
  const meant = isLimit(name) ? `limits.${name}` : near;
  throw new TypeError(`unknown option ${name}${meant ? `; did you mean ${meant}?` : ''}`);
}

/** Marks a `wrapBytes` that runs no code of the user. A global symbol, because polypack/msgpackr is another bundle. */
const PURE = /* @__PURE__ */ Symbol.for('polypack.pure');

export function flag<T>(options: T, name: keyof T & string, absent: boolean): boolean {
  const value: unknown = options[name] ?? absent;
  if (typeof value !== 'boolean') failKind(`option ${name}`, 'a boolean');
  return value;
}

/** Reads an option that is a function. Binds it to the options object. Returns null if it isn't given. */
function method<T>(options: PackrOptions, name: keyof PackrOptions): T | null {
  const value: unknown = options[name];
  if (value === undefined) return null;
  if (typeof value !== 'function') failKind(`option ${name}`, 'a function');
  return value.bind(options) as T;
}

function readSkipped({ skipValues }: PackrOptions): readonly unknown[] | null {
  if (skipValues === undefined) return null;
  if (!Array.isArray(skipValues)) failKind('option skipValues', 'an array');
  return skipValues.length === 0 ? null : [...skipValues];
}

/** Reads an option with named values. The first one is the default. */
function choice<T extends string>(options: PackrOptions, name: keyof PackrOptions, values: readonly [T, ...T[]]): T {
  const value = options[name] ?? values[0];
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) failKind(`option ${name}`, `one of '${values.join("', '")}'`);
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
    failPair(`records: '${records}'`, `useRecords: ${older !== 'off'}`);
  }
  if (isShared && records !== 'shared') throw new TypeError("structures need records: 'shared'");
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
  failPair(`int64AsType: '${said}'`, 'int64AsNumber: true');
}

function readFingerprint(options: PackrOptions, isShared: boolean): boolean {
  const isAsked = flag(options, 'fingerprint', false);
  if (isAsked && !isShared) throw new TypeError('option fingerprint needs structures or getStructures');
  if (isAsked && options.bundleStrings === true) failPair('fingerprint', 'bundleStrings');
  return isAsked;
}

function readFloat32(options: PackrOptions): Float32Option {
  const value = options.useFloat32 ?? NEVER;
  if (typeof value === 'boolean') return value ? ALWAYS : NEVER;
  if (Object.values(FLOAT32_OPTIONS).includes(value)) return value;
  failKind('option useFloat32', 'a value of FLOAT32_OPTIONS, true or false');
}

function readExtensions(options: PackrOptions): readonly ExtensionDefinition[] {
  const { extensions = [] } = options;
  if (!Array.isArray(extensions)) failKind('option extensions', 'an array');
  return extensions;
}

function refuseLoss(options: PackrOptions, settings: Settings): void {
  const { int64AsType } = settings;
  const losesInts = int64AsType === 'number' || int64AsType === 'string';
  const lossy = LOSSY.find((name) => Boolean(options[name])) ?? (losesInts && `int64AsType: '${int64AsType}'`);
  if (lossy) throw new TypeError(`option ${lossy} loses data, and mode 'lossless' loses none`);
}

export function failPair(option: string, other: string): never {
  throw new TypeError(`options ${option} and ${other} contradict each other`);
}
