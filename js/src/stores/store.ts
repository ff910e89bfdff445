// The interface of stores for structures, and a store in memory.
//
// Plan: StructureStore · MemoryStore · isSameBytes · refuseOthers.

import type { Bytes } from '../index.ts';

/**
 * Keeps structures as bytes (spec/05-records.md#stores): a MessagePack array of arrays of names, the same in every
 * language.
 */
export interface StructureStore {
  /** Returns the content; null if there is none yet. */
  load(): Promise<Uint8Array | null>;
  /**
   * Replaces the content by `next` if the content is exactly `expected`; null means no content. This must be one atomic
   * step, even if a process crashes. Returns whether the content was replaced. After an error, it may have been.
   */
  replace(expected: Uint8Array | null, next: Uint8Array): Promise<boolean>;
}

/** Keeps structures in memory, for tests and for programs that save the content themselves. */
export class MemoryStore implements StructureStore {
  #kept: Uint8Array | null;

  /** @param kept the initial content; null for none */
  constructor(kept: Uint8Array | null = null) {
    this.#kept = kept === null ? null : copyOf(kept);
  }

  async load(): Promise<Bytes | null> {
    return this.#kept === null ? null : copyOf(this.#kept);
  }

  async replace(expected: Uint8Array | null, next: Uint8Array): Promise<boolean> {
    if (!isSameBytes(this.#kept, expected)) return false;
    this.#kept = copyOf(next);
    return true;
  }
}

/** Copies the memory, too, which the method `slice` of a Buffer doesn't. */
function copyOf(bytes: Uint8Array): Bytes {
  if (!ArrayBuffer.isView(bytes)) throw new TypeError('the content must be a Uint8Array');
  return new Uint8Array(bytes);
}

/** Whether two contents of a store are the same. */
export function isSameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** Refuses options that don't exist. `others` has all options except the known ones. */
export function refuseOthers(others: object): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw new TypeError(`unknown option ${name}`);
}
