/**
 * The relay: every data set through every ordered pair of languages, and what the usual trips would have lost.
 *
 * Plan of the file: the result's shape · the run · one data set: baton (matrix, chain) · losses · sizes · the judge.
 *
 * Lossless mode throughout the matrix. What comes back is judged twice: by the canonical form that the decoding library
 * makes of it, and by the references of tools/vectors, which share no code with the libraries.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { read, WireError, write, writeCanonical } from './bytes.mjs';
import { loadDataset } from './datasets.mjs';
import { firstDifference } from './diff.mjs';
import { Driver, DriverError, LANGUAGE_NAMES, LANGUAGES, readResultFrames, writeFrames } from './drivers.mjs';
import { JsonError, readJson, writeJson } from './json.mjs';
import { addRefused, addTally, countLosses, emptyTally } from './losses.mjs';
import { countValues } from './tree.mjs';

/**
 * @typedef {import('./datasets.mjs').Dataset} Dataset
 * @typedef {import('./datasets.mjs').Source} Source
 * @typedef {import('./drivers.mjs').Language} Language
 * @typedef {import('./losses.mjs').Tally} Tally
 *
 * @typedef {{ identical: boolean, detail: string }} Verdict detail: '' or what differs, with its path
 * @typedef {Verdict & { encoder: Language, decoder: Language }} Cell
 * @typedef {{ language: Language, decode: number, encode: number }} Time milliseconds, medians
 * @typedef {{ language: Language, through: 'json' | 'msgpack', name: string }} Trip
 * @typedef {{ trip: string, tally: Tally }} Loss
 * @typedef {{ form: string, raw: number, gzip: number, brotli: number }} Size bytes
 * @typedef {{
 *   name: string, about: string, version: string, licence: string, file: string, values: number, messages: number,
 *   cells: Cell[], chain: Verdict, records: Verdict, times: Time[], repeats: number, losses: Loss[], sizes: Size[],
 *   brotliQuality: number,
 * }} DatasetResult
 * @typedef {{
 *   ok: boolean, languages: Record<Language, string>, chain: string, datasets: DatasetResult[], seconds: number,
 * }} RelayResult
 */

/** The whole way round, the last language being the first. */
/** @type {readonly Language[]} */
const CHAIN = ['php', 'js', 'go', 'php'];

/** @type {readonly Trip[]} what people do today, in each language's habits */
export const TRIPS = [
  { language: 'php', through: 'json', name: 'PHP json_decode(assoc), json_encode' },
  { language: 'php', through: 'msgpack', name: 'PHP arrays, default pack, unpack' },
  { language: 'js', through: 'json', name: 'JavaScript JSON.parse, stringify' },
  { language: 'js', through: 'msgpack', name: 'JavaScript default unpack, pack' },
  { language: 'go', through: 'json', name: 'Go encoding/json into any' },
  { language: 'go', through: 'msgpack', name: 'Go default Unmarshal into any, Marshal' },
];

/** Steps of one data set, for the progress bar: load, first legs, pairs, chain, records, trips, sizes. */
export const STEPS_PER_DATASET = 1 + LANGUAGES.length + LANGUAGES.length ** 2 + 1 + 1 + TRIPS.length + 1;

const LARGE_BYTES = 4_000_000; // MessagePack bytes above which the slow settings would make a run last minutes
const REPEATS = { small: 7, large: 3 }; // timed decodes and encodes
const BROTLI_QUALITY = { small: 11, large: 5 };
const GZIP_LEVEL = 6;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/**
 * Runs the relay.
 *
 * @param {object} setup
 * @param {readonly Source[]} setup.sources
 * @param {Record<Language, string[]>} setup.commands program and arguments of each driver
 * @param {string} setup.folder where the bytes that travel are kept
 * @param {(name: string) => void} setup.onDataset
 * @param {(label: string) => void} setup.onStep
 * @returns {Promise<RelayResult>}
 * @throws {import('./datasets.mjs').MissingDataset}
 * @throws {import('./drivers.mjs').DriverEnded} when a driver does not start, or ends on its way
 */
