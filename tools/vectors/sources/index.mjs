// Every source of vectors, in the order of the files.

import validArray from './valid/array.mjs';
import validBin from './valid/bin.mjs';
import validDepth from './valid/depth.mjs';
import validDocument from './valid/document.mjs';
import validExt from './valid/ext.mjs';
import validFloat from './valid/float.mjs';
import validInt from './valid/int.mjs';
import validKey from './valid/key.mjs';
import validMap from './valid/map.mjs';
import validScalar from './valid/scalar.mjs';
import validStr from './valid/str.mjs';
import validTimestamp from './valid/timestamp.mjs';
import truncated from './invalid/truncated.mjs';
import wire from './invalid/wire.mjs';

/** @typedef {import('../cases.mjs').Source} Source */

/** @type {Source[]} */
const valid = [
  validScalar,
  validInt,
  validFloat,
  validStr,
  validBin,
  validArray,
  validMap,
  validKey,
  validExt,
  validTimestamp,
  validDepth,
  validDocument,
];

/** @type {Source[]} */
export const sources = [...valid, truncated(valid), wire];
