// Bad input just under 100 KB, each made to be as expensive as possible: what spec/06#cost-of-bad-input bounds.
//
// Plan of the file: the type · bytes · inputs whose fault is at their end · other inputs · all of them.
//
// Most inputs are long and valid except at their end, because a fault at the start costs nothing. Beside each stands
// the valid message with the values that are decoded before the fault: what that one weighs, the bad one may take as
// well. Where the fault is the value of an entry, its key was decoded; in the valid message it has the value nil.

/**
 * @typedef {object} CostInput
 * @property {string} name
 * @property {string} mode
 * @property {'off' | 'inline'} records
 * @property {Buffer} bytes
 * @property {{code: string, offset: number}} error
 * @property {Buffer} decoded the valid message with the values before the fault
 */

/** Bytes of an input: under 100 KB, by whichever K. */
const LENGTH = 99_900;

/** Open containers that the default limit allows. */
const MAX_DEPTH = 512;

// --- bytes -----------------------------------------------------------------------------------------------------------

/** The small pieces that inputs repeat up to 99,000 times. @type {Map<string, Buffer>} */
const pieces = new Map();

const NIL = hex('c0');
const RESERVED = hex('c1');
const INVALID_STR = hex('a1ff');

/** @param {string} digits */
function hex(digits) {
  const piece = pieces.get(digits) ?? Buffer.from(digits.replaceAll(' ', ''), 'hex');
  pieces.set(digits, piece);
  return piece;
}

/**
 * A head byte and a big-endian number behind it.
 *
 * @param {number} byte
 * @param {number} width bytes of the number
 * @param {number} number
 */
function head(byte, width, number) {
  const bytes = Buffer.alloc(1 + width, byte);
  bytes.writeUIntBE(number, 1, width);
  return bytes;
}

const array32 = (/** @type {number} */ count) => head(0xdd, 4, count);
const map32 = (/** @type {number} */ count) => head(0xdf, 4, count);
const uint16 = (/** @type {number} */ number) => head(0xcd, 2, number);
const str16 = (/** @type {string} */ text) => Buffer.concat([head(0xda, 2, text.length), Buffer.from(text)]);
/** A fixstr of four characters, one for each number. */
const name = (/** @type {number} */ number) => Buffer.from(`\xa4${number.toString(36).padStart(4, '_')}`, 'latin1');
const float64 = (/** @type {number} */ number) => {
  const bytes = Buffer.alloc(9, 0xcb);
  bytes.writeDoubleBE(number, 1);
  return bytes;
};
/** Bytes that repeat a value. @param {number} count @param {Buffer | string} value */
const times = (count, value) => Buffer.alloc(count * Buffer.from(value).length, value);

// --- inputs whose fault is at their end ------------------------------------------------------------------------------

/**
 * What ends an input.
 *
 * @typedef {object} End
 * @property {string} code
 * @property {Buffer} bytes
 * @property {number} [at] where the fault is in these bytes: behind a key that is decoded
 */

/** @type {End} */
const RESERVED_BYTE = { code: 'reserved_byte', bytes: RESERVED };

/** @type {End} */
const INT_THEN_RESERVED = { code: 'reserved_byte', bytes: hex('07c1'), at: 1 };

/** Ends a map whose keys are all str. @type {End} */
const STR_THEN_RESERVED = { code: 'reserved_byte', bytes: hex('a16bc1'), at: 2 };

/**
 * An array of as many elements as fit, of which the last is the fault.
 *
 * @param {string} name
 * @param {string} mode
 * @param {(index: number) => Buffer} element
 * @param {End} [end]
 * @param {Partial<CostInput> & {first?: Buffer}} [more] `first` is an element before the others
 * @returns {CostInput}
 */
function array(name, mode, element, end = RESERVED_BYTE, { first, ...more } = {}) {
  return listed(name, mode, array32, first === undefined ? [] : [first], element, end, more);
}

/**
 * A map of as many entries as fit, of which the last is the fault.
 *
 * @param {string} name
 * @param {string} mode
 * @param {(index: number) => Buffer} entry key and value
 * @param {End} [end]
 * @param {Partial<CostInput>} [more]
 * @returns {CostInput}
 */