export async function runRelay({ sources, commands, folder, onDataset, onStep }) {
  const started = performance.now();
  /** @type {Record<Language, Driver>} */
  const drivers = {
    php: new Driver('php', commands.php),
    js: new Driver('js', commands.js),
    go: new Driver('go', commands.go),
  };
  try {
    const languages = { php: '', js: '', go: '' };
    for (const language of LANGUAGES) {
      languages[language] = (await drivers[language].request({ op: 'hello' })).language ?? '';
    }
    const datasets = [];
    for (const source of sources) {
      onDataset(source.name);
      const dataset = loadDataset(source);
      onStep('read');
      datasets.push(await new Leg(dataset, drivers, join(folder, source.name), onStep).run());
    }
    const ok = datasets.every(({ cells, chain, records }) => [...cells, chain, records].every((v) => v.identical));
    const chain = CHAIN.map((language) => LANGUAGE_NAMES[language]).join(' → ');
    return { ok, languages, chain, datasets, seconds: (performance.now() - started) / 1000 };
  } finally {
    for (const driver of Object.values(drivers)) driver.close();
  }
}

/**
 * One data set on its way. Its files lie in a folder of its own: `reference.msgpack`, `php.msgpack`, `php-go.msgpack` …
 */
class Leg {
  /**
   * @param {Dataset} dataset
   * @param {Record<Language, Driver>} drivers
   * @param {string} folder
   * @param {(label: string) => void} onStep
   */
  constructor(dataset, drivers, folder, onStep) {
    mkdirSync(folder, { recursive: true });
    this.dataset = dataset;
    this.drivers = drivers;
    this.folder = folder;
    this.onStep = onStep;
    this.reference = write(dataset.tree);
    this.large = this.reference.length > LARGE_BYTES;
    this.judge = new Judge(dataset, this.reference.length);
    writeFileSync(this.file('reference'), this.reference);
  }

  /**
   * @param {string} name
   * @param {string} [ending]
   */
  file(name, ending = 'msgpack') {
    return join(this.folder, `${name}.${ending}`);
  }

  /** @returns {Promise<DatasetResult>} */
  async run() {
    const { name, about, version, licence, file, rows, tree } = this.dataset;
    const { times, encoded } = await this.encodeEverywhere();
    const cells = await this.pairs(encoded);
    const chain = await this.chain();
    const { bytes: recordBytes, verdict: records } = await this.records();
    // Nothing is timed any more: the trips run in the drivers while this process compresses.
    const [losses, { sizes, brotliQuality }] = await Promise.all([this.losses(), this.sizes(recordBytes)]);
    return {
      name,
      about,
      version,
      licence,
      file,
      values: countValues(tree),
      messages: rows?.length ?? 1,
      cells,
      chain,
      records,
      times,
      repeats: this.large ? REPEATS.large : REPEATS.small,
      losses,
      sizes,
      brotliQuality,
    };
  }

  // --- matrix and chain ---

  /** Lets every language decode the reference and encode it, one after the other because their times are kept. */
  async encodeEverywhere() {
    /** @type {Time[]} */
    const times = [];
    /** @type {Record<Language, Verdict>} */
    const encoded = { php: unseen(), js: unseen(), go: unseen() };
    for (const language of LANGUAGES) {
      encoded[language] = await this.attempt(`as ${LANGUAGE_NAMES[language]} encoded it`, async () => {
        const { decode, encode } = await this.relay(
          language,
          'reference',
          language,
          this.large ? REPEATS.large : REPEATS.small,
        );
        times.push({ language, decode: median(decode), encode: median(encode) });
        return this.judge.bytes(readFileSync(this.file(language)));
      });
      this.onStep(`${LANGUAGE_NAMES[language]} encodes`);
    }
    return { times, encoded };
  }

  /**
   * Lets every language decode what every language encoded. The decoders work side by side.
   *
   * @param {Record<Language, Verdict>} encoded
   * @returns {Promise<Cell[]>} in the order of LANGUAGES, encoders first
   */
  async pairs(encoded) {
    const columns = await Promise.all(
      LANGUAGES.map(async (decoder) => {
        /** @type {Cell[]} */
        const cells = [];
        for (const encoder of LANGUAGES) {
          const verdict = encoded[encoder].identical ? await this.pair(encoder, decoder) : encoded[encoder];
          cells.push({ encoder, decoder, ...verdict });
          this.onStep(`${LANGUAGE_NAMES[encoder]} → ${LANGUAGE_NAMES[decoder]}`);
        }
        return cells;
      }),
    );
    return LANGUAGES.flatMap((encoder) =>
      columns.flatMap((column) => column.filter((cell) => cell.encoder === encoder)),
    );
  }

  /**
   * @param {Language} encoder
   * @param {Language} decoder
   * @returns {Promise<Verdict>}
   */
  pair(encoder, decoder) {
    return this.attempt(`as ${LANGUAGE_NAMES[decoder]} decoded it`, async () => {
      const name = `${encoder}-${decoder}`;
      await this.relay(decoder, encoder, name, 1);
      return this.arrived(decoder, name);
    });
  }

