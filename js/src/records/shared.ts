// Loads the dictionary of a codec, and publishes new shapes (spec/05-records.md#shared).
//
// Plan: StructureSource · options · SharedRecords: the current dictionary, loading, publishing · reading options ·
// faults.
//
// A shape is published before any reader needs it. A codec returns a message that uses the shared id of a new shape
// only after saveStructures has saved the shape, or after the shape was appended to the array. If saveStructures
// returns false, the message is written again with the shapes that other processes have saved. After MAX_ATTEMPTS
// failures (records.ts), the message is written without new shared shapes. So losing a race costs time and bytes, but
// isn't an error.

import { Fault } from '../core/errors.ts';
import { InputChanged } from '../core/faults.ts';
import { callOption } from '../core/foreign-values.ts';
import { checkedInteger, failKind } from '../core/limits.ts';
import { isWellFormed } from '../core/text.ts';
import { Dictionary, MAX_SHAPES, type Structures } from './dictionary.ts';
import { Fingerprints } from './fingerprint.ts';

/** Returns whether the structures being saved may replace the existing ones. */
export type CompatibilityCheck = (existing: Structures | null | undefined) => boolean;

/**
 * Provides a dictionary, and publishes shapes some time after `propose` was called for them. The class
 * `SharedStructures` of polypack/stores implements this interface.
 */
export interface StructureSource {
  /** The structures that every reader can load. The array only grows. To start over, provide another array. */
  readonly structures: Structures;
  /** The default of the option `maxSharedStructures`. */
  readonly maxSharedStructures?: number;
  /**
   * Called when a message needs a shape that `structures` doesn't have, if the shape may be shared. `names` are the
   * names of the shape.
   */
  propose(names: readonly string[]): void;
}

/** Options of reading shared records. */
export interface SharedReadOptions {
  /**
   * The structures that writer and reader share: an array of names for each. A Packr appends new structures, up to
   * `maxSharedStructures`, unless the array is frozen. Every codec with the same array can use the new structures
   * immediately. Store the array with the data, because the data can't be read without it. A StructureSource publishes
   * new structures itself. Implies `records: 'shared'`.
   */
  readonly structures?: Structures | StructureSource;
  /**
   * Loads the structures. Called before the first message if `structures` isn't given. May be called again when a
   * message has an unknown structure or fingerprint, or when `saveStructures` has returned false. Must not be async.
   * Implies `records: 'shared'`.
   */
  readonly getStructures?: () => Structures | null | undefined;
  /**
   * true: each message starts with a header, the fingerprint of its dictionary (spec/05#header). A reader with this
   * option, but without that dictionary, refuses the message with `invalid_record` instead of reading values under
   * wrong names. A reader with this option also reads messages without the header. A reader with neither this option
   * nor `compat` refuses the header with `reserved_byte`. A reader with `compat` alone takes the header for values, as
   * msgpackr does. `get` and Raw don't support this option. Default false.
   */
  readonly fingerprint?: boolean;
}

/** Options of writing shared records. */
export interface SharedOptions extends SharedReadOptions {
  /**
   * Saves all structures, before `pack` returns bytes that need them. Call `isCompatible` with the stored structures
   * while no other process can save. If `isCompatible` returns false, save nothing and return false. The message is
   * then written again, usually with the stored structures. Must not be async. Implies `records: 'shared'`.
   */
  readonly saveStructures?: (structures: string[][], isCompatible: CompatibilityCheck) => unknown;
  /**
   * The maximum number of shared structures, 0 … 8 160. Default 32, or the default of a StructureSource. The first 32
   * structures have ids of one byte. For structures that aren't shared, see `maxOwnStructures`.
   */
  readonly maxSharedStructures?: number;
  /**
   * The maximum number of structures that a message declares before it reuses their ids. 0: objects without a shared
   * structure are written as maps. Default: all ids that shared structures leave (spec/05#shared), at most 64.
   */
  readonly maxOwnStructures?: number;
  /** Returns whether to share a structure that a message would otherwise declare. Default: always true. */
  readonly shouldShareStructure?: (names: readonly string[]) => boolean;
}

