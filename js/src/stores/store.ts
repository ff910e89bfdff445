// Where structures are kept, and how contents of a store are compared.
//
// Plan: StructureStore · MemoryStore · isSameBytes.

/** Where structures are kept: one value of bytes. Other languages keep the same bytes, a MessagePack array of arrays of names. */
export interface StructureStore {
  /** What is kept; null while there is nothing. */
  load(): Promise<Uint8Array | null>;
  /**
   * Keeps `next` if exactly `expected` is kept, in one step that nobody comes between and that is done or not done whatever
   * crashes. Returns whether it did.
   */
  replace(expected: Uint8Array | null, next: Uint8Array): Promise<boolean>;
}

/** Keeps structures in this process, for tests and for programs that keep them elsewhere. */
export class MemoryStore implements StructureStore {
  #kept: Uint8Array | null;

  /** @param kept what is kept at first */
  constructor(kept: Uint8Array | null = null) {
    this.#kept = kept === null ? null : kept.slice();
  }

  async load(): Promise<Uint8Array | null> {
    return this.#kept === null ? null : this.#kept.slice();
  }

  async replace(expected: Uint8Array | null, next: Uint8Array): Promise<boolean> {
    if (!isSameBytes(this.#kept, expected)) return false;
    this.#kept = next.slice();
    return true;
  }
}

/** Whether two contents of a store are the same. */
export function isSameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
