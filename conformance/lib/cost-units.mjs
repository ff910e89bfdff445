// Small units of input that a message repeats, each beside a harmless twin of the same length and form: what the fuzzer
// of costs measures.
//
// Plan: what a unit is · templates · messages · every head and every kind of key · records, clones, bundles and
// chains · all.
//
// A template is hex with places: {u32*65536+7} is a big-endian int of 32 bits, {v32*65536} one that has the number as
// its hash in V8, {d10*65536+1000000000} a number as decimal digits, {b4} a number of base 36, each made of the index
// of the repetition; {t61626364} is a bundled string. So a unit is one line that a person can read.

/**
 * One value, or in a map one key.
 *
 * @typedef {object} Part
 * @property {string} text a template
 * @property {string} twin the harmless one
 * @property {number} [times] so often in a row
 * @property {string} [end] of the link of a chain: what follows the value inside of it
 *
 * How it is repeated: as elements of an array; of arrays of 64 elements; as keys of one map; of maps of 64 entries; as
 * links of chains of values, each inside of the one before; of one chain with a long str at its end (the twin has one
 * link and the same str).
 * @typedef {'array' | 'rows' | 'map' | 'maps' | 'chains' | 'chain'} Wrap
 *
 * @typedef {object} Unit
 * @property {Wrap} wrap
 * @property {number} [row] elements of a row or entries of one of the maps, if not 64
 * @property {Part[]} parts
 * @property {Part} [first] one value before all others, in one map a key
 * @property {'inline' | 'shared'} [records] the kind that it needs
 * @property {'moreTypes' | 'structuredClone' | 'bundleStrings'} [also] what else a reader must read
 * @property {number} [factor] a message has so many times the usual length
 */

/** Elements of a row, and entries of one map of many. */
const ROW = 64;

/** Links of a chain, and so open containers. */
const CHAIN = 480;

// --- templates -------------------------------------------------------------------------------------------------------

const PLACE = /\{([udbvt])([0-9a-f]+)(?:\*(\d+))?(?:\+(\d+))?\}/g;

/**
 * Writes a template for one index. Bundled texts are added to `texts`.
 *
 * @param {string} template
 * @param {number} index
 * @param {string[]} texts
 */
function fill(template, index, texts) {
  if (!template.includes('{')) return template;
  return template.replaceAll(PLACE, (_, kind, width, stride = '1', start = '0') => {
    const number = BigInt(start) + BigInt(stride) * BigInt(index);
    switch (kind) {
      case 'u':
        return BigInt.asUintN(Number(width), number)
          .toString(16)
          .padStart(Number(width) / 4, '0');
      case 'v':
        return unhashed(Number(number)).toString(16).padStart(8, '0');
      case 'd':
        return Buffer.from(number.toString().padStart(Number(width), '0').slice(-width)).toString('hex');
      case 'b':
        return Buffer.from(number.toString(36).padStart(Number(width), '_').slice(-width)).toString('hex');
      default: {
        // The first says where the texts stand.
        const isFirst = texts.length === 0;
        texts.push(width);
        return `${isFirst ? 'd662@@@@@@@@' : ''}c1${(width.length / 2).toString(16).padStart(2, '0')}`;
      }
    }
  });
}

/**
 * The int of 32 bits with this hash in V8: each step of its function backwards, the factors by their inverses modulo
 * 2³².
 *
 * @param {number} hash
 */
function unhashed(hash) {
  let int = hash ^ (hash >>> 16);
  int = Math.imul(int, inverse(2057));
  int = unshifted(int, 4);
  int = Math.imul(int, inverse(5));
  int = unshifted(int, 12);
  return Math.imul(int + 1, inverse(0x7fff)) >>> 0;
}

/** The inverse of an odd number modulo 2³². @param {number} factor */
function inverse(factor) {
  let inverted = factor;
  for (let bits = 3; bits < 32; bits *= 2) inverted = Math.imul(inverted, 2 - Math.imul(factor, inverted));
  return inverted;
}

/** Undoes int ^= int >>> width. @param {number} shifted @param {number} width */
function unshifted(shifted, width) {
  let int = shifted;
  for (let known = width; known < 32; known += width) int = shifted ^ (int >>> width);
  return int;
}

