#!/usr/bin/env node
// The process that a contestant in JavaScript runs in. It answers the protocol of docs/internals/lab-protocol.md on its
// input; with --list it says as JSON which contestants there are, and why one can't run.
//
// Plan: memory · a contestant at work · main.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { GCProfiler } from 'node:v8';
import { fault, read } from './node-compare.mjs';
import { isStream } from './node-streams.mjs';
import { read as readData } from './node-values.mjs';

const FOLDER = fileURLToPath(new URL('./node', import.meta.url));

/** @typedef {{serialize(values: unknown[]): Uint8Array, deserialize(bytes: Uint8Array): unknown}} Codec */
/**
 * What a contestant says of itself. Its process gets the flags of Node. In a page of a browser it runs where strings
 * may become code, or not.
 *
 * @typedef {{name: string, format: string, scenarios: string[], kind?: string, state?: string, note?: string, package?:
 *   string, isAsync?: boolean, flags?: string[], page?: 'eval' | 'no eval'}} About
 */

// --- memory ----------------------------------------------------------------------------------------------------------

/**
 * Returns how many bytes a call takes at its peak above what was there before: on V8's heap, and outside of it, as
 * bytes of a Buffer are. Garbage counts until it's collected. The heap only shrinks when V8 collects, so its peak is
 * right before a collection or at the end. The median of three calls, since compilers take memory, too.
 *
 * @param {() => unknown} call
 * @returns {Promise<number | null>} null without --expose-gc, as what was there before isn't known then
 */
export async function peakOf(call) {
  const { gc } = globalThis;
  if (gc === undefined) return null;
  const peaks = [];
  for (let i = 0; i < 3; i++) {
    gc();
    gc(); // V8 gives back the bytes of a Buffer later, and at the next collection at the latest
    const profiler = new GCProfiler();
    profiler.start();
    const before = process.memoryUsage();
    const result = call();
    if (result instanceof Promise) await result;
    const after = process.memoryUsage();
    const inUse = [after.heapUsed + after.external];
    for (const { beforeGC } of profiler.stop().statistics) {
      inUse.push(beforeGC.heapStatistics.usedHeapSize + beforeGC.heapStatistics.externalMemory);
    }
    peaks.push(Math.max(...inUse) - before.heapUsed - before.external);
  }
  return Math.max(0, peaks.sort((a, b) => a - b)[1] ?? 0);
}

/** Bytes of results from which the heap's own noise doesn't matter, and the most results that make so many. */
const ENOUGH_KEPT = 2 << 20;
const MOST_KEPT = 1000;

/**
 * Returns how many bytes a result keeps alive when everything else has been collected. Of small ones, it's the mean of
 * many.
 *
 * @param {() => unknown} make
 * @returns {Promise<number | null>} null without --expose-gc
 */
export async function keptBy(make) {
  const one = await heldBy(make, 1);
  if (one === null || one >= ENOUGH_KEPT) return one;
  return heldBy(make, Math.min(MOST_KEPT, Math.ceil(ENOUGH_KEPT / Math.max(1, one))));
}

