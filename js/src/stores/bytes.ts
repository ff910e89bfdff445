// What stores compare.

/** Whether two contents of a store are the same. */
export function isSameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
