// Shared structures in a file: polypack/stores/file.
//
// Plan: FileStore: load, replace · the lock · locks of dead holders · who is alive · files.
//
// Readers need no lock, because writers replace the file by renaming a complete new one. Writers take turns with the
// file `PATH.lock`, which names its holder. If the holder has crashed, another writer, the rescuer, removes the lock. A
// holder that this process can't look for counts as crashed after `staleAfter`. The following rules protect the locks
// of all other holders:
//
// - A lock appears with its content, because the writer links a complete file to `PATH.lock`.
// - To remove the lock of a dead holder with the token TOKEN, a rescuer first links `PATH.lock.TOKEN.0`. Only one
//   writer can do that. If the rescuer is also dead, the next one links `PATH.lock.TOKEN.1`, and so on. The rescuer
//   removes the lock only if the lock still has the token TOKEN. Then the rescuer removes all these links.
// - Other files that crashed writers have left are removed only by the holder of the lock. While a live writer holds
//   the lock, no rescuer needs its links any more.
//
// A risk remains between machines, because no file system compares and removes a file in one step. A process that is
// stopped for longer than `staleAfter` between its last check and the next step counts as dead on other machines. When
// it continues, it may remove the lock of a living holder, or replace a newer file. Then two writers can be at work,
// and what one of them has added may be lost.

import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Bytes } from '../index.ts';
import { isSameBytes, refuseOthers, type StructureStore } from './store.ts';

/** Options of FileStore. */
export interface FileStoreOptions {
  /** Milliseconds to wait for other writers before `replace` fails. Default 10 000. */
  readonly lockTimeout?: number;
  /**
   * Milliseconds after which a lock counts as left by a dead holder. Applies to holders on another machine, in another
   * container or before a reboot, where this process can't look for them. A holder that needs more than half of this
   * time gives up. Default 60 000.
   */
  readonly staleAfter?: number;
}

/** A process that holds the lock, waits for it, or removes the lock of a dead holder. */
interface Owner {
  readonly token: string;
  readonly pid: number;
  /** When the process started, in clock ticks since the machine's boot; '' if unknown. */
  readonly start: string;
  readonly host: string;
  /** An id that differs after each boot of the machine; '' if unknown. */
  readonly boot: string;
  /** The id of the pid namespace; '' if unknown. */
  readonly space: string;
}

const SHORTEST_PAUSE = 2;
const LONGEST_PAUSE = 40;
const TOKEN = /^[\da-f-]+$/;
/** What follows `PATH.lock.` in the names of files that writers create. */
const SUFFIX = /^[\da-f-]+(\.\d+|\.now)?$/;

/**
 * Keeps structures in a file, for processes on one machine or on a shared file system with hard links. Machines that
 * don't run Linux must have different host names.
 */
export class FileStore implements StructureStore {
  readonly #path: string;
  readonly #lockPath: string;
  readonly #lockTimeout: number;
  readonly #staleAfter: number;

  /**
   * @param file where the structures are kept. Its directory must exist. `file.lock`, `file.lock.*` and `file.new`
   *   appear next to it for short times.
   * @throws TypeError, RangeError
   */
  constructor(file: string, options: FileStoreOptions = {}) {
    if (typeof file !== 'string' || file === '') throw new TypeError('the path must be a string that is not empty');
    const { lockTimeout = 10_000, staleAfter = 60_000, ...others } = options;
    refuseOthers(others);
    this.#path = path.resolve(file);
    this.#lockPath = `${this.#path}.lock`;
    this.#lockTimeout = milliseconds('lockTimeout', lockTimeout);
    this.#staleAfter = milliseconds('staleAfter', staleAfter);
  }

