// The functions of the entry point polypack/snapshot.

import { isBytes } from '../core/values.ts';
import { type SignedOptions, verified } from './envelope.ts';
import { Failure } from './failure.ts';
import { checkNames, limitsOf, type SnapshotLimits, type SnapshotOptions } from './options.ts';
import { Reader } from './reader.ts';

/**
 * Reads a snapshot of PHP as data (spec/10-snapshot.md#elsewhere). The source needn't be trusted, because no class is
 * looked up and no code of a class runs.
 *
 * @throws PolypackError if the bytes aren't a valid snapshot, or exceed a limit
 */
export function unserialize(bytes: Uint8Array, options: SnapshotOptions = {}): unknown {
  checkNames(options, ['limits']);
  return read(checkedBytes(bytes), 0, limitsOf(options.limits));
}

/**
 * Verifies the signature of a snapshot, and only then reads the snapshot. Needs WebCrypto, which Node, Deno, Bun, and
 * browsers on secure pages have.
 *
 * @throws PolypackError `invalid_signature` for another key or purpose, or changed bytes; also the errors of
 *   `unserialize`
 */
export async function unserializeSigned(bytes: Uint8Array, options: SignedOptions): Promise<unknown> {
  const limits = limitsOf(options?.limits);
  try {
    const payload = await verified(checkedBytes(bytes), options);
    return read(payload.bytes, payload.offset, limits);
  } catch (failure) {
    throw errorOf(failure, 0);
  }
}

/** @param base the offset of `bytes` in the user's input */
function read(bytes: Uint8Array, base: number, limits: SnapshotLimits): unknown {
  try {
    return new Reader(bytes, limits).read();
  } catch (failure) {
    throw errorOf(failure, base);
  }
}

function errorOf(failure: unknown, base: number): unknown {
  return failure instanceof Failure ? failure.toError(base) : failure;
}

/** Returns a plain Uint8Array of the same memory, because Buffer.slice returns a view instead of a copy. */
function checkedBytes(bytes: Uint8Array): Uint8Array {
  if (isBytes(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  throw new TypeError('the input must be a Uint8Array');
}
