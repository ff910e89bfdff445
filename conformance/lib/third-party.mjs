// Compares other libraries, and our implementations in default mode, with the profile.
// Reported, never judged.
//
// Plan of the file: the question · one library · tables. Rooms are those of vectors/valid and vectors/invalid.
//
// Only numbers are published: no input that makes somebody's library crash or hang is named.

import { judge as readByReference } from '../../tools/vectors/judge.mjs';
import { mapLimit } from './judge.mjs';
import { PEERS } from './peers.mjs';
import { Adapter, Incident } from './protocol.mjs';
import { markdown } from './report.mjs';
import { canonical, MalformedValue } from './values.mjs';

/**
 * @typedef {import('./protocol.mjs').Program} Program
 * @typedef {import('./vectors.mjs').Vectors} Vectors
 *
 * @typedef {object} Question
 * @property {Vectors} vectors
 * @property {string} filter only cases whose suite/name contains this text; the empty one: all
 *
 * @typedef {{asked: number, right: number}} Tally
 * @typedef {Map<string, Tally>} Tallies by room
 *
 * @typedef {object} Agreement of one library
 * @property {string} name
 * @property {Tallies} decoded
 * @property {Tallies} kept
 * @property {Tallies} refused
 * @property {number} incidents crashes and hangs
 */

/** A library that doesn't answer within this many milliseconds of processor time, or of idleness, hangs. */
const TIMEOUT = 3000;

const MAX_PROCESSES = 2;

/** Cases of one library that are open at a time. */
const WINDOW = 16;

/**
 * Asks every library that is installed, and our implementations in default mode.
 *
 * @param {Question} question
 * @param {import('./adapters.mjs').Implementation[]} implementations
 * @param {Map<string, string>} folders where the sources of a library are, by its name
 * @returns {Promise<string>} tables in markdown, and a line for each library that is missing
 */
export async function askThirdParty(question, implementations, folders) {
  const names = PEERS.map(({ name }) => name);
  const unknown = [...folders.keys()].filter((name) => !names.includes(name));
  const missing = unknown.map((name) => `- ${name}: no such library; there are ${names.join(', ')}`);
  /** @type {Program[]} */
  const programs = implementations.map(({ name, command, cwd }) => ({ name: `polypack ${name}`, command, cwd }));
  for (const { name, install, find } of PEERS) {
    const folder = folders.get(name);
    const command = find(folder);
    if (command !== null) programs.push({ name, command });
    else
      missing.push(
        `- ${name}: not found${folder === undefined ? '' : ` in ${folder}`}; to compare with it: ${install}`,
      );
  }
  return [tables(await compare(question, programs)), ...missing].join('\n');
}

/**
 * Asks each program what it makes of the cases.
 *
 * @param {Question} question
 * @param {Program[]} programs
 * @returns {Promise<Agreement[]>}
 */
export function compare({ vectors, filter }, programs) {
  const chosen = choose(vectors, filter);
  return mapLimit(programs, MAX_PROCESSES, (program) => ask(program, chosen));
}

/**
 * The cases that say something about a library in its default settings: no options, and errors
 * that every default finds.
 *
 * @param {Vectors} vectors
 * @param {string} filter
 */
function choose({ valid, invalid }, filter) {
  const plain = (/** @type {string} */ suite) => (/** @type {import('./vectors.mjs').About} */ one) =>
    Object.keys(one.options).length === 0 && `${suite}/${one.name}`.includes(filter);
  const inDefault = invalid.filter(({ modes }) => modes.includes('default'));
  return { valid: valid.filter(plain('valid')), invalid: inDefault.filter(plain('invalid')) };
}

// --- one library -----------------------------------------------------------------------------------------------------

/**
 * @param {Program} program
 * @param {Pick<Vectors, 'valid' | 'invalid'>} vectors
 * @returns {Promise<Agreement>}
 */
