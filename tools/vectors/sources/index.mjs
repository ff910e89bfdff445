// Every source of vectors, in the order of the files.

import validInt from './valid/int.mjs';
import validStr from './valid/str.mjs';
import truncated from './invalid/truncated.mjs';
import wire from './invalid/wire.mjs';

/** @typedef {import('../cases.mjs').Source} Source */

/** @type {Source[]} */
const valid = [validInt, validStr];

/** @type {Source[]} */
export const sources = [...valid, truncated(valid), wire];
