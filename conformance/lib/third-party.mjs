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
 * @property {number} perRoom at most so many cases of a room, spread evenly over it
 * @property {number} time milliseconds for all libraries together; each has an equal share, and what it has no time for
 *   is left out of its column
 *
 * @typedef {{asked: number, right: number, missed: number}} Tally missed: no time was left to ask
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
export function compare({ vectors, filter, perRoom, time }, programs) {
  const chosen = choose(vectors, filter, perRoom);
  const share = (time * MAX_PROCESSES) / programs.length;
  return mapLimit(programs, MAX_PROCESSES, (program) => ask(program, chosen, Date.now() + share));
}

/**
 * The cases that say something about a library in its default settings: no options, and errors
 * that every default finds.
 *
 * @param {Vectors} vectors
 * @param {string} filter
 * @param {number} perRoom
 */
function choose({ valid, invalid }, filter, perRoom) {
  const plain = (/** @type {string} */ suite) => (/** @type {import('./vectors.mjs').About} */ one) =>
    Object.keys(one.options).length === 0 && `${suite}/${one.name}`.includes(filter);
  const inDefault = invalid.filter(({ modes }) => modes.includes('default'));
  return {
    valid: spread(valid.filter(plain('valid')), perRoom),
    invalid: spread(inDefault.filter(plain('invalid')), perRoom),
  };
}

/**
 * At most so many cases of each room, the same ones in every run.
 *
 * @template {import('./vectors.mjs').About} T
 * @param {T[]} cases
 * @param {number} perRoom
 * @returns {T[]}
 */
function spread(cases, perRoom) {
  return [...new Set(cases.map(({ room }) => room))].flatMap((name) => {
    const inside = cases.filter(({ room }) => room === name);
    const step = Math.max(1, inside.length / perRoom);
    return inside.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  });
}

// --- one library -----------------------------------------------------------------------------------------------------

/**
 * @param {Program} program
 * @param {Pick<Vectors, 'valid' | 'invalid'>} vectors
 * @param {number} end milliseconds of the clock; later nothing is asked
 * @returns {Promise<Agreement>}
 */
async function ask(program, { valid, invalid }, end) {
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
    if (Date.now() > end) {
      note(agreement.decoded, one.room, null);
      note(agreement.kept, one.room, null);
      return;
    }
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
    if (Date.now() > end) return note(agreement.refused, room, null);
    const answer = await answerOf(target, 'decode', bytes);
    note(agreement.refused, room, answer !== null && 'error' in answer);
  });
  await target.close();
  return agreement;
}

/**
 * @param {Tallies} tallies
 * @param {string} room
 * @param {boolean | null} isRight null: not asked
 */
function note(tallies, room, isRight) {
  const { asked, right, missed } = tallies.get(room) ?? { asked: 0, right: 0, missed: 0 };
  const wasAsked = isRight !== null;
  tallies.set(room, {
    asked: asked + Number(wasAsked),
    right: right + Number(isRight),
    missed: missed + Number(!wasAsked),
  });
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
    'Per cent of cases, in the default settings of each library; kinds and numbers are compared as spec/01 does.',
    '– means that the time was over.\n',
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
  const isKnown = tally !== undefined && tally.missed === 0;
  return isKnown ? String(Math.floor((100 * tally.right) / tally.asked)) : '–';
}
