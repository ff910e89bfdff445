// Memory for small results, and text written by the means of the host.
//
// Plan: newSlab · writeUtf8 · what the host has.
//
// An ArrayBuffer of its own costs a small result more than its encoding. Node's Buffers share a pool for that reason, and Node
// lets nobody transfer it, so a result in it cannot be taken away from under another. Elsewhere memory can be transferred,
// and every result has its own.

/** The part of Node that is used here; asked for by name, so that bundlers put nothing in its place. */
interface NodeBuffer {
  allocUnsafe(length: number): Uint8Array;
  allocUnsafeSlow(length: number): Uint8Array;
  readonly prototype: { utf8Write?: (text: string, at: number, length: number) => number };
}

/** Just below half of Node's pool: from there on a Buffer has memory of its own. */
const SLAB_LENGTH = 4088;

/** Up to so many code units a loop beats the call into the host (measured on Node 20, and on 22 and later). */
const SHORT_BEFORE_22 = 40;
const SHORT_SINCE_22 = 20;

function nodeBuffer(): { readonly Buffer: NodeBuffer; readonly version: number } | null {
  const { Buffer, process, Bun, Deno } = globalThis as {
    Buffer?: NodeBuffer;
    process?: { readonly versions?: { readonly node?: string } };
    Bun?: unknown;
    Deno?: unknown;
  };
  const version = Number.parseInt(process?.versions?.node ?? '', 10);
  if (typeof Buffer?.allocUnsafe !== 'function' || Bun !== undefined || Deno !== undefined || !(version >= 20))
    return null;
  return { Buffer, version };
}

const NODE = /* @__PURE__ */ nodeBuffer();

/** Memory to put small results into, one behind the other; null where each is to have its own. What it holds is of no worth. */
export function newSlab(): Uint8Array | null {
  if (NODE === null) return null;
  const { buffer, byteOffset, length } = NODE.Buffer.allocUnsafe(SLAB_LENGTH);
  // Only the pool is safe from being transferred.
  return buffer.byteLength > length ? new Uint8Array(buffer, byteOffset, length) : null;
}

/** Memory of its own for a large result, which may hold anything. */
export function newMemory(length: number): Uint8Array {
  if (NODE === null) return new Uint8Array(length);
  const { buffer, byteOffset } = NODE.Buffer.allocUnsafeSlow(length);
  return new Uint8Array(buffer, byteOffset, length);
}

/** Up to so many code units are encoded by a loop. */
export const SHORT_TEXT: number = /* @__PURE__ */ shortText();

function shortText(): number {
  return NODE !== null && NODE.version >= 22 ? SHORT_SINCE_22 : SHORT_BEFORE_22;
}

const UTF8 = /* @__PURE__ */ new TextEncoder();
// A function of its own: one made here would be written out at its call, and bundlers could not leave it out.
const utf8Write = /* @__PURE__ */ nodeUtf8Write();

function nodeUtf8Write() {
  return NODE?.Buffer.prototype.utf8Write;
}

/**
 * Writes text at `at`, where there are 3 bytes for each code unit. A lone surrogate becomes U+FFFD.
 *
 * @returns how many bytes were written
 */
export function writeUtf8(bytes: Uint8Array, text: string, at: number): number {
  if (typeof utf8Write === 'function') return utf8Write.call(bytes, text, at, 3 * text.length);
  return UTF8.encodeInto(text, bytes.subarray(at)).written;
}
