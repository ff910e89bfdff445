// Tells a process that hangs from one that only waits for a processor, so that a busy machine fails nobody.

import { readdirSync, readFileSync } from 'node:fs';

/** Of the clock that /proc counts in. */
const MILLISECONDS_PER_TICK = 10;

/**
 * The processor time that a process has had, in milliseconds; null where the system doesn't tell.
 *
 * @param {number | undefined} pid
 */
export function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MILLISECONDS_PER_TICK;
  } catch {
    return null;
  }
}

/**
 * Whether a thread of a process could go on, or waits for a disk: it isn't idle, a busy machine keeps it waiting.
 *
 * @param {number | undefined} pid
 */
function isHeldUp(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) =>
      /^.*\) [RD] /s.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
    );
  } catch {
    return false; // it has ended, or the system doesn't tell
  }
}

/** Watches a process that should show progress soon. */
export class Watch {
  #pid;
  #milliseconds;
  #onHang;
  /** @type {NodeJS.Timeout} */ #timer;
  /** At the first look after progress, and at the last look. @type {{first: number, last: number} | null} */
  #had = null;

  /**
   * @param {number | undefined} pid
   * @param {number} milliseconds of processor time that it may use without progress; and it may be idle as long
   * @param {() => void} onHang
   */
  constructor(pid, milliseconds, onHang) {
    this.#pid = pid;
    this.#milliseconds = milliseconds;
    this.#onHang = onHang;
    this.#timer = setTimeout(() => this.#look(), milliseconds);
    this.#timer.unref();
  }

  /** The process has shown progress. */
  restart() {
    this.#had = null;
    this.#timer.refresh();
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #look() {
    const now = processorTime(this.#pid);
    const had = this.#had;
    // Nobody hangs at the first look: what it wrote may wait to be read, by a process that was busy itself.
    if (had === null) this.#had = { first: now ?? 0, last: now ?? 0 };
    else if (now === null || now - had.first >= this.#milliseconds) return this.#onHang();
    else if (now === had.last && !isHeldUp(this.#pid)) return this.#onHang();
    else had.last = now;
    this.#timer.refresh();
  }
}
