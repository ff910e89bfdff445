// Loads the dictionary of a codec, and publishes new shapes (spec/05-records.md#shared).
//
// Plan: options · StructureSource · SharedRecords: the current dictionary, loading, publishing · reading options ·
// faults.
//
// Shapes are published before they are used: bytes with a new shape leave the codec only after saveStructures has saved
// the shape, or after it was appended to the array. If saving fails, the message is written again with the shapes that
// others have saved, and finally with declarations. So losing a race costs only bytes.

import { Fault } from '../core/errors.ts';
import { callOption } from '../core/foreign-values.ts';
import { checkedInteger, failKind } from '../core/limits.ts';
import { isWellFormed } from '../core/text.ts';
import { Dictionary, MAX_SHAPES, type Structures } from './dictionary.ts';
import { Fingerprints } from './fingerprint.ts';

/** Returns whether the structures being saved may replace the existing ones. */
export type CompatibilityCheck = (existing: Structures | null | undefined) => boolean;

/** Provides a dictionary and publishes new shapes in its own time, as `SharedStructures` of polypack/stores does. */
export interface StructureSource {
  /** The structures that every reader can have. They only grow. Starting over means providing another array. */
  readonly structures: Structures;
  /** The default of the option `maxSharedStructures`. */
  readonly maxSharedStructures?: number;
  /** Called with the names of a shape that a message had to declare. */
  propose(names: readonly string[]): void;
}

/** Options of reading shared records. */
export interface SharedReadOptions {
  /**
   * The structures that writer and reader share: an array of names for each. A Packr appends new ones, up to
   * `maxSharedStructures`, unless the array is frozen. Every codec with the same array knows them at once. Store the
   * array with the data: without it the data can't be read. A StructureSource publishes new structures itself. Implies
   * `records: 'shared'`.
   */
  readonly structures?: Structures | StructureSource;
  /**
   * Loads the structures: before the first message unless `structures` has some, and again when a message has an
   * unknown one. Must not be async. Implies `records: 'shared'`.
   */
  readonly getStructures?: () => Structures | null | undefined;
  /**
   * true: each message starts with the fingerprint of its dictionary (spec/05#header). A reader without that dictionary
   * refuses the message with `invalid_record` instead of reading values under wrong names. Messages without the header
   * are read, too. Other readers refuse the header as `reserved_byte`; lazy reads don't support it. Default false.
   */
  readonly fingerprint?: boolean;
}

/** Options of writing shared records. */
export interface SharedOptions extends SharedReadOptions {
  /**
   * Saves all structures before bytes that need them leave `pack`. Returns false if it has not saved them because the
   * structures in the store fail `isCompatible`. Call that while no other process can save. The message is then written
   * again with the structures that `getStructures` returns. Must not be async. Implies `records: 'shared'`.
   */
  readonly saveStructures?: (structures: string[][], isCompatible: CompatibilityCheck) => unknown;
  /**
   * How many structures are shared at most, 0 … 8 160. Default 32, the number of ids of one byte. Other structures are
   * declared in each message.
   */
  readonly maxSharedStructures?: number;
  /**
   * How many structures a message declares before it reuses their ids. 0: objects without a shared structure are maps.
   * Default: all ids that are left, at most 64.
   */
  readonly maxOwnStructures?: number;
  /** Whether to share a new structure. Called whenever a message would have to declare it. Default: always. */
  readonly shouldShareStructure?: (names: readonly string[]) => boolean;
}

const DEFAULT_SHARED = 32;

export class SharedRecords {
  /** How many structures may be shared. */
  readonly limit: number;
  readonly #options: SharedOptions;
  #dictionary = new Dictionary();
  #isLoaded: boolean;
  /** The array that the dictionary follows, and its length at that time. */
  #seen: Structures = [];
  #seenLength = 0;
  /** Holds the fingerprints. They follow the dictionary only when they are used. */
  readonly #fingerprints = new Fingerprints();
  /** Whether the saved structures contradict earlier ones. From then on nothing is shared. */
  #isLost = false;

  /** @throws TypeError, RangeError for structures that can't be any */
  constructor(options: SharedOptions) {
    this.#options = options;
    const { structures } = options;
    const sourceLimit = structures === undefined || isArray(structures) ? undefined : structures.maxSharedStructures;
    this.limit = options.maxSharedStructures ?? sourceLimit ?? DEFAULT_SHARED;
    this.#isLoaded = options.structures !== undefined || options.getStructures === undefined;
    this.#follow();
  }

  /** Whether code of the user may be called to load structures. */
  get loads(): boolean {
    return this.#options.getStructures !== undefined;
  }