const DEFAULT_SHARED = 32;

/** An input that is being read while code runs that may load structures. */
interface WatchedInput {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** A copy of the bytes `[start, end)` from before the first loading; null if nothing was loaded. */
  copy: Uint8Array | null;
  hasChanged: boolean;
}

export class SharedRecords {
  /** How many structures may be shared. */
  readonly limit: number;
  readonly #options: SharedOptions;
  #dictionary = new Dictionary();
  #isLoaded: boolean;
  /** The array that the dictionary was made from, and the length that the array had then. */
  #seen: Structures = [];
  #seenLength = 0;
  /** May belong to an older dictionary until the next call of its method `follow`. */
  readonly #fingerprints = new Fingerprints();
  /** The inputs of the running calls of `watched`. The innermost is last. */
  readonly #inputs: WatchedInput[] = [];
  /** Whether loaded structures have contradicted earlier ones. Nothing is shared after that. */
  #isLost = false;

  /** @throws TypeError, RangeError for invalid structures */
  constructor(options: SharedOptions) {
    this.#options = options;
    const { structures } = options;
    const sourceLimit = structures === undefined || isArray(structures) ? undefined : structures.maxSharedStructures;
    this.limit = options.maxSharedStructures ?? sourceLimit ?? DEFAULT_SHARED;
    this.#isLoaded = options.structures !== undefined || options.getStructures === undefined;
    this.#follow();
  }

  /** Whether the user has given a function that loads structures. */
  get loads(): boolean {
    return this.#options.getStructures !== undefined;
  }

  /** Whether the structures were loaded, or needn't be loaded. If false, `current` loads them. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /**
   * Runs code that may load structures, while the bytes `[start, end)` of an input are being read. Loading may
   * overwrite the bytes, for example if a database client uses one buffer for the message and the structures.
   *
   * @param bytes null if a part of the innermost watched input is being read
   * @throws InputChanged if loading has changed the input
   */
  watched<T>(run: () => T, bytes: Uint8Array | null, start: number, end: number): T {
    const inputs = this.#inputs;
    const input =
      bytes === null ? (inputs.at(-1) as WatchedInput) : { bytes, start, end, copy: null, hasChanged: false };
    inputs.push(input);
    try {
      return run();
    } finally {
      inputs.pop();
      failIfChanged(input);
    }
  }

  /** Returns the current dictionary. First loads it if necessary, or else takes over new structures. */
  current(): Dictionary {
    if (this.#isLoaded) this.#follow();
    else this.reload();
    return this.#dictionary;
  }

  /** Returns the current dictionary if it begins with the shapes of `known` and has more; otherwise null. */
  grownFrom(known: Dictionary): Dictionary | null {
    const now = this.current();
    return now.extends(known) ? now : null;
  }

  /** Returns the fingerprint of a dictionary, usually the current one. */
  fingerprintOf(dictionary: Dictionary): bigint {
    const fingerprints = dictionary === this.#dictionary ? this.#fingerprints : new Fingerprints();
    fingerprints.follow(dictionary);
    return fingerprints.latest;
  }

  /** Returns the fingerprints of the current dictionary and of every smaller dictionary with which it begins. */
  currentFingerprints(): Fingerprints {
    this.#fingerprints.follow(this.current());
    return this.#fingerprints;
  }

  /** How many structures are shared, or may be published by an encoder later. Declarations don't use their ids. */
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
   * Whether a shape should and can be added to the dictionary. Returns false if a name has a lone surrogate. The
   * encoder then tries to write the name into the message, which throws an error with a path.
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

  /** Tells a StructureSource about a shape that a message needs and the dictionary doesn't have. */
  propose(names: readonly string[]): void {
    const { structures } = this.#options;
    if (structures !== undefined && !isArray(structures))
      callOption('structures', () => structures.propose([...names]));
  }

  /**
   * Takes over structures that were added to the array or the source. Starts over if the source has another array, or
   * if the array has become shorter.
   */
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

  /** Switches to a larger dictionary. Appends its new shapes to the user's array, unless that array is frozen. */
  #extend(next: Dictionary): void {
    const { structures } = this.#options;
    if (isGrowing(structures)) {
      for (const shape of next.nameLists().slice(structures.length)) structures.push(shape);
      this.#seenLength = structures.length;
    }
    this.#dictionary = next;
  }

