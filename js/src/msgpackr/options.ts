// Translates the options and extensions of msgpackr to those of this package.
//
// Plan: Options, Extension · encodingOptions, decodingOptions · extensionOf.
//
// msgpackr ignores options that it doesn't know, and programs pass it options of other libraries. So only known names
// are taken over. Some messages that msgpackr reads without an option need an option here, which decodingOptions
// switches on.

import type { Buffer as HostBuffer } from 'node:buffer';
import type { Bytes, ExtensionDefinition, Float32Option, Limits, PackrOptions, UnpackrOptions } from '../index.ts';

/** A Buffer whose memory is never shared, as `Bytes`: `Buffer` in older types of Node, `Buffer<ArrayBuffer>` since. */
export type NewBuffer = ReturnType<typeof HostBuffer.alloc>;

/** The options of msgpackr 1.11 and 2.1 that have an effect here, plus `limits`. All others are ignored. */
export interface Options {
  useFloat32?: number | boolean;
  /**
   * false: objects are written as maps, and maps decode to objects. Records are always read. Default true; the
   * functions `pack`, `unpack` and `unpackMultiple` use false.
   */
  useRecords?: boolean | ((value: any) => boolean);
  structures?: {}[];
  moreTypes?: boolean;
  useToJSON?: boolean;
  sequential?: boolean;
  maxIncompleteBufferSize?: number;
  /** Default: encoders write no references, but decoders read them. */
  structuredClone?: boolean;
  mapsAsObjects?: boolean;
  variableMapSize?: boolean;
  coercibleKeyAsNumber?: boolean;
  copyBuffers?: boolean;
  bundleStrings?: boolean;
  useTimestamp32?: boolean;
  largeBigIntToFloat?: boolean;
  largeBigIntToString?: boolean;
  useBigIntExtension?: boolean;
  encodeUndefinedAsNil?: boolean;
  maxSharedStructures?: number;
  maxOwnStructures?: number;
  mapAsEmptyObject?: boolean;
  setAsEmptyObject?: boolean;
  allowArraysInMapKeys?: boolean;
  skipValues?: readonly unknown[];
  writeFunction?: (value: any) => any;
  /** @deprecated use int64AsType: 'number' */
  int64AsNumber?: boolean;
  int64AsType?: 'auto' | 'bigint' | 'number' | 'string';
  shouldShareStructure?: (keys: string[]) => boolean;
  getStructures?(): {}[] | null | undefined;
  saveStructures?(structures: {}[], isCompatible?: any): boolean | void;
  onInvalidDate?: () => any;
  /** The option `limits` of the other entry points of this package. */
  limits?: Limits;
}

/** An extension in the form of msgpackr. Types 128 … 255 mean −128 … −1. */
export interface Extension {
  Class?: Function;
  type?: number;
  pack?(value: any): Uint8Array;
  unpack?(messagePack: any): any;
  read?(datum: any): any;
  write?(instance: any): any;
}

const hasBuffers = typeof Buffer !== 'undefined';

/** Returns a Buffer with the same memory; the bytes themselves if the host has no Buffers. */
export function bufferOf(bytes: Bytes): NewBuffer;
export function bufferOf(bytes: Uint8Array): HostBuffer;
export function bufferOf(bytes: Uint8Array): HostBuffer {
  return hasBuffers ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : (bytes as Buffer);
}

/** `bufferOf` as the option `wrapBytes`. The mark says that it runs no code of the user, so streams may read ahead. */
const wrapBytes = /* @__PURE__ */ Object.assign((bytes: Uint8Array) => bufferOf(bytes), {
  [Symbol.for('polypack.pure')]: true,
});

const FLAGS = [
  ...(['useToJSON', 'variableMapSize', 'coercibleKeyAsNumber', 'copyBuffers', 'useTimestamp32'] as const),
  ...(['largeBigIntToFloat', 'largeBigIntToString', 'useBigIntExtension', 'encodeUndefinedAsNil'] as const),
  ...(['mapAsEmptyObject', 'setAsEmptyObject', 'allowArraysInMapKeys', 'int64AsNumber', 'sequential'] as const),
  ...(['moreTypes', 'structuredClone', 'mapsAsObjects', 'bundleStrings'] as const),
];

