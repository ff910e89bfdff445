// What the host has beside the language, asked for by name, so that bundlers put nothing in its place.
//
// Plan: NodeBuffer · NODE.

/** The part of Node's Buffer that the encoder uses; the methods work on any Uint8Array. */
interface NodeBuffer {
  allocUnsafe(length: number): Uint8Array;
  allocUnsafeSlow(length: number): Uint8Array;
  readonly prototype: {
    utf8Write?: (text: string, at: number, length: number) => number;
    indexOf?: (byte: number, from: number) => number;
  };
}

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

/** Node's Buffer; null in other hosts, those that imitate it included. */
export const NODE = /* @__PURE__ */ nodeBuffer();
