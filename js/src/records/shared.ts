// Where a codec has its dictionary from, and where it puts new shapes (spec/05-records.md#shared).
//
// Plan: SharedOptions, the options · StructureSource · SharedRecords: the dictionary of the moment, loading, publishing.
//
// Publish before use: bytes with a new shape leave the codec only after saveStructures has taken the shape, or the array has it.
// When it is refused the message is written again with what the others have saved, and in the end with declarations; so what
// a lost race costs is bytes.

import { Fault, isStackExhausted } from '../core/errors.ts';
import { isWellFormed } from '../core/text.ts';
import { Dictionary, MAX_SHAPES, type Structures } from './dictionary.ts';
import { Fingerprints } from './fingerprint.ts';

/** Says whether existing structures may be replaced by those that are to be saved. */
export type CompatibilityCheck = (existing: Structures | null | undefined) => boolean;

/** Something that has a dictionary and publishes shapes in its own time, such as `SharedStructures` of polypack/stores. */
export interface StructureSource {
  /** The structures that every reader can have. They only grow; starting over is another array. */
  readonly structures: Structures;
  /** The default of the option `maxSharedStructures`. */
  readonly maxSharedStructures?: number;
  /** Called with the names of a shape that a message had to declare. */
  propose(names: readonly string[]): void;
}

/** Options of reading shared records. */
export interface SharedReadOptions {
  /**
   * The structures that writer and reader share: for each the names, in order. A Packr adds new ones to the array, up to
   * `maxSharedStructures`, unless it is frozen; every codec that has the same array knows them at once. Keep it with the data: without
   * it nobody can read them. A StructureSource publishes new structures itself. Implies `records: 'shared'`.
   */
  readonly structures?: Structures | StructureSource;
  /**
   * Loads the structures: before the first message unless `structures` gives some, and again when a message has an unknown
   * one. It must not be async. Implies `records: 'shared'`.
   */
  readonly getStructures?: () => Structures | null | undefined;
  /**
   * true: each message begins with the fingerprint of the dictionary it was written with (spec/05#header), and a reader without that
   * dictionary refuses it with `invalid_record` instead of taking values for those of other names. Messages without the
   * header are read as well. Other readers refuse the header as `reserved_byte`; lazy reads do not know it. Default
   * false.
   */
  readonly fingerprint?: boolean;
}

/** Options of writing shared records. */
export interface SharedOptions extends SharedReadOptions {
  /**
   * Saves structures, all of them, before bytes that need them leave `pack`. It returns false when it has not, because what
   * is saved by now fails `isCompatible`, which must be asked while no other process can save; the message is then written
   * anew with what `getStructures` gives. It must not be async. Implies `records: 'shared'`.
   */
  readonly saveStructures?: (structures: string[][], isCompatible: CompatibilityCheck) => unknown;
  /** So many structures are shared, 0 … 8 160. Default 32, which is how many have ids of one byte. Others are declared in each message. */
  readonly maxSharedStructures?: number;
  /** So many structures a message declares before it takes their ids again; 0: objects of others are maps. Default: all ids there are, at most 64. */
  readonly maxOwnStructures?: number;
  /** Whether a new structure is to be shared; asked each time a message would have to declare it. Default: every one is. */
  readonly shouldShareStructure?: (names: readonly string[]) => boolean;
}

const DEFAULT_SHARED = 32;

export class SharedRecords {
  /** The structures that may be shared. */
  readonly limit: number;
  readonly #options: SharedOptions;
  #dictionary = new Dictionary();
  #isLoaded: boolean;
  /** The array that the dictionary follows, and how long it was. */
  #seen: Structures = [];
  #seenLength = 0;
  /** Those of the dictionary that they were last asked for. */
  readonly #fingerprints = new Fingerprints();
  /** Whether what is saved contradicts what was known. From then on nothing is shared. */
  #isLost = false;