async function ask(program, { valid, invalid }) {
  /** @type {Agreement} */
  const agreement = { name: program.name, decoded: new Map(), kept: new Map(), refused: new Map(), incidents: 0 };
  /**
   * @param {Adapter} adapter
   * @param {string} op
   * @param {string} bytes
   */
  const answerOf = async (adapter, op, bytes) => {
    try {
      return await adapter.ask({ op, mode: 'default', bytes });
    } catch (error) {
      if (!(error instanceof Incident)) throw error;
      agreement.incidents++;
      return null;
    }
  };
  const maxIncidents = Number.POSITIVE_INFINITY;
  const reader = new Adapter(program, { timeout: TIMEOUT, maxIncidents });
  await mapLimit(valid, WINDOW, async (one) => {
    const forms = [one.canonical, ...one.also];
    const decoded = await Promise.all(forms.map((bytes) => answerOf(reader, 'decode', bytes)));
    const kept = await Promise.all(forms.map((bytes) => answerOf(reader, 'transcode', bytes)));
    note(
      agreement.decoded,
      one.room,
      decoded.every((answer) => canonicalOrNull(answer?.value) === one.canonical),
    );
    note(
      agreement.kept,
      one.room,
      kept.every((answer) => canonicalOfBytes(answer?.bytes) === one.canonical),
    );
  });
  await reader.close();
  // Hostile bytes have processes of their own: what dies takes no other answer with it.
  const target = new Adapter(program, { timeout: TIMEOUT, maxIncidents });
  await mapLimit(invalid, WINDOW, async ({ bytes, room }) => {
    const answer = await answerOf(target, 'decode', bytes);
    note(agreement.refused, room, answer !== null && 'error' in answer);
  });
  await target.close();
  return agreement;
}

/**
 * @param {Tallies} tallies
 * @param {string} room
 * @param {boolean} isRight
 */
function note(tallies, room, isRight) {
  const { asked, right } = tallies.get(room) ?? { asked: 0, right: 0 };
  tallies.set(room, { asked: asked + 1, right: right + Number(isRight) });
}

/** @param {unknown} value */
function canonicalOrNull(value) {
  try {
    return value === undefined ? null : canonical(value);
  } catch (error) {
    if (error instanceof MalformedValue) return null;
    throw error;
  }
}

/** @param {unknown} bytes */
function canonicalOfBytes(bytes) {
  if (typeof bytes !== 'string') return null;
  const judgement = readByReference(Buffer.from(bytes, 'hex'));
  return 'value' in judgement ? canonical(judgement.value) : null;
}

// --- tables ----------------------------------------------------------------------------------------------------------

/**
 * Rooms by libraries, in per cent, as markdown.
 *
 * @param {Agreement[]} agreements
 */
export function tables(agreements) {
  const names = agreements.map(({ name }) => name);
  const rowsOf = (/** @type {'decoded' | 'kept' | 'refused'} */ what) => {
    const rooms = new Set(agreements.flatMap((agreement) => [...agreement[what].keys()]));
    return [...rooms]
      .sort()
      .map((room) => [room, ...agreements.map((agreement) => percent(agreement[what].get(room)))]);
  };
  const table = (/** @type {string} */ title, /** @type {string[][]} */ rows) =>
    `### ${title}\n\n${markdown([['room', ...names], ...rows])}\n`;
  return [
    'Per cent of cases, in the default settings of each library; kinds and numbers are compared as spec/01 does.\n',
    table('Valid bytes decoded to the right value', rowsOf('decoded')),
    table('Valid values kept by decode, then encode', rowsOf('kept')),
    table('Invalid bytes refused', [
      ...rowsOf('refused'),
      ['crashes and hangs', ...agreements.map(({ incidents }) => String(incidents))],
    ]),
  ].join('\n');
}

/** @param {Tally | undefined} tally */
function percent(tally) {
  // Rounded down: only all of them are 100.
  return tally === undefined ? '–' : String(Math.floor((100 * tally.right) / tally.asked));
}
