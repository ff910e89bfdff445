// An adapter whose costs are measured: its process, its doors, and what a message may cost there.
//
// Plan of the file: types · processes and doors · bounds · measuring.
//
// All figures are per byte of input. Processor time and memory are those of the adapter's process, so other work on the
// machine adds little.

import { createHash } from 'node:crypto';
import { isColliding, messageOf } from './cost-units.mjs';
import { Adapter, Incident } from './protocol.mjs';

/**
 * @typedef {import('./adapters.mjs').Implementation} Implementation
 * @typedef {import('./cost-units.mjs').Unit} Unit
 *
 * @typedef {object} Door as an adapter lists it
 * @property {string} name
 * @property {'inline' | 'shared'} [records] the kind that it reads
 * @property {'moreTypes' | 'structuredClone' | 'bundleStrings'} [also] what else it reads
 * @property {number} [memory] bytes in which it must be able to refuse or read 1 MB of anything
 *
 * @typedef {'cpu' | 'bytes' | 'retained' | 'resident'} Figure
 * @typedef {Partial<Record<Figure, number>> & {died?: string, error?: string | null}} Figures per byte of input
 *
 * @typedef {object} Excess
 * @property {string} what a figure, or what else is wrong
 * @property {string} text for people
 */

// --- processes and doors ---------------------------------------------------------------------------------------------

/** Milliseconds for one answer, which takes many rounds. */
export const PATIENCE = 60_000;

/** OPcache as on servers: without it PHP's stack takes up to 2 MB at depth 512 instead of 0.3 MB. */
const PHP_FLAGS = ['-d', 'opcache.enable_cli=1'];

/**
 * Node hides its collector unless told otherwise; and with a large nursery, what a decode leaves
 * there stays to be counted.
 */
const NODE_FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/**
 * @param {Implementation} implementation
 * @returns {import('./protocol.mjs').Program}
 */
export function withFlags({ name, command, cwd, env }) {
  const [program = '', ...args] = command;
  const flags = program === process.execPath ? NODE_FLAGS : program === 'php' ? PHP_FLAGS : [];
  return { name, cwd, env, command: [program, ...flags, ...args] };
}

/**
 * Whether a door reads what a unit needs.
 *
 * @param {Door} door
 * @param {Pick<Unit, 'records' | 'also'>} unit
 */
export function fits(door, { records, also }) {
  const clones = also === 'moreTypes' && door.also === 'structuredClone';
  return (records === undefined || door.records === records) && (also === undefined || also === door.also || clones);
}

// --- bounds ----------------------------------------------------------------------------------------------------------

/** How many times as much as its twin a message may cost. */
export const FACTOR = 4;

/**
 * What a twin may cost in any case: milliseconds of processor time for a megabyte, bytes of memory for a byte. Four
 * times as much is about what the heaviest values take, which are of one to three bytes: an empty Map of JavaScript, a
 * stdClass of PHP with one entry. `bytes` has garbage in it where the language can't tell it apart.
 *
 * @type {Record<Figure, number>}
 */
export const ALWAYS = { cpu: 500, bytes: 300, retained: 64, resident: 500 };

/** Milliseconds of processor time that the key comparisons of a message may take beside all else (06#collisions). */
const COLLISIONS = 2000;

/** Bytes of a message. */
const LENGTH = 20_000;

/** Bytes of a message for a door with a limit of memory. */
const LARGE = 1_000_000;

/**
 * In what a message costs too much.
 *
 * @param {Figures} text
 * @param {Figures} twin
 * @param {{collides?: boolean, length?: number}} [about]
 * @returns {Excess[]}
 */
export function excessOf(text, twin, { collides = false, length = LENGTH } = {}) {
  if (text.died !== undefined) return [{ what: 'died', text: text.died }];
  if (twin.died !== undefined) return [{ what: 'died', text: `the twin: ${twin.died}` }];
  return /** @type {Figure[]} */ (Object.keys(ALWAYS)).flatMap((what) => {
    const [cost, usual] = [text[what], twin[what]];
    if (cost === undefined || usual === undefined) return [];
    const allowance = what === 'cpu' && collides ? (COLLISIONS * 1e6) / length : 0;
    if (cost <= FACTOR * Math.max(usual, ALWAYS[what]) + allowance) return [];
    return [{ what, text: `${what} ${cost.toFixed(0)}, twin ${usual.toFixed(0)}` }];
  });
}

// --- measuring -------------------------------------------------------------------------------------------------------

/** An adapter that is asked for costs. */
export class Asked {
  #adapter;
  /** What twins took: many are the same. @type {Map<string, Promise<Figures>>} */
  #twins = new Map();

  /** @param {Implementation} implementation */
  constructor(implementation) {
    this.#adapter = new Adapter(withFlags(implementation), { timeout: PATIENCE, window: 2, maxIncidents: 1000 });
  }

  /** @returns {Promise<Door[]>} */
  async doors() {
    const { doors } = await this.#adapter.ask({ op: 'doors' });
    return Array.isArray(doors) ? doors : [];
  }

  close() {
    return this.#adapter.close();
  }

  /**
   * @param {Door} door
   * @param {Unit} unit
   * @param {number} rounds
   * @returns {Promise<Excess[]>}
   */
  async excess(door, unit, rounds) {
    const length = LENGTH * (unit.factor ?? 1);
    const collides = unit.parts.some(isColliding);
    const text = await this.measure(door.name, messageOf(unit, 'text', length), rounds);
    const twin = await this.#twin(door.name, messageOf(unit, 'twin', length), rounds);
    const excess = excessOf(text, twin, { collides, length });
    if (excess.length > 0 || door.memory === undefined) return excess;
    const { died } = await this.measure(door.name, messageOf(unit, 'text', LARGE), 1, door.memory);
    return died === undefined ? [] : [{ what: 'died', text: `with ${door.memory >> 20} MB: ${died}` }];
  }

  /** @param {string} door @param {string} bytes @param {number} rounds */
  #twin(door, bytes, rounds) {
    const key = createHash('sha256').update(`${door} ${rounds} ${bytes}`).digest('hex');
    const known = this.#twins.get(key) ?? this.measure(door, bytes, rounds);
    this.#twins.set(key, known);
    return known;
  }

  /**
   * @param {string} door
   * @param {string} bytes hex
   * @param {number} rounds
   * @param {number} [memory]
   * @returns {Promise<Figures>}
   */
  async measure(door, bytes, rounds, memory) {
    try {
      const answer = await this.#adapter.ask({ op: 'measure', door, bytes, rounds, memory });
      if ('unsupported' in answer) return { died: `unsupported: ${answer.unsupported}` };
      const { code = null } = /** @type {{code?: string}} */ (answer.error ?? {});
      return { ...perByte(answer, bytes.length / 2), error: code };
    } catch (incident) {
      if (!(incident instanceof Incident)) throw incident;
      return { died: incident.message };
    }
  }
}

/** @param {Record<string, unknown>} answer @param {number} length @returns {Figures} */
function perByte({ cpu, bytes, retained, resident }, length) {
  const figures = Object.entries({ cpu: typeof cpu === 'number' ? cpu * 1e6 : null, bytes, retained, resident });
  return Object.fromEntries(
    figures.flatMap(([what, figure]) => (typeof figure === 'number' ? [[what, figure / length]] : [])),
  );
}
