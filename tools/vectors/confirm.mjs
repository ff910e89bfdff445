// Asks libraries that share nothing with this project: @msgpack/msgpack reads and writes the plain cases,
// msgpackr (two versions) reads the plain ones and the records. Where one of them says something else,
// disagreements.mjs must say why.
//
// Plan: what is asked · @msgpack/msgpack · msgpackr · values of the host as identities.

import * as upstream from '@msgpack/msgpack';
import { Packr as Packr2, Unpackr as Unpackr2 } from 'msgpackr';
import { Unpackr as Unpackr1 } from 'msgpackr-1.11';
import { DISAGREEMENTS } from './disagreements.mjs';
import { readBytes, writeBytes } from './notation.mjs';
import { encode } from './reference.mjs';
import { expand, float, fromHex, identity, int, toHex } from './values.mjs';

/** @typedef {import('./values.mjs').Value} Value */
/** @typedef {import('./cases.mjs').Case} Case */
/** @typedef {{kind: string, room: string, cases: Case[]}} VectorFile */

/** What a library says of one case. @typedef {{library: string, name: string, what: string}} Disagreement */

/**
 * Asks every library about every case it supports.
 *
 * @param {VectorFile[]} files
 * @returns {string[]} findings: unexplained disagreements and explanations of none
 */
export function confirm(files) {
  const disagreements = files.flatMap(({ kind, room, cases }) => {
    if (kind === 'valid') return cases.flatMap(askAboutValid);
    if (kind === 'records') return cases.flatMap(askAboutRecord);
    if (kind === 'defaults') return cases.flatMap(askAboutClone);
    const isRefusedByAll = kind === 'invalid' && ['truncated', 'trailing', 'count'].includes(room);
    return isRefusedByAll ? cases.flatMap(askAboutInvalid) : [];
  });
  const used = new Set();
  const unexplained = disagreements.filter(({ library, name, what }) => {
    const explanation = DISAGREEMENTS.find(
      (entry) => entry.library === library && entry.cases.test(name) && entry.what.test(what),
    );
    used.add(explanation);
    return explanation === undefined;
  });
  const idle = DISAGREEMENTS.filter((entry) => !used.has(entry));
  return [
    ...unexplained.map(({ library, name, what }) => `${library}, ${name}: ${what}`),
    ...idle.map(
      ({ library, cases }) => `disagreements.mjs: nothing of ${library} needs the entry for ${cases}; drop it`,
    ),
  ];
}

/** @param {Case} item @returns {Disagreement[]} */
function askAboutValid({ name, value, canonical, also = [] }) {
  if (!value || typeof canonical !== 'string') return [];
  const expected = hostIdentity(value);
  const notations = [canonical, ...also];
  const reads = notations.flatMap((notation) => asked('@msgpack/msgpack', name, notation, expected, readWithUpstream));
  const plain = isForMsgpackr(value)
    ? MSGPACKR.flatMap(({ library, plain: reader }) =>
        notations.flatMap((notation) => asked(library, name, notation, expected, (bytes) => reader.unpack(bytes))),
      )
    : [];
  const written = upstreamBytes(expand(value));
  const isSame = written === null || Buffer.compare(written, encode(value)) === 0;
  const writes = isSame ? [] : [{ library: '@msgpack/msgpack', name, what: `writes ${writeBytes(written)}` }];
  return [...reads, ...plain, ...writes];
}

/** @param {Case} item @returns {Disagreement[]} */
function askAboutRecord({ name, bytes = '', value, records }) {
  if (!value || records !== 'inline' || !isForMsgpackr(value)) return [];
  const expected = hostIdentity(value);
  return MSGPACKR.flatMap(({ library, inline }) =>
    asked(library, name, bytes, expected, (input) => new inline.Unpackr(inline.options).unpack(input)),
  );
}

/**
 * What msgpackr makes of a case of structured cloning: bytes in, bytes out.
 *
 * @param {Case} item
 * @returns {Disagreement[]}
 */