/** Bytes that a template stands for, those of bundled texts included. @param {string} template */
export function lengthOf(template) {
  const texts = [''];
  return (fill(template, 0, texts) + texts.join('')).length / 2;
}

// --- messages --------------------------------------------------------------------------------------------------------

/** @param {number} head @param {number} count */
const head32 = (head, count) => head.toString(16) + count.toString(16).padStart(8, '0');

/**
 * The message of about this many bytes that repeats a unit.
 *
 * @param {Unit} unit
 * @param {'text' | 'twin'} which
 * @param {number} length
 * @returns {string} hex
 */
export function messageOf({ wrap, row = ROW, parts, first }, which, length) {
  /** @type {string[]} */
  const texts = [];
  const isMap = wrap === 'map' || wrap === 'maps';
  const members = parts.flatMap((part, index) => {
    const member = part[which];
    return Array(part.times ?? 1).fill(isMap && which === 'twin' ? unlike(member, index) : member);
  });
  const once = members.reduce((sum, member) => sum + lengthOf(member) + (isMap ? 1 : 0), 0);
  const repeats = Math.max(1, Math.floor(length / Math.max(1, once)));
  const before = first === undefined ? [] : [fill(first[which], 0, texts)];

  if (wrap === 'chain')
    return chain(parts, which, which === 'twin' ? 1 : CHAIN, harmless(Math.max(1000, length - CHAIN * once)));
  if (wrap === 'chains') {
    const one = chain(parts, which, CHAIN, 'c0');
    return head32(0xdd, Math.ceil(length / (one.length / 2))) + one.repeat(Math.ceil(length / (one.length / 2)));
  }
  const values = Array.from({ length: repeats }, (_, index) =>
    members.map((member) => fill(member, index, texts)),
  ).flat();
  const entry = (/** @type {string} */ value) => (isMap ? `${value}c0` : value);
  const written = values.map(entry);
  const bytes =
    wrap === 'array'
      ? head32(0xdd, before.length + written.length) + before.join('') + written.join('')
      : wrap === 'map'
        ? head32(0xdf, before.length + written.length) + before.map(entry).join('') + written.join('')
        : rows(written, row, before, isMap ? 0xde : 0xdc);
  return texts.length === 0 ? bytes : withTexts(bytes, texts);
}

/** @param {string[]} values @param {number} length of a row @param {string[]} before @param {number} head of a row */
function rows(values, length, before, head) {
  const all = Array.from({ length: Math.ceil(values.length / length) }, (_, index) => {
    const row = values.slice(length * index, length * (index + 1));
    return head.toString(16) + row.length.toString(16).padStart(4, '0') + row.join('');
  });
  return head32(0xdd, before.length + all.length) + before.join('') + all.join('');
}

/**
 * Values inside of values.
 *
 * @param {Part[]} parts
 * @param {'text' | 'twin'} which
 * @param {number} links
 * @param {string} last the innermost value
 */
function chain(parts, which, links, last) {
  const link = parts.map((part) => part[which]).join('');
  const end = parts.map((part) => part.end ?? '').join('');
  const times = Math.ceil(links / parts.length);
  return link.repeat(times) + last + end.repeat(times);
}

/** Adds the texts of a bundle behind the message, and their distance. @param {string} bytes @param {string[]} texts */
function withTexts(bytes, texts) {
  const at = bytes.indexOf('@') / 2;
  const distance = (bytes.length / 2 - at).toString(16).padStart(8, '0');
  const text = texts.join('');
  return `${bytes.replace('@@@@@@@@', distance)}a0${head32(0xdb, text.length / 2)}${text}`;
}

// --- every head, and every kind of key -------------------------------------------------------------------------------

/** Text of so many letters as a template. @param {number} length */
const letters = (length) => '61'.repeat(length);

/** A harmless value of so many bytes: a fixint, or a str of letters. @param {number} length */
export function harmless(length) {
  if (length === 1) return '07';
  if (length <= 32) return (0xa0 + length - 1).toString(16) + letters(length - 1);
  if (length < 258) return `d9${(length - 2).toString(16).padStart(2, '0')}${letters(length - 2)}`;
  return head32(0xdb, length - 5) + letters(length - 5);
}

/**
 * The harmless key of an entry, unlike those of the entries before it.
 *
 * @param {string} twin
 * @param {number} entry index
 */
