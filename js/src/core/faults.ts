// The faults of decoding. Each function says what happened and how to mend it. The caller says where it happened.
// Encoders also use depthFault and prototypeFault.
//
// Plan: roughly in the order of spec/07#codes. Each fault is a function, so that the loops that throw it stay short.

import { Fault, hexByte, isStackExhausted, quote, stackFault } from './errors.ts';
import { formatName } from './format.ts';

const DAMAGED = 'the input is damaged or no MessagePack';
const TRUNCATED = 'the input is truncated';
const TRUSTED = 'if the source is trusted';
const WRITER = 'the writer is at fault';

/** Returns the fault for input that ends where a value must start. */
export function missingFault(end: number): Fault {
  return new Fault('unexpected_end', end, 'a value is missing', TRUNCATED);
}

/** Returns the fault for a head that isn't complete. `head` is its first byte. */
export function headFault(start: number, head: number): Fault {
  return new Fault(
    'unexpected_end',
    start,
    `the bytes of the head of ${formatName(head)} are not all there`,
    TRUNCATED,
  );
}

/** Returns the fault for a two-byte record id whose second byte is missing. */
export function pairFault(start: number): Fault {
  return new Fault('unexpected_end', start, 'the second byte of the id of a record is missing', TRUNCATED);
}

export function bodyFault(start: number, head: number, length: number, remaining: number): Fault {
  const what = `${formatName(head)} declares ${length} bytes but ${remaining} remain`;
  return new Fault('unexpected_end', start, what, TRUNCATED);
}

export function countFault(start: number, head: number, children: number, remaining: number, owed: number): Fault {
  const others = owed === 0 ? '' : `, ${owed} of them for the values around it`;
  const name = head < 0x80 ? 'a record' : formatName(head);
  const what = `${name} declares ${children} values but ${remaining} bytes remain${others}`;
  return new Fault('unexpected_end', start, what, TRUNCATED);
}

/**
 * @param option the option for reading an ext that may belong to the bytes after it; null if there is no such ext
 * @param head the first byte of the value; 0 if the value has more bytes
 */
export function trailingFault(offset: number, count: number, option: string | null, head: number): Fault {
  const what = `${count} ${count === 1 ? 'byte follows' : 'bytes follow'} the value`;
  const mend = option === null ? mendOfSeveral(head, 'unpackMultiple') : withOption(option);
  return new Fault('trailing_data', offset, what, mend);
}

/** Says what to use for several values, and whether the input may be JSON or HTML, as errors of servers are. */
function mendOfSeveral(head: number, instead: string): string {
  const mend = `use ${instead} for several values`;
  return '{["<'.includes(String.fromCharCode(head)) ? `the input looks like JSON or HTML; if not, ${mend}` : mend;
}

/** Returns the fault for a value that may belong to an ext of the message before it. */
export function earlierFault(start: number, option: string): Fault {
  return new Fault('unsupported_value', start, 'the value may belong to an ext before it', withOption(option));
}

function withOption(option: string): string {
  return `use the option ${option}, or register the type of the ext`;
}

export function reservedFault(start: number): Fault {
  return new Fault('reserved_byte', start, 'the head byte 0xc1 is reserved', DAMAGED);
}

export function utf8Fault(start: number): Fault {
  return new Fault('invalid_utf8', start, 'a str is not UTF-8', 'the writer must send bytes as bin');
}

/** Returns the fault for a key that an object can't hold. */
export function keyKindFault(start: number, head: number): Fault {
  const what = `a key of format ${head < 0x80 ? 'record or fixint' : formatName(head)} is no name of a property`;
  return new Fault('invalid_key', start, what, 'leave out mapsAsObjects to decode such maps to Map');
}

export function prototypeFault(start: number | null): Fault {
  return new Fault('invalid_key', start, 'strict mode refuses the key __proto__', "mode 'default' makes it a property");
}

export function duplicateFault(start: number): Fault {
  return new Fault('duplicate_key', start, 'a key occurs twice in a map', "mode 'default' keeps the last value");
}

export function duplicateMemberFault(start: number): Fault {
  const mend = "mode 'default' keeps one of them";
  return new Fault('duplicate_key', start, 'a member occurs twice in a Set', mend);
}

export function depthFault(maxDepth: number, start: number | null): Fault {
  const what = `depth ${maxDepth + 1} exceeds the limit ${maxDepth}`;
  const circular = start === null ? '; a value that contains itself needs a Packr with structuredClone' : '';
  return new Fault('limit_exceeded', start, what, `raise maxDepth ${TRUSTED}${circular}`);
}

export function valuesFault(maxValues: number, start: number): Fault {
  const what = `the message has more values than the limit ${maxValues}`;
  return new Fault('limit_exceeded', start, what, `raise maxValues ${TRUSTED}`);
}

export function collisionsFault(maxCollisions: number, start: number): Fault {
  const what = `keys that share buckets of hash tables need more comparisons than the limit ${maxCollisions}`;
  return new Fault('limit_exceeded', start, what, `raise maxCollisions ${TRUSTED}`);
}

/**
 * Returns the fault for a RegExp without the option `regExps`. The option is off by default, because an engine may take
 * gigabytes of memory for a pattern of 100 KB.
 */
