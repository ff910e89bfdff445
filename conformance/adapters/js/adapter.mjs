// The adapter of the JavaScript implementation: answers the line protocol (conformance/README.md) with
// the package `polypack`.
//
// Run by the judge; it needs the build of js/.

import { describe } from '@polypack/tools/vectors/described.mjs';
import { canonicalize, isCanonical, Packr, StreamDecoder, Unpackr } from 'polypack';
import { PhpCase, PhpObject, unserialize, unserializeSigned } from 'polypack/snapshot';
import { faultOf, fromHex, optionsOf, serve, toHex, toHost, toTagged } from './common.mjs';
import { DOORS } from './doors.mjs';
import { doorsOf, measure } from './measure.mjs';

/** @param {import('./common.mjs').Request} request */
function canonicalOptions({ records = 'off', limits, integralFloatsAsInts }) {
  return { records, limits, ...(integralFloatsAsInts && { integralFloatsAsInts }) };
}

/** @param {unknown} value */
const described = (value) => ({ value: describe(value, { PhpCase, PhpObject }) });

await serve('js', {
  decode: (request) => ({ value: toTagged(new Unpackr(optionsOf(request)).unpack(fromHex(request.bytes))) }),
  encode: (request) => ({ bytes: toHex(new Packr(optionsOf(request)).pack(toHost(request.value))) }),
  transcode: (request) => {
    const packr = new Packr(optionsOf(request));
    return { bytes: toHex(packr.pack(packr.unpack(fromHex(request.bytes)))) };
  },
  canonical: (request) => ({ bytes: toHex(canonicalize(fromHex(request.bytes), canonicalOptions(request))) }),
  isCanonical: (request) => ({ departure: isCanonical(fromHex(request.bytes), canonicalOptions(request)).departure }),
  stream: (request) => {
    const decoder = new StreamDecoder(optionsOf(request));
    /** @type {import('./common.mjs').Tagged[]} */
    const values = [];
    const error = faultOf(() => {
      for (const chunk of request.chunks) values.push(...decoder.push(fromHex(chunk)).map(toTagged));
      decoder.finish();
    });
    return { values, error };
  },
  unserialize: ({ bytes, options = {} }) => {
    const { max_depth: maxDepth, max_elements: maxElements } = options;
    const limits = { ...(maxDepth !== undefined && { maxDepth }), ...(maxElements !== undefined && { maxElements }) };
    return described(unserialize(fromHex(bytes), { limits }));
  },
  unserializeSigned: async ({ bytes, keys, purpose, frame }) => {
    const ring = Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, fromHex(key)]));
    return described(await unserializeSigned(fromHex(bytes), { keys: ring[''] ?? ring, purpose, frame }));
  },
  measure: (request) => measure(request, DOORS, Unpackr),
  doors: () => doorsOf(DOORS),
});