  /**
   * Loads the structures with getStructures, if it was given.
   *
   * @throws Fault if getStructures fails, or if its structures contradict the known ones
   */
  reload(): void {
    const { getStructures } = this.#options;
    if (getStructures === undefined || this.#isLost) return;
    const wasLoaded = this.#isLoaded;
    // Set before the call, because getStructures may use this codec.
    this.#isLoaded = true;
    for (const input of this.#inputs) input.copy ??= input.bytes.slice(input.start, input.end);
    try {
      const loaded = callOption('getStructures', getStructures) ?? [];
      if (!isArray(loaded)) throw sourceFault('getStructures returned no array');
      this.#follow(); // meanwhile, others may have added structures to the array
      this.#adopt(loaded);
    } catch (error) {
      this.#isLoaded = wasLoaded;
      throw error;
    } finally {
      for (const input of this.#inputs) input.hasChanged ||= isChanged(input);
    }
  }

  #adopt(loaded: Structures): void {
    const known = this.#dictionary;
    const number = known.departure(loaded);
    if (number >= 0) {
      this.#isLost = true;
      this.#dictionary = new Dictionary();
      throw departureFault(number);
    }
    // If there are fewer structures than before, some were lost. The next save restores them.
    if (loaded.length > known.size) this.#extend(callOption('getStructures', () => known.grow(loaded)));
  }

  /**
   * Makes a dictionary from `base` and more shapes, and publishes it. Returns null if that failed, for example because
   * another process has published shapes meanwhile.
   */
  publish(base: Dictionary, shapes: readonly (readonly string[])[]): Dictionary | null {
    if (this.current() !== base) return null;
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
      // The callback may have used the codec, or another one with the same array, so the dictionary may have changed.
      if (saved === false || this.current() !== base) return null;
    }
    this.#extend(next);
    return next;
  }

  /**
   * Loads the structures again while encoding. Doesn't fail if they contradict the known ones, because an encoder
   * without a dictionary only writes more bytes.
   */
  #reloadForWriting(base: Dictionary): void {
    try {
      if (this.current() === base) this.reload();
    } catch (error) {
      if (!this.#isLost) throw error;
    }
  }

  /**
   * Whether `base` is still the dictionary and starts with the existing structures, so that saving loses none of them.
   * If the existing structures start with `base` and have more, takes them over and returns false.
   */
  #isCompatible(base: Dictionary, existing: Structures | null | undefined): boolean {
    if (this.current() !== base) return false;
    if (existing === null || existing === undefined) return true;
    if (!isArray(existing)) throw new TypeError('isCompatible must be called with the existing structures');
    if (base.departure(existing) >= 0) return false;
    if (existing.length <= base.size) return true;
    this.#adopt(existing);
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

/** Checks the options for shared records. Returns null if none of them asks for shared records. */
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

/** Whether an input differs from its copy. */
function isChanged({ bytes, start, end, copy }: WatchedInput): boolean {
  // The ArrayBuffer may have been transferred meanwhile, so that no bytes are left.
  return bytes.length < end || copy?.some((byte, index) => byte !== bytes[start + index]) === true;
}

// --- faults ----------------------------------------------------------------------------------------------------------

function sourceFault(what: string): Fault {
  return new Fault('unsupported_value', null, what, '');
}

function departureFault(number: number): Fault {
  const what = `structure ${number} is not the one that was used before`;
  return new Fault('invalid_record', null, what, 'structures may only be added, behind all others');
}

/** @throws InputChanged */
function failIfChanged({ copy, hasChanged }: WatchedInput): void {
  if (hasChanged) throw new InputChanged(copy as Uint8Array);
}
