// Application extensions (spec/03-extensions.md): definitions, the table a codec looks them up in, the shared registry.
//
// Plan: ExtensionDefinition · checking one · ExtensionTable, immutable · the registry behind addExtension.
//
// The registry is the one mutable thing of this package that outlives a call: the API users know has it. It is a reference
// to an immutable table, replaced as a whole; a codec takes the table of the moment at the start of each call.

import { TIMESTAMP_TYPE } from './format.ts';

/** Any class: what stands on the right of `instanceof`. */
export type Class<T> = abstract new (...args: never[]) => T;

/**
 * How instances of a class are encoded, how an extension type is decoded, or both.
 *
 * `pack`/`unpack` work on the bytes of the ext value. `write`/`read` work on a value that the codec encodes to, and decodes
 * from, those bytes (one message of its own: records declared outside are not known inside). A `Class` with `write` and no
 * `type` replaces instances by what `write` returns. A function that throws is reported as `unsupported_value` with what it
 * threw as the cause.
 */
export interface ExtensionDefinition<T = unknown> {
  /** Instances are recognized by `instanceof`; of two definitions the later wins. Absent: decoding only. */
  readonly Class?: Class<T>;
  /** −128 … 127 except −1. 0 … 127 are for applications; 0x72 with 1 or 2 bytes of data belongs to records. */
  readonly type?: number;
  pack?(instance: T): Uint8Array;
  unpack?(data: Uint8Array): T;
  write?(instance: T): unknown;
  /**
   * With `create` and the option `structuredClone`, `instance` is what that returned; read fills it and returns it.
   */
  read?(value: unknown, instance?: T): T;
  /**
   * Makes an instance that `read` will fill, before the value is read that `write` returned: so that the value may refer to
   * the instance (option `structuredClone`). Not called otherwise.
   */
  create?(): T;
}

const MEMBERS = ['Class', 'type', 'pack', 'unpack', 'write', 'read', 'create'];

/**
 * Checks a definition and copies it, so that later changes of the caller's object have no effect. Every member is read once.
 * The copy's functions keep the caller's object as `this`, for methods of a caller's class.
 */
function checked(definition: ExtensionDefinition): ExtensionDefinition {
  if (typeof definition !== 'object' || definition === null) throw new TypeError('an extension must be an object');
  const unknown = Object.keys(definition).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`unknown member ${unknown} of an extension; there are ${MEMBERS.join(', ')}`);
  }
  const { Class, type, ...methods } = readMembers(definition);
  if (Class !== undefined && typeof Class !== 'function') throw new TypeError('Class of an extension must be a class');
  if (type !== undefined) checkType(type);
  for (const [name, method] of Object.entries(methods)) {
    if (method !== undefined && typeof method !== 'function') {
      throw new TypeError(`${name} of an extension must be a function`);
    }
  }
  checkPurpose({ Class, type, ...methods });
  const { pack, unpack, write, read, create } = methods;
  return Object.freeze({
    Class,
    type,
    pack: pack?.bind(definition),
    unpack: unpack?.bind(definition),
    write: write?.bind(definition),
    read: read?.bind(definition),
    create: create?.bind(definition),
  } as ExtensionDefinition);
}

/** The members, those that a class of the caller's inherits included. */
function readMembers({ Class, type, pack, unpack, write, read, create }: ExtensionDefinition) {
  return { Class, type, pack, unpack, write, read, create } as ExtensionDefinition;
}

function checkType(type: unknown): void {
  if (typeof type !== 'number') throw new TypeError('type of an extension must be a number');
  if (!Number.isInteger(type) || type < -128 || type > 127) {
    throw new RangeError(`type of an extension is ${type}; it must be an integer from -128 to 127`);
  }
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

/** The definitions a codec knows. Never changes; `with` makes a larger one. */
export class ExtensionTable {
  /** Those that encode, the latest first. */
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

  /** This table and more definitions, which win over those before. */
  with(extensions: readonly ExtensionDefinition[]): ExtensionTable {
    if (extensions.length === 0) return this;
    return new ExtensionTable([...this.#extensions, ...extensions.map(checked)]);
  }

  /** The definitions of another table on top of this one's; those of `over` win. */
  under(over: ExtensionTable): ExtensionTable {
    if (over.#extensions.length === 0) return this;
    if (this.#extensions.length === 0) return over;
    return new ExtensionTable([...this.#extensions, ...over.#extensions]);
  }

  /** Whether something is registered for a class. */
  get encodes(): boolean {
    return this.#encoding.length > 0;
  }

  /** What encodes an object; undefined when nothing is registered for its class. */
  forInstance(value: object): ExtensionDefinition | undefined {
    for (const definition of this.#encoding) {
      if (definition.Class !== undefined && value instanceof definition.Class) return definition;
    }
    return undefined;
  }

  /** What decodes an extension type; undefined when nothing is registered for it. */
  forType(type: number): ExtensionDefinition | undefined {
    return this.#decoding.get(type);
  }
}

/** A table without definitions; a constant and no static field, which bundlers could not leave out. */
export const NO_EXTENSIONS: ExtensionTable = /* @__PURE__ */ new ExtensionTable([]);

/** Null for none: naming NO_EXTENSIONS here would keep the table in programs that have no use for it. */
let registered: ExtensionTable | null = null;

/**
 * Registers an extension for every codec of this package, those that exist included. A codec of its own can have its own
 * with the option `extensions`, which win over registered ones.
 *
 * @throws TypeError, RangeError for a definition that makes no sense
 */
export function addExtension<T>(definition: ExtensionDefinition<T>): void {
  registered = registeredExtensions().with([definition as ExtensionDefinition]);
}

/** The table of the moment. */
export function registeredExtensions(): ExtensionTable {
  return registered ?? NO_EXTENSIONS;
}
