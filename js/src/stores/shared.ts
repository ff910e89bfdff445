// Shared structures in a store that several processes write to: polypack/stores.
//
// Plan: SharedStructures: proposing, publishing, refreshing · checks.
//
// Codecs are synchronous, and stores aren't. So a codec declares a new structure in each message, which costs bytes,
// until the store has accepted the structure. Then the codec uses the structure's shared id. A store compares its whole
// content before replacing it. The length alone wouldn't show that two writers have added different structures.

import { PolypackError, pack, type StructureSource, type Structures, unpack } from '../index.ts';
import { refuseOthers, type StructureStore } from './store.ts';

/** Options of SharedStructures. */
export interface SharedStructuresOptions {
  /**
   * `publish` adds no structures beyond this number: 0 … 8 160, default 32. The first 32 structures have ids of one
   * byte.
   */
  readonly maxSharedStructures?: number;
}

const MAX_SHAPES = 8160;
const LONE_SURROGATE = /\p{Surrogate}/u;
const DEFAULT_SHARED = 32;
/** `publish` gives up after this many attempts at which another writer was faster. */
const MAX_LOST_RACES = 1000;

/**
 * The structures of a store, for the option `structures` of any number of codecs. Codecs use only published structures.
 * Call `publish` from time to time, for example after a batch, so that structures that codecs had to declare get ids.
 */
export class SharedStructures implements StructureSource {
  readonly maxSharedStructures: number;
  readonly #store: StructureStore;
  #structures: (readonly string[] | null)[] = [];
  /** The latest known content of the store, and the number of structures in it. */
  #saved: Uint8Array | null = null;
  #savedCount = 0;
  /** Structures that codecs have proposed, by the JSON of their names. */
  readonly #proposed = new Map<string, readonly string[]>();
  /** The latest task that uses the store. Each task waits for the one before it. */
  #work: Promise<unknown> = Promise.resolve();
  /** The error after which nothing is shared any more; null if there was none. */
  #lost: PolypackError | null = null;

  /**
   * Loads nothing. Use `open` to load the content of the store.
   *
   * @throws TypeError, RangeError
   */
  constructor(store: StructureStore, options: SharedStructuresOptions = {}) {
    if (typeof store?.load !== 'function' || typeof store.replace !== 'function') {
      throw new TypeError('a store must have the methods load and replace');
    }
    const { maxSharedStructures = DEFAULT_SHARED, ...others } = options;
    refuseOthers(others);
    if (!Number.isInteger(maxSharedStructures) || maxSharedStructures < 0 || maxSharedStructures > MAX_SHAPES) {
      throw new RangeError(
        `maxSharedStructures is ${maxSharedStructures}; it must be an integer from 0 to ${MAX_SHAPES}`,
      );
    }
    this.#store = store;
    this.maxSharedStructures = maxSharedStructures;
  }

  /** Returns SharedStructures that have loaded the content of the store. */
  static async open(store: StructureStore, options?: SharedStructuresOptions): Promise<SharedStructures> {
    const shared = new SharedStructures(store, options);
    await shared.refresh();
    return shared;
  }

  /**
   * The published structures that were loaded. The array only grows. If `refresh` or `publish` fails with
   * `invalid_record`, an empty array replaces it.
   */
  get structures(): Structures {
    return this.#structures;
  }

  /** How many structures wait for `publish`. */
  get pending(): number {
    return this.#proposed.size;
  }

