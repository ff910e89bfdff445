// Limits on what hostile input can cost (spec/06-limits.md).
//
// Plan: the option `limits` · its defaults · Account · reading the option. The limits are enforced elsewhere:
//
// maxDepth          encoder/encoder.ts; containers, records, arrays, decoder and first in decoder/; scan/scan.ts
// maxValues         containers, records, arrays, decoder and first in decoder/
// maxBytes          scan/scan.ts, stream/stream.ts and stream/elements.ts for messages and elements of streams;
//                   envelope/unbundle.ts for bundled strings; decoder/counting.ts for names of records;
//                   decoder/sequence.ts for declarations that are kept
// maxCollisions     containers, records and decoder in decoder/; clone/decoder.ts; raw/get.ts
// maxPatternBytes   clone/decoder.ts
//
// The compact codec enforces its limits in compact/decoder.ts and compact/encoder.ts. Snapshots have limits of their
// own (snapshot/options.ts).

import { DEEPEST, MAX_COLLISIONS, MAX_DEPTH, MAX_STREAM_BYTES, UNLIMITED } from './format.ts';

/** The option `limits`. Leave out members that should keep their default. */
export interface Limits {
  /**
   * How many containers may be open, on encode and decode: 0 … 4 096, default 512. Nesting uses the call stack; an
   * engine's default stack is enough for about a thousand containers. Running out of stack before this limit is also
   * `limit_exceeded`.
   */
  readonly maxDepth?: number;
  /**
   * Values of one message, keys of maps included: 1 … Infinity, default Infinity. The values in a container count when
   * its head is read.
   */
  readonly maxValues?: number;
  /**
   * Bytes of one message of a stream, or of one element of `decodeElements`: 1 … Infinity, default 64 MiB (67 108 864).
   * Also limits the map heads and names that `canonicalize` and `Raw` write for records, and the declarations that
   * readers keep (`sequential`, `decodeElements`).
   */
  readonly maxBytes?: number;
  /**
   * Comparisons of keys that share a bucket of a Map or Set: 1 … Infinity, default 200 000 000, which take about half a
   * second. They are added up for a whole message. Tables of at most 256 keys aren't counted.
   */
  readonly maxCollisions?: number;
  /**
   * Bytes of the patterns of regular expressions in a message, heads included: 1 … Infinity, default 1 024. An engine
   * may take 70 KB of memory for each of these bytes. Regular expressions are read only with the option `regExps`.
   */
  readonly maxPatternBytes?: number;
}

/** Limits with every member. */
export type FullLimits = Required<Limits>;

const DEFAULT_LIMITS: FullLimits = {
  maxDepth: MAX_DEPTH,
  maxValues: UNLIMITED,
  maxBytes: MAX_STREAM_BYTES,
  maxCollisions: MAX_COLLISIONS,
  maxPatternBytes: 1024,
};

/** What a message has cost so far, for limits that are sums over the whole message. */
export interface Account {
  /** How many keys were compared in tables of more than UNCOUNTED keys. */
  comparisons: number;
  patternBytes: number;
}

export function newAccount(): Account {
  return { comparisons: 0, patternBytes: 0 };
}

/**
 * Checks the option `limits` and fills in defaults.
 *
 * @throws TypeError for an unknown name or a value that isn't a number; RangeError for a number out of range
 */
export function readLimits(limits: Limits | undefined): FullLimits {
  if (limits === undefined) return DEFAULT_LIMITS;
  if (typeof limits !== 'object' || limits === null) failKind('option limits', 'an object');
  const full = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (!isLimit(name))
      throw new TypeError(`unknown limit ${name}; there are ${Object.keys(DEFAULT_LIMITS).join(', ')}`);
    if (value !== undefined) full[name] = readLimit(name, value);
  }
  return Object.freeze(full);
}

export function isLimit(name: string): name is keyof Limits {
  return Object.hasOwn(DEFAULT_LIMITS, name);
}

function readLimit(name: keyof Limits, value: unknown): number {
  const isDepth = name === 'maxDepth';
  return checkedInteger(`limit ${name}`, value, isDepth ? 0 : 1, isDepth ? DEEPEST : UNLIMITED);
}

/**
 * Checks a number that a user gave, and returns it.
 *
 * @param most the largest valid number; if it is Infinity, Infinity is also valid
 * @throws TypeError if it isn't a number; RangeError if it isn't an integer from `least` to `most`
 */
export function checkedInteger(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number') failKind(name, 'a number');
  if ((Number.isInteger(value) || value === most) && value >= least && value <= most) return value;
  throw new RangeError(`${name} is ${value}; it must be an integer from ${least} to ${most}`);
}

/** Refuses an argument or option of the wrong kind. `kind` says what the value must be. */
export function failKind(name: string, kind: string): never {
  throw new TypeError(`${name} must be ${kind}`);
}
