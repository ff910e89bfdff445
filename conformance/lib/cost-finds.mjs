// What an attacker or the fuzzer of costs once found, as tests: each message is beside its harmless twin at the doors
// that it concerns, and may cost only so much more.
//
// Plan of the file: types · finds · the check.
//
// They measure memory, processor time with a wide margin, and whether a message is refused: never time by the clock, so
// that a busy machine changes nothing. Where doors share the code that was at fault, a few of them are enough.

import { Asked, FACTOR, fits } from './cost-process.mjs';
import { messageOf } from './cost-units.mjs';

/**
 * @typedef {import('./cost-process.mjs').Door} Door
 * @typedef {import('./cost-process.mjs').Figures} Figures
 * @typedef {import('./cost-units.mjs').Unit} Unit
 *
 * @typedef {object} Find
 * @property {string} name
 * @property {RegExp} at the "implementation: door" that it concerns
 * @property {Unit} unit
 * @property {number} length bytes of the message
 * @property {number} [memory] bytes in which the message is refused or read
 * @property {Judge} judge
 *
 * What must hold: how often a message is decoded for its processor time, and what is wrong.
 * @typedef {{rounds: number, fault: (text: Figures, twin: Figures) => string | null}} Judge
 */

// --- finds -----------------------------------------------------------------------------------------------------------

const KILOBYTE = 1000;

/** Bytes of the heap that a key like an array index may take more than another, for each object. */
const INDEX_BYTES = 256;

/** @param {number} length of the bytes for one object @returns {Judge} */
function retainsAtMost(length) {
  return {
    rounds: 0,
    fault: (text, twin) => {
      if (text.retained === undefined) return 'what it retains is not measured';
      const more = (text.retained - (twin.retained ?? 0)) * length;
      return more <= INDEX_BYTES ? null : `retains ${more.toFixed(0)} bytes for each object more than its twin`;
    },
  };
}

/** @param {'cpu' | 'resident'} what @param {number} always what a twin may cost anyway @returns {Judge} */
function costsAtMost(what, always) {
  return {
    rounds: what === 'cpu' ? 3 : 0,
    fault: ({ [what]: cost = 0 }, { [what]: usual = 0 }) =>
      cost <= FACTOR * Math.max(usual, always) ? null : `${what} ${cost.toFixed(0)}, twin ${usual.toFixed(0)}`,
  };
}

/** @param {string | null} code null for a value @returns {Judge} */
function endsWith(code) {
  const name = (/** @type {string | null | undefined} */ error) => error ?? 'a value';
  return {
    rounds: 0,
    fault: ({ error }) => (error === code ? null : `${name(error)} instead of ${name(code)}`),
  };
}

/** @param {string} text @param {string} twin @returns {Unit} */
const array = (text, twin) => ({ wrap: 'array', parts: [{ text, twin }] });

/** Keys of one map, or of maps with 4,096 entries each. @param {string} text @param {number} [row] @returns {Unit} */
const keys = (text, row) => ({
  wrap: row === undefined ? 'map' : 'maps',
  ...(row !== undefined && { row }),
  parts: [{ text, twin: text.replace(/\*\d+/, '*1') }],
});

/**
 * Instances of a shape that is declared before them.
 *
 * @param {string} names
 * @param {string} twin
 * @param {string} instance
 * @returns {Unit}
 */
const instances = (names, twin, instance) => ({
  wrap: 'array',
  first: { text: `d47240${names}${instance.slice(2)}`, twin: `d47240${twin}${instance.slice(2)}` },
  parts: [{ text: instance, twin: instance }],
  records: 'inline',
});

/** A name of 60 KB with this end, in hex. @param {string} end */
const longName = (end) => `da${(60_000).toString(16)}${'6e'.repeat(59_998)}${end}`;

/** Two such names: PHP's hash of their ends is the same, but not in the twin. */
const LONG_NAMES = instances(
  `92${longName('4659')}${longName('457a')}`,
  `92${longName('4659')}${longName('467a')}`,
  '40c0c0',
);

/** Whatever comes of it, the process survives. @type {Judge} */
const SURVIVES = { rounds: 0, fault: () => null };

/** The memory that PHP gives a request unless told otherwise. */
const PHP_MEMORY = 128 * 2 ** 20;

