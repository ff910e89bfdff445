// The faults of the encoder (spec/07), and a function that builds their paths.

import { asFault, Fault, PolypackError, quote } from './errors.ts';

/**
 * Adds a token to the path of a fault: the index or key in the container that the fault is passing. If the token is
 * null, the fault is in a key, so the path ends at the container.
 */
export function faultAt(error: unknown, token: string | null): Fault {
  const fault = passedFault(error);
  if (token === null) fault.tokens.length = 0;
  else fault.tokens.push(token);
  return fault;
}

/**
 * Turns anything thrown while a value was encoded into a fault. Getters and iterators of the value are foreign code and
 * may throw anything. An error of encoding something keeps its code, and its path goes on at the value
 * (spec/07#encoding).
 */
export function passedFault(error: unknown): Fault {
  if (!(error instanceof PolypackError) || error.offset !== null) return asFault(error);
  const fault = new Fault(error.code, null, 'a part of the value was refused', 'see the cause of this error', error);
  for (const segment of error.path.split('/').slice(1).reverse()) {
    fault.tokens.push(segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return fault;
}

export function kindFault(value: unknown): Fault {
  const mend = 'register an extension or drop the field';
  return new Fault('unsupported_value', null, `cannot encode a ${typeof value}`, mend);
}

export function opaqueFault(value: object): Fault {
  const mend =
    value instanceof Error || value instanceof RegExp
      ? 'use a Packr with structuredClone, or an extension'
      : 'give its class toJSON or an extension, or drop the field';
  return new Fault('unsupported_value', null, `the properties of ${nameOf(value)} are not what it holds`, mend);
}

export function c1Fault(): Fault {
  const what = 'C1 stands for the byte 0xc1, which is no value';
  return new Fault('unsupported_value', null, what, "use compat: 'msgpackr'");
}

export function rangeFault(number: bigint): Fault {
  const what = `the bigint ${quote(String(number))} does not fit 64 bits`;
  return new Fault('out_of_range', null, what, 'use largeBigIntToFloat, largeBigIntToString or useBigIntExtension');
}

export function invalidDateFault(): Fault {
  return new Fault('out_of_range', null, 'an invalid Date is no moment', 'check dates before encoding');
}

export function recordFault(): Fault {
  const what = 'an ext of type 0x72 with 1 or 2 bytes would declare a record';
  return new Fault('invalid_record', null, what, 'use another type');
}

export function packFault(type: number): Fault {
  const what = `pack of the extension of type ${type} returned no Uint8Array`;
  return new Fault('unsupported_value', null, what, 'return the bytes of the ext value');
}

/** Returns the fault for a Raw whose bytes a decoder refuses. */
export function rawFault(cause: PolypackError): Fault {
  return new Fault(cause.code, null, 'a Raw does not hold exactly one value', 'see the cause of this error', cause);
}

export function replacementFault(value: object): Fault {
  const what = `toJSON or write of ${nameOf(value)} leads to no value`;
  return new Fault('unsupported_value', null, what, 'return a value of another class');
}

/** Returns the fault for a key of a map, or a member of a Set, that readers can't tell from an earlier one. */
export function equalKeysFault(): Fault {
  return new Fault('duplicate_key', null, 'a key occurs twice in a map', 'give each key once');
}

/** Returns the fault for a member of a Set that readers take for an earlier member. */
export function equalMembersFault(): Fault {
  return new Fault('duplicate_key', null, 'a member occurs twice in a Set', 'give each member once');
}

export function momentFault(): Fault {
  return new Fault('invalid_timestamp', null, 'an ext of type -1 is no timestamp', 'use a Timestamp');
}

export function changedObjectFault(): Fault {
  return new Fault('unsupported_value', null, 'an object changed while it was encoded', 'encode a copy');
}

export function changedFault(): Fault {
  return new Fault('unsupported_value', null, 'a Map changed while it was encoded', 'encode a copy');
}

export function nameOf(value: object): string {
  const { constructor: maker } = value;
  return typeof maker === 'function' && maker.name !== '' ? maker.name : 'an object';
}
