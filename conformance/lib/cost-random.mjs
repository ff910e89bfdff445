// Random units of cost, and smaller ones: one to three values put together from those of cost-units.mjs.
//
// Plan: trees · a random one · smaller ones.

import { pickFrom, randomFrom } from '../../tools/vectors/random.mjs';
import { allUnits, isColliding, KEYS, SAME_KEYS, unlike, VALUES } from './cost-units.mjs';

/**
 * @typedef {import('../../tools/vectors/random.mjs').Random} Random
 * @typedef {import('./cost-units.mjs').Part} Part
 * @typedef {import('./cost-units.mjs').Unit} Unit
 * @typedef {{part: Part} | {array: Node[]} | {map: [Node, Node][]}} Node
 *
 * @typedef {Omit<Unit, 'parts'> & {nodes: Node[]}} Tree a unit that can be cut
 */

// --- trees -----------------------------------------------------------------------------------------------------------

/** @param {Unit} unit @returns {Tree} */
export function treeOf({ parts, ...unit }) {
  return { ...unit, nodes: parts.map((part) => ({ part })) };
}

/** @param {Tree} tree @returns {Unit} */
export function unitOf({ nodes, ...unit }) {
  return { ...unit, parts: nodes.map(partOf) };
}

/** @param {Node} node @returns {Part} */
function partOf(node) {
  if ('part' in node) return node.part;
  const inside = 'array' in node ? node.array.map(partOf) : node.map.flatMap(partsOfEntry);
  const head = 'array' in node ? 0x90 + node.array.length : 0x80 + node.map.length;
  const join = (/** @type {'text' | 'twin'} */ which) =>
    head.toString(16) + inside.map((part) => part[which].repeat(part.times ?? 1)).join('');
  return { text: join('text'), twin: join('twin') };
}

/** @param {[Node, Node]} entry @param {number} index @returns {Part[]} */
function partsOfEntry([key, item], index) {
  const { text, twin } = partOf(key);
  return [{ text, twin: unlike(twin, index) }, partOf(item)];
}

// --- a random one ----------------------------------------------------------------------------------------------------

/** Values that need an option. @type {Unit[]} */
const SPECIAL = allUnits().filter(({ wrap, records, also }) => wrap === 'array' && (records ?? also) !== undefined);

/**
 * The unit of a number, the same for each seed.
 *
 * @param {number} seed
 * @param {number} index
 * @returns {Tree}
 */
export function randomTree(seed, index) {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  for (let warm = 0; warm < 8; warm++) random(2); // the first numbers of neighbouring seeds are alike
  const special = random(3) === 0 ? pickFrom(random, SPECIAL) : undefined;
  const count = 1 + random(3);
  const nodes = Array.from({ length: count }, () => randomNode(random, special, 2));
  const { records, also, first } = special ?? {};
  const wrap = first === undefined && random(6) === 0 ? randomKeys(random) : undefined;
  if (wrap !== undefined) return wrap;
  return {
    wrap: random(4) === 0 ? 'rows' : 'array',
    nodes,
    ...(first !== undefined && { first }),
    ...(records !== undefined && { records }),
    ...(also !== undefined && { also }),
  };
}

/** @param {Random} random @param {Unit | undefined} special @param {number} depth @returns {Node} */
function randomNode(random, special, depth) {
  const inside = () => randomNode(random, special, depth - 1);
  const way = random(depth > 0 ? 8 : 4);
  if (special !== undefined && way % 2 === 0) {
    const [part] = special.parts;
    if (part !== undefined) return { part };
  }
  if (way < 4) return { part: pickFrom(random, VALUES) };
  const count = pickFrom(random, [1, 1, 1, 2, 3]);
  if (way === 4) return { array: Array.from({ length: count }, inside) };
  const keys = random(3) === 0 ? KEYS : SAME_KEYS;
  return { map: Array.from({ length: count }, () => [{ part: pickFrom(random, keys) }, inside()]) };
}

/** Keys of one map, or of many: of two or three kinds. @param {Random} random @returns {Tree} */
function randomKeys(random) {
  const nodes = Array.from({ length: 1 + random(3) }, () => ({ part: pickFrom(random, KEYS) }));
  const factor = nodes.some(({ part }) => isColliding(part)) ? 8 : undefined;
  const wrap = pickFrom(random, /** @type {const} */ (['map', 'maps']));
  return { wrap, nodes, ...(factor !== undefined && wrap === 'map' && { factor }) };
}

// --- smaller ones ----------------------------------------------------------------------------------------------------

/**
 * Units that are a little smaller, the smallest first.
 *
 * @param {Tree} tree
 * @returns {Generator<Tree>}
 */
export function* smaller(tree) {
  if (tree.nodes.length > 1) for (const node of tree.nodes) yield { ...tree, nodes: [node] };
  if (tree.wrap === 'rows') yield { ...tree, wrap: 'array' };
  if (tree.first !== undefined) {
    const { first: _, ...rest } = tree;
    yield rest;
  }
  for (const [index, node] of tree.nodes.entries()) {
    const others = [...tree.nodes];
    others.splice(index, 1);
    if (others.length > 0) yield { ...tree, nodes: others };
    for (const less of smallerNodes(node)) yield { ...tree, nodes: tree.nodes.with(index, less) };
  }
}

/** @type {Part} */
const SMALLEST = { text: '07', twin: '07' };

/** @param {Node} node @returns {Generator<Node>} */
function* smallerNodes(node) {
  if ('part' in node) {
    if ((node.part.times ?? 1) > 1) yield { part: { ...node.part, times: Math.floor((node.part.times ?? 1) / 2) } };
    return;
  }
  if ('array' in node) {
    yield* node.array;
    for (const [index, inside] of node.array.entries()) {
      if (node.array.length > 1) yield { array: node.array.filter((_, other) => other !== index) };
      for (const less of smallerNodes(inside)) yield { array: node.array.with(index, less) };
    }
    return;
  }
  for (const [index, [key, item]] of node.map.entries()) {
    yield item;
    if (node.map.length > 1) yield { map: node.map.filter((_, other) => other !== index) };
    if (!('part' in item && item.part.text === SMALLEST.text))
      yield { map: node.map.with(index, [key, { part: SMALLEST }]) };
    for (const less of smallerNodes(item)) yield { map: node.map.with(index, [key, less]) };
  }
}
