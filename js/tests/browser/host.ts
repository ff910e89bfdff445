// Stands for what the suite uses of Node in a browser: files of the repository, Buffer, process, Readable.from.
//
// The library does not see any of it: the page gives these names to the compiled tests alone.

/** Paths of the repository's files that tests may read, for node:fs. */
let files: readonly string[] = [];

export function provideFiles(paths: readonly string[]): void {
  files = paths;
}

declare class XMLHttpRequest {
  readonly responseText: string;
  open(method: string, address: string, isAsync: boolean): void;
  send(): void;
}

export function readFileSync(url: URL): string {
  if (!files.includes(url.pathname)) throw new Error(`the page has no file ${url.pathname}`);
  const request = new XMLHttpRequest();
  request.open('GET', url.pathname, false);
  request.send();
  return request.responseText;
}

export function existsSync(url: URL): boolean {
  return files.some((path) => path.startsWith(url.pathname));
}

export function readdirSync(url: URL): string[] {
  const names = files.filter((path) => path.startsWith(url.pathname));
  return names.map((path) => path.slice(url.pathname.length)).filter((name) => !name.includes('/'));
}

/** node:stream: what is read from is an async iterable, which is all that the suite needs of it. */
export const Readable = {
  async *from<T>(items: Iterable<T>): AsyncGenerator<T> {
    yield* items;
  },
};

/** What no stand-in can do: the tests that need it are left out by name. */
function refuse(): never {
  throw new Error('a browser cannot do this; name the test in TESTS_LEFT_OUT of tools/test-browser.mjs');
}

/** node:child_process, node:module and node:vm. */
export { refuse as createRequire, refuse as execFileSync, refuse as runInNewContext, refuse as runInThisContext };

/** node:vm. */
export default { createContext: refuse, runInContext: refuse };

export function fileURLToPath(url: URL): string {
  return url.pathname;
}

export const process = { env: { POLYPACK_RUNS: '30' } as Record<string, string | undefined> };

type Encoding = 'utf8' | 'hex';

/** A class derived from Uint8Array, as Buffer is. */
export class Buffer extends Uint8Array {
  static override from(source: unknown, second?: unknown, length?: number): Buffer {
    if (typeof source === 'string') {
      const bytes = second === 'hex' ? bytesOfHex(source) : new TextEncoder().encode(source);
      return new Buffer(bytes);
    }
    if (source instanceof ArrayBuffer || source instanceof SharedArrayBuffer) {
      return new Buffer(source as ArrayBuffer, second as number | undefined, length);
    }
    return new Buffer(source as ArrayLike<number>);
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const whole = new Buffer(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  static alloc(length: number, fill: number | Uint8Array = 0): Buffer {
    const pattern = typeof fill === 'number' ? [fill] : fill;
    return new Buffer(Array.from({ length }, (_, at) => pattern[at % pattern.length] ?? 0));
  }

  static compare(left: Uint8Array, right: Uint8Array): number {
    const length = Math.min(left.length, right.length);
    for (let at = 0; at < length; at++) {
      const difference = (left[at] as number) - (right[at] as number);
      if (difference !== 0) return Math.sign(difference);
    }
    return Math.sign(left.length - right.length);
  }

  equals(other: Uint8Array): boolean {
    return Buffer.compare(this, other) === 0;
  }

  readDoubleBE(): number {
    return new DataView(this.buffer, this.byteOffset).getFloat64(0);
  }

  writeFloatBE(value: number, at: number): void {
    new DataView(this.buffer, this.byteOffset).setFloat32(at, value);
  }

  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding === 'hex') return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this);
  }
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