function map(name, mode, entry, end = INT_THEN_RESERVED, more = {}) {
  return listed(name, mode, map32, [], entry, end, more);
}

/**
 * @param {string} name
 * @param {string} mode
 * @param {(count: number) => Buffer} open
 * @param {Buffer[]} members those that come first
 * @param {(index: number) => Buffer} make
 * @param {End} end
 * @param {Partial<CostInput>} [more]
 * @returns {CostInput}
 */
function listed(name, mode, open, members, make, end, more) {
  let length = open(0).length + end.bytes.length + members.reduce((sum, { length }) => sum + length, 0);
  for (let next = make(0); length + next.length <= LENGTH; next = make(members.length)) {
    members.push(next);
    length += next.length;
  }
  const body = Buffer.concat(members);
  const before = Buffer.concat([open(members.length + 1), body]);
  return {
    name,
    mode,
    records: 'off',
    bytes: Buffer.concat([before, end.bytes]),
    error: { code: end.code, offset: before.length + (end.at ?? 0) },
    decoded:
      end.at === undefined
        ? Buffer.concat([open(members.length), body])
        : Buffer.concat([before, end.bytes.subarray(0, end.at), NIL]),
    ...more,
  };
}

/**
 * A key that was there before.
 *
 * @param {Buffer} key
 * @returns {End}
 */
function duplicate(key) {
  return { code: 'duplicate_key', bytes: Buffer.concat([key, NIL]) };
}

// --- other inputs ----------------------------------------------------------------------------------------------------

/**
 * An input before whose fault little or nothing is decoded.
 *
 * @param {string} name
 * @param {string} mode
 * @param {Buffer} bytes
 * @param {string} code
 * @param {number} offset
 * @param {Buffer} [decoded]
 * @returns {CostInput}
 */
function light(name, mode, bytes, code, offset, decoded = NIL) {
  return { name, mode, records: 'off', bytes, error: { code, offset }, decoded };
}

/**
 * Containers in containers, as deep as allowed: each the only value of an entry with a long key.
 *
 * @param {string} letter of the keys
 */
function longPath(letter) {
  const entry = Buffer.concat([hex('81'), str16(letter.repeat(190))]);
  const bytes = times(MAX_DEPTH, entry);
  return light(
    `path of long keys of ${letter}`,
    'default',
    Buffer.concat([bytes, RESERVED]),
    'reserved_byte',
    bytes.length,
    Buffer.concat([bytes, NIL]),
  );
}

/**
 * Maps of the smallest entries, each in the last of the one before, that break off when some entries are there: a
 * decoder may have made room for all by then.
 *
 * @param {string} name
 * @param {number[]} counts that they declare
 * @param {number} [there] entries that are in each, with that of the next one
 */
function broken(name, counts, there = 80) {
  const entries = Array.from({ length: there }, (_, index) => Buffer.concat([uint16(0xffff - index), hex('07')]));
  const opened = (/** @type {number} */ count) => Buffer.concat([head(0xde, 2, count), ...entries]).subarray(0, -1);
  const before = Buffer.concat(counts.map(opened));
  return light(
    name,
    'default',
    Buffer.concat([before, times(LENGTH - before.length, RESERVED)]),
    'reserved_byte',
    before.length,
    Buffer.concat([...counts.map(() => opened(there)), NIL]),
  );
}

/** As many containers in each other as allowed. @param {string} head and what comes before the next one */
function nested(head) {
  return Buffer.concat([times(MAX_DEPTH, hex(head)), NIL]);
}

/** A key that nests maps as keys of maps, 400 deep. */
const DEEP_KEY = Buffer.concat([times(400, hex('81')), times(401, NIL)]);

const INLINE = { records: /** @type {const} */ ('inline') };

// --- all of them -----------------------------------------------------------------------------------------------------

/** @type {readonly CostInput[] | null} */
let all = null;

/** @returns {readonly CostInput[]} */
export function costInputs() {
  all ??= [...heads(), ...floods(), ...maps(), ...losslessKeys(), ...recordInputs()];
  return all;
}

