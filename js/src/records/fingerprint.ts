// The fingerprint of a dictionary (spec/05-records.md#header): a hash that identifies it.
//
// Plan: the bytes that are hashed · Fingerprints.

import { StrEncoder } from '../encoder/output/str.ts';
import type { Dictionary, Shape } from './dictionary.ts';

/** The offset basis and the prime of 64-bit FNV-1a. */
const BASIS = 0xcbf2_9ce4_8422_2325n;
const PRIME = 0x100_0000_01b3n;

/** Encodes a shape for hashing: its array of names, or nil for an empty place. */
class ShapeEncoder extends StrEncoder {
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

/** Holds the fingerprints of a dictionary and of every smaller dictionary with which it begins. */
export class Fingerprints {
  /** The fingerprint of the whole dictionary. */
  latest = BASIS;
  readonly #known = new Set<bigint>([BASIS]);
  #shapes: readonly (Shape | undefined)[] = [];

  /** Switches to a dictionary, usually a larger one. */
  follow({ shapes }: Dictionary): void {
    if (shapes === this.#shapes) return;
    if (!this.#shapes.every((shape, number) => number < shapes.length && shape === shapes[number])) {
      this.#known.clear();
      this.#shapes = [];
      this.latest = BASIS;
      this.#known.add(BASIS);
    }
    const sink = new ShapeEncoder(false);
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