  /** @throws TypeError, RangeError for structures that are none */
  constructor(options: SharedOptions) {
    this.#options = options;
    const { structures } = options;
    const sourceLimit = structures === undefined || isArray(structures) ? undefined : structures.maxSharedStructures;
    this.limit = options.maxSharedStructures ?? sourceLimit ?? DEFAULT_SHARED;
    this.#isLoaded = options.structures !== undefined || options.getStructures === undefined;
    this.#follow();
  }

  /** The dictionary of the moment. */
  current(): Dictionary {
    if (this.#isLoaded) this.#follow();
    else this.reload();
    return this.#dictionary;
  }

  /** The fingerprints of the dictionary of the moment, and of what it began with. */
  currentFingerprints(): Fingerprints {
    this.#fingerprints.follow(this.current());
    return this.#fingerprints;
  }

  /** So many structures are or will be shared, so that the ids behind theirs are free for declarations. */
  get reach(): number {
    const { size } = this.#dictionary;
    return this.publishes ? Math.max(size, this.limit) : size;
  }

  /** Whether a writer may use new shapes that it hands to `publish` later. */
  get publishes(): boolean {
    const { structures, saveStructures } = this.#options;
    return !this.#isLost && (saveStructures !== undefined || isGrowing(structures));
  }

  /** Whether a shape should be in the dictionary, and can: a name that is no text is a fault where it is declared, with its path. */
  wants(names: readonly string[]): boolean {
    const { shouldShareStructure } = this.#options;
    if (this.#dictionary.size >= this.limit) return false;
    if (shouldShareStructure !== undefined && !call('shouldShareStructure', () => shouldShareStructure([...names])))
      return false;
    return names.every((name) => isWellFormed(name));
  }

  /** Tells a source of a shape that had to be declared. */
  propose(names: readonly string[]): void {
    const { structures } = this.#options;
    if (structures !== undefined && !isArray(structures)) call('propose', () => structures.propose([...names]));
  }

  /** Takes over what the array or the source has got since. */
  #follow(): void {
    const { structures } = this.#options;
    if (structures === undefined || this.#isLost) return;
    const now = isArray(structures) ? structures : structures.structures;
    if (now === this.#seen && now.length === this.#seenLength) return;
    const isMore = now === this.#seen && now.length >= this.#dictionary.size;
    this.#dictionary = (isMore ? this.#dictionary : new Dictionary()).grow(now);
    this.#seen = now;
    this.#seenLength = now.length;
  }

  /** Takes over a larger dictionary, and tells the array of it. */
  #extend(next: Dictionary): void {
    const { structures } = this.#options;
    if (isGrowing(structures)) {
      for (const shape of next.nameLists().slice(structures.length)) structures.push(shape);
      this.#seenLength = structures.length;
    }
    this.#dictionary = next;
  }

  /**
   * Loads the structures again. Returns whether there are more now.
   *
   * @throws Fault when the ones known are no longer among them: then nobody can tell what the bytes mean
   */
  reload(): boolean {
    const { getStructures } = this.#options;
    if (getStructures === undefined || this.#isLost) return false;
    const wasLoaded = this.#isLoaded;
    // Before the call, for a getStructures that uses the codec it belongs to.
    this.#isLoaded = true;
    try {
      const loaded = call('getStructures', getStructures) ?? [];
      if (!isArray(loaded)) throw sourceFault('getStructures returned no array');
      return this.#adopt(loaded);
    } catch (error) {
      this.#isLoaded = wasLoaded;
      throw error;
    }
  }

  #adopt(loaded: Structures): boolean {
    const known = this.#dictionary;
    const number = known.departure(loaded);
    if (number >= 0) {
      this.#isLost = true;
      this.#dictionary = new Dictionary();
      throw departureFault(number);
    }
    // Fewer are the ones known before somebody lost the rest; the next save brings them back.
    if (loaded.length <= known.size) return false;
    this.#extend(call('getStructures', () => known.grow(loaded)));
    return true;
  }

  /**
   * Publishes shapes behind those of `base`. Returns false when they are not published and the dictionary may be another one
   * now.
   */
  publish(base: Dictionary, shapes: readonly (readonly string[])[]): boolean {
    if (this.current() !== base) return false;
    const { saveStructures } = this.#options;
    const next = base.grow([...base.nameLists(), ...shapes]);
    if (saveStructures !== undefined) {
      const saved = call('saveStructures', () =>
        saveStructures(next.nameLists() as string[][], (existing) => this.#isCompatible(base, existing)),
      );
      if (typeof saved === 'object' && saved !== null && 'then' in saved) {
        throw sourceFault('saveStructures returned a promise; it must have saved when it returns');
      }
      if (saved === false) this.#reloadForWriting(base);
      // Somebody may have used the codec meanwhile.
      if (saved === false || this.#dictionary !== base) return false;
    }
    this.#extend(next);
    return true;
  }

  /** A writer needs no dictionary, so one that is lost costs it bytes only. */
  #reloadForWriting(base: Dictionary): void {
    try {
      if (this.#dictionary === base) this.reload();
    } catch (error) {
      if (!this.#isLost) throw error;
    }
  }

  /** Whether the structures that are to be saved keep the existing ones. If not, they are taken over. */
  #isCompatible(base: Dictionary, existing: Structures | null | undefined): boolean {
    if (existing === null || existing === undefined) return true;
    if (!isArray(existing)) throw new TypeError('isCompatible must be called with the existing structures');
    if (existing.length <= base.size && base.departure(existing) < 0) return true;
    if (this.#dictionary === base && base.departure(existing) < 0) this.#adopt(existing);
    return false;
  }
}

/** Whether new structures may be added to the option `structures`. */
function isGrowing(structures: SharedOptions['structures']): structures is (readonly string[] | null | undefined)[] {
  return isArray(structures) && !Object.isFrozen(structures);
}

function isArray(structures: unknown): structures is Structures {
  return Array.isArray(structures);
}

/** Checks options. Returns null when none asks for shared records. */
export function readShared(options: SharedOptions): SharedRecords | null {
  const { structures, getStructures, saveStructures, maxSharedStructures, shouldShareStructure } = options;
  for (const [name, method] of Object.entries({ getStructures, saveStructures, shouldShareStructure })) {
    if (method !== undefined && typeof method !== 'function') throw new TypeError(`option ${name} must be a function`);
  }
  checkCount('maxSharedStructures', maxSharedStructures, MAX_SHAPES);
  checkCount('maxOwnStructures', options.maxOwnStructures, Number.MAX_SAFE_INTEGER);
  if (structures === undefined && getStructures === undefined && saveStructures === undefined) return null;
  if (structures !== undefined && !isArray(structures) && !isSource(structures)) {
    throw new TypeError('option structures must be an array of structures, or have structures and propose');
  }
  if (isSource(structures) && (getStructures !== undefined || saveStructures !== undefined)) {
    throw new TypeError('option structures has a store already; leave out getStructures and saveStructures');
  }
  return new SharedRecords(options);
}

function isSource(structures: unknown): structures is StructureSource {
  if (typeof structures !== 'object' || structures === null || isArray(structures)) return false;
  return 'structures' in structures && isArray(structures.structures) && 'propose' in structures;
}

function checkCount(name: string, count: unknown, most: number): void {
  if (count === undefined) return;
  if (typeof count !== 'number') throw new TypeError(`option ${name} must be a number`);
  if (!Number.isInteger(count) || count < 0 || count > most) {
    throw new RangeError(`option ${name} is ${count}; it must be an integer from 0 to ${most}`);
  }
}

// --- faults -----------------------------------------------------------------------------------------------------------------

/** Calls foreign code. What it throws becomes the cause of a fault. */
function call<T>(name: string, method: () => T): T {
  try {
    return method();
  } catch (cause) {
    if (cause instanceof Fault || isStackExhausted(cause)) throw cause;
    throw sourceFault(`${name} failed`, cause);
  }
}

function sourceFault(what: string, cause?: unknown): Fault {
  return new Fault('unsupported_value', null, what, cause === undefined ? '' : 'see the cause of this error', cause);
}

function departureFault(number: number): Fault {
  const what = `structure ${number} is not the one that was used before`;
  return new Fault('invalid_record', null, what, 'structures may only be added, behind all others');
}
