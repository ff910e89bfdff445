// Assertions that several rooms share.

import assert from 'node:assert/strict';
import { Packr, PolypackError, pack, unpack } from 'polypack';
import { bytesOf, hexOf } from './_values.ts';

/** What a fault is expected to be; members left out are not looked at. */
export interface ExpectedFault {
  readonly code: string;
  readonly offset?: number | null;
  readonly path?: string;
  readonly message?: RegExp;
}

/** Runs, and checks that it fails with a PolypackError of this kind; gives the error. */
export function assertFault(run: () => unknown, expected: ExpectedFault, about?: string): PolypackError {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  assert.ok(
    thrown instanceof PolypackError,
    `${about ?? 'it'} should fail with a PolypackError, got ${String(thrown)}`,
  );
  const { message, ...members } = expected;
  for (const [name, value] of Object.entries(members)) {
    assert.equal(thrown[name as 'code'], value, `${about ?? thrown.message}: ${name}`);
  }
  if (message !== undefined) assert.match(thrown.message, message);
  return thrown;
}

/** Packs as plain MessagePack and checks the bytes, written as the vectors write them. */
export function assertPacks(value: unknown, bytes: string, about?: string): void {
  assert.equal(hexOf(pack(value)), hexOf(bytesOf(bytes)), about);
}

/** Checks that the bytes unpack to a value, by type as well. */
export function assertUnpacks(bytes: string, value: unknown, about?: string): void {
  assert.deepStrictEqual(unpack(bytesOf(bytes)), value, about);
}

/** The hex of what a Packr of these options packs. */
export function packedBy(options: ConstructorParameters<typeof Packr>[0], value: unknown): string {
  return hexOf(new Packr(options).pack(value));
}