/** @param {string} text @param {RegExp} at @returns {Find} */
const megabyteOf = (text, at) => ({
  name: `a megabyte of ${text}`,
  at,
  unit: array(text, text),
  length: 1000 * KILOBYTE,
  memory: PHP_MEMORY,
  judge: SURVIVES,
});

/** @type {Find[]} */
const FINDS = [
  // V8 gives an object with a key like an array index memory for all indices below it.
  {
    name: 'an index as the only key',
    at: /^js/,
    unit: array('81a3393939c0', '81a3616263c0'),
    length: 24 * KILOBYTE,
    judge: retainsAtMost(6),
  },
  {
    name: 'an index as the only name',
    at: /^js(-compact)?: (Unpackr|[^ ]+$)/,
    unit: instances('91a3393939', '91a3616263', '4007'),
    length: 10 * KILOBYTE,
    judge: retainsAtMost(2),
  },
  {
    name: 'two indices as names',
    at: /^js(-compact)?: (Unpackr|[^ ]+$)/,
    unit: instances('92a3393939a432343939', '92a3616263a461626364', '400707'),
    length: 15 * KILOBYTE,
    judge: retainsAtMost(3),
  },
  {
    name: 'an index as a shared name',
    at: /^js/,
    unit: { wrap: 'array', parts: [{ text: '4007', twin: '4107' }], records: 'shared' },
    length: 10 * KILOBYTE,
    judge: retainsAtMost(2),
  },
  {
    name: 'an index as a name that is declared again and again',
    at: /^js(-compact)?: (Unpackr|[^ ]+$)/,
    unit: {
      wrap: 'array',
      parts: [
        { text: 'd4724091a339393907', twin: 'd4724091a361626307' },
        { text: '4007', twin: '4007', times: 63 },
      ],
      records: 'inline',
    },
    length: 12 * KILOBYTE,
    judge: retainsAtMost(2),
  },
  // V8 parses an expression when it is made, outside of its heap.
  {
    name: 'a regular expression of sets of emoji',
    at: /^js/,
    unit: {
      ...array(
        `d4780092d9f0${'5c707b5247495f456d6f6a697d'.repeat(18)}616161616161a176`,
        `d4730092d9f0${'61'.repeat(240)}a176`,
      ),
      also: 'moreTypes',
    },
    length: 10 * KILOBYTE,
    judge: costsAtMost('resident', 2000),
  },
  // V8 records a stack for each Error, unless told otherwise.
  {
    name: 'errors',
    at: /^js/,
    unit: { ...array('d4650092a0a0', 'd473009207a0'), also: 'moreTypes' },
    length: 24 * KILOBYTE,
    judge: costsAtMost('cpu', 250),
  },
  // Keys in one bucket, by the bytes alone: the engine may have a seed.
  {
    name: 'colliding ints in one map',
    at: /^js(-compact)?: Unpackr maps$/,
    unit: keys('d2{v32*65536}'),
    length: 360 * KILOBYTE,
    judge: endsWith('limit_exceeded'),
  },
  {
    name: 'colliding digits in one map',
    at: /^js(-compact)?: Unpackr (maps strict|lossless)$/,
    unit: keys('aa{d10*65536+1000013824}'),
    length: 480 * KILOBYTE,
    judge: endsWith('limit_exceeded'),
  },
  {
    name: 'colliding ints in many maps',
    at: /^js(-compact)?: Unpackr maps strict$/,
    unit: keys('d2{v32*65536}', 4096),
    length: 800 * KILOBYTE,
    judge: endsWith('limit_exceeded'),
  },
  {
    name: 'colliding labels',
    at: /^js: Unpackr structuredClone$/,
    unit: { ...array('d669{v32*65536}90', 'd669{u32*1+1}90'), also: 'structuredClone' },
    length: 400 * KILOBYTE,
    judge: endsWith('limit_exceeded'),
  },
  // PHP would compare long names with each other in each instance if they share a hash, and Go's maps hash them.
  {
    name: 'long names that share a hash',
    at: /^php(-ext)?: unpack records( strict| lossless)?$/,
    unit: LONG_NAMES,
    length: 400 * KILOBYTE,
    judge: costsAtMost('cpu', 250),
  },
  {
    name: 'long names',
    at: /^go: any records (default|strict)$/,
    unit: LONG_NAMES,
    length: 400 * KILOBYTE,
    judge: endsWith('limit_exceeded'),
  },
  {
    name: 'long names in keys',
    at: /^go: any records lossless$/,
    unit: { ...LONG_NAMES, wrap: 'map', parts: [{ text: '40ce{u32}c0', twin: '40ce{u32}c0' }] },
    length: 400 * KILOBYTE,
    judge: endsWith('limit_exceeded'),
  },
  {
    name: '20,000 snowflakes',
    at: /^(js(-compact)?: Unpackr( (strict|lossless))?|go: any (default|strict|lossless))$/,
    unit: keys('cf{u64*4194304+7}'),
    length: 200 * KILOBYTE,
    judge: endsWith(null),
  },
  // What a value of one byte or a few weighs in PHP.
  ...['81a0c0', '81a161c0', '9181a0c0', '8100c0'].map((text) => megabyteOf(text, /^php(-ext)?: unpack strict$/)),
  megabyteOf('9181a0c0', /^php: (StreamUnpacker|unpack records|extensions|tryUnpack) strict$/),
  {
    name: 'colliding ints in many maps',
    at: /^php: (unpack|StreamUnpacker strict)$/,
    unit: keys('ce{u32*65536}', 4096),
    length: 800 * KILOBYTE,
    judge: endsWith('limit_exceeded'),
  },
  {
    name: 'colliding ints in one map',
    at: /^php(-ext)?: unpack$|^php: unpack (records|shared)( strict)?$|^php: get strict$/,
    unit: keys('ce{u32*65536}'),
    length: 360 * KILOBYTE,
    judge: endsWith('limit_exceeded'),
  },
  {
    name: 'colliding ints in lossless mode',
    at: /^php(-ext)?: unpack lossless$/,
    unit: keys('ce{u32*65536}'),
    length: 360 * KILOBYTE,
    judge: endsWith(null),
  },
  {
    name: '20,000 snowflakes',
    at: /^php(-ext)?: unpack( strict| lossless)?$/,
    unit: keys('cf{u64*4194304+7}'),
    length: 200 * KILOBYTE,
    judge: endsWith(null),
  },
  {
    name: '20,000 snowflakes as digits',
    at: /^php(-ext)?: unpack strict$/,
    unit: keys('b3{d19*4194304+1000000000000000000}'),
    length: 420 * KILOBYTE,
    judge: endsWith(null),
  },
];