export function regExpFault(start: number): Fault {
  const what = 'regular expressions of strangers are refused';
  return new Fault('unsupported_value', start, what, `set the option regExps ${TRUSTED}`);
}

export function patternFault(maxPatternBytes: number, start: number): Fault {
  const what = `the patterns of regular expressions are longer than the limit ${maxPatternBytes} bytes`;
  return new Fault('limit_exceeded', start, what, `raise maxPatternBytes ${TRUSTED}`);
}

export function bytesFault(maxBytes: number, start: number): Fault {
  const what = `the message becomes longer than the limit ${maxBytes} bytes`;
  return new Fault('limit_exceeded', start, what, `raise maxBytes ${TRUSTED}`);
}

/** Returns the fault for records that, written as maps, would have more than maxBytes bytes of map heads and names. */
export function namesFault(maxBytes: number, start: number): Fault {
  const what = `written out, the names of the records are longer than the limit ${maxBytes} bytes`;
  return new Fault('limit_exceeded', start, what, `raise maxBytes ${TRUSTED}`);
}

export function unsafeFault(start: number, number: bigint): Fault {
  const mend = "int64AsType 'auto' makes it a bigint";
  return new Fault('out_of_range', start, `the integer ${number} is no safe number`, mend);
}

export function dateRangeFault(start: number): Fault {
  return new Fault('out_of_range', start, 'a timestamp does not fit a Date', "mode 'lossless' makes it a Timestamp");
}

/** Returns the fault for text that is too long for a string of the engine. */
export function stringFault(start: number, cause: unknown): Fault {
  return new Fault('out_of_range', start, 'a str is longer than any string', 'the writer must send it as bin', cause);
}

export function timestampFault(start: number): Fault {
  const what = 'a timestamp has a length other than 4, 8 or 12, or nanoseconds above 999999999';
  return new Fault('invalid_timestamp', start, what, WRITER);
}

/** @param dictionary null if records aren't shared */
export function unknownRecordFault(start: number, id: string, dictionary: { readonly size: number } | null): Fault {
  const what = `the record ${id} was never declared in this message`;
  if (dictionary !== null) {
    const shared = `${what}, nor is it one of the ${dictionary.size} shared structures`;
    return new Fault('unknown_record', start, shared, 'get the structures of the writer');
  }
  const mend = 'keep messages with records whole, or use the option sequential';
  return new Fault('unknown_record', start, what, mend);
}

/**
 * Thrown when code of the user has changed the bytes of a message while it was being read. `copy` has the bytes as they
 * were before, from the start of the input. The message must be read again from the copy.
 */
export class InputChanged extends Fault {
  readonly copy: Uint8Array;

  constructor(copy: Uint8Array) {
    const what = 'the input changed while getStructures ran';
    super('invalid_record', null, what, 'let getStructures load into other memory');
    this.copy = copy;
  }
}

export function recordsOffFault(start: number): Fault {
  return new Fault('invalid_record', start, 'the input declares a record', "read it with the option records: 'inline'");
}

export function recordIdFault(start: number): Fault {
  const what = 'a record is declared with an id out of range, or by another head than fixext 1 or fixext 2';
  return new Fault('invalid_record', start, what, WRITER);
}

export function namesKindFault(start: number, head: number): Fault {
  return new Fault(
    'invalid_record',
    start,
    `${hexByte(head)} follows the id of a record, not an array of names`,
    WRITER,
  );
}

export function nameKindFault(start: number, head: number): Fault {
  return new Fault('invalid_record', start, `a name of a record is no str but starts with ${hexByte(head)}`, WRITER);
}

export function nameTwiceFault(start: number, name: string): Fault {
  return new Fault('invalid_record', start, `a record names the field ${quote(name)} twice`, WRITER);
}

/** Returns the fault for an extension, or a constructor of the engine, that threw `cause`. */
export function extensionFault(start: number, type: number | undefined, cause: unknown): Fault {
  return foreignCodeFault(start, `the extension of type ${type} failed to decode`, cause);
}

/** Returns the fault for foreign code that threw `cause` while the value at `start` was decoded. */
export function foreignCodeFault(start: number, what: string, cause: unknown): Fault {
  if (isStackExhausted(cause)) return stackFault(start, cause);
  return new Fault('unsupported_value', start, what, 'see the cause of this error', cause);
}

/** Returns the fault for a value that isn't an array, although the caller wants to decode its elements. */
export function arrayFault(start: number, head: number): Fault {
  const what = `elements are wanted, and the value is of format ${formatName(head)}`;
  return new Fault('type_mismatch', start, what, mendOfSeveral(head, 'decodeIter'));
}

/**
 * Returns the fault for declarations of records that need too much memory (limit maxBytes), with the option
 * `sequential` or in `decodeElements`. The decoder keeps these declarations for later messages or elements.
 */
export function declaringFault(maxBytes: number, start: number): Fault {
  const what = `the declarations of records are longer than the limit ${maxBytes} bytes`;
  return new Fault('limit_exceeded', start, what, `raise maxBytes ${TRUSTED}`);
}

/** Returns the fault for bytes after an array that is decoded element by element. Their number isn't known. */
export function followingFault(): Fault {
  return new Fault('trailing_data', 0, 'bytes follow the value', 'use decodeIter for several values');
}
