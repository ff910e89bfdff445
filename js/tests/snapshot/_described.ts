// Describes what JavaScript gets of a snapshot, and what a vector says that it gets.

import { type Described, describe as describeWith, reduced } from '@polypack/tools/vectors/described.mjs';
import { PhpCase, PhpObject } from 'polypack/snapshot';

export { type Described, reduced };

/** Describes a value. Arrays that occur again are references. */
export function describe(value: unknown): Described {
  return describeWith(value, { PhpCase, PhpObject });
}