/** Heads that promise or nest. @returns {CostInput[]} */
function heads() {
  const ints = times(LENGTH - 5 - MAX_DEPTH, hex('07'));
  return [
    light('array 16 heads', 'default', times(LENGTH / 3, hex('dcffff')), 'unexpected_end', 3),
    light('map 16 heads as keys', 'lossless', times(LENGTH / 3, hex('de4000')), 'unexpected_end', 9),
    light(
      'array 32 of 2³²−1',
      'default',
      Buffer.concat([array32(2 ** 32 - 1), times(99_000, NIL)]),
      'unexpected_end',
      0,
    ),
    light(
      'array 32, fault at the first',
      'default',
      Buffer.concat([array32(99_000), times(99_000, RESERVED)]),
      'reserved_byte',
      5,
    ),
    light(
      'map 32, fault at the first',
      'default',
      Buffer.concat([map32(49_000), times(98_000, RESERVED)]),
      'reserved_byte',
      5,
    ),
    broken('map 16, fault behind entries', [16_384]),
    broken('map 16 in map 16, fault behind entries', [16_384, 8_192]),
    broken('map 16, fault behind many entries', [24_000], 4_200),
    light('arrays in arrays', 'default', times(LENGTH, hex('91')), 'limit_exceeded', MAX_DEPTH, nested('91')),
    light(
      'maps in maps',
      'default',
      times(LENGTH / 3, hex('81a161')),
      'limit_exceeded',
      3 * MAX_DEPTH,
      nested('81a161'),
    ),
    light('maps as keys of maps', 'lossless', times(LENGTH, hex('81')), 'limit_exceeded', MAX_DEPTH),
    longPath('k'),
    longPath('/'),
    {
      ...light(
        'too deep after ints',
        'default',
        Buffer.concat([array32(ints.length + 1), ints, times(MAX_DEPTH, hex('91'))]),
        'limit_exceeded',
        5 + ints.length + MAX_DEPTH - 1,
      ),
      decoded: Buffer.concat([hex('92'), array32(ints.length), ints, nested('91').subarray(2)]),
    },
  ];
}

/** One kind of value, many times. @returns {CostInput[]} */
function floods() {
  const text = Buffer.concat([times(LENGTH - 7, 'k'), hex('ff')]);
  const ints = times(99_000, hex('07'));
  return [
    light('str 32, truncated', 'default', Buffer.concat([head(0xdb, 4, LENGTH), text]), 'unexpected_end', 0),
    light(
      'str 32, not UTF-8 at its end',
      'strict',
      Buffer.concat([head(0xdb, 4, text.length), text]),
      'invalid_utf8',
      0,
    ),
    array('ints', 'default', () => hex('07')),
    {
      ...light(
        'ints, trailing byte',
        'default',
        Buffer.concat([array32(ints.length), ints, NIL]),
        'trailing_data',
        5 + ints.length,
      ),
      decoded: Buffer.concat([array32(ints.length), ints]),
    },
    light('nil, trailing bytes', 'default', times(LENGTH, NIL), 'trailing_data', 1),
    array('ints above 2⁶³', 'lossless', () => hex('cf ffffffffffffffff')),
    array('str of one letter', 'strict', () => hex('a16b'), { code: 'invalid_utf8', bytes: INVALID_STR }),
    array('bin of no bytes', 'lossless', () => hex('c400')),
    array('ext', 'default', () => hex('d40507')),
    array('timestamps', 'default', (index) => head(0xd6, 5, 0xff_0000_0000 + index), {
      code: 'invalid_timestamp',
      bytes: hex('d5ff0000'),
    }),
    array('empty arrays', 'default', () => hex('90')),
    array('empty maps', 'default', () => hex('80')),
    array('empty maps', 'lossless', () => hex('80')),
    array('arrays of one int', 'default', () => hex('9107')),
    array('maps of one entry', 'default', () => hex('81a16101')),
    array('maps of one entry', 'lossless', () => hex('81a16101')),
    array('maps of one entry, truncated', 'strict', () => hex('81a16101'), {
      code: 'unexpected_end',
      bytes: hex('81a162'),
      at: 3,
    }),
    array('maps of one int key', 'default', () => hex('810701')),
    array('maps of one int key', 'lossless', () => hex('810701')),
  ];
}

