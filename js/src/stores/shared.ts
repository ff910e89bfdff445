// Shared structures in a store that several processes write: polypack/stores.
//
// Plan: SharedStructures: proposing, publishing, refreshing · checks.
//
// Codecs are synchronous and stores are not. So a codec declares a new structure in the message, which costs bytes, and
// uses its id as soon as the store has accepted it. A store compares its whole content before it replaces it: the
// length alone wouldn't show that two writers have added different structures.

import { PolypackError, pack, type StructureSource, type Structures, unpack } from '../index.ts';
import { refuseOthers, type StructureStore } from './store.ts';

/** Options of SharedStructures. */
export interface SharedStructuresOptions {
  /** How many structures are published at most, 0 … 8 160. Default 32, the number of ids of one byte. */
  readonly maxSharedStructures?: number;
}

const MAX_SHAPES = 8160;
const DEFAULT_SHARED = 32;
/** How often in a row other writers may be faster. There is always progress, because each time one of them succeeds. */
const MAX_LOST_RACES = 1000;

/**
 * The structures of a store, for the option `structures` of any number of codecs. Codecs use only what is published.
 * Call `publish` from time to time, for example after a batch, so that structures they had to declare get ids.
 */
export class SharedStructures implements StructureSource {
  readonly maxSharedStructures: number;
  readonly #store: StructureStore;
  #structures: (readonly string[] | null)[] = [];
  /** The content of the store when it was last read, and the number of structures in it. */
  #saved: Uint8Array | null = null;
  #savedCount = 0;
  /** Structures that codecs had to declare, by the JSON of their names. */
  readonly #proposed = new Map<string, readonly string[]>();
  /** The current work on the store. Only one thing is done at a time. */
  #work: Promise<unknown> = Promise.resolve();
  /** Why nothing is shared any more. */
  #lost: PolypackError | null = null;

  /**
   * Loads nothing; use `open` for that.
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

  /** The published structures, as far as they are known here. They only grow. */
  get structures(): Structures {
    return this.#structures;
  }

  /** How many structures wait for `publish`. */
  get pending(): number {
    return this.#proposed.size;
  }

  /** Called by codecs. */
  propose(names: readonly string[]): void {
    if (this.#lost !== null || this.#structures.length + this.#proposed.size >= this.maxSharedStructures) return;
    this.#proposed.set(JSON.stringify(names), [...names]);
  }

  /**
   * Loads structures that others have published.
   *
   * @throws PolypackError `invalid_record` if the store has other structures than before, or something else; from then
   *   on codecs share none, and this error is thrown again
   */
  refresh(): Promise<void> {
    return this.#enqueue(() => this.#refresh());
  }

  /**
   * Publishes the structures that codecs had to declare, and restores those that the store has lost. Returns how many
   * more structures codecs can use now.
   *
   * @throws PolypackError as `refresh`; also errors of the store. The structures then wait for the next call
   */
  publish(): Promise<number> {
    return this.#enqueue(() => this.#publish());
  }

  /**
   * Runs `read`. If it fails with `unknown_record`, loads structures that others have published and runs it once more.
   *
   * @param read decodes, for example `() => unpackr.unpack(bytes)`
   */
  async read<T>(read: () => T): Promise<Awaited<T>> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PolypackError) || error.code !== 'unknown_record') throw error;
      await this.refresh();
      return await read();
    }
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#work.then(task);
    this.#work = done.catch(() => undefined); // the caller gets the error
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

  /** The meaning of ids is unknown from now on. Another array makes codecs forget all ids. */
  #lose(error: PolypackError): never {
    this.#lost = error;
    this.#structures = [];
    this.#proposed.clear();
    throw error;
  }

  async #publish(): Promise<number> {
    const before = this.#structures.length;
    for (let attempt = 0; ; attempt++) {
      if (this.#lost !== null) throw this.#lost;
      const next = [...this.#structures];
      for (const names of this.#proposed.values()) if (next.length < this.maxSharedStructures) next.push(names);
      if (next.length === this.#savedCount) break;
      const bytes = pack(next);
      if (await this.#store.replace(this.#saved, bytes)) {
        this.#adopt(bytes);
        break;
      }
      if (attempt === MAX_LOST_RACES) throw new Error(`a store was changed by others ${MAX_LOST_RACES} times in a row`);
      await this.#refresh();
    }
    if (this.#structures.length >= this.maxSharedStructures) this.#proposed.clear();
    return this.#structures.length - before;
  }
}

// --- checks ----------------------------------------------------------------------------------------------------------

/** Reads the content of a store; null if it isn't structures. */
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
