// Runs a contestant in a page of a browser, as node-page.mjs tells it to, which speaks with the lab. A page knows the
// time of day only. What was read it compares by itself; bytes it hands over, for another library to read.

import { read } from './node-values.mjs';

/** @typedef {import('./node.mjs').Codec} Codec */
/** @typedef {import('./node.mjs').About} About */
/** @typedef {{about: About, make(scenario: string): Promise<Codec> | Codec}} Contestant */
/** @typedef {(actual: unknown, expected: unknown) => boolean} Same */

const EMPTY = new Uint8Array();
const NOTHING = { serialize: () => EMPTY, deserialize: () => [] };

/** The first thing that the contestant has printed. @type {string | undefined} */
let printed;

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** @param {() => unknown} work @returns {Promise<number>} nanoseconds */
async function timed(work) {
  const start = performance.now();
  await work();
  return 1e6 * (performance.now() - start);
}

export class Work {
  /** @type {Codec} */ #codec = NOTHING;
  #text = '[]';
  #scenario = '';
  #serializes = true;
  /** @type {any} */ #values;
  /** @type {any} */ #result;
  /** @type {Uint8Array} */ #input = EMPTY;
  #contestant;
  #isSame;

  /** @param {Contestant} contestant @param {Same} isSame */
  constructor(contestant, isSame) {
    this.#contestant = contestant;
    this.#isSame = isSame;
  }

  /** @param {any} request @returns {Promise<any>} */
  async obey(request) {
    switch (request.do) {
      case 'prepare':
        return this.#prepare(request);
      case 'call':
        return this.#call();
      case 'result':
        return this.#described();
      default:
        return this.#time(request.do === 'empty' ? NOTHING : this.#codec, request.times);
    }
  }

  /** @param {{text: string, scenario: string, operation: string}} request */
  async #prepare({ text, scenario, operation }) {
    // The clock of other pages has steps of 100 µs, of which a sample would have two dozen.
    if (!Reflect.get(globalThis, 'crossOriginIsolated')) throw new Error('the page is not isolated');
    const { about, make } = this.#contestant;
    [this.#text, this.#scenario, this.#serializes] = [text, scenario, operation === 'serialize'];
    this.#values = read(text, scenario);
    const setUp = await timed(async () => {
      this.#codec = await make(scenario);
    });
    if (!this.#serializes) {
      const isText = about.format === 'json';
      this.#input = isText ? new TextEncoder().encode(text) : Uint8Array.from(this.#codec.serialize(this.#values));
    }
    const first = await timed(() => this.#call());
    return { set_up: setUp, first, bytes: base64(this.#serializes ? this.#result : this.#input) };
  }

  #call() {
    this.#result = this.#serializes ? this.#codec.serialize(this.#values) : this.#codec.deserialize(this.#input);
  }

  /** Says of the latest result what has to be known to judge it. */
  #described() {
    const expected = read(this.#text, this.#scenario);
    const isChanged = !this.#isSame(this.#values, expected);
    const result = this.#serializes
      ? { bytes: base64(this.#result) }
      : { isRight: this.#isSame(this.#result, expected) };
    return { isChanged, printed, ...result };
  }

  /** @param {Codec} codec @param {number} times */
  #time(codec, times) {
    const [values, input] = [this.#values, this.#input];
    let result;
    const start = performance.now();
    if (this.#serializes) for (let i = 0; i < times; i++) result = codec.serialize(values);
    else for (let i = 0; i < times; i++) result = codec.deserialize(input);
    const wall = 1e6 * (performance.now() - start);
    if (codec !== NOTHING) this.#result = result;
    return { wall };
  }
}

/** Lets node-page.mjs call obey(). @param {Contestant} contestant @param {Same} isSame */
export async function serve(contestant, isSame) {
  for (const name of /** @type {const} */ (['debug', 'error', 'info', 'log', 'warn'])) {
    console[name] = (...said) => {
      printed ??= said.join(' ');
    };
  }
  const work = new Work(contestant, isSame);
  /** @param {any} request */
  const obey = (request) => work.obey(request).catch((error) => ({ fault: `throws ${error}` }));
  Object.assign(globalThis, { obey });
  await fetch('/ready', { method: 'POST', body: '{}' });
}