export function unlike(twin, entry) {
  const letter = (0x61 + (entry % 26)).toString(16);
  return twin
    .replace(/^07$/, (7 + (entry % 64)).toString(16).padStart(2, '0'))
    .replace(/^(..)\{b(\d+)\}$/, (_, head, width) => `${head}${letter}{b${width - 1}}`)
    .replace(/^(d9..|[ab].)61/, `$1${letter}`);
}

/** A harmless key of so many bytes, which differs from index to index. @param {number} length at least 3, at most 32 */
const harmlessKey = (length) => `${(0xa0 + length - 1).toString(16)}{b${length - 1}}`;

/** @param {string} text @returns {Part} */
const value = (text) => ({ text, twin: harmless(lengthOf(text)) });

/** Values of one head each. */
export const VALUES = [
  ...['07', 'e0', 'c0', 'c2', 'cc80', 'cd8000', 'ce80000000', 'cf0000000100000000', 'cfffffffffffffffff'],
  ...['d080', 'd18000', 'd280000000', 'd38000000000000000', 'ca3fc00000', 'cb3ff8000000000000', 'cb3ff0000000000000'],
  ...[
    'cb8000000000000000',
    'cb7ff8000000000000',
    'a0',
    'a161',
    'a2c3a9',
    'a3e282ac',
    'a4f09f9880',
    'aa39393939393939393939',
  ],
  ...[
    'd90161',
    'da000161',
    'db0000000161',
    `d928${letters(40)}`,
    `d928${'c3a9'.repeat(20)}`,
    `d928${'e282ac'.repeat(12)}61616161`,
  ],
  ...[
    'c400',
    'c40161',
    'c50000',
    'c600000000',
    'c40400ff00ff',
    '90',
    '9107',
    '9190',
    'dc0000',
    'dd00000000',
    '80',
    'de0000',
  ],
  ...[
    'df00000000',
    'd40000',
    'c7010000',
    'd40001',
    'd40500',
    'd50500ff',
    'd60500000000',
    'd7050000000000000000',
    'c70005',
  ],
  ...['c8000005', 'c90000000005', 'd6ff00000001', 'd7ff0000000400000001', 'c70cff000000000000000000000001'],
  ...['c70cff00000001ffffffffffffffff', 'd6ff{u32*1}', 'cb3ff8{u48*1}', 'c404{u32*1}', 'a4{b4}', 'ce{u32*1+65536}'],
  ...['d70500000000{u32*1}', 'd74200000000{u32*1}', 'd801{u64*1}{u64*1}'],
].map(value);

/** Names of fields that a host may treat in a way of its own. */
const NAMES = [
  '0',
  '9',
  '99',
  '999',
  '2499',
  '65535',
  '999999',
  '4294967294',
  '4294967295',
  '4294967296',
  '01',
  '-1',
  '1e3',
];
const WORDS = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  'valueOf',
  'é',
  '\0',
  '\0a',
  '',
  'hasOwnProperty',
  'then',
];

/** @param {string} text */
const str = (text) => {
  const bytes = Buffer.from(text);
  return (0xa0 + bytes.length).toString(16) + bytes.toString('hex');
};

/** A str and one of letters of the same length. @param {string} text @returns {Part} */
const named = (text) => ({ text: str(text), twin: str('abcdefghijklmnop'.slice(0, Buffer.byteLength(text))) });

/** Keys that are the same in each repetition. @type {Part[]} */
export const SAME_KEYS = [
  ...[...NAMES, ...WORDS].map(named),
  ...[
    '07',
    'e0',
    'c0',
    'c3',
    'cc80',
    'cf0000000100000000',
    'cb3ff8000000000000',
    'ca3fc00000',
    'c40161',
    '90',
    '9107',
    '80',
  ].map(value),
  ...['8107c0', 'd40500', 'd40000', 'd6ff00000001', '919191919191c0', 'd7ff0000000400000001'].map(value),
];

/** @param {string} text @returns {Part} */
const key = (text) => ({ text, twin: harmlessKey(lengthOf(text)) });

/** Steps at which hash tables without a seed collide, and 1. */
const STRIDES = [1, 2 ** 12, 2 ** 16, 2 ** 20, 2 ** 22];

