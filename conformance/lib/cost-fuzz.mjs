// The fuzzer of costs: repeats small units in a message and measures it beside its harmless twin, through every door.
//
// Plan of the file: the run · one implementation · findings.
//
// A door is one way into a library with one set of options; each adapter lists its own. What exceeds a bound is
// measured again in new processes before it counts, and then cut down.

import { pickFrom, randomFrom } from '../../tools/vectors/random.mjs';
import { Asked, fits } from './cost-process.mjs';
import { randomTree, smaller, treeOf, unitOf } from './cost-random.mjs';
import { allUnits } from './cost-units.mjs';

/** Findings of an implementation after which it isn't asked any more: the rest is likely more of the same. */
const MAX_FINDINGS = 12;

/**
 * @typedef {import('./adapters.mjs').Implementation} Implementation
 * @typedef {import('./cost-random.mjs').Tree} Tree
 * @typedef {import('./cost-process.mjs').Door} Door
 * @typedef {import('./cost-process.mjs').Excess} Excess
 *
 * @typedef {object} FuzzSetting
 * @property {Implementation[]} implementations
 * @property {(text: string) => void} print
 * @property {number} seed
 * @property {number} milliseconds
 * @property {number} count random units for each implementation
 * @property {number | null} unit only the random unit of this number
 * @property {string} door only doors whose "implementation: name" contains this
 */

// --- the run ---------------------------------------------------------------------------------------------------------

/**
 * Measures the units of the table and random ones until the time is over.
 *
 * @param {FuzzSetting} setting
 * @returns {Promise<number>} exit status
 */
export async function fuzzCosts(setting) {
  const { print, seed } = setting;
  const start = performance.now();
  const results = await Promise.all(setting.implementations.map((one) => fuzzOne(one, setting, start)));
  const asked = results.reduce((sum, result) => sum + result.asked, 0);
  const found = results.reduce((sum, result) => sum + result.found, 0);
  const seconds = Math.round((performance.now() - start) / 1000);
  print(
    `cost: ${asked} units at doors in ${seconds} s, seed ${seed}: ${found === 0 ? 'none exceeds' : `${found} EXCEED`}`,
  );
  return found === 0 ? 0 : 1;
}

/**
 * What is asked at one implementation: each unit of the table at each door, in an order that depends on the seed, and
 * after each of them a random unit at a random door; after that, random ones only.
 *
 * @param {Door[]} doors
 * @param {FuzzSetting} setting
 * @returns {Generator<{door: Door, tree: Tree, number: number | null}>}
 */
function* questions(doors, { seed, count, unit }) {
  if (unit !== null) {
    const tree = randomTree(seed, unit);
    for (const door of doors.filter((one) => fits(one, tree))) yield { door, tree, number: unit };
    return;
  }
  const random = randomFrom(seed);
  const table = allUnits().map(treeOf);
  const pairs = table.flatMap((tree) => doors.filter((door) => fits(door, tree)).map((door) => ({ door, tree })));
  shuffle(random, pairs);
  for (let number = 0; number < Math.max(count, pairs.length); number++) {
    const pair = pairs[number];
    if (pair !== undefined) yield { ...pair, number: null };
    if (number >= count) continue;
    const tree = randomTree(seed, number);
    const fitting = doors.filter((door) => fits(door, tree));
    if (fitting.length > 0) yield { door: pickFrom(random, fitting), tree, number };
  }
}

/** @param {import('../../tools/vectors/random.mjs').Random} random @param {unknown[]} list */
function shuffle(random, list) {
  for (let last = list.length - 1; last > 0; last--) {
    const other = random(last + 1);
    [list[last], list[other]] = [list[other], list[last]];
  }
}

// --- one implementation ----------------------------------------------------------------------------------------------

/**
 * @param {Implementation} implementation
 * @param {FuzzSetting} setting
 * @param {number} start
 */
async function fuzzOne(implementation, setting, start) {
  const { print, seed, milliseconds, door: filter } = setting;
  const process = new Asked(implementation);
  const doors = (await process.doors()).filter(({ name }) => `${implementation.name}: ${name}`.includes(filter));
  /** Figures that a door exceeded: one finding each is enough. @type {Set<string>} */
  const known = new Set();
  let asked = 0;
  for (const { door, tree, number } of questions(doors, setting)) {
    if (performance.now() - start > milliseconds || known.size >= MAX_FINDINGS) break;
    asked++;
    const finding = await examine(process, implementation, door, tree);
    if (finding === null) continue;
    const key = `${door.name} ${finding.excess.map(({ what }) => what).join()}`;
    if (known.has(key)) continue;
    known.add(key);
    print(lineOf(implementation, door, finding, seed, number));
  }
  await process.close();
  return { asked, found: known.size };
}

/**
 * Measures, again if it exceeds a bound, and then cuts the unit down.
 *
 * @param {Asked} process
 * @param {Implementation} implementation
 * @param {Door} door
 * @param {Tree} tree
 * @returns {Promise<{tree: Tree, excess: Excess[]} | null>}
 */
async function examine(process, implementation, door, tree) {
  const suspected = await process.excess(door, unitOf(tree), 2);
  if (suspected.length === 0 || (await again(implementation, door, tree)).length === 0) return null;
  let smallest = tree;
  for (let found = true; found; ) {
    found = false;
    for (const less of smaller(smallest)) {
      if ((await process.excess(door, unitOf(less), 3)).length === 0) continue;
      smallest = less;
      found = true;
      break;
    }
  }
  const excess = await again(implementation, door, smallest);
  return excess.length > 0 ? { tree: smallest, excess } : null;
}

/**
 * What exceeds in each of two new processes.
 *
 * @param {Implementation} implementation
 * @param {Door} door
 * @param {Tree} tree
 */
async function again(implementation, door, tree) {
  const both = [];
  for (let turn = 0; turn < 2; turn++) {
    const process = new Asked(implementation);
    both.push(await process.excess(door, unitOf(tree), 5));
    await process.close();
  }
  const [first = [], second = []] = both;
  return second.filter(({ what }) => first.some((other) => other.what === what));
}

// --- findings --------------------------------------------------------------------------------------------------------

/**
 * @param {Implementation} implementation
 * @param {Door} door
 * @param {{tree: Tree, excess: Excess[]}} finding
 * @param {number} seed
 * @param {number | null} number null for a unit of the table
 */
function lineOf({ name }, door, { tree, excess }, seed, number) {
  const where = number === null ? 'of the table' : `${number} of seed ${seed}`;
  return `${name}: ${door.name}: ${excess.map(({ text }) => text).join('; ')}; unit ${where}: ${JSON.stringify(unitOf(tree))}`;
}
