// The options of the compact codec: those of the package that decide what a value becomes, checked once.
//
// Plan: types · Settings · reading options · extensions.
//
// An option that is not here is refused, so no caller believes that it has an effect.

import type { ExtensionDefinition } from '../extension.ts';
import { DEEPEST, MAX_DEPTH, TIMESTAMP_TYPE, UNLIMITED } from '../format.ts';
import type { Limits } from '../limits.ts';
import type { PackrOptions as AllOptions } from '../options.ts';

/** Options of decoding. They mean what they mean in the package. */
export interface UnpackrOptions
  extends Pick<AllOptions, 'mode' | 'mapsAsObjects' | 'copyBuffers' | 'int64AsType' | 'extensions'> {
  /**
   * 'inline': records that the message declares are read, and maps decode to Map unless `mapsAsObjects` or `mode` says
   * otherwise. Nothing here writes records. Default 'off': they are `invalid_record`.
   */
  readonly records?: 'off' | 'inline';
  readonly limits?: Pick<Limits, 'maxDepth' | 'maxValues'>;
}

/** Options of encoding and decoding. They mean what they mean in the package. */
export interface PackrOptions extends UnpackrOptions, Pick<AllOptions, 'useToJSON' | 'encodeUndefinedAsNil'> {}

/** Options, checked and complete. */
export interface Settings
  extends Required<Omit<PackrOptions, 'mapsAsObjects' | 'limits'>>,
    Required<Pick<Limits, 'maxDepth' | 'maxValues'>> {
  readonly mapsAsObjects: boolean | undefined;
  /** Not mode 'default': duplicates are refused. */
  readonly exact: boolean;
}

const FLAG = [false, true];

/** The values of each option, the default first. */
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  mode: ['default', 'strict', 'lossless'],
  records: ['off', 'inline'],
  mapsAsObjects: [undefined, true, false],
  copyBuffers: FLAG,
  int64AsType: ['auto', 'bigint', 'number', 'string'],
  useToJSON: [true, false],
  encodeUndefinedAsNil: FLAG,
};

/** The range of each limit. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  maxDepth: [0, DEEPEST],
  maxValues: [1, UNLIMITED],
};

/**
 * Checks options and fills in defaults.
 *
 * @throws TypeError, RangeError
 */
export function readOptions(options: PackrOptions = {}): Settings {
  if (typeof options !== 'object') throw new TypeError('options must be an object');
  const settings: Record<string, unknown> = { extensions: [], maxDepth: MAX_DEPTH, maxValues: UNLIMITED };
  for (const name in CHOICES) settings[name] = CHOICES[name]?.[0];
  const { limits = {}, extensions = [], ...choices } = options;
  for (const [name, value] of membersOf(choices, CHOICES)) {
    const values = CHOICES[name] as readonly unknown[];
    if (!values.includes(value)) throw new TypeError(`option ${name} must be one of ${values.join(', ')}`);
    settings[name] = value;
  }
  for (const [name, value] of membersOf(limits, RANGES)) {
    const [least, most] = RANGES[name] as readonly [number, number];
    if (value !== most && !(Number.isInteger(value) && (value as number) >= least && (value as number) <= most)) {
      throw new RangeError(`limit ${name} must be an integer from ${least} to ${most}`);
    }
    settings[name] = value;
  }
  // Of two that fit the later wins.
  settings.extensions = [...extensions].reverse();
  extensions.forEach(checkExtension);

  const { mode, records, mapsAsObjects, int64AsType } = settings;
  settings.exact = mode !== 'default';
  if (mode !== 'lossless') {
    if (records === 'inline') settings.mapsAsObjects ??= false;
  } else if (mapsAsObjects || settings.encodeUndefinedAsNil || int64AsType === 'number' || int64AsType === 'string') {
    throw new TypeError("mode 'lossless' has no options that lose data");
  }
  return settings as unknown as Settings;
}

/** The members that are not undefined; fails for one that is not known. */
function membersOf(given: object, known: object): [string, unknown][] {
  return Object.entries(given).filter(([name, value]) => {
    if (!Object.hasOwn(known, name))
      throw new TypeError(`polypack/compact has no option ${name}; its README lists them`);
    return value !== undefined;
  });
}

const MEMBERS = { Class: 0, type: 0, pack: 0, unpack: 0, write: 0, read: 0 };

function checkExtension(extension: ExtensionDefinition): void {
  membersOf(extension, MEMBERS);
  const { Class, type, pack, unpack, write, read } = extension;
  const encodes = pack || write;
  const decodes = unpack || read;
  const isType = Number.isInteger(type) && type !== TIMESTAMP_TYPE && ((type as number) << 24) >> 24 === type;
  if (type === undefined ? decodes || pack || !write : !isType || !(encodes || decodes)) fail('type');
  if (encodes && !Class) fail('Class');
  for (const member of [Class, pack, unpack, write, read]) {
    if (member !== undefined && typeof member !== 'function') fail('function');
  }
}

function fail(what: string): never {
  throw new TypeError(`an extension has a wrong ${what}`);
}