/** Keys that differ from index to index. @type {Part[]} */
export const KEYS = [
  ...STRIDES.flatMap((stride) => [key(`cf{u64*${stride}}`), key(`ce{u32*${stride}}`)]),
  ...STRIDES.map((stride) => key(`cf{u64*${stride * 2 ** 32}}`)),
  ...STRIDES.map((stride) => key(`d2{v32*${stride}}`)),
  key('d3{u64*1+9223372036854775808}'),
  ...STRIDES.map((stride) => key(`aa{d10*${stride}+1000000000}`)),
  key('b3{d19*4194304+1000000000000000000}'),
  key('a6{d6*97+100000}'),
  key('a8{d8*1499+10000000}'),
  key('a4{b4}'),
  key('c404{u32*1}'),
  key('c404{u32*65536}'),
  key('cb40{u56*1}'),
  key('cb40{u56*4294967296}'),
  key('d6ff{u32*1}'),
  key('d7ff00000004{u32*1}'),
  key('91ce{u32*1}'),
  key('9191ce{u32*1}'),
  key('81ce{u32*1}c0'),
  key('8100ce{u32*1}'),
  key('92a2{b2}a2{b2}'),
  key('d605{u32*1}'),
  key('c70505{u32*1}00'),
];

// --- records, clones, bundles and chains -----------------------------------------------------------------------------

/** @param {string[]} names @param {(name: Part) => string} which */
const shape = (names, which) => (0x90 + names.length).toString(16) + names.map((name) => which(named(name))).join('');

/** A declaration with its first instance. @param {string} head @param {string[]} names @returns {Part} */
function declaration(head, names) {
  const values = '07'.repeat(names.length);
  return {
    text: head + shape(names, ({ text }) => text) + values,
    twin: head + shape(names, ({ twin }) => twin) + values,
  };
}

/** @param {string[]} names @param {number} times instances behind each declaration @returns {Unit} */
function declaredAgain(names, times) {
  const instance = `40${'07'.repeat(names.length)}`;
  const parts = [declaration('d47240', names), ...(times > 0 ? [{ text: instance, twin: instance, times }] : [])];
  return { wrap: 'array', parts, records: 'inline' };
}

/** @param {string[]} names @returns {Unit} */
function declaredOnce(names) {
  const instance = `40${'07'.repeat(names.length)}`;
  return {
    wrap: 'array',
    first: declaration('d47240', names),
    parts: [{ text: instance, twin: instance }],
    records: 'inline',
  };
}

/** @type {Unit[]} */
const RECORDS = [
  ...[['999'], ['999', '2499'], ['4294967294'], ['constructor'], ['']].flatMap((names) => [
    declaredOnce(names),
    declaredAgain(names, 0),
    declaredAgain(names, 63),
  ]),
  declaredOnce([]),
  declaredAgain([], 0),
  { wrap: 'array', parts: [{ text: 'd57260{u8*1}91a4{d4*1}07', twin: 'd57260{u8*1}91a4{b4}07' }], records: 'inline' },
  { wrap: 'array', parts: [{ text: 'd4724091a4{d4*1}07', twin: 'd4724091a4{b4}07' }], records: 'inline' },
  { wrap: 'array', parts: [{ text: '4007', twin: '4107' }], records: 'shared' },
  { wrap: 'array', parts: [{ text: '420707', twin: '430707' }], records: 'shared' },
];

/**
 * A value of structured cloning beside a Set of the same array.
 *
 * @param {string} head
 * @param {string} array
 * @param {Unit['also']} also
 * @returns {Unit}
 */
const besideSet = (head, array, also = 'moreTypes') => ({
  wrap: 'array',
  parts: [{ text: head + array, twin: `d47300${array}` }],
  also,
});