  /** @returns {Promise<Verdict>} */
  async chain() {
    const verdict = await this.attempt('after the chain', async () => {
      let at = 'reference';
      for (const [index, language] of CHAIN.entries()) {
        const next = `chain-${index}-${language}`;
        await this.relay(language, at, next, 1);
        at = next;
      }
      return this.arrived(/** @type {Language} */ (CHAIN.at(-1)), at);
    });
    this.onStep('chain');
    return verdict;
  }

  /**
   * @param {Language} language
   * @param {string} from name of the file
   * @param {string} to name of the file
   * @param {number} repeat
   */
  async relay(language, from, to, repeat) {
    const request = { op: /** @type {const} */ ('relay'), in: this.file(from), out: this.file(to), repeat };
    const { decode = [], encode = [] } = await this.drivers[language].request(request);
    if (decode.length !== repeat || encode.length !== repeat) {
      throw new DriverError({ code: null, path: null, message: `did not repeat ${repeat} times` });
    }
    return { decode, encode };
  }

  /**
   * Judges what a language decoded and encoded again: by its own canonical form and by the reference.
   *
   * @param {Language} language
   * @param {string} name of the file
   * @returns {Promise<Verdict>}
   */
  async arrived(language, name) {
    const verdict = this.judge.bytes(readFileSync(this.file(name)));
    if (!verdict.identical) return verdict;
    const canonical = `${name}.canonical`;
    await this.drivers[language].request({ op: 'canonical', in: this.file(name), out: this.file(canonical) });
    return this.judge.canonical(readFileSync(this.file(canonical)));
  }

  /**
   * Turns a driver's failure into a verdict; every other error is a fault of the demo and ends it.
   *
   * @param {string} where
   * @param {() => Promise<Verdict>} work
   * @returns {Promise<Verdict>}
   */
  async attempt(where, work) {
    try {
      const verdict = await work();
      return verdict.identical ? verdict : { identical: false, detail: `${verdict.detail} (${where})` };
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      return { identical: false, detail: `refused ${where}: ${error.message}` };
    }
  }

  // --- records ---

  /** @returns {Promise<{ bytes: Buffer, verdict: Verdict }>} */
  async records() {
    const file = this.file('records');
    let bytes = Buffer.alloc(0);
    const verdict = await this.attempt('with records, as JavaScript encoded it', async () => {
      await this.drivers.js.request({ op: 'records', in: this.file('reference'), out: file });
      bytes = readFileSync(file);
      return this.judge.records(bytes);
    });
    this.onStep('records');
    return { bytes, verdict };
  }

  // --- losses ---

  /** @returns {Promise<Loss[]>} in the order of TRIPS */
  async losses() {
    const { rows, text, tree } = this.dataset;
    const messages = rows ?? [tree];
    writeFileSync(this.file('messages', 'frames'), writeFrames(rows === null ? [this.reference] : rows.map(write)));
    if (text !== null) writeFileSync(this.file('json', 'frames'), writeFrames([Buffer.from(text)]));
    return Promise.all(TRIPS.map((trip) => this.loss(trip, messages, rows !== null)));
  }

  /**
   * @param {Trip} trip
   * @param {readonly import('./tree.mjs').Tree[]} messages
   * @param {boolean} numbered whether the index of the message is part of paths
   * @returns {Promise<Loss>}
   */
  async loss({ language, through, name }, messages, numbered) {
    // PHP's MessagePack trip starts at json_decode, as PHP programs do: that is where {} is lost.
    const fromJson = this.dataset.text !== null && (through === 'json' || language === 'php');
    const out = this.file(`trip-${language}-${through}`, 'frames');
    await this.drivers[language].request({
      op: 'trip',
      from: fromJson ? 'json' : 'msgpack',
      through,
      in: fromJson ? this.file('json', 'frames') : this.file('messages', 'frames'),
      out,
    });
    const results = readResultFrames(readFileSync(out));
    if (results.length !== messages.length)
      throw new Error(`${name}: ${results.length} answers to ${messages.length} messages`);
    const tally = emptyTally();
    for (const [index, result] of results.entries()) {
      if (result.refused) {
        addRefused(tally, result.message);
        continue;
      }
      const after = readTrip(result.bytes, through);
      if (after.refused) addRefused(tally, after.message);
      else addTally(tally, countLosses(messages[index], after.value, numbered ? `/${index}` : ''));
    }
    this.onStep(name);
    return { trip: name, tally };
  }

