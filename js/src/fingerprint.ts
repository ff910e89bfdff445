// The header that says which dictionary a message needs (spec/05-records.md#header).
//
// Plan: Fingerprints · withHeader, which writes it · Headers, which reads it.

import type { Reader } from './decoder.ts';
import { Fault } from './errors.ts';
import { RESERVED } from './format.ts';
import type { Settings } from './options.ts';
import { type Wrapping, WrappingFault } from './session.ts';
import { StrWriter } from './str-writer.ts';
import type { Dictionary, Shape } from './structures.ts';
import type { SharedRecords } from './structures-shared.ts';

/** The byte behind `c1`. */
const MARK = 0x50;
const HEADER_LENGTH = 10;

/** FNV-1a with 64 bits. */
const BASIS = 0xcbf2_9ce4_8422_2325n;
const PRIME = 0x100_0000_01b3n;

/** The encoding of a shape that is hashed: its array of names, or nil where there is none. */
class ShapeSink extends StrWriter {
  bytesOf(shape: Shape | undefined): Uint8Array {
    this.reset();
    if (shape === undefined) this.byte(0xc0);
    else {
      this.arrayHead(shape.names.length);
      for (const name of shape.names) this.str(name);
    }
    return this.take();
  }
}

/** The fingerprints of a dictionary and of what it began with. */
export class Fingerprints {
  /** That of the whole dictionary. */
  latest = BASIS;
  readonly #known = new Set<bigint>([BASIS]);
  #shapes: readonly (Shape | undefined)[] = [];

  /** Goes over to a dictionary, as a rule a larger one. */
  follow({ shapes }: Dictionary): void {
    if (shapes === this.#shapes) return;
    if (!this.#shapes.every((shape, number) => number < shapes.length && shape === shapes[number])) {
      this.#known.clear();
      this.#shapes = [];
      this.latest = BASIS;
      this.#known.add(BASIS);
    }
    const sink = new ShapeSink(false);
    for (const shape of shapes.slice(this.#shapes.length)) {
      for (const byte of sink.bytesOf(shape)) this.latest = BigInt.asUintN(64, (this.latest ^ BigInt(byte)) * PRIME);
      this.#known.add(this.latest);
    }
    this.#shapes = shapes;
  }

  has(fingerprint: bigint): boolean {
    return this.#known.has(fingerprint);
  }
}

function fingerprintsOf(shared: SharedRecords): Fingerprints {
  shared.fingerprints.follow(shared.current());
  return shared.fingerprints;
}

/** A message behind the header for the dictionary of the moment, which has every shape that the message relies on. */
export function withHeader(message: Uint8Array, { shared }: Settings): Uint8Array {
  const bytes = new Uint8Array(HEADER_LENGTH + message.length);
  bytes[0] = RESERVED;
  bytes[1] = MARK;
  const { latest } = fingerprintsOf(shared as SharedRecords);
  new DataView(bytes.buffer).setBigUint64(2, latest);
  bytes.set(message, HEADER_LENGTH);
  return bytes;
}

/** Reads messages behind headers; a message may be without one. */
export class Headers implements Wrapping {
  readonly #shared: SharedRecords;

  constructor({ shared }: Settings) {
    this.#shared = shared as SharedRecords;
  }

  open(reader: Reader, bytes: Uint8Array, start: number, end: number, depth: number): void {
    const length = headerLength(bytes, start, end);
    if (length > 0) this.#check(bytes, start, end);
    reader.begin(bytes, start + length, end, depth);
  }

  originOf(offset: number): number {
    return offset;
  }

  #check(bytes: Uint8Array, start: number, end: number): void {
    if (end - start < HEADER_LENGTH) throw new WrappingFault(truncatedFault(start), '');
    const fingerprint = new DataView(bytes.buffer, bytes.byteOffset + start + 2).getBigUint64(0);
    const isKnown = () => fingerprintsOf(this.#shared).has(fingerprint);
    if (isKnown() || (this.#shared.reload() && isKnown())) return;
    throw new WrappingFault(dictionaryFault(start), '');
  }
}

/** How long the header at `start` is, or would be: 0 for none. */
function headerLength(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== RESERVED || start >= end) return 0;
  return end - start === 1 || bytes[start + 1] === MARK ? HEADER_LENGTH : 0;
}

function truncatedFault(start: number): Fault {
  return new Fault('unexpected_end', start, 'the fingerprint of a dictionary ends too soon', 'the input is truncated');
}

function dictionaryFault(start: number): Fault {
  const what = 'the message was written with another dictionary of structures';
  return new Fault('invalid_record', start, what, 'give the structures that its writer had');
}