  /**
   * Notes a structure that a codec needs, for `publish`. Ignores the structure if the published and proposed ones have
   * reached `maxSharedStructures`, and after `invalid_record`.
   *
   * @throws TypeError for names that no structure can have: they must be different strings without lone surrogates
   */
  propose(names: readonly string[]): void {
    if (this.#lost !== null || this.#structures.length + this.#proposed.size >= this.maxSharedStructures) return;
    const key = keyOf(names);
    if (!this.#proposed.has(key)) this.#proposed.set(key, checkedNames(names));
  }

  /**
   * Loads structures that other writers have published. After `invalid_record`, codecs share no structures, and each
   * later call of `refresh` or `publish` throws the same error.
   *
   * @throws PolypackError `invalid_record` if the content of the store isn't structures, or contradicts structures that
   *   were loaded before; also errors of the store
   */
  refresh(): Promise<void> {
    return this.#enqueue(() => this.#refresh());
  }

  /**
   * Publishes the structures that codecs had to declare, and restores structures that the store has lost. Returns how
   * many more structures codecs can use now. Asks the store even if nothing waits, because only the store knows what it
   * has lost. So each call takes at least one round trip, and also loads structures that other writers have published.
   *
   * @throws PolypackError like `refresh`; also errors of the store, after which the structures wait for the next call
   */
  publish(): Promise<number> {
    return this.#enqueue(() => this.#publish());
  }

  /**
   * Runs `read`. If `read` fails with `unknown_record` or `invalid_record`, also as the cause of another error, the
   * message may need a newer dictionary. In that case, loads structures that other writers have published, and runs
   * `read` once more.
   *
   * @param read a function that decodes, for example `() => unpackr.unpack(bytes)`
   */
  async read<T>(read: () => T): Promise<Awaited<T>> {
    try {
      return await read();
    } catch (error) {
      if (!mayLackShapes(error)) throw error;
      await this.refresh();
      return await read();
    }
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#work.then(task);
    this.#work = done.catch(() => undefined); // the caller gets the error through `done`
    return done;
  }

  async #refresh(): Promise<void> {
    this.#adopt(await this.#store.load());
  }

  #adopt(saved: Uint8Array | null): void {
    if (this.#lost !== null) throw this.#lost;
    const loaded = saved === null ? [] : shapesIn(saved);
    if (loaded === null) this.#lose(contentError());
    const known = this.#structures;
    const count = Math.min(known.length, loaded.length);
    for (let number = 0; number < count; number++) {
      if (keyOf(known[number]) !== keyOf(loaded[number])) this.#lose(lostError(number));
    }
    for (const names of loaded.slice(count)) {
      known.push(names);
      this.#proposed.delete(keyOf(names));
    }
    this.#saved = saved;
    this.#savedCount = loaded.length;
  }

  /** Stops sharing after a fault in the content of the store. A new array makes codecs forget all ids. */
  #lose(error: PolypackError): never {
    this.#lost = error;
    this.#structures = [];
    this.#proposed.clear();
    throw error;
  }

  async #publish(): Promise<number> {
    const before = this.#structures.length;
    let isFresh = false; // whether this call has loaded the content of the store
    for (let lostRaces = 0; ; ) {
      if (this.#lost !== null) throw this.#lost;
      const next = [...this.#structures];
      for (const names of this.#proposed.values()) if (next.length < this.maxSharedStructures) next.push(names);
      if (next.length !== this.#savedCount) {
        const bytes = pack(next);
        if (await this.#store.replace(this.#saved, bytes)) {
          this.#adopt(bytes);
          break;
        }
        lostRaces++;
        if (lostRaces === MAX_LOST_RACES) throw new Error(`a store was changed by others ${lostRaces} times in a row`);
      } else if (isFresh) break;
      await this.#refresh(); // shows what others have added, and what the store has lost
      isFresh = true;
    }
    if (this.#structures.length >= this.maxSharedStructures) this.#proposed.clear();
    return this.#structures.length - before;
  }
}

// --- checks ----------------------------------------------------------------------------------------------------------

/** Whether an error, or a cause of it, is one of a too old dictionary. For the data of an extension it is a cause. */
function mayLackShapes(error: unknown): boolean {
  const seen = new Set<unknown>(); // causes that others have set may form a cycle
  for (let one = error; one instanceof Error && !seen.has(one); one = one.cause) {
    if (one instanceof PolypackError && (one.code === 'unknown_record' || one.code === 'invalid_record')) return true;
    seen.add(one);
  }
  return false;
}

/** Returns the structures in the content of a store; null if the content is anything else. */
function shapesIn(saved: Uint8Array): (readonly string[] | null)[] | null {
  let loaded: unknown;
  try {
    loaded = unpack(saved);
  } catch {
    return null;
  }
  return Array.isArray(loaded) && loaded.length <= MAX_SHAPES && loaded.every(isShape) ? loaded : null;
}

function isShape(names: unknown): names is readonly string[] | null {
  if (names === null) return true;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return false;
  return new Set(names).size === names.length;
}

/** Checks names before they get into a store. Invalid names would make the whole content unreadable. */
function checkedNames(names: unknown): readonly string[] {
  const copy: unknown = Array.isArray(names) ? [...names] : null;
  if (copy === null || !isShape(copy) || copy.some((name) => LONE_SURROGATE.test(name))) {
    throw new TypeError('the names of a structure must be an array of different strings without lone surrogates');
  }
  return copy;
}

function keyOf(names: readonly string[] | null | undefined): string {
  return JSON.stringify(names ?? null);
}

function contentError(): PolypackError {
  return new PolypackError('invalid_record', 'the store has no structures', {
    mend: 'see what else writes to it, then start over with new SharedStructures',
  });
}

function lostError(number: number): PolypackError {
  const what = `the store has replaced structure ${number}, so records that were written before cannot be told from later ones`;
  return new PolypackError('invalid_record', what, {
    mend: 'restore the store, or start over with new SharedStructures',
  });
}
