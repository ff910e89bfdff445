// The line protocol (README.md): one adapter process, asked with requests in flight, judged when it misbehaves.
//
// Plan of the file: types · Incident · Adapter: ask and close · sending · answers · incidents.
//
// Requests are pipelined: up to `window` of them, or `windowBytes`, are unanswered at a time, and writing stops while
// the pipe is full. Answers come in order, but an adapter may buffer them, so when it crashes, hangs or answers
// nonsense the oldest unanswered request is only a suspect. All suspects are then asked again, one at a time, in new
// processes: the request that fails alone is to blame, the others get their answers.

import { spawn } from 'node:child_process';
import { Watch } from './watch.mjs';

/**
 * @typedef {object} Program how an adapter is started
 * @property {string} name
 * @property {string[]} command program and arguments
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] added to the environment
 *
 * @typedef {Record<string, unknown>} Request without its id
 * @typedef {Record<string, unknown>} Answer without its id
 *
 * @typedef {object} Limits
 * @property {number} timeout milliseconds of processor time, or of idleness, until the oldest request must be answered
 * @property {number} window requests in flight
 * @property {number} windowBytes bytes of requests in flight
 * @property {number} maxLine bytes of one answer
 * @property {number} exitTimeout the same until it must end by itself after its input ended
 * @property {number} maxIncidents after so many, every request fails at once
 *
 * @typedef {object} Call
 * @property {number} id
 * @property {string} line
 * @property {string} label what the request belongs to, for reports
 * @property {boolean} suspect asked again after an incident, alone
 * @property {(answer: Answer) => void} resolve
 * @property {(error: Incident) => void} reject
 */

/** @type {Limits} */
const LIMITS = {
  timeout: 10_000,
  window: 64,
  windowBytes: 4 << 20,
  maxLine: 256 << 20,
  exitTimeout: 5000,
  maxIncidents: 20,
};

/** Characters of lines that one write gathers. */
const MAX_UNSENT = 1 << 16;

/** JSON nested deeper is no answer. The vectors need 1,540 levels, and the judge's stack suffices for twice as many. */
const MAX_NESTING = 2000;

/** Bytes of standard error kept to explain a crash. */
const MAX_STDERR = 4096;

/** An adapter crashed, hung or broke the protocol. */
export class Incident extends Error {}

/** One implementation's adapter. The process starts with the first request and is replaced after an incident. */
export class Adapter {
  /** @type {Program} */ #program;
  /** @type {Limits} */ #limits;
  /** @type {import('node:child_process').ChildProcessWithoutNullStreams | null} */ #process = null;
  /** @type {Call[]} */ #waiting = [];
  /** @type {Call[]} */ #suspects = [];
  /** @type {Call[]} */ #flight = [];
  #flightBytes = 0;
  #nextId = 1;
  #pipeIsFull = false;
  /** Lines that the next write sends. */
  #unsent = '';
  /** @type {Buffer[]} */ #partial = [];
  #partialLength = 0;
  #stderr = '';
  /** @type {Watch | null} */ #watch = null;
  /** @type {string | null} */ #unexplained = null;
  /** @type {string[]} */ #unexplainedLabels = [];
  #incidentCount = 0;
  /** @type {string | null} */ #broken = null;
  /** @type {(() => void) | null} */ #onExit = null;

  /**
   * Incidents that no single request explains: noise between answers, a crash that does not repeat, a bad end.
   *
   * @type {string[]}
   */
  incidents = [];

  /**
   * @param {Program} program
   * @param {Partial<Limits>} [limits]
   */
  constructor(program, limits = {}) {
    this.#program = program;
    this.#limits = { ...LIMITS, ...limits };
  }

  get name() {
    return this.#program.name;
  }

