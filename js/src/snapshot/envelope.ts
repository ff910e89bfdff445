// Verifies signatures (spec/11-envelope.md). The payload isn't decoded before its signature has been verified.
//
// Plan: options · verified · envelopes · plain frames · keys.
//
// WebCrypto computes the tag and compares it in constant time. WebCrypto is asynchronous, so the input is copied first.
// Then the bytes that are verified are also the bytes that are read, even if the caller changes the input meanwhile.

import { isWellFormed, utf8Bytes } from '../core/text.ts';
import { isBytes } from '../core/values.ts';
import { notSigned } from './failure.ts';
import { checkNames, type SnapshotOptions } from './options.ts';

/**
 * One key without an id, or an object with a key for each id. Each key verifies what was signed under its id. For plain
 * frames, which have no id, every key is tried.
 */
export type SnapshotKeys = Uint8Array | Readonly<Record<string, Uint8Array>>;

/** The options of `unserializeSigned`. */
export interface SignedOptions extends SnapshotOptions {
  /** The key or keys, each of at least 16 bytes. An id has 1 to 32 letters, digits, `.`, `_` or `-`. */
  readonly keys: SnapshotKeys;
  /**
   * The purpose that the writer gave, such as the name of a cache and the cache key. Default: empty. A plain frame has
   * no purpose.
   */
  readonly purpose?: string | Uint8Array;
  /** 'plain': the payload followed by a tag of 32 bytes, without a key id or a purpose. Default: 'envelope'. */
  readonly frame?: 'envelope' | 'plain';
}

/** Bytes whose signature was verified, and their offset in the input. */
export interface Payload {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** The first bytes of an envelope: `c1 45`, version, algorithm, and the reserved fields, which are zero. */
const START = /* @__PURE__ */ Uint8Array.of(0xc1, 0x45, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
const PURPOSE_HASH = 8;
const FIXED = 22;
const TAG = 32;
const SHORTEST_KEY = 16;
const LONGEST_ID = 32;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Verifies signed bytes, and returns their payload. */
export async function verified(input: Uint8Array, options: SignedOptions): Promise<Payload> {
  checkNames(options, ['keys', 'purpose', 'frame', 'limits']);
  const { frame = 'envelope', purpose = '' } = options;
  if (frame !== 'envelope' && frame !== 'plain') throw new TypeError("option frame must be 'envelope' or 'plain'");
  const keys = keysOf(options.keys);
  const wanted = purposeOf(purpose);
  if (frame === 'plain' && wanted.length > 0) throw new TypeError("a plain frame has no purpose; leave out 'purpose'");
  if (globalThis.crypto?.subtle === undefined) {
    throw new TypeError('there is no WebCrypto here; browsers have it on pages from https: and localhost');
  }
  const bytes = input.slice();
  return frame === 'plain' ? verifiedPlain(bytes, keys) : verifiedEnvelope(bytes, keys, wanted);
}

async function verifiedEnvelope(bytes: Uint8Array, keys: Keys, purpose: Uint8Array): Promise<Payload> {
  const length = bytes[FIXED] ?? 0;
  const tagAt = FIXED + 1 + length;
  const offset = tagAt + TAG;
  if (!START.every((byte, index) => bytes[index] === byte) || bytes.length < offset || length > LONGEST_ID) {
    if (bytes[0] === 0xc1 && bytes[1] === 0x53) throw notSigned('the input is a snapshot without a signature');
    throw notSigned('the input is not signed as this version signs');
  }
  const key = keys.get(String.fromCharCode(...bytes.subarray(FIXED + 1, tagAt)));
  if (key === undefined) throw notSigned('the input is signed with a key that is not in the ring');
  // The tag is computed over the head with the hash of the expected purpose. So an envelope for another purpose fails,
  // whatever hash its own head has.
  const expected = bytes.slice(0, tagAt);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', purpose as Uint8Array<ArrayBuffer>));
  expected.set(hash.subarray(0, PURPOSE_HASH), START.length);
  const payload = bytes.subarray(offset);
  const signed = new Uint8Array(tagAt + 4 + purpose.length + payload.length);
  signed.set(expected);
  new DataView(signed.buffer).setUint32(tagAt, purpose.length, true);
  signed.set(purpose, tagAt + 4);
  signed.set(payload, tagAt + 4 + purpose.length);
  const holds = await isTag(key, bytes.subarray(tagAt, offset), signed);
  if (!holds || !expected.every((byte, index) => bytes[index] === byte)) throw notSigned('the signature does not hold');
  return { bytes: payload, offset };
}

async function verifiedPlain(bytes: Uint8Array, keys: Keys): Promise<Payload> {
  if (bytes.length < TAG) throw notSigned('the input is shorter than a signature');
  const payload = bytes.subarray(0, -TAG);
  let holds = false;
  for (const key of keys.values()) holds = (await isTag(key, bytes.subarray(-TAG), payload)) || holds;
  if (!holds) throw notSigned('the signature does not hold');
  return { bytes: payload, offset: 0 };
}

async function isTag(key: Uint8Array, tag: Uint8Array, signed: Uint8Array): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key as Uint8Array<ArrayBuffer>, HMAC, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, tag as Uint8Array<ArrayBuffer>, signed as Uint8Array<ArrayBuffer>);
}

/** Keys by their ids. The id '' is for a key without an id. */
type Keys = ReadonlyMap<string, Uint8Array>;

/**
 * Checks the option `keys`.
 *
 * @throws TypeError if the option or a key has a wrong type; RangeError for short keys, wrong ids, or no keys
 */
function keysOf(keys: SnapshotKeys): Keys {
  if (isBytes(keys)) return new Map([['', checkedKey(keys)]]);
  if (typeof keys !== 'object' || keys === null) {
    throw new TypeError('option keys must be a Uint8Array, or an object with a Uint8Array for each id');
  }
  const ring = new Map<string, Uint8Array>();
  for (const [id, key] of Object.entries(keys)) {
    if (!/^[A-Za-z0-9._-]{1,32}$/.test(id)) {
      throw new RangeError('an id of a key must be 1 to 32 letters, digits, dots, underscores or hyphens');
    }
    ring.set(id, checkedKey(key));
  }
  if (ring.size === 0) throw new RangeError('option keys has no key');
  return ring;
}

function checkedKey(key: Uint8Array): Uint8Array {
  if (!isBytes(key)) throw new TypeError('a key must be a Uint8Array');
  if (key.length < SHORTEST_KEY) {
    throw new RangeError(`a key has ${key.length} bytes; take at least 16, better 32 random ones`);
  }
  return new Uint8Array(key); // a copy, which key.slice() wouldn't be for a Buffer
}

function purposeOf(purpose: string | Uint8Array): Uint8Array {
  if (isBytes(purpose)) return new Uint8Array(purpose);
  if (typeof purpose !== 'string' || !isWellFormed(purpose)) {
    throw new TypeError('option purpose must be a Uint8Array, or a string without lone surrogates');
  }
  return utf8Bytes(purpose);
}