/** @type {Unit[]} */
const CLONES = [
  { wrap: 'array', parts: [{ text: 'd4730090', twin: '92a16107' }], also: 'moreTypes' },
  { wrap: 'array', parts: [{ text: 'd473009107', twin: '92a2616107' }], also: 'moreTypes' },
  { wrap: 'array', parts: [{ text: 'd4650092a0a0', twin: 'd473009207a0' }], also: 'moreTypes' },
  besideSet('d46500', '92a54572726f72a16d'),
  besideSet('d46500', '93a9547970654572726f72a16d07'),
  besideSet('d46500', '94ae4167677265676174654572726f72a0c0c0'),
  besideSet('d47800', '92a161a0'),
  besideSet('d47800', `92bf${'5c707b4c7d'.repeat(6)}61a175`),
  besideSet('d47800', `92bf${'612b'.repeat(15)}61a0`),
  besideSet('d47800', `92d9f0${'5c707b5247495f456d6f6a697d'.repeat(18)}616161616161a176`),
  ...['00', '01', '03', '06', '08', '09', '10', '11'].map((code) => ({
    wrap: /** @type {const} */ ('array'),
    parts: [{ text: `c70974${code}0000000000000000`, twin: `c70905${'00'.repeat(9)}` }],
    also: /** @type {const} */ ('moreTypes'),
  })),
  { wrap: 'array', parts: [{ text: 'c70242ff00', twin: 'c70205ff00' }], also: 'moreTypes' },
  { wrap: 'array', parts: [{ text: `d842${'7f'.repeat(16)}`, twin: `d805${'7f'.repeat(16)}` }], also: 'moreTypes' },
  { wrap: 'array', parts: [{ text: 'd669{u32*1+1}90', twin: 'a6616161616161' }], also: 'structuredClone' },
  {
    wrap: 'array',
    parts: [{ text: 'd669{u32*65536+1}90', twin: 'd669{u32*1+1}90' }],
    also: 'structuredClone',
    factor: 8,
  },
  { wrap: 'array', first: value('d6690000000190'), parts: [value('d67000000001')], also: 'structuredClone' },
  { wrap: 'array', parts: [value('d40001')], also: 'structuredClone' },
  { wrap: 'array', parts: [{ text: 'd669{u32*1+1}91d670{u32*1+1}', twin: '92a5{b5}a5{b5}' }], also: 'structuredClone' },
  { wrap: 'array', parts: [{ text: '{t61626364}', twin: 'a461626364' }], also: 'bundleStrings' },
  { wrap: 'array', parts: [{ text: '81{t39393939}07', twin: '81a46162636407' }], also: 'bundleStrings' },
  {
    wrap: 'array',
    parts: [{ text: '9181{t39393939}{t61616161}', twin: '9181a461626364a461616161' }],
    also: 'bundleStrings',
  },
];

/** @type {Part[]} */
const LINKS = [
  { text: '91', twin: '91' },
  { text: '81a161', twin: '81a161' },
  { text: '81a3393939', twin: '81a3616263' },
  { text: '8107', twin: '81a0' },
  { text: '9207', twin: '92a0' },
  { text: '81', twin: '92', end: 'c0' },
];

/** @type {Unit[]} */
const CHAINS = LINKS.flatMap((part) => [
  { wrap: 'chains', parts: [part] },
  { wrap: 'chain', parts: [part] },
]);

// --- all -------------------------------------------------------------------------------------------------------------

/** Whether a part's step is one at which hash tables collide: their cost has a budget. @param {Part} part */
export const isColliding = ({ text }) =>
  [...text.matchAll(PLACE)].some(([, kind, , stride]) => kind !== 'b' && Number(stride ?? 1) >= 4096);

/** A map of one entry with this key. @param {Part} key @returns {Part} */
const entryOf = ({ text, twin }) => ({ text: `81${text}07`, twin: `81${twin}07` });

/** The units that are always asked: each head, each kind of key, records, clones, bundles, chains. @returns {Unit[]} */
export function allUnits() {
  return [
    ...VALUES.map((part) => ({ wrap: /** @type {const} */ ('array'), parts: [part] })),
    ...VALUES.filter((_, index) => index % 4 === 0).map((part) => ({
      wrap: /** @type {const} */ ('rows'),
      parts: [part],
    })),
    ...SAME_KEYS.map((part) => ({ wrap: /** @type {const} */ ('array'), parts: [entryOf(part)] })),
    ...KEYS.map((part) => ({
      wrap: /** @type {const} */ ('map'),
      parts: [part],
      ...(isColliding(part) && { factor: 8 }),
    })),
    ...KEYS.map((part) => ({ wrap: /** @type {const} */ ('maps'), parts: [part] })),
    ...RECORDS,
    ...CLONES,
    ...CHAINS,
  ];
}