const OTHERS = [
  ...(['maxSharedStructures', 'maxOwnStructures', 'skipValues', 'int64AsType', 'limits'] as const),
  ...(['structures', 'getStructures'] as const),
];

/** Options that are functions and only affect encoding. */
const METHODS = ['writeFunction', 'shouldShareStructure', 'saveStructures', 'onInvalidDate'] as const;

type Given = { readonly [Name in keyof Options]?: Options[Name] | null };

/**
 * Returns the given options of FLAGS and OTHERS, `useFloat32` if it is given, and `compat`. null counts as not given.
 * Flags are converted to booleans.
 */
function known(given: Given): { -readonly [Name in keyof PackrOptions]: PackrOptions[Name] } {
  const options: Record<string, unknown> = {};
  for (const name of FLAGS) if (given[name] != null) options[name] = Boolean(given[name]);
  for (const name of OTHERS) if (given[name] != null) options[name] = given[name];
  if (typeof given.getStructures === 'function') options.getStructures = given.getStructures.bind(given);
  if (given.useFloat32 != null) options.useFloat32 = given.useFloat32 as Float32Option | boolean;
  return { ...options, compat: 'msgpackr' };
}

/**
 * Returns options with which this package's Packr writes the bytes that msgpackr's Packr writes, with few exceptions.
 * For example, it refuses invalid Dates by default (`refuseDate`).
 */
export function encodingOptions(given: Given): PackrOptions {
  const options: Record<string, unknown> = { onInvalidDate: refuseDate, ...known(given) };
  for (const name of METHODS) if (given[name] != null) options[name] = given[name].bind(given);
  if (given.useRecords === false) {
    const { structures, getStructures, saveStructures, ...others } = options;
    return { ...others, records: 'off' };
  }
  if (typeof given.useRecords === 'function') options.useRecords = given.useRecords;
  return options;
}

/**
 * The default of `onInvalidDate`. Refuses invalid Dates, because a reader would get an invalid Date, and the value
 * would be lost without an error.
 */
function refuseDate(): never {
  throw new RangeError('an invalid Date is no moment; give the option onInvalidDate');
}

/** Returns options with which this package's Unpackr reads what msgpackr's Unpackr reads. */
export function decodingOptions(given: Given): UnpackrOptions {
  const { maxSharedStructures, maxOwnStructures, ...options } = known(given);
  const isShared = options.structures !== undefined || options.getStructures !== undefined;
  return {
    structuredClone: true,
    regExps: true,
    ...(hasBuffers && { wrapBytes }),
    ...(!options.int64AsNumber && { int64AsType: 'bigint' }),
    ...(given.useRecords === false && { mapsAsObjects: true }),
    ...(!isShared && { records: 'inline' }),
    ...(options.int64AsType === 'auto' && { wideBigInts: false }),
    ...options,
    ...(readsBundles(given) && { bundleStrings: true }),
  };
}

/**
 * Whether an Unpackr reads with the option bundleStrings from the start. Otherwise it uses the option only after
 * reading without it has failed. With `sequential`, this second reading would lack the records of earlier messages.
 */
export function readsBundles({ bundleStrings, sequential, structures, getStructures }: Given): boolean {
  return Boolean(bundleStrings || (sequential && structures == null && getStructures == null));
}

/** Converts an extension of msgpackr to one of this package. */
export function extensionOf(extension: Extension): ExtensionDefinition {
  const { Class, type, pack, unpack, read, write } = extension;
  const members: Record<string, unknown> = {
    Class,
    type: type === undefined ? type : (type << 24) >> 24,
    pack: pack?.bind(extension),
    unpack: unpack?.bind(extension),
    read: read?.bind(extension),
    write: write && ((instance: object) => writtenBy(extension as Required<Extension>, instance)),
  };
  for (const [name, member] of Object.entries(members)) if (member === undefined) delete members[name];
  return members as ExtensionDefinition;
}

/** Returns the result of `write`; if `write` returns the instance itself, a copy of its elements or properties. */
function writtenBy(extension: Required<Extension>, instance: object): unknown {
  const written = extension.write(instance);
  if (written !== instance) return written;
  return Array.isArray(instance) ? [...instance] : { ...instance };
}