function askAboutClone({ name, bytes = '', becomes = '', clone }) {
  if (!clone) return [];
  const options = { [clone]: true, useRecords: false, variableMapSize: true };
  let written;
  try {
    written = writeBytes(new Packr2(options).pack(new Unpackr2(options).unpack(readBytes(bytes))));
  } catch (error) {
    written = `fails: ${error}`;
  }
  return written === becomes ? [] : [{ library: 'msgpackr 2.1.3', name, what: `writes ${written}` }];
}

/** @param {Case} item @returns {Disagreement[]} */
function askAboutInvalid({ name, bytes = '', limits }) {
  const input = readBytes(bytes);
  // What a library without counts unrolls for minutes, or a limit of ours refuses, says nothing about the bytes.
  // The library allocates an array of the declared count at once: 128 MB for 2²⁴ elements.
  if (limits || input.length > 1_000 || /^count-array-32-of-2-to-24-/.test(name)) return [];
  try {
    const read = readWithUpstream(input);
    return [{ library: '@msgpack/msgpack', name, what: `reads ${hostText(read)}` }];
  } catch {
    return [];
  }
}

/**
 * @param {string} library
 * @param {string} name
 * @param {string} notation
 * @param {string} expected
 * @param {(bytes: Uint8Array) => unknown} read
 * @returns {Disagreement[]}
 */
function asked(library, name, notation, expected, read) {
  let text;
  try {
    text = hostText(read(readBytes(notation)));
  } catch (error) {
    text = `fails: ${error}`;
  }
  return text === expected ? [] : [{ library, name, what: `${notation.slice(0, 80)} is ${text.slice(0, 160)}` }];
}

// --- @msgpack/msgpack ------------------------------------------------------------------------------------------------

/** What an extension decoded to. */
class Extended {
  /** @param {Value} value */
  constructor(value) {
    this.value = value;
  }
}

const codec = new upstream.ExtensionCodec();
for (let type = -128; type < 128; type++) {
  codec.register({ type, encode: () => null, decode: (data) => new Extended(extended(type, data)) });
}

/** @param {number} type @param {Uint8Array} data @returns {Value} */
function extended(type, data) {
  if (type === 0 && data.length === 1 && data[0] === 0) return { undefined: true };
  if (type !== -1) return { ext: [type, toHex(data)] };
  // The library reads seconds as a number; the eight bytes of the largest form are read here instead.
  if (data.length === 12) {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    return { timestamp: [view.getBigInt64(4).toString(), view.getUint32(0)] };
  }
  const { sec, nsec } = upstream.decodeTimestampToTimeSpec(data);
  return { timestamp: [String(sec), nsec] };
}

/** Keys become their identities, so that a map with keys of any kind fits an object. @param {Uint8Array} bytes */
const readWithUpstream = (bytes) =>
  upstream.decode(bytes, { useBigInt64: true, extensionCodec: codec, mapKeyConverter: (key) => hostText(key) });

/**
 * What the library writes for a scalar; null for what it cannot be asked to write.
 *
 * @param {Value} value
 * @returns {Uint8Array | null}
 */
function upstreamBytes(value) {
  if ('nil' in value) return upstream.encode(null);
  if ('bool' in value) return upstream.encode(value.bool);
  if ('str' in value) return upstream.encode(value.str);
  if ('bin' in value) return upstream.encode(fromHex(value.bin));
  if ('ext' in value) return upstream.encode(new upstream.ExtData(value.ext[0], fromHex(value.ext[1])));
  if ('int' in value) {
    const number = BigInt(value.int);
    const fits32 = number >= -(1n << 31n) && number < 1n << 32n;
    return upstream.encode(fits32 ? Number(number) : number, { useBigInt64: true });
  }
  if ('float' in value) {
    const number = Buffer.from(value.float, 'hex').readDoubleBE();
    // It has one number type: an integral float is an int to it.
    return Number.isInteger(number) && !Object.is(number, -0) ? null : upstream.encode(number);
  }
  if ('timestamp' in value) {
    const seconds = Number(value.timestamp[0]);
    if (!Number.isSafeInteger(seconds)) return null;
    const data = upstream.encodeTimeSpecToTimestamp({ sec: seconds, nsec: value.timestamp[1] });
    return upstream.encode(new upstream.ExtData(-1, data));
  }
  return null;
}