/** One map with many entries. @returns {CostInput[]} */
function maps() {
  const entry = (/** @type {Buffer} */ key) => Buffer.concat([key, NIL]);
  const longKey = (/** @type {number} */ index) => str16(String(index).padStart(2000, 'k'));
  return [
    map('int keys', 'default', (index) => entry(uint16(1000 + index))),
    map('int keys', 'lossless', (index) => entry(uint16(1000 + index))),
    map('int keys, the last twice', 'strict', (index) => entry(uint16(1000 + index)), duplicate(uint16(1000))),
    map('str keys', 'default', (index) => entry(name(index)), STR_THEN_RESERVED),
    map('str keys, the last twice', 'strict', (index) => entry(name(index)), duplicate(name(0))),
    map('str keys, the last twice', 'lossless', (index) => entry(name(index)), duplicate(name(0))),
    map(
      'digits as keys',
      'lossless',
      (index) => entry(Buffer.from(`\xa5${10_000 + index}`, 'latin1')),
      STR_THEN_RESERVED,
    ),
    map('long keys, the last twice', 'strict', (index) => entry(longKey(index)), duplicate(longKey(0))),
  ];
}

/** Keys that only lossless mode has, and a map that turns out to be of another kind. @returns {CostInput[]} */
function losslessKeys() {
  const entry = (/** @type {Buffer[]} */ ...key) => Buffer.concat([...key, NIL]);
  return [
    map('float keys', 'lossless', (index) => entry(float64(index + 0.5))),
    map(
      'array keys, the last twice',
      'lossless',
      (index) => entry(hex('91'), uint16(1000 + index)),
      duplicate(hex('91cd03e8')),
    ),
    map('map keys', 'lossless', (index) => entry(hex('81'), uint16(1000 + index), NIL)),
    map('bin keys', 'lossless', (index) => entry(hex('c402'), uint16(1000 + index).subarray(1))),
    map('str keys, then an int key', 'default', (index) => entry(name(index))),
    map('str keys, then an int key', 'lossless', (index) => entry(name(index))),
    array('maps as keys, 400 deep', 'lossless', () => DEEP_KEY),
  ];
}

/** Records, as many as fit. @returns {CostInput[]} */
function recordInputs() {
  const badId = { code: 'invalid_record', bytes: hex('d4722090') };
  const ids = (/** @type {number} */ index) => head(0xd5, 3, 0x72_6000 + ((index & 0x1f) << 8) + ((index >> 5) & 0xff));
  return [
    array('declarations without names', 'default', () => hex('d4724090'), badId, INLINE),
    array('declarations without names', 'lossless', () => hex('d4724090'), badId, INLINE),
    array('declarations of one name', 'lossless', () => hex('d4724091a16107'), badId, INLINE),
    array('declarations of pairs', 'strict', (index) => Buffer.concat([ids(index), hex('90')]), badId, INLINE),
    array('instances without fields', 'default', () => hex('40'), RESERVED_BYTE, { first: hex('d4724090'), ...INLINE }),
    array('instances without fields', 'lossless', () => hex('40'), RESERVED_BYTE, {
      first: hex('d4724090'),
      ...INLINE,
    }),
    array('instances of one field', 'lossless', () => hex('4007'), RESERVED_BYTE, {
      first: hex('d4724091a16107'),
      ...INLINE,
    }),
    manyNames(),
  ];
}

/** A declaration whose last name occurs twice. @returns {CostInput} */
function manyNames() {
  const names = Array.from({ length: 16_000 }, (_, index) => name(index));
  const before = Buffer.concat([hex('d47240'), array32(names.length + 1), ...names]);
  const bytes = Buffer.concat([before, name(0), times(names.length + 1, NIL)]);
  return {
    ...light(
      'names, the last twice',
      'default',
      bytes,
      'invalid_record',
      before.length,
      Buffer.concat([array32(names.length), ...names]),
    ),
    ...INLINE,
  };
}
