// The ways into the JavaScript packages whose cost is measured: each reader, with each option that chooses other code.
//
// Plan: readers of the package · its doors · those of polypack/compact.

import {
  canonicalize,
  decodeElements,
  decodeFirst,
  decodeIter,
  ElementsDecoder,
  get,
  isCanonical,
  Raw,
  StreamDecoder,
  Unpackr,
  UnpackrStream,
  unpack,
  unpackMultiple,
  unpackTransform,
} from 'polypack';
import * as compact from 'polypack/compact';

/** @typedef {import('./measure.mjs').Door} Door */
/** @typedef {import('./measure.mjs').Decode} Decode */
/** @typedef {import('polypack').UnpackrOptions} Options */

/** Bytes of a chunk: many chunks for each message, and several values in a chunk. */
const CHUNK = 4000;

/** The names that units of shared records have (lib/cost-units.mjs). */
const SHAPES = [['999'], ['abc'], ['999', '2499'], ['abc', 'abcd']];

/** @param {Uint8Array} bytes @returns {Generator<Uint8Array>} */
function* chunks(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

// --- readers ---------------------------------------------------------------------------------------------------------

/** @type {Record<string, (options: Options) => Decode>} */
const READERS = {
  Unpackr: (options) => {
    const unpackr = new Unpackr(options);
    return (bytes) => unpackr.unpack(bytes);
  },
  StreamDecoder: (options) => (bytes) => {
    const decoder = new StreamDecoder(options);
    const values = [...chunks(bytes)].flatMap((chunk) => decoder.push(chunk));
    decoder.finish();
    return values;
  },
  ElementsDecoder: (options) => (bytes) => {
    const decoder = new ElementsDecoder(options);
    const elements = [...chunks(bytes)].map((chunk) => decoder.push(chunk));
    decoder.finish();
    return elements;
  },
  decodeElements: (options) => (bytes) => [...decodeElements(chunks(bytes), options)],
  decodeIter: (options) => (bytes) => [...decodeIter(chunks(bytes), options)],
  UnpackrStream: (options) => async (bytes) => {
    const stream = new UnpackrStream(options);
    /** @type {unknown[]} */
    const values = [];
    const reading = (async () => {
      for await (const value of stream) values.push(value);
    })();
    for (const chunk of chunks(bytes)) stream.write(chunk);
    stream.end();
    await reading;
    return values;
  },
  unpackTransform: (options) => async (bytes) => {
    const source = new ReadableStream({
      start(controller) {
        for (const chunk of chunks(bytes)) controller.enqueue(chunk);
        controller.close();
      },
    });
    /** @type {unknown[]} */
    const values = [];
    for await (const value of source.pipeThrough(unpackTransform(options))) values.push(value);
    return values;
  },
  get: (options) => (bytes) => get(bytes, lastPath(bytes), options),
  Raw: (options) => {
    const unpackr = new Unpackr(options);
    return (bytes) => new Raw(bytes, unpackr).get(lastPath(bytes));
  },
};

/**
 * The path of the last element; of a map, one that nothing has, so that all of it is read.
 *
 * @param {Uint8Array} bytes
 */
function lastPath(bytes) {
  if (bytes[0] !== 0xdd) return '/…';
  return `/${new DataView(bytes.buffer, bytes.byteOffset).getUint32(1) - 1}`;
}

/** @param {string} reader @param {string} name @param {Options} options @param {Omit<Door, 'name' | 'open'>} [reads] @returns {Door} */
function door(reader, name, options, reads = {}) {
  const open = READERS[reader];
  if (open === undefined) throw new Error(`no reader ${reader}`);
  return { name: name === '' ? reader : `${reader} ${name}`, ...reads, open: () => open(options) };
}

// --- the package -----------------------------------------------------------------------------------------------------

/** @type {Omit<Door, 'name' | 'open'>} */
const INLINE = { records: 'inline' };
/** @type {Omit<Door, 'name' | 'open'>} */
const CLONE = { records: 'inline', also: 'structuredClone' };
/** @type {Omit<Door, 'name' | 'open'>} */
const BUNDLED = { records: 'inline', also: 'bundleStrings' };

/** @type {[string, Options, Omit<Door, 'name' | 'open'>][]} */
const OPTIONS = [
  ['', {}, INLINE],
  ['strict', { mode: 'strict' }, INLINE],
  ['lossless', { mode: 'lossless' }, {}],
  ['structuredClone', { structuredClone: true }, CLONE],
];

/** @type {Door[]} */
export const DOORS = [
  { name: 'unpack', open: () => (bytes) => unpack(bytes) },
  { name: 'unpack strict', open: () => (bytes) => unpack(bytes, { mode: 'strict' }) },
  { name: 'unpackMultiple', open: () => (bytes) => unpackMultiple(bytes) },
  { name: 'decodeFirst', open: () => (bytes) => decodeFirst(bytes) },
  // In the first tier of decoding, which the other codecs soon leave.
  { name: 'Unpackr new', ...INLINE, open: () => (bytes) => new Unpackr({ mapsAsObjects: true }).unpack(bytes) },
  ...Object.keys(READERS)
    .filter((reader) => reader !== 'Raw' && reader !== 'get')
    .flatMap((reader) =>
      OPTIONS.filter(([name]) => name !== 'structuredClone' || !/[eE]lements/.test(reader)).map(
        ([name, options, reads]) => door(reader, name, options, reads),
      ),
    ),
  ...['get', 'Raw'].flatMap((reader) => OPTIONS.slice(0, 3).map(([name, options]) => door(reader, name, options))),
  door('get', 'records', { records: 'inline' }, INLINE),
  door('Unpackr', 'lossless records', { mode: 'lossless', records: 'inline' }, INLINE),
  door('Unpackr', 'without records', { records: 'off' }),
  door('Unpackr', 'mapsAsObjects', { mapsAsObjects: true }, INLINE),
  door('Unpackr', 'mapsAsObjects strict', { mapsAsObjects: true, mode: 'strict' }, INLINE),
  door('Unpackr', 'maps', { mapsAsObjects: false }, INLINE),
  door('Unpackr', 'maps strict', { mapsAsObjects: false, mode: 'strict' }, INLINE),
  door('Unpackr', 'arrays in keys', { mapsAsObjects: true, allowArraysInMapKeys: true }, INLINE),
  door('Unpackr', 'without generated code', { generateCode: false }, INLINE),
  door('Unpackr', 'int64AsType', { int64AsType: 'string' }, INLINE),
  door('Unpackr', 'copyBuffers', { copyBuffers: true }, INLINE),
  door('Unpackr', 'useFloat32', { useFloat32: 3 }, INLINE),
  door('Unpackr', 'compat', { compat: 'msgpackr' }, INLINE),
  door('Unpackr', 'maxValues', { limits: { maxValues: 1e9 } }, INLINE),
  door('Unpackr', 'shared', { structures: SHAPES }, { records: 'shared' }),
  door('Unpackr', 'shared strict', { structures: SHAPES, mode: 'strict' }, { records: 'shared' }),
  door('Unpackr', 'fingerprint', { structures: SHAPES, fingerprint: true }, { records: 'shared' }),
  door('StreamDecoder', 'shared', { structures: SHAPES }, { records: 'shared' }),
  door('Unpackr', 'moreTypes', { moreTypes: true }, { records: 'inline', also: 'moreTypes' }),
  door('Unpackr', 'structuredClone strict', { structuredClone: true, mode: 'strict' }, CLONE),
  door('Unpackr', 'structuredClone mapsAsObjects', { structuredClone: true, mapsAsObjects: true }, CLONE),
  door('Unpackr', 'regExps', { structuredClone: true, regExps: true }, CLONE),
  door('Unpackr', 'bundleStrings', { bundleStrings: true }, BUNDLED),
  door('StreamDecoder', 'bundleStrings', { bundleStrings: true }, BUNDLED),
  door('StreamDecoder', 'sequential', /** @type {Options} */ ({ sequential: true }), INLINE),
  ...['off', 'inline'].flatMap((records) => canonicalDoors(/** @type {'off' | 'inline'} */ (records))),
];

/** @param {'off' | 'inline'} records @returns {Door[]} */
function canonicalDoors(records) {
  const reads = records === 'inline' ? INLINE : {};
  const suffix = records === 'inline' ? ' records' : '';
  return [
    { name: `canonicalize${suffix}`, ...reads, open: () => (bytes) => canonicalize(bytes, { records }) },
    { name: `isCanonical${suffix}`, ...reads, open: () => (bytes) => isCanonical(bytes, { records }) },
  ];
}

// --- polypack/compact ------------------------------------------------------------------------------------------------

/** @type {[string, object][]} */
const COMPACT_OPTIONS = [
  ['', {}],
  ['strict', { mode: 'strict' }],
  ['lossless', { mode: 'lossless' }],
  ['mapsAsObjects', { mapsAsObjects: true }],
  ['maps', { mapsAsObjects: false }],
  ['maps strict', { mapsAsObjects: false, mode: 'strict' }],
  ['int64AsType', { int64AsType: 'string' }],
  ['copyBuffers', { copyBuffers: true }],
];

/** @type {Door[]} */
export const COMPACT_DOORS = [
  { name: 'unpack', open: () => (bytes) => compact.unpack(bytes) },
  { name: 'unpackMultiple', open: () => (bytes) => compact.unpackMultiple(bytes) },
  { name: 'decodeFirst', open: () => (bytes) => compact.decodeFirst(bytes) },
  ...COMPACT_OPTIONS.map(([name, options]) => compactDoor(name, options)),
  ...COMPACT_OPTIONS.slice(0, 4).map(([name, options]) =>
    compactDoor(`${name} records`, { ...options, records: 'inline' }, INLINE),
  ),
];

/** @param {string} name @param {object} options @param {Omit<Door, 'name' | 'open'>} [reads] @returns {Door} */
function compactDoor(name, options, reads = {}) {
  return {
    name: `Unpackr ${name}`.replace(/ +/g, ' ').trim(),
    ...reads,
    open: () => {
      const unpackr = new compact.Unpackr(options);
      return (bytes) => unpackr.unpack(bytes);
    },
  };
}