// --- the check -------------------------------------------------------------------------------------------------------

/** So often in a row a fault must show: what an engine compiles meanwhile is memory, too. */
const TURNS = 3;

/**
 * Checks every find at every door that it concerns.
 *
 * @param {import('./adapters.mjs').Implementation} implementation
 * @param {Find[]} [finds]
 * @returns {Promise<{asked: number, wrong: string[]}>}
 */
export async function checkFinds(implementation, finds = FINDS) {
  const process = new Asked(implementation);
  const doors = await process.doors();
  const wrong = [];
  let asked = 0;
  for (const find of finds) {
    const { at, unit, length, memory } = find;
    const fitting = doors.filter((door) => at.test(`${implementation.name}: ${door.name}`) && fits(door, unit));
    /** Made once for all doors. @type {Record<string, string>} */
    const messages = {};
    for (const { name } of fitting) {
      asked++;
      let fault = null;
      for (let turn = 0; turn < TURNS && (turn === 0 || fault !== null); turn++) {
        const measure = (/** @type {'text' | 'twin'} */ which) => {
          messages[which] ??= messageOf(unit, which, length);
          return process.measure(name, messages[which], find.judge.rounds, memory);
        };
        const text = await measure('text');
        fault = text.died ?? find.judge.fault(text, {});
        // Most cost so little that the twin, which can only excuse them, isn't asked.
        if (fault === null || text.died !== undefined) continue;
        const twin = await measure('twin');
        fault = twin.died ?? find.judge.fault(text, twin);
      }
      if (fault !== null) wrong.push(`${implementation.name}: ${find.name} [${name}]: ${fault}`);
    }
  }
  await process.close();
  return { asked, wrong };
}