// --- msgpackr --------------------------------------------------------------------------------------------------------

const PLAIN = /** @type {const} */ ({ useRecords: false, mapsAsObjects: false, int64AsType: 'bigint' });
const INLINE = /** @type {const} */ ({ useRecords: true, mapsAsObjects: false, int64AsType: 'bigint' });

const MSGPACKR = [
  { library: 'msgpackr 2.1.3', plain: new Unpackr2(PLAIN), inline: { Unpackr: Unpackr2, options: INLINE } },
  { library: 'msgpackr 1.11.12', plain: new Unpackr1(PLAIN), inline: { Unpackr: Unpackr1, options: INLINE } },
];

/**
 * Whether msgpackr has a host value for it: no ext that nobody registered, no timestamp that a Date does not hold, no
 * text that its buffers replace.
 *
 * @param {Value} value
 * @returns {boolean}
 */
function isForMsgpackr(value) {
  if ('ext' in value) return false;
  if ('timestamp' in value) {
    const milliseconds = BigInt(value.timestamp[0]) * 1000n;
    return (
      value.timestamp[1] % 1_000_000 === 0 &&
      milliseconds > -8_640_000_000_000_000n &&
      milliseconds < 8_640_000_000_000_000n
    );
  }
  if ('array' in value) return value.array.every(isForMsgpackr);
  if ('map' in value) return value.map.every((entry) => entry.every(isForMsgpackr));
  return true;
}

// --- values of the host ----------------------------------------------------------------------------------------------

/**
 * The identity of a value in a host with one number type: an integral float is an int.
 *
 * @param {Value} value
 * @returns {string}
 */
const hostIdentity = (value) => identity(hostValue(expand(value)));

/** @param {Value} value @returns {Value} */
function hostValue(value) {
  if ('float' in value) return numberValue(Buffer.from(value.float, 'hex').readDoubleBE());
  if ('array' in value) return { array: value.array.map(hostValue) };
  if ('map' in value) return { map: value.map.map(([key, item]) => [hostValue(key), hostValue(item)]) };
  return value;
}

/** @param {number} number @returns {Value} */
function numberValue(number) {
  return Number.isInteger(number) && !Object.is(number, -0) ? int(number) : float(number);
}

/**
 * The identity of what a library returned; keys of plain objects from @msgpack/msgpack are identities already.
 *
 * @param {unknown} host
 * @returns {string}
 */
function hostText(host) {
  if (host === null) return identity({ nil: true });
  if (host === undefined) return identity({ undefined: true });
  if (host instanceof Extended) return identity(host.value);
  if (host instanceof Uint8Array) return identity({ bin: toHex(host) });
  if (host instanceof Date) return identity(dateValue(host));
  if (Array.isArray(host)) return `[${host.map(hostText).join(',')}]`;
  if (host instanceof Map) return mapText([...host].map(([key, item]) => [hostText(key), hostText(item)]));
  if (typeof host === 'object') {
    return mapText(Object.entries(host).map(([key, item]) => [keyText(key), hostText(item)]));
  }
  if (typeof host === 'bigint') return identity(int(host));
  if (typeof host === 'number') return identity(numberValue(host));
  if (typeof host === 'string') return identity({ str: host });
  if (typeof host === 'boolean') return identity({ bool: host });
  return `a host value of type ${typeof host}`;
}

/** @param {[string, string][]} entries */
const mapText = (entries) =>
  `{${entries
    .map((entry) => entry.join(':'))
    .sort()
    .join(',')}}`;

/**
 * A key that mapKeyConverter made starts like an identity; no field name of the record cases does. @param {string} key
 */
const keyText = (key) => (/^[[{]/.test(key) ? key : identity({ str: key }));

/** @param {Date} date @returns {Value} */
function dateValue(date) {
  const milliseconds = BigInt(date.getTime());
  const rest = ((milliseconds % 1000n) + 1000n) % 1000n;
  return { timestamp: [((milliseconds - rest) / 1000n).toString(), Number(rest) * 1_000_000] };
}