  /** Whether the structures were loaded, or needn't be. If not, `current` loads them. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Returns the current dictionary. */
  current(): Dictionary {
    if (this.#isLoaded) this.#follow();
    else this.reload();
    return this.#dictionary;
  }

  /** Returns the fingerprints of the current dictionary and of those it grew from. */
  currentFingerprints(): Fingerprints {
    this.#fingerprints.follow(this.current());
    return this.#fingerprints;
  }

  /** How many structures are or will be shared. The ids after theirs are free for declarations. */
  get reach(): number {
    const { size } = this.#dictionary;
    return this.publishes ? Math.max(size, this.limit) : size;
  }

  /** Whether an encoder may use new shapes and `publish` them afterwards. */
  get publishes(): boolean {
    const { structures, saveStructures } = this.#options;
    return !this.#isLost && (saveStructures !== undefined || isGrowing(structures));
  }

  /**
   * Whether a shape should and can be added to the dictionary. A name with a lone surrogate isn't refused here but
   * where it is declared, which reports its path.
   */
  wants(names: readonly string[]): boolean {
    const { shouldShareStructure } = this.#options;
    if (this.#dictionary.size >= this.limit) return false;
    if (
      shouldShareStructure !== undefined &&
      !callOption('shouldShareStructure', () => shouldShareStructure([...names]))
    )
      return false;
    return names.every((name) => isWellFormed(name));
  }

  /** Tells a StructureSource about a shape that had to be declared. */
  propose(names: readonly string[]): void {
    const { structures } = this.#options;
    if (structures !== undefined && !isArray(structures))
      callOption('structures', () => structures.propose([...names]));
  }

  /** Takes over structures that were added to the array or the source. */
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

  /** Switches to a larger dictionary, and appends its new shapes to the array. */
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
   * @throws Fault if the known ones are no longer among them, because then the meaning of the bytes is unknown
   */
  reload(): boolean {
    const { getStructures } = this.#options;
    if (getStructures === undefined || this.#isLost) return false;
    const wasLoaded = this.#isLoaded;
    // Set before the call, because getStructures may use this codec.
    this.#isLoaded = true;
    try {
      const loaded = callOption('getStructures', getStructures) ?? [];
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
    // There are fewer structures than before: some were lost. The next save restores them.
    if (loaded.length <= known.size) return false;
    this.#extend(callOption('getStructures', () => known.grow(loaded)));
    return true;
  }

  /**
   * Publishes shapes after those of `base`. Returns false if they aren't published; the dictionary may have changed
   * then.
   */
  publish(base: Dictionary, shapes: readonly (readonly string[])[]): boolean {
    if (this.current() !== base) return false;
    const { saveStructures } = this.#options;
    const next = base.grow([...base.nameLists(), ...shapes]);
    if (saveStructures !== undefined) {
      const saved = callOption('saveStructures', () =>
        saveStructures(next.nameLists() as string[][], (existing) => this.#isCompatible(base, existing)),
      );
      if (typeof saved === 'object' && saved !== null && 'then' in saved) {
        throw sourceFault('saveStructures returned a promise; it must have saved when it returns');
      }
      if (saved === false) this.#reloadForWriting(base);
      // The callback may have used the codec.
      if (saved === false || this.#dictionary !== base) return false;
    }
    this.#extend(next);
    return true;
  }

  /**
   * Loads the structures again while encoding. Doesn't fail if they contradict the known ones: without a dictionary, an
   * encoder only needs more bytes.
   */
  #reloadForWriting(base: Dictionary): void {
    try {
      if (this.#dictionary === base) this.reload();
    } catch (error) {
      if (!this.#isLost) throw error;
    }
  }

  /**
   * Whether the structures being saved start with the existing ones. If they don't, takes over the existing ones.
   */
  #isCompatible(base: Dictionary, existing: Structures | null | undefined): boolean {
    if (existing === null || existing === undefined) return true;
    if (!isArray(existing)) throw new TypeError('isCompatible must be called with the existing structures');
    if (existing.length <= base.size && base.departure(existing) < 0) return true;
    if (this.#dictionary === base && base.departure(existing) < 0) this.#adopt(existing);
    return false;
  }
}

/** Whether new structures may be appended to the option `structures`. */
function isGrowing(structures: SharedOptions['structures']): structures is (readonly string[] | null | undefined)[] {
  return isArray(structures) && !Object.isFrozen(structures);
}

function isArray(structures: unknown): structures is Structures {
  return Array.isArray(structures);
}

/** Checks the options. Returns null if none asks for shared records. */
export function readShared(options: SharedOptions): SharedRecords | null {
  const { structures, getStructures, saveStructures, maxSharedStructures, shouldShareStructure } = options;
  for (const [name, method] of Object.entries({ getStructures, saveStructures, shouldShareStructure })) {
    if (method !== undefined && typeof method !== 'function') failKind(`option ${name}`, 'a function');
  }
  checkCount('maxSharedStructures', maxSharedStructures, MAX_SHAPES);
  checkCount('maxOwnStructures', options.maxOwnStructures, Number.MAX_SAFE_INTEGER);
  if (structures === undefined && getStructures === undefined && saveStructures === undefined) return null;
  if (structures !== undefined && !isArray(structures) && !isSource(structures)) {
    failKind('option structures', 'an array of structures, or have structures and propose');
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
  if (count !== undefined) checkedInteger(`option ${name}`, count, 0, most);
}

// --- faults ----------------------------------------------------------------------------------------------------------

function sourceFault(what: string): Fault {
  return new Fault('unsupported_value', null, what, '');
}

function departureFault(number: number): Fault {
  const what = `structure ${number} is not the one that was used before`;
  return new Fault('invalid_record', null, what, 'structures may only be added, behind all others');
}