  /**
   * Asks one question. The promise resolves with the answer as sent, or rejects with the Incident the question caused.
   *
   * @param {Request} request
   * @param {string} [label] names the case in incidents
   * @returns {Promise<Answer>}
   */
  ask(request, label = String(request.op)) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (this.#broken !== null) return reject(new Incident(this.#broken));
      const line = `${JSON.stringify({ id, ...request })}\n`;
      this.#waiting.push({ id, line, label, suspect: false, resolve, reject });
      this.#pump();
    });
  }

  /** Ends the adapter's input and waits until it exits. Requests that are still open fail. */
  async close() {
    const closed = 'the judge has closed the adapter';
    if (this.#flight.length + this.#suspects.length + this.#waiting.length > 0) this.#fail(closed);
    this.#broken = closed;
    const child = this.#process;
    if (child === null) return;
    const exited = new Promise((resolve) => {
      this.#onExit = () => resolve(true);
    });
    child.stdin.end();
    const watch = new Watch(child.pid, this.#limits.exitTimeout, () => {
      this.#abandonProcess();
      this.incidents.push(`did not exit within ${this.#limits.exitTimeout / 1000} s after its input ended`);
      this.#onExit?.();
    });
    await exited;
    watch.stop();
  }

  // --- sending -------------------------------------------------------------------------------------------------------

  #pump() {
    while (this.#broken === null && !this.#pipeIsFull) {
      const next = this.#suspects[0] ?? this.#waiting[0];
      if (next === undefined || !this.#hasRoomFor(next)) return;
      if (this.#process === null) this.#start();
      (next.suspect ? this.#suspects : this.#waiting).shift();
      this.#send(next);
    }
  }

  /** @param {Call} call */
  #hasRoomFor(call) {
    const [oldest] = this.#flight;
    if (oldest === undefined) return true;
    if (oldest.suspect || call.suspect) return false;
    return (
      this.#flight.length < this.#limits.window && this.#flightBytes + call.line.length <= this.#limits.windowBytes
    );
  }

  /** @param {Call} call */
  #send(call) {
    this.#flight.push(call);
    this.#flightBytes += call.line.length;
    if (this.#flight.length === 1) this.#restartWatch();
    const stdin = this.#process?.stdin;
    if (stdin === undefined) return;
    // What is sent in a turn reaches the pipe in one call of the system. Large lines are written as they are.
    this.#unsent += call.line;
    if (this.#unsent.length >= MAX_UNSENT) this.#write();
    else if (this.#unsent.length === call.line.length) process.nextTick(() => this.#write());
  }

  #write() {
    if (this.#unsent === '') return;
    const lines = this.#unsent;
    this.#unsent = '';
    if (this.#process?.stdin.write(lines) === false) this.#pipeIsFull = true;
  }

  #restartWatch() {
    this.#watch ??= new Watch(this.#process?.pid, this.#limits.timeout, () => this.#handleHang());
    this.#watch.restart();
  }

  #handleHang() {
    if (this.#flight.length > 0) this.#handleIncident(`no answer within ${this.#limits.timeout / 1000} s`);
  }

  #start() {
    const [file = '', ...args] = this.#program.command;
    const child = spawn(file, args, {
      cwd: this.#program.cwd,
      env: { ...process.env, ...this.#program.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#process = child;
    this.#partial = [];
    this.#partialLength = 0;
    this.#stderr = '';
    // A replaced process may still have events on their way; they no longer count.
    const current =
      (/** @type {(...args: any[]) => void} */ handle) =>
      (/** @type {any[]} */ ...args) => {
        if (this.#process === child) handle(...args);
      };
    child.stdin.on('error', () => {}); // a broken pipe shows as the exit of the process
    child.stdin.on(
      'drain',
      current(() => this.#handleDrain()),
    );
    child.stdout.on(
      'data',
      current((chunk) => this.#handleOutput(chunk)),
    );
    child.stderr.on(
      'data',
      current((chunk) => {
        this.#stderr = (this.#stderr + chunk).slice(-MAX_STDERR);
      }),
    );
    child.on(
      'error',
      current((error) => this.#fail(`cannot start ${this.#program.command.join(' ')}: ${error.message}`)),
    );
    child.on(
      'close',
      current((code, signal) => this.#handleExit(code, signal)),
    );
  }

  #handleDrain() {
    this.#pipeIsFull = false;
    this.#pump();
  }

  // --- answers -------------------------------------------------------------------------------------------------------

  /** @param {Buffer} chunk */
  #handleOutput(chunk) {
    const child = this.#process;
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const rest = chunk.subarray(start, end);
      const line = (this.#partialLength === 0 ? rest : Buffer.concat([...this.#partial, rest])).toString('utf8');
      this.#partial = [];
      this.#partialLength = 0;
      start = end + 1;
      this.#handleLine(line);
      if (this.#process !== child) return;
    }
    this.#partial.push(chunk.subarray(start));
    this.#partialLength += chunk.length - start;
    if (this.#partialLength > this.#limits.maxLine)
      this.#handleIncident(`an answer longer than ${this.#limits.maxLine} bytes`);
  }

  /** @param {string} line */
  #handleLine(line) {
    const [call] = this.#flight;
    const answer = parseAnswer(line);
    if (call === undefined) return this.#handleIncident(`a line that answers no request: ${quote(line)}`);
    if (answer === null) return this.#handleIncident(`an answer that is no JSON object: ${quote(line)}`);
    if (line.length > 2 * MAX_NESTING && isTooDeep(answer)) {
      return this.#handleIncident(`an answer nested deeper than ${MAX_NESTING} levels: ${quote(line)}`);
    }
    const { id, ...rest } = answer;
    if (id !== call.id) return this.#handleIncident(`an answer out of order: ${quote(line)} to request ${call.id}`);
    this.#flight.shift();
    this.#flightBytes -= call.line.length;
    this.#restartWatch();
    call.resolve(rest);
    if (call.suspect && this.#suspects.length === 0) this.#reportUnexplained();
    this.#pump();
  }

  // --- incidents -----------------------------------------------------------------------------------------------------

  /**
   * @param {number | null} code
   * @param {string | null} signal
   */
  #handleExit(code, signal) {
    if (this.#onExit !== null) {
      this.#abandonProcess();
      if (code !== 0) this.incidents.push(`${exitText(code, signal)} after its input ended${this.#stderrText()}`);
      this.#onExit();
    } else {
      this.#handleIncident(exitText(code, signal));
    }
  }

  /**
   * Replaces the process and blames the request in flight, or asks the suspects again when there are several.
   *
   * @param {string} what
   */
  #handleIncident(what) {
    const text = what + this.#stderrText();
    const flight = this.#abandonProcess();
    this.#incidentCount++;
    const [only, ...more] = flight;
    if (only === undefined) {
      this.incidents.push(text);
    } else if (more.length === 0) {
      this.#unexplained = null;
      only.reject(new Incident(text));
    } else {
      this.#unexplained = text;
      this.#unexplainedLabels = flight.map((call) => call.label);
      for (const call of flight) call.suspect = true;
      this.#suspects = [...flight, ...this.#suspects];
    }
    if (this.#incidentCount >= this.#limits.maxIncidents) {
      this.#fail(`given up after ${this.#incidentCount} crashes, hangs or broken answers; the last: ${text}`);
    } else {
      if (this.#suspects.length === 0) this.#reportUnexplained();
      this.#pump();
    }
  }

  #reportUnexplained() {
    if (this.#unexplained === null) return;
    const labels = this.#unexplainedLabels;
    const names = labels.slice(0, 5).join(', ') + (labels.length > 5 ? `, … (${labels.length})` : '');
    this.incidents.push(`${this.#unexplained}; not repeated when asked one at a time: ${names}`);
    this.#unexplained = null;
  }

  /**
   * Fails every open request and all later ones.
   *
   * @param {string} why
   */
  #fail(why) {
    this.#broken = why;
    const calls = [...this.#abandonProcess(), ...this.#suspects, ...this.#waiting];
    this.#suspects = [];
    this.#waiting = [];
    for (const call of calls) call.reject(new Incident(why));
  }

  /** Kills and forgets the process; returns what it had in flight. */
  #abandonProcess() {
    const flight = this.#flight;
    this.#process?.kill('SIGKILL');
    this.#process = null;
    this.#watch?.stop();
    this.#watch = null;
    this.#flight = [];
    this.#flightBytes = 0;
    this.#unsent = '';
    this.#pipeIsFull = false;
    return flight;
  }

  #stderrText() {
    const lines = this.#stderr.trim().split('\n');
    const text = lines.length > 6 ? [...lines.slice(0, 3), '…', ...lines.slice(-2)].join('\n') : lines.join('\n');
    return text === '' ? '' : `; its standard error: ${text}`;
  }
}

/**
 * @param {string} line
 * @returns {Record<string, unknown> | null}
 */
function parseAnswer(line) {
  try {
    const answer = JSON.parse(line);
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : null;
  } catch {
    return null;
  }
}

/** @param {unknown} answer */
function isTooDeep(answer) {
  let level = [answer];
  for (let depth = 0; depth < MAX_NESTING && level.length > 0; depth++) {
    level = level.flatMap((value) => Object.values(Object(value)).filter((child) => typeof child === 'object'));
  }
  return level.length > 0;
}

/** @param {string} line */
function quote(line) {
  return JSON.stringify(line.length > 100 ? `${line.slice(0, 100)}…` : line);
}

/**
 * @param {number | null} code
 * @param {string | null} signal
 */
function exitText(code, signal) {
  return signal === null ? `exited with status ${code}` : `died of ${signal}`;
}
