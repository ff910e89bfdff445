// Every source of vectors, in the order of the files.

import canonicalForm from './canonical/form.mjs';
import canonicalIntegral from './canonical/integral.mjs';
import canonicalNames from './canonical/names.mjs';
import { invalidClone } from './defaults/clone.mjs';
import { defaults } from './defaults/language.mjs';
import encodeKey from './encode/key.mjs';
import encodeValue from './encode/value.mjs';
import invalidCount from './invalid/count.mjs';
import invalidDuplicate from './invalid/duplicate.mjs';
import invalidKey from './invalid/key.mjs';
import invalidLimit from './invalid/limit.mjs';
import invalidPath from './invalid/path.mjs';
import invalidRecord from './invalid/record.mjs';
import invalidReserved from './invalid/reserved.mjs';
import invalidTimestamp from './invalid/timestamp.mjs';
import invalidTrailing from './invalid/trailing.mjs';
import truncated from './invalid/truncated.mjs';
import invalidUtf8 from './invalid/utf8.mjs';
import { withoutPending } from './pending.mjs';
import recordsInvalid from './records/invalid.mjs';
import recordsMsgpackr from './records/msgpackr.mjs';
import recordsShared from './records/shared.mjs';
import recordsValid from './records/valid.mjs';
import streamFault from './stream/fault.mjs';
import streamMessage from './stream/message.mjs';
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
const invalid = [
  truncated(valid),
  invalidClone,
  invalidCount,
  invalidDuplicate,
  invalidKey,
  invalidLimit,
  invalidPath,
  invalidRecord,
  invalidReserved,
  invalidTimestamp,
  invalidTrailing,
  invalidUtf8,
];

/** @type {Source[]} */
const all = [
  ...valid,
  ...invalid,
  streamMessage,
  streamFault,
  recordsValid,
  recordsInvalid,
  recordsMsgpackr,
  recordsShared,
  canonicalForm,
  canonicalIntegral,
  canonicalNames,
  ...defaults,
  encodeKey,
  encodeValue,
];

/** A room without cases has no file. */
export const sources = all.map(withoutPending).filter(({ cases }) => cases.length > 0);