  async load(): Promise<Bytes | null> {
    const bytes = await unlessMissing(fs.readFile(this.#path));
    return bytes === null ? null : new Uint8Array(bytes);
  }

  async replace(expected: Uint8Array | null, next: Uint8Array): Promise<boolean> {
    const token = await this.#lock();
    const locked = performance.now();
    try {
      await this.#sweep();
      if (!isSameBytes(await this.load(), expected)) return false;
      await this.#write(next, () => performance.now() - locked < this.#staleAfter / 2);
      return true;
    } finally {
      await this.#unlock(token);
    }
  }

  /** Replaces the file. Except on Windows, the new content then survives a power failure. */
  async #write(bytes: Uint8Array, holdsLock: () => boolean): Promise<void> {
    const fresh = `${this.#path}.new`;
    const before = await unlessMissing(fs.stat(this.#path));
    // A crash may have left `PATH.new`. Don't write to an existing file, because it may be a link to another file.
    await unlessMissing(fs.unlink(fresh));
    const file = await fs.open(fresh, 'wx', before?.mode);
    try {
      // The umask may have taken permissions away. Some file systems refuse, because they have none.
      if (before !== null) await file.chmod(before.mode & 0o777).catch(() => undefined);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!holdsLock()) throw new Error(`this process was stopped while it had the lock ${this.#lockPath}`);
    await fs.rename(fresh, this.#path);
    await syncDirectory(path.dirname(this.#path));
  }

  // --- the lock ------------------------------------------------------------------------------------------------------

  /** Waits for the lock and takes it. Returns its token. */
  async #lock(): Promise<string> {
    const owner = await self();
    const own = `${this.#lockPath}.${owner.token}`;
    const deadline = performance.now() + this.#lockTimeout;
    const content = JSON.stringify(owner);
    try {
      await fs.writeFile(own, content, { flag: 'wx' });
      for (
        let pause = SHORTEST_PAUSE;
        !(await linked(own, this.#lockPath));
        pause = Math.min(2 * pause, LONGEST_PAUSE)
      ) {
        if (await this.#rescue(own)) continue;
        if (performance.now() > deadline) throw await this.#timeout();
        await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
        await fs.writeFile(own, content, { flag: 'r+' }); // renews the file's time; the lock's age counts from it
      }
      return owner.token;
    } finally {
      // Don't fail, because this process may hold the lock now. After it has ended, a writer removes the file.
      await fs.unlink(own).catch(() => undefined);
    }
  }

  async #unlock(token: string): Promise<void> {
    // If this process was suspended for long, another process may hold the lock now.
    if ((await readOwner(this.#lockPath))?.token === token) await unlessMissing(fs.unlink(this.#lockPath));
  }

  async #timeout(): Promise<Error> {
    const holder = await readOwner(this.#lockPath);
    const who = holder === null ? 'somebody' : `process ${holder.pid} of ${holder.host}`;
    return new Error(`${who} has held ${this.#lockPath} for ${this.#lockTimeout} ms; if it is gone, delete the file`);
  }

  // --- locks of dead holders -----------------------------------------------------------------------------------------

  /** Removes the lock if its holder is dead. Returns whether the lock may be free now. */
  async #rescue(own: string): Promise<boolean> {
    const holder = await readOwner(this.#lockPath);
    if (holder === null) return true;
    if (!(await this.#isDead(holder, this.#lockPath, own))) return false;
    const claims: string[] = [];
    for (;;) {
      const claim = `${this.#lockPath}.${holder.token}.${claims.length}`;
      claims.push(claim);
      if (await linked(own, claim)) break;
      const rescuer = await readOwner(claim);
      // The claim is gone, so its writer has finished, and the lock may be free.
      if (rescuer === null) return true;
      if (!(await this.#isDead(rescuer, claim, own))) return false;
    }
    const now = await readOwner(this.#lockPath);
    if (now?.token === holder.token) await unlessMissing(fs.unlink(this.#lockPath));
    for (const claim of claims) await unlessMissing(fs.unlink(claim));
    return true;
  }

  /** @param own a file of this process, which `#touched` copies to read the clock of the file system */
  async #isDead(owner: Owner, file: string, own: string): Promise<boolean> {
    const known = await isDead(owner);
    if (known !== null) return known;
    const [then, now] = [await unlessMissing(fs.stat(file)), await this.#touched(own)];
    return then !== null && now - then.mtimeMs > this.#staleAfter;
  }

  /** Returns the current time on the clock of the file system, in milliseconds: the time of a new copy of `own`. */
  async #touched(own: string): Promise<number> {
    const probe = `${own}.now`;
    await fs.copyFile(own, probe, fs.constants.COPYFILE_EXCL);
    const { mtimeMs } = await fs.stat(probe);
    await unlessMissing(fs.unlink(probe));
    return mtimeMs;
  }

  /** Removes files that dead writers have left. The caller holds the lock. */
  async #sweep(): Promise<void> {
    const folder = path.dirname(this.#path);
    const prefix = `${path.basename(this.#lockPath)}.`;
    const lock = await unlessMissing(fs.lstat(this.#lockPath));
    const oldest = (lock?.mtimeMs ?? 0) - this.#staleAfter;
    for (const name of await fs.readdir(folder)) {
      if (!name.startsWith(prefix)) continue;
      const file = path.join(folder, name);
      const owner = await readOwner(file);
      if (owner === null) continue;
      const isOurs = SUFFIX.test(name.slice(prefix.length));
      if ((await isDead(owner)) === true || (await isAbandoned(file, owner, isOurs, oldest))) {
        await unlessMissing(fs.unlink(file));
      }
    }
  }
}

// --- who is alive ----------------------------------------------------------------------------------------------------

async function self(): Promise<Owner> {
  return {
    token: randomUUID(),
    pid: process.pid,
    start: (await processState(process.pid))?.start ?? '',
    host: hostname(),
    boot: await textOf('/proc/sys/kernel/random/boot_id'),
    space: await fs.readlink('/proc/self/ns/pid').catch(() => ''),
  };
}

/**
 * Whether a process is dead; null if this process can't know. Another boot id doesn't mean that the process is dead,
 * because machines that share a folder may have the same host name.
 */
async function isDead({ pid, start, host, boot, space }: Owner): Promise<boolean | null> {
  const here = await self();
  if (host === '' || host !== here.host || boot !== here.boot || space !== here.space) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return true;
  }
  const state = await processState(pid);
  // The pid may belong to another process by now. A process that has ended may still exist as a zombie.
  return state !== null && ((start !== '' && state.start !== start) || state.hasEnded);
}

/** Returns the state of a process on Linux; null on other systems, or if there is no such process. */
async function processState(pid: number): Promise<{ start: string; hasEnded: boolean } | null> {
  const stat = await textOf(`/proc/${pid}/stat`);
  // The second field is the name of the program in parentheses. It may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', start = ''] = [fields[0], fields[19]];
  return stat === '' ? null : { start, hasEnded: state === 'Z' || state === 'X' };
}

/** Returns the text of a small file; '' if it can't be read. */
async function textOf(file: string): Promise<string> {
  const text = await fs.readFile(file, 'latin1').catch(() => '');
  return text.trim();
}

// --- files -----------------------------------------------------------------------------------------------------------

/** Returns the owner that a file names; null if there is no such file; an unknown owner if the file names none. */
async function readOwner(file: string): Promise<Owner | null> {
  const text = await unlessMissing(fs.readFile(file, 'utf8'));
  if (text === null) return null;
  const unknown = { token: 'unknown', pid: 0, start: '', host: '', boot: '', space: '' };
  try {
    const { token, pid, start, host, boot, space } = { ...unknown, ...JSON.parse(text) };
    if (typeof token === 'string' && TOKEN.test(token) && Number.isInteger(pid) && pid > 0) {
      return { token, pid, start: String(start), host: String(host), boot: String(boot), space: String(space) };
    }
  } catch {
    // The file is from another program, or is being written.
  }
  return unknown;
}

/**
 * Whether a file is older than `oldest`, and names no owner or one of another boot of this host. The writer of a file
 * that names no owner was killed, or the disk was full, before it had named itself in the file.
 *
 * @param isOurs whether the file has the name of a file that writers create; other files may be of other programs
 */
async function isAbandoned(file: string, owner: Owner, isOurs: boolean, oldest: number): Promise<boolean> {
  const state = await unlessMissing(fs.lstat(file));
  if (state === null || !state.isFile() || state.mtimeMs >= oldest) return false;
  const { pid, host, boot } = owner;
  if (pid === 0) return isOurs;
  const here = await self();
  return host !== '' && host === here.host && boot !== here.boot;
}

/** Links a file to a second name. Returns false if that name is taken. */
async function linked(file: string, name: string): Promise<boolean> {
  try {
    await fs.link(file, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function syncDirectory(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows can't open directories
  const directory = await fs.open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function milliseconds(name: string, value: number): number {
  if (typeof value !== 'number' || !(value > 0))
    throw new RangeError(`${name} must be a number of milliseconds above 0`);
  return value;
}
