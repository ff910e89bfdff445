// The options of the compact codec. They are a subset of the options of the main entry point.
//
// Plan: types · Settings · reading options · extensions.
//
// Any other option is refused, so that no caller believes that it has an effect.

import type { ExtensionDefinition } from '../core/extension.ts';
import { DEEPEST, MAX_COLLISIONS, MAX_DEPTH, TIMESTAMP_TYPE, UNLIMITED } from '../core/format.ts';
import type { Limits } from '../core/limits.ts';
import type { PackrOptions as AllOptions } from '../options/settings.ts';

/** Options of decoding. They mean the same as in the main entry point. */
export interface UnpackrOptions
  extends Pick<AllOptions, 'mode' | 'mapsAsObjects' | 'copyBuffers' | 'int64AsType' | 'extensions'> {
  /**
   * 'inline': reads records that the message declares. Then maps decode to Map, except with `mapsAsObjects` or in
   * lossless mode. Default 'off': declarations are `invalid_record`. Packr and `pack` accept only 'off', because the
   * compact codec doesn't write records.
   */
  readonly records?: 'off' | 'inline';
  readonly limits?: CompactLimits;
}

/** Limits. They mean the same as in the main entry point. */
export type CompactLimits = Pick<Limits, 'maxDepth' | 'maxValues' | 'maxCollisions'>;

/** Options of encoding and decoding. They mean the same as in the main entry point. */
export interface PackrOptions extends UnpackrOptions, Pick<AllOptions, 'useToJSON' | 'encodeUndefinedAsNil'> {}

/** Options, checked and complete. */
export interface Settings extends Required<Omit<PackrOptions, 'mapsAsObjects' | 'limits'>>, Required<CompactLimits> {
  readonly mapsAsObjects: boolean | undefined;
  readonly lossless: boolean;
  /** Whether equal keys of a map are refused, and with `mapsAsObjects` also keys that are ints. */
  readonly checksKeys: boolean;
  /**
   * The mode that decides which keys are equal; undefined except while a key is encoded only to be compared. If
   * it is set, entries of maps are sorted, and in strict mode 1.0 is written as 1.
   */
  readonly sorts?: Settings['mode'];
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

const LIMITS: Readonly<Required<CompactLimits>> = {
  maxDepth: MAX_DEPTH,
  maxValues: UNLIMITED,
  maxCollisions: MAX_COLLISIONS,
};

const DEFAULTS: Settings = /* @__PURE__ */ settingsOf({});

/**
 * Checks options and fills in defaults.
 *
 * @throws TypeError for options that don't exist here or make no sense
 */
export function readOptions(options: PackrOptions | undefined): Settings {
  return options === undefined ? DEFAULTS : settingsOf(options);
}

function settingsOf(options: PackrOptions): Settings {
  if (typeof options !== 'object' || !options) fail('options');
  const settings: Record<string, unknown> = { ...LIMITS };
  for (const name in CHOICES) settings[name] = CHOICES[name]?.[0];
  const { limits = {}, extensions = [], ...choices } = options;
  for (const [name, value] of membersOf(choices, CHOICES)) {
    if (!CHOICES[name]?.includes(value)) fail(name);
    settings[name] = value;
  }
  for (const [name, value] of membersOf(limits, LIMITS)) {
    const isDepth = name === 'maxDepth';
    const most = isDepth ? DEEPEST : UNLIMITED;
    const limit = value as number;
    if (limit !== most && !(Number.isInteger(limit) && limit >= (isDepth ? 0 : 1) && limit <= most)) fail(name);
    settings[name] = limit;
  }
  // If two extensions fit a value, the later one wins.
  settings.extensions = [...extensions].reverse();
  extensions.forEach(checkExtension);

  const { mode, mapsAsObjects } = settings;
  const lossless = mode === 'lossless';
  const losesInts = (settings.int64AsType as string) > 'c'; // true for 'number' and 'string'
  if (lossless && (mapsAsObjects || settings.encodeUndefinedAsNil || losesInts)) fail('mode');
  settings.lossless = lossless;
  settings.checksKeys = mode !== 'default';
  if (!lossless && settings.records === 'inline') settings.mapsAsObjects ??= false;
  return settings as unknown as Settings;
}

/** Returns the members that aren't undefined. Throws for a name that isn't in `known`. */
function membersOf(given: object, known: object): [string, unknown][] {
  return Object.entries(given).filter(([name, value]) => {
    if (!Object.hasOwn(known, name)) fail(name);
    return value !== undefined;
  });
}

function checkExtension(extension: ExtensionDefinition): void {
  const { Class, type, pack, unpack, write, read, create: _, ...others } = extension;
  Object.keys(others).forEach(fail);
  const needsType = pack || unpack || read;
  if (
    !(needsType || write) ||
    ((pack || write) && !Class) ||
    (type === undefined ? needsType : type !== (type << 24) >> 24 || type === TIMESTAMP_TYPE) ||
    [Class, pack, unpack, write, read].some((member) => member !== undefined && typeof member !== 'function')
  ) {
    fail('extensions');
  }
}

export function fail(name: string): never {
  throw new TypeError(`unknown ${name} for polypack/compact`);
}
