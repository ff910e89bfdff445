// The options of snapshots, and functions that check them.

import { DEEPEST, MAX_COLLISIONS, MAX_DEPTH, UNLIMITED } from '../core/format.ts';
import { checkedInteger } from '../core/limits.ts';

/** The option `limits`. Leave out limits that should keep their default. */
export interface SnapshotLimits {
  /** How many arrays and objects may be inside one another: 0 … 4 096, default 512. */
  readonly maxDepth: number;
  /** How many values may cost no bytes, such as the cells of a constant column: 0 … Infinity, default 1 048 576. */
  readonly maxElements: number;
  /** How often keys that share a bucket may be compared (spec/06#collisions): 1 … Infinity, default 200 000 000. */
  readonly maxCollisions: number;
}

const DEFAULTS: SnapshotLimits = { maxDepth: MAX_DEPTH, maxElements: 1 << 20, maxCollisions: MAX_COLLISIONS };

/** The options of `unserialize`. */
export interface SnapshotOptions {
  readonly limits?: Partial<SnapshotLimits>;
}

/**
 * Refuses options that don't exist.
 *
 * @throws TypeError that names the first such option
 */
export function checkNames(options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new TypeError('the options must be an object');
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new TypeError(`unknown option ${name}; there are ${names.join(', ')}`);
  }
}

/** Checks limits and fills in defaults. */
export function limitsOf(limits: Partial<SnapshotLimits> = {}): SnapshotLimits {
  checkNames(limits, Object.keys(DEFAULTS));
  const { maxDepth = MAX_DEPTH, maxElements = DEFAULTS.maxElements, maxCollisions = MAX_COLLISIONS } = limits;
  return {
    maxDepth: checkedInteger('limit maxDepth', maxDepth, 0, DEEPEST),
    maxElements: checkedInteger('limit maxElements', maxElements, 0, UNLIMITED),
    maxCollisions: checkedInteger('limit maxCollisions', maxCollisions, 1, UNLIMITED),
  };
}
