// Application extensions (spec/03-extensions.md): definitions, and the tables that codecs look them up in.
//
// Plan: ExtensionDefinition · checks · ExtensionTable, immutable · addExtension, which replaces the shared table.
//
// The shared table is global, and affects the results of codecs. It exists for `addExtension`, which users know from
// msgpackr. Tables are immutable, so `addExtension` replaces the whole shared table. A codec uses the table that is
// current when a call starts.

import { TIMESTAMP_TYPE } from './format.ts';
import { checkedInteger, failKind } from './limits.ts';

/** Any class that `instanceof` accepts. */
export type Class<T> = abstract new (...args: never[]) => T;

/**
 * Defines how instances of a class are encoded, how an extension type is decoded, or both.
 *
 * `pack`/`unpack` work on the bytes of the ext value. `write`/`read` work on a value that these bytes encode. This
 * value is a separate message, so records declared outside aren't known inside. With `structuredClone` or `compat`, the
 * value follows the ext instead, in the same message.
 *
 * A definition with `Class` and `write` but no `type` replaces an instance by the result of `write`. If a function
 * throws, the error is `unsupported_value`, or `limit_exceeded` if the call stack is exhausted. If `pack` or `write`
 * throws the PolypackError of a value that could not be encoded, the error has its code. The `cause` is what the
 * function threw.
 */
export interface ExtensionDefinition<T = unknown> {
  /**
   * Instances are recognised by `instanceof`. If two definitions match, the later one wins. A definition without
   * `Class` only decodes.
   */
  readonly Class?: Class<T>;
  /** −128 … 127 except −1. 0 … 127 are for applications; 0x72 with 1 or 2 bytes of data belongs to records. */
  readonly type?: number;
  pack?(instance: T): Uint8Array;
  unpack?(data: Uint8Array): T;
  write?(instance: T): unknown;
  /**
   * With `create` and the option `structuredClone` or `compat`, `instance` is the result of `create`. Then `read` fills
   * `instance` and returns it.
   */
  read?(value: unknown, instance?: T): T;
  /**
   * Makes an instance for `read` to fill. Called before the value from `write` is decoded, so that this value may refer
   * to the instance. Only called with the option `structuredClone` or `compat`.
   */
  create?(): T;
}

const MEMBERS = ['Class', 'type', 'pack', 'unpack', 'write', 'read', 'create'] as const;

/** Checks a definition and copies it, so that later changes of the caller's object have no effect. */
function checked(definition: ExtensionDefinition): ExtensionDefinition {
  if (typeof definition !== 'object' || definition === null) failKind('an extension', 'an object');
  const unknown = Object.keys(definition).find((name) => !(MEMBERS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`unknown member ${unknown} of an extension; there are ${MEMBERS.join(', ')}`);
  }
  const members = MEMBERS.map((name) => [name, checkedMember(definition, name)]);
  const copy = Object.fromEntries(members) as ExtensionDefinition;
  if (copy.type !== undefined) checkType(copy.type);
  checkPurpose(copy);
  return Object.freeze(copy);
}

/**
 * Reads a member by name, so that members inherited from a class are also found. Functions keep the caller's object as
 * `this`, so they may be methods of a class.
 */
function checkedMember(definition: ExtensionDefinition, name: (typeof MEMBERS)[number]): unknown {
  const member: unknown = definition[name];
  if (member === undefined || name === 'type') return member;
  if (typeof member !== 'function') failKind(`${name} of an extension`, name === 'Class' ? 'a class' : 'a function');
  return name === 'Class' ? member : member.bind(definition);
}

function checkType(type: unknown): void {
  checkedInteger('type of an extension', type, -128, 127);
  if (type === TIMESTAMP_TYPE) throw new RangeError('type -1 is the timestamp; use mode "lossless" to get Timestamp');
}

function checkPurpose({ Class, type, pack, unpack, write, read, create }: ExtensionDefinition): void {
  const decodes = unpack !== undefined || read !== undefined;
  const encodes = pack !== undefined || write !== undefined;
  if (type === undefined && (pack !== undefined || decodes)) {
    throw new TypeError('an extension with pack, unpack or read needs a type');
  }
  if (encodes && Class === undefined) throw new TypeError('an extension with pack or write needs a Class');
  if (create !== undefined && read === undefined) throw new TypeError('an extension with create needs read');
  if (!encodes && !decodes) throw new TypeError('an extension needs one of pack, unpack, write, read');
}

/** The definitions that a codec knows. Immutable; `with` makes a larger one. */
export class ExtensionTable {
  /** The definitions that encode, latest first. */
  readonly #encoding: readonly ExtensionDefinition[];
  readonly #decoding: ReadonlyMap<number, ExtensionDefinition>;
  readonly #extensions: readonly ExtensionDefinition[];

  constructor(extensions: readonly ExtensionDefinition[]) {
    this.#extensions = extensions;
    this.#encoding = extensions.filter(({ pack, write }) => pack !== undefined || write !== undefined).reverse();
    const decoding = new Map<number, ExtensionDefinition>();
    for (const definition of extensions) {
      const { type, unpack, read } = definition;
      if (type !== undefined && (unpack !== undefined || read !== undefined)) decoding.set(type, definition);
    }
    this.#decoding = decoding;
  }

  /** Returns this table plus more definitions, which take precedence. */
  with(extensions: readonly ExtensionDefinition[]): ExtensionTable {
    if (extensions.length === 0) return this;
    return new ExtensionTable([...this.#extensions, ...extensions.map(checked)]);
  }

  /** Returns this table plus the definitions of `over`, which take precedence. */
  under(over: ExtensionTable): ExtensionTable {
    if (over.#extensions.length === 0) return this;
    if (this.#extensions.length === 0) return over;
    return new ExtensionTable([...this.#extensions, ...over.#extensions]);
  }

  /** Whether any definition encodes instances of a class. */
  get encodes(): boolean {
    return this.#encoding.length > 0;
  }

  /** Returns the definition that encodes an object; undefined if none is registered for its class. */
  forInstance(value: object): ExtensionDefinition | undefined {
    for (const definition of this.#encoding) {
      if (definition.Class !== undefined && value instanceof definition.Class) return definition;
    }
    return undefined;
  }

  /** Returns the definition that decodes an extension type; undefined if none is registered for it. */
  forType(type: number): ExtensionDefinition | undefined {
    return this.#decoding.get(type);
  }
}

/** Holds the extension table to use. A Decoder or Encoder has the table of the current call, a Codec the latest one. */
export interface HasExtensions {
  readonly extensions: ExtensionTable;
}

/** The empty table. It isn't a static field, because bundlers can't drop static fields. */
export const NO_EXTENSIONS: ExtensionTable = /* @__PURE__ */ new ExtensionTable([]);

/**
 * The shared table; null if nothing is registered. If it started as NO_EXTENSIONS, bundlers would keep that table in
 * programs that don't need it.
 */
let registered: ExtensionTable | null = null;

/**
 * Registers an extension for the codecs of this package, including existing ones, but not for polypack/compact. The
 * option `extensions` of a codec takes precedence. `canonicalize` and `isCanonical` use no extensions.
 *
 * @throws TypeError, RangeError for a definition that makes no sense
 */
export function addExtension<T>(definition: ExtensionDefinition<T>): void {
  registered = registeredExtensions().with([definition as ExtensionDefinition]);
}

/** Returns the current shared table. */
export function registeredExtensions(): ExtensionTable {
  return registered ?? NO_EXTENSIONS;
}