  // --- sizes ---

  /** @param {Buffer} recordBytes */
  async sizes(recordBytes) {
    const brotliQuality = this.large ? BROTLI_QUALITY.large : BROTLI_QUALITY.small;
    /** @type {[string, Uint8Array][]} */
    const forms = [
      ['MessagePack', this.reference],
      ['with records inline', recordBytes],
    ];
    if (this.dataset.text !== null) forms.unshift(['JSON, minified', Buffer.from(writeJson(this.dataset.tree))]);
    const sizes = await Promise.all(
      forms.map(async ([form, bytes]) => {
        const [gzipped, brotlied] = await Promise.all([
          gzipAsync(bytes, { level: GZIP_LEVEL }),
          brotliAsync(bytes, {
            params: { [zlib.BROTLI_PARAM_QUALITY]: brotliQuality, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
          }),
        ]);
        return { form, raw: bytes.length, gzip: gzipped.length, brotli: brotlied.length };
      }),
    );
    this.onStep('sizes');
    return { sizes, brotliQuality };
  }
}

// --- the judge -------------------------------------------------------------------------------------------------------

/** Compares bytes with the reference of one data set. Equal bytes get the verdict they got before. */
class Judge {
  /**
   * @param {Dataset} dataset
   * @param {number} length of the reference: every order of entries has the same length under shortest heads
   */
  constructor(dataset, length) {
    this.tree = dataset.tree;
    this.length = length;
    this.expected = writeCanonical(dataset.tree);
    /** @type {Map<string, Verdict>} */
    this.known = new Map();
  }

  /**
   * Judges lossless bytes.
   *
   * @param {Buffer} bytes
   * @returns {Verdict}
   */
  bytes(bytes) {
    const key = createHash('sha256').update(bytes).digest('hex');
    let verdict = this.known.get(key);
    if (verdict === undefined) {
      verdict = this.#judge(bytes, false);
      if (verdict.identical && bytes.length !== this.length) {
        verdict = {
          identical: false,
          detail: `the value is the same, but it takes ${bytes.length} bytes where shortest heads take ${this.length}`,
        };
      }
      this.known.set(key, verdict);
    }
    return verdict;
  }

  /**
   * Judges bytes with records inline.
   *
   * @param {Buffer} bytes
   * @returns {Verdict}
   */
  records(bytes) {
    return this.#judge(bytes, true);
  }

  /**
   * Judges a canonical form that a library made.
   *
   * @param {Buffer} bytes
   * @returns {Verdict}
   */
  canonical(bytes) {
    if (bytes.equals(this.expected)) return { identical: true, detail: '' };
    const verdict = this.#judge(bytes, false);
    if (!verdict.identical) return verdict;
    const departure = bytes.findIndex((byte, offset) => byte !== this.expected[offset]);
    return { identical: false, detail: `the value is the same, but its canonical form departs at byte ${departure}` };
  }

  /**
   * @param {Buffer} bytes
   * @param {boolean} records
   * @returns {Verdict}
   */
  #judge(bytes, records) {
    try {
      const value = read(bytes, { records });
      const difference = firstDifference(this.tree, value);
      if (difference === null) return { identical: true, detail: '' };
      const { path, expected, actual } = difference;
      return { identical: false, detail: `at path "${path}": expected ${expected}, got ${actual}` };
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return { identical: false, detail: `not valid MessagePack: ${error.message}` };
    }
  }
}

/** @returns {Verdict} */
function unseen() {
  return { identical: false, detail: 'not tried' };
}

/**
 * Reads what a trip made. A text that the exact reader refuses counts as a message the trip could not carry.
 *
 * @param {Uint8Array} bytes
 * @param {'json' | 'msgpack'} through
 * @returns {{ refused: false, value: import('./tree.mjs').Tree } | { refused: true, message: string }}
 */
function readTrip(bytes, through) {
  try {
    const value =
      through === 'msgpack' ? read(bytes) : readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { refused: false, value };
  } catch (error) {
    if (!(error instanceof WireError || error instanceof JsonError || error instanceof TypeError)) throw error;
    return { refused: true, message: `what it wrote cannot be read: ${error.message}` };
  }
}

/** @param {readonly number[]} numbers at least one */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = /** @type {number} */ (sorted[middle]);
  return sorted.length % 2 === 1 ? upper : (upper + /** @type {number} */ (sorted[middle - 1])) / 2;
}