/** @param {() => unknown} make @param {number} count */
async function heldBy(make, count) {
  const { gc } = globalThis;
  if (gc === undefined) return null;
  const inUse = () => {
    gc();
    gc(); // as above
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const kept = new Array(count).fill(null);
  const before = inUse();
  for (let i = 0; i < count; i++) kept[i] = await make();
  const bytes = (inUse() - before) / count;
  return kept.includes(null) ? null : Math.max(0, Math.round(bytes)); // they have to live until here
}

// --- a contestant at work --------------------------------------------------------------------------------------------

const EMPTY = new Uint8Array();
const NOTHING = { serialize: () => EMPTY, deserialize: () => [] };

class Worker {
  /** @type {Codec} */ #codec = NOTHING;
  /** @type {About | undefined} */ #about;
  #text = '[]';
  #scenario = '';
  /** @type {any[]} */ #values = [];
  #input = EMPTY;
  #serializes = true;
  /** @type {any} */ #result;
  /** @type {string | undefined} */ #warning;

  constructor() {
    process.on('warning', (warning) => {
      this.#warning ??= `${warning.name}: ${warning.message}`;
    });
  }

  close() {}

  /** @param {any} request @returns {Promise<object>} */
  async answer(request) {
    switch (request.do) {
      case 'prepare':
        return this.#prepare(request);
      case 'verify':
        return { fault: await this.#verify() };
      case 'run':
        return this.#about?.isAsync ? this.#timeAsync(request.times) : this.#time(this.#codec, request.times);
      case 'empty':
        return this.#time(NOTHING, request.times);
      case 'memory':
        this.#result = undefined;
        return { bytes: await peakOf(() => this.#call()), kept: await keptBy(() => this.#make()) };
      default:
        return { fault: `the worker knows no ${request.do}` };
    }
  }

  /** @param {any} request */
  async #prepare({ file, scenario, operation, data, digest, out }) {
    this.#text = readFileSync(data, 'utf8');
    if (createHash('sha256').update(this.#text).digest('hex') !== digest) {
      return { fault: 'the data is not what the coordinator has hashed' };
    }
    this.#scenario = scenario;
    this.#values = readData(this.#text, scenario);
    this.#serializes = operation === 'serialize';
    const begun = process.cpuUsage();
    const { about, make } = await import(file);
    this.#about = about;
    this.#codec = await make(scenario);
    const setUp = process.cpuUsage(begun);
    if (!this.#serializes) {
      // Codecs may reuse the memory that they return.
      this.#input = Uint8Array.from(
        about.format === 'json' ? Buffer.from(this.#text) : await this.#codec.serialize(this.#values),
      );
    }
    const called = process.cpuUsage();
    await this.#call();
    const first = process.cpuUsage(called);
    const bytes = Buffer.from(this.#serializes ? this.#result : this.#input);
    writeFileSync(out, bytes);
    return { set_up: nanoseconds(setUp), first: nanoseconds(first), bytes: bytes.length };
  }

  /** Calls once. What it returns has to be awaited if the contestant is asynchronous. */
  #call() {
    this.#result = this.#serializes ? this.#codec.serialize(this.#values) : this.#codec.deserialize(this.#input);
    if (!(this.#result instanceof Promise)) return this.#result;
    return this.#result.then((result) => {
      this.#result = result;
    });
  }

  /** Makes a result for somebody else, of bytes of its own, which it may keep. */
  #make() {
    return this.#serializes ? this.#codec.serialize(this.#values) : this.#codec.deserialize(this.#input.slice());
  }

  async #verify() {
    const found = await this.#faultOfResult();
    if (found !== null) return found;
    this.#warning = undefined;
    await this.#call();
    const again = await this.#faultOfResult();
    return again ?? (this.#warning === undefined ? null : `prints warnings: ${this.#warning}`);
  }

  async #faultOfResult() {
    const expected = readData(this.#text, this.#scenario);
    const touched = fault(expected, this.#values);
    if (touched !== null) return `changes the values that it is given: ${touched}`;
    const about = /** @type {About} */ (this.#about);
    const messages = isStream(this.#scenario) ? this.#values.length : null;
    const isOwn = this.#serializes && about.format === 'shared records'; // only the codec has their dictionary
    const got = isOwn
      ? this.#codec.deserialize(this.#result)
      : this.#serializes
        ? await read(about.format, this.#result, about.name, messages)
        : this.#result;
    const wrong = fault(expected, got);
    return wrong === null ? null : `returns other data: ${this.#serializes ? 'its bytes say ' : ''}${wrong}`;
  }

  /** @param {Codec} codec @param {number} times */
  #time(codec, times) {
    const [values, input] = [this.#values, this.#input];
    let result;
    const cpu = process.cpuUsage();
    const wall = process.hrtime.bigint();
    if (this.#serializes) for (let i = 0; i < times; i++) result = codec.serialize(values);
    else for (let i = 0; i < times; i++) result = codec.deserialize(input);
    const took = { wall: Number(process.hrtime.bigint() - wall), cpu: nanoseconds(process.cpuUsage(cpu)) };
    if (codec !== NOTHING) this.#result = result;
    return took;
  }

  /** The same for a contestant that is awaited. @param {number} times */
  async #timeAsync(times) {
    const cpu = process.cpuUsage();
    const wall = process.hrtime.bigint();
    for (let i = 0; i < times; i++) await this.#call();
    return { wall: Number(process.hrtime.bigint() - wall), cpu: nanoseconds(process.cpuUsage(cpu)) };
  }
}

/** @param {NodeJS.CpuUsage} usage */
function nanoseconds({ user, system }) {
  return 1000 * (user + system);
}

// --- main ------------------------------------------------------------------------------------------------------------

/** @param {string} name of a package @returns {string} */
function versionOf(name) {
  const require = createRequire(import.meta.url);
  try {
    return JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')).version;
  } catch {
    // Not every package exports its package.json; the entry lies below it.
    let folder = path.dirname(require.resolve(name));
    while (path.basename(path.dirname(folder)) !== 'node_modules' && !folder.endsWith(`node_modules/${name}`)) {
      folder = path.dirname(folder);
    }
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
  }
}

async function list() {
  const found = [];
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.mjs'))) {
    const file = path.join(FOLDER, name);
    /** @type {{about: About}} */
    const { about } = await import(file);
    try {
      const host = about.page === undefined ? process.version : (await import('./node-page.mjs')).browser().name;
      if (about.package !== undefined) await import(about.package);
      const version = about.package === undefined ? host : versionOf(about.package);
      found.push({ ...about, file, version });
    } catch (error) {
      found.push({ ...about, file, missing: `${error instanceof Error ? error.message.split('\n')[0] : error}` });
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [argument = ''] = process.argv.slice(2);
  if (argument === '--list') {
    console.log(JSON.stringify(await list()));
  } else {
    let worker;
    for await (const line of createInterface({ input: process.stdin })) {
      let answer;
      try {
        const request = JSON.parse(line);
        worker ??= request.page ? new (await import('./node-page.mjs')).PageWorker() : new Worker();
        answer = await worker.answer(request);
      } catch (error) {
        answer = {
          fault: `throws ${error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : error}`,
        };
      }
      process.stdout.write(`\n${argument}${JSON.stringify(answer)}\n`);
    }
    await worker?.close();
  }
}
